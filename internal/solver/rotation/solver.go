package rotation

import (
	"golang.org/x/sys/cpu"

	"idabatch/internal/solver"
)

// newSolver makes a solver of the named heuristic and pruning rule.
func newSolver(heuristic, pruning string) solver.Solver {
	rule, bulk := ruleOf(pruning)
	if heuristic == "exact" {
		return &exactSolver{rule: rule, table: ways()}
	}
	return &centerSolver{search{rule: rule, bulk: bulk, overlap: overlap{rule: rule}}}
}

// The tables of the rules, for all solvers.
var (
	inverseCounts   = &plainBulk{inverse: true}
	noneCounts      = &plainBulk{}
	canonicalCounts = new(canonicalBulk)
)

func ruleOf(pruning string) (*rule, bulk) {
	switch pruning {
	case "inverse":
		return inverse, inverseCounts
	case "none":
		return none, noneCounts
	}
	return canonical, canonicalCounts
}

// centerSolver searches with the heuristic center.
type centerSolver struct{ search }

func (s *centerSolver) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	r.Reset()
	if !check(c, r) {
		return
	}
	s.start = newBoard(pack(c.Text))
	s.stop = lim.Stop
	s.before = s.steps
	solver.Deepen(&s.search, s.start.h(), lim, r)
	if r.Status != solver.Solved {
		return
	}
	b := s.start
	for left := r.Iterations[len(r.Iterations)-1].Bound; left > 0; left-- {
		m := s.path[left]
		r.Moves = append(r.Moves, letters[m])
		b = b.turn(m)
	}
	r.Symbol = b.symbol()
}

// symbol is the one that fills the center of b, a goal.
func (b board) symbol() byte {
	switch blocks {
	case b.one().inCenter():
		return '1'
	case b.two().inCenter():
		return '2'
	}
	return '3'
}

// exactSolver looks the solution up, and counts what a search with the true
// distance as its heuristic would do. That search goes straight to the goal: its
// first bound is the depth, and of the successors before the right one none is
// within it.
type exactSolver struct {
	rule  *rule
	table *wayTable
	way   way // the solution
	_     cpu.CacheLinePad
}

func (s *exactSolver) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	r.Reset()
	if !check(c, r) {
		return
	}
	one, two := pack(c.Text)
	w1, w2, w3 := s.table.way(one), s.table.way(two), s.table.way(allCells&^(one|two))
	s.way = min(w1, w2, w3)
	solver.Deepen(s, s.way.len(), lim, r)
	if r.Status != solver.Solved {
		return
	}
	r.Moves = s.way.appendLetters(r.Moves)
	switch s.way {
	case w1:
		r.Symbol = '1'
	case w2:
		r.Symbol = '2'
	default:
		r.Symbol = '3'
	}
}

// Iterate implements solver.Search.
func (s *exactSolver) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	it.Bound = bound
	st := ruleState(0)
	for w := s.way; it.Expanded < int64(bound); w <<= moveBits {
		if it.Expanded == budget {
			return it, bound, solver.OverBudget
		}
		m := w.first()
		allowed := s.rule.allowed[st]
		it.Expanded++
		it.Generated += int64((allowed &^ allowed.after(m)).len())
		st = s.rule.next[st][m]
	}
	return it, bound, solver.Found
}
