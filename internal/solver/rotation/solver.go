package rotation

import "idabatch/internal/solver"

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
	way   []byte // the solution, as letters
	other []byte // scratch memory
}

func (s *exactSolver) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	r.Reset()
	if !check(c, r) {
		return
	}
	one, two := pack(c.Text)
	places := [...]placement{one, two, allCells &^ (one | two)}
	var distance [len(places)]int
	for i, p := range places {
		distance[i] = s.table.distance(p)
	}
	depth := min(distance[0], distance[1], distance[2])
	symbol := byte(0)
	for i, p := range places {
		if distance[i] != depth {
			continue
		}
		s.other = s.table.appendWay(s.other[:0], p)
		if symbol == 0 || string(s.other) < string(s.way) {
			s.way, s.other = s.other, s.way
			symbol = '1' + byte(i)
		}
	}
	solver.Deepen(s, depth, lim, r)
	if r.Status == solver.Solved {
		r.Moves = append(r.Moves, s.way...)
		r.Symbol = symbol
	}
}

// Iterate implements solver.Search.
func (s *exactSolver) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	it.Bound = bound
	st := ruleState(0)
	for _, letter := range s.way {
		if it.Expanded == budget {
			return it, bound, solver.OverBudget
		}
		m := move(letter - letters[0])
		allowed := s.rule.allowed[st]
		it.Expanded++
		it.Generated += int64((allowed &^ allowed.after(m)).len())
		st = s.rule.next[st][m]
	}
	return it, bound, solver.Found
}
