package solver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// token is a thing in a text, as a Scanner finds it: runs of blanks are one.
type token struct {
	Kind Kind
	Text string // of a Symbol
	Line int64
}

// slowTokens splits a whole text.
func slowTokens(text string) (tokens []token) {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	for i, line := range strings.SplitAfter(text, "\n") {
		no := int64(i + 1)
		for len(line) > 0 {
			_, n := utf8.DecodeRuneInString(line)
			sym := line[:n]
			line = line[n:]
			switch {
			case sym == "\n":
				tokens = append(tokens, token{Newline, "", no})
			case strings.Contains(" \t\v\f", sym):
				line = strings.TrimLeft(line, " \t\v\f")
				tokens = append(tokens, token{Blank, "", no})
			default:
				tokens = append(tokens, token{Symbol, sym, no})
			}
		}
	}
	return tokens
}

// allTokens takes everything from s.
func allTokens(s *Scanner) (tokens []token, err error) {
	for {
		line := s.Line()
		if len(s.Window()) == 0 {
			line = 0 // a BOM or the LF of a CRLF may come first
		}
		sym, kind, err := s.Next()
		if err != nil {
			return tokens, err
		}
		at := s.Line()
		if kind == Newline {
			at--
		}
		if line != 0 && line != at {
			return tokens, fmt.Errorf("line %d before and %d after %q", line, at, sym)
		}
		if n := len(tokens); kind == Blank && n > 0 && tokens[n-1].Kind == Blank {
			continue
		}
		tokens = append(tokens, token{kind, string(sym), at})
	}
}

// readers are ways in which a text may come.
var readers = []struct {
	name string
	make func(text string) io.Reader
}{
	{"at once", func(text string) io.Reader { return strings.NewReader(text) }},
	{"byte by byte", func(text string) io.Reader { return iotest.OneByteReader(strings.NewReader(text)) }},
	{"error with the last bytes", func(text string) io.Reader { return iotest.DataErrReader(strings.NewReader(text)) }},
	{"in random pieces", func(text string) io.Reader {
		return &piecesReader{strings.NewReader(text), rand.New(rand.NewPCG(1, 2))}
	}},
}

// piecesReader reads pieces of random length, now and then none.
type piecesReader struct {
	r    io.Reader
	rand *rand.Rand
}

func (r *piecesReader) Read(p []byte) (int, error) {
	return r.r.Read(p[:min(len(p), r.rand.IntN(8))])
}

var scannerTexts = []string{
	"",
	"\n",
	"0",
	"0\n",
	"1 2\n3",
	"1\r\n2\r\n\r\n3\r\n",
	"1\r2\r\r3\r",
	"\r\n\n\r\r\n\n\r",
	"1\n\r2",
	"\uFEFF1 2\n",
	"\uFEFF",
	"\uFEFF\r\n1",
	"\uFEFF\uFEFF1", // the second is a character
	"1\uFEFF2",
	"\xEF\xBB",
	"\xEF\xBB1",
	"\xEF1",
	"\xFF",
	"\xFE1",
	"\xFF\xFF",
	" \t \v\f1\t\t2 \n \n",
	"é€𝄞é\r\n€",
	"\xE2\x82",          // cut off
	"\xE2\x82 \xAC\xC3", // a blank within
	"\xC0\x80\xFF\xED\xA0\x80\xF5",
	"\x00",
	"\x00 1 2\n",
	"1\x00\n",
	"1\x00 2\x00\n3\x00",
	"\x001 \x002 \x003",
	"\x00\x00\x00\x00",
	"\x01\x1B\x7F\u0085\u00A0\u2028",
}

// shortBuffer is the length of newShortScanner's buffer.
const shortBuffer = 16

// newShortScanner returns a Scanner that must often read.
func newShortScanner(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, shortBuffer), line: 1}
}

func TestScannerFindsWhatIsThere(t *testing.T) {
	texts := slices.Clone(scannerTexts)
	// Longer than a buffer, with every kind of thing on its border.
	for _, piece := range []string{"€", "\r\n", "\r", "\n", "  ", "1 ", "\xE2", "𝄞\r\n"} {
		for shift := range 4 {
			texts = append(texts, strings.Repeat("1", shift)+strings.Repeat(piece, shortBuffer))
		}
	}
	for _, text := range texts {
		want := slowTokens(text)
		for _, r := range readers {
			s := newShortScanner(r.make(text))
			got, err := allTokens(s)
			if err != io.EOF {
				t.Errorf("%s, %q: %v", r.name, text, err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %q: (-want +got)\n%s", r.name, text, cmp.Diff(want, got))
			}
			if s.Taken() != int64(len(text)) {
				t.Errorf("%s, %q: %d bytes taken, want %d", r.name, text, s.Taken(), len(text))
			}
			if _, _, err := s.Next(); err != io.EOF {
				t.Errorf("%s, %q: %v behind the end, want EOF", r.name, text, err)
			}
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range scannerTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := slowTokens(text)
		for _, r := range readers {
			got, err := allTokens(newShortScanner(r.make(text)))
			if err == ErrUTF16 && looksLikeUTF16(text) {
				continue
			}
			if err != io.EOF {
				t.Fatalf("%s: %v", r.name, err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: (-want +got)\n%s", r.name, cmp.Diff(want, got))
			}
		}
	})
}

func looksLikeUTF16(text string) bool {
	return strings.HasPrefix(text, "\xFF\xFE") || strings.HasPrefix(text, "\xFE\xFF") ||
		len(text) >= 4 && strings.Count(text[:4], "\x00") == 2 && (text[0] == 0) == (text[2] == 0)
}

// utf16 writes an ASCII text in UTF-16; order tells which byte of a character
// is the zero.
func utf16(text string, zero int) string {
	var b []byte
	for _, c := range []byte(text) {
		char := [2]byte{c, c}
		char[zero] = 0
		b = append(b, char[:]...)
	}
	return string(b)
}

func TestScannerRefusesUTF16(t *testing.T) {
	const little, big = 1, 0
	for name, text := range map[string]string{
		"little endian":              utf16("1 2 3\n", little),
		"big endian":                 utf16("1 2 3\n", big),
		"little endian, mark":        "\xFF\xFE" + utf16("1 2 3\n", little),
		"big endian, mark":           "\xFE\xFF" + utf16("1 2 3\n", big),
		"a mark and nothing else":    "\xFF\xFE",
		"little endian, blank first": utf16(" 1 2", little),
		"big endian, line end first": utf16("\r\n1 2", big),
		"two characters":             utf16("0\n", little),
		"an umlaut second":           "1\x00\xE4\x00 \x00",
	} {
		for _, r := range readers {
			s := NewScanner(r.make(text))
			if line := s.PeekLine(0); line != nil {
				t.Errorf("%s, %s: PeekLine gives %q", name, r.name, line)
			}
			for range 2 {
				if sym, _, err := s.Next(); err != ErrUTF16 {
					t.Errorf("%s, %s: %q, %v, want %v", name, r.name, sym, err, ErrUTF16)
				}
			}
		}
	}
}

func TestScannerPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range scannerTexts {
		for cut := range len(text) + 1 {
			r := io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(broken))
			got, err := allTokens(NewScanner(r))
			if err != broken {
				t.Errorf("%q: error is %v, want the reader's", text[:cut], err)
			}
			if want := slowTokens(text[:cut]); !slices.Equal(got, want) {
				t.Errorf("%q: (-want +got)\n%s", text[:cut], cmp.Diff(want, got))
			}
		}
	}
}

// emptyReader never reads anything and never fails.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

func TestScannerGivesUpOnAnEmptyReader(t *testing.T) {
	if _, _, err := NewScanner(emptyReader{}).Next(); err != io.ErrNoProgress {
		t.Errorf("error is %v, want %v", err, io.ErrNoProgress)
	}
}

// typist is someone at a keyboard: each Read gives the next line. It fails the
// test when more is wanted than was allowed.
type typist struct {
	t       *testing.T
	lines   []string
	allowed int // lines that may be read
}

func (r *typist) Read(p []byte) (int, error) {
	if len(r.lines) == 0 {
		return 0, io.EOF
	}
	if r.allowed == 0 {
		r.t.Errorf("waits for %q too soon", r.lines[0])
	}
	r.allowed--
	n := copy(p, r.lines[0])
	r.lines = r.lines[1:]
	return n, nil
}

// The scanner must not ask for the next line before it has given out this one.
func TestScannerDoesNotReadAhead(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		r := &typist{t: t, lines: []string{"1 2" + end, "3" + end, end, "4" + end}}
		s := NewScanner(r)
		r.allowed = 1
		if line := s.PeekLine(0); string(line) != "1 2" {
			t.Errorf("line end %q: the first line is %q", end, line)
		}
		for k, wants := range [][]Kind{{Symbol, Blank, Symbol, Newline}, {Symbol, Newline}, {Newline}, {Symbol, Newline}} {
			if k > 0 {
				r.allowed = 1
			}
			for _, want := range wants {
				if _, kind, err := s.Next(); kind != want || err != nil {
					t.Errorf("line end %q, line %d: kind %d, %v, want kind %d", end, k+1, kind, err, want)
				}
			}
		}
	}
}

func TestPeekLine(t *testing.T) {
	long := strings.Repeat("1 ", shortBuffer/2-1) + "2"
	for _, test := range []struct {
		text string
		want []string // the lines, then ""
	}{
		{"", nil},
		{" \t\r\n\n \r", nil},
		{"1", []string{"1"}},
		{"1 2\n", []string{"1 2"}},
		{"\uFEFF 1 \t\n\n\t2\v\f\n", []string{"1", "2"}},
		{"\r\n\r\n1\r\n\r\n2\r\n3", []string{"1", "2", "3"}},
		{"\r1\r\r2\r", []string{"1", "2"}},
		{"\n1\n2\n3\n4\n", []string{"1", "2", "3", "4"}},
		{strings.Repeat(" \n", shortBuffer) + " 1 \n2", []string{"1", "2"}},
		{strings.Repeat(" ", shortBuffer+1) + "1 ", []string{"1"}},
		{long, []string{long}},
		{long + "3", []string{long + "3"}},
		{long + "34", []string{long + "3"}}, // cut at a buffer's length
		{long + "\n2\n", []string{long}},    // the second is farther away
		{"1\n" + long, []string{"1", long[:shortBuffer-2]}},
	} {
		for _, r := range readers {
			s := newShortScanner(r.make(test.text))
			for k, want := range append(test.want, "") {
				if got := string(s.PeekLine(k)); got != strings.TrimRight(want, " ") {
					t.Errorf("%q, %s: line %d is %q, want %q", test.text, r.name, k, got, want)
				}
			}
			// Nothing but blanks is gone.
			var got, want []token
			got, _ = allTokens(s)
			for _, token := range slowTokens(test.text) {
				if len(want) > 0 || token.Kind == Symbol {
					want = append(want, token)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, %s: what PeekLine leaves is not the text", test.text, r.name)
			}
		}
	}
}

func TestReadLine(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"\n", []string{""}},
		{"a", []string{"a"}},
		{"a\n", []string{"a"}},
		{"a\n\n", []string{"a", ""}},
		{"\uFEFF a b\t\r\n\r\nc\rd\n\re", []string{" a b\t", "", "c", "d", "", "e"}},
		{"12345678\n1234567890\r\n3", []string{"12345678", "12345678", "3"}},
	} {
		for _, read := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader} {
			s := NewScanner(read(strings.NewReader(test.text)))
			var got []string
			for i := int64(1); ; i++ {
				at := s.Line()
				line, err := s.ReadLine([]byte("> "), 8)
				if err != nil {
					if err != io.EOF || string(line) != "> " {
						t.Errorf("%q ends with %q, %v", test.text, line, err)
					}
					break
				}
				if at != i {
					t.Errorf("%q: line %d, want %d", test.text, at, i)
				}
				got = append(got, strings.TrimPrefix(string(line), "> "))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%q: (-want +got)\n%s", test.text, diff)
			}
		}
	}

	long := strings.Repeat("x", 3*bufferSize+5)
	s := NewScanner(strings.NewReader(long + "\n" + long))
	for range 2 {
		if line, err := s.ReadLine(nil, 1<<30); string(line) != long || err != nil {
			t.Errorf("a long line: %d bytes, %v, want %d", len(line), err, len(long))
		}
	}

	broken := errors.New("broken")
	s = NewScanner(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	for _, want := range []error{nil, broken, broken} {
		if _, err := s.ReadLine(nil, 8); err != want {
			t.Errorf("before an error: %v, want %v", err, want)
		}
	}
}

func TestRest(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		text string
		err  error
		more bool
		line int64
	}{
		{"", io.EOF, false, 1},
		{" \n \r\n\t", io.EOF, false, 3},
		{" 1", io.EOF, true, 1},
		{"\r\n\r\r1\n", io.EOF, true, 4},
		{"\n\x00", io.EOF, true, 2},
		{"\n", broken, false, 2},
		{"\n1", broken, true, 2}, // not read that far
	} {
		r := io.MultiReader(strings.NewReader(test.text), iotest.ErrReader(test.err))
		s := NewScanner(r)
		more, err := s.Rest()
		wantErr := test.err
		if test.more || test.err == io.EOF {
			wantErr = nil
		}
		if more != test.more || err != wantErr || s.Line() != test.line {
			t.Errorf("%q: %v, %v, line %d, want %v, %v, line %d", test.text, more, err, s.Line(), test.more, wantErr, test.line)
		}
	}
}

// A fast path looks at the window, takes a part of it, and goes on.
func TestWindowAndAdvance(t *testing.T) {
	s := NewScanner(strings.NewReader("1\r\n22\r\n33\n4"))
	if w := s.Window(); len(w) != 0 {
		t.Errorf("%q is at hand before the first read", w)
	}
	s.Next()
	s.Next()
	if w := s.Window(); string(w) != "22\r\n33\n4" { // without the LF of the CRLF
		t.Errorf("the window is %q", w)
	}
	s.Advance(7, 2)
	if w := s.Window(); string(w) != "4" || s.Line() != 4 || s.Taken() != 10 {
		t.Errorf("the window is %q, line %d, %d bytes taken", w, s.Line(), s.Taken())
	}
	if sym, kind, err := s.Next(); string(sym) != "4" || kind != Symbol || err != nil {
		t.Errorf("the next is %q, kind %d, %v", sym, kind, err)
	}
}

func TestScannerHoldsOneBuffer(t *testing.T) {
	const size = 1 << 20
	for _, piece := range []string{"1", " ", "\n", "€"} {
		r := io.LimitReader(&repeatReader{piece: piece}, size)
		if n := testing.AllocsPerRun(1, func() {
			s := NewScanner(r)
			s.PeekLine(0)
			for {
				if _, _, err := s.Next(); err != nil {
					break
				}
			}
		}); n > 5 {
			t.Errorf("%q over and over: %v allocations", piece, n)
		}
	}
}

// repeatReader reads the same piece over and over.
type repeatReader struct {
	piece string
	at    int
}

func (r *repeatReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.piece[r.at]
		if r.at++; r.at == len(r.piece) {
			r.at = 0
		}
	}
	return len(p), nil
}

func BenchmarkScanner(b *testing.B) {
	text := bytes.Repeat([]byte("1 2 3 1 2 3 1 2 3\n"), 10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := NewScanner(bytes.NewReader(text))
		for {
			if _, _, err := s.Next(); err != nil {
				break
			}
		}
	}
}
