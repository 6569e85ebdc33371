package eight

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"idabatch/internal/solver"
)

// slowGoal is the goal with its tiles in order and the blank in a cell.
func slowGoal(blank int) slow {
	return slow([]byte("12345678"[:blank] + "X" + "12345678"[blank:]))
}

// slowTables are the distances of all boards from each of these.
var slowTables = sync.OnceValue(func() (tables [9]map[slow]int) {
	for blank := range tables {
		tables[blank] = slowDistances(slowGoal(blank))
	}
	return tables
})

// kinds are the blanks of the goals whose states are counted: in a corner, on an edge
// and in the middle.
var kinds = []int{0, 1, 4}

// all is a choice of all depths.
var all = solver.Depths{Max: 31}

func TestCensus(t *testing.T) {
	got := census.Known.Empty()
	for shard := range census.Shards {
		got.Add(census.Count(shard))
	}
	for kind, blank := range kinds {
		farthest := []int{31, 31, 30}[kind]
		want := make([]solver.Count, farthest+1)
		for _, d := range slowTables()[blank] {
			want[d][0]++
		}
		for _, tally := range []solver.Tally{got, census.Known} {
			if !slices.Equal(tally[kind].Depths, want) {
				t.Errorf("%s: %v, want %v", tally[kind].Name, tally[kind].Depths, want)
			}
		}
	}
	if g := got.Greatest(); g != 31 {
		t.Errorf("greatest depth %d, want 31", g)
	}
	// Each of 9! goals can be reached from half of all boards.
	if n := got.Cases(all); n != 362880*181440 {
		t.Errorf("%d cases, want 9! x 9!/2", n)
	}
}

// A case is the text of two boards, with a blank between them.
func split(text []byte) (start, goal slow) { return slow(text[:9]), slow(text[10:]) }

// slowRename gives the tiles of both boards the names with which the goal shows
// them in order.
func slowRename(start, goal slow) (slow, slow) {
	names := []string{"X", "X"}
	next := '1'
	for _, c := range goal {
		if c != 'X' {
			names = append(names, string(c), string(next))
			next++
		}
	}
	r := strings.NewReplacer(names...)
	return slow([]byte(r.Replace(start.String()))), slow([]byte(r.Replace(goal.String())))
}

// slowImages are the cases that turning, mirroring and renaming makes of one, as
// far as the goal's blank stays where it is.
func slowImages(start, goal slow) map[slow]bool {
	images := map[slow]bool{}
	rows := func(b slow) slow { return slow{b[6], b[7], b[8], b[3], b[4], b[5], b[0], b[1], b[2]} }
	diagonal := func(b slow) slow { return slow{b[0], b[3], b[6], b[1], b[4], b[7], b[2], b[5], b[8]} }
	s, g := start, goal
	for i := range 8 {
		if g.blank() == goal.blank() {
			image, _ := slowRename(s, g)
			images[image] = true
		}
		if i%2 == 0 {
			s, g = rows(s), rows(g)
		} else {
			s, g = diagonal(s), diagonal(g)
		}
	}
	return images
}

func TestBoards(t *testing.T) {
	seen := map[string]bool{}
	depth := 0
	for b := range boards(all, false) {
		start, goal := split(b)
		d, ok := slowTables()[goal.blank()][start]
		if !ok || !slices.Contains(kinds, goal.blank()) || goal != slowGoal(goal.blank()) || d < depth || seen[string(b)] {
			t.Fatalf("%s: distance %d after %d, seen: %v", b, d, depth, seen[string(b)])
		}
		seen[string(b)] = true
		depth = d
	}
	if len(seen) != 3*181440 {
		t.Errorf("%d boards, want three times 181,440", len(seen))
	}

}

func TestReducedBoards(t *testing.T) {
	for _, want := range []solver.Depths{{Max: 10}, {Min: 29, Max: 31}} {
		all := map[string]bool{}
		for b := range boards(want, false) {
			all[string(b)] = true
		}
		covered := map[string]bool{}
		for b := range boards(want, true) {
			start, goal := split(b)
			for image := range slowImages(start, goal) {
				text := image.String() + " " + goal.String()
				if text < string(b) || covered[text] {
					t.Fatalf("%s is an image of %s, which should be the first and only one", text, b)
				}
				covered[text] = true
			}
		}
		if !maps.Equal(covered, all) {
			t.Errorf("%+v: the images of the reduced list are %d boards, want %d", want, len(covered), len(all))
		}
	}
}

func TestBoardsOfADepth(t *testing.T) {
	for depth := range 33 {
		n := 0
		for range boards(solver.Depths{Min: depth, Max: depth}, false) {
			n++
		}
		want := 0
		for _, blank := range kinds {
			for _, d := range slowTables()[blank] {
				if d == depth {
					want++
				}
			}
		}
		if n != want {
			t.Errorf("depth %d: %d boards, want %d", depth, n, want)
		}
	}
	for b := range boards(solver.Depths{Max: 31, Tied: true}, false) {
		t.Fatalf("%s has more than one goal", b)
	}
}

// TestRandomAtGolden pins the generator of cases of a depth.
func TestRandomAtGolden(t *testing.T) {
	const name = "../../../testdata/eight/random-depth.golden"
	var got []byte
	got = fmt.Appendf(got, "generator version %d: seed, case, least and greatest depth, start, goal\n", solver.GeneratorVersion)
	for _, seed := range []uint64{0, 1, 1<<64 - 1} {
		for _, i := range []uint64{1, 2, 1000000, 1 << 63} {
			for _, want := range []solver.Depths{{}, {Min: 1, Max: 1}, {Min: 20, Max: 20}, {Min: 31, Max: 31}, {Min: 0, Max: 31}, {Min: 29, Max: 30}} {
				got = fmt.Appendf(got, "%d %d %d %d ", seed, i, want.Min, want.Max)
				got = append(randomAt(got, seed, i, want), '\n')
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

// TestRandomAtIsUniform draws cases of depths of which all are known, but for the
// names of the tiles.
func TestRandomAtIsUniform(t *testing.T) {
	for _, want := range []solver.Depths{{}, {Min: 1, Max: 2}, {Min: 30, Max: 31}} {
		// The cases with the goal's tiles in order, by the goal's blank.
		list := map[[2]slow]int{}
		for blank, distance := range slowTables() {
			for start, d := range distance {
				if d >= want.Min && d <= want.Max {
					list[[2]slow{start, slowGoal(blank)}] = 0
				}
			}
		}
		n := 20 * len(list)
		var first [9]int // the goal's first tile, or second if that is the blank
		var pairs [10][10]int
		for i := range n {
			start, goal := split(randomAt(nil, 9, uint64(i+1), want))
			tiles := strings.Replace(goal.String(), "X", "", 1)
			first[tiles[0]-'0']++
			pairs[tiles[3]-'0'][tiles[7]-'0']++
			s, g := slowRename(start, goal)
			if _, ok := list[[2]slow{s, g}]; !ok {
				t.Fatalf("%+v: %s %s is no such case", want, start, goal)
			}
			list[[2]slow{s, g}]++
		}
		checkEqual(t, fmt.Sprintf("%+v", want), slices.Collect(maps.Values(list)))
		checkEqual(t, "first tiles of the goal", first[1:])
		if want.Max == 31 {
			var counts []int
			for a := 1; a <= 8; a++ {
				for b := 1; b <= 8; b++ {
					if a != b {
						counts = append(counts, pairs[a][b])
					}
				}
			}
			checkEqual(t, "pairs of tiles in the goal", counts)
		}
	}
}

// checkEqual is a chi-squared test for equal frequencies. It fails by chance once
// in 10,000 times.
func checkEqual(t *testing.T, what string, counts []int) {
	t.Helper()
	total := 0
	for _, n := range counts {
		total += n
	}
	mean := float64(total) / float64(len(counts))
	sum := 0.0
	for _, n := range counts {
		sum += (float64(n) - mean) * (float64(n) - mean) / mean
	}
	// Wilson and Hilferty, 1931.
	free := float64(len(counts) - 1)
	if z := (math.Cbrt(sum/free) - (1 - 2/(9*free))) / math.Sqrt(2/(9*free)); math.Abs(z) > 3.9 {
		t.Errorf("%s: chi squared %.1f of %d counts, %.1f standard deviations off", what, sum, len(counts), z)
	}
}

func TestRandomAtMakesNoGarbage(t *testing.T) {
	dst := make([]byte, 0, 19)
	for depth := range 32 {
		want := solver.Depths{Min: depth, Max: depth}
		if n := testing.AllocsPerRun(20, func() { dst = randomAt(dst[:0], 1, 2, want) }); n != 0 {
			t.Errorf("depth %d: %v allocations a case", depth, n)
		}
	}
}
