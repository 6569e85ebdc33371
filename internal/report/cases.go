// Package report is what a run tells its reader: the rows of its files, the
// record of how they were made, the bar while it runs, the summary at its end;
// and, from the files, the statistics of runs and how they compare. It knows no
// puzzle and no pipeline, and not where its bytes go.
//
// # Rows
//
// The row encoders append one case to a byte slice and do nothing else: no
// allocation, no error. So the workers encode, and what writes only writes.
//
// Facts (cases.csv, iterations.csv, JSON lines), which are the same in every
// run, and measurements (timing.csv) are never in one row.
//
// Every row is one line, whatever a file is named and whatever stands in it:
// source, board and detail come as [solver.AppendEscaped] leaves them, a line
// break as "\n". A field with a comma or a quote is quoted as RFC 4180 says;
// nothing is put before a leading "=", so that every field reads back as it is.
//
// # Reports
//
// [Analyze] reads the files of all runs side by side, joined on the case, in
// one pass and in memory that does not grow with them:
//
//	cases.csv  \                      /-> tally (a run)  -> Stats      \
//	timing.csv -+-> rowReader -> row -                                  +-> Report
//	...        /                      \-> pairTally      -> Comparison /
//
// Up to 262,144 solved cases of a run all values are kept and quantiles are
// exact; beyond, histograms take over (HdrHistogram, three digits), one for each
// measure and depth. Means, standard deviations, totals, least and greatest
// values are exact whatever the number. A Report is written as text, CSV, JSON
// or a [Page]; the first and the last are made of the same tables.
package report

import (
	"strconv"

	"idabatch/internal/solver"
)

// CasesHeader is the first line of cases.csv.
const CasesHeader = "case,source,board,status,depth,moves,symbol,initial_bound,iterations,expanded,generated,detail\n"

// AppendCase appends the row of cases.csv that tells r. Fields that do not
// apply are empty.
func AppendCase(dst []byte, c *solver.Case, r *solver.Result) []byte {
	dst = strconv.AppendInt(dst, c.Index, 10)
	dst = append(dst, ',')
	dst = appendSource(dst, c)
	dst = append(dst, ',')
	dst = appendField(dst, c.Text)
	dst = append(dst, ',')
	dst = append(dst, r.Status.String()...)
	dst = append(dst, ',')
	if r.Status == solver.Solved {
		dst = strconv.AppendInt(dst, int64(len(r.Moves)), 10)
		dst = append(dst, ',')
		dst = append(dst, r.Moves...)
		dst = append(dst, ',')
		if r.Symbol != 0 {
			dst = append(dst, r.Symbol)
		}
	} else {
		dst = append(dst, ",,"...)
	}
	dst = append(dst, ',')
	if r.Searched {
		dst = strconv.AppendInt(dst, int64(r.InitialBound), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(len(r.Iterations)), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, r.Expanded, 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, r.Generated, 10)
	} else {
		dst = append(dst, ",,,"...)
	}
	dst = append(dst, ',')
	dst = appendField(dst, r.Detail)
	return append(dst, '\n')
}

// IterationsHeader is the first line of iterations.csv.
const IterationsHeader = "case,bound,expanded,generated\n"

// AppendIterations appends the rows of iterations.csv that tell r, one for each
// bound tried: none for a case that was not searched.
func AppendIterations(dst []byte, c *solver.Case, r *solver.Result) []byte {
	for i := range r.Iterations {
		it := &r.Iterations[i]
		dst = strconv.AppendInt(dst, c.Index, 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(it.Bound), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, it.Expanded, 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, it.Generated, 10)
		dst = append(dst, '\n')
	}
	return dst
}

// What a byte can be to a text that is put into a field.
const (
	comma     = 1 << iota
	quote     // the double one
	backslash // means something in JSON
	unplain   // no printable ASCII: maybe to be escaped

	csvSpecial  = comma | quote | unplain
	jsonSpecial = quote | backslash | unplain
)

var classes = func() (t [256]uint8) {
	for c := range t {
		if c < ' ' || c > '~' {
			t[c] = unplain
		}
	}
	t[','], t['"'], t['\\'] = comma, quote, backslash
	return t
}()

// classify is what the bytes of s are, together. Looking at them first is worth
// it, because nearly every field can be copied as it is.
func classify[T string | []byte](s T) (class uint8) {
	for i := range len(s) {
		class |= classes[s[i]]
	}
	return class
}

// appendSource appends where c stands, as a field of a CSV row.
func appendSource(dst []byte, c *solver.Case) []byte {
	if classify(c.Source)&csvSpecial == 0 {
		return c.AppendSource(dst)
	}
	var buf [256]byte
	return appendField(dst, c.AppendSource(buf[:0]))
}

// appendField appends s as a field of a CSV row.
func appendField[T string | []byte](dst []byte, s T) []byte {
	class := classify(s)
	if class&csvSpecial == 0 {
		return append(dst, s...)
	}
	if class&(comma|quote) == 0 {
		return solver.AppendEscaped(dst, s)
	}
	dst = append(dst, '"')
	dst = appendEscapedTwice(dst, s, quote, '"')
	return append(dst, '"')
}

// appendEscapedTwice appends s as [solver.AppendEscaped] does, and before each
// byte of the given class what makes it harmless.
func appendEscapedTwice[T string | []byte](dst []byte, s T, class, escape byte) []byte {
	var buf [256]byte
	for _, b := range solver.AppendEscaped(buf[:0], s) {
		if classes[b]&class != 0 {
			dst = append(dst, escape)
		}
		dst = append(dst, b)
	}
	return dst
}
