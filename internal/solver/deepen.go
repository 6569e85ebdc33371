package solver

import (
	"math"
	"strconv"
)

// End is how one iteration ended.
type End uint8

// The ends of an iteration.
const (
	Exhausted End = iota // no goal within the bound
	Found
	OverBudget // one more expansion was wanted than the budget allows
	Stopped    // Limits.Stop said so
)

// Search is the depth-first half of IDA*, with a start already in place.
type Search interface {
	// Iterate visits every state whose f is within bound, in dictionary order,
	// until it finds a goal. It expands at most budget states. If it ends
	// Exhausted, next is the least f that was cut off.
	Iterate(bound int, budget int64) (it Iteration, next int, end End)
}

// Deepen is the outer loop of IDA*. It fills r, except for Moves and Symbol,
// which the search knows. First is the heuristic value of the start.
//
// It ends: the bound grows with every iteration, and a case without a solution
// must not come here.
func Deepen(s Search, first int, lim Limits, r *Result) {
	r.Searched = true
	r.InitialBound = first
	budget := lim.MaxNodes
	if budget <= 0 {
		budget = math.MaxInt64
	}
	for bound := first; ; {
		it, next, end := s.Iterate(bound, budget-r.Expanded)
		r.Iterations = append(r.Iterations, it)
		r.Expanded += it.Expanded
		r.Generated += it.Generated
		switch end {
		case Found:
			r.Status = Solved
			return
		case OverBudget:
			r.Status = Limit
			r.Detail = "stopped at " + strconv.FormatInt(r.Expanded, 10) + " expansions, bound " + strconv.Itoa(bound)
			return
		case Stopped:
			r.Status = Timeout
			r.Detail = "out of time at bound " + strconv.Itoa(bound)
			return
		}
		bound = next
	}
}
