package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"idabatch/internal/report"
	"idabatch/internal/solver/registry"
)

type reporting struct {
	*env
	format string
	html   string
}

func newReport(e *env) *cobra.Command {
	r := &reporting{env: e, format: "text"}
	c := &cobra.Command{
		Use:   "report RUN...",
		Short: "Statistics and a page about runs: how hard the cases were, and for whom",
		Long: `Tell how hard the cases of a run were: depths, expanded and generated states and
times with their quantiles, by depth; how far the heuristic was off; the hardest
cases; what the workers did. Of two or more runs, each is compared with the
first, case by case where their boards are the same.

RUN is a run folder, or a cases.csv ("-": on standard input); a timing.csv and a
run.json beside a file of that name are used too.

Distributions are over the solved cases. Quantiles are exact up to 262,144 of
them, and beyond that less than 0.1 % off. b* is the effective branching factor:
a uniform tree of the depth d with that many branches at each node has as many
nodes as were expanded, and the goal: expanded + 1 = 1 + b* + ... + b*^d (Russell
and Norvig, Artificial Intelligence: A Modern Approach). The expansions of all
iterations count.`,
		Example: `  batch solve --random 10000 --out run && batch report run --html run.html
  batch report old new
  batch report run --format csv > by-depth.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which run? name a run folder or a cases.csv")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return r.run(c, args) },
	}
	choiceFlag(c, &r.format, "format", []string{"text", "csv", "json"}, "text, csv (a row for each depth) or json (all there is)")
	c.Flags().StringVar(&r.html, "html", "", "write a page to this `file` as well (-: instead, to standard output)")
	return c
}

func (r *reporting) run(c *cobra.Command, args []string) (err error) {
	if r.html == "-" && c.Flags().Changed("format") {
		return usagef("--html - and --format both want standard output")
	}
	var folders []*report.Folder
	for i, name := range args {
		for _, before := range args[:i] {
			if name == "-" && before == "-" {
				return usagef("standard input, -, is given twice")
			}
		}
		f, files, err := r.open(c.Context(), name)
		for _, file := range files {
			defer file.Close()
		}
		if err != nil {
			return err
		}
		folders = append(folders, f)
	}
	result, err := report.Analyze(folders)
	if c.Context().Err() != nil {
		return interrupted(c.Context())
	}
	if err != nil {
		return err
	}

	switch r.html {
	case "":
	case "-":
		return result.WriteHTML(r.stdout, drawCase)
	default:
		file, err := os.Create(r.html)
		if err != nil {
			return err
		}
		err = result.WriteHTML(file, drawCase)
		if closing(file, &err); err != nil {
			return err
		}
	}
	switch r.format {
	case "csv":
		return result.WriteCSV(r.stdout)
	case "json":
		return result.WriteJSON(r.stdout)
	default:
		return result.WriteText(r.stdout)
	}
}

// open opens the files of a run.
func (r *reporting) open(ctx context.Context, name string) (f *report.Folder, files []io.Closer, err error) {
	f = &report.Folder{Name: name}
	if name == "-" {
		f.Name = "standard input"
		f.Cases = untilDone{ctx, r.stdin}
		return f, nil, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	dir, cases := name, filepath.Join(name, "cases.csv")
	if !info.IsDir() {
		dir, cases = filepath.Dir(name), name
	}
	file, err := os.Open(cases)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, file)
	f.Cases = untilDone{ctx, file}
	if filepath.Base(cases) != "cases.csv" {
		return f, files, nil // what lies beside it need not be of the same run
	}

	switch file, err := os.Open(filepath.Join(dir, "timing.csv")); {
	case err == nil:
		files = append(files, file)
		f.Timing = untilDone{ctx, file}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, files, err
	}
	switch data, err := os.ReadFile(filepath.Join(dir, runFile)); {
	case err == nil:
		if f.Record, err = report.DecodeRun(data); err != nil {
			return nil, files, fmt.Errorf("%s: %w", filepath.Join(dir, runFile), err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, files, err
	}
	return f, files, nil
}

// untilDone is a reader that ends with a context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// drawCase draws a case of the puzzle that its moves solve. A bare cases.csv does
// not tell which that is.
func drawCase(c *report.HardCase) *report.Board {
	for _, p := range registry.All {
		if _, err := p.Replay([]byte(c.Board), []byte(c.Moves)); err == nil {
			return report.NewBoard(p.Drawing, c.Board, c.Moves)
		}
	}
	return nil
}
