package eight

import (
	"bytes"
	"io"
	"math"
	"testing"

	"idabatch/internal/solver"
)

// corpus is uniform cases in plain form, and together as a text.
func corpus(n int) (cases [][]byte, text []byte) {
	for i := range n {
		c := random(nil, 1, uint64(i+1), -1)
		cases = append(cases, c)
		text = appendCase(text, c)
	}
	return cases, text
}

// BenchmarkSolve solves one case an op.
func BenchmarkSolve(b *testing.B) {
	cases, _ := corpus(2000)
	for _, bench := range []struct {
		name, heuristic, pruning string
		patience                 int64
	}{
		{"manhattan/inverse/plain", "manhattan", "inverse", math.MaxInt64},
		{"manhattan/inverse/tables", "manhattan", "inverse", 0},
		{"manhattan/none/plain", "manhattan", "none", math.MaxInt64},
		{"manhattan/none/tables", "manhattan", "none", 0},
		{"exact/inverse", "exact", "inverse", 0},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := newSolver(bench.heuristic, bench.pruning)
			if m, ok := s.(*manhattan); ok {
				m.patience = bench.patience
			}
			var (
				r        solver.Result
				c        solver.Case
				expanded int64
			)
			one := func(i int) {
				c.Text = append(c.Text[:0], cases[i%len(cases)]...)
				s.Solve(&c, solver.Limits{}, &r)
				expanded += r.Expanded
			}
			if bench.patience == 0 {
				for i := range 100 { // builds what is built on first need
					one(i)
				}
				expanded = 0
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				one(i)
				i++
			}
			b.ReportMetric(float64(expanded)/float64(b.N), "expanded/op")
		})
	}
}

// BenchmarkFrame frames one case an op.
func BenchmarkFrame(b *testing.B) {
	cases, text := corpus(10000)
	b.SetBytes(int64(len(text) / len(cases)))
	var f solver.Framer
	var dst []byte
	for b.Loop() {
		for {
			if f == nil {
				f = newFramer(solver.NewScanner(bytes.NewReader(text)))
			}
			var err error
			if dst, _, err = f.Next(dst[:0]); err != io.EOF {
				break
			}
			f = nil
		}
	}
}

// BenchmarkBuild builds one table an op.
func BenchmarkBuild(b *testing.B) {
	theGraph() // the others need it
	for _, bench := range []struct {
		name  string
		build func()
	}{
		{"graph", func() { newGraph() }},
		{"ways", func() { newWays(0) }},
		{"subtrees/inverse", func() { built(kind{0, true}) }},
		{"subtrees/none", func() { built(kind{0, false}) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				bench.build()
			}
		})
	}
}
