package report

import (
	"strconv"

	"idabatch/internal/solver"
)

// AppendJSON appends the JSON object that tells r, and a line feed. It holds
// the facts of [AppendCase]'s row under the names of its columns; what is empty
// there is absent here. Case, depth, symbol (the labels are digits),
// initial_bound, iterations, expanded and generated are numbers.
func AppendJSON(dst []byte, c *solver.Case, r *solver.Result) []byte {
	dst = append(dst, `{"case":`...)
	dst = strconv.AppendInt(dst, c.Index, 10)
	dst = append(dst, `,"source":"`...)
	if classify(c.Source)&jsonSpecial == 0 {
		dst = c.AppendSource(dst)
	} else {
		var buf [256]byte
		dst = appendJSONText(dst, c.AppendSource(buf[:0]))
	}
	if len(c.Text) > 0 {
		dst = append(dst, `","board":"`...)
		dst = appendJSONText(dst, c.Text)
	}
	dst = append(dst, `","status":"`...)
	dst = append(dst, r.Status.String()...)
	dst = append(dst, '"')
	if r.Status == solver.Solved {
		dst = append(dst, `,"depth":`...)
		dst = strconv.AppendInt(dst, int64(len(r.Moves)), 10)
		if len(r.Moves) > 0 {
			dst = append(dst, `,"moves":"`...)
			dst = append(dst, r.Moves...)
			dst = append(dst, '"')
		}
		if r.Symbol != 0 {
			dst = append(dst, `,"symbol":`...)
			dst = append(dst, r.Symbol)
		}
	}
	if r.Searched {
		dst = append(dst, `,"initial_bound":`...)
		dst = strconv.AppendInt(dst, int64(r.InitialBound), 10)
		dst = append(dst, `,"iterations":`...)
		dst = strconv.AppendInt(dst, int64(len(r.Iterations)), 10)
		dst = append(dst, `,"expanded":`...)
		dst = strconv.AppendInt(dst, r.Expanded, 10)
		dst = append(dst, `,"generated":`...)
		dst = strconv.AppendInt(dst, r.Generated, 10)
	}
	if r.Detail != "" {
		dst = append(dst, `,"detail":"`...)
		dst = appendJSONText(dst, r.Detail)
		dst = append(dst, '"')
	}
	return append(dst, "}\n"...)
}

// appendJSONText appends s as the inside of a JSON string. Behind
// [solver.AppendEscaped] only quotes and backslashes are left to escape.
func appendJSONText[T string | []byte](dst []byte, s T) []byte {
	if classify(s)&jsonSpecial == 0 {
		return append(dst, s...)
	}
	return appendEscapedTwice(dst, s, quote|backslash, '\\')
}
