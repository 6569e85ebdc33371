// Package solver is the vocabulary of the engine: what a case, a result, a
// solver and a puzzle are. It imports nothing of ours, and no package below it
// starts a goroutine, reads a clock, draws an unseeded random number or prints.
//
// # IDA*
//
// Every textbook heuristic here is searched by iterative-deepening A* (Korf,
// 1985). A depth-first search visits the states whose f = g + h stays within a
// bound, where g is the number of moves made and h an admissible heuristic: one
// that never overestimates the moves that are left. If that finds no goal, the
// least f that was cut off is the next bound. The first bound is h of the
// start. So the first solution found is a shortest one; and because successors
// are tried in dictionary order, and no pruning rule ever removes the
// dictionary-first of the shortest solutions, it is that one.
//
// The search is split at its seam: [Deepen] is the outer loop, a few turns a
// case, shared by all puzzles; the inner depth-first search, hundreds of
// millions of steps, is concrete code in each puzzle's search.go.
//
// # What is counted
//
// A state is expanded when its successors are generated; a goal is not
// expanded. A successor is generated when a move that the pruning rule leaves
// is made, also if the bound cuts it off at once; the root is not generated.
// Successors are made one at a time, so when a search ends inside a state, at
// the solution or at a limit, the moves after that one were not generated.
// These are the counts of a plain search; a faster one must reach exactly them.
package solver

import "strconv"

// Case is one case of a corpus. It is its text: only its puzzle's package looks
// inside, and parsing it is part of solving it.
type Case struct {
	Index int64 // place in the whole corpus, from 1

	// Where it stands: in Source (a file as the user named it, "-" for standard
	// input, "seed=S" for random cases) on the lines First to Last, from 1. For
	// a random case both are its number.
	Source      string
	First, Last int64

	// Text is the case without its blanks, in the form its puzzle's Framer
	// gives it. Solve leaves a valid case in plain form: 24 digits, or
	// "START GOAL".
	Text []byte
}

// AppendSource appends where c stands, as "corpus.txt:17" or "seed=1:17".
func (c *Case) AppendSource(dst []byte) []byte {
	dst = append(dst, c.Source...)
	dst = append(dst, ':')
	return strconv.AppendInt(dst, c.First, 10)
}

// Status is how a case ended.
type Status uint8

// The statuses, in the order in which a summary lists them.
const (
	Solved     Status = iota
	Invalid           // the text is not a case
	Unsolvable        // no moves lead to the goal
	Limit             // Limits.MaxNodes was reached
	Timeout           // Limits.Stop said so
	NumStatuses
)

var statusNames = [NumStatuses]string{"solved", "invalid", "unsolvable", "limit", "timeout"}

func (s Status) String() string { return statusNames[s] }

// Iteration is what one iteration of the deepening did.
type Iteration struct {
	Bound               int
	Expanded, Generated int64
}

// Result is what became of one case. A worker uses one Result again and again:
// its slices are valid until the next Solve.
type Result struct {
	Status Status
	Moves  []byte // letters of the shortest, dictionary-first solution, if solved
	Symbol byte   // label of what the goal shows, '1' to '3' in rotation; 0: none

	// Searched tells whether a search took place: the fields below apply if and
	// only if it did (solved, limit, timeout).
	Searched            bool
	InitialBound        int
	Iterations          []Iteration
	Expanded, Generated int64 // sums over Iterations

	Detail string // why it is not solved; empty if it is
}

// Reset empties r and keeps its memory.
func (r *Result) Reset() {
	*r = Result{Moves: r.Moves[:0], Iterations: r.Iterations[:0]}
}

// SetInvalid makes r the result of a case that cannot be read, because of what
// stands on the given line of c's source.
func (r *Result) SetInvalid(c *Case, line int64, why string) {
	r.Status = Invalid
	r.Detail = c.Source + ":" + strconv.FormatInt(line, 10) + ": " + why
}

// Limits bound the work on one case. The zero value sets none.
type Limits struct {
	MaxNodes int64       // expansions allowed; 0: any number
	Stop     func() bool // asked every few milliseconds at the latest: true ends the search; may be nil
}

// Solver solves cases, one at a time; every worker has its own. A solver
// remembers nothing of one case that could change the result of another.
type Solver interface {
	// Solve reads c.Text, searches, and fills r, which it resets first. A text
	// that is no case gives Invalid. The result depends on c.Text and
	// lim.MaxNodes alone, unless lim.Stop ends it.
	Solve(c *Case, lim Limits, r *Result)
}

// Span is the first and last line of a case's text.
type Span struct{ First, Last int64 }

// Framer cuts a text into cases.
type Framer interface {
	// Next appends the text of the next case to dst. The error is io.EOF when
	// there is none, else the reader's; with an error nothing is appended. A
	// case that cannot be read is still a case: its text tells what is wrong
	// with it. The text is of bounded length, whatever the input.
	Next(dst []byte) (text []byte, at Span, err error)

	// Close is called once, after Next has returned io.EOF. More tells whether
	// something that is not blank stands behind the last case. It returns a
	// warning for the user, or "".
	Close(more bool) string
}

// Choice is one heuristic or pruning rule of a puzzle.
type Choice struct {
	Name string
	Doc  string // one line
	// Exact marks a heuristic that is the true distance: no search is needed,
	// and its single iteration says nothing.
	Exact bool
}

// Puzzle describes a puzzle to the rest of the engine. Everything a new puzzle
// has to supply is here.
type Puzzle struct {
	Name       string // as --puzzle takes it
	Title      string
	Origin     string // the judges that pose it
	Notation   string // for `batch puzzles NAME`: board, moves, input and output
	Letters    string // of the moves, in dictionary order
	Heuristics []Choice
	Prunings   []Choice // the default first, as in Heuristics

	// Recognize tells whether a text is of this puzzle. Line(k) is its k-th
	// line that is not blank, from 0, without the blanks around it; nil if
	// there is none. It must not ask for more lines than it needs: the next one
	// may not have been typed yet. A nil Recognize takes every text.
	Recognize func(line func(k int) []byte) bool

	// Frame starts cutting the text that s reads into cases.
	Frame func(s *Scanner) Framer

	// New makes a solver. The names are of Heuristics and Prunings.
	New func(heuristic, pruning string) Solver

	// Replay makes the moves, one by one, on the board of a case in plain form,
	// with code that the search does not use. It returns the Symbol of the goal
	// reached, or what is wrong.
	Replay func(plain, moves []byte) (symbol byte, err error)

	// AppendResult appends the two lines with which a judge's output tells r.
	AppendResult func(dst []byte, c *Case, r *Result) []byte

	// ReadResult reads what AppendResult has written, or another program: the
	// two lines that tell the result of c, without blanks behind them. It fills
	// r.Status, Solved or another, and r.Moves; the rest follows from these by
	// Replay and AppendResult. An error says what is wrong with the form; lines
	// is then 1 if the second line looks as if the next result began with it, else
	// 2. The first line is not empty; an empty second one may also be none at all.
	ReadResult func(r *Result, c *Case, first, second []byte) (lines int, err error)

	// Random appends case i, from 1, of a seed in plain form: a function of its
	// arguments alone. With scramble < 0 it is uniform over all cases with a
	// solution, else so many random moves from a uniform solved one.
	Random func(dst []byte, seed, i uint64, scramble int) []byte

	// A corpus in the judge's input format is AppendHeader, AppendCase for each
	// case in plain form, AppendFooter; n is the number of cases.
	AppendHeader func(dst []byte, n int64) []byte
	AppendCase   func(dst, plain []byte) []byte
	AppendFooter func(dst []byte) []byte

	// Drawing is how a case is drawn.
	Drawing *Drawing

	// Census is all states by depth; nil if they are too many to be counted.
	Census *Census
}

// Drawing tells how a case in plain form is drawn on a grid, and how a move
// changes it.
type Drawing struct {
	Cells []Cell // of the symbols, in the order of the plain form
	Marks []Mark // what stands around them; the letter of a move is lit when it is made
	Blank byte   // the symbol of an empty cell; 0: none is empty

	// Move makes one move on the plain form. The moves made must be a solution,
	// as Replay has it: nothing is checked.
	Move func(plain []byte, letter byte)
}

// Cell is the place of a symbol, from 0.
type Cell struct {
	Row, Col int  // a Row of -1: the symbol is not drawn
	Goal     bool // a part of what tells whether the goal is reached
}

// Mark is a text at a place of its own.
type Mark struct {
	Row, Col int
	Text     string
}

// Find returns the choice of that name, or nil.
func Find(choices []Choice, name string) *Choice {
	for i := range choices {
		if choices[i].Name == name {
			return &choices[i]
		}
	}
	return nil
}
