package eight

import (
	"sync"

	"idabatch/internal/solver"
)

// distances holds for each state, by index, its distance from the goal, in the
// high six bits, and the first move of its dictionary-first shortest solution,
// in the low two.
type distances [states]uint8

const moveBits = 2

// exactTo[g] is for the goal with its blank in cell g. Each is built on first
// need, in some 6 ms, by a breadth-first search from the goal.
var exactTo = func() (tables [cells]func() *distances) {
	for g := range tables {
		tables[g] = sync.OnceValue(func() *distances { return newDistances(uint8(g)) })
	}
	return tables
}()

func newDistances(goal uint8) *distances {
	const unseen = 0xFF
	d := new(distances)
	for i := range d {
		d[i] = unseen
	}
	g := theGraph()
	queue := make([]state, 1, states)
	queue[0] = state{blank: goal} // order 0 is inOrder
	d[queue[0].index()] = 0
	for head := 0; head < len(queue); head++ {
		s := queue[head]
		next := d[s.index()]>>moveBits + 1
		for _, e := range edges[s.blank] {
			q := g.follow(s, e)
			old := &d[q.index()]
			if *old == unseen {
				queue = append(queue, q)
			}
			// The move back leads from q towards the goal if q is one farther
			// than s; the least of these moves is the one to make.
			*old = min(*old, next<<moveBits|uint8(e.move.undo()))
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
	tables [cells]*distances // those that were needed so far
}

func (e *exact) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	if !e.pos.read(c, r) {
		return
	}
	table := e.tables[e.pos.goalBlank]
	if table == nil {
		table = exactTo[e.pos.goalBlank]()
		e.graph, e.tables[e.pos.goalBlank] = theGraph(), table
	}
	solver.Deepen(e, int(table[e.pos.index()]>>moveBits), lim, r)
	e.path.give(r)
}

func (e *exact) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	it.Bound = bound
	table := e.tables[e.pos.goalBlank]
	s := e.pos.state
	n := &e.rule[0][noMove][s.blank] // its goal plays no part here
	for e.path.n = 0; ; {
		d := table[s.index()]
		if d>>moveBits == 0 {
			return it, bound, solver.Found
		}
		if it.Expanded == budget {
			return it, bound, solver.OverBudget
		}
		m := move(d) % moves
		it.Expanded++
		it.Generated += int64(n.nth[m])
		e.path.add(m)
		n = n.steps[n.nth[m]-1].next
		s = e.graph.move(s, m)
	}
}
