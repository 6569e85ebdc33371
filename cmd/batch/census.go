package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
	"idabatch/internal/solver"
	"idabatch/internal/solver/registry"
)

type census struct {
	*env
	puzzle   string
	jobs     int
	format   string
	html     string
	boardsAt int // -1: count
	reduced  bool
	ties     bool
	progress report.Mode
	quiet    bool
}

func newCensus(e *env) *cobra.Command {
	s := &census{env: e, puzzle: registry.Default.Name, jobs: runtime.GOMAXPROCS(0), format: "text", boardsAt: -1, progress: report.Auto}
	c := &cobra.Command{
		Use:   "census",
		Short: "Count all states of a puzzle by their depth",
		Long: `Count all states of a puzzle by their depth, the length of their shortest
solutions: exactly, every one. rotation has one kind of goal and 9,465,511,770
boards; the symmetries of the board and of the symbols leave 273 million of them
to be looked at. eight has three kinds of goals, with the blank in a corner, on an
edge or in the middle, and for a goal of each 181,440 states.

--boards-at lists the boards of a depth instead, as a corpus that batch solve
reads. For eight these are the states of the goals X12345678, 1X2345678 and
1234X5678. The list comes in a fixed order, and begins at once; in the middle
depths it has billions of boards.`,
		Example: `  batch census
  batch census --puzzle eight --format csv
  batch census --boards-at 13 | batch solve --heuristic exact`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c) },
	}
	puzzleFlag(c, &s.puzzle, "puzzle: "+registry.Names())
	choiceFlag(c, &s.format, "format", []string{"text", "csv", "json"}, "form of the census: text, csv (a row for each depth) or json (all that is known)")
	f := c.Flags()
	f.StringVar(&s.html, "html", "", "write a page to this file as well; -: to standard output, instead of the census")
	f.Var(number[int]{&s.boardsAt, 0}, "boards-at", "list the boards of this depth instead")
	f.Lookup("boards-at").DefValue = ""
	f.BoolVar(&s.reduced, "reduced", false, "with --boards-at: of boards that differ by symmetries alone, list the first")
	f.BoolVar(&s.ties, "ties", false, "with --boards-at: only boards with more than one nearest symbol")
	f.VarP(number[int]{&s.jobs, 1}, "jobs", "j", "workers")
	f.Var(&s.progress, "progress", "progress on standard error: auto, always, never or plain")
	c.RegisterFlagCompletionFunc("progress", cobra.FixedCompletions([]string{"auto", "always", "never", "plain"}, cobra.ShellCompDirectiveNoFileComp))
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no bar; warnings and errors stay")
	return c
}

func (s *census) run(c *cobra.Command) error {
	p := registry.Lookup(s.puzzle)
	if p.Census == nil {
		return usagef("%s has too many states to count", p.Name)
	}
	changed := c.Flags().Changed
	if s.boardsAt >= 0 {
		for _, name := range []string{"format", "html"} {
			if changed(name) {
				return usagef("--boards-at lists boards as a corpus: --%s cannot stand beside it", name)
			}
		}
		want := solver.Depths{Min: s.boardsAt, Max: s.boardsAt, Tied: s.ties}
		if err := hasDepths(p, want, fmt.Sprintf("--boards-at %d", s.boardsAt)); err != nil {
			return err
		}
		return s.list(c, p, want)
	}
	for _, name := range []string{"reduced", "ties"} {
		if changed(name) {
			return usagef("--%s is about a list of boards: it needs --boards-at", name)
		}
	}
	if s.html == "-" && changed("format") {
		return usagef("--html - and --format both want standard output")
	}
	return s.count(c, p)
}

func (s *census) count(c *cobra.Command, p *solver.Puzzle) error {
	mode := s.progress
	if s.quiet {
		mode = report.Never
	}
	progress := report.NewProgress(s.stderr, mode)
	progress.SetTotal(p.Census.Known.Cases(solver.Depths{Max: p.Census.Known.Greatest()}))
	progress.Start()
	tally, err := pipeline.Census(c.Context(), p.Census, s.jobs, progress.AddCases)
	progress.Stop()
	if c.Context().Err() != nil {
		return interrupted(c.Context())
	}
	if err != nil {
		return err
	}

	result := report.NewCensus(p.Name, p.Title, tally)
	want := solver.Depths{Min: result.GreatestDepth, Max: result.GreatestDepth}
	for b := range p.Census.Boards(want, false) {
		result.Farthest = append(result.Farthest, string(b))
	}
	for b := range p.Census.Boards(want, true) {
		result.Reduced = append(result.Reduced, solution(p, b))
	}
	program := report.Program + " " + version()
	draw := func(s *report.CensusSolution) *report.Board { return report.NewBoard(p.Drawing, s.Board, s.Moves) }
	switch s.html {
	case "":
	case "-":
		return result.WriteHTML(s.stdout, program, draw)
	default:
		file, err := os.Create(s.html)
		if err != nil {
			return err
		}
		err = result.WriteHTML(file, program, draw)
		if closing(file, &err); err != nil {
			return err
		}
	}
	switch s.format {
	case "csv":
		return result.WriteCSV(s.stdout)
	case "json":
		return result.WriteJSON(s.stdout)
	default:
		return result.WriteText(s.stdout)
	}
}

// solution solves a board.
func solution(p *solver.Puzzle, board []byte) report.CensusSolution {
	var r solver.Result
	p.New(exactOf(p), p.Prunings[0].Name).Solve(&solver.Case{Text: board}, solver.Limits{}, &r)
	s := report.CensusSolution{Board: string(board), Moves: string(r.Moves)}
	if r.Symbol != 0 {
		s.Symbol = string(r.Symbol)
	}
	return s
}

// exactOf is the heuristic that is the distance, or the first if there is none.
func exactOf(p *solver.Puzzle) string {
	for _, h := range p.Heuristics {
		if h.Exact {
			return h.Name
		}
	}
	return p.Heuristics[0].Name
}

// list writes the boards of a depth as a corpus.
func (s *census) list(c *cobra.Command, p *solver.Puzzle, want solver.Depths) error {
	out := bufio.NewWriterSize(s.stdout, 1<<16)
	if !s.reduced { // else their number is not known, and a corpus need not tell it
		out.Write(p.AppendHeader(nil, p.Census.Known.States(want))) // out keeps its first error
	}
	var text []byte
	i := 0
	for b := range p.Census.Boards(want, s.reduced) {
		text = p.AppendCase(text[:0], b)
		if _, err := out.Write(text); err != nil {
			return err
		}
		if i++; i%1024 == 0 && c.Context().Err() != nil {
			return interrupted(c.Context())
		}
	}
	out.Write(p.AppendFooter(nil))
	return out.Flush()
}
