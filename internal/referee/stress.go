package referee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"idabatch/internal/solver"
)

// Config says how to stress a command.
type Config struct {
	Puzzle  *solver.Puzzle
	Accept  Accept
	Command []string // and its arguments

	// The cases are First and those behind it, so many as Cases, in files of
	// PerFile. Case appends case i in plain form. Seed is that of the cases with
	// which a fault is made small.
	Cases, PerFile int64
	First, Seed    uint64
	Case           func(dst []byte, i uint64) []byte

	Jobs        int // files at once
	TimeLimit   time.Duration
	MemoryLimit int64 // bytes; 0: none

	// HaltFirst ends the stress at the first faulty file, of lowest number.
	HaltFirst bool
	// Done, if not nil, is called after each file, by many goroutines at once;
	// Found with the first faulty one, before it is made small.
	Done, Found func(r *Run)
}

// Run is what became of one file.
type Run struct {
	File    int64         `json:"file"`  // from 1
	First   uint64        `json:"first"` // number of its first case
	Cases   int64         `json:"cases"`
	Verdict Verdict       `json:"verdict"`
	Time    time.Duration `json:"time_ns"`
	Memory  int64         `json:"memory_bytes,omitempty"` // 0: not known
	Reason  string        `json:"reason,omitempty"`
}

// Sample is a file and what the command made of it.
type Sample struct {
	Verdict  Verdict
	Reason   string
	Cases    int
	Depth    int // of its deepest case
	Input    []byte
	Output   []byte
	Expected []byte
	Stderr   []byte // its beginning
}

// Outcome is what Stress found.
type Outcome struct {
	Runs []Run // in order of files

	// Fault is the faulty file of lowest number, nil if there is none; Small is
	// the smallest that was found to fail in the same way, maybe the same.
	Fault *Sample
	Small *Sample
	// Tries is how often the command was run for that. Steady tells whether the
	// fault came again when nothing had been changed.
	Tries  int
	Steady bool
}

// Count is how many files have which verdict.
func (o *Outcome) Count() (n [NumVerdicts]int) {
	for i := range o.Runs {
		n[o.Runs[i].Verdict]++
	}
	return n
}

// Times are the median, the lower one of two, and the run that took longest;
// zero if there was none.
func (o *Outcome) Times() (median time.Duration, slowest Run) {
	var all []time.Duration
	for _, r := range o.Runs {
		all = append(all, r.Time)
		if r.Time > slowest.Time {
			slowest = r
		}
	}
	if len(all) > 0 {
		slices.Sort(all)
		median = all[(len(all)-1)/2]
	}
	return median, slowest
}

// Memory is the most that any run took, 0 if it is not known.
func (o *Outcome) Memory() (most int64) {
	for i := range o.Runs {
		most = max(most, o.Runs[i].Memory)
	}
	return most
}

// CasesFile is the name of the input in the reasons.
const CasesFile = "input.txt"

// errHalted is why a run was given up: a file before it is faulty.
var errHalted = errors.New("an earlier file is faulty")

// Stress runs the command on all files, and makes the first fault small. The
// error is that the command cannot be run, or the cause of ctx's end; the outcome
// is then of the files before that.
func Stress(ctx context.Context, cfg Config) (Outcome, error) {
	s := &stress{Config: cfg, lowest: math.MaxInt64, running: map[int64]context.CancelCauseFunc{}}
	err := s.run(ctx)
	slices.SortFunc(s.runs, func(a, b Run) int { return int(a.File - b.File) })
	out := Outcome{Runs: s.runs}
	if s.fault != nil {
		out.Fault = s.sample(s.fault)
		out.Small = out.Fault
		if err == nil {
			if s.Found != nil {
				i := slices.IndexFunc(s.runs, func(r Run) bool { return r.File == s.lowest })
				s.Found(&s.runs[i])
			}
			small := s.shrink(ctx, s.fault)
			out.Small, out.Tries, out.Steady = s.sample(small.best), small.tries, small.steady
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
		}
	}
	return out, err
}

type stress struct {
	Config

	mu      sync.Mutex
	runs    []Run
	fault   *trial // of the faulty file of lowest number
	lowest  int64  // its number
	running map[int64]context.CancelCauseFunc
}

// run runs all files. A faulty one stops those behind it, if that is wanted, and
// not those before it, so what is found does not depend on the jobs.
func (s *stress) run(ctx context.Context) error {
	g, group := errgroup.WithContext(ctx)
	g.SetLimit(s.Jobs)
	files := (s.Cases + s.PerFile - 1) / s.PerFile
	for n := int64(1); n <= files && group.Err() == nil; n++ {
		g.Go(func() error {
			ctx, cancel := context.WithCancelCause(group)
			defer cancel(nil)
			if !s.begin(n, cancel) {
				return nil
			}
			err := s.file(ctx, n)
			if errors.Is(err, errHalted) {
				return nil
			}
			return err
		})
		if s.halted() {
			break
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// begin makes a file one of those that a fault can stop; false: one has.
func (s *stress) begin(n int64, cancel context.CancelCauseFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[n] = cancel
	return !s.HaltFirst || n < s.lowest
}

func (s *stress) halted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.HaltFirst && s.fault != nil
}

// file runs file n.
func (s *stress) file(ctx context.Context, n int64) error {
	r := Run{File: n, First: s.First + uint64((n-1)*s.PerFile)}
	r.Cases = min(s.PerFile, s.Cases-(n-1)*s.PerFile)
	var cases [][]byte
	for i := range uint64(r.Cases) {
		cases = append(cases, s.Case(nil, r.First+i))
	}
	t, err := s.try(ctx, cases)

	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, n)
	if err != nil {
		return err
	}
	r.Verdict, r.Reason, r.Time, r.Memory = t.verdict, t.reason, t.time, t.memory
	if s.HaltFirst && n > s.lowest {
		return errHalted
	}
	s.runs = append(s.runs, r)
	if r.Verdict != Accepted && n < s.lowest {
		s.fault, s.lowest = t, n
		if s.HaltFirst {
			for other, cancel := range s.running {
				if other > n {
					cancel(errHalted)
				}
			}
			s.runs = slices.DeleteFunc(s.runs, func(r Run) bool { return r.File > n })
		}
	}
	if s.Done != nil {
		s.Done(&r)
	}
	return nil
}

// trial is one run of the command, judged.
type trial struct {
	cases   [][]byte // in plain form
	output  []byte
	stderr  []byte
	verdict Verdict
	reason  string
	culprit int // place in cases of the first that has no right answer; -1: none is to be blamed
	time    time.Duration
	memory  int64
}

// outputLimit is far more than any answer takes, and little enough to be kept.
func outputLimit(cases int) int { return 1<<20 + cases<<12 }

// try runs the command on some cases.
func (s *stress) try(ctx context.Context, cases [][]byte) (*trial, error) {
	input := s.input(cases)
	e, err := execute(ctx, s.Command, input, limits{s.TimeLimit, s.MemoryLimit, outputLimit(len(cases))})
	if err != nil {
		return nil, err
	}
	t := &trial{
		cases: cases, output: e.output, stderr: e.stderr,
		verdict: e.exceeded, culprit: -1, time: e.time, memory: e.memory,
	}
	sum, err := Verify(ctx, Verification{
		Puzzle: s.Puzzle, Accept: s.Accept,
		Cases: solver.NewScanner(bytes.NewReader(input)), CasesName: CasesFile,
		Results: solver.NewScanner(bytes.NewReader(e.output)), ResultsName: "the output",
	})
	if sum.First != nil && sum.First.Case > 0 {
		t.culprit = int(sum.First.Case) - 1
	}
	switch t.verdict {
	case TimeLimit:
		t.reason = fmt.Sprintf("stopped after %v", s.TimeLimit)
	case MemoryLimit:
		t.reason = fmt.Sprintf("%s, %s allowed", Size(e.memory), Size(s.MemoryLimit))
	case OutputLimit:
		t.reason = fmt.Sprintf("stopped after %s", Size(int64(outputLimit(len(cases)))))
	case Accepted:
		switch {
		case !e.state.Success():
			t.verdict, t.reason = RuntimeError, e.state.String()
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			t.verdict, t.reason = PresentationError, err.Error()
			return t, nil
		case sum.First != nil:
			t.verdict, t.reason = sum.Verdict, sum.First.String()
			return t, nil
		default:
			return t, nil
		}
	}
	right := len(cases)
	if t.culprit >= 0 {
		right = t.culprit
	}
	t.reason += fmt.Sprintf("; %d of %d answers before that are right", right, len(cases))
	return t, nil
}

// input is a judge's file with these cases.
func (s *stress) input(cases [][]byte) []byte {
	text := s.Puzzle.AppendHeader(nil, int64(len(cases)))
	for _, plain := range cases {
		text = s.Puzzle.AppendCase(text, plain)
	}
	return s.Puzzle.AppendFooter(text)
}

// sample is t to be kept.
func (s *stress) sample(t *trial) *Sample {
	k := &Sample{
		Verdict: t.verdict, Reason: t.reason, Cases: len(t.cases),
		Input: s.input(t.cases), Output: t.output, Stderr: t.stderr,
	}
	k.Expected, k.Depth = s.answers(t.cases)
	return k
}

// answers are the right ones to some cases, and the depth of the deepest.
func (s *stress) answers(cases [][]byte) (text []byte, depth int) {
	var r solver.Result
	right := exact(s.Puzzle)
	for i, plain := range cases {
		c := solver.Case{Index: int64(i) + 1, Source: CasesFile, Text: slices.Clone(plain)}
		right.Solve(&c, solver.Limits{}, &r)
		text = s.Puzzle.AppendResult(text, &c, &r)
		depth = max(depth, len(r.Moves))
	}
	return text, depth
}

// Size is a number of bytes for a message: 512 B, 1.5 MiB.
func Size(n int64) string {
	const units = "KMGTPE"
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	x, i := float64(n)/(1<<10), 0
	for ; x >= 1<<10; i++ {
		x /= 1 << 10
	}
	return fmt.Sprintf("%.4g %ciB", math.Round(x*10)/10, units[i])
}
