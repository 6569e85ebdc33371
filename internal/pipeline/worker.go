package pipeline

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sys/cpu"

	"idabatch/internal/solver"
)

// worker is the second stage. It owns its solver and its scratch memory. What it
// writes for each case lies on no cache line with what another worker does, or
// they would wait for one another: bench/README.md says how long.
type worker struct {
	ctx     context.Context
	cfg     *Config
	crew    *crew
	id      int
	epoch   time.Time     // the run's start
	earlier time.Duration // from Config.Epoch to that
	cost    *atomic.Int64
	timed   bool // some stream is
	clock   bool // read it after each case
	crowded bool // there are more workers than processors

	solvers map[*solver.Puzzle]solver.Solver
	puzzle  *solver.Puzzle // of the solver in use
	solver  solver.Solver

	c        solver.Case
	r        solver.Result
	text     []byte        // of the case: the solver may change it, and the run's is still needed
	limits   solver.Limits // Stop is stop
	deadline time.Duration // of the case, since epoch; 0: none
	outputs  []output      // of the run, for each stream
	_        cpu.CacheLinePad
}

// output is the rows of a run for a stream.
type output struct {
	rows  []byte
	whole int // of rows, what belongs to finished cases
	_     cpu.CacheLinePad
}

// scratch is the least capacity of scratch memory, in elements: it fills cache
// lines of its own, and does not grow soon.
const scratch = 128

func newWorker(ctx context.Context, cfg *Config, crew *crew, id int, epoch time.Time, cost *atomic.Int64) *worker {
	w := &worker{
		ctx: ctx, cfg: cfg, crew: crew, id: id, epoch: epoch, cost: cost,
		solvers: map[*solver.Puzzle]solver.Solver{},
		text:    make([]byte, 0, scratch),
		outputs: make([]output, len(cfg.Streams)),
	}
	w.r.Moves = make([]byte, 0, scratch)
	w.r.Iterations = make([]solver.Iteration, 0, scratch)
	for _, s := range cfg.Streams {
		w.timed = w.timed || s.Timed
	}
	if !cfg.Epoch.IsZero() {
		w.earlier = max(0, epoch.Sub(cfg.Epoch))
	}
	w.crowded = cfg.Jobs > runtime.GOMAXPROCS(0)
	w.clock = w.timed || cfg.Timeout > 0 || cfg.Checkpoint != nil
	w.limits = solver.Limits{MaxNodes: cfg.MaxNodes, Stop: w.stop}
	return w
}

// run solves runs until there are no more. It returns the time it was busy.
func (w *worker) run() (busy time.Duration) {
	for r := w.crew.next(); r != nil; {
		start := time.Since(w.epoch)
		var rest *run
		rest, r.err = w.solve(r, start)
		if len(r.outcomes) < r.n {
			if t := r.to(len(r.outcomes)); t != nil {
				r.sum = t.sum()
			}
		}
		w.layOut(r)
		elapsed := time.Since(w.epoch) - start
		busy += elapsed
		w.cfg.Progress.Busy.Add(int64(elapsed))
		if n := len(r.outcomes); n > 0 {
			w.learn(elapsed / time.Duration(n))
			w.cfg.Progress.Cases.Add(int64(n))
		}
		r.done <- struct{}{}
		if r = rest; r == nil {
			r = w.crew.next()
		}
	}
	return busy
}

// learn moves the estimate of a case's cost towards a measured one. Workers may
// overwrite one another's: it is an estimate.
func (w *worker) learn(cost time.Duration) {
	old := w.cost.Load()
	if old == 0 {
		old = int64(cost)
	}
	w.cost.Store(max(1, old+(int64(cost)-old)/4))
}

// layOut puts the rows where the texts were.
func (w *worker) layOut(r *run) {
	r.buf = r.buf[:0]
	for k := range w.outputs {
		out := &w.outputs[k]
		r.buf = append(r.buf, out.rows[:out.whole]...)
		r.ends = append(r.ends, len(r.buf))
		out.rows, out.whole = out.rows[:0], 0
	}
}

// runMost is the longest that a run may take, but for its last case. What is
// finished by then is not to wait for the rest.
const runMost = 100 * runCost

// solve solves the cases of r, up to the first error or the end of the context.
// If that takes too long, it leaves the rest as a run of its own.
func (w *worker) solve(r *run, start time.Duration) (rest *run, err error) {
	defer func() {
		if v := recover(); v != nil {
			where := fmt.Sprintf("case %d (%s, %q)", w.c.Index, w.c.AppendSource(nil), w.c.Text)
			rest, err = nil, &PanicError{where, v, debug.Stack()}
			w.puzzle = nil // who knows what state its solver is in
			delete(w.solvers, r.puzzle)
		}
	}()
	now := start // when the case at hand was taken up, or before, if nobody asks
	for i := 0; i < r.n; i++ {
		if w.ctx.Err() != nil {
			return nil, nil
		}
		if i > 0 && w.clock && now-start > runMost {
			return r.split(i, w.crew.pool), nil
		}
		if i > 0 && w.crew.idle.Load() > 0 && time.Since(w.epoch)-start > 2*runCost {
			w.crew.share(r, i)
		}
		w.take(r, i)
		if w.puzzle != r.puzzle {
			w.use(r.puzzle)
			now = time.Since(w.epoch) // making a solver is no case's time
		}
		if w.cfg.Timeout > 0 {
			w.deadline = now + w.cfg.Timeout
		}
		w.solver.Solve(&w.c, w.limits, &w.r)
		switch w.r.Status {
		case solver.Solved:
			if err := w.replay(); err != nil {
				return nil, err
			}
		case solver.Invalid:
			r.notices = append(r.notices, Notice{w.c.Index, w.r.Detail})
		case solver.Timeout:
			if w.ctx.Err() != nil {
				return nil, nil // that is why, and no result
			}
		}
		now = w.encode(now)
		r.outcomes = append(r.outcomes, outcome(&w.r))
	}
	return nil, nil
}

// take makes the i-th case of r the one at hand.
func (w *worker) take(r *run, i int) {
	w.c.Index = r.first + int64(i)
	w.c.Source = r.source
	if s := r.random; s != nil {
		number := r.number + uint64(i)
		w.c.First, w.c.Last = int64(number), int64(number)
		w.c.Text = nil
		w.text = s.puzzle.Random(w.text[:0], s.seed, number, s.scramble)
	} else {
		at := r.texts[i].at
		w.c.First, w.c.Last = at.First, at.Last
		w.text = append(w.text[:0], r.text(i)...)
	}
	w.c.Text = w.text
}

// use takes the solver of another puzzle.
func (w *worker) use(p *solver.Puzzle) {
	s, ok := w.solvers[p]
	if !ok {
		s = w.cfg.NewSolver(p)
		w.solvers[p] = s
	}
	w.puzzle, w.solver = p, s
}

// stop is Limits.Stop. With more workers than processors it lets others have
// theirs sooner than the runtime would: who waits for a signal is one of them.
func (w *worker) stop() bool {
	if w.crowded {
		runtime.Gosched()
	}
	return w.ctx.Err() != nil || w.deadline > 0 && time.Since(w.epoch) >= w.deadline
}

// replay checks the solution of the case at hand.
func (w *worker) replay() error {
	symbol, err := w.puzzle.Replay(w.c.Text, w.r.Moves)
	if err == nil && symbol != w.r.Symbol {
		err = fmt.Errorf("it ends with symbol %q, the solver says %q", symbol, w.r.Symbol)
	}
	if err == nil {
		return nil
	}
	return &ReplayError{w.c.Index, string(w.c.AppendSource(nil)), string(w.c.Text), string(w.r.Moves), err}
}

// encode makes the rows of the case at hand, which was taken up at start. It
// returns when the next one is.
func (w *worker) encode(start time.Duration) (now time.Duration) {
	w.append(false, Timing{})
	now = start
	if w.clock {
		now = time.Since(w.epoch)
	}
	if w.timed {
		w.append(true, Timing{w.id, w.earlier + start, now - start})
	}
	for k := range w.outputs {
		w.outputs[k].whole = len(w.outputs[k].rows)
	}
	return now
}

// append appends the rows for the streams that are timed, or for those that are not.
func (w *worker) append(timed bool, t Timing) {
	for k := range w.cfg.Streams {
		if s := &w.cfg.Streams[k]; s.Timed == timed {
			out := &w.outputs[k]
			out.rows = s.Append(out.rows, w.puzzle, &w.c, &w.r, t)
		}
	}
}

func outcome(r *solver.Result) Outcome {
	o := Outcome{Status: r.Status, Expanded: r.Expanded, Generated: r.Generated}
	if r.Status == solver.Solved {
		o.Depth = int32(len(r.Moves))
	}
	return o
}
