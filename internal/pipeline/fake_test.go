package pipeline_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"idabatch/internal/pipeline"
	"idabatch/internal/solver"
)

// echo is a puzzle for tests. A case is a line that is not blank, a lone 0 ends
// the text. What becomes of a case its first letter tells:
//
//	i invalid   u unsolvable   l limit   w waits until it is stopped
//	p panics    x a solution that is wrong
//
// Everything else is solved by its own text backwards.
var echo = &solver.Puzzle{
	Name: "echo",
	Frame: func(s *solver.Scanner) solver.Framer {
		return &lines{s: s}
	},
	Replay: func(plain, moves []byte) (byte, error) {
		if len(plain) != len(moves) {
			return 0, fmt.Errorf("%d moves, want %d", len(moves), len(plain))
		}
		for i, m := range moves {
			if m != plain[len(plain)-1-i] {
				return 0, fmt.Errorf("move %d is wrong", i)
			}
		}
		return plain[0], nil
	},
	Random: func(dst []byte, seed, i uint64, scramble int) []byte {
		dst = append(dst, 's')
		dst = strconv.AppendUint(dst, seed, 10)
		dst = append(dst, '.')
		dst = strconv.AppendUint(dst, i, 10)
		dst = append(dst, '.')
		return strconv.AppendInt(dst, int64(scramble), 10)
	},
}

// shout is another puzzle, with another way of writing results.
var shout = &solver.Puzzle{Name: "shout", Frame: echo.Frame, Replay: echo.Replay}

func detectEcho(*solver.Scanner) (*solver.Puzzle, error) { return echo, nil }

// lines is their framer.
type lines struct {
	s     *solver.Scanner
	ended bool
}

func (f *lines) Next(dst []byte) ([]byte, solver.Span, error) {
	for !f.ended {
		if w := f.s.Window(); len(w) > 0 && w[0] > ' ' {
			if n := bytes.IndexByte(w, '\n'); n > 1 {
				dst = append(dst, w[:n]...)
				line := f.s.Line()
				f.s.Advance(n+1, 1)
				return dst, solver.Span{First: line, Last: line}, nil
			}
		}
		begin := len(dst)
		line := f.s.Line()
		for {
			sym, kind, err := f.s.Next()
			if err == io.EOF && len(dst) > begin {
				kind, err = solver.Newline, nil
			}
			if err != nil {
				return dst[:begin], solver.Span{}, err
			}
			if kind == solver.Newline {
				break
			}
			dst = append(dst, sym...)
		}
		if string(dst[begin:]) == "0" {
			f.ended = true
			return dst[:begin], solver.Span{}, io.EOF
		}
		if len(dst) > begin {
			return dst, solver.Span{First: line, Last: line}, nil
		}
	}
	return dst, solver.Span{}, io.EOF
}

func (f *lines) Close(more bool) string {
	if more {
		return "text behind the end"
	}
	return ""
}

// echoSolver solves both. Cost, if not nil, is called for every case.
type echoSolver struct {
	cost func(c *solver.Case, lim solver.Limits)
}

var errBoom = errors.New("boom")

func (s *echoSolver) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	r.Reset()
	if s.cost != nil {
		s.cost(c, lim)
	}
	r.Searched = true
	r.Expanded = int64(len(c.Text))
	r.Generated = 2 * r.Expanded
	switch c.Text[0] {
	case 'i':
		r.Reset()
		r.SetInvalid(c, c.First, "what is this")
		return
	case 'u':
		r.Reset()
		r.Status = solver.Unsolvable
		return
	case 'l':
		r.Status = solver.Limit
		return
	case 'p':
		panic(errBoom)
	case 'w':
		for !lim.Stop() {
			pause()
		}
		r.Status = solver.Timeout
		return
	}
	for i := len(c.Text) - 1; i >= 0; i-- {
		r.Moves = append(r.Moves, c.Text[i])
	}
	r.Symbol = c.Text[0]
	if c.Text[0] == 'x' {
		r.Moves[0]++
	}
}

func newEcho(*solver.Puzzle) solver.Solver { return &echoSolver{} }

// text is an input that holds s.
func text(name, s string) pipeline.Input {
	return pipeline.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte(s))), nil
	}}
}

// facts is a row with everything of a case that does not depend on the clock.
func facts(dst []byte, p *solver.Puzzle, c *solver.Case, r *solver.Result, _ pipeline.Timing) []byte {
	dst = strconv.AppendInt(dst, c.Index, 10)
	dst = append(dst, ' ')
	dst = append(dst, p.Name...)
	dst = append(dst, ' ')
	dst = c.AppendSource(dst)
	dst = append(dst, ' ')
	dst = append(dst, r.Status.String()...)
	dst = append(dst, ' ')
	dst = append(dst, r.Moves...)
	return append(dst, '\n')
}

// short is a row without much in it; none for a case that is not solved.
func short(dst []byte, _ *solver.Puzzle, c *solver.Case, r *solver.Result, _ pipeline.Timing) []byte {
	if r.Status != solver.Solved {
		return dst
	}
	dst = append(dst, r.Moves...)
	return append(dst, '\n')
}

// corpus is n cases that are solved.
func corpus(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "s%023d\n", i)
	}
	return b.String()
}

// endless repeats a text.
func endless(s string) io.Reader {
	return &repeat{s, strings.NewReader(s)}
}

type repeat struct {
	s string
	r *strings.Reader
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.r.Len() == 0 {
		r.r.Reset(r.s)
	}
	return r.r.Read(p)
}

// pause is a while of waiting for Stop, in a bubble.
func pause() { time.Sleep(100 * time.Millisecond) }
