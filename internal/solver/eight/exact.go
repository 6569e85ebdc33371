package eight

import (
	"sync"

	"idabatch/internal/solver"
)

// distances holds for each state, by index, the moves that lead towards the goal,
// a set in the low four bits, and above them half the distance, rounded down.
// Whether that is odd is told by the cells of the blanks: every move goes from an
// even cell to an odd one or back.
type distances [states]uint8

// distance is that from s to the goal with its blank in the given cell.
func (d *distances) distance(s state, goal uint8) int {
	return int(d[s.index()]>>moves<<1 | (s.blank^goal)&1)
}

// exactTo has the table for each goal that views show. They are built on first
// need, in some 6 ms each.
var exactTo = func() map[uint8]func() *distances {
	all := make(map[uint8]func() *distances)
	for _, v := range views {
		all[v.home] = sync.OnceValue(func() *distances { return newDistances(v.home) })
	}
	return all
}()

// newDistances searches breadth-first from a goal.
func newDistances(goal uint8) *distances {
	d := new(distances)
	g := theGraph()
	queue := make([]state, 1, states)
	queue[0] = state{blank: goal} // order 0 is inOrder
	for head := 0; head < len(queue); head++ {
		s := queue[head]
		half := uint8(d.distance(s, goal)+1) / 2 << moves
		around := g.around(s)
		for _, e := range edges[s.blank] {
			q := around.follow(e)
			old := &d[q.index()]
			if *old == 0 && q != queue[0] { // new
				queue = append(queue, q)
				*old = half
			}
			if *old>>moves == half>>moves { // farther than s
				*old |= 1 << e.move.undo()
			}
		}
	}
	return d
}

// exact solves cases by a walk along a table. It counts what IDA* counts with
// the distance as its heuristic: there is one iteration, and it expands the
// states of the solution.
type exact struct {
	rule *rule
	pos  position
	path path

	graph  *graph
	tables [cells]*distances // by goal, those that were needed so far
}

func (e *exact) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	if !e.pos.read(c, r) {
		return
	}
	goal := e.pos.home
	if e.tables[goal] == nil {
		e.graph, e.tables[goal] = theGraph(), exactTo[goal]()
	}
	solver.Deepen(e, e.tables[goal].distance(e.pos.state, goal), lim, r)
	e.path.give(r)
}

func (e *exact) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	it.Bound = bound
	table := e.tables[e.pos.home]
	s, n := e.pos.state, e.rule.start(&e.pos)
	for {
		around := e.graph.around(s)
		towards := table[s.index()] % (1 << moves)
		if towards == 0 {
			e.path.n = int(it.Expanded)
			return it, bound, solver.Found
		}
		if it.Expanded == budget {
			return it, bound, solver.OverBudget
		}
		c := &n.choice[towards]
		e.path.letters[it.Expanded] = c.letter
		it.Expanded++
		it.Generated += int64(c.made)
		n = c.next
		s = around.follow(c.edge)
	}
}
