package eight

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"idabatch/internal/solver"
)

// slowDistances is the distance of every board from a goal.
func slowDistances(goal slow) map[slow]int {
	distance := map[slow]int{goal: 0}
	for queue := []slow{goal}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		for _, m := range []byte("dlru") {
			next, ok := b.slide(m)
			if _, seen := distance[next]; ok && !seen {
				distance[next] = distance[b] + 1
				queue = append(queue, next)
			}
		}
	}
	return distance
}

// TestWays compares the tables with breadth-first searches from a goal of each
// kind: all distances; and in each view, the way begins with the first letter of
// those that lead to a nearer state, and goes on like the way from there.
func TestWays(t *testing.T) {
	g := theGraph()
	for _, tt := range []struct {
		goal     string
		farthest int
		views    []int
	}{
		{"X12345678", 31, []int{0, 2, 6, 8}}, // corner
		{"1X2345678", 31, []int{1, 3, 5, 7}}, // edge
		{"1234X5678", 30, []int{4}},          // middle
	} {
		goal := slow([]byte(tt.goal))
		distance := slowDistances(goal)
		if len(distance) != states {
			t.Fatalf("%d states reach %s, want %d", len(distance), tt.goal, states)
		}
		if far := slices.Max(slices.Collect(maps.Values(distance))); far != tt.farthest {
			t.Fatalf("the farthest from %s is %d moves away, want %d", tt.goal, far, tt.farthest)
		}
		table := waysTo[uint8(goal.blank())]()
		near := newDistances(uint8(goal.blank()), nil)
		for order, tiles := range g.tiles {
			for blank := range uint8(cells) {
				s := state{uint16(order), blank}
				b := tiles.spread(blank).show()
				if got := int(near[s.index()]); got != distance[b] {
					t.Fatalf("from %s to %s: %d moves, want %d", b, goal, got, distance[b])
				}
				for _, blank := range tt.views {
					v := &views[blank]
					want := atGoal
					for letter, m := range v.moves {
						if next, ok := b.slide(letters[m]); ok && distance[next] < distance[b] {
							i := slices.IndexFunc(edges[s.blank], func(e edge) bool { return e.move == m })
							q := g.around(s).follow(edges[s.blank][i])
							want = table[q.index()][v.nth].after(way(letter))
							break
						}
					}
					if got := table[s.index()][v.nth]; got != want {
						t.Fatalf("from %s to %s, view %d: %#x, want %#x", b, goal, v.nth, got, want)
					}
				}
			}
		}
	}
}

// TestWay checks what TestWays builds on: a way's letters are its moves in their
// order, and ways of a length are in order like their letters.
func TestWay(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	earlier := map[int]way{}
	for range 10000 {
		w, text := atGoal, ""
		for range r.IntN(maxDepth + 1) {
			letter := r.IntN(4)
			w, text = w.after(way(letter)), "dlru"[letter:letter+1]+text
		}
		if got := string(w.appendLetters([]byte("u"))); got != "u"+text || w.len() != len(text) {
			t.Fatalf("%#x has %d moves, %s, want u%s", w, w.len(), got, text)
		}
		n := r.IntN(len(text) + 1)
		if got := string(w.cut(n).appendLetters(nil)); got != text[:n] {
			t.Fatalf("%s cut after %d moves is %s", text, n, got)
		}
		if before, ok := earlier[len(text)]; ok {
			if got, want := cmp.Compare(w, before), cmp.Compare(text, string(before.appendLetters(nil))); got != want {
				t.Fatalf("%s and %s compare as %d, want %d", text, before.appendLetters(nil), got, want)
			}
		}
		earlier[len(text)] = w
	}
}

// TestExactCounts compares exact with a textbook search that knows the distance.
func TestExactCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	goal := slow([]byte("64785X321"))
	distance := slowDistances(goal)
	for _, pruning := range []string{"inverse", "none"} {
		s := newSolver("exact", pruning)
		book := textbook(goal, pruning)
		book.H = func(b slow) int { return distance[b] }
		for i := range 1000 {
			start := walked(r, goal, i)
			if i%10 == 0 {
				start = goal
			}
			for _, max := range []int64{0, int64(i%30 + 1)} {
				want := book.Search(start, max)
				same(t, pruning+" "+start.String(), solve(s, start, goal, solver.Limits{MaxNodes: max}), want)
			}
		}
	}
}
