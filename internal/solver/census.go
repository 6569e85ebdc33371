package solver

import "iter"

// Census is all states of a puzzle by depth: the length of their shortest
// solutions.
type Census struct {
	// Known is the outcome. The random cases of a depth depend on it, so it
	// stands in the code; a test counts again.
	Known Tally

	// Count counts one of so many shards of all states, from 0. They take about
	// as long each, and may be counted at the same time.
	Shards int
	Count  func(shard int) Tally

	// Boards goes through the states that Count counts, those of the wanted
	// depths, as cases in plain form, each until the next. The least depth comes
	// first. Reduced leaves, of states that the puzzle's symmetries make of one
	// another, the first in dictionary order.
	Boards func(want Depths, reduced bool) iter.Seq[[]byte]

	// Random appends case i, from 1, of a seed in plain form: a function of its
	// arguments alone, and uniform over all cases of the wanted depths. There
	// must be such cases.
	Random func(dst []byte, seed, i uint64, want Depths) []byte
}

// Depths is a choice of cases by depth.
type Depths struct {
	Min, Max int  // both included
	Tied     bool // only those with more than one nearest goal
}

// Tally is a number of states for each kind of goal.
type Tally []GoalKind

// GoalKind is a kind of goal, and the states of one goal of this kind.
type GoalKind struct {
	Name   string  // empty if there are no others
	Goals  int64   // how many there are: so many cases is each state
	Depths []Count // by depth
}

// Count is a number of states, by how many goals are the nearest: one, two or
// three. In rotation these are the symbols.
type Count [3]int64

// All is the number of all states.
func (c Count) All() int64 { return c[0] + c[1] + c[2] }

// Tied is the number of those with more than one nearest goal.
func (c Count) Tied() int64 { return c[1] + c[2] }

// Add adds what another part of the same census has counted.
func (t Tally) Add(u Tally) {
	for k, kind := range u {
		for len(t[k].Depths) < len(kind.Depths) {
			t[k].Depths = append(t[k].Depths, Count{})
		}
		for depth, count := range kind.Depths {
			for i, n := range count {
				t[k].Depths[depth][i] += n
			}
		}
	}
}

// Empty returns a tally of the same kinds without any states.
func (t Tally) Empty() Tally {
	empty := make(Tally, len(t))
	for k, kind := range t {
		empty[k] = GoalKind{Name: kind.Name, Goals: kind.Goals}
	}
	return empty
}

// Greatest is the greatest depth.
func (t Tally) Greatest() int {
	greatest := 0
	for _, kind := range t {
		greatest = max(greatest, len(kind.Depths)-1)
	}
	return greatest
}

// states is the number of states of a depth.
func (k *GoalKind) states(depth int, tied bool) int64 {
	switch {
	case depth >= len(k.Depths):
		return 0
	case tied:
		return k.Depths[depth].Tied()
	}
	return k.Depths[depth].All()
}

// States is the number of states of the wanted depths: with one goal of each
// kind.
func (t Tally) States(want Depths) (n int64) {
	for k := range t {
		for depth := want.Min; depth <= want.Max; depth++ {
			n += t[k].states(depth, want.Tied)
		}
	}
	return n
}

// Cases is the number of cases of the wanted depths: with all goals.
func (t Tally) Cases(want Depths) (n int64) {
	for k := range t {
		n += t[k].Goals * t[k:k+1].States(want)
	}
	return n
}

// Draw draws the kind and the depth of a case that is uniform over all those of
// the wanted depths.
func (t Tally) Draw(r *Random, want Depths) (kind, depth int) {
	n := int64(r.IntN(int(t.Cases(want))))
	for kind = range t {
		for depth = want.Min; depth <= want.Max; depth++ {
			if n -= t[kind].Goals * t[kind].states(depth, want.Tied); n < 0 {
				return kind, depth
			}
		}
	}
	panic("solver: no case of these depths")
}
