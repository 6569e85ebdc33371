package eight

import (
	"slices"
	"sync"

	"idabatch/internal/solver"
)

// A view is a way to look at the board: turned or mirrored, so that a goal with
// its blank in any corner looks like one with its blank in cell 0, and any edge
// like cell 1.
type view struct {
	goal  uint8        // where a blank in the cell that the view is for is seen
	cells [cells]uint8 // the cell that is seen in each place
	moves [moves]move  // how d, l, r and u look
}

// views[g] is for a blank in cell g.
var views = [cells]view{
	0: {0, [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, [moves]move{down, left, right, up}},
	1: {1, [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, [moves]move{down, left, right, up}},
	2: {0, [cells]uint8{2, 1, 0, 5, 4, 3, 8, 7, 6}, [moves]move{down, right, left, up}},
	3: {1, [cells]uint8{0, 3, 6, 1, 4, 7, 2, 5, 8}, [moves]move{right, up, down, left}},
	4: {4, [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, [moves]move{down, left, right, up}},
	5: {1, [cells]uint8{2, 5, 8, 1, 4, 7, 0, 3, 6}, [moves]move{right, down, up, left}},
	6: {0, [cells]uint8{6, 7, 8, 3, 4, 5, 0, 1, 2}, [moves]move{up, left, right, down}},
	7: {1, [cells]uint8{6, 7, 8, 3, 4, 5, 0, 1, 2}, [moves]move{up, left, right, down}},
	8: {0, [cells]uint8{8, 7, 6, 5, 4, 3, 2, 1, 0}, [moves]move{up, right, left, down}},
}

// A tally is a number of expanded states, in the low half, and of generated
// ones. Tallies are added and subtracted as they are: no half ever gets
// negative or overflows.
type tally uint64

const (
	oneExpanded  tally = 1
	oneGenerated tally = 1 << 32
)

func (t tally) expanded() int64  { return int64(t % oneGenerated) }
func (t tally) generated() int64 { return int64(t / oneGenerated) }

// A kind is what a table is for: a goal with its blank in cell 0, 1 or 4, and
// a pruning rule.
type kind struct {
	goal    uint8
	inverse bool
}

// subtrees tells how much work the plain search has below each state, as long
// as it does not come to the goal. The package comment says how, and why.
type subtrees struct {
	graph   *graph
	inverse bool
	heads   [states]head
	tallies []tally
}

// A head is what is known of a state: its heuristic value in the low five bits,
// its distance in the next five, and then the place of its first tally. There
// is one for each number of rises, from 0, with which no goal can be reached:
// with the pruning rule none, what is at the state and below it; with inverse,
// the sum of this for as many rises and for all smaller numbers, if every move
// is allowed at the state itself, but one less than these counts as generated.
type head uint32

const (
	valueBits = 5
	placeBits = 2 * valueBits
)

func newHead(value, distance uint8, place int) head {
	return head(value) | head(distance)<<valueBits | head(place)<<placeBits
}

func (h head) value() int    { return int(h % (1 << valueBits)) }
func (h head) distance() int { return int(h >> valueBits % (1 << valueBits)) }
func (h head) place() int    { return int(h >> placeBits) }
func (h head) tallies() int  { return (h.distance() - h.value()) / 2 }

// rises is 1 if a move from h to next raises the heuristic value, else 0.
func (h head) rises(next head) int { return (next.value() - h.value() + 1) / 2 }

// allSubtrees has each table. They are built on first need.
var allSubtrees = func() map[kind]func() *subtrees {
	all := make(map[kind]func() *subtrees)
	for _, v := range views {
		for _, inverse := range []bool{false, true} {
			k := kind{v.goal, inverse}
			all[k] = sync.OnceValue(func() *subtrees { return newSubtrees(k) })
		}
	}
	return all
}()

func newSubtrees(k kind) *subtrees {
	t := &subtrees{graph: theGraph(), inverse: k.inverse}
	exact := exactTo[k.goal]()
	var (
		byValue    [1 << valueBits][]state
		place      int
		maxTallies int
	)
	for order, tiles := range t.graph.tiles {
		for blank := range uint8(cells) {
			s := state{uint16(order), blank}
			value := tiles.spread(blank).manhattan(k.goal)
			h := newHead(uint8(value), exact[s.index()]>>moveBits, place)
			t.heads[s.index()] = h
			place += h.tallies()
			maxTallies = max(maxTallies, h.tallies())
			byValue[value] = append(byValue[value], s)
		}
	}
	t.tallies = make([]tally, place)
	// A move that raises the value leaves one rise less, and one that lowers it
	// leads to a state that stands before in the list.
	list := slices.Concat(byValue[:]...)
	for rises := range maxTallies {
		list = slices.DeleteFunc(list, func(s state) bool { return t.heads[s.index()].tallies() <= rises })
		for _, s := range list {
			h := t.heads[s.index()]
			t.tallies[h.place()+rises] = t.tally(s, h, rises)
		}
	}
	return t
}

// tally computes a tally from those of other states and of fewer rises.
func (t *subtrees) tally(s state, h head, rises int) tally {
	back := t.back(h, rises)
	sum := oneExpanded
	for _, e := range edges[s.blank] {
		sum += oneGenerated
		next := t.heads[t.graph.follow(s, e).index()]
		if left := rises - h.rises(next); left >= 0 {
			sum += t.tallies[next.place()+left] - back
		}
	}
	if t.inverse {
		sum += back - oneGenerated
	}
	return sum
}

// back is what has to be taken from the tally of each successor of a state to
// exclude the move back to it.
func (t *subtrees) back(h head, rises int) tally {
	if t.inverse && rises > 0 {
		return t.tallies[h.place()+rises-1]
	}
	return 0
}

// iterate is one iteration from s, a state as v shows it. What it expands is
// counted subtree by subtree. It goes down only on the way to the goal, or to
// the state at which the budget is spent.
func (t *subtrees) iterate(s state, v *view, bound int, budget int64, p *path) (it solver.Iteration, end solver.End) {
	it.Bound = bound
	h := t.heads[s.index()]
	rises := (bound - h.value()) / 2
	if rises < h.tallies() {
		all := t.tallies[h.place()+rises] - t.back(h, rises)
		if t.inverse {
			all += oneGenerated // the start excludes no move
		}
		if all.expanded() <= budget {
			it.Expanded, it.Generated = all.expanded(), all.generated()
			return it, solver.Exhausted
		}
	}
	last := noMove
	for p.n = 0; h.distance() > 0; {
		if it.Expanded == budget {
			return it, solver.OverBudget
		}
		it.Expanded++
		back := t.back(h, rises)
		for m, seen := range v.moves {
			if to[s.blank][seen] == off || t.inverse && seen == last.undo() {
				continue
			}
			it.Generated++
			succ := t.graph.move(s, seen)
			next := t.heads[succ.index()]
			left := rises - h.rises(next)
			if left < 0 {
				continue
			}
			if left < next.tallies() {
				all := t.tallies[next.place()+left] - back
				if all.expanded() <= budget-it.Expanded {
					it.Expanded += all.expanded()
					it.Generated += all.generated()
					continue
				}
			}
			p.add(move(m))
			s, h, rises, last = succ, next, left, seen
			break
		}
	}
	return it, solver.Found
}
