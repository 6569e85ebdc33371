package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"idabatch/internal/solver"
	"idabatch/internal/solver/registry"
)

// number is a flag's value: a whole number with bounds that a wrong one is told.
type number[T int | int64 | uint64] struct {
	p   *T
	min T
}

func (n number[T]) String() string {
	if n.p == nil {
		return ""
	}
	return fmt.Sprint(*n.p)
}

func (n number[T]) Set(text string) error {
	u, err := strconv.ParseUint(text, 10, 64)
	if v := T(u); err == nil && v >= n.min && uint64(v) == u {
		*n.p = v
		return nil
	}
	return fmt.Errorf("want a whole number, %v or more", n.min)
}

func (n number[T]) Type() string { return "number" }

// duration is a flag's value: a positive time.
type duration struct{ p *time.Duration }

func (d duration) String() string {
	if d.p == nil {
		return ""
	}
	return d.p.String()
}

func (d duration) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v <= 0 {
		return fmt.Errorf("want a time such as 500ms, 2s or 1m30s")
	}
	*d.p = v
	return nil
}

func (d duration) Type() string { return "time" }

// oneOf is a flag's value: a word out of some.
type oneOf struct {
	p     *string
	words []string
}

func (o oneOf) String() string {
	if o.p == nil {
		return ""
	}
	return *o.p
}

func (o oneOf) Set(text string) error {
	for _, w := range o.words {
		if text == w {
			*o.p = text
			return nil
		}
	}
	return fmt.Errorf("want %s", alternatives(o.words))
}

func (o oneOf) Type() string { return "name" }

// alternatives is "a", "a or b", "a, b or c".
func alternatives(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " or "
		default:
			text += ", "
		}
		text += w
	}
	return text
}

// choiceFlag adds a flag that takes some words, and their completion.
func choiceFlag(c *cobra.Command, p *string, name string, words []string, usage string) {
	c.Flags().Var(oneOf{p, words}, name, usage)
	c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func puzzleFlag(c *cobra.Command, p *string, usage string) {
	var names []string
	for _, puzzle := range registry.All {
		names = append(names, puzzle.Name)
	}
	choiceFlag(c, p, "puzzle", names, usage)
}

// choiceNames are the names of one kind of choice over all puzzles, each once.
func choiceNames(of func(p *solver.Puzzle) []solver.Choice) []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range registry.All {
		for _, c := range of(p) {
			if !seen[c.Name] {
				seen[c.Name] = true
				names = append(names, c.Name)
			}
		}
	}
	return names
}

func heuristics(p *solver.Puzzle) []solver.Choice { return p.Heuristics }
func prunings(p *solver.Puzzle) []solver.Choice   { return p.Prunings }

// random are the flags for cases from the generator.
type random struct {
	seed, first uint64
	scramble    int // -1: uniform
}

// define adds the flags; number is what the flag with their number is called.
func (r *random) define(c *cobra.Command) {
	r.seed, r.first, r.scramble = 1, 1, -1
	c.Flags().Var(number[uint64]{&r.seed, 0}, "seed", "seed of the random cases")
	c.Flags().Var(number[uint64]{&r.first, 1}, "first", "number of the first random case of the seed")
	c.Flags().Var(number[int]{&r.scramble, 0}, "scramble", "make each case by so many random moves from a solved one, instead of uniform")
	c.Flags().Lookup("scramble").DefValue = ""
}
