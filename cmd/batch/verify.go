package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"idabatch/internal/pipeline"
	"idabatch/internal/referee"
	"idabatch/internal/solver"
	"idabatch/internal/solver/registry"
)

type verify struct {
	*env
	puzzle string
	accept referee.Accept
	all    bool
	format string
	cases  int64 // compared
}

func newVerify(e *env) *cobra.Command {
	v := &verify{env: e, format: "text"}
	c := &cobra.Command{
		Use:   "verify INPUT RESULTS",
		Short: "Check somebody's results against the cases",
		Long: `Check the results of any program against the cases: can they be read, do the
moves solve the board, is there no shorter solution and none as short that is
earlier in the dictionary, does the symbol or the number of moves fit.

RESULTS are in the judge's form, two lines a case, or JSON lines with the keys
moves and symbol, and maybe case, status and depth. Either file may be "-" or a
pipe, and compressed. Line ends of any kind, blanks at the end of a line or the
text and a missing last newline are accepted.

The first fault is told, or all with --all, and then how many there are of each
kind: missing, form, extra, no-solution (none given), unsolvable (one given and
there is none), unsolved (the moves are illegal or do not solve the board), label
(the symbol or the number of moves does not fit), longer, not-first.

Exit status: 0 all is accepted; 1 there is a fault; 2 wrong usage; 3 a file
cannot be read.`,
		Example: `  batch verify corpus.txt results.txt
  ./mine < corpus.txt | batch verify corpus.txt -
  batch gen --count 1000000 | batch verify - results.jsonl --accept shortest --all`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			err := v.run(ctx, args[0], args[1])
			if cause := context.Cause(ctx); cause != nil && err != nil {
				v.say("%v after %s", cause, cases(v.cases))
				return interrupted(ctx)
			}
			return err
		},
	}
	puzzleFlag(c, &v.puzzle, "puzzle: "+registry.Names()+" (default: told by the input)")
	acceptFlag(c, &v.accept)
	c.Flags().BoolVar(&v.all, "all", false, "tell every fault, not only the first")
	formatFlag(c, &v.format)
	return c
}

// accepted is a flag's value: how much is asked of a solution.
type accepted struct{ p *referee.Accept }

func (a accepted) String() string {
	if a.p == nil {
		return ""
	}
	return a.p.String()
}

func (a accepted) Set(text string) error {
	for i, name := range referee.AcceptNames {
		if text == name {
			*a.p = referee.Accept(i)
			return nil
		}
	}
	return fmt.Errorf("want %s", alternatives(referee.AcceptNames))
}

func (a accepted) Type() string { return "name" }

func acceptFlag(c *cobra.Command, p *referee.Accept) {
	*p = referee.First
	c.Flags().Var(accepted{p}, "accept", "accept any solution, a shortest one, or the first of the shortest in the dictionary: any, shortest or first")
	c.RegisterFlagCompletionFunc("accept", cobra.FixedCompletions(referee.AcceptNames, cobra.ShellCompDirectiveNoFileComp))
}

func formatFlag(c *cobra.Command, p *string) {
	choiceFlag(c, p, "format", []string{"text", "csv", "json"}, "form of what is told: text, csv or json")
}

func (v *verify) run(ctx context.Context, input, results string) (err error) {
	if input == "-" && results == "-" {
		return usagef("standard input, -, is given twice")
	}
	corpus, err := v.open(ctx, input)
	if err != nil {
		return err
	}
	defer corpus.Close()
	answers, err := v.open(ctx, results)
	if err != nil {
		return err
	}
	defer answers.Close()

	scanner := solver.NewScanner(corpus)
	p := registry.Lookup(v.puzzle)
	if p == nil {
		p = registry.Detect(scanner)
	}
	out := newFaults(v.stdout, v.format)
	shown := 0
	notices := notices{env: v.env}
	sum, err := referee.Verify(ctx, referee.Verification{
		Puzzle: p, Accept: v.accept,
		Cases: scanner, CasesName: input,
		Results: solver.NewScanner(answers), ResultsName: results,
		Fault: func(f *referee.Fault) error {
			if shown++; shown > 1 && !v.all {
				return nil
			}
			return out.tell(f)
		},
		Notice: func(text string, invalid bool) {
			n := pipeline.Notice{Text: text}
			if invalid {
				n.Case = 1
			}
			notices.tell(n)
		},
	})
	notices.close()
	v.cases = sum.Cases
	if err == nil {
		err = out.end(p, v.accept, &sum)
	} else if ferr := out.w.Flush(); ferr != nil {
		err = ferr
	}
	if err != nil {
		return err
	}
	if sum.Verdict != referee.Accepted {
		return exit(statusFault)
	}
	return nil
}

// open opens a file, or standard input for "-".
func (e *env) open(ctx context.Context, name string) (io.ReadCloser, error) {
	in := pipeline.Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
	if name == "-" {
		in.Open = func() (io.ReadCloser, error) { return io.NopCloser(e.stdin), nil }
	}
	r, err := pipeline.Open(ctx, &in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// faults prints the faults as they come, and in the end the totals.
type faults struct {
	format string
	w      *bufio.Writer
	rows   *csv.Writer
	n      int
}

func newFaults(w io.Writer, format string) *faults {
	f := &faults{format: format, w: bufio.NewWriter(w)}
	f.rows = csv.NewWriter(f.w)
	switch format {
	case "csv":
		f.rows.Write([]string{"verdict", "kind", "case", "source", "line", "reason"}) // f.w keeps an error
	case "json":
		f.w.WriteString(`{"faults":[`)
	}
	return f
}

func (f *faults) tell(fault *referee.Fault) (err error) {
	f.n++
	switch f.format {
	case "csv":
		number := func(n int64) string {
			if n == 0 {
				return ""
			}
			return strconv.FormatInt(n, 10)
		}
		return f.rows.Write([]string{
			fault.Verdict.String(), fault.Kind.String(),
			number(fault.Case), string(solver.AppendEscaped(nil, fault.Source)), number(fault.Line), fault.Reason,
		})
	case "json":
		sep := ",\n"
		if f.n == 1 {
			sep = "\n"
		}
		text, err := json.Marshal(fault)
		if err == nil {
			_, err = f.w.WriteString(sep + string(text))
		}
		return err
	}
	_, err = fmt.Fprintf(f.w, "%s: %s\n", fault.Verdict.Long(), fault)
	return err
}

// end prints the totals.
func (f *faults) end(p *solver.Puzzle, accept referee.Accept, s *referee.Summary) error {
	f.rows.Flush()
	switch f.format {
	case "json":
		kinds := map[string]int64{}
		for k, n := range s.Faults {
			if n > 0 {
				kinds[referee.Kind(k).String()] = n
			}
		}
		text, err := json.Marshal(struct {
			Puzzle   string           `json:"puzzle"`
			Accept   referee.Accept   `json:"accept"`
			Verdict  referee.Verdict  `json:"verdict"`
			Cases    int64            `json:"cases"`
			Accepted int64            `json:"accepted"`
			Invalid  int64            `json:"invalid"`
			Kinds    map[string]int64 `json:"kinds"`
		}{p.Name, accept, s.Verdict, s.Cases, s.Accepted, s.Invalid, kinds})
		if err != nil {
			return err
		}
		fmt.Fprintf(f.w, "],\n%s\n", text[1:])
	case "text":
		if s.Verdict == referee.Accepted {
			fmt.Fprintf(f.w, "accepted: %s", cases(s.Cases))
		} else {
			fmt.Fprintf(f.w, "%s: %d accepted", cases(s.Cases), s.Accepted)
			for k, n := range s.Faults {
				if n > 0 {
					fmt.Fprintf(f.w, ", %d %v", n, referee.Kind(k))
				}
			}
		}
		if s.Invalid > 0 {
			fmt.Fprintf(f.w, "; %d of the cases cannot be read", s.Invalid)
		}
		fmt.Fprintln(f.w)
	}
	return f.w.Flush()
}
