package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Table is a table for people.
type Table struct {
	ID      string // one word, unique on a page
	Title   string
	Note    string // below it; may be empty
	Columns []Column
	Rows    [][]string
}

// Column is one of its columns. Numbers stand to the right, so a column is
// aligned to the right unless it is Left.
type Column struct {
	Name string
	Left bool
	Plot bool // drawn with characters: for a terminal, not for a page with charts
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Named tells whether any column has a name.
func (t *Table) Named() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name != "" })
}

// textWidth is what a report as text keeps to.
const textWidth = 100

// text appends the table as text: title, names, rows, note. What is too long for
// the last column is broken into lines there or, without blanks, shortened.
func (t *Table) text(b *strings.Builder) {
	widths := make([]int, len(t.Columns))
	last, room := len(t.Columns)-1, textWidth
	for i, c := range t.Columns {
		widths[i] = utf8.RuneCountInString(c.Name)
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		room -= 2
		if i < last {
			room -= widths[i]
		}
	}
	widths[last] = min(widths[last], room)
	if t.Title != "" {
		fmt.Fprintf(b, "\n%s\n", t.Title)
	}
	line := func(cell func(i int) string) {
		var l strings.Builder
		for i, c := range t.Columns {
			s := cell(i)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			l.WriteString("  ")
			if c.Left {
				l.WriteString(s + pad)
			} else {
				l.WriteString(pad + s)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	if t.Named() {
		line(func(i int) string { return t.Columns[i].Name })
	}
	for _, row := range t.Rows {
		cell := row[last]
		if utf8.RuneCountInString(cell) <= room {
			line(func(i int) string { return row[i] })
			continue
		}
		for k, l := range wrap(cell, room) {
			line(func(i int) string {
				switch {
				case i == last:
					return shorten(l, room)
				case k == 0:
					return row[i]
				default:
					return ""
				}
			})
		}
	}
	for _, l := range wrap(t.Note, textWidth-2) {
		b.WriteString("  " + l + "\n")
	}
}

// wrap breaks a text into lines of at most width columns, where that is
// possible without breaking a word.
func wrap(s string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// shorten cuts the middle out of a text that is longer than width columns.
func shorten(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n <= width {
		return s
	}
	runes := []rune(s)
	head := (width - 1) / 3
	return string(runes[:head]) + "…" + string(runes[n-(width-1-head):])
}

// none stands where there is no value.
const none = "–"

// whole is a count: with a comma between each three digits, or rounded where
// that would be too long for a table.
func whole(n int64) string {
	if n > 9_999_999_999 {
		return scientific(float64(n))
	}
	return thousands(n)
}

// decimal is a mean or the like, to three digits or to one.
func decimal(x float64) string {
	if x > 9_999_999_999 {
		return scientific(x)
	}
	if math.Abs(x) >= 99.95 {
		return thousands(int64(math.Round(x)))
	}
	return significant(x)
}

// significant is x to three digits: 0.0123, 1.20, 12.3, 123.
func significant(x float64) string {
	if x == 0 {
		return "0"
	}
	_, exp, _ := strings.Cut(scientific(x), "e")
	n, _ := strconv.Atoi(exp)
	if n < -4 || n > 3 {
		return scientific(x)
	}
	return strconv.FormatFloat(x, 'f', max(0, 2-n), 64)
}

// scientific is x as 1.23e10.
func scientific(x float64) string {
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	n, _ := strconv.Atoi(exp)
	return mantissa + "e" + strconv.Itoa(n)
}

// percent is a share, 0.1234, as 12.3 %.
func percent(share float64) string {
	switch p := 100 * share; {
	case p == 0:
		return "0 %"
	case p < 0.01:
		return "<0.01 %"
	case p < 9.995:
		return strconv.FormatFloat(p, 'f', 2, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
}

// duration is a time in nanoseconds, to three digits and with a unit.
func duration(ns float64) string {
	d := math.Abs(ns)
	switch {
	case ns == 0:
		return "0 ns"
	case d < 999.5:
		return significant(ns) + " ns"
	case d < 999.5e3:
		return significant(ns/1e3) + " µs"
	case d < 999.5e6:
		return significant(ns/1e6) + " ms"
	case d < 600e9:
		return decimal(ns/1e9) + " s"
	case d < 360e12:
		return time.Duration(ns).Round(time.Second).String()
	default:
		return decimal(ns/3600e9) + " h"
	}
}

// strip is a bar of the given length in columns, to an eighth.
func strip(columns float64) string {
	eighths := int(math.Round(8 * columns))
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// spark is a line of small bars, each for a share from 0 to 1.
func spark(shares []float64) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, share := range shares {
		switch {
		case share <= 0:
			b.WriteByte(' ')
		default:
			b.WriteRune(levels[min(len(levels)-1, int(share*float64(len(levels))))])
		}
	}
	return b.String()
}
