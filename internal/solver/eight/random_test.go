package eight

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"idabatch/internal/solver"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestRandomGolden pins the generator: a change of any case needs a new
// solver.GeneratorVersion.
func TestRandomGolden(t *testing.T) {
	const name = "../../../testdata/eight/random.golden"
	var got []byte
	got = fmt.Appendf(got, "generator version %d: seed, case, scramble (-1: uniform), start, goal\n", solver.GeneratorVersion)
	for _, seed := range []uint64{0, 1, 2, 1<<64 - 1} {
		for _, i := range []uint64{1, 2, 3, 4, 5, 1000000, 1 << 63} {
			for _, scramble := range []int{-1, 0, 1, 2, 30} {
				got = fmt.Appendf(got, "%d %d %d ", seed, i, scramble)
				got = append(Puzzle.Random(got, seed, i, scramble), '\n')
			}
		}
	}
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the cases are not those of %s", name)
	}
}

// TestRandomUniform counts what uniform cases show in each place.
func TestRandomUniform(t *testing.T) {
	const n = 40000
	var (
		symbols [19][128]int // place and symbol
		blanks  [9][9]int    // places of both
		begin   [128][128]int
		tiles   [128][128]int // first of start and goal
		parity  [2]int
	)
	for i := range n {
		text := string(random(nil, 7, uint64(i+1), -1))
		start, goal := slow([]byte(text[:9])), slow([]byte(text[10:]))
		if start.inversions()%2 != goal.inversions()%2 {
			t.Fatalf("case %d, %s, has no solution", i, text)
		}
		for place := range text {
			symbols[place][text[place]]++
		}
		blanks[start.blank()][goal.blank()]++
		begin[start[0]][start[1]]++
		tiles[start[0]][goal[0]]++
		parity[start.inversions()%2]++
	}
	// Within six standard deviations.
	check := func(got int, share float64, what ...any) {
		if d := float64(got) - n/share; d*d > 36*n/share {
			t.Errorf("%v: %d times, want about %.0f", what, got, n/share)
		}
	}
	const all = "12345678X"
	for _, a := range all {
		for place := range symbols {
			if place != 9 {
				check(symbols[place][a], 9, string(a), "in place", place)
			}
		}
		for _, b := range all {
			if a != b {
				check(begin[a][b], 72, "start with", string(a), string(b))
			}
			check(tiles[a][b], 81, "start and goal with", string(a), string(b))
			check(blanks[strings.IndexRune(all, a)][strings.IndexRune(all, b)], 81, "places of the blanks", string(a), string(b))
		}
	}
	check(parity[0], 2, "even")
	check(parity[1], 2, "odd")
}

// TestRandomScramble checks that a start is as many moves away as it should be.
func TestRandomScramble(t *testing.T) {
	s := newSolver("exact", "inverse")
	first := make(map[string]int)
	for i := range uint64(5000) {
		for _, m := range []int{0, 1, 2, 9, 40} {
			text := random(nil, 3, i+1, m)
			var r solver.Result
			s.Solve(&solver.Case{Text: text}, solver.Limits{}, &r)
			if d := len(r.Moves); r.Status != solver.Solved || d > m || d%2 != m%2 {
				t.Fatalf("%s, %d moves from its goal: %v, %d moves", text, m, r.Status, d)
			}
			if m == 1 {
				first[string(r.Moves)]++
			}
		}
	}
	for m, n := range first {
		if n < 1100 || n > 1400 {
			t.Errorf("of 5000 single moves %d are undone by %s", n, m)
		}
	}
}
