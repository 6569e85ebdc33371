package report

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"idabatch/internal/solver"
)

// A Folder is a run as a report reads it: what a run folder holds, or less.
type Folder struct {
	Name   string
	Record *Run      // run.json; nil: unknown
	Cases  io.Reader // cases.csv
	Timing io.Reader // timing.csv; nil: there is none
}

// row is what the files of a run tell of one case. Its slices are valid until
// the next row is read.
type row struct {
	index         int64
	source, board []byte
	status        solver.Status
	detail        []byte

	depth int // if solved
	moves []byte

	searched            bool
	bound, iterations   int
	expanded, generated int64

	timed          bool
	worker         int
	start, elapsed int64 // ns
}

// A rowReader reads the rows of a run's files in step, joined on the case.
// Memory does not grow with the files.
type rowReader struct {
	cases  *table
	timing *table // nil: none
	ahead  int64  // case of timing's present row; 0: before the first
	ended  bool   // timing has no more rows
	row    row
}

func newRowReader(f *Folder) (*rowReader, error) {
	cases, err := newTable(f.Cases, CasesHeader)
	if err != nil {
		return nil, fmt.Errorf("reading the cases of %s: %w", f.Name, err)
	}
	r := &rowReader{cases: cases}
	if f.Timing == nil {
		return r, nil
	}
	if r.timing, err = newTable(f.Timing, TimingHeader); err != nil {
		return nil, fmt.Errorf("reading the timing of %s: %w", f.Name, err)
	}
	return r, nil
}

// next reads the row of the next case into r.row. The error is io.EOF after the
// last.
func (r *rowReader) next(name string) error {
	before := r.row.index
	switch err := r.cases.next(); {
	case err == io.EOF:
		return err
	case err != nil:
		return fmt.Errorf("reading the cases of %s: %w", name, err)
	}
	if err := r.readCase(before); err != nil {
		return fmt.Errorf("reading the cases of %s: %w", name, r.cases.at(err))
	}
	if err := r.readTiming(); err != nil {
		return fmt.Errorf("reading the timing of %s: %w", name, err)
	}
	return nil
}

// The columns of cases.csv.
const (
	colCase = iota
	colSource
	colBoard
	colStatus
	colDepth
	colMoves
	colSymbol
	colBound
	colIterations
	colExpanded
	colGenerated
	colDetail
)

// maxSmall is the largest depth, bound and number of iterations that a row may
// have. What is kept for each depth is bounded by it.
const maxSmall = 255

func (r *rowReader) readCase(before int64) error {
	t := r.cases
	n := t.number(colCase, math.MaxInt64)
	if t.err == nil && n <= before {
		return fmt.Errorf("case %d after case %d, want ascending order", n, before)
	}
	r.row = row{index: n, source: t.fields[colSource], board: t.fields[colBoard], detail: t.fields[colDetail]}
	status := t.fields[colStatus]
	for s := solver.Status(0); ; s++ {
		if s == solver.NumStatuses {
			return fmt.Errorf("status %q is none", status)
		}
		if string(status) == s.String() {
			r.row.status = s
			break
		}
	}
	switch r.row.status {
	case solver.Invalid, solver.Unsolvable:
		return t.err
	case solver.Solved:
		r.row.depth = int(t.number(colDepth, maxSmall))
		r.row.moves = t.fields[colMoves]
	}
	r.row.searched = true
	r.row.bound = int(t.number(colBound, maxSmall))
	r.row.iterations = int(t.number(colIterations, maxSmall))
	r.row.expanded = t.number(colExpanded, math.MaxInt64)
	r.row.generated = t.number(colGenerated, math.MaxInt64)
	if t.err == nil && r.row.status == solver.Solved && r.row.bound > r.row.depth {
		return fmt.Errorf("initial_bound %d is above the depth %d", r.row.bound, r.row.depth)
	}
	return t.err
}

// The columns of timing.csv.
const (
	colTimingCase = iota
	colWorker
	colStart
	colElapsed
)

const (
	maxWorker = 1<<16 - 1
	maxTime   = math.MaxInt64 / 4 // so that start and elapsed can be added
)

// readTiming looks for the timing of the present case.
func (r *rowReader) readTiming() error {
	t := r.timing
	if t == nil {
		return nil
	}
	for !r.ended && r.ahead < r.row.index {
		switch err := t.next(); {
		case err == io.EOF:
			r.ended = true
			return nil
		case err != nil:
			return err
		}
		n := t.number(colTimingCase, math.MaxInt64)
		if t.err != nil {
			return t.at(t.err)
		}
		if n <= r.ahead {
			return t.at(fmt.Errorf("case %d after case %d, want ascending order", n, r.ahead))
		}
		r.ahead = n
	}
	if r.ahead == r.row.index {
		r.row.timed = true
		r.row.worker = int(t.number(colWorker, maxWorker))
		r.row.start = t.number(colStart, maxTime)
		r.row.elapsed = t.number(colElapsed, maxTime)
		if t.err != nil {
			return t.at(t.err)
		}
	}
	return nil
}

// maxLine is the longest line that a table may have.
const maxLine = 1 << 20

// A table reads a CSV file with the columns of a header of ours, in any order
// and among others. No row goes over more than one line: the encoders of this
// package see to that.
type table struct {
	lines  *bufio.Scanner
	line   int   // number of the present one
	cut    bool  // the last line has no end: it was cut off, and left out
	err    error // the first field of the present row that is no number
	fields [][]byte

	names  []string // of the columns wanted
	places []int    // where they stand in the file
	width  int      // how many columns the file has
	all    [][]byte // a row's fields, as the file has them
}

func newTable(r io.Reader, header string) (*table, error) {
	t := &table{lines: bufio.NewScanner(r), names: strings.Split(strings.TrimSuffix(header, "\n"), ",")}
	t.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	t.lines.Split(t.split)
	if err := t.readFields(); err == io.EOF {
		return nil, errors.New("it is empty")
	} else if err != nil {
		return nil, err
	}
	t.width = len(t.all)
	for _, name := range t.names {
		place := slices.IndexFunc(t.all, func(field []byte) bool { return string(field) == name })
		if place < 0 {
			return nil, fmt.Errorf("it has no column %q", name)
		}
		t.places = append(t.places, place)
	}
	t.fields = make([][]byte, len(t.names))
	return t, nil
}

// split cuts the text into lines, and leaves out a last one without an end.
func (t *table) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		t.cut = len(data) > 0
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// next reads the next row into fields, in the order of the wanted columns.
func (t *table) next() error {
	t.err = nil
	if err := t.readFields(); err != nil {
		return err
	}
	if len(t.all) != t.width {
		return t.at(fmt.Errorf("%d fields, want %d", len(t.all), t.width))
	}
	for i, place := range t.places {
		t.fields[i] = t.all[place]
	}
	return nil
}

// readFields reads the next line that is not empty into all.
func (t *table) readFields() error {
	var line []byte
	for len(line) == 0 {
		if !t.lines.Scan() {
			if err := t.lines.Err(); err != nil {
				t.line++
				return t.at(err)
			}
			return io.EOF
		}
		t.line++
		line = bytes.TrimSuffix(t.lines.Bytes(), []byte("\r"))
	}
	t.all = t.all[:0]
	if bytes.IndexByte(line, '"') >= 0 {
		fields, err := csv.NewReader(bytes.NewReader(line)).Read()
		if err != nil {
			var where *csv.ParseError
			if errors.As(err, &where) {
				err = where.Err // it counts lines from this one
			}
			return t.at(err)
		}
		for _, field := range fields {
			t.all = append(t.all, []byte(field))
		}
		return nil
	}
	for {
		i := bytes.IndexByte(line, ',')
		if i < 0 {
			t.all = append(t.all, line)
			return nil
		}
		t.all = append(t.all, line[:i])
		line = line[i+1:]
	}
}

// number is a field of the present row that has to be a number from 0 to max.
// Of the fields that are not the first is kept in err.
func (t *table) number(column int, max int64) int64 {
	field := t.fields[column]
	n, ok := int64(0), len(field) > 0
	if len(field) <= 18 { // as nearly all: strconv takes a third of the time of reading a row
		for _, c := range field {
			ok = ok && '0' <= c && c <= '9'
			n = 10*n + int64(c-'0')
		}
	} else {
		u, err := strconv.ParseUint(string(field), 10, 63)
		n, ok = int64(u), err == nil
	}
	if ok = ok && n <= max; !ok && t.err == nil {
		t.err = fmt.Errorf("%s %q, want a number from 0 to %d", t.names[column], field, max)
	}
	return n
}

// at tells in which line an error is.
func (t *table) at(err error) error { return fmt.Errorf("line %d: %w", t.line, err) }

// cutOff names the files whose last line was cut off.
func (r *rowReader) cutOff() (names []string) {
	if r.cases.cut {
		names = append(names, "cases.csv")
	}
	if r.timing != nil && r.timing.cut {
		names = append(names, "timing.csv")
	}
	return names
}
