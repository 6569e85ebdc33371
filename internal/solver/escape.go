package solver

import (
	"strconv"
	"unicode/utf8"
)

// AppendEscaped appends s as printable text on one line: control characters,
// bytes that are no UTF-8 and whatever else does not print come as Go escapes,
// "\x00" or "\u00a0". Everything else stays as it is, backslashes too.
func AppendEscaped[T string | []byte](dst []byte, s T) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7F {
			dst = append(dst, c)
			i++
			continue
		}
		char := string(s[i:min(i+utf8.UTFMax, len(s))])
		r, n := utf8.DecodeRuneInString(char)
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			start := len(dst)
			dst = strconv.AppendQuote(dst, char[:n])
			dst = append(dst[:start], dst[start+1:len(dst)-1]...)
		} else {
			dst = append(dst, char[:n]...)
		}
		i += n
	}
	return dst
}
