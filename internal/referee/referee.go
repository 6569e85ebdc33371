// Package referee judges other people's solvers: [Verify] their results, and
// [Stress] the programs themselves. It knows no puzzle; the exact heuristic of
// the case's own puzzle tells it the right answers.
//
// # Verdicts
//
// They are those of the contests' judges. An answer is accepted (AC) if it has
// the form the statement asks for, its moves are legal and solve the case, and
// they are as good as is asked: any solution, a shortest one, or of the shortest
// the first in the dictionary. A line end of any kind, blanks at the end of a
// line or of the text and a last line without an end are held against nobody.
//
// A presentation error (PE) is a text that has not the form: it cannot be
// read, or an empty line stands between two results, or something behind the
// last. A wrong answer (WA) can be read and is not right; a missing one is wrong
// too. The verdict on a text is that of its first fault.
//
// A program may get a fourth kind: time, memory or output limit exceeded (TLE,
// MLE, OLE), or a runtime error (RE), where it did not end with status 0. Then
// its output does not matter.
//
// A case that cannot be read, or has no solution, is answered by saying so, as
// our own results do; for what reason is not looked at.
//
// # Looking twice
//
// The right answer comes from a table. What somebody else has printed is
// compared with that as text first; only where it differs it is read, its moves
// are replayed, and the reason is told. So nearly every case of a good solver
// costs no more than solving it, about a third of a microsecond, and neither
// side is ever held as a whole.
//
// # A command under stress
//
// Cases come in files, as a judge has them. Each file is one run of the command:
// input by one pipe, output and errors by two others, a goroutine for each, and
// one that watches the clock, the size of the output and the memory. When the
// command's first process has ended, or had to be, everything that it started is
// ended too: its process group, and on Linux also who has left that, known by a
// variable in its environment. A program that clears its environment and leaves
// its group gets away.
//
// Memory is what the largest process of a run has had resident. Linux tells it
// while the process runs, so that a greedy one is stopped in time; other Unix
// systems tell it at the end; Windows does not, and ends children only as far
// as it knows whose they are.
//
// The first faulty file is the one of lowest number, whatever the number of
// jobs, and it is made small: by fewer cases (bisection from both ends, then one
// by one), and then by cases nearer to the goal. Every step is another run of
// the command that ends with the same verdict, so what is kept does fail.
package referee

import (
	"fmt"
	"strings"

	"idabatch/internal/solver"
)

// Verdict is what a judge says.
type Verdict uint8

// The verdicts, in the order in which a table lists them.
const (
	Accepted Verdict = iota
	WrongAnswer
	PresentationError
	TimeLimit
	MemoryLimit
	OutputLimit
	RuntimeError
	NumVerdicts
)

var verdicts = [NumVerdicts]struct{ short, long string }{
	{"AC", "accepted"},
	{"WA", "wrong answer"},
	{"PE", "presentation error"},
	{"TLE", "time limit exceeded"},
	{"MLE", "memory limit exceeded"},
	{"OLE", "output limit exceeded"},
	{"RE", "runtime error"},
}

// String is the verdict's abbreviation.
func (v Verdict) String() string { return verdicts[v].short }

// Long is the verdict in words.
func (v Verdict) Long() string { return verdicts[v].long }

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Accept is how much is asked of a solution.
type Accept uint8

// What can be asked, from the least.
const (
	Any      Accept = iota // that it is one
	Shortest               // that none is shorter
	First                  // and that of the shortest it is first in dictionary order
)

// AcceptNames are the names of the values of Accept, in their order.
var AcceptNames = []string{"any", "shortest", "first"}

func (a Accept) String() string { return AcceptNames[a] }

// MarshalText implements encoding.TextMarshaler.
func (a Accept) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Kind is what is wrong with an answer.
type Kind uint8

// The kinds of faults, in the order in which an answer is looked at.
const (
	Missing    Kind = iota // there is none
	Form                   // it cannot be read
	Extra                  // something stands behind the last
	NoSolution             // it says that there is no solution
	Unsolvable             // it gives moves, and there is no solution
	Unsolved               // the moves are illegal or do not solve the case
	Label                  // the symbol, or the number of moves, does not fit the moves
	Longer                 // than need be
	NotFirst               // in dictionary order
	NumKinds
)

var kinds = [NumKinds]struct {
	name    string
	verdict Verdict
}{
	{"missing", WrongAnswer},
	{"form", PresentationError},
	{"extra", PresentationError},
	{"no-solution", WrongAnswer},
	{"unsolvable", WrongAnswer},
	{"unsolved", WrongAnswer},
	{"label", WrongAnswer},
	{"longer", WrongAnswer},
	{"not-first", WrongAnswer},
}

func (k Kind) String() string { return kinds[k].name }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Verdict is the one that a fault of this kind leads to.
func (k Kind) Verdict() Verdict { return kinds[k].verdict }

// Fault is something wrong in somebody's results.
type Fault struct {
	Verdict Verdict `json:"verdict"`
	Kind    Kind    `json:"kind"`
	Case    int64   `json:"case,omitempty"`   // 0: it is about no case
	Source  string  `json:"source,omitempty"` // of the case: corpus.txt:17
	Line    int64   `json:"line,omitempty"`   // of the results; 0: behind them
	Reason  string  `json:"reason"`           // printable, one line
}

// String tells f in one line.
func (f *Fault) String() string {
	if f.Case == 0 {
		return f.Reason
	}
	return fmt.Sprintf("case %d (%s): %s", f.Case, solver.AppendEscaped(nil, f.Source), f.Reason)
}

// quoted is text for a message: printable, on one line, and not too long.
func quoted(text []byte) string {
	const most = 60
	end := ""
	if len(text) > most {
		text, end = text[:most], "..."
	}
	return `"` + strings.ReplaceAll(string(solver.AppendEscaped(nil, text)), `"`, `\"`) + end + `"`
}
