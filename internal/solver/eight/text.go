package eight

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"idabatch/internal/solver"
)

// bad is the tile of a byte that stands for none.
const bad = 15

// tileOf is the tile that a byte of a text stands for; 0 is the blank.
var tileOf = func() (tiles [256]uint8) {
	for c := range tiles {
		tiles[c] = bad
	}
	for _, c := range []byte("0Xx") {
		tiles[c] = 0
	}
	for c := byte('1'); c <= '8'; c++ {
		tiles[c] = c - '0'
	}
	return tiles
}()

// allTiles is the set of the tiles 0 to 8.
const allTiles = 1<<cells - 1

// isBoard tells whether a line shows a board.
func isBoard(line []byte) bool {
	n, seen := 0, 0
	for _, c := range line {
		if c != ' ' && (c < '\t' || c > '\r') {
			n++
			seen |= 1 << tileOf[c]
		}
	}
	return n == cells && seen == allTiles
}

// isCount tells whether a first line is the number of cases.
func isCount(line []byte) bool {
	return len(line) > 0 && len(line) < 24 && !isBoard(line) &&
		len(bytes.TrimLeft(line, "0123456789")) == 0
}

func recognize(line func(k int) []byte) bool {
	first := line(0)
	return isBoard(first) || isCount(first) && isBoard(line(1))
}

// maxSymbols is how many symbols of a line are kept: one more than a message
// ever counts.
const maxSymbols = 25

// A framer cuts a text into cases. The text of a case is that of its start, a
// space and that of its goal; without a space the text ended before the goal.
type framer struct {
	s      *solver.Scanner
	begun  bool
	said   string // the number of cases as the first line has it, or ""
	count  int64  // the same
	framed int64  // cases so far
}

func newFramer(s *solver.Scanner) solver.Framer { return &framer{s: s, count: math.MaxInt64} }

func (f *framer) Next(dst []byte) (text []byte, at solver.Span, err error) {
	if !f.begun {
		f.begun = true
		f.takeCount()
	}
	if f.framed == f.count {
		return dst, at, io.EOF
	}
	if w := f.s.Window(); len(w) > 0 {
		if start := shortLine(w); start > 0 {
			if goal := shortLine(w[start:]); goal > 0 {
				at.First = f.s.Line()
				at.Last = at.First + 1
				dst = append(dst, w[:cells]...)
				dst = append(dst, ' ')
				dst = append(dst, w[start:start+cells]...)
				f.s.Advance(start+goal, 2)
				f.framed++
				return dst, at, nil
			}
		}
	}
	text, at.First, err = f.line(dst)
	if err != nil {
		return dst, solver.Span{}, err
	}
	end := len(text)
	text, at.Last, err = f.line(append(text, ' '))
	switch {
	case err == io.EOF:
		text, at.Last = text[:end], at.First
	case err != nil:
		return dst, solver.Span{}, err
	}
	f.framed++
	return text, at, nil
}

// takeCount takes the first line, if it is a number.
func (f *framer) takeCount() {
	line := f.s.PeekLine(0)
	if !isCount(line) {
		return
	}
	f.said = string(line)
	f.count, _ = strconv.ParseInt(f.said, 10, 64) // the largest there is if it is out of range
	for {
		if _, kind, err := f.s.Next(); err != nil || kind == solver.Newline {
			return // an error comes again
		}
	}
}

// shortLine is the length of the line with which text begins, line end
// included, if that is LF or CRLF and the rest nine ASCII characters that are
// no blanks; else it is 0.
func shortLine(text []byte) int {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	if len(text) < cells+1 {
		return 0
	}
	w := binary.LittleEndian.Uint64(text)
	last := text[cells-1]
	if w&high != 0 || (w+(0x7F-' ')*ones)&high != high || last <= ' ' || last >= utf8.RuneSelf {
		return 0
	}
	switch {
	case text[cells] == '\n':
		return cells + 1
	case text[cells] == '\r' && len(text) > cells+1 && text[cells+1] == '\n':
		return cells + 2
	}
	return 0
}

// line appends the symbols of the next line that has any.
func (f *framer) line(dst []byte) (text []byte, line int64, err error) {
	text = dst
	for n := 0; ; {
		here := f.s.Line()
		sym, kind, err := f.s.Next()
		switch {
		case err == io.EOF && n > 0:
			return text, line, nil
		case err != nil:
			return dst, 0, err
		case kind == solver.Newline && n > 0:
			return text, line, nil
		case kind == solver.Symbol:
			line = here
			if n++; n <= maxSymbols {
				text = append(text, sym...)
			}
		}
	}
}

func (f *framer) Close(more bool) string {
	switch {
	case f.said != "" && f.framed < f.count:
		return fmt.Sprintf("the first line says %s cases, found %d", f.said, f.framed)
	case more:
		return fmt.Sprintf("the first line says %s cases, ignoring the text after them", f.said)
	}
	return ""
}

// check fills p from a case, whose text it leaves in plain form. If that is no
// case, check writes so into r and returns false.
func (p *pair) check(c *solver.Case, r *solver.Result) bool {
	if text := c.Text; len(text) == 2*cells+1 && text[cells] == ' ' {
		if p.start.parse(text[:cells]) && p.goal.parse(text[cells+1:]) {
			return true
		}
	}
	start, goal, both := bytes.Cut(c.Text, []byte(" "))
	switch why := fault(start); {
	case why != "":
		r.SetInvalid(c, c.First, why)
	case !both:
		r.SetInvalid(c, c.Last, "the goal line is missing")
	default:
		r.SetInvalid(c, c.Last, fault(goal))
	}
	return false
}

// parse reads the nine symbols of a board, and writes the blank as X.
func (b *board) parse(text []byte) bool {
	*b = 0
	seen := 0
	for i, c := range text[:cells] {
		tile := tileOf[c]
		*b |= board(tile) << (tileBits * i & 63)
		seen |= 1 << (tile & 15)
	}
	if seen != allTiles {
		return false
	}
	text[b.blank()] = 'X'
	return true
}

// fault tells why symbols are no board; "" if they are one.
func fault(symbols []byte) string {
	switch n := utf8.RuneCount(symbols); {
	case n >= maxSymbols:
		return fmt.Sprintf("more than %d symbols, want %d", maxSymbols-1, cells)
	case n == 1:
		return fmt.Sprintf("1 symbol, want %d", cells)
	case n != cells:
		return fmt.Sprintf("%d symbols, want %d", n, cells)
	}
	seen := 0
	for place := 1; len(symbols) > 0; place++ {
		_, n := utf8.DecodeRune(symbols)
		tile := tileOf[symbols[0]]
		switch {
		case tile == bad:
			return fmt.Sprintf("symbol %q at place %d, want 1 to 8 or X", symbols[:n], place)
		case seen>>tile&1 == 0:
			seen |= 1 << tile
		case tile == 0:
			return "the blank twice"
		default:
			return fmt.Sprintf("tile %d twice", tile)
		}
		symbols = symbols[n:]
	}
	return ""
}

// outside is no cell.
const outside = 9

// neighbors has, for each cell and letter, the cell to which the blank goes.
var neighbors = func() (neighbors [9][256]uint8) {
	for cell := range neighbors {
		row, col := cell/3, cell%3
		for letter := range neighbors[cell] {
			neighbors[cell][letter] = outside
		}
		if row < 2 {
			neighbors[cell]['d'] = uint8(cell + 3)
		}
		if col > 0 {
			neighbors[cell]['l'] = uint8(cell - 1)
		}
		if col < 2 {
			neighbors[cell]['r'] = uint8(cell + 1)
		}
		if row > 0 {
			neighbors[cell]['u'] = uint8(cell - 3)
		}
	}
	return neighbors
}()

// replay makes the moves on the start of a case in plain form, and looks whether
// that ends at the goal. It shares nothing with the search.
func replay(plain, moves []byte) (symbol byte, err error) {
	blank := bytes.IndexByte(plain, 'X')
	if len(plain) != 19 || blank < 0 || blank >= 9 {
		return 0, fmt.Errorf("%q is not a case in plain form", plain)
	}
	board, goal := [9]byte(plain), [9]byte(plain[10:])
	for i, m := range moves {
		cell := int(neighbors[blank][m])
		if cell == outside {
			if bytes.IndexByte([]byte("dlru"), m) < 0 {
				return 0, fmt.Errorf("%q at place %d is no move, want d, l, r or u", m, i+1)
			}
			return 0, fmt.Errorf("%q at place %d leaves the board", m, i+1)
		}
		board[blank] = board[cell]
		blank = cell
	}
	board[blank] = 'X'
	if board != goal {
		return 0, fmt.Errorf("the moves end at %s, want %s", board, goal)
	}
	return 0, nil
}

// caseWord is what a result begins with.
const caseWord = "Case "

// appendTitle appends what a result says before the number of moves.
func appendTitle(dst []byte, c *solver.Case) []byte {
	dst = append(dst, caseWord...)
	dst = strconv.AppendInt(dst, c.Index, 10)
	return append(dst, ": "...)
}

func appendResult(dst []byte, c *solver.Case, r *solver.Result) []byte {
	dst = appendTitle(dst, c)
	if r.Status == solver.Solved {
		dst = strconv.AppendInt(dst, int64(len(r.Moves)), 10)
		dst = append(dst, '\n')
		dst = append(dst, r.Moves...)
	} else {
		dst = append(dst, "-1\n"...)
		dst = append(dst, r.Status.String()...)
		dst = append(dst, ": "...)
		dst = solver.AppendEscaped(dst, r.Detail)
	}
	return append(dst, '\n')
}

// readResult takes a line that looks like the first of a result for one.
func readResult(r *solver.Result, c *solver.Case, first, second []byte) (lines int, err error) {
	r.Reset()
	lines = 2
	if bytes.HasPrefix(second, []byte(caseWord)) {
		lines = 1
	}
	title := appendTitle(nil, c)
	number, ok := bytes.CutPrefix(first, title)
	switch isMoves := len(bytes.Trim(second, letters)) == 0; {
	case !ok:
		return lines, fmt.Errorf("no %q with the number of moves", title)
	case lines == 1:
		return lines, errors.New("the line with the moves is missing")
	case string(number) == "-1" && (len(second) == 0 || !isMoves):
		r.Status = solver.Unsolvable
	case !isMoves:
		return lines, errors.New("moves other than d, l, r and u")
	case len(number) == 0 || len(bytes.Trim(number, "0123456789")) > 0:
		return lines, fmt.Errorf("%q for the number of moves", number)
	}
	if r.Status == solver.Solved {
		r.Moves = append(r.Moves, second...)
	}
	return lines, nil
}

func appendHeader(dst []byte, n int64) []byte { return append(strconv.AppendInt(dst, n, 10), '\n') }

func appendCase(dst, plain []byte) []byte {
	dst = append(dst, plain[:cells]...)
	dst = append(dst, '\n')
	dst = append(dst, plain[cells+1:]...)
	return append(dst, '\n')
}

func appendFooter(dst []byte) []byte { return dst }
