package rotation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

// framed is a case as a framer gives it, and what check says about it.
type framed struct {
	First, Last int64
	Text        string
	Fault       string // line and reason
}

// frameAll takes all cases of a text.
func frameAll(r io.Reader) (cases []framed, warning string, err error) {
	s := solver.NewScanner(r)
	f := newFramer(s)
	var text []byte
	var res solver.Result
	for {
		var at solver.Span
		text, at, err = f.Next(text[:0])
		if err != nil {
			break
		}
		if n := utf8.RuneCount(text); n > 2*boardSize-1 {
			return cases, "", fmt.Errorf("case %d has %d symbols", len(cases)+1, n)
		}
		one := framed{at.First, at.Last, string(text), ""}
		c := solver.Case{Source: "F", First: at.First, Last: at.Last, Text: text}
		res.Reset()
		if !check(&c, &res) {
			one.Fault = strings.TrimPrefix(res.Detail, "F:")
		}
		cases = append(cases, one)
	}
	if len(text) > 0 {
		return cases, "", fmt.Errorf("%q was appended beside the error %w", text, err)
	}
	if _, _, again := f.Next(nil); again != err {
		return cases, "", fmt.Errorf("error %v first, then %v", err, again)
	}
	if err != io.EOF {
		return cases, "", err
	}
	more, err := s.Rest()
	return cases, f.Close(more), err
}

const (
	one   = "111132323132231222312133" // the judge's
	two   = "111111112222222233333333"
	three = "111133222332233222331111"
)

// spaced puts a blank between each two symbols.
func spaced(text string) string { return strings.Join(strings.Split(text, ""), " ") }

// drawn draws a board as it looks, on seven lines.
func drawn(b string) string {
	return strings.Join([]string{
		"      " + b[0:1] + "   " + b[1:2],
		"      " + b[2:3] + "   " + b[3:4],
		"  " + spaced(b[4:11]),
		"      " + b[11:12] + "   " + b[12:13],
		"  " + spaced(b[13:20]),
		"      " + b[20:21] + "   " + b[21:22],
		"      " + b[22:23] + "   " + b[23:24],
	}, "\n") + "\n"
}

// rows are the lines of a drawn board as they look without blanks.
func rows(b string) []string {
	return strings.Fields(strings.ReplaceAll(strings.ReplaceAll(drawn(b), " ", ""), "\n", " "))
}

func good(line int64, text string) framed { return framed{line, line, text, ""} }
func bad(line int64, text, why string) framed {
	return framed{line, line, text, fmt.Sprint(line, ": ", why)}
}

// short are cases of one short line each.
func short(line int64, texts ...string) (cases []framed) {
	for i, text := range texts {
		n := utf8.RuneCountInString(text)
		why := fmt.Sprintf("%d symbols, want 24", n)
		if n == 1 {
			why = "1 symbol, want 24"
		}
		cases = append(cases, bad(line+int64(i), text, why))
	}
	return cases
}

const ignored = "text after the 0 that ends the cases is ignored"

var framings = []struct {
	name    string
	text    string
	want    []framed
	warning string
}{
	// What must be read.
	{"the judge's sample", spaced(one) + "\n" + spaced(two) + "\n0\n", []framed{good(1, one), good(2, two)}, ""},
	{"tabs", strings.ReplaceAll(spaced(one), " ", "\t") + "\n", []framed{good(1, one)}, ""},
	{"double spaces", strings.ReplaceAll(spaced(one), " ", "  ") + "\n", []framed{good(1, one)}, ""},
	{"blanks around", " \t" + spaced(one) + " \v\f\n " + spaced(two) + " \n", []framed{good(1, one), good(2, two)}, ""},
	{"leading blank lines", "\n  \n\n" + spaced(one) + "\n", []framed{good(4, one)}, ""},
	{"blank lines between", spaced(one) + "\n\n\t\n" + spaced(two) + "\n", []framed{good(1, one), good(4, two)}, ""},
	{"a blank line before every case", "\n" + spaced(one) + "\n\n" + spaced(two) + "\n\n0\n", []framed{good(2, one), good(4, two)}, ""},
	{"two boards on one line", spaced(one) + "  " + spaced(two) + "\n0\n", []framed{good(1, one), good(1, two)}, ""},
	{"the whole file on one line", spaced(one+two+three) + " 0", []framed{good(1, one), good(1, two), good(1, three)}, ""},
	{"a drawn board", drawn(one), []framed{{1, 7, one, ""}}, ""},
	{"a drawn board and a 0", drawn(one) + "0\n", []framed{{1, 7, one, ""}}, ""},
	{"a drawn board between others", spaced(two) + "\n" + drawn(one) + spaced(three) + "\n", []framed{good(1, two), {2, 8, one, ""}, good(9, three)}, ""},
	{"drawn boards with blank lines between", "\n" + drawn(one) + " \n" + drawn(two) + "\n", []framed{{2, 8, one, ""}, {10, 16, two, ""}}, ""},
	{"a drawn board without blanks", strings.Join(rows(one), "\n"), []framed{{1, 7, one, ""}}, ""},
	{"24 digits without blanks", one + "\n" + two + "\n", []framed{good(1, one), good(2, two)}, ""},
	{"48 digits without blanks", one + two + "\n", []framed{good(1, one), good(1, two)}, ""},
	{"digits with some blanks", one[:7] + " " + one[7:] + two[:5] + "\t" + two[5:] + "\n", []framed{good(1, one), good(1, two)}, ""},
	{"no final 0", spaced(one) + "\n", []framed{good(1, one)}, ""},
	{"no final newline", spaced(one), []framed{good(1, one)}, ""},
	{"a final 0 without newline", spaced(one) + "\n0", []framed{good(1, one)}, ""},
	{"only a 0", "0", nil, ""},
	{"a 0 and a newline", "0\n", nil, ""},
	{"a 0 in blanks", "\n \t0 \n\n", nil, ""},
	{"empty", "", nil, ""},
	{"blank", " \n\n\t", nil, ""},

	// Where a 0 ends the cases, and where it does not.
	{"text after the final 0", spaced(one) + "\n0\nhello\n" + spaced(two), []framed{good(1, one)}, ignored},
	{"text on the line of the final 0", spaced(one) + "\n0 " + spaced(two), []framed{good(1, one)}, ignored},
	{"text after a 0 on the line of a case", spaced(one) + " 0 1\n", []framed{good(1, one)}, ignored},
	{"another 0", "0\n0\n", nil, ignored},
	{"blanks after the final 0", spaced(one) + "\n0\n \n\t\r\n", []framed{good(1, one)}, ""},
	{"a 0 within a case", spaced(one[:10]) + " 0 " + spaced(one[11:]), []framed{bad(1, one[:10]+"0"+one[11:], `symbol "0" at place 11, want 1, 2 or 3`)}, ""},
	{"a 0 behind a part of a case", "1 0\n" + spaced(one), append(short(1, "10"), good(2, one)), ""},
	{"a 0 with something behind", "01 1\n00\n0x 2\n", short(1, "011", "00", "0x2"), ""},
	{"a 0 with something before", spaced(one) + "0 0\n", []framed{bad(1, one+"00", "26 symbols, want 24")}, ""},
	{"a 0 that begins 24 digits", "0" + one[1:] + "\n", []framed{bad(1, "0"+one[1:], `symbol "0" at place 1, want 1, 2 or 3`)}, ""},
	{"a 0 that begins the second case of a line", spaced(one) + " 0" + spaced(two[1:]) + "\n", []framed{good(1, one), bad(1, "0"+two[1:], `symbol "0" at place 1, want 1, 2 or 3`)}, ""},
	{"a 0 behind a remainder", spaced(one) + " 1 0\n", []framed{bad(1, one+"10", "26 symbols, want 24")}, ""},
	{"a 0 behind short lines", "1 2\n1\n0\n3", short(1, "12", "1"), ignored},
	{"a 0 in a drawn board", strings.Join(rows(one)[:4], "\n") + "\n0\n" + strings.Join(rows(one)[4:], "\n"), short(1, rows(one)[:4]...), ignored},
	{"an O", spaced(one) + "\nO\n", append([]framed{good(1, one)}, short(2, "O")...), ""},

	// What must be refused, with its line.
	{"23 symbols", spaced(one) + "\n" + spaced(two[1:]) + "\n" + spaced(three) + "\n", slices.Concat([]framed{good(1, one)}, short(2, two[1:]), []framed{good(3, three)}), ""},
	{"25 symbols", spaced(one) + "\n" + spaced(two+"1") + "\n" + spaced(three) + "\n", slices.Concat([]framed{good(1, one)}, short(2, two+"1"), []framed{good(3, three)}), ""},
	{"47 symbols", spaced(one + two[1:]), short(1, one+two[1:]), ""},
	{"49 symbols", spaced(one+two+"3") + "\n" + three, slices.Concat([]framed{good(1, one)}, short(1, two+"3"), []framed{good(2, three)}), ""},
	{"71 symbols", one + two + three[1:], slices.Concat([]framed{good(1, one)}, short(1, two+three[1:])), ""},
	{"1 symbol", "\n1\n", short(2, "1"), ""},
	{"22 symbols", "1" + strings.Repeat(" 1", 21), short(1, strings.Repeat("1", 22)), ""},
	{"a symbol 4", spaced("4" + one[1:]), []framed{bad(1, "4"+one[1:], `symbol "4" at place 1, want 1, 2 or 3`)}, ""},
	{"a symbol 4 at the end", spaced(one[:23] + "4"), []framed{bad(1, one[:23]+"4", `symbol "4" at place 24, want 1, 2 or 3`)}, ""},
	{"counts 9 8 7", spaced(two[:23] + "1"), []framed{bad(1, two[:23]+"1", "9 of symbol 1, 8 of 2, 7 of 3, want 8 of each")}, ""},
	{"counts 8 9 7", two[:23] + "2", []framed{bad(1, two[:23]+"2", "8 of symbol 1, 9 of 2, 7 of 3, want 8 of each")}, ""},
	{"counts 0 16 8", strings.Repeat("2", 8) + two[8:], []framed{bad(1, strings.Repeat("2", 8)+two[8:], "0 of symbol 1, 16 of 2, 8 of 3, want 8 of each")}, ""},
	{"a NUL byte", spaced("11\x00" + one[3:]), []framed{bad(1, "11\x00"+one[3:], `symbol "\x00" at place 3, want 1, 2 or 3`)}, ""},
	{"NUL bytes only", "\x00\x00\x00", short(1, "\x00\x00\x00"), ""},
	{"characters of many bytes", spaced("é€𝄞" + one[3:]), []framed{bad(1, "é€𝄞"+one[3:], `symbol "é" at place 1, want 1, 2 or 3`)}, ""},
	{"more of them than 24", strings.Repeat("𝄞", 50), slices.Concat([]framed{bad(1, strings.Repeat("𝄞", 24), `symbol "𝄞" at place 1, want 1, 2 or 3`)}, short(1, strings.Repeat("𝄞", 26))), ""},
	{"bytes that are no characters", "\xFF " + spaced(one[1:]), []framed{bad(1, "\xFF"+one[1:], `symbol "\xff" at place 1, want 1, 2 or 3`)}, ""},
	{"no-break spaces", "1\u00A0" + one[2:], []framed{bad(1, "1\u00A0"+one[2:], `symbol "\u00a0" at place 2, want 1, 2 or 3`)}, ""},
	{"a second byte order mark", "1\uFEFF" + one[2:], []framed{bad(1, "1\uFEFF"+one[2:], `symbol "\ufeff" at place 2, want 1, 2 or 3`)}, ""},

	// Drawn boards that are none.
	{"a drawn board that lost a row", spaced(one) + "\n" + strings.Join(rows(two)[:6], "\n") + "\n\n" + spaced(three), slices.Concat([]framed{good(1, one)}, short(2, rows(two)[:6]...), []framed{good(9, three)}), ""},
	{"a drawn board that lost a row within", strings.Join(slices.Delete(rows(two), 2, 3), "\n") + "\n", short(1, slices.Delete(rows(two), 2, 3)...), ""},
	{"a drawn board with a symbol too few", strings.Join(rows(two)[:6], "\n") + "\n3\n", short(1, append(rows(two)[:6], "3")...), ""},
	{"a drawn board with a symbol too few, no newline", strings.Join(rows(two)[:6], "\n") + "\n3", short(1, append(rows(two)[:6], "3")...), ""},
	{"a drawn board with a line too many", strings.Join(rows(two), "\n") + "\n33\n", short(1, append(rows(two), "33")...), ""},
	{"a drawn board with a line before", "33\n" + strings.Join(rows(two), "\n"), short(1, append([]string{"33"}, rows(two)...)...), ""},
	{"two drawn boards without a blank line", drawn(one) + drawn(two), short(1, append(rows(one), rows(two)...)...), ""},
	{"a drawn board after another line", "1\n\n" + drawn(one), append(short(1, "1"), framed{3, 9, one, ""}), ""},
	{"a drawn board in two parts", strings.Join(rows(two)[:3], "\n") + "\n\n" + strings.Join(rows(two)[3:], "\n"), append(short(1, rows(two)[:3]...), short(5, rows(two)[3:]...)...), ""},
	{"a drawn board in two parts around a case", strings.Join(rows(two)[:3], "\n") + "\n" + one + "\n" + strings.Join(rows(two)[3:], "\n"), slices.Concat(short(1, rows(two)[:3]...), []framed{good(4, one)}, short(5, rows(two)[3:]...)), ""},
	{"a drawn board with a symbol 4", drawn("4" + two[1:]), []framed{{1, 7, "4" + two[1:], `1: symbol "4" at place 1, want 1, 2 or 3`}}, ""},
	{"a drawn board with a symbol 4 further down", "\n" + drawn(two[:11]+"4"+two[12:]), []framed{{2, 8, two[:11] + "4" + two[12:], `5: symbol "4" at place 12, want 1, 2 or 3`}}, ""},
	{"a drawn board with a symbol 4 at the end", drawn(two[:23] + "4"), []framed{{1, 7, two[:23] + "4", `7: symbol "4" at place 24, want 1, 2 or 3`}}, ""},
	{"a drawn board with counts 9 8 7", "\n" + drawn("1111111122222222333333"+"13"), []framed{{2, 8, "111111112222222233333313", "2: 9 of symbol 1, 8 of 2, 7 of 3, want 8 of each"}}, ""},
	{"many short lines", strings.Repeat("11\n", 20), short(1, slices.Repeat([]string{"11"}, 20)...), ""},
}

// encodings are ways in which the same text may be written and may come.
var encodings = []struct {
	name string
	make func(text string) io.Reader
}{
	{"plain", func(text string) io.Reader { return strings.NewReader(text) }},
	{"byte by byte", func(text string) io.Reader { return iotest.OneByteReader(strings.NewReader(text)) }},
	{"error with the last bytes", func(text string) io.Reader { return iotest.DataErrReader(strings.NewReader(text)) }},
	{"CRLF", func(text string) io.Reader { return strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")) }},
	{"CRLF, byte by byte", func(text string) io.Reader {
		return iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
	}},
	{"CR", func(text string) io.Reader { return strings.NewReader(strings.ReplaceAll(text, "\n", "\r")) }},
	{"byte order mark", func(text string) io.Reader { return strings.NewReader("\uFEFF" + text) }},
	{"byte order mark and CRLF, byte by byte", func(text string) io.Reader {
		return iotest.OneByteReader(strings.NewReader("\uFEFF" + strings.ReplaceAll(text, "\n", "\r\n")))
	}},
}

func TestFrame(t *testing.T) {
	for _, test := range framings {
		for _, e := range encodings {
			if strings.Contains(test.text, "\r") && strings.Contains(e.name, "CR") {
				continue
			}
			got, warning, err := frameAll(e.make(test.text))
			if err != nil {
				t.Errorf("%s, %s: %v", test.name, e.name, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s, %s: (-want +got)\n%s", test.name, e.name, diff)
			}
			if warning != test.warning {
				t.Errorf("%s, %s: warning %q, want %q", test.name, e.name, warning, test.warning)
			}
		}
	}
}

func TestFrameRefusesUTF16(t *testing.T) {
	text := "\xFF\xFE"
	for _, c := range []byte(spaced(one)) {
		text += string([]byte{c, 0})
	}
	if cases, _, err := frameAll(strings.NewReader(text)); len(cases) > 0 || err != solver.ErrUTF16 {
		t.Errorf("%d cases, %v, want none and %v", len(cases), err, solver.ErrUTF16)
	}
}

// slowFrame cuts a whole text into cases, line by line, as the rules say it.
func slowFrame(text string) (cases []framed, ended bool) {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")

	var lines [][]string // the symbols of each
	for _, line := range strings.Split(text, "\n") {
		var symbols []string
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\v\f", r) }) {
			if ended = word == "0" && len(symbols)%24 == 0; ended {
				break
			}
			for len(word) > 0 {
				_, n := utf8.DecodeRuneInString(word)
				symbols = append(symbols, word[:n])
				word = word[n:]
			}
		}
		lines = append(lines, symbols)
		if ended {
			break
		}
	}

	emit := func(first, last int, symbols ...string) {
		cases = append(cases, framed{First: int64(first + 1), Last: int64(last + 1), Text: strings.Join(symbols, "")})
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if len(line) >= 24 {
			for len(line) >= 48 {
				emit(i, i, line[:24]...)
				line = line[24:]
			}
			emit(i, i, line...)
			continue
		}
		// The short lines that stand together from here, and how long they are.
		end, shape := i, ""
		for end < len(lines) && len(lines[end]) > 0 && len(lines[end]) < 24 {
			shape += fmt.Sprint(len(lines[end]), " ")
			end++
		}
		if shape == "2 2 7 2 7 2 2 " {
			emit(i, end-1, slices.Concat(lines[i:end]...)...)
		} else {
			for k := i; k < end; k++ {
				emit(k, k, lines[k]...)
			}
		}
		i = max(i, end-1)
	}
	return cases, ended
}

// withoutFaults is what slowFrame can tell.
func withoutFaults(cases []framed) []framed {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Fault = ""
	}
	return cases
}

// The slow framer is worth something only if it agrees with the table.
func TestSlowFrame(t *testing.T) {
	for _, test := range framings {
		got, _ := slowFrame(test.text)
		if diff := cmp.Diff(withoutFaults(test.want), got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

// randomText mixes all kinds of lines.
func randomText(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	symbols := func(n int) (text []string) {
		for range n {
			text = append(text, pick("1", "2", "3"))
		}
		if n > 0 && r.IntN(8) == 0 {
			text[r.IntN(n)] = pick("0", "0", "4", "é", "\x00", "\xE2", "?", "~")
		}
		return text
	}
	drawing := func() string {
		lines := make([]string, len(rowSizes))
		for i, n := range rowSizes {
			lines[i] = strings.Join(symbols(n), pick(" ", "", "\t"))
		}
		if r.IntN(4) == 0 {
			k := r.IntN(len(lines))
			lines[k] = strings.Join(symbols(r.IntN(30)), " ")
		}
		return strings.Join(lines, "\n")
	}
	eol := pick("\n", "\r\n", "\r")
	var b strings.Builder
	for range r.IntN(12) {
		var line string
		switch r.IntN(12) {
		case 0:
			line = pick("", " ", "\t ", "0 1", "00", "1 0")
		case 1, 2:
			line = drawing()
		case 3:
			line = strings.Join(symbols(r.IntN(100)), pick(" ", ""))
		case 4:
			line = strings.Join(symbols(24*r.IntN(5)), pick(" ", "", "  ", "\t"))
		case 5:
			for range r.IntN(5) {
				line += strings.Join(symbols(24), pick(" ", "")) + pick("", " ", "  ")
			}
		case 6:
			line = pick(" ", "") + strings.Join(symbols(24), " ") + pick(" ", "\t", "  ", " \r")
		default:
			line = strings.Join(symbols(24), pick(" ", " ", ""))
		}
		if r.IntN(60) == 0 {
			line += pick(" 0", " 0 ", "0")
		}
		b.WriteString(strings.ReplaceAll(line, "\n", eol))
		b.WriteString(eol)
	}
	text := b.String()
	if r.IntN(2) == 0 {
		text += pick("0", "0"+eol, "0"+eol+"x", "1 2 3", one)
	}
	return pick("", "", "", "\uFEFF") + text
}

func TestFrameAgainstSlowFrame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	kinds := map[string]int{}
	for range 600 {
		text := randomText(r)
		want, ended := slowFrame(text)
		for name, reader := range map[string]io.Reader{
			"at once":       strings.NewReader(text),
			"byte by byte":  iotest.OneByteReader(strings.NewReader(text)),
			"in two pieces": io.MultiReader(strings.NewReader(text[:len(text)/2]), strings.NewReader(text[len(text)/2:])),
		} {
			got, warning, err := frameAll(reader)
			if err != nil {
				t.Fatalf("%s, %q: %v", name, text, err)
			}
			if warning != "" && !ended {
				t.Fatalf("%s, %q: warning %q without a 0", name, text, warning)
			}
			for _, c := range got {
				switch {
				case c.Last > c.First:
					kinds["drawn"]++
				case c.Fault != "":
					kinds["faulty"]++
				default:
					kinds["good"]++
				}
			}
			if got = withoutFaults(got); !slices.Equal(got, want) {
				t.Fatalf("%s, %q: (-want +got)\n%s", name, text, cmp.Diff(want, got))
			}
		}
	}
	for _, kind := range []string{"drawn", "faulty"} {
		if kinds[kind] < 150 {
			t.Errorf("only %d cases are %s", kinds[kind], kind)
		}
	}
}

// Any kind of byte in any place, in the forms of which the fast path knows.
func TestFrameEveryByte(t *testing.T) {
	for _, text := range []string{
		spaced(one) + "\n" + spaced(two) + "\n",
		one + "\n" + strings.Repeat(two, 2) + "\n",
		spaced(one+two) + "\r\n",
	} {
		// The fast path begins on the second line, as the scanner has read then.
		text = "\n" + text
		for place := 1; place <= 51; place++ {
			for _, b := range []byte("\x00\x10\t\n\r !/014?@p~\x7F\x80\xB1\xFF") {
				changed := []byte(text)
				changed[place] = b
				want, _ := slowFrame(string(changed))
				got, _, err := frameAll(bytes.NewReader(changed))
				if err == solver.ErrUTF16 {
					continue
				}
				if got = withoutFaults(got); !slices.Equal(got, want) || err != nil {
					t.Fatalf("%q: %v (-want +got)\n%s", changed, err, cmp.Diff(want, got))
				}
			}
		}
	}
}

// What is at hand may end anywhere in a case.
func TestFrameInTwoReads(t *testing.T) {
	for _, text := range []string{
		spaced(one) + "\n" + spaced(two) + "\r\n" + drawn(three) + "\n" + spaced(one) + " \n",
		one + "\r\n" + two + "\n" + three,
		spaced(one+two+three) + " 0",
	} {
		want, _ := slowFrame(text)
		for cut := range len(text) {
			got, _, err := frameAll(io.MultiReader(strings.NewReader(text[:cut]), strings.NewReader(text[cut:])))
			if got = withoutFaults(got); !slices.Equal(got, want) || err != nil {
				t.Fatalf("%q, cut at %d: %v (-want +got)\n%s", text, cut, err, cmp.Diff(want, got))
			}
		}
	}
}

// What is given out before an error does not depend on what would have come.
func TestFrameBeforeAnError(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range framings {
		whole, _ := slowFrame(test.text)
		for cut := range len(test.text) + 1 {
			r := io.MultiReader(strings.NewReader(test.text[:cut]), iotest.ErrReader(broken))
			got, _, err := frameAll(r)
			if err != broken && err != nil {
				t.Fatalf("%s, cut at %d: %v, want %v", test.name, cut, err, broken)
			}
			if len(got) > len(whole) || !slices.Equal(withoutFaults(got), whole[:len(got)]) {
				t.Fatalf("%s, cut at %d: not the first cases of the whole:\n%s", test.name, cut, cmp.Diff(whole, got))
			}
		}
	}
	for _, test := range []struct {
		text string
		want []framed
	}{
		{spaced(one), nil}, // a remainder may follow
		{spaced(one) + "\n", []framed{good(1, one)}},
		{spaced(one) + " 0", nil}, // not alone, perhaps
		{spaced(one) + "\n0", []framed{good(1, one)}},
		{one + two, []framed{good(1, one)}},
		{"1 2", nil},
		{"1 2\n", nil}, // the first row of a board, perhaps
		{"1 2 3\n", short(1, "123")},
		{"1 2\n1\n1", short(1, "12", "1")},
		{drawn(one), nil},
		{drawn(one) + "1", nil},
		{drawn(one) + two, []framed{{1, 7, one, ""}}},
		{drawn(one) + "\n", []framed{{1, 7, one, ""}}},
	} {
		got, _, err := frameAll(io.MultiReader(strings.NewReader(test.text), iotest.ErrReader(broken)))
		if diff := cmp.Diff(test.want, got); diff != "" || err != broken {
			t.Errorf("%q and an error: %v (-want +got)\n%s", test.text, err, diff)
		}
	}
}

// typist is someone at a keyboard: each Read gives the next line, and fails the
// test if it was not allowed.
type typist struct {
	t       *testing.T
	lines   []string
	allowed int
}

func (r *typist) Read(p []byte) (int, error) {
	if len(r.lines) == 0 || r.allowed == 0 {
		r.t.Errorf("waits for more than was typed; left: %q", r.lines)
		return 0, io.EOF
	}
	r.allowed--
	n := copy(p, r.lines[0])
	r.lines = r.lines[1:]
	return n, nil
}

func TestFrameDoesNotWait(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, test := range []struct {
			lines []string
			want  []string // the case that is known with each line, "" for none
		}{
			{[]string{spaced(one), spaced(two), "0"}, []string{one, two, "EOF"}},
			{[]string{one, "", two + " 0"}, []string{one, "", two}},
			{[]string{spaced(one), "1", "2 2", "2 2"}, []string{one, "1", "22", "22"}},
			{[]string{" 1   2", " 1   2", "1 2 3 1 2 3 1", "1   2", "2 2 2 2 2 2 2", "3 3", "3 3", "", "3 2 3", "0"},
				[]string{"", "", "", "", "", "", "", "121212312311222222223333", "323", "EOF"}},
		} {
			r := &typist{t: t}
			for _, line := range test.lines {
				r.lines = append(r.lines, line+end)
			}
			f := newFramer(solver.NewScanner(r))
			for _, want := range test.want {
				r.allowed++
				if want == "" {
					continue
				}
				text, _, err := f.Next(nil)
				if want == "EOF" {
					if err != io.EOF {
						t.Errorf("%q: %q, %v, want the end", test.lines, text, err)
					}
					continue
				}
				if string(text) != want || err != nil {
					t.Errorf("%q: %q, %v, want %q", test.lines, text, err, want)
				}
			}
		}
	}
}

// Next appends: what is in front stays.
func TestFrameAppends(t *testing.T) {
	f := newFramer(solver.NewScanner(strings.NewReader(spaced(one) + "\n" + drawn(two))))
	text := []byte("> ")
	for {
		var err error
		if text, _, err = f.Next(text); err != nil {
			break
		}
		text = append(text, ' ')
	}
	if want := "> " + one + " " + two + " "; string(text) != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

// endless reads the same piece over and over.
type endless struct {
	piece string
	at    int
}

func (r *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], r.piece[r.at:])
		r.at = (r.at + k) % len(r.piece)
		n += k
	}
	return n, nil
}

// Neither a long line nor a long group of short ones is held.
func TestFrameHoldsLittle(t *testing.T) {
	for _, test := range []struct {
		piece string
		size  int64
	}{
		{spaced(one) + " ", 16 << 20}, // one line
		{one, 1 << 18},
		{strings.Repeat("𝄞", 24), 1 << 18},
		{"1\t", 1 << 18},
		{" ", 1 << 18},
		{"\n", 1 << 18},
		{spaced(one) + "\n", 1 << 18},
		{drawn(one) + "\n", 1 << 18},
		{"12\n", 1 << 18},
		{drawn(one), 1 << 18},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := newFramer(solver.NewScanner(io.LimitReader(&endless{piece: test.piece}, test.size)))
		var text []byte
		for err := error(nil); err == nil; {
			if text, _, err = f.Next(text[:0]); len(text) > 47*utf8.UTFMax {
				t.Fatalf("%q over and over: the text of a case has %d bytes", test.piece, len(text))
			}
		}
		runtime.ReadMemStats(&after)
		// The scanner's buffer is 128 kB.
		if n := after.TotalAlloc - before.TotalAlloc; n > 200<<10 {
			t.Errorf("%q over and over: %d bytes allocated", test.piece, n)
		}
	}
}

func FuzzFrame(f *testing.F) {
	for _, test := range framings {
		f.Add(test.text, uint8(0))
		f.Add(strings.ReplaceAll(test.text, "\n", "\r\n"), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, piece uint8) {
		var r io.Reader = strings.NewReader(text)
		if piece > 0 {
			r = &pieces{r, int(piece)}
		}
		got, warning, err := frameAll(r)
		if err == solver.ErrUTF16 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want, ended := slowFrame(text)
		if diff := cmp.Diff(want, withoutFaults(got)); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
		// Nothing is lost in between.
		var all strings.Builder
		for _, c := range got {
			all.WriteString(c.Text)
		}
		symbols := strings.NewReplacer(" ", "", "\t", "", "\v", "", "\f", "", "\n", "", "\r", "").Replace(strings.TrimPrefix(text, "\uFEFF"))
		switch rest, ok := strings.CutPrefix(symbols, all.String()); {
		case !ok:
			t.Fatalf("the cases are %q, the text is %q", all.String(), symbols)
		case !ended && rest != "":
			t.Fatalf("%q is missing", rest)
		case ended && (rest == "" || rest[0] != '0'):
			t.Fatalf("ended before %q, want a 0", rest)
		case (warning != "") != (len(rest) > 1):
			t.Fatalf("warning %q with %q behind the cases", warning, rest)
		}
	})
}

// pieces reads so many bytes at a time.
type pieces struct {
	r io.Reader
	n int
}

func (r *pieces) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), r.n)]) }

// slowCheck tells whether text is a board.
func slowCheck(text string) bool {
	return len(text) == 24 && strings.Count(text, "1") == 8 && strings.Count(text, "2") == 8 && strings.Count(text, "3") == 8
}

func FuzzCheck(f *testing.F) {
	for _, test := range framings {
		for _, c := range test.want {
			f.Add(c.Text)
		}
	}
	// Right sums of the bits, or of some of them.
	f.Add("000000003333333333333333")
	f.Add("1111111122222222;;;;;;;;")
	f.Add("qqqqqqqqrrrrrrrrssssssss")
	f.Add("111111112222222233333337")
	f.Fuzz(func(t *testing.T, text string) {
		for _, lines := range []int64{1, 7} {
			c := solver.Case{Index: 1, Source: "F", First: 10, Last: 9 + lines, Text: []byte(text)}
			var r solver.Result
			if got, want := check(&c, &r), slowCheck(text); got != want {
				t.Fatalf("check says %v", got)
			}
			if string(c.Text) != text {
				t.Fatalf("the text is %q afterwards", c.Text)
			}
			if slowCheck(text) {
				if r.Detail != "" {
					t.Fatalf("detail %q of a good case", r.Detail)
				}
				continue
			}
			if r.Status != solver.Invalid {
				t.Fatalf("status %v, want invalid", r.Status)
			}
			var line int64
			if _, err := fmt.Sscanf(r.Detail, "F:%d: ", &line); err != nil || line < c.First || line > c.Last {
				t.Fatalf("detail %q: want a line from %d to %d", r.Detail, c.First, c.Last)
			}
			out := string(appendResult(nil, &c, &r))
			if out != "invalid: "+r.Detail+"\n0\n" || strings.Count(out, "\n") != 2 {
				t.Fatalf("result %q, detail %q", out, r.Detail)
			}
		}
	})
}

// Each symbol in each place, and boards that have one symbol of another.
func TestCheckEveryByte(t *testing.T) {
	for place := range boardSize {
		for b := range 256 {
			text := []byte(two)
			text[place] = byte(b)
			c := solver.Case{Text: text}
			var r solver.Result
			if got, want := check(&c, &r), slowCheck(string(text)); got != want {
				t.Errorf("byte %#x at place %d: check says %v", b, place+1, got)
			}
		}
	}
}

// vector is a board with a known solution; answer: the one to print.
type vector struct {
	board, moves string
	symbol       byte
	answer       bool
}

var vectors = []vector{
	{one, "AC", '2', true},
	{two, "DDHH", '2', true},
	{three, "", '2', true},
	{"322222112112111321333333", "BCCEEEF", '2', true},
	{"322222112112111321333333", "BFHFDDH", '1', false},
	{"332132231131223213321211", "CDFDBBDE", '2', true},
	{"332132231131223213321211", "EHEGACAE", '1', false},
	{"113321312332223223321111", "AGECACGG", '2', true},
	{"113321312332223223321111", "BGAAABBC", '1', false},
	{"112323121232323131232311", "CGAAABDBBH", '1', true},
}

func TestReplay(t *testing.T) {
	for _, v := range vectors {
		symbol, err := replay([]byte(v.board), []byte(v.moves))
		if symbol != v.symbol || err != nil {
			t.Errorf("%s on %s gives %q, %v, want %q", v.moves, v.board, symbol, err, v.symbol)
		}
	}
}

func TestReplayFindsFaults(t *testing.T) {
	for _, test := range []struct{ board, moves, want string }{
		{one, "A", `symbols '2' and '3' in the center at the end, want one`},
		{one, "ACA", `symbols '2' and '3' in the center at the end, want one`},
		{one, "AX", `'X' at place 2 is no move, want A to H`},
		{one, "@", `'@' at place 1 is no move, want A to H`},
		{one, "ac", `'a' at place 1 is no move, want A to H`},
		{one, "AC\n", `'\n' at place 3 is no move, want A to H`},
		{one[1:], "AC", `23 symbols, want 24`},
	} {
		symbol, err := replay([]byte(test.board), []byte(test.moves))
		if err == nil || err.Error() != test.want || symbol != 0 {
			t.Errorf("%q on %s gives %q, %v, want %s", test.moves, test.board, symbol, err, test.want)
		}
	}
}

// A turn as the statement's drawing shows it: the seven blocks of a line move
// one step towards the letter.
func TestReplayFollowsTheDrawing(t *testing.T) {
	const before = `
		          A     B
		          a     h
		          b     i
		 H  o  p  c  q  j  r  s  C
		          d     k
		 G  t  u  e  v  l  w  x  D
		          f     m
		          g     n
		          F     E`
	cells := func(drawing string) string { // without the letters of the moves
		return strings.Join(strings.FieldsFunc(drawing, func(r rune) bool { return r < 'a' }), "")
	}
	for letter, after := range map[byte]string{
		'A': "b h c i o p d q j r s e k t u f v l w x g m a n",
		'B': "a i b j o p c q k r s d l t u e v m w x f n g h",
		'C': "a h b i s o p c q j r d k t u e v l w x f m g n",
		'D': "a h b i o p c q j r s d k x t u e v l w f m g n",
		'E': "a n b h o p c q i r s d j t u e v k w x f l g m",
		'F': "g h a i o p b q j r s c k t u d v l w x e m f n",
		'G': "a h b i o p c q j r s d k u e v l w x t f m g n",
		'H': "a h b i p c q j r s o d k t u e v l w x f m g n",
	} {
		b := [boardSize]byte([]byte(cells(before)))
		makeTurn(&b, letter)
		if got, want := string(b[:]), cells(after); got != want {
			t.Errorf("%c gives %s, want %s", letter, got, want)
		}
	}
}

func TestAppendResult(t *testing.T) {
	for _, test := range []struct {
		result solver.Result
		want   string
	}{
		{solver.Result{Moves: []byte("AC"), Symbol: '2'}, "AC\n2\n"},
		{solver.Result{Symbol: '3'}, "No moves needed\n3\n"},
		{solver.Result{Status: solver.Invalid, Detail: "a.txt:17: 23 symbols, want 24"}, "invalid: a.txt:17: 23 symbols, want 24\n0\n"},
		{solver.Result{Status: solver.Limit, Detail: "stopped at 5 expansions, bound 4"}, "limit: stopped at 5 expansions, bound 4\n0\n"},
		{solver.Result{Status: solver.Timeout, Detail: "out of time at bound 9"}, "timeout: out of time at bound 9\n0\n"},
		{solver.Result{Status: solver.Invalid, Detail: "a\nb.txt:1: \x1B"}, "invalid: a\\nb.txt:1: \\x1b\n0\n"},
	} {
		if got := string(appendResult([]byte("> "), nil, &test.result)); got != "> "+test.want {
			t.Errorf("%+v gives %q, want %q", test.result, got, "> "+test.want)
		}
	}
}

func TestReadResult(t *testing.T) {
	const (
		noMoves  = `the moves are missing`
		noSymbol = `the symbol of the center is missing`
		neither  = `neither moves nor "No moves needed"`
	)
	for _, test := range []struct {
		first, second string
		lines         int
		status        solver.Status
		moves, err    string
	}{
		{"AC", "2", 2, solver.Solved, "AC", ""},
		{"DDHH", "9", 2, solver.Solved, "DDHH", ""}, // that the symbol is wrong is not a matter of form
		{"No moves needed", "1", 2, solver.Solved, "", ""},
		{"invalid: a.txt:17: 23 symbols, want 24", "0", 2, solver.Unsolvable, "", ""},
		{"timeout: out of time at bound 9", "0", 2, solver.Unsolvable, "", ""},

		{"2", "AC", 1, 0, "", noMoves},
		{"2", "", 1, 0, "", noMoves},
		{"2", "1", 1, 0, "", noMoves},
		{"AC", "BD", 1, 0, "", noSymbol},
		{"AC", "No moves needed", 1, 0, "", noSymbol},
		{"AC", "limit: stopped", 1, 0, "", noSymbol},
		{"AC", "", 2, 0, "", noSymbol},
		{"AC", "22", 2, 0, "", noSymbol},
		{"AC", "x", 2, 0, "", noSymbol},
		{"AI", "2", 2, 0, "", neither},
		{"A C", "2", 2, 0, "", neither},
		{"ac", "2", 2, 0, "", neither},
		{"No Moves Needed", "2", 2, 0, "", neither},
		{"invalid", "0", 2, 0, "", neither},
		{"wrong: a", "0", 2, 0, "", neither},
		{"hello", "AC", 1, 0, "", neither},
		{"hello", "world", 2, 0, "", neither},
	} {
		r := solver.Result{Status: solver.Limit, Moves: []byte("HH"), Symbol: '3'}
		lines, err := readResult(&r, nil, []byte(test.first), []byte(test.second))
		if err == nil && (r.Status != test.status || string(r.Moves) != test.moves || r.Symbol != 0) ||
			lines != test.lines || (err != nil || test.err != "") && fmt.Sprint(err) != test.err {
			t.Errorf("%q, %q: %d lines, %+v, %v, want %+v", test.first, test.second, lines, r, err, test)
		}
	}
}

func TestCorpusReadsBack(t *testing.T) {
	text := appendHeader(nil, 2)
	text = appendCase(text, []byte(one))
	text = appendCase(text, []byte(two))
	text = appendFooter(text)
	want := "1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3\n1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3\n0\n"
	if string(text) != want {
		t.Errorf("the corpus is %q, want %q", text, want)
	}
	cases, warning, err := frameAll(bytes.NewReader(text))
	if diff := cmp.Diff([]framed{good(1, one), good(2, two)}, cases); diff != "" || warning != "" || err != nil {
		t.Errorf("warning %q, error %v (-want +got)\n%s", warning, err, diff)
	}
}

// The judge's sample, and hostile input: NAME.in has the results in NAME.out.
func TestFiles(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "testdata", "rotation")
	inputs, err := filepath.Glob(filepath.Join(dir, "hostile", "*.in"))
	if err != nil || len(inputs) < 15 {
		t.Fatalf("%d files in %s, %v", len(inputs), dir, err)
	}
	for _, input := range append(inputs, filepath.Join(dir, "sample.in")) {
		text, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(input, ".in") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		cases, _, err := frameAll(bytes.NewReader(text))
		if utf16 := strings.Contains(input, "utf16"); utf16 != (err == solver.ErrUTF16) || !utf16 && err != nil {
			t.Errorf("%s: %v", input, err)
		}
		var got []byte
		for _, c := range cases {
			r := solver.Result{Status: solver.Invalid, Detail: filepath.Base(input) + ":" + c.Fault}
			if c.Fault == "" {
				i := slices.IndexFunc(vectors, func(v vector) bool { return v.answer && v.board == c.Text })
				if i < 0 {
					t.Errorf("%s: no answer is known for %s", input, c.Text)
					continue
				}
				r = solver.Result{Moves: []byte(vectors[i].moves), Symbol: vectors[i].symbol}
			}
			got = appendResult(got, nil, &r)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", input, diff)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	const cases = 10000
	var lines []byte
	for i := range uint64(cases) {
		lines = appendCase(lines, random(nil, 1, i+1, -1))
	}
	oneLine := bytes.ReplaceAll(lines, []byte("\n"), []byte(" "))
	for _, bench := range []struct {
		name string
		text []byte
	}{
		{"lines", lines},
		{"crlf", bytes.ReplaceAll(lines, []byte("\n"), []byte("\r\n"))},
		{"joined", bytes.ReplaceAll(lines, []byte(" "), nil)},
		{"oneline", oneLine},
		{"tabs", bytes.ReplaceAll(lines, []byte(" "), []byte("\t"))},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			var dst []byte
			for b.Loop() {
				f := newFramer(solver.NewScanner(bytes.NewReader(bench.text)))
				for err := error(nil); err == nil; {
					dst, _, err = f.Next(dst[:0])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*cases), "ns/case")
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	c := solver.Case{Text: []byte(one)}
	var r solver.Result
	for b.Loop() {
		if !check(&c, &r) {
			b.Fatal(r.Detail)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	board, moves := []byte("112323121232323131232311"), []byte("CGAAABDBBH")
	for b.Loop() {
		if _, err := replay(board, moves); err != nil {
			b.Fatal(err)
		}
	}
}
