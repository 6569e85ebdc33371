// Package solvertest holds what the tests of all puzzles share: a textbook IDA*
// that is written for reading, and the suite every registered puzzle must pass.
package solvertest

import "idabatch/internal/solver"

// Domain is a puzzle in its plainest form. Nothing in it is shared with the
// solver under test.
type Domain[S any] struct {
	Letters string                              // the moves, in dictionary order
	H       func(s S) int                       // admissible; 0 exactly at a goal
	Move    func(s S, m byte) (next S, ok bool) // ok: m is possible in s
	Allowed func(path []byte, m byte) bool      // the pruning rule: may m follow path?
}

// Count is what a textbook search finds out about one case.
type Count struct {
	Status     solver.Status // Solved or Limit
	Moves      string
	Iterations []solver.Iteration
	Expanded   int64
	Generated  int64
}

// Search is IDA* as a textbook has it. It makes at most maxNodes expansions; 0
// is any number.
func (d Domain[S]) Search(start S, maxNodes int64) Count {
	var (
		c     Count
		it    *solver.Iteration
		path  []byte
		next  int
		visit func(s S, g int) bool // true: the search is over
	)
	visit = func(s S, g int) bool {
		if d.H(s) == 0 {
			c.Status, c.Moves = solver.Solved, string(path)
			return true
		}
		if maxNodes > 0 && c.Expanded == maxNodes {
			c.Status = solver.Limit
			return true
		}
		c.Expanded++
		it.Expanded++
		for _, m := range []byte(d.Letters) {
			if !d.Allowed(path, m) {
				continue
			}
			succ, ok := d.Move(s, m)
			if !ok {
				continue
			}
			c.Generated++
			it.Generated++
			if f := g + 1 + d.H(succ); f > it.Bound {
				next = min(next, f)
				continue
			}
			path = append(path, m)
			if visit(succ, g+1) {
				return true
			}
			path = path[:len(path)-1]
		}
		return false
	}
	for bound := d.H(start); ; bound = next {
		next = 1 << 30
		c.Iterations = append(c.Iterations, solver.Iteration{Bound: bound})
		it = &c.Iterations[len(c.Iterations)-1]
		path = path[:0]
		if visit(start, 0) {
			return c
		}
	}
}
