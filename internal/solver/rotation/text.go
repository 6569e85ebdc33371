package rotation

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"idabatch/internal/solver"
)

// boardSize is the number of symbols on a board, and so in a case.
const boardSize = 24

// rowSizes are the numbers of symbols in the rows of a board as it is drawn.
var rowSizes = [7]int{2, 2, 7, 2, 7, 2, 2}

// A framer cuts a text into cases, line by line:
//
//   - of a line with 24 symbols or more, each 24 are a case; what remains makes
//     one invalid case together with the 24 before it;
//   - seven shorter lines that look like a drawn board, with no eighth around
//     them, are a case; every other short line is one, an invalid one;
//   - a 0 alone where a case could start ends the text.
//
// The text of a case is its symbols, and a valid one has 24 bytes 1, 2 or 3.
// No line is held as a whole: at most 48 symbols of the present one, and the
// short lines before it while they look like a drawn board.
//
// A case is given out as soon as its end is known. After a read error those are
// exactly the first cases that the whole text would have had.
type framer struct {
	s   *solver.Scanner
	err error // what ended the text

	// The present line, without the cases that were already cut from it: at
	// least one is kept back until it is known whether a remainder follows.
	line  []byte
	n     int   // symbols in line
	first int   // bytes of the first 24 of them
	at    int64 // the line's number
	apart bool  // the last thing taken was no symbol
	zero  bool  // a 0 was taken where a case could start, and may be alone

	// Whole cases, and short lines of which it is not yet known what they are:
	// never both. Ready tells which.
	parts  []part
	text   []byte // of parts, together
	taken  int    // parts that were given out
	ready  bool
	broken bool // the short lines before this one are no drawn board
}

// A part is a piece of framer.text, from the end of the part before it.
type part struct {
	end int
	at  solver.Span
}

func newFramer(s *solver.Scanner) solver.Framer { return &framer{s: s, apart: true} }

func (f *framer) Next(dst []byte) ([]byte, solver.Span, error) {
	for {
		switch {
		case f.ready:
			text, at := f.take(dst)
			return text, at, nil
		case f.err != nil:
			return dst, solver.Span{}, f.err
		}
		if text, at, ok := f.fast(dst); ok {
			return text, at, nil
		}
		f.scan()
	}
}

func (f *framer) Close(more bool) string {
	if more {
		return "text after the 0 that ends the cases is ignored"
	}
	return ""
}

// take appends the next part that is ready.
func (f *framer) take(dst []byte) ([]byte, solver.Span) {
	p := f.parts[f.taken]
	start := 0
	if f.taken > 0 {
		start = f.parts[f.taken-1].end
	}
	dst = append(dst, f.text[start:p.end]...)
	if f.taken++; f.taken == len(f.parts) {
		f.parts, f.text, f.taken, f.ready = f.parts[:0], f.text[:0], 0, false
	}
	return dst, p.at
}

// scan goes on in the text until a case is ready or a line has ended.
func (f *framer) scan() {
	for !f.ready {
		f.inside()
		sym, kind, err := f.s.Next()
		if err != nil && err != io.EOF {
			f.err = err
			return
		}
		end := err == io.EOF
		if f.zero {
			f.zero = false
			if end = end || kind != solver.Symbol; !end {
				f.add('0')
			}
		}
		switch {
		case end:
			f.endLine()
			f.endGroup()
			f.err = io.EOF
			return
		case kind == solver.Newline:
			f.endLine()
			f.apart = true
			return
		case kind == solver.Blank:
			f.apart = true
		case f.apart && f.n%boardSize == 0 && sym[0] == '0':
			f.zero, f.apart = true, false
		default:
			f.add(sym...)
			f.apart = false
		}
	}
}

// inside does what scan does where nothing has to be decided, only faster: with
// plain symbols and blanks between the first symbol of a case and the last.
func (f *framer) inside() {
	w, i := f.s.Window(), 0
	for k := f.n % boardSize; 0 < k && k < boardSize-1 && i < len(w); i++ {
		c := w[i]
		if c > ' ' && c < utf8.RuneSelf {
			f.line = append(f.line, c)
			k++
			f.n++
		} else if c != ' ' && c != '\t' {
			break
		}
	}
	f.s.Advance(i, 0)
}

// add puts a symbol behind the others of its line.
func (f *framer) add(sym ...byte) {
	if f.n == 0 {
		f.at = f.s.Line()
	}
	f.line = append(f.line, sym...)
	f.n++
	switch f.n {
	case boardSize:
		f.first = len(f.line)
		f.endGroup()
	case 2 * boardSize:
		f.push(f.line[:f.first])
		f.ready = true
		f.line = f.line[:copy(f.line, f.line[f.first:])]
		f.n, f.first = boardSize, len(f.line)
	}
}

// push makes a part of some text of the present line.
func (f *framer) push(text []byte) {
	f.text = append(f.text, text...)
	f.parts = append(f.parts, part{len(f.text), solver.Span{First: f.at, Last: f.at}})
}

// endLine decides what the line that ends here is.
func (f *framer) endLine() {
	switch rows := len(f.parts); {
	case f.n == 0:
		f.endGroup()
		return
	case f.n >= boardSize:
		f.ready = true
	case f.broken || rows == len(rowSizes) || f.n != rowSizes[rows]:
		f.broken = true
		f.ready = true
	}
	f.push(f.line)
	f.line, f.n = f.line[:0], 0
}

// endGroup decides what the short lines are that stand together before this
// place.
func (f *framer) endGroup() {
	if rows := len(f.parts); rows == len(rowSizes) && !f.broken {
		last := f.parts[rows-1]
		last.at.First = f.parts[0].at.First
		f.parts = append(f.parts[:0], last)
	}
	f.ready = len(f.parts) > 0
	f.broken = false
}

// fast takes a case from what the scanner has at hand, if it is written as most
// are: a line of 24 digits with a space between each two or none, or 24 such
// digits in a long line.
func (f *framer) fast(dst []byte) (text []byte, at solver.Span, ok bool) {
	if len(f.parts) > 0 || f.n%boardSize != 0 {
		return dst, at, false
	}
	w := f.s.Window()
	if f.n == 0 {
		d, size := digits(w)
		if size == 0 {
			return dst, at, false
		}
		f.at = f.s.Line()
		f.broken = false
		if end := lineEnd(w[size:]); end > 0 {
			f.s.Advance(size+end, 1)
			return d.append(dst), solver.Span{First: f.at, Last: f.at}, true
		}
		f.hold(d, size)
		w = w[size:]
	}
	// A case is kept back. Is it whole? If this does not tell, scan will.
	at = solver.Span{First: f.at, Last: f.at}
	if end := lineEnd(w); end > 0 {
		f.s.Advance(end, 1)
		text = append(dst, f.line...)
		f.line, f.n, f.apart = f.line[:0], 0, true
		return text, at, true
	}
	gap := 0
	if len(w) > 0 && w[0] == ' ' {
		gap = 1
	}
	if d, size := digits(w[gap:]); size > 0 {
		text = append(dst, f.line...)
		f.hold(d, gap+size)
		return text, at, true
	}
	return dst, at, false
}

// hold keeps back a case that takes the next size bytes of the text.
func (f *framer) hold(d words, size int) {
	f.s.Advance(size, 0)
	f.line = d.append(f.line[:0])
	f.n, f.first, f.apart = boardSize, boardSize, false
}

// words are 24 symbols of one byte, eight in a word.
type words struct{ a, b, c uint64 }

func (d words) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, d.a)
	dst = binary.LittleEndian.AppendUint64(dst, d.b)
	return binary.LittleEndian.AppendUint64(dst, d.c)
}

// digits returns the 24 symbols at the beginning of w, and the bytes they take,
// if all are bytes from '0' to '?' and there is one space between each two, or
// none between any. A 0 that may be alone is left to scan. Size 0 says no.
func digits(w []byte) (d words, size int) {
	if len(w) < 2*boardSize {
		return d, 0
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(w[8*i:]) }
	if w[1] != ' ' {
		d = words{word(0), word(1), word(2)}
		const high, zeros = 0xF0F0F0F0F0F0F0F0, 0x3030303030303030
		if ((d.a^zeros)|(d.b^zeros)|(d.c^zeros))&high != 0 {
			return d, 0
		}
		return d, boardSize
	}
	const (
		high  = 0xFFF0FFF0FFF0FFF0 // of the symbols; all of the spaces
		zeros = 0x2030203020302030 // "0 0 0 0 "
		seven = 0x00FFFFFFFFFFFFFF // all but what follows the last symbol
	)
	x0, x1, x2, x3, x4, x5 := word(0), word(1), word(2), word(3), word(4), word(5)
	bad := (x0 ^ zeros) | (x1 ^ zeros) | (x2 ^ zeros) | (x3 ^ zeros) | (x4 ^ zeros) | (x5^zeros)&seven
	if bad&high != 0 || w[0] == '0' {
		return d, 0
	}
	d = words{
		squeeze(x0) | squeeze(x1)<<32,
		squeeze(x2) | squeeze(x3)<<32,
		squeeze(x4) | squeeze(x5)<<32,
	}
	return d, 2*boardSize - 1
}

// squeeze brings the bytes 0, 2, 4 and 6 of x together.
func squeeze(x uint64) uint64 {
	x &= 0x00FF00FF00FF00FF
	x = (x | x>>8) & 0x0000FFFF0000FFFF
	return (x | x>>16) & 0xFFFFFFFF
}

// lineEnd is the number of bytes to behind the end of the line, if nothing but
// spaces is before it and it is LF or CRLF; else 0.
func lineEnd(w []byte) int {
	for i, c := range w {
		switch {
		case c == '\n':
			return i + 1
		case c == '\r' && i+1 < len(w) && w[i+1] == '\n':
			return i + 2
		case c != ' ':
			return 0
		}
	}
	return 0
}

// check tells whether c is a board. If not, it makes r say why.
func check(c *solver.Case, r *solver.Result) bool {
	if t := c.Text; len(t) == boardSize {
		// Two bits tell the symbols apart: 01, 10, 11.
		const zeros, lows = 0x3030303030303030, 0x1515151515151515
		a := binary.LittleEndian.Uint64(t) ^ zeros
		b := binary.LittleEndian.Uint64(t[8:]) ^ zeros
		c := binary.LittleEndian.Uint64(t[16:]) ^ zeros
		all := a | b<<2 | c<<4
		odd, high := all&lows, all>>1&lows
		if (a|b|c)&0xFCFCFCFCFCFCFCFC == 0 &&
			bits.OnesCount64(odd) == 16 && // 1 and 3
			bits.OnesCount64(high) == 16 && // 2 and 3
			bits.OnesCount64(odd&high) == 8 { // 3
			return true
		}
	}
	line, why := fault(c)
	r.SetInvalid(c, line, why)
	return false
}

// fault says what is wrong with a case that is no board, and on which line.
func fault(c *solver.Case) (line int64, why string) {
	switch n := utf8.RuneCount(c.Text); n {
	case boardSize:
	case 1:
		return c.First, "1 symbol, want 24"
	default:
		return c.First, fmt.Sprintf("%d symbols, want 24", n)
	}
	var counts [3]int
	place, rest := 0, c.Text
	for len(rest) > 0 {
		_, n := utf8.DecodeRune(rest)
		sym := string(rest[:n])
		rest = rest[n:]
		place++
		if sym < "1" || sym > "3" {
			return lineOf(c, place), fmt.Sprintf("symbol %s at place %d, want 1, 2 or 3", strconv.Quote(sym), place)
		}
		counts[sym[0]-'1']++
	}
	return c.First, fmt.Sprintf("%d of symbol 1, %d of 2, %d of 3, want 8 of each", counts[0], counts[1], counts[2])
}

// lineOf is the line of the symbol at a place, from 1. A case on more than one
// line is a drawn board.
func lineOf(c *solver.Case, place int) int64 {
	if c.First == c.Last {
		return c.First
	}
	line := c.First
	for _, n := range rowSizes {
		if place <= n {
			break
		}
		place -= n
		line++
	}
	return line
}

// turns are the moves A to H, as the board is drawn: the cells of the line from
// the one at the letter to the last. Each takes the block of the next, the last
// that of the first.
var turns = [8][7]uint8{
	{0, 2, 6, 11, 15, 20, 22},
	{1, 3, 8, 12, 17, 21, 23},
	{10, 9, 8, 7, 6, 5, 4},
	{19, 18, 17, 16, 15, 14, 13},
	{23, 21, 17, 12, 8, 3, 1},
	{22, 20, 15, 11, 6, 2, 0},
	{13, 14, 15, 16, 17, 18, 19},
	{4, 5, 6, 7, 8, 9, 10},
}

// middle are the cells of the center.
var middle = [8]uint8{6, 7, 8, 11, 12, 15, 16, 17}

// makeTurn makes the move that a letter from A to H tells.
func makeTurn(b *[boardSize]byte, letter byte) {
	c := &turns[letter-'A']
	b[c[0]], b[c[1]], b[c[2]], b[c[3]], b[c[4]], b[c[5]], b[c[6]] =
		b[c[1]], b[c[2]], b[c[3]], b[c[4]], b[c[5]], b[c[6]], b[c[0]]
}

// replay makes the moves on a board of 24 symbols, and returns the one that
// then fills the center. It shares nothing with the search.
func replay(plain, moves []byte) (symbol byte, err error) {
	if len(plain) != boardSize {
		return 0, fmt.Errorf("%d symbols, want 24", len(plain))
	}
	b := [boardSize]byte(plain)
	for i, m := range moves {
		if m < 'A' || m > 'H' {
			return 0, fmt.Errorf("%q at place %d is no move, want A to H", m, i+1)
		}
		makeTurn(&b, m)
	}
	for _, cell := range middle {
		if b[cell] != b[middle[0]] {
			return 0, fmt.Errorf("symbols %q and %q in the center at the end, want one", b[middle[0]], b[cell])
		}
	}
	return b[middle[0]], nil
}

// noMoves stands in place of the moves of a solved board.
const noMoves = "No moves needed"

func appendResult(dst []byte, _ *solver.Case, r *solver.Result) []byte {
	switch {
	case r.Status != solver.Solved:
		dst = append(dst, r.Status.String()...)
		dst = append(dst, ": "...)
		dst = solver.AppendEscaped(dst, r.Detail)
		return append(dst, "\n0\n"...)
	case len(r.Moves) == 0:
		dst = append(dst, noMoves...)
	default:
		dst = append(dst, r.Moves...)
	}
	return append(dst, '\n', r.Symbol, '\n')
}

// readResult tells lines by their look, so that one that is lost or doubled
// spoils one result and not all behind it.
func readResult(r *solver.Result, _ *solver.Case, first, second []byte) (lines int, err error) {
	r.Reset()
	lines = 2
	if isSymbol(first) || beginsResult(second) {
		lines = 1
	}
	switch {
	case isSymbol(first):
		return lines, errors.New("the moves are missing")
	case !beginsResult(first):
		return lines, errors.New(`neither moves nor "` + noMoves + `"`)
	case !isSymbol(second):
		return lines, errors.New("the symbol of the center is missing")
	case isMoves(first):
		r.Moves = append(r.Moves, first...)
	case string(first) != noMoves:
		r.Status = solver.Unsolvable
	}
	return lines, nil
}

func isSymbol(line []byte) bool { return len(line) == 1 && '0' <= line[0] && line[0] <= '9' }

func isMoves(line []byte) bool { return len(line) > 0 && len(bytes.Trim(line, letters)) == 0 }

// beginsResult tells whether a line can be the first of a result.
func beginsResult(line []byte) bool {
	if isMoves(line) || string(line) == noMoves {
		return true
	}
	for s := range solver.NumStatuses {
		if why, ok := bytes.CutPrefix(line, []byte(s.String())); ok && bytes.HasPrefix(why, []byte(": ")) {
			return true
		}
	}
	return false
}

func appendHeader(dst []byte, _ int64) []byte { return dst }

func appendCase(dst, plain []byte) []byte {
	for i, sym := range plain {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, sym)
	}
	return append(dst, '\n')
}

func appendFooter(dst []byte) []byte { return append(dst, "0\n"...) }
