package referee

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"idabatch/internal/solver"
)

// Verification is what Verify looks at. Both texts are read once, side by side.
type Verification struct {
	Puzzle *solver.Puzzle
	Accept Accept

	Cases       *solver.Scanner
	CasesName   string // as the user named it: corpus.txt
	Results     *solver.Scanner
	ResultsName string

	// Fault, if not nil, is called for every fault, in order. An error ends the
	// verification.
	Fault func(f *Fault) error
	// Notice, if not nil, hears of cases that cannot be read, and is warned of
	// other things in the input; invalid tells which.
	Notice func(text string, invalid bool)
}

// Summary is what Verify found.
type Summary struct {
	Verdict  Verdict // that of the first fault
	Cases    int64
	Accepted int64
	Invalid  int64           // cases that cannot be read, accepted or not
	Faults   [NumKinds]int64 // answers, and the Extra text
	First    *Fault          // nil: there is none
}

// Verify compares results with cases. An error is about reading, about ctx or
// from v.Fault; the summary is of what was compared before.
func Verify(ctx context.Context, v Verification) (Summary, error) {
	w := &verifier{
		Verification: v,
		answers:      newAnswers(v.Puzzle, v.Results),
		solver:       exact(v.Puzzle),
		c:            solver.Case{Source: v.CasesName},
	}
	err := w.run(ctx)
	return w.sum, err
}

// exact is a solver that knows the right answer without a search.
func exact(p *solver.Puzzle) solver.Solver {
	name := p.Heuristics[0].Name
	for _, h := range p.Heuristics {
		if h.Exact {
			name = h.Name
		}
	}
	return p.New(name, p.Prunings[0].Name)
}

type verifier struct {
	Verification
	answers *answers
	solver  solver.Solver
	sum     Summary

	c       solver.Case
	right   solver.Result
	want    []byte // right, in the judge's form
	theirs  []byte // what is in the answer, in the judge's form
	missing *Fault // the first case without an answer
}

func (v *verifier) run(ctx context.Context) error {
	framer := v.Puzzle.Frame(v.Cases)
	for {
		text, at, err := framer.Next(v.c.Text[:0])
		if err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("%s: %w", v.CasesName, err)
		}
		v.c.Index++
		v.c.Text, v.c.First, v.c.Last = text, at.First, at.Last
		if err := v.compare(); err != nil {
			return err
		}
		if v.c.Index%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	more, err := v.Cases.Rest()
	if err != nil {
		return fmt.Errorf("%s: %w", v.CasesName, err)
	}
	if warning := framer.Close(more); warning != "" && v.Notice != nil {
		v.Notice(fmt.Sprintf("%s:%d: %s", v.CasesName, v.Cases.Line(), warning), false)
	}
	return v.end()
}

// compare looks at the answer to v.c.
func (v *verifier) compare() error {
	v.sum.Cases++
	v.solver.Solve(&v.c, solver.Limits{}, &v.right)
	if v.right.Status == solver.Invalid {
		v.sum.Invalid++
		if v.Notice != nil {
			v.Notice(v.right.Detail, true)
		}
	}
	if v.missing != nil {
		v.sum.Faults[Missing]++
		return nil
	}
	v.want = v.Puzzle.AppendResult(v.want[:0], &v.c, &v.right)
	err := v.answers.next(&v.c, v.want)
	switch {
	case err == io.EOF:
		v.missing = v.fault(Missing, "")
		v.missing.Line = 0
		v.sum.Faults[Missing]++
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", v.ResultsName, err)
	}
	if f := v.judge(); f != nil {
		v.sum.Faults[f.Kind]++
		return v.tell(f)
	}
	v.sum.Accepted++
	return nil
}

// judge finds the fault of the answer at hand, or nil.
func (v *verifier) judge() *Fault {
	a := v.answers
	switch {
	case a.same:
		return nil
	case a.form != nil:
		return v.fault(Form, "line %d: %v", a.line, a.form)
	}
	moves := a.result.Moves
	solved := a.result.Status == solver.Solved
	switch v.right.Status {
	case solver.Solved:
		if !solved {
			return v.fault(NoSolution, "no solution given, %s", v.enough())
		}
	case solver.Invalid:
		if solved {
			return v.fault(Unsolvable, "a solution given, but the case cannot be read: %s", v.right.Detail)
		}
		return nil
	default:
		if solved {
			return v.fault(Unsolvable, "%s given, but there is no solution: %s", count(len(moves)), v.right.Detail)
		}
		return nil
	}

	symbol, err := v.Puzzle.Replay(v.c.Text, moves)
	if err != nil {
		what := quoted(moves)
		if len(moves) == 0 {
			what = "making no move"
		}
		return v.fault(Unsolved, "%s does not solve it: %v", what, err)
	}
	if f := v.label(symbol); f != nil {
		return f
	}
	switch best := v.right.Moves; {
	case v.Accept >= Shortest && len(moves) > len(best):
		return v.fault(Longer, "%s, %s", count(len(moves)), v.enough())
	case v.Accept >= First && !bytes.Equal(moves, best):
		return v.fault(NotFirst, "%s is as short, but %s comes first", moves, best)
	}
	return nil
}

// label checks what an answer says beside its moves, which lead to a goal with
// this symbol.
func (v *verifier) label(symbol byte) *Fault {
	a := v.answers
	if a.json {
		switch {
		case symbol != 0 && a.result.Symbol == 0:
			return v.fault(Label, "no symbol given, want %c", symbol)
		case symbol != a.result.Symbol:
			return v.fault(Label, "symbol %c, want %c", a.result.Symbol, symbol)
		case a.depth >= 0 && a.depth != len(a.result.Moves):
			return v.fault(Label, "depth %d, want %d", a.depth, len(a.result.Moves))
		}
		return nil
	}
	a.result.Symbol = symbol
	v.theirs = v.Puzzle.AppendResult(v.theirs[:0], &v.c, &a.result)
	if a.is(v.theirs) {
		return nil
	}
	first, second, _ := bytes.Cut(bytes.TrimSuffix(v.theirs, []byte("\n")), []byte("\n"))
	if !bytes.Equal(a.first, first) {
		return v.fault(Label, "%s, want %s for these moves", quoted(a.first), quoted(first))
	}
	return v.fault(Label, "%s, want %s for these moves", quoted(a.second), quoted(second))
}

// enough tells the right answer.
func (v *verifier) enough() string {
	switch n := len(v.right.Moves); n {
	case 0:
		return "none is needed"
	case 1:
		return fmt.Sprintf("1 is enough: %s", v.right.Moves)
	default:
		return fmt.Sprintf("%d are enough: %s", n, v.right.Moves)
	}
}

func count(moves int) string {
	if moves == 1 {
		return "1 move"
	}
	return fmt.Sprintf("%d moves", moves)
}

// end looks at what is left when all cases are read.
func (v *verifier) end() error {
	if n := v.sum.Faults[Missing]; n == 1 {
		v.missing.Reason = "no answer: the results end before it"
		return v.tell(v.missing)
	} else if n > 1 {
		v.missing.Reason = fmt.Sprintf("no answer: the results end before it; %d are missing", n)
		return v.tell(v.missing)
	}
	switch _, err := v.answers.begin(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", v.ResultsName, err)
	}
	v.sum.Faults[Extra]++
	a := v.answers
	return v.tell(&Fault{
		Verdict: Extra.Verdict(), Kind: Extra, Line: a.line,
		Reason: fmt.Sprintf("line %d: more than the answers to %d cases: %s", a.line, v.sum.Cases, quoted(a.first)),
	})
}

// fault is one in the answer to v.c.
func (v *verifier) fault(k Kind, format string, args ...any) *Fault {
	return &Fault{
		Verdict: k.Verdict(), Kind: k,
		Case: v.c.Index, Source: string(v.c.AppendSource(nil)), Line: v.answers.line,
		Reason: fmt.Sprintf(format, args...),
	}
}

// tell passes a fault on.
func (v *verifier) tell(f *Fault) error {
	if v.sum.First == nil {
		v.sum.First, v.sum.Verdict = f, f.Verdict
	}
	if v.Fault == nil {
		return nil
	}
	return v.Fault(f)
}
