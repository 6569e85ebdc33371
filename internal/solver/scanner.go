package solver

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// ErrUTF16 is a Scanner's error for a text in that encoding.
var ErrUTF16 = errors.New("the text is UTF-16; convert it to UTF-8 first")

// Kind is what a Scanner finds.
type Kind uint8

// The kinds of things in a text.
const (
	Symbol  Kind = iota // one character that is no blank
	Blank               // spaces, tabs, form feeds, vertical tabs
	Newline             // LF, CR or CRLF
)

// Scanner reads the text of a corpus character by character. It knows lines and
// blanks, and no puzzle. It holds one buffer of the text and reads only when
// that is used up, so it never waits for input it could do without.
type Scanner struct {
	r     io.Reader
	buf   []byte
	i, j  int   // buf[i:j] is read and not yet taken
	line  int64 // of buf[i], from 1
	taken int64 // bytes before buf[i]
	cr    bool  // the last byte taken was a CR: an LF behind it belongs to it
	begun bool
	err   error // the reader's, once it has given one
}

// bufferSize is that of a Scanner: large enough that a system call is cheap a
// case, small enough to stay in a core's cache.
const bufferSize = 128 << 10

// NewScanner returns a Scanner that reads from r.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, bufferSize), line: 1}
}

// Line is the line of the next character, from 1.
func (s *Scanner) Line() int64 { return s.line }

// Taken is the number of bytes of text before the next character.
func (s *Scanner) Taken() int64 { return s.taken }

// Window is the text that is at hand without reading: maybe none. It is for
// fast paths: look, then Advance.
func (s *Scanner) Window() []byte {
	if s.cr && s.i < s.j {
		s.dropLF()
	}
	return s.buf[s.i:s.j]
}

// Advance takes n bytes of Window, in which lines LF or CRLF ends stand; the
// last byte must not be a CR.
func (s *Scanner) Advance(n int, lines int64) {
	s.i += n
	s.taken += int64(n)
	s.line += lines
}

func (s *Scanner) dropLF() {
	s.cr = false
	if s.buf[s.i] == '\n' {
		s.Advance(1, 0)
	}
}

// fill reads once more behind what is not yet taken. It returns false at the
// end of the text, or if there is no room.
func (s *Scanner) fill() bool {
	if s.err != nil {
		return false
	}
	if s.i > 0 {
		s.j = copy(s.buf, s.buf[s.i:s.j])
		s.i = 0
	}
	if s.j == len(s.buf) {
		return false
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.j:])
		s.j += n
		s.err = err
		if n > 0 {
			return s.begun || s.begin()
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// begin looks at the first bytes: it drops a byte order mark and refuses
// UTF-16, with a mark or without.
func (s *Scanner) begin() bool {
	s.begun = true
	enough := func(n int) bool {
		for s.j < n && s.fill() {
		}
		return s.j >= n
	}
	b := s.buf
	switch first := b[0]; {
	case first < utf8.RuneSelf:
		if enough(2) && (first == 0) != (b[1] == 0) &&
			enough(4) && (b[2] == 0) == (first == 0) && (b[3] == 0) == (b[1] == 0) {
			s.err, s.j = ErrUTF16, 0
		}
	case first == 0xEF:
		if enough(3) && b[1] == 0xBB && b[2] == 0xBF {
			s.Advance(3, 0)
		}
	case first == 0xFF || first == 0xFE:
		if enough(2) && b[1] == first^1 {
			s.err, s.j = ErrUTF16, 0
		}
	}
	return s.i < s.j || s.fill()
}

// Next takes the next thing in the text. For a Symbol, sym is its bytes, one
// UTF-8 character or one byte that is none, valid until the next call. A run of
// blanks may come as more than one Blank. At the end err is io.EOF; any other
// error is the reader's.
func (s *Scanner) Next() (sym []byte, kind Kind, err error) {
	if len(s.Window()) == 0 {
		for s.fill() && len(s.Window()) == 0 {
		}
		if s.i == s.j {
			return nil, 0, s.err
		}
	}
	c := s.buf[s.i]
	switch {
	case c > ' ' && c < utf8.RuneSelf:
		s.Advance(1, 0)
		return s.buf[s.i-1 : s.i], Symbol, nil
	case isBlank(c):
		n := 1
		for s.i+n < s.j && isBlank(s.buf[s.i+n]) {
			n++
		}
		s.Advance(n, 0)
		return nil, Blank, nil
	case c == '\n' || c == '\r':
		s.Advance(1, 1)
		s.cr = c == '\r'
		return nil, Newline, nil
	}
	for !utf8.FullRune(s.buf[s.i:s.j]) && s.fill() {
	}
	_, n := utf8.DecodeRune(s.buf[s.i:s.j])
	s.Advance(n, 0)
	return s.buf[s.i-n : s.i], Symbol, nil
}

// ReadLine takes the rest of the line, and appends it without its end to dst,
// or no more than its first max bytes. The last line of a text may have no end;
// an empty one without an end is none.
func (s *Scanner) ReadLine(dst []byte, max int) ([]byte, error) {
	for any := false; ; any = true {
		w := s.Window()
		for len(w) == 0 {
			if !s.fill() {
				if any && s.err == io.EOF {
					return dst, nil
				}
				return dst, s.err
			}
			w = s.Window()
		}
		end := 0
		for end < len(w) && w[end] != '\n' && w[end] != '\r' {
			end++
		}
		n := min(end, max)
		dst = append(dst, w[:n]...)
		max -= n
		if end < len(w) {
			s.Advance(end+1, 1)
			s.cr = w[end] == '\r'
			return dst, nil
		}
		s.Advance(end, 0)
	}
}

// Rest takes the blanks that follow. It tells whether something else stands
// behind them; Line is then the line of that.
func (s *Scanner) Rest() (more bool, err error) {
	for {
		_, kind, err := s.Next()
		switch {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, err
		case kind == Symbol:
			return true, nil
		}
	}
}

// PeekLine returns the k-th line that is not blank, from 0, without the blanks
// around it, and takes nothing but blanks before the first. It is nil if there
// is no such line within a buffer's length; a line that does not end there is
// cut. It is valid until the next call.
func (s *Scanner) PeekLine(k int) []byte {
	w := s.Window()
	for ; len(w) == 0 || isBlank(w[0]) || w[0] == '\n' || w[0] == '\r'; w = s.Window() {
		if len(w) > 0 {
			s.Next() // cannot fail: the window is not empty
		} else if !s.fill() {
			return nil
		}
	}
	for seen := 0; ; {
		w = s.Window()
		if bytes.ContainsAny(w[seen:], "\r\n") {
			if line, whole := nthLine(w, k); whole {
				return line
			}
		}
		seen = len(w)
		if !s.fill() {
			line, _ := nthLine(s.Window(), k)
			return line
		}
	}
}

// nthLine is the k-th line of text that is not blank, and whether its end is
// there too.
func nthLine(text []byte, k int) (line []byte, whole bool) {
	for len(text) > 0 {
		end := bytes.IndexAny(text, "\r\n")
		if whole = end >= 0; !whole {
			end = len(text)
		}
		if line = bytes.Trim(text[:end], " \t\v\f"); len(line) > 0 {
			if k == 0 {
				return line, whole
			}
			k--
		}
		text = text[min(end+1, len(text)):]
	}
	return nil, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }
