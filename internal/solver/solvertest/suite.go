package solvertest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"idabatch/internal/solver"
)

// Suite is what every puzzle must do, whatever it is. What is particular to one
// is tested in its own package, against the naive search.
func Suite(t *testing.T, p *solver.Puzzle) {
	t.Run("descriptor", func(t *testing.T) { descriptor(t, p) })
	t.Run("random", func(t *testing.T) { randomCases(t, p) })
	t.Run("corpus", func(t *testing.T) { corpus(t, p) })
	t.Run("solve", func(t *testing.T) { solveAll(t, p) })
	t.Run("limits", func(t *testing.T) { limits(t, p) })
	t.Run("memory", func(t *testing.T) { memory(t, p) })
	t.Run("invalid", func(t *testing.T) { invalid(t, p) })
	t.Run("drawing", func(t *testing.T) { drawing(t, p) })
	t.Run("census", func(t *testing.T) { census(t, p) })
}

// seed is that of the suite's cases.
const seed = 2026

// eachCase calls do with cases that are easy enough for every solver: uniform
// ones, and ones near a goal.
func eachCase(p *solver.Puzzle, n int, do func(i uint64, text string)) {
	for i := range uint64(n) {
		do(i, string(p.Random(nil, seed, i+1, -1)))
		do(i, string(p.Random(nil, seed, i+1, int(i%8))))
	}
}

// eachSolver calls do with a new solver of every heuristic and pruning.
func eachSolver(p *solver.Puzzle, do func(h, prune solver.Choice, s solver.Solver)) {
	for _, h := range p.Heuristics {
		for _, prune := range p.Prunings {
			do(h, prune, p.New(h.Name, prune.Name))
		}
	}
}

func run(s solver.Solver, text string, lim solver.Limits) (*solver.Case, *solver.Result) {
	c := &solver.Case{Index: 1, Source: "suite", First: 1, Last: 1, Text: []byte(text)}
	r := new(solver.Result)
	s.Solve(c, lim, r)
	return c, r
}

func descriptor(t *testing.T, p *solver.Puzzle) {
	if !slices.IsSorted([]byte(p.Letters)) {
		t.Errorf("letters %q are not in dictionary order", p.Letters)
	}
	for _, choices := range [][]solver.Choice{p.Heuristics, p.Prunings} {
		names := map[string]bool{}
		for _, c := range choices {
			if c.Name == "" || c.Doc == "" || names[c.Name] {
				t.Errorf("choice %+v: no name, no doc, or twice", c)
			}
			names[c.Name] = true
		}
		if len(choices) == 0 || choices[0].Exact {
			t.Errorf("%+v: no default, or it is exact", choices)
		}
	}
	for i, line := range strings.Split(p.Notation, "\n") {
		if len(line) > 80 {
			t.Errorf("line %d of the notation has %d columns", i+1, len(line))
		}
	}
}

func randomCases(t *testing.T, p *solver.Puzzle) {
	seen := map[string]bool{}
	for i := uint64(100); i > 0; i-- { // in any order
		text := string(p.Random(nil, seed, i, -1))
		if seen[text] {
			t.Errorf("case %d is another one again", i)
		}
		seen[text] = true
		for _, again := range [][]byte{p.Random([]byte("x"), seed, i, -1), append([]byte("x"), text...)} {
			if string(again) != "x"+text {
				t.Errorf("case %d is not always the same: %s and %s", i, again[1:], text)
			}
		}
	}
	s := p.New(p.Heuristics[0].Name, p.Prunings[0].Name)
	for scramble := range 6 {
		_, r := run(s, string(p.Random(nil, seed, 1, scramble)), solver.Limits{})
		if r.Status != solver.Solved || len(r.Moves) > scramble {
			t.Errorf("after %d random moves: %v, %d moves", scramble, r.Status, len(r.Moves))
		}
	}
}

// corpus writes cases as gen does and reads them back.
func corpus(t *testing.T, p *solver.Puzzle) {
	var want []string
	text := p.AppendHeader(nil, 40)
	eachCase(p, 20, func(_ uint64, c string) {
		want = append(want, c)
		text = p.AppendCase(text, []byte(c))
	})
	text = p.AppendFooter(text)
	s := solver.NewScanner(bytes.NewReader(text))
	if p.Recognize != nil && !p.Recognize(s.PeekLine) {
		t.Fatalf("does not recognize its own corpus")
	}
	f := p.Frame(s)
	for i, c := range want {
		got, at, err := f.Next(nil)
		if err != nil || string(got) != c || at.First > at.Last || at.First < 1 {
			t.Fatalf("case %d: %q on lines %v, %v, want %q", i+1, got, at, err, c)
		}
	}
	if got, _, err := f.Next(nil); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last case: %q, %v", got, err)
	}
	if more, err := s.Rest(); more || err != nil || f.Close(more) != "" {
		t.Errorf("something is left, or there is a warning")
	}
}

// solveAll solves the same cases in every way.
func solveAll(t *testing.T, p *solver.Puzzle) {
	type answer struct {
		moves  string
		symbol byte
	}
	answers := map[string]answer{}
	eachSolver(p, func(h, prune solver.Choice, s solver.Solver) {
		eachCase(p, 4, func(_ uint64, text string) {
			what := fmt.Sprintf("%s, %s, %s", text, h.Name, prune.Name)
			c, r := run(s, text, solver.Limits{})
			if r.Status != solver.Solved || !r.Searched || r.Detail != "" || string(c.Text) != text {
				t.Fatalf("%s: %v %q, text now %s", what, r.Status, r.Detail, c.Text)
			}
			symbol, err := p.Replay(c.Text, r.Moves)
			if err != nil || symbol != r.Symbol {
				t.Errorf("%s: replay of %s: symbol %q, want %q, %v", what, r.Moves, symbol, r.Symbol, err)
			}
			if n := len(r.Moves); n > 0 {
				if _, err := p.Replay(c.Text, r.Moves[:n-1]); err == nil {
					t.Errorf("%s: solved before the last move of %s", what, r.Moves)
				}
			}
			if _, err := p.Replay(c.Text, append(slices.Clone(r.Moves), '?')); err == nil {
				t.Errorf("%s: replays the move '?'", what)
			}
			got := answer{string(r.Moves), r.Symbol}
			if want, ok := answers[text]; ok && got != want {
				t.Errorf("%s: %v, another solver has %v", what, got, want)
			}
			answers[text] = got
			checkCounts(t, what, h, r)
			out := p.AppendResult([]byte("x"), c, r)
			if out[0] != 'x' || bytes.Count(out, []byte("\n")) != 2 || out[len(out)-1] != '\n' {
				t.Errorf("%s: result is not two lines: %q", what, out)
			}
			readBack(t, p, c, r)
		})
	})
}

// readBack checks that a result as it is printed can be read, and that one that
// has lost its second line is told by the first of the next.
func readBack(t *testing.T, p *solver.Puzzle, c *solver.Case, r *solver.Result) {
	lines := bytes.Split(p.AppendResult(nil, c, r), []byte("\n"))
	var got solver.Result
	n, err := p.ReadResult(&got, c, lines[0], lines[1])
	if n != 2 || err != nil || (got.Status == solver.Solved) != (r.Status == solver.Solved) || !bytes.Equal(got.Moves, r.Moves) {
		t.Errorf("%q is read as %d lines, %v %q, %v", lines, n, got.Status, got.Moves, err)
	}
	if n, err := p.ReadResult(&got, c, lines[0], lines[0]); n != 1 || err == nil {
		t.Errorf("%q twice is read as %d lines, %v", lines[0], n, err)
	}
}

func checkCounts(t *testing.T, what string, h solver.Choice, r *solver.Result) {
	var expanded, generated int64
	bound := -1
	for _, it := range r.Iterations {
		if it.Bound <= bound {
			t.Errorf("%s: bounds do not rise: %v", what, r.Iterations)
		}
		bound = it.Bound
		expanded += it.Expanded
		generated += it.Generated
	}
	depth := len(r.Moves)
	switch {
	case expanded != r.Expanded || generated != r.Generated:
		t.Errorf("%s: iterations %v do not sum up to %d, %d", what, r.Iterations, r.Expanded, r.Generated)
	case r.Iterations[0].Bound != r.InitialBound || bound != depth:
		t.Errorf("%s: bounds from %d to %d, want from %d to the depth %d", what, r.Iterations[0].Bound, bound, r.InitialBound, depth)
	case h.Exact && (len(r.Iterations) != 1 || expanded != int64(depth)):
		t.Errorf("%s: exact, but %d iterations, %d expansions for %d moves", what, len(r.Iterations), expanded, depth)
	case depth == 0 && expanded != 0 || expanded < int64(depth) || generated < int64(depth):
		t.Errorf("%s: %d expanded, %d generated for %d moves", what, expanded, generated, depth)
	}
}

func limits(t *testing.T, p *solver.Puzzle) {
	eachSolver(p, func(h, prune solver.Choice, s solver.Solver) {
		eachCase(p, 2, func(_ uint64, text string) {
			_, full := run(s, text, solver.Limits{})
			for limit := full.Expanded; limit > 0; limit /= 3 {
				what := fmt.Sprintf("%s, %s, %s, %d nodes", text, h.Name, prune.Name, limit)
				if _, r := run(s, text, solver.Limits{MaxNodes: limit}); limit == full.Expanded {
					if r.Status != solver.Solved || r.Generated != full.Generated {
						t.Errorf("%s: %v, %d generated, want what it is without a limit", what, r.Status, r.Generated)
					}
				} else if r.Status != solver.Limit || r.Expanded != limit || len(r.Moves) > 0 || !r.Searched || r.Detail == "" {
					t.Errorf("%s: %v, %d expanded, moves %q, detail %q", what, r.Status, r.Expanded, r.Moves, r.Detail)
				}
			}
		})
	})
	// A search need not ask whether to stop before it has done some work.
	asked := false
	stop := solver.Limits{Stop: func() bool { asked = true; return true }}
	eachCase(p, 2, func(_ uint64, text string) {
		asked = false
		s := p.New(p.Heuristics[0].Name, p.Prunings[0].Name)
		if _, r := run(s, text, stop); asked != (r.Status == solver.Timeout) {
			t.Errorf("%s: %v, told to stop: %v", text, r.Status, asked)
		}
	})
}

// memory solves cases in two orders with one solver and its one result.
func memory(t *testing.T, p *solver.Puzzle) {
	eachSolver(p, func(h, prune solver.Choice, s solver.Solver) {
		var texts []string
		eachCase(p, 3, func(_ uint64, text string) { texts = append(texts, text) })
		var r solver.Result
		rows := map[string]string{}
		for range 2 {
			for _, text := range texts {
				c := &solver.Case{Text: []byte(text)}
				s.Solve(c, solver.Limits{}, &r)
				row := fmt.Sprintf("%v", r)
				if before, ok := rows[text]; ok && before != row {
					t.Errorf("%s, %s, %s: %s, before %s", text, h.Name, prune.Name, row, before)
				}
				rows[text] = row
			}
			slices.Reverse(texts)
		}
	})
}

func invalid(t *testing.T, p *solver.Puzzle) {
	good := string(p.Random(nil, seed, 1, -1))
	texts := []string{"", "?", good[1:], good + "1", strings.Replace(good, "1", "\x00", 1), strings.Repeat("1", len(good))}
	eachSolver(p, func(h, prune solver.Choice, s solver.Solver) {
		for _, text := range texts {
			c, r := run(s, text, solver.Limits{})
			if r.Status != solver.Invalid || r.Searched || len(r.Moves) > 0 || !strings.HasPrefix(r.Detail, "suite:1: ") {
				t.Errorf("%q, %s, %s: %v %q", text, h.Name, prune.Name, r.Status, r.Detail)
			}
			if out := p.AppendResult(nil, c, r); bytes.Count(out, []byte("\n")) != 2 || !strings.Contains(string(out), "invalid: suite:1: ") {
				t.Errorf("%q: result is not two lines: %q", text, out)
			}
			readBack(t, p, c, r)
			// A solver is none the worse for a bad case.
			if _, r := run(s, good, solver.Limits{}); r.Status != solver.Solved {
				t.Errorf("%s after %q: %v", good, text, r.Status)
			}
		}
	})
}

// drawing makes the moves of solutions one by one: the rest of a solution must
// always be one of the case that is drawn.
func drawing(t *testing.T, p *solver.Puzzle) {
	places := map[[2]int]bool{}
	take := func(row, col int) {
		if row < 0 || col < 0 || places[[2]int{row, col}] {
			t.Errorf("row %d, column %d: outside, or taken already", row, col)
		}
		places[[2]int{row, col}] = true
	}
	for _, c := range p.Drawing.Cells {
		if c.Row != -1 {
			take(c.Row, c.Col)
		}
	}
	for _, m := range p.Drawing.Marks {
		take(m.Row, m.Col)
	}
	s := p.New(p.Heuristics[0].Name, p.Prunings[0].Name)
	eachCase(p, 20, func(_ uint64, text string) {
		c, r := run(s, text, solver.Limits{})
		if len(c.Text) != len(p.Drawing.Cells) {
			t.Fatalf("%s has %d symbols, the drawing %d", c.Text, len(c.Text), len(p.Drawing.Cells))
		}
		for i, m := range r.Moves {
			before := string(c.Text)
			p.Drawing.Move(c.Text, m)
			symbol, err := p.Replay(c.Text, r.Moves[i+1:])
			if err != nil || symbol != r.Symbol || string(c.Text) == before {
				t.Fatalf("%s, %c of %s: %s is not on the way: %v", before, m, r.Moves, c.Text, err)
			}
		}
	})
}
