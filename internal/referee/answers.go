package referee

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"idabatch/internal/solver"
)

// maxLine is the longest line of results that is read: no shortest solution
// comes near it, and a text without line ends must not fill the memory.
const maxLine = 1 << 20

// answers reads somebody's results, one by one: the two lines a case of the
// judge's output, or JSON lines with the keys case, status, depth, moves and
// symbol. What it is shows at the first character.
type answers struct {
	text   *solver.Scanner
	puzzle *solver.Puzzle
	begun  bool
	json   bool

	// The answer at hand.
	line   int64 // its first, from 1
	form   error // why it cannot be read, else nil and the following applies
	same   bool  // it is what was wanted, and the following does not apply
	result solver.Result
	depth  int // that JSON tells; -1: it does not

	first, second []byte // its lines
	held          bool   // second belongs to the next answer
	heldLine      int64
}

func newAnswers(p *solver.Puzzle, text *solver.Scanner) *answers {
	return &answers{text: text, puzzle: p}
}

// next reads the answer to c. Want is the right one in the judge's form. The
// error is io.EOF if there is no further answer, else the reader's.
func (a *answers) next(c *solver.Case, want []byte) error {
	a.form, a.same = nil, false
	if a.begun && !a.json && !a.held {
		if bytes.HasPrefix(a.text.Window(), want) {
			a.text.Advance(len(want), 2)
			a.same = true
			return nil
		}
	}
	empty, err := a.begin()
	if err != nil {
		return err
	}
	if a.json {
		a.parse(c)
		return nil
	}
	if err := a.pair(c, want); err != nil {
		return err
	}
	switch {
	case empty && a.form != nil:
		a.form = fmt.Errorf("%w, behind an empty line", a.form)
	case empty:
		a.form, a.same = errors.New("an empty line before it"), false
	}
	return nil
}

var errTooLong = errors.New("a line of more than " + Size(maxLine))

// begin takes the next line that is not empty, as the first of an answer.
func (a *answers) begin() (empty bool, err error) {
	if a.held {
		a.held, a.line = false, a.heldLine
		a.first, a.second = a.second, a.first
		return false, nil
	}
	for {
		a.line = a.text.Line()
		if a.first, err = a.readLine(a.first); err != nil {
			return false, err
		}
		if len(a.first) > 0 {
			break
		}
		empty = true
	}
	if !a.begun {
		a.begun = true
		a.json = a.first[0] == '{'
	}
	return empty, nil
}

// readLine reads a line into buf, without the blanks at its end.
func (a *answers) readLine(buf []byte) ([]byte, error) {
	line, err := a.text.ReadLine(buf[:0], maxLine+1)
	return bytes.TrimRight(line, " \t\v\f"), err
}

// pair reads the second line of an answer in the judge's form, and what both
// say.
func (a *answers) pair(c *solver.Case, want []byte) (err error) {
	a.heldLine = a.text.Line()
	if a.second, err = a.readLine(a.second); err != nil && err != io.EOF {
		return err
	}
	if len(a.first) > maxLine || len(a.second) > maxLine {
		a.form = errTooLong
		return nil
	}
	if a.is(want) {
		a.same = true
		return nil
	}
	lines, err := a.puzzle.ReadResult(&a.result, c, a.first, a.second)
	if a.held = lines == 1 && len(a.second) > 0; a.held || len(a.second) == 0 {
		a.form = wrap(err, a.first)
	} else {
		a.form = wrap(err, a.first, a.second)
	}
	return nil
}

// wrap adds to an error the lines that it is about.
func wrap(err error, lines ...[]byte) error {
	if err == nil {
		return nil
	}
	in := ": "
	for _, line := range lines {
		err = fmt.Errorf("%w%s%s", err, in, quoted(line))
		in = ", "
	}
	return err
}

// is tells whether the answer at hand is these two lines.
func (a *answers) is(lines []byte) bool {
	n, m := len(a.first), len(a.second)
	return len(lines) == n+1+m+1 &&
		string(lines[:n]) == string(a.first) && lines[n] == '\n' &&
		string(lines[n+1:n+1+m]) == string(a.second)
}

// object is the values of a JSON object that matter here, as text: strings
// without their quotes, everything else as it is written. What is absent or null
// is nil.
type object struct{ number, status, depth, moves, symbol []byte }

// at is the place for the value of a key, nil if the key does not matter.
func (o *object) at(key []byte) *[]byte {
	switch string(key) {
	case "case":
		return &o.number
	case "status":
		return &o.status
	case "depth":
		return &o.depth
	case "moves":
		return &o.moves
	case "symbol":
		return &o.symbol
	}
	return nil
}

// parse reads an answer that is a JSON object.
func (a *answers) parse(c *solver.Case) {
	a.result.Reset()
	a.depth = -1
	if len(a.first) > maxLine {
		a.form = errTooLong
		return
	}
	var o object
	var index [20]byte
	if !o.readPlain(a.first) {
		if o = (object{}); !o.read(a.first) {
			a.form = wrap(errors.New("no JSON object"), a.first)
			return
		}
	}
	switch {
	case o.number != nil && !bytes.Equal(o.number, strconv.AppendInt(index[:0], c.Index, 10)):
		a.form = fmt.Errorf("this is the answer to case %s", o.number)
	case o.status == nil && o.moves == nil:
		a.form = wrap(errors.New("neither moves nor status"), a.first)
	case o.status != nil && string(o.status) != solver.Solved.String():
		a.result.Status = solver.Unsolvable
	case len(bytes.Trim(o.moves, a.puzzle.Letters)) > 0:
		a.form = wrap(errors.New("no moves"), o.moves)
	case len(o.symbol) > 1:
		a.form = wrap(errors.New("no symbol"), o.symbol)
	default:
		a.result.Moves = append(a.result.Moves, o.moves...)
		if o.symbol != nil {
			a.result.Symbol = o.symbol[0]
		}
		if o.depth != nil {
			var err error
			if a.depth, err = strconv.Atoi(string(o.depth)); err != nil {
				a.form = wrap(errors.New("no depth"), o.depth)
			}
		}
	}
}

// readPlain reads an object as most are: no value but whole numbers and strings
// without escapes. Another, or no object at all, it leaves to read, which takes
// twenty times as long.
func (o *object) readPlain(text []byte) bool {
	i := 0
	skip := func(c byte) bool {
		if i < len(text) && text[i] == c {
			i++
			return true
		}
		return false
	}
	blanks := func() {
		for skip(' ') || skip('\t') {
		}
	}
	word := func() (s []byte, ok bool) { // behind its first quote
		start := i
		for i < len(text) && text[i] >= ' ' && text[i] < utf8.RuneSelf && text[i] != '"' && text[i] != '\\' {
			i++
		}
		return text[start:i], skip('"')
	}
	if !skip('{') {
		return false
	}
	for {
		blanks()
		if !skip('"') {
			return false
		}
		key, ok := word()
		if blanks(); !ok || !skip(':') {
			return false
		}
		blanks()
		var value []byte
		if skip('"') {
			if value, ok = word(); !ok {
				return false
			}
		} else {
			start := i
			for i < len(text) && '0' <= text[i] && text[i] <= '9' {
				i++
			}
			if value = text[start:i]; len(value) == 0 || len(value) > 1 && value[0] == '0' {
				return false
			}
		}
		if to := o.at(key); to != nil {
			*to = value
		}
		if blanks(); !skip(',') {
			return skip('}') && i == len(text)
		}
	}
}

// read reads any object.
func (o *object) read(text []byte) bool {
	var values map[string]json.RawMessage
	if json.Unmarshal(text, &values) != nil {
		return false
	}
	for key, value := range values {
		to := o.at([]byte(key))
		var s *string
		switch {
		case to == nil:
		case json.Unmarshal(value, &s) != nil:
			*to = value
		case s != nil:
			*to = []byte(*s)
		}
	}
	return true
}
