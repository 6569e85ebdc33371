// Package pipeline takes cases in and gives encoded results out, in order. It
// knows no puzzle and no report: a puzzle is a descriptor, a report a function
// that appends a row.
//
// # The flow
//
//	                  work                       order
//	source -> reader ------> worker 1..J    reader ------> writer -> stream 1..S
//	                  run    solve, replay,         run
//	                         encode
//
// The unit of hand-over is a run of consecutive cases, because handing over
// costs about a microsecond and an easy case a fifth of that. The reader cuts
// the cases of its source into runs and puts each run on two queues: work, from
// which any worker takes it, and order, which the one writer walks. A worker
// solves the cases of a run, replays every solution with the puzzle's own
// Replay, encodes one row a stream and case into the run's buffer, and marks
// the run as done. The writer waits for the runs one after the other, so the
// bytes of a stream do not depend on the number of workers, the length of the
// runs or the window.
//
// Length of a run. About a millisecond of work ([Config.RunLength] fixes it
// instead), from a moving estimate of what a case costs, which the workers keep
// and the reader uses: one case at the start, at most twice the last length, at
// most 512 cases or 64 KiB of text, and down to one where cases are hard. The
// work queue holds one run a worker, so the reader decides late, on a fresh
// estimate; and where it was wrong, a worker gives half of what is left of its
// run to one that waits (crew), and after a hundred milliseconds gives away what
// is finished and makes the rest a run of its own. A run is also handed over
// before the reader asks its file for more text, and the writer flushes before it
// waits: a program that writes one case to our standard input and waits for the
// answer gets it.
//
// Window. The cases between reader and writer are counted by a weighted
// semaphore. It is wide, because a hard case holds up the writing of all that
// come after it, and the other workers need something to do meanwhile; and it
// bounds the memory, at less than a kilobyte a case with every stream on.
// Finished runs are recycled, and there is no allocation per case.
//
// # The ends
//
// The end of the input, an interrupt and a failure all travel down the same
// way. Only the reader watches the context when it hands over: it stops and
// closes both queues. The workers drain theirs, and see the context too: they
// break off the case at hand (the solver asks Limits.Stop) and leave the run
// cut after the last whole case; runs they take up later stay empty. So every
// run on the order queue is marked as done soon, and the writer needs no other
// signal: it writes up to the first cut, flushes, and is finished. That is why
// its and the workers' channel operations need no select with the context, and
// why what is written is a prefix, the same cases on every stream.
//
// An error of the source or of a case (a solution that fails its replay, a
// panic) is a part of the run that it happened in, so it comes in order: all
// cases before it are written, then Run returns it. A failed write ends the
// writer, and through the errgroup's context everyone else, after the other
// streams got the same cases.
//
// A Read or an Open can block for ever, on a terminal or a pipe. It happens in
// a goroutine of its own, which an interrupted reader leaves behind: closing
// the input, which it does, may or may not wake that up.
//
// # Going on
//
// After each flush all streams are complete up to the same case. There and
// nowhere else is it known what is out: that is a [Position], and every now and
// then the writer gives it to Config.Checkpoint. Making it last takes a while
// (a journal waits for the disk), so that happens beside the writer, in a
// goroutine that does nothing else; until it is through there is no other
// checkpoint. What is lost at the worst is what was written since, and what
// waited to be written behind a case that takes long.
//
// A later run with Config.Resume reads its source from the beginning, passes over
// so many cases, and goes on with the next. Whether they are the same cases is
// told by a hash (trail), which the reader keeps, and of which each run carries the
// value behind its last case. So the hash in a Position is of exactly the cases
// written, also where a worker has cut a run in two.
package pipeline

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"idabatch/internal/solver"
)

// Config says how to run. NewSolver is needed; the zero value of everything
// else is of use.
type Config struct {
	Jobs      int // workers; 0: GOMAXPROCS
	Window    int // cases between reader and writer, at most; 0: DefaultWindow
	RunLength int // cases handed over at once; 0: about a millisecond of work

	MaxNodes int64         // expansions a case; 0: any number
	Timeout  time.Duration // wall time a case; 0: any

	// NewSolver makes a worker's solver, once for each puzzle that it meets.
	NewSolver func(p *solver.Puzzle) solver.Solver

	Streams []Stream

	// Notice and Observe are called by the writer, in order. Notice gets what the
	// user should hear of, Observe all cases, some at a time, once they are
	// written; it must not keep the slice.
	Notice  func(n Notice)
	Observe func(cases []Outcome)

	// Resume is how far an earlier run has come: its cases are passed over. Begin
	// is called before the first case is handed over, when those are found to be
	// the same.
	Resume Position
	Begin  func() error

	// Checkpoint is called by the writer, every Interval as long as there is
	// something new to tell. The function that it returns runs beside the writer, one
	// at a time; its error ends the run.
	Checkpoint func(at Position) (save func() error)
	Interval   time.Duration

	// Epoch is when the first of the runs that this one goes on with was started,
	// by the wall clock. The zero value is this one's start.
	Epoch time.Time

	Progress *Progress
}

// DefaultWindow is wide enough that the neighbours of a case a thousand times
// harder than they are keep thirty other workers busy.
const DefaultWindow = 32 << 10

// Stream is one output: a row, or some, or none, for each case. Write is called
// with whole cases only.
type Stream struct {
	Name string // for messages
	W    io.Writer

	// Append appends c's row to dst. It is called by all workers at once, and
	// depends on its arguments alone.
	Append func(dst []byte, p *solver.Puzzle, c *solver.Case, r *solver.Result, t Timing) []byte

	// Timed asks for t, which is zero otherwise. The rows of timed streams are
	// made last, after all others of their case.
	Timed bool
}

// Timing is the measurement of one case: from taking it up to its finished rows
// on the streams that are not timed, replay included. A worker reads the clock
// once a case, so the end of one case is the start of the next.
type Timing struct {
	Worker  int           // from 1
	Start   time.Duration // since Config.Epoch
	Elapsed time.Duration
}

// Notice is something the user should hear of.
type Notice struct {
	Case int64  // of an invalid case; 0: a warning about a source
	Text string // "corpus.txt:17: 23 symbols, want 24"
}

// Outcome is what the totals need to know of a case.
type Outcome struct {
	Status              solver.Status
	Depth               int32 // moves, if solved
	Expanded, Generated int64
}

// Progress counts while the run goes on.
type Progress struct {
	Cases atomic.Int64 // finished
	Bytes atomic.Int64 // of input read, as they are in the files
	Busy  atomic.Int64 // nanoseconds that workers have spent on cases
}

// Totals are of the cases that this run has written to all streams, except for
// Busy.
type Totals struct {
	Cases       int64
	ByStatus    [solver.NumStatuses]int64
	DepthSum    int64 // over the solved cases
	DepthMax    int
	Expanded    int64
	Generated   int64
	ExpandedMax int64

	Wall time.Duration
	Busy []time.Duration // of each worker

	At Position // together with the cases passed over
}

func (t *Totals) add(cases []Outcome) {
	t.Cases += int64(len(cases))
	for i := range cases {
		o := &cases[i]
		t.ByStatus[o.Status]++
		t.DepthSum += int64(o.Depth)
		t.DepthMax = max(t.DepthMax, int(o.Depth))
		t.Expanded += o.Expanded
		t.Generated += o.Generated
		t.ExpandedMax = max(t.ExpandedMax, o.Expanded)
	}
}

// WriteError is a failed write. If several streams fail at once, Run's error
// wraps one for each, in their order.
type WriteError struct {
	Stream string
	Err    error
}

func (e *WriteError) Error() string { return "writing " + e.Stream + ": " + bare(e.Err).Error() }
func (e *WriteError) Unwrap() error { return e.Err }

// ReplayError is a solution that does not solve its case.
type ReplayError struct {
	Case   int64
	Source string // "corpus.txt:17"
	Text   string // the case in plain form
	Moves  string
	Err    error
}

func (e *ReplayError) Error() string {
	return fmt.Sprintf("case %d (%s): the solution %q of %q fails its replay: %v", e.Case, e.Source, e.Moves, e.Text, e.Err)
}
func (e *ReplayError) Unwrap() error { return e.Err }

// PanicError is a bug in a puzzle or an encoder, met at a case.
type PanicError struct {
	Where string // the case with its text, or the place in the input
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("%s: panic: %v\n\n%s", e.Where, e.Value, e.Stack)
}

// run is some consecutive cases of one puzzle and source on their way from the
// reader through a worker to the writer.
type run struct {
	puzzle *solver.Puzzle
	source string
	first  int64 // index of the first case
	n      int   // cases; 0 if the run only carries a notice or an error
	random *random
	number uint64 // of the first case in random
	texts  []text // of the cases, if not random

	// Of the trail, if one is kept: its state before the first case, and the hash
	// behind the last, or the last that is finished.
	before []byte
	sum    sum

	// buf is the texts of the cases, one after the other; when all are solved,
	// their rows, stream by stream.
	buf  []byte
	ends []int // in buf, of each stream's rows

	outcomes []Outcome // of the finished cases: fewer than n if the run was cut
	notices  []Notice
	err      error // behind the finished cases
	rest     *run  // what a worker gave away: the cases that follow
	done     chan struct{}
}

type text struct {
	end int // in buf
	at  solver.Span
}

// reset empties r and keeps its memory.
func (r *run) reset() {
	clear(r.notices) // for the strings
	*r = run{
		texts: r.texts[:0], before: r.before[:0], buf: r.buf[:0], ends: r.ends[:0],
		outcomes: r.outcomes[:0], notices: r.notices[:0], done: r.done,
	}
}

// text is the text of case i of r, until r.buf has its rows.
func (r *run) text(i int) []byte {
	begin := 0
	if i > 0 {
		begin = r.texts[i-1].end
	}
	return r.buf[begin:r.texts[i].end]
}

// split cuts r behind its first keep cases. The others become a run of their
// own, that follows it.
func (r *run) split(keep int, pool *sync.Pool) *run {
	q := pool.Get().(*run)
	q.puzzle, q.source = r.puzzle, r.source
	q.first, q.n = r.first+int64(keep), r.n-keep
	if r.random != nil {
		q.random, q.number = r.random, r.number+uint64(keep)
	} else {
		begin := r.texts[keep-1].end
		for _, t := range r.texts[keep:] {
			q.texts = append(q.texts, text{t.end - begin, t.at})
		}
		q.buf = append(q.buf, r.buf[begin:]...)
	}
	if t := r.to(keep); t != nil {
		q.before, q.sum = t.appendState(q.before), r.sum
		r.sum = t.sum()
	}
	r.n = keep
	r.rest, q.rest = q, r.rest
	return q
}

// Run solves the cases of src and writes their rows. It returns when all are
// written and flushed, or after the first error. If ctx ends first, the error is
// its cause; that takes no longer than a solver needs to ask Limits.Stop and the
// streams to take the last rows. The totals are right in any case.
func Run(ctx context.Context, src Source, cfg Config) (Totals, error) {
	if cfg.Jobs <= 0 {
		cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	if cfg.Window <= 0 {
		cfg.Window = DefaultWindow
	}
	if cfg.Progress == nil {
		cfg.Progress = new(Progress)
	}
	var (
		start  = time.Now()
		pool   = &sync.Pool{New: func() any { return &run{done: make(chan struct{}, 1)} }}
		window = semaphore.NewWeighted(int64(cfg.Window))
		cost   = new(atomic.Int64)
		work   = make(chan *run, cfg.Jobs)
		order  = make(chan *run, cfg.Window)
		busy   = make([]time.Duration, cfg.Jobs)
		crew   = newCrew(cfg.Jobs, work, pool)
	)
	g, gctx := errgroup.WithContext(ctx)

	rd := &reader{ctx: gctx, cfg: &cfg, src: src, pool: pool, window: window, cost: cost, work: work, order: order}
	g.Go(rd.run)
	for i := range cfg.Jobs {
		g.Go(func() error {
			busy[i] = newWorker(gctx, &cfg, crew, i+1, start, cost).run()
			return nil
		})
	}
	w := newWriter(&cfg, pool, window, order)
	g.Go(w.run)
	g.Go(w.save)

	err := g.Wait()
	if cause := context.Cause(ctx); cause != nil && (rd.stopped || w.cut) {
		err = join(cause, err)
	}
	w.totals.Wall = time.Since(start)
	w.totals.Busy = busy
	w.totals.At = w.position()
	return w.totals, err
}
