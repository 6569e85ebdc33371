package eight

import (
	"slices"
	"sync"
	"sync/atomic"

	"idabatch/internal/solver"
)

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

// subtrees tells how much work the plain search has at each state and below it,
// as long as it does not come to the goal. The package comment says how, and
// why; TestSubtrees computes every tally anew.
type subtrees struct {
	graph   *graph
	inverse bool
	heads   [states]head
	tallies []tally
}

// A head is what is known of a state: its heuristic value in the low five bits,
// its distance in the next five, and then the place of its first tally. There
// is one for each number of rises, from 0, with which the goal is not reached:
// N of the package comment for the pruning rule none, S for inverse.
type head uint32

const (
	valueBits = 5
	placeBits = 2 * valueBits
)

func newHead(value, distance, place int) head {
	return head(value | distance<<valueBits | place<<placeBits)
}

func (h head) value() int    { return int(h % (1 << valueBits)) }
func (h head) distance() int { return int(h >> valueBits % (1 << valueBits)) }
func (h head) place() int    { return int(h >> placeBits) }
func (h head) tallies() int  { return (h.distance() - h.value()) / 2 }

// rises is 1 if a move from h to next raises the heuristic value, else 0.
func (h head) rises(next head) int { return (next.value() - h.value() + 1) / 2 }

// A site is where a table is built. A solver that needs it builds a part; others
// do without meanwhile.
type site struct {
	kind
	table atomic.Pointer[subtrees] // nil: not finished

	// What there is of the table so far: the tallies of fewer rises, and of the states
	// in the list before next.
	mu    sync.Mutex
	graph *graph
	near  *distances
	t     *subtrees
	list  []state // that have more than rises tallies
	rises int
	next  int
}

// sites has each of them.
var sites = func() map[kind]*site {
	all := make(map[kind]*site)
	for _, v := range views {
		for _, inverse := range []bool{false, true} {
			k := kind{v.home, inverse}
			all[k] = &site{kind: k}
		}
	}
	return all
}()

// visit builds parts, as many as are paid for, until stop. It returns the table, or
// nil if that is not finished.
func (s *site) visit(parts int64, stop func() bool) *subtrees {
	for ; parts > 0 && s.table.Load() == nil; parts-- {
		if stop != nil && stop() || !s.mu.TryLock() {
			break
		}
		s.build()
		s.mu.Unlock()
	}
	return s.table.Load()
}

// build is one part: at most some milliseconds, most often a fraction of one.
func (s *site) build() {
	switch {
	case s.graph == nil:
		s.graph = theGraph()
	case s.near == nil:
		s.near = newDistances(s.goal, nil)
	case s.t == nil:
		s.begin()
	default:
		for range partStates {
			if s.next == len(s.list) && !s.more() {
				s.table.Store(s.t)
				return
			}
			state := s.list[s.next]
			h := s.t.heads[state.index()]
			s.t.tallies[h.place()+s.rises] = s.t.tally(state, h, s.rises)
			s.next++
		}
	}
}

// partStates is how many tallies are a part.
const partStates = 2048

// begin makes the heads, and the list.
func (s *site) begin() {
	t := &subtrees{graph: s.graph, inverse: s.inverse}
	place := 0
	var byValue [1 << valueBits][]state
	for i, distance := range s.near {
		state := stateOf(i)
		value := s.graph.tiles[state.order].spread(state.blank).manhattan(s.goal)
		h := newHead(value, int(distance), place)
		t.heads[i] = h
		place += h.tallies()
		byValue[value] = append(byValue[value], state)
	}
	t.tallies = make([]tally, place)
	// A move that raises the value leaves one rise less, and one that lowers it
	// leads to a state that stands before in the list.
	s.list = slices.Concat(byValue[:]...)
	s.rises = -1
	s.next = len(s.list)
	s.t = t
}

// more goes on with one rise more. It tells whether there are tallies for that.
func (s *site) more() bool {
	s.rises++
	s.next = 0
	s.list = slices.DeleteFunc(s.list, func(state state) bool { return s.t.heads[state.index()].tallies() <= s.rises })
	return len(s.list) > 0
}

// tally computes a tally from those of other states and of fewer rises.
func (t *subtrees) tally(s state, h head, rises int) tally {
	back := t.back(h, rises)
	around := t.graph.around(s)
	sum := oneExpanded
	for _, e := range edges[s.blank] {
		sum += oneGenerated
		next := t.heads[around.follow(e).index()]
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

// iterate is one iteration from p, in which so many rises are allowed. It goes
// down only on the way to the goal, or to the state at which the budget is
// spent; what is expanded elsewhere is counted subtree by subtree.
func (t *subtrees) iterate(p *position, r *rule, rises int, budget int64, way *path) (it solver.Iteration, end solver.End) {
	s, n := p.state, r.start(p)
	h := t.heads[s.index()]
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
	for way.n = 0; h.distance() > 0; {
		if it.Expanded == budget {
			return it, solver.OverBudget
		}
		it.Expanded++
		back := t.back(h, rises)
		around := t.graph.around(s)
		for i := range n.steps {
			step := &n.steps[i]
			it.Generated++
			succ := around.follow(step.edge)
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
			way.add(step.letter)
			s, n, h, rises = succ, step.next, next, left
			break
		}
	}
	return it, solver.Found
}
