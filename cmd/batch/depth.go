package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"idabatch/internal/solver"
)

// byDepth are the flags for random cases of some depths; -1 is not given.
type byDepth struct {
	depth, min, max int
	ties            bool
}

func (d *byDepth) define(c *cobra.Command) {
	d.depth, d.min, d.max = -1, -1, -1
	c.Flags().Var(number[int]{&d.depth, 0}, "depth", "only cases with shortest solutions of so many moves")
	c.Flags().Var(number[int]{&d.min, 0}, "min-depth", "only cases with so many moves or more")
	c.Flags().Var(number[int]{&d.max, 0}, "max-depth", "only cases with so many moves or fewer")
	for _, name := range []string{"depth", "min-depth", "max-depth"} {
		c.Flags().Lookup(name).DefValue = ""
	}
	c.Flags().BoolVar(&d.ties, "ties", false, "only cases with two or three nearest symbols, where the dictionary decides")
}

// given tells whether any flag is.
func (d *byDepth) given() bool { return d.ties || max(d.depth, d.min, d.max) >= 0 }

// depths returns the depths that the flags want, some of which p has.
func (d *byDepth) depths(p *solver.Puzzle) (solver.Depths, error) {
	flag := "--ties"
	want := solver.Depths{Tied: d.ties}
	if p.Census != nil {
		want.Max = p.Census.Known.Greatest()
	}
	if d.min >= 0 {
		flag, want.Min = fmt.Sprintf("--min-depth %d", d.min), d.min
	}
	if d.max >= 0 {
		if d.max < d.min {
			return want, usagef("--min-depth %d is more than --max-depth %d", d.min, d.max)
		}
		want.Max = min(want.Max, d.max)
		if d.min < 0 {
			flag = fmt.Sprintf("--max-depth %d", d.max)
		}
	}
	if d.depth >= 0 {
		if max(d.min, d.max) >= 0 {
			return want, usagef("--depth is one depth: --min-depth and --max-depth cannot stand beside it")
		}
		flag = fmt.Sprintf("--depth %d", d.depth)
		want.Min, want.Max = d.depth, d.depth
	}
	return want, hasDepths(p, want, flag)
}

// hasDepths checks that p has cases of the depths that a flag wants.
func hasDepths(p *solver.Puzzle, want solver.Depths, flag string) error {
	if p.Census == nil {
		return usagef("%s: the depths of %s are not known", flag, p.Name)
	}
	known := p.Census.Known
	if known.Cases(want) > 0 {
		return nil
	}
	if !want.Tied {
		return usagef("%s: no case of %s is so deep; the greatest depth is %d", flag, p.Name, known.Greatest())
	}
	first, last := -1, 0
	for depth := range known.Greatest() + 1 {
		if known.Cases(solver.Depths{Min: depth, Max: depth, Tied: true}) > 0 {
			if last = depth; first < 0 {
				first = depth
			}
		}
	}
	if first < 0 {
		return usagef("--ties: a case of %s has one goal, so none is tied", p.Name)
	}
	return usagef("%s, with --ties: no such case of %s is tied; the depths of those that are go from %d to %d", flag, p.Name, first, last)
}

// each returns the depths of want one by one, those that there are cases of.
func each(p *solver.Puzzle, want solver.Depths) (list []solver.Depths) {
	for depth := want.Min; depth <= want.Max; depth++ {
		one := solver.Depths{Min: depth, Max: depth, Tied: want.Tied}
		if p.Census.Known.Cases(one) > 0 {
			list = append(list, one)
		}
	}
	return list
}
