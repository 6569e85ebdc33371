//go:build unix

package pipeline_test

import (
	"context"
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"idabatch/internal/pipeline"
	"idabatch/internal/solver"
)

// spin returns a cost of about d that keeps a core busy.
func spin(d time.Duration) func(*solver.Case, solver.Limits) {
	return func(*solver.Case, solver.Limits) {
		for start := time.Now(); time.Since(start) < d; {
		}
	}
}

// BenchmarkRun measures what the pipeline costs over a plain loop that frames,
// solves, replays and encodes the same cases.
func BenchmarkRun(b *testing.B) {
	input := corpus(1 << 16)
	for _, cost := range []time.Duration{0, 10 * time.Microsecond, 100 * time.Microsecond} {
		work := func() *echoSolver {
			if cost == 0 {
				return &echoSolver{}
			}
			return &echoSolver{cost: spin(cost)}
		}
		b.Run(fmt.Sprintf("cost=%v/loop", cost), func(b *testing.B) {
			defer cpu(b)()
			loop(b, endless(input), b.N, work())
		})
		for _, jobs := range []int{1, 2} {
			for _, streams := range []int{1, 4} {
				b.Run(fmt.Sprintf("cost=%v/jobs=%d/streams=%d", cost, jobs, streams), func(b *testing.B) {
					var out []pipeline.Stream
					for range streams {
						out = append(out, pipeline.Stream{W: io.Discard, Append: facts})
					}
					src := pipeline.Files([]pipeline.Input{{Name: "in", Open: func() (io.ReadCloser, error) {
						return io.NopCloser(io.LimitReader(endless(input), int64(b.N)*25)), nil
					}}}, detectEcho)
					b.ReportAllocs()
					defer cpu(b)()
					total, err := pipeline.Run(context.Background(), src, pipeline.Config{
						Jobs: jobs, Streams: out,
						NewSolver: func(*solver.Puzzle) solver.Solver { return work() },
					})
					if err != nil || total.Cases != int64(b.N) {
						b.Fatal(total, err)
					}
				})
			}
		}
	}
}

func loop(b *testing.B, r io.Reader, n int, s solver.Solver) {
	var (
		f   = echo.Frame(solver.NewScanner(r))
		c   = solver.Case{Source: "in"}
		res solver.Result
		out []byte
	)
	for i := range n {
		var err error
		var at solver.Span
		c.Text, at, err = f.Next(c.Text[:0])
		if err != nil {
			b.Fatal(err)
		}
		c.Index, c.First = int64(i+1), at.First
		s.Solve(&c, solver.Limits{}, &res)
		if _, err := echo.Replay(c.Text, res.Moves); err != nil {
			b.Fatal(err)
		}
		out = facts(out, echo, &c, &res, pipeline.Timing{})
		if len(out) > 1<<16 {
			io.Discard.Write(out)
			out = out[:0]
		}
	}
}

// cpu reports the processor time of a benchmark, of all threads.
func cpu(b *testing.B) func() {
	used := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	start := used()
	return func() { b.ReportMetric(float64(used()-start)/float64(b.N), "cpu-ns/op") }
}
