package eight

import "idabatch/internal/solver"

func newSolver(heuristic, pruning string) solver.Solver {
	rule := inverse
	if pruning == "none" {
		rule = none
	}
	if heuristic == "exact" {
		return &exact{counts: newWayCounts(rule)}
	}
	return &manhattan{rule: rule, patience: defaultPatience}
}

// defaultPatience is how many expansions of the plain search a solver makes for
// one kind of goal before it builds the table: they take about as long as that.
// So a run never takes more than about twice as long as it had to. The same holds
// for a case, which a limit of time may hang on: it builds a part for so many
// expansions of its own as take as long; or one, which is little.
const (
	defaultPatience = 2e6
	partCost        = 8 << 10
)

// manhattan solves cases by IDA*. It does so by the plain search at first, and
// with tables once that seems to pay. Which of them it is shows in nothing but
// the time.
type manhattan struct {
	rule     *rule
	patience int64

	pos   position
	first int   // the first bound
	own   int64 // expansions of the plain search in this case
	path  path
	plain plain

	// By goal, as views show it:
	spent  [cells]int64 // expansions of the plain search
	tables [cells]*subtrees
}

func (s *manhattan) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	if !s.pos.read(c, r) {
		return
	}
	s.plain.stop = lim.Stop
	s.own = 0
	s.first = s.pos.board.manhattan(s.pos.home)
	solver.Deepen(s, s.first, lim, r)
	s.path.give(r)
}

// Iterate is one iteration. Tables are taken as soon as enough was spent, also
// in the middle of a case.
func (s *manhattan) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	goal := s.pos.home
	if s.tables[goal] == nil && s.spent[goal] >= s.patience {
		s.tables[goal] = sites[kind{goal, s.rule == inverse}].visit(max(1, s.own/partCost), s.plain.stop)
	}
	rises := (bound - s.first) / 2
	if table := s.tables[goal]; table != nil {
		it, end = table.iterate(&s.pos, s.rule, rises, budget, &s.path)
	} else {
		it, end = s.plain.iterate(&s.pos, s.rule, rises, budget, &s.path)
		s.spent[goal] += it.Expanded
		s.own += it.Expanded
	}
	it.Bound = bound
	return it, bound + 2, end
}
