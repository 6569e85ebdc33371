package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"idabatch/internal/solver"
	"idabatch/internal/solver/registry"
)

func newPuzzles(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "puzzles [NAME]",
		Short: "Tell about the puzzles: notation, heuristics and prunings",
		Args:  cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, p := range registry.All {
				names = append(names, p.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, p := range registry.All {
					if _, err := fmt.Fprintf(e.stdout, "%-10s%s (%s)\n", p.Name, p.Title, p.Origin); err != nil {
						return err
					}
				}
				return nil
			}
			p := registry.Lookup(args[0])
			if p == nil {
				return usagef("no puzzle %q: want %s", args[0], registry.Names())
			}
			return describe(e.stdout, p)
		},
	}
}

func describe(w io.Writer, p *solver.Puzzle) error {
	text := fmt.Sprintf("%s: %s (%s)\n\n%s", p.Name, p.Title, p.Origin, p.Notation)
	for _, kind := range []struct {
		name    string
		choices []solver.Choice
	}{{"--heuristic", p.Heuristics}, {"--prune", p.Prunings}} {
		text += "\n" + kind.name + "\n"
		for i, c := range kind.choices {
			doc := c.Doc
			if i == 0 {
				doc += " (default)"
			}
			text += fmt.Sprintf("  %-10s%s\n", c.Name, doc)
		}
	}
	_, err := io.WriteString(w, text)
	return err
}
