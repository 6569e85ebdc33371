package eight

import "idabatch/internal/solver"

// away[g][t][c] is the number of steps from cell c to the place of tile t in the
// goal that has its blank in cell g. There are none for the blank, tile 0.
var away = func() (away [cells][cells][cells]uint8) {
	apart := func(a, b uint8) uint8 { return max(a, b) - min(a, b) }
	for g := range uint8(cells) {
		goal := inOrder.spread(g)
		for c := range uint8(cells) {
			if t := goal.tile(c); t != 0 {
				for d := range uint8(cells) {
					away[g][t][d] = apart(c/3, d/3) + apart(c%3, d%3)
				}
			}
		}
	}
	return away
}()

// manhattan is the heuristic value of b for the goal with its blank in cell g.
func (b board) manhattan(g uint8) (h int) {
	for c := range uint8(cells) {
		h += int(away[g][b.tile(c)][c])
	}
	return h
}

// rises is the set of tiles t, as bits, for which a move between two cells
// raises the heuristic value for the goal with its blank in cell g. For all
// others it lowers it: every move changes it by one.
func rises(g, from, to uint8) (tiles uint16) {
	for t := range away[g] {
		if away[g][t][to] > away[g][t][from] {
			tiles |= 1 << t
		}
	}
	return tiles
}

// maxDepth is the largest distance there is (TestWays).
const maxDepth = 31

// A path is the letters of the moves from a start.
type path struct {
	n       int
	letters [maxDepth]byte
}

func (p *path) add(letter byte) {
	p.letters[p.n] = letter
	p.n++
}

// give makes p the moves of r, if it is solved.
func (p *path) give(r *solver.Result) {
	if r.Status == solver.Solved {
		r.Moves = append(r.Moves, p.letters[:p.n]...)
	}
}

// plain is the depth-first search itself, state by state.
type plain struct {
	goal board
	stop func() bool
	path *path

	left      int64 // expansions until budget and stop are looked at
	budget    int64 // and how many are left after those
	generated int64
	end       solver.End
}

// stopEvery is the number of expansions after which stop is asked.
const stopEvery = 4096

// iterate is one iteration from p, in which so many rises are allowed.
func (s *plain) iterate(p *position, r *rule, rises int, budget int64, way *path) (it solver.Iteration, end solver.End) {
	s.goal = inOrder.spread(p.home)
	s.path = way
	s.left = min(budget, stopEvery)
	s.budget = budget - s.left
	s.generated = 0
	s.end = solver.Exhausted
	s.visit(p.board, r.start(p), rises, 0)
	return solver.Iteration{Expanded: budget - s.budget - s.left, Generated: s.generated}, s.end
}

// visit searches below b, to which depth moves led; n is what the rule knows of
// them, and so many rises are left. It tells whether the search is over.
func (s *plain) visit(b board, n *node, rises, depth int) bool {
	if b == s.goal {
		s.path.n = depth
		s.end = solver.Found
		return true
	}
	if s.left == 0 && !s.more() {
		return true
	}
	s.left--
	s.generated += int64(len(n.steps))
	for i := range n.steps {
		step := &n.steps[i]
		tile := b >> (step.from & 63) & tileMask
		left := rises - int(step.rises>>tile&1)
		if left < 0 {
			continue
		}
		if s.visit(b^tile<<(step.from&63)^tile<<(step.into&63), step.next, left, depth+1) {
			s.path.letters[depth] = step.letter
			s.generated -= int64(len(n.steps) - i - 1) // were not made any more
			return true
		}
	}
	return false
}

// more allows some expansions more, if the budget does and nobody says stop.
func (s *plain) more() bool {
	switch {
	case s.budget == 0:
		s.end = solver.OverBudget
		return false
	case s.stop != nil && s.stop():
		s.end = solver.Stopped
		return false
	}
	s.left = min(s.budget, stopEvery)
	s.budget -= s.left
	return true
}
