package eight

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

// framed is all that a framer makes of a text.
type framed struct {
	Cases   []solver.Case
	Warning string
	Err     error
}

// frameAll frames what r reads.
func frameAll(r io.Reader) (all framed) {
	s := solver.NewScanner(r)
	f := newFramer(s)
	for {
		text, at, err := f.Next([]byte("before"))
		if err != nil {
			if string(text) != "before" {
				all.Err = fmt.Errorf("with %w: text %q", err, text)
				return all
			}
			if err != io.EOF {
				all.Err = err
				return all
			}
			break
		}
		all.Cases = append(all.Cases, solver.Case{
			Index:  int64(len(all.Cases) + 1),
			Source: "f", First: at.First, Last: at.Last,
			Text: bytes.TrimPrefix(text, []byte("before")),
		})
	}
	more, err := s.Rest()
	all.Warning, all.Err = f.Close(more), err
	return all
}

// slowFrame frames a whole text, as the documents tell it.
func slowFrame(text string) (all framed) {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	type line struct {
		no      int64
		symbols []string
		trimmed string
	}
	var lines []line
	for i, s := range strings.Split(text, "\n") {
		l := line{no: int64(i + 1), trimmed: strings.Trim(s, " \t\v\f")}
		for len(s) > 0 {
			_, n := utf8.DecodeRuneInString(s)
			if !strings.Contains(" \t\v\f", s[:n]) {
				l.symbols = append(l.symbols, s[:n])
			}
			s = s[n:]
		}
		if len(l.symbols) > 0 {
			l.symbols = l.symbols[:min(len(l.symbols), 25)]
			lines = append(lines, l)
		}
	}
	said, limit := "", len(text)
	if len(lines) > 0 && slowIsCount(lines[0].trimmed) {
		said = lines[0].trimmed
		lines = lines[1:]
		if digits := strings.TrimLeft(said, "0"); len(digits) < 10 {
			limit = 0
			fmt.Sscan(digits, &limit)
		}
	}
	for len(lines) > 0 && len(all.Cases) < limit {
		c := solver.Case{Index: int64(len(all.Cases) + 1), Source: "f", First: lines[0].no, Last: lines[0].no}
		c.Text = []byte(strings.Join(lines[0].symbols, ""))
		lines = lines[1:]
		if len(lines) > 0 {
			c.Text = fmt.Append(c.Text, " ", strings.Join(lines[0].symbols, ""))
			c.Last = lines[0].no
			lines = lines[1:]
		}
		all.Cases = append(all.Cases, c)
	}
	switch {
	case said != "" && len(all.Cases) < limit:
		all.Warning = fmt.Sprintf("the first line says %s cases, found %d", said, len(all.Cases))
	case len(lines) > 0:
		all.Warning = fmt.Sprintf("the first line says %s cases, ignoring the text after them", said)
	}
	return all
}

func slowIsCount(line string) bool {
	return line != "" && len(line) < 24 && strings.Trim(line, "0123456789") == "" && !slowIsBoard(line)
}

func slowIsBoard(line string) bool {
	var symbols []byte
	for _, c := range []byte(line) {
		switch {
		case c == ' ', c == '\t', c == '\v', c == '\f':
		case c == 'x', c == '0':
			symbols = append(symbols, 'X')
		default:
			symbols = append(symbols, c)
		}
	}
	for _, c := range []byte("12345678X") {
		if bytes.Count(symbols, []byte{c}) != 1 {
			return false
		}
	}
	return len(symbols) == 9
}

// compareFrames frames a text in several ways.
func compareFrames(t *testing.T, text string) {
	t.Helper()
	want := slowFrame(text)
	for name, r := range map[string]io.Reader{
		"at once":      strings.NewReader(text),
		"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"halves":       iotest.HalfReader(strings.NewReader(text)),
	} {
		got := frameAll(r)
		if errors.Is(got.Err, solver.ErrUTF16) {
			return
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%q, %s (-want +got):\n%s", text, name, cmp.Diff(want, got))
		}
	}
}

// tell is a case's result in one line.
func tell(s solver.Solver, c solver.Case) string {
	c.Text = bytes.Clone(c.Text)
	var r solver.Result
	s.Solve(&c, solver.Limits{}, &r)
	if r.Status != solver.Solved {
		return r.Status.String() + " " + r.Detail
	}
	if _, err := replay(c.Text, r.Moves); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s = %s", c.Text, r.Moves)
}

// inputs are texts as people have them, with what is to come of them.
var inputs = []struct {
	name, text string
	want       []string // results and, at the end, a warning
}{
	{"empty", "", nil},
	{"blanks", " \n\t\n\n", nil},
	{"sample", "2\n12X453786\n12345678X\n564178X23\n7568X4123\n", []string{
		"12X453786 12345678X = dd", "564178X23 7568X4123 = urrulldr"}},
	{"no count", "12X453786\n12345678X\n", []string{"12X453786 12345678X = dd"}},
	{"no final newline", "1\n12X453786\n12345678X", []string{"12X453786 12345678X = dd"}},
	{"blank lines", "\n\n1\n\n\n12X453786\n \t\n12345678X\n\n", []string{"12X453786 12345678X = dd"}},
	{"blanks between symbols", " 1 \n 1 2 X  4 5 3\t7 8 6 \n1 2 3 4 5 6 7 8 X\n", []string{"12X453786 12345678X = dd"}},
	{"other blanks", "120453786\n12345678x\n", []string{"12X453786 12345678X = dd"}},
	{"a start that looks like a number", "123456708\n123456780\n", []string{"1234567X8 12345678X = r"}},
	{"no moves", "12345678X\n123456780\n", []string{"12345678X 12345678X = "}},
	{"unsolvable", "812X43765\n12345678X\n1348X2765\n12345678X\n", []string{
		"unsolvable the number of inversions among the tiles is odd in the start and even in the goal, and no move changes that",
		"unsolvable the number of inversions among the tiles is odd in the start and even in the goal, and no move changes that"}},
	{"too few symbols", "12X45378\n12345678X\n12X453786\n1\n12X453786\n12345678X\n", []string{
		"invalid f:1: 8 symbols, want 9", "invalid f:4: 1 symbol, want 9", "12X453786 12345678X = dd"}},
	{"too many symbols", "12X4537866\n12345678X\n12X453786\n" + strings.Repeat("1", 24) + "\n" +
		strings.Repeat("1", 25) + "\n12345678X\n" + strings.Repeat("é", 1e5) + "\n\n12345678X\n", []string{
		"invalid f:1: 10 symbols, want 9", "invalid f:4: 24 symbols, want 9",
		"invalid f:5: more than 24 symbols, want 9", "invalid f:7: more than 24 symbols, want 9"}},
	{"two boards on a line", "12X453786 12345678X\n12X453786\n12345678X\n", []string{
		"invalid f:1: 18 symbols, want 9", "invalid f:3: the goal line is missing"}},
	{"a tile twice", "12X453785\n12345678X\n12X453786\n123456788\n", []string{
		"invalid f:1: tile 5 twice", "invalid f:4: tile 8 twice"}},
	{"two blanks", "12X45378x\n12345678X\n12X453786\n12345670X\n", []string{
		"invalid f:1: the blank twice", "invalid f:4: the blank twice"}},
	{"wrong symbols", "12X453789\n12345678X\n12X453786\n1234567é8\n12X4537\x006\n12345678X\nX2345678\xFF\n12345678X\n", []string{
		`invalid f:1: symbol "9" at place 9, want 1 to 8 or X`,
		`invalid f:4: symbol "é" at place 8, want 1 to 8 or X`,
		`invalid f:5: symbol "\x00" at place 8, want 1 to 8 or X`,
		`invalid f:7: symbol "\xff" at place 9, want 1 to 8 or X`}},
	{"no last goal", "2\n12X453786\n12345678X\n\n564178X23\n\n", []string{
		"12X453786 12345678X = dd", "invalid f:5: the goal line is missing"}},
	{"a bad line has a partner", "12X453786\n12345678X\nabc\n12345678X\n12X453786\n12345678X\n", []string{
		"12X453786 12345678X = dd", "invalid f:3: 3 symbols, want 9", "12X453786 12345678X = dd"}},
	{"count too large", "3\n12X453786\n12345678X\n", []string{
		"12X453786 12345678X = dd", "the first line says 3 cases, found 1"}},
	{"count too small", "1\n12X453786\n12345678X\n564178X23\n7568X4123\n", []string{
		"12X453786 12345678X = dd", "the first line says 1 cases, ignoring the text after them"}},
	{"count 0", "0\n", nil},
	{"count 0 and a case", "0\n12X453786\n12345678X\n", []string{"the first line says 0 cases, ignoring the text after them"}},
	{"a count of 23 digits", "00000000000000000000001\n12X453786\n12345678X\nx", []string{
		"12X453786 12345678X = dd", "the first line says 00000000000000000000001 cases, ignoring the text after them"}},
	{"a huge count", "99999999999999999999999\n12X453786\n12345678X\n", []string{
		"12X453786 12345678X = dd", "the first line says 99999999999999999999999 cases, found 1"}},
	{"24 digits are no count", "000000000000000000000001\n12345678X\n", []string{"invalid f:1: 24 symbols, want 9"}},
	{"a count with a blank is none", "1 0\n12345678X\n", []string{"invalid f:1: 2 symbols, want 9"}},
	{"a count alone", "7", []string{"the first line says 7 cases, found 0"}},
}

func TestInputs(t *testing.T) {
	s := newSolver("exact", "inverse")
	for _, tt := range inputs {
		variants := map[string]string{
			"as it is": tt.text,
			"CRLF":     strings.ReplaceAll(tt.text, "\n", "\r\n"),
			"CR":       strings.ReplaceAll(tt.text, "\n", "\r"),
			"BOM":      "\uFEFF" + tt.text,
		}
		for variant, text := range variants {
			compareFrames(t, text)
			for name, r := range map[string]io.Reader{
				"at once":      strings.NewReader(text),
				"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
			} {
				all := frameAll(r)
				var got []string
				for _, c := range all.Cases {
					got = append(got, tell(s, c))
				}
				if all.Warning != "" {
					got = append(got, all.Warning)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" || all.Err != nil {
					t.Errorf("%s, %s, %s: error %v (-want +got):\n%s", tt.name, variant, name, all.Err, diff)
				}
			}
		}
	}
}

// TestFrameMixtures frames random mixtures of what lines are made of.
func TestFrameMixtures(t *testing.T) {
	pieces := []string{"12X453786\n", "12X453786\r\n", "12345678X\n", "12345678X", "\n", "\r", "\r\n", " ", "\t", "0", "2\n", "3\r\n",
		"1", "x", "é", "\xff", "\x00", "\x7f", "\u0080", "123456789", "1234567890\n", "\uFEFF"}
	r := rand.New(rand.NewPCG(5, 1))
	for range 1500 {
		var text strings.Builder
		for range r.IntN(12) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		compareFrames(t, text.String())
	}
	// And a text that is longer than a scanner's buffer.
	var text strings.Builder
	for range 30000 {
		text.WriteString(pieces[r.IntN(4)])
		if r.IntN(50) == 0 {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
	}
	compareFrames(t, text.String())
}

// TestInteractive checks that a case is given out without reading on.
func TestInteractive(t *testing.T) {
	for _, text := range []string{
		"2\n12X453786\n12345678X\n",
		"12X453786\r\n1 2 3 4 5 6 7 8 X\r\n",
		"\n12X453786\n\n12345678X\r",
	} {
		over := errors.New("read on")
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			f := newFramer(solver.NewScanner(io.MultiReader(r, iotest.ErrReader(over))))
			got, _, err := f.Next(nil)
			if string(got) != "12X453786 12345678X" || err != nil {
				t.Errorf("%q: %q, %v", text, got, err)
			}
			if _, _, err = f.Next(nil); err != over {
				t.Errorf("%q: then %v, want %v", text, err, over)
			}
		}
	}
	r := io.MultiReader(strings.NewReader("1\n12X453786\n12345678X\n"), iotest.ErrReader(errors.New("read on")))
	f := newFramer(solver.NewScanner(r))
	if _, _, err := f.Next(nil); err != nil {
		t.Error(err)
	}
	if _, _, err := f.Next(nil); err != io.EOF {
		t.Errorf("after the last case: %v, want %v", err, io.EOF)
	}
}

// TestReadError checks that an error drops a case that is not yet whole.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for text, whole := range map[string]int{
		"":                                  0,
		"5":                                 0,
		"5\n12X453786":                      0,
		"5\n12X453786\n12345678":            0,
		"5\n12X453786\n12345678X\n":         1,
		"5\n12X453786\n12345678X\n1":        1,
		"12X453786\n12345678X\n12345678X\n": 1,
	} {
		got := frameAll(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if len(got.Cases) != whole || got.Err != broken {
			t.Errorf("%q: %d cases, %v; want %d, %v", text, len(got.Cases), got.Err, whole, broken)
		}
	}
}

func TestRecognize(t *testing.T) {
	for _, tt := range []struct {
		lines []string
		want  bool
		asked int // lines it needs
	}{
		{nil, false, 1},
		{[]string{"0"}, false, 2},
		{[]string{"12X453786"}, true, 1},
		{[]string{"1 2 x 4 5 3\t7 8 6"}, true, 1},
		{[]string{"120453786"}, true, 1},
		{[]string{"2", "12X453786"}, true, 2},
		{[]string{"00000000000000000000002", "12X453786"}, true, 2},
		{[]string{"000000000000000000000002", "12X453786"}, false, 1},
		{[]string{"2", "12X45378"}, false, 2},
		{[]string{"2", "3", "12X453786"}, false, 2},
		{[]string{"1 2", "12X453786"}, false, 1},
		{[]string{"12X45378"}, false, 1},
		{[]string{"12X453788"}, false, 1},
		{[]string{"12345678X\x00"}, false, 1},
		{[]string{"1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3"}, false, 1},
	} {
		asked := 0
		got := Puzzle.Recognize(func(k int) []byte {
			asked = max(asked, k+1)
			if k < len(tt.lines) {
				return []byte(tt.lines[k])
			}
			return nil
		})
		if got != tt.want || asked != tt.asked {
			t.Errorf("%q: %v, asked for %d lines; want %v, %d", tt.lines, got, asked, tt.want, tt.asked)
		}
	}
}

func TestReplay(t *testing.T) {
	for _, tt := range []struct{ plain, moves, err string }{
		{"12X453786 12345678X", "dd", ""},
		{"564178X23 7568X4123", "urrulldr", ""},
		{"12345678X 12345678X", "", ""},
		{"12345678X 12345678X", "ud", ""},
		{"12X453786 12345678X", "d", "the moves end at 12345X786, want 12345678X"},
		{"12X453786 12345678X", "ddd", `'d' at place 3 leaves the board`},
		{"12X453786 12345678X", "dr", `'r' at place 2 leaves the board`},
		{"X12345678 X12345678", "l", `'l' at place 1 leaves the board`},
		{"X12345678 X12345678", "u", `'u' at place 1 leaves the board`},
		{"12X453786 12345678X", "dD", `'D' at place 2 is no move, want d, l, r or u`},
		{"12X453786", "dd", `"12X453786" is not a case in plain form`},
		{"12345678x 12345678X", "dd", `"12345678x 12345678X" is not a case in plain form`},
	} {
		symbol, err := Puzzle.Replay([]byte(tt.plain), []byte(tt.moves))
		if fmt.Sprint(err) != tt.err && (err != nil || tt.err != "") || symbol != 0 {
			t.Errorf("%s, %q: %d, %v, want %s", tt.plain, tt.moves, symbol, err, tt.err)
		}
	}
}

func TestAppendResult(t *testing.T) {
	for _, tt := range []struct {
		r    solver.Result
		want string
	}{
		{solver.Result{Moves: []byte("dd")}, "Case 17: 2\ndd\n"},
		{solver.Result{}, "Case 17: 0\n\n"},
		{solver.Result{Status: solver.Invalid, Detail: "f\n:1: 8 symbols, want 9"}, "Case 17: -1\ninvalid: f\\n:1: 8 symbols, want 9\n"},
		{solver.Result{Status: solver.Limit, Detail: "stopped"}, "Case 17: -1\nlimit: stopped\n"},
	} {
		if got := string(Puzzle.AppendResult([]byte("<"), &solver.Case{Index: 17}, &tt.r)); got != "<"+tt.want {
			t.Errorf("%+v: %q, want %q", tt.r, got, tt.want)
		}
	}
}

func TestReadResult(t *testing.T) {
	const (
		noTitle = `no "Case 17: " with the number of moves`
		noMoves = "the line with the moves is missing"
		letters = "moves other than d, l, r and u"
	)
	for _, tt := range []struct {
		first, second string
		lines         int
		status        solver.Status
		moves, err    string
	}{
		{"Case 17: 2", "dd", 2, solver.Solved, "dd", ""},
		{"Case 17: 8", "urrulldr", 2, solver.Solved, "urrulldr", ""},
		{"Case 17: 0", "", 2, solver.Solved, "", ""},
		{"Case 17: 2", "d", 2, solver.Solved, "d", ""}, // that the number is wrong is not a matter of form
		{"Case 17: 2", "", 2, solver.Solved, "", ""},
		{"Case 17: -1", "invalid: f:1: 8 symbols, want 9", 2, solver.Unsolvable, "", ""},
		{"Case 17: -1", "", 2, solver.Unsolvable, "", ""},

		{"Case 17: 0", "Case 18: 2", 1, 0, "", noMoves},
		{"Case 17: -1", "Case 18: 2", 1, 0, "", noMoves},
		{"Case 16: 2", "dd", 2, 0, "", noTitle},
		{"Case 017: 2", "dd", 2, 0, "", noTitle},
		{"Case 17:2", "dd", 2, 0, "", noTitle},
		{"case 17: 2", "dd", 2, 0, "", noTitle},
		{"dd", "Case 18: 2", 1, 0, "", noTitle},
		{"2", "dd", 2, 0, "", noTitle},
		{"Case 17: ", "dd", 2, 0, "", `"" for the number of moves`},
		{"Case 17: -1", "dd", 2, 0, "", `"-1" for the number of moves`},
		{"Case 17: 2.0", "dd", 2, 0, "", `"2.0" for the number of moves`},
		{"Case 17: 2", "DD", 2, 0, "", letters},
		{"Case 17: 3", "d d", 2, 0, "", letters},
		{"Case 17: 8", "unsolvable: x", 2, 0, "", letters},
	} {
		r := solver.Result{Status: solver.Limit, Moves: []byte("uu")}
		lines, err := Puzzle.ReadResult(&r, &solver.Case{Index: 17}, []byte(tt.first), []byte(tt.second))
		if err == nil && (r.Status != tt.status || string(r.Moves) != tt.moves) ||
			lines != tt.lines || (err != nil || tt.err != "") && fmt.Sprint(err) != tt.err {
			t.Errorf("%q, %q: %d lines, %+v, %v, want %+v", tt.first, tt.second, lines, r, err, tt)
		}
	}
}

// TestSample runs the judge's sample.
func TestSample(t *testing.T) {
	in, err := os.ReadFile("../../../testdata/eight/sample.in")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../testdata/eight/sample.out")
	if err != nil {
		t.Fatal(err)
	}
	for _, heuristic := range Puzzle.Heuristics {
		for _, pruning := range Puzzle.Prunings {
			s := newSolver(heuristic.Name, pruning.Name)
			var out []byte
			var r solver.Result
			for _, c := range frameAll(bytes.NewReader(in)).Cases {
				s.Solve(&c, solver.Limits{}, &r)
				out = appendResult(out, &c, &r)
			}
			if !bytes.Equal(out, want) {
				t.Errorf("%s, %s: %q, want %q", heuristic.Name, pruning.Name, out, want)
			}
		}
	}
}

func FuzzFrame(f *testing.F) {
	for _, tt := range inputs {
		f.Add(tt.text)
		f.Add(strings.ReplaceAll(tt.text, "\n", "\r\n"))
	}
	f.Fuzz(func(t *testing.T, text string) { compareFrames(t, text) })
}

func FuzzParse(f *testing.F) {
	for _, tt := range inputs {
		for _, c := range slowFrame(tt.text).Cases {
			f.Add(c.Text)
		}
	}
	s := newSolver("exact", "inverse")
	f.Fuzz(func(t *testing.T, text []byte) {
		c := solver.Case{Source: "f", First: 1, Last: 2, Text: bytes.Clone(text)}
		var r solver.Result
		s.Solve(&c, solver.Limits{}, &r)
		start, goal, both := bytes.Cut(text, []byte(" "))
		valid := both && len(text) == 19 && slowIsBoard(string(start)) && slowIsBoard(string(goal)) && bytes.IndexByte(goal, ' ') < 0
		if valid == (r.Status == solver.Invalid) {
			t.Fatalf("%q: %v %s", text, r.Status, r.Detail)
		}
		if !valid {
			if r.Detail == "" || !utf8.ValidString(r.Detail) || len(r.Detail) > 100 {
				t.Fatalf("%q: detail %q", text, r.Detail)
			}
			return
		}
		plain := strings.NewReplacer("x", "X", "0", "X").Replace(string(text))
		if string(c.Text) != plain {
			t.Fatalf("%q became %q", text, c.Text)
		}
		if r.Status == solver.Solved {
			if _, err := replay(c.Text, r.Moves); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestCheckWrites: what a check makes of a text is what cases.csv shows, also of
// an invalid case.
func TestCheckWrites(t *testing.T) {
	for text, want := range map[string]string{
		"12x453786 123456780": "12X453786 12345678X",
		"12x453786 1234567xx": "12X453786 1234567xx",
		"1234567xx 12345678x": "1234567xx 12345678x",
		"12x45378 12345678x":  "12x45378 12345678x",
	} {
		c := &solver.Case{Text: []byte(text)}
		new(pair).check(c, new(solver.Result))
		if string(c.Text) != want {
			t.Errorf("%s becomes %s, want %s", text, c.Text, want)
		}
	}
}
