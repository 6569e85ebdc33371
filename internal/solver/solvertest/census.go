package solvertest

import (
	"testing"

	"idabatch/internal/solver"
)

// census checks that what the census says of cases is what a solver finds. That
// it counts right is tested by each puzzle.
func census(t *testing.T, p *solver.Puzzle) {
	if p.Census == nil {
		t.Skip("too many states")
	}
	exact := p.Heuristics[0].Name
	for _, h := range p.Heuristics {
		if h.Exact {
			exact = h.Name
		}
	}
	s := p.New(exact, p.Prunings[0].Name)
	check := func(what, text string, want solver.Depths) {
		t.Helper()
		if _, r := run(s, text, solver.Limits{}); r.Status != solver.Solved || len(r.Moves) < want.Min || len(r.Moves) > want.Max {
			t.Errorf("%s %s: %v, %d moves, want %d to %d", what, text, r.Status, len(r.Moves), want.Min, want.Max)
		}
	}
	known := p.Census.Known
	for depth := range known.Greatest() + 1 {
		for _, tied := range []bool{false, true} {
			want := solver.Depths{Min: depth, Max: depth, Tied: tied}
			n := 0
			for b := range p.Census.Boards(want, true) {
				check("board", string(b), want)
				if n++; n == 20 {
					break
				}
			}
			if cases := known.Cases(want); (n > 0) != (cases > 0) {
				t.Errorf("%+v: %d cases, but %d boards", want, cases, n)
			} else if cases == 0 {
				continue
			}
			for i := uint64(20); i > 0; i-- { // in any order
				text := string(p.Census.Random(nil, seed, i, want))
				check("case", text, want)
				if again := string(p.Census.Random([]byte("x"), seed, i, want)); again != "x"+text {
					t.Errorf("%+v: case %d is not always the same: %s and %s", want, i, again[1:], text)
				}
			}
		}
	}
	want := solver.Depths{Max: known.Greatest()}
	for i := range uint64(20) {
		check("case", string(p.Census.Random(nil, seed, i, want)), want)
	}
	if n := known.Cases(solver.Depths{Min: want.Max + 1, Max: want.Max + 9}); n != 0 {
		t.Errorf("%d cases are deeper than the deepest", n)
	}
}
