// Package registry lists the puzzles. A new one is a package and a line in All.
package registry

import (
	"strings"

	"idabatch/internal/solver"
	"idabatch/internal/solver/eight"
	"idabatch/internal/solver/rotation"
)

// All is every puzzle. The first that recognizes a text has it; the last takes
// all others.
var All = []*solver.Puzzle{
	eight.Puzzle,
	rotation.Puzzle,
}

// Default is the puzzle where neither the user nor an input tells one.
var Default = rotation.Puzzle

// Lookup returns the puzzle of that name, or nil.
func Lookup(name string) *solver.Puzzle {
	for _, p := range All {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Detect tells the puzzle of a text from its first lines, which s keeps.
func Detect(s *solver.Scanner) *solver.Puzzle {
	for _, p := range All {
		if p.Recognize == nil || p.Recognize(s.PeekLine) {
			return p
		}
	}
	return Default
}

// Names are the puzzles' names, for messages: "eight or rotation".
func Names() string {
	var names []string
	for _, p := range All {
		names = append(names, p.Name)
	}
	return strings.Join(names, " or ")
}
