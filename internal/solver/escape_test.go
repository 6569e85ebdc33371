package solver

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

var escapes = []struct{ text, want string }{
	{"", ""},
	{"corpus.txt:17: 23 symbols, want 24", "corpus.txt:17: 23 symbols, want 24"},
	{`symbol "4", a \ and a '`, `symbol "4", a \ and a '`},
	{"two\nlines\r\n", `two\nlines\r\n`},
	{"\x00\x07\t\x1B[31m\x7F", `\x00\a\t\x1b[31m\x7f`},
	{"größer 数独 😀", "größer 数独 😀"},
	{"\u0085\u00A0\u2028\uFEFF\U000E0001", `\u0085\u00a0\u2028\ufeff\U000e0001`},
	{"\xFF\xC3(\xE2\x82", `\xff\xc3(\xe2\x82`},
	{"\uFFFD", "\uFFFD"}, // the character, not a byte that is none
}

func TestAppendEscaped(t *testing.T) {
	for _, test := range escapes {
		if got := string(AppendEscaped([]byte("> "), test.text)); got != "> "+test.want {
			t.Errorf("%q becomes %s, want > %s", test.text, got, test.want)
		}
		if got := string(AppendEscaped(nil, []byte(test.text))); got != test.want {
			t.Errorf("the bytes %q become %s, want %s", test.text, got, test.want)
		}
	}
}

func FuzzAppendEscaped(f *testing.F) {
	for _, test := range escapes {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := string(AppendEscaped(nil, text))
		if !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, which is no UTF-8", text, got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return !strconv.IsPrint(r) }); i >= 0 {
			t.Errorf("%q becomes %q: byte %d does not print", text, got, i)
		}
		if again := string(AppendEscaped(nil, got)); again != got {
			t.Errorf("%q becomes %q, and that %q", text, got, again)
		}
		if !strings.ContainsAny(text, `\"`) {
			if back, err := strconv.Unquote(`"` + got + `"`); back != text || err != nil {
				t.Errorf("%q becomes %q, which reads back as %q, %v", text, got, back, err)
			}
		}
	})
}
