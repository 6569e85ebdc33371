package rotation

import "idabatch/internal/solver"

// A board is the placements of '1' (low half) and '2' (high half) side by side;
// '3' is on the other cells.
type board uint64

func newBoard(one, two placement) board { return board(one) | board(two)<<32 }

func (b board) one() placement   { return placement(uint32(b)) }
func (b board) two() placement   { return placement(b >> 32) }
func (b board) three() placement { return allCells &^ (b.one() | b.two()) }

func (b board) turn(m move) board { return newBoard(b.one().turn(m), b.two().turn(m)) }

// h is the heuristic center: eight less the largest number of equal symbols in
// the center.
func (b board) h() int {
	one, two := b.one().inCenter(), b.two().inCenter()
	return blocks - max(one, two, blocks-one-two)
}

// gains tells which moves gain a block of '1' (low half) and '2' (high half) for
// the center, and which lose one; gains3 the same for '3'.
func (b board) gains() (gain, lose uint64) {
	const both = firsts | firsts<<32
	coming := uint64(b)>>5&both | uint64(b)&(both<<1)
	going := uint64(b)>>2&both | uint64(b)>>3&(both<<1)
	return coming &^ going, going &^ coming
}

func (b board) gains3() (gain, lose spread) {
	coming, going := b.three().coming(), b.three().going()
	return coming &^ going, going &^ coming
}

// changes tells which moves lower h and which raise it. A move takes one block
// out of the center and one in, so the largest number rises if a symbol that
// has it gains; and it falls unless one of those keeps its blocks or one that
// has one less gains.
func (b board) changes() (better, worse moveSet) {
	one, two := b.one().inCenter(), b.two().inCenter()
	three := blocks - one - two
	most := max(one, two, three)
	gain, lose := b.gains()
	gain3, lose3 := b.gains3()
	up1, kept1 := maximum(one-most, spread(gain), spread(lose))
	up2, kept2 := maximum(two-most, spread(gain>>32), spread(lose>>32))
	up3, kept3 := maximum(three-most, gain3, lose3)
	return (up1 | up2 | up3).set(), (allSpread &^ (kept1 | kept2 | kept3)).set()
}

// maximum tells for which moves a symbol raises the largest number and for which
// it keeps it, when it has lead blocks more than that, at most 0.
func maximum(lead int, gain, lose spread) (up, kept spread) {
	// All ones below 0 and -1: branches would be mispredicted.
	behind, farBehind := spread(lead>>63), spread((lead+1)>>63)
	return gain &^ behind, gain&^farBehind | ^(lose | behind)
}

// search is the depth-first half of IDA* with the heuristic center.
//
// A node is visited with the moves left below it, left = bound - g, at least h.
// What it has beyond that is its slack, left - h. A turn changes h by one at
// most, so the slack of a successor is the same, one less, or two less; below
// zero it is cut. Which moves do what is told by sets, all eight at once: what
// is cut is counted, never made.
type search struct {
	rule  *rule
	bulk  bulk // counts of trees without a goal; nil: none
	top   int  // the highest level of bulk that is built
	start board
	stop  func() bool

	count         // in this iteration
	budget  int64 // expansions allowed in it
	alarm   int64 // expansions at which to look at budget and stop
	steps   int64 // of work so far, in all cases, to pay for bulk's levels
	before  int64 // of them, before this case
	overlap overlap

	// path[left] is the solution's move at the node with so many moves left.
	path [maxDepth + 1]move
}

// maxDepth is the most moves that one symbol needs to the center (TestExact). A
// board is solved with its nearest, so it needs no more.
const maxDepth = 14

// pollInterval is how many expansions pass between two looks at stop: about a
// millisecond of them one by one.
const pollInterval = 1 << 15

// What it takes to count in bulk, in visits of single nodes: with a table, and
// more where its next level has to be summed up.
const (
	stepsOfCount = 8
	stepsOfSum   = 24
)

// Iterate implements solver.Search.
func (s *search) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	s.count, s.budget, s.alarm = count{}, budget, 0
	s.top = -1
	if s.bulk != nil {
		s.top = s.bulk.grow(s.steps, s.steps-s.before, s.stop)
	}
	switch {
	case s.start.h() == 0:
		end = solver.Found
	case s.counted(s.start, 0, 0, bound):
		end = solver.Exhausted
	default:
		end = s.visit(s.start, 0, bound)
	}
	if end == solver.Exhausted {
		next = bound + 2
		if s.cutsByOne(s.start, 0, bound) {
			next = bound + 1
		}
	}
	return solver.Iteration{Bound: bound, Expanded: s.expanded, Generated: s.generated}, next, end
}

// visit expands b, which is no goal, and searches below it.
func (s *search) visit(b board, st ruleState, left int) solver.End {
	if s.expanded >= s.alarm {
		if end := s.look(); end != solver.Exhausted {
			return end
		}
	}
	allowed := s.rule.allowed[st]
	s.steps++
	s.expanded++
	s.generated += int64(s.rule.count[st])
	for within := s.within(b, st, left); within != 0; within = within.rest() {
		m := within.first()
		succ, end := b.turn(m), solver.Found
		if succ.h() > 0 {
			st := s.rule.next[st][m]
			if s.counted(succ, b, st, left-1) {
				continue
			}
			end = s.visit(succ, st, left-1)
		}
		if end != solver.Exhausted {
			s.path[left] = m
			s.generated -= int64(allowed.after(m).len()) // these were not made
			return end
		}
	}
	return solver.Exhausted
}

// within are the allowed moves whose f is within the bound.
func (s *search) within(b board, st ruleState, left int) moveSet {
	allowed := s.rule.allowed[st]
	better, worse := b.changes()
	switch left - b.h() {
	case 0:
		return allowed & better
	case 1:
		return allowed &^ worse
	}
	return allowed
}

// cutsByOne tells whether below b a successor is cut whose f is the bound and
// one. If not, every one that is cut has two more: a move changes h by one at
// most. Nearly always the first nodes tell.
func (s *search) cutsByOne(b board, st ruleState, left int) bool {
	allowed := s.rule.allowed[st]
	better, worse := b.changes()
	switch left - b.h() {
	case 0:
		if allowed&^better&^worse != 0 {
			return true
		}
	case 1:
		if allowed&worse != 0 {
			return true
		}
	}
	for within := s.within(b, st, left); within != 0; within = within.rest() {
		m := within.first()
		if succ := b.turn(m); succ.h() > 0 && s.cutsByOne(succ, s.rule.next[st][m], left-1) {
			return true
		}
	}
	return false
}

// counted adds what lies below b, with b, if it can be counted in bulk: there
// are tables, they go up to left, there is no goal, and the budget lasts. Unless
// st is 0, b was reached from p.
func (s *search) counted(b, p board, st ruleState, left int) bool {
	if s.top < 0 || left > s.top+1 {
		return false
	}
	s.steps += stepsOfCount
	if left > s.top {
		s.steps += stepsOfSum
	}
	var sum count
	for _, symbol := range [...]struct{ q, p placement }{
		{b.one(), p.one()}, {b.two(), p.two()}, {b.three(), p.three()},
	} {
		c, ok := s.bulk.below(symbol.q, symbol.p, st, left, s.top)
		if !ok {
			return false
		}
		sum.expanded += c.expanded
		sum.generated += c.generated
	}
	s.overlap.count = count{}
	s.overlap.visit(b, st, left)
	sum.expanded -= s.overlap.expanded
	sum.generated -= s.overlap.generated
	if s.expanded+sum.expanded > s.budget {
		return false
	}
	s.expanded += sum.expanded
	s.generated += sum.generated
	return true
}

// look is visit's look at the budget and at stop.
func (s *search) look() solver.End {
	if s.expanded >= s.budget {
		return solver.OverBudget
	}
	s.alarm = s.budget
	if s.stop != nil {
		if s.stop() {
			return solver.Stopped
		}
		s.alarm = min(s.alarm, s.expanded+pollInterval)
	}
	return solver.Exhausted
}
