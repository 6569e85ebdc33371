package eight

import (
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

// TestDistances compares the tables with breadth-first searches from a goal of
// each kind: all distances, and all moves that lead towards the goal.
func TestDistances(t *testing.T) {
	g := theGraph()
	for _, tt := range []struct {
		goal     string
		farthest int
	}{
		{"X12345678", 31}, // corner
		{"1X2345678", 31}, // edge
		{"1234X5678", 30}, // middle
	} {
		goal := slow([]byte(tt.goal))
		distance := slowDistances(goal)
		if len(distance) != states {
			t.Fatalf("%d states reach %s, want %d", len(distance), tt.goal, states)
		}
		if far := slices.Max(slices.Collect(maps.Values(distance))); far != tt.farthest {
			t.Fatalf("the farthest from %s is %d moves away, want %d", tt.goal, far, tt.farthest)
		}
		table := exactTo[uint8(goal.blank())]()
		for order, tiles := range g.tiles {
			for blank := range uint8(cells) {
				b := tiles.spread(blank).show()
				s := state{uint16(order), blank}
				if got := table.distance(s, uint8(goal.blank())); got != distance[b] {
					t.Fatalf("from %s to %s: %d moves, want %d", b, goal, got, distance[b])
				}
				want := uint8(0)
				for m := range moves {
					if next, ok := b.slide(letters[m]); ok && distance[next] < distance[b] {
						want |= 1 << m
					}
				}
				if got := table[s.index()] % 16; got != want {
					t.Fatalf("from %s to %s: moves %04b lead towards it, want %04b", b, goal, got, want)
				}
			}
		}
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
