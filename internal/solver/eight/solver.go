package eight

import "idabatch/internal/solver"

func newSolver(heuristic, pruning string) solver.Solver {
	rule := inverse
	if pruning == "none" {
		rule = none
	}
	if heuristic == "exact" {
		return &exact{rule: rule}
	}
	return &manhattan{rule: rule, patience: defaultPatience}
}

// defaultPatience is how many expansions of the plain search a solver makes for
// one kind of goal before it takes the table: about as many as take as long as
// building it. So it never works more than about twice as long as it had to.
const defaultPatience = 5e6

// manhattan solves cases by IDA*. It does so by the plain search at first, and
// with tables once that seems to pay. Which of them it is shows in nothing but
// the time.
type manhattan struct {
	rule     *rule
	patience int64

	pos   position
	path  path
	plain plain

	// For the goals whose views show the blank in a cell:
	spent  [cells]int64 // by the plain search
	tables [cells]*subtrees
	// The present case as it looks in its view.
	view *view
	seen state
}

func (s *manhattan) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	if !s.pos.read(c, r) {
		return
	}
	s.view = nil
	s.plain.stop = lim.Stop
	solver.Deepen(s, s.pos.board.manhattan(s.pos.goalBlank), lim, r)
	s.path.give(r)
}

// Iterate is one iteration. When enough work was spent on cases of this kind,
// it is the table's, also in the middle of a case.
func (s *manhattan) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	goal := views[s.pos.goalBlank].goal
	if s.tables[goal] == nil && s.spent[goal] >= s.patience {
		s.tables[goal] = allSubtrees[kind{goal, s.rule == inverse}]()
	}
	if t := s.tables[goal]; t != nil {
		if s.view == nil {
			s.view = &views[s.pos.goalBlank]
			_, s.seen, _ = s.pos.pair.from(&s.view.cells)
		}
		it, end = t.iterate(s.seen, s.view, bound, budget, &s.path)
	} else {
		it, end = s.plain.iterate(&s.pos, s.rule, bound, budget, &s.path)
		s.spent[goal] += it.Expanded
	}
	return it, bound + 2, end
}
