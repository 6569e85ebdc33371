package referee

import (
	"context"
	"time"

	"idabatch/internal/solver"
)

// A fault is made small by running the command on less and less, as long as it
// fails with the same verdict: first with fewer cases, then with cases nearer to
// the goal. Every try is bounded by shrinkTries and shrinkTime, all together.
const (
	shrinkTries = 50
	shrinkTime  = 30 * time.Second
	// boardTries of them are left for shallower boards.
	boardTries = 20
)

// shrinking is one fault being made small.
type shrinking struct {
	*stress
	ctx    context.Context
	tries  int
	best   *trial
	steady bool
}

// shrink returns the smallest file that it finds to fail as found does.
func (s *stress) shrink(ctx context.Context, found *trial) *shrinking {
	ctx, cancel := context.WithTimeout(ctx, shrinkTime)
	defer cancel()
	k := &shrinking{stress: s, ctx: ctx, best: found}
	again := k.fails(found.cases)
	k.steady = again != nil || ctx.Err() != nil
	if again == nil {
		return k
	}
	k.best = k.fewest(again, shrinkTries-boardTries)
	k.best = k.shallowest(k.best)
	return k
}

// fails runs the command on some cases. It returns nil if that does not fail
// with the verdict wanted, or there is no time left to find out.
func (k *shrinking) fails(cases [][]byte) *trial {
	if k.tries == shrinkTries || k.ctx.Err() != nil {
		return nil
	}
	k.tries++
	t, err := k.try(k.ctx, cases)
	if err != nil || t.verdict != k.best.verdict {
		return nil
	}
	return t
}

// fewest leaves out cases of t. The one to blame alone is mostly enough. Else,
// where what came before matters, a shorter beginning is looked for, and a
// shorter end of that, both by bisection; then each case is left out in turn.
func (k *shrinking) fewest(t *trial, most int) *trial {
	if i := t.culprit; i >= 0 && len(t.cases) > 1 {
		if one := k.fails(t.cases[i : i+1]); one != nil {
			return one
		}
	}
	t = k.bisect(t, func(cases [][]byte, n int) [][]byte { return cases[:n] })
	t = k.bisect(t, func(cases [][]byte, n int) [][]byte { return cases[len(cases)-n:] })
	for i := 0; i < len(t.cases) && len(t.cases) > 1 && k.tries < most; {
		without := append(t.cases[:i:i], t.cases[i+1:]...)
		if less := k.fails(without); less != nil {
			t = less
		} else {
			i++
		}
	}
	return t
}

// bisect looks for the least n for which a part of so many cases fails.
func (k *shrinking) bisect(t *trial, part func(cases [][]byte, n int) [][]byte) *trial {
	all, passes := t.cases, 0
	for len(t.cases)-passes > 1 {
		n := (passes + len(t.cases)) / 2
		if less := k.fails(part(all, n)); less != nil {
			t = less
		} else {
			passes = n
		}
	}
	return t
}

// shallowest looks for no more cases than t has, with boards nearer to the goal.
// It tries as many of each distance as a file holds at once, and then leaves out
// the ones that are not needed.
func (k *shrinking) shallowest(t *trial) *trial {
	_, depth := k.answers(t.cases)
	for d := range depth {
		n := len(t.cases)
		if n == 1 {
			n = int(k.PerFile)
		}
		var cases [][]byte
		for i := range uint64(n) {
			cases = append(cases, k.draw(k.First+i, d))
		}
		found := k.fails(cases)
		if found == nil {
			continue
		}
		if found = k.fewest(found, shrinkTries); len(found.cases) > len(t.cases) {
			continue
		}
		if _, now := k.answers(found.cases); now < depth {
			return found
		}
	}
	return t
}

// draw returns a case of a depth, or of so many random moves where the puzzle
// has no census. Every other one is a tie between goals if there are any, for
// that is where solvers go wrong.
func (k *shrinking) draw(i uint64, depth int) []byte {
	census := k.Puzzle.Census
	if census == nil {
		return k.Puzzle.Random(nil, k.Seed, i, depth)
	}
	want := solver.Depths{Min: depth, Max: depth, Tied: i%2 == 0}
	if want.Tied && census.Known.Cases(want) == 0 {
		want.Tied = false
	}
	return census.Random(nil, k.Seed, i, want)
}
