package pipeline

import (
	"errors"
	"io"
	"sync"

	"golang.org/x/sync/semaphore"
)

// writer is the last stage.
type writer struct {
	cfg    *Config
	pool   *sync.Pool
	window *semaphore.Weighted
	order  <-chan *run

	pending [][]byte // rows that are not yet written: the same cases for each stream
	size    int      // of all pending
	direct  [][]byte // scratch for write
	totals  Totals
	cut     bool // the last run was, by the context
}

// pendingMax is when rows are written although more can be had without waiting.
const pendingMax = 64 << 10

func newWriter(cfg *Config, pool *sync.Pool, window *semaphore.Weighted, order <-chan *run) *writer {
	n := len(cfg.Streams)
	return &writer{cfg: cfg, pool: pool, window: window, order: order, pending: make([][]byte, n), direct: make([][]byte, n)}
}

// run writes the runs in order, up to the first that is cut or has an error.
func (w *writer) run() error {
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
	v, ok = <-ch
	return v, ok, nil
}

// write puts the rows of r on their way.
func (w *writer) write(r *run) error {
	w.totals.add(r.outcomes)
	if w.cfg.Observe != nil && len(r.outcomes) > 0 {
		w.cfg.Observe(r.outcomes)
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
		return w.writeAll(w.direct)
	}
	w.size += len(r.buf)
	if w.size >= pendingMax {
		return w.flush()
	}
	return nil
}

// flush writes what is pending. Then all streams are complete up to the same
// case.
func (w *writer) flush() error {
	if w.size == 0 {
		return nil
	}
	err := w.writeAll(w.pending)
	for k := range w.pending {
		w.pending[k] = w.pending[k][:0]
	}
	w.size = 0
	return err
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
