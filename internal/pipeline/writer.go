package pipeline

import (
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// writer is the last stage.
type writer struct {
	cfg    *Config
	pool   *sync.Pool
	window *semaphore.Weighted
	order  <-chan *run

	pending  [][]byte // rows that are not yet written: the same cases for each stream
	size     int      // of all pending
	outcomes []Outcome
	sum      sum      // of the trail, behind these cases
	direct   [][]byte // scratch for write
	cut      bool     // the last run was, by the context

	// Of what is written to all streams.
	totals  Totals
	bytes   []int64 // of rows, on each stream
	written sum     // of the trail

	tick   <-chan time.Time // when a checkpoint is due
	saves  chan func() error
	saving atomic.Bool
	saved  int64 // cases of the last checkpoint
}

// When rows are written although more can be had without waiting.
const (
	pendingMax   = 64 << 10
	pendingCases = 8 << 10
)

func newWriter(cfg *Config, pool *sync.Pool, window *semaphore.Weighted, order <-chan *run) *writer {
	n := len(cfg.Streams)
	w := &writer{
		cfg: cfg, pool: pool, window: window, order: order,
		pending: make([][]byte, n), direct: make([][]byte, n),
		bytes: make([]int64, n),
		saves: make(chan func() error, 1), saved: cfg.Resume.Cases,
	}
	copy(w.bytes, cfg.Resume.Bytes)
	return w
}

// run writes the runs in order, up to the first that is cut or has an error.
func (w *writer) run() error {
	defer close(w.saves)
	if w.cfg.Checkpoint != nil {
		ticker := time.NewTicker(w.cfg.Interval)
		defer ticker.Stop()
		w.tick = ticker.C
	}
	for {
		r, ok, err := next(w, w.order)
		if err != nil {
			return err
		}
		if !ok {
			return w.flush()
		}
		for r != nil {
			if _, _, err := next(w, r.done); err != nil {
				return err
			}
			if err := w.write(r); err != nil {
				return join(r.err, err)
			}
			if r.err != nil || len(r.outcomes) < r.n {
				w.cut = r.err == nil
				return join(r.err, w.flush())
			}
			w.window.Release(int64(r.n))
			rest := r.rest
			r.reset()
			w.pool.Put(r)
			r = rest
		}
		select {
		case <-w.tick:
			if err := w.flush(); err != nil {
				return err
			}
			w.checkpoint()
		default:
		}
	}
}

// next receives from ch, and flushes first if it has to wait.
func next[T any](w *writer, ch <-chan T) (v T, ok bool, err error) {
	select {
	case v, ok = <-ch:
		return v, ok, nil
	default:
	}
	if err := w.flush(); err != nil {
		return v, false, err
	}
	for {
		select {
		case v, ok = <-ch:
			return v, ok, nil
		case <-w.tick:
			w.checkpoint()
		}
	}
}

// checkpoint has what is written made to last, if the last time is over.
func (w *writer) checkpoint() {
	at := w.position()
	if at.Cases == w.saved || w.saving.Load() {
		return
	}
	w.saved = at.Cases
	w.saving.Store(true)
	w.saves <- w.cfg.Checkpoint(at) // never waits
}

// save does what the checkpoints ask for, beside run.
func (w *writer) save() error {
	for save := range w.saves {
		if err := save(); err != nil {
			return err
		}
		w.saving.Store(false)
	}
	return nil
}

// position is how far all streams are complete.
func (w *writer) position() Position {
	p := Position{w.cfg.Resume.Cases + w.totals.Cases, slices.Clone(w.bytes), w.cfg.Resume.SHA256}
	if w.written != (sum{}) {
		p.SHA256 = w.written.String()
	}
	return p
}

// write puts the rows of r on their way.
func (w *writer) write(r *run) error {
	if len(r.outcomes) > 0 {
		w.outcomes = append(w.outcomes, r.outcomes...)
		w.sum = r.sum
	}
	if w.cfg.Notice != nil {
		for _, n := range r.notices {
			w.cfg.Notice(n)
		}
	}
	direct := w.size == 0 && len(r.buf) >= pendingMax
	begin := 0
	for k, end := range r.ends {
		rows := r.buf[begin:end]
		if direct {
			w.direct[k] = rows
		} else {
			w.pending[k] = append(w.pending[k], rows...)
		}
		begin = end
	}
	if direct {
		return w.out(w.direct)
	}
	w.size += len(r.buf)
	if w.size >= pendingMax || len(w.outcomes) >= pendingCases {
		return w.flush()
	}
	return nil
}

// flush writes what is pending. Then all streams are complete up to the same
// case.
func (w *writer) flush() error {
	if len(w.outcomes) == 0 {
		return nil
	}
	err := w.out(w.pending)
	for k := range w.pending {
		w.pending[k] = w.pending[k][:0]
	}
	w.size = 0
	return err
}

// out writes the rows of the cases that wait, and then counts these.
func (w *writer) out(rows [][]byte) error {
	if err := w.writeAll(rows); err != nil {
		return err
	}
	for k, b := range rows {
		w.bytes[k] += int64(len(b))
	}
	w.totals.add(w.outcomes)
	w.written = w.sum
	if w.cfg.Observe != nil {
		w.cfg.Observe(w.outcomes)
	}
	w.outcomes = w.outcomes[:0]
	return nil
}

// writeAll writes to each stream its rows. If one fails, the others still get
// theirs.
func (w *writer) writeAll(rows [][]byte) (err error) {
	for k, b := range rows {
		if len(b) == 0 {
			continue
		}
		s := &w.cfg.Streams[k]
		n, failed := s.W.Write(b)
		if failed == nil && n < len(b) {
			failed = io.ErrShortWrite
		}
		if failed != nil {
			err = join(err, &WriteError{s.Name, failed})
		}
	}
	return err
}

// join is errors.Join, which leaves a single error as it is.
func join(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return errors.Join(a, b)
}
