package pipeline

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"idabatch/internal/solver"
)

// Source is where cases come from: Files or Random.
type Source interface {
	// feed gives all cases to rd, in order.
	feed(rd *reader) error
}

// Files is the cases of all inputs as one corpus. Detect tells the puzzle of an
// input from its beginning.
func Files(inputs []Input, detect func(s *solver.Scanner) (*solver.Puzzle, error)) Source {
	return &files{inputs, detect}
}

// Random is n cases of a seed, from number first, made by the workers. Scramble
// is as in solver.Puzzle.
func Random(p *solver.Puzzle, seed, first, n uint64, scramble int) Source {
	return &random{p, seed, first, n, scramble}
}

type files struct {
	inputs []Input
	detect func(s *solver.Scanner) (*solver.Puzzle, error)
}

func (f *files) feed(rd *reader) error {
	for i := range f.inputs {
		if err := f.feedOne(rd, &f.inputs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *files) feedOne(rd *reader, in *Input) (err error) {
	line := func() int64 { return 1 }
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{fmt.Sprintf("%s:%d", in.Name, line()), v, debug.Stack()}
		} else if err != nil {
			err = fmt.Errorf("%s: %w", in.Name, err)
		}
	}()

	raw, err := openInput(rd.ctx, in, &rd.cfg.Progress.Bytes)
	if err != nil {
		return err
	}
	defer raw.Close()
	plain, err := decompress(raw)
	if err != nil {
		return err
	}
	defer plain.Close()

	s := solver.NewScanner(readerFunc(func(p []byte) (int, error) {
		if err := rd.handOver(); err != nil { // it may take long until there is more
			return 0, err
		}
		return plain.Read(p)
	}))
	line = s.Line
	puzzle, err := f.detect(s)
	if err != nil {
		return err
	}
	rd.enter(puzzle, in.Name)
	framer := puzzle.Frame(s)
	var text []byte
	for {
		var at solver.Span
		if text, at, err = framer.Next(text[:0]); err != nil {
			break
		}
		if err := rd.add(text, at); err != nil {
			return err
		}
	}
	if err != io.EOF {
		return err
	}

	more := false
	if !in.Interactive {
		if more, err = s.Rest(); err != nil {
			return err
		}
	}
	if warning := framer.Close(more); warning != "" {
		if err := rd.notice(fmt.Sprintf("%s:%d: %s", in.Name, s.Line(), warning)); err != nil {
			return err
		}
	}
	if in.Tee != nil {
		if err := raw.drain(); err != nil {
			return err
		}
	}
	return rd.handOver()
}

type random struct {
	puzzle   *solver.Puzzle
	seed     uint64
	first, n uint64
	scramble int
}

func (s *random) feed(rd *reader) error {
	rd.puzzle = s.puzzle
	rd.source = "seed=" + strconv.FormatUint(s.seed, 10)
	done := min(uint64(rd.skip), s.n)
	if err := rd.pass(int64(done)); err != nil {
		return err
	}
	for done < s.n {
		r := rd.begin()
		r.random, r.number = s, s.first+done
		r.n = int(min(uint64(rd.length), s.n-done))
		done += uint64(r.n)
		if err := rd.handOver(); err != nil {
			return err
		}
	}
	return nil
}

// reader is the first stage: it cuts what its source feeds it into runs.
type reader struct {
	ctx    context.Context
	cfg    *Config
	src    Source
	pool   *sync.Pool // of runs
	window *semaphore.Weighted
	cost   *atomic.Int64 // of a case, in nanoseconds; 0 while not known
	work   chan<- *run
	order  chan<- *run

	puzzle *solver.Puzzle // of the cases to come
	source string
	index  int64  // of the next case
	trail  *trail // nil: none is kept
	skip   int64  // cases to pass over
	length int    // that the open run is to have
	open   *run   // nil: none is begun

	stopped bool // by the context, before the end of the source
}

const (
	runCost = time.Millisecond // of work in a run, about
	runMax  = 512              // cases in a run
	runText = 64 << 10         // bytes of text in a run
)

func (rd *reader) run() error {
	defer close(rd.order)
	defer close(rd.work)
	err := rd.feed()
	if rd.ctx.Err() == nil && err != nil {
		err = rd.tell(func(r *run) { r.err = err })
	}
	rd.stopped = err != nil && rd.ctx.Err() != nil
	return nil
}

// feed takes all cases from the source.
func (rd *reader) feed() error {
	before := rd.cfg.Resume.Cases
	rd.index = 1
	rd.skip = before
	if before == 0 {
		if err := rd.begun(); err != nil {
			return err
		}
	}
	if err := rd.src.feed(rd); err != nil {
		return err
	}
	if rd.skip > 0 {
		return &ChangedError{before, before - rd.skip}
	}
	return nil
}

// begun says that cases are handed over from now on.
func (rd *reader) begun() error {
	if rd.cfg.Begin == nil {
		return nil
	}
	return rd.cfg.Begin()
}

// pass passes over n cases.
func (rd *reader) pass(n int64) error {
	if n == 0 {
		return nil
	}
	rd.index += n
	if rd.skip -= n; rd.skip > 0 {
		return nil
	}
	if want := rd.cfg.Resume; rd.trail != nil && rd.trail.sum().String() != want.SHA256 {
		return &ChangedError{want.Cases, want.Cases}
	}
	return rd.begun()
}

// enter begins another input.
func (rd *reader) enter(p *solver.Puzzle, source string) {
	rd.puzzle, rd.source = p, source
	if rd.cfg.Checkpoint == nil && rd.cfg.Resume.Cases == 0 {
		return // nobody wants to know
	}
	if rd.trail == nil {
		rd.trail = newTrail()
	}
	rd.trail.enter(p, source)
}

// add puts a case into the open run, or passes over it.
func (rd *reader) add(txt []byte, at solver.Span) error {
	if rd.skip > 0 {
		rd.trail.add(txt, at)
		return rd.pass(1)
	}
	r := rd.begin()
	if rd.trail != nil {
		rd.trail.add(txt, at)
	}
	r.buf = append(r.buf, txt...)
	r.texts = append(r.texts, text{len(r.buf), at})
	r.n++
	if r.n < rd.length && len(r.buf) < runText {
		return nil
	}
	return rd.handOver()
}

// begin returns the open run.
func (rd *reader) begin() *run {
	if rd.open == nil {
		rd.open = rd.pool.Get().(*run)
		rd.open.puzzle, rd.open.source, rd.open.first = rd.puzzle, rd.source, rd.index
		if rd.trail != nil {
			rd.open.before = rd.trail.appendState(rd.open.before)
		}
		rd.length = rd.nextLength()
	}
	return rd.open
}

// nextLength is how many cases the next run is to have.
func (rd *reader) nextLength() int {
	n := rd.cfg.RunLength
	if n <= 0 {
		// Four runs a worker fit into the window, so that all are busy in a
		// narrow one too.
		most := min(runMax, rd.cfg.Window/(4*rd.cfg.Jobs), 2*rd.length)
		if cost := rd.cost.Load(); cost > 0 {
			n = int(min(int64(runCost)/cost, int64(most)))
		}
	}
	return max(1, min(n, rd.cfg.Window))
}

// handOver gives the open run away, if there is one.
func (rd *reader) handOver() error {
	r := rd.open
	if r == nil {
		return rd.ctx.Err()
	}
	rd.open = nil
	rd.index += int64(r.n)
	if rd.trail != nil {
		r.sum = rd.trail.sum()
	}
	if err := rd.window.Acquire(rd.ctx, int64(r.n)); err != nil {
		return err
	}
	// Work first: whatever is on the order queue must be certain to get done.
	if err := rd.send(rd.work, r); err != nil {
		return err
	}
	return rd.send(rd.order, r)
}

// notice tells the user something, behind the cases so far.
func (rd *reader) notice(text string) error {
	if rd.skip > 0 {
		return nil // an earlier run has told it
	}
	return rd.tell(func(r *run) { r.notices = append(r.notices, Notice{Text: text}) })
}

// tell sends an empty run to the writer, behind the cases so far.
func (rd *reader) tell(fill func(r *run)) error {
	if err := rd.handOver(); err != nil {
		return err
	}
	r := rd.pool.Get().(*run)
	fill(r)
	r.done <- struct{}{}
	return rd.send(rd.order, r)
}

func (rd *reader) send(to chan<- *run, r *run) error {
	if err := rd.ctx.Err(); err != nil {
		return err
	}
	select {
	case to <- r:
		return nil
	case <-rd.ctx.Done():
		return rd.ctx.Err()
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
