package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
	"idabatch/internal/solver"
)

// input is one file of the corpus, with what a run keeps of it.
type input struct {
	pipeline.Input
	info  os.FileInfo // nil for standard input that is no file
	plain func() (io.ReadCloser, error)
	read  atomic.Int64
	hash  hash.Hash // nil: not wanted
	add   func(n int64)
}

type inputs []*input

// named are the files of the command line, as run.json tells them.
func (s *solve) named(files []string) (named []report.Input) {
	if s.count >= 0 {
		return nil
	}
	for _, name := range files {
		in := report.Input{Name: name}
		if path, err := filepath.Abs(name); err == nil && name != "-" && utf8.ValidString(path) {
			in.Path = path
		}
		in.Once = strings.HasPrefix(name, "/dev/") // what a shell has made for this process
		named = append(named, in)
	}
	return named
}

// inputs looks at the files. The size is of all together, or 0 if it is not
// known.
func (s *solve) inputs(named []report.Input) (in inputs, size int64, err error) {
	known := true
	for _, file := range named {
		one := &input{add: func(int64) {}}
		one.Name = file.Name
		name := file.Name
		if s.resume != "" && file.Path != "" {
			// From whatever directory. But all may have moved to another place.
			if _, err := os.Stat(file.Path); err == nil || !errors.Is(err, fs.ErrNotExist) {
				name = file.Path
			}
		}
		open := func() (io.ReadCloser, error) { return os.Open(name) }
		if name == "-" {
			open = func() (io.ReadCloser, error) { return io.NopCloser(s.stdin), nil }
			if f := s.stdinFile(); f != nil {
				one.Interactive = term.IsTerminal(int(f.Fd()))
				one.info, _ = f.Stat()
			}
		} else if one.info, err = os.Stat(name); err != nil {
			return nil, 0, s.missing(file, err)
		} else if one.info.IsDir() {
			return nil, 0, fmt.Errorf("%s is a folder", name)
		}
		if one.info != nil && one.info.Mode().IsRegular() {
			size += one.info.Size()
		} else {
			known = false
		}
		one.plain = open
		one.Open = func() (io.ReadCloser, error) {
			f, err := open()
			return &counted{f, one}, err
		}
		if s.dir != "" {
			one.hash = sha256.New()
			one.Tee = one.hash
		}
		in = append(in, one)
	}
	if !known {
		size = 0
	}
	return in, size, nil
}

// missing is an error of looking at an input.
func (s *solve) missing(in report.Input, err error) error {
	err = bare(err)
	if s.resume == "" {
		return fmt.Errorf("%s: %w", orQuotes(in.Name), err)
	}
	name := in.Name
	if in.Path != "" {
		name = in.Path
	}
	return fmt.Errorf("%s: %w; the run in %s is as it was, and goes on when that is put right", orQuotes(name), err, s.dir)
}

// orQuotes is a name as messages show it, "" too.
func orQuotes(name string) string {
	if name == "" {
		return `""`
	}
	return name
}

// fit checks that the puzzles of the inputs have what the flags ask for, as far as
// that can be seen without taking anything away from the inputs. What else is
// wrong with them comes up in its turn.
func (in inputs) fit(ctx context.Context, detect func(*solver.Scanner) (*solver.Puzzle, error)) error {
	for _, one := range in {
		if one.info == nil || !one.info.Mode().IsRegular() || one.Name == "-" {
			continue
		}
		text, err := pipeline.Open(ctx, &pipeline.Input{Name: one.Name, Open: one.plain})
		if err != nil {
			continue
		}
		_, err = detect(solver.NewScanner(text))
		text.Close()
		if usage, ok := errors.AsType[usageError](err); ok {
			return usageError{fmt.Errorf("%s: %w", one.Name, usage)}
		}
	}
	return nil
}

// counted is an opened input that counts what is read of it.
type counted struct {
	io.ReadCloser
	in *input
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.in.read.Add(int64(n))
	c.in.add(int64(n))
	return n, err
}

// count makes the inputs tell add what is read.
func (in inputs) count(add func(n int64)) {
	for _, one := range in {
		one.add = add
	}
}

func (in inputs) files() (files []pipeline.Input) {
	for _, one := range in {
		files = append(files, one.Input)
	}
	return files
}

// fill tells what was read of the inputs.
func (in inputs) fill(records []report.Input) {
	for k, one := range in {
		r := &records[k]
		r.Size, r.SHA256 = one.read.Load(), ""
		if r.Size > 0 {
			r.SHA256 = hex.EncodeToString(one.hash.Sum(nil))
		}
	}
}

// sink is where the streams of a run go.
type sink struct {
	streams  []pipeline.Stream
	onStdout map[string]bool // streams on standard output
	terminal bool            // standard output gets one, and is a terminal
	files    []sinkFile      // of the streams
}

// sinkFile is a file that we have opened for a stream.
type sinkFile struct {
	*os.File       // nil: standard output
	header   int64 // bytes of the stream's header
	regular  bool
}

// stream is one output that a run can have.
type stream struct {
	flag   string // --results
	file   string // in a run folder
	header string
	row    func(dst []byte, p *solver.Puzzle, c *solver.Case, r *solver.Result, t pipeline.Timing) []byte
	timed  bool
}

// streams are all of a run's outputs, results first.
func (s *solve) streams() []stream {
	results := stream{flag: "results", file: "results.txt", row: judgeRow}
	if s.format == "jsonl" {
		results.file, results.row = "results.jsonl", jsonRow
	}
	return []stream{
		results,
		{flag: "cases", file: "cases.csv", header: report.CasesHeader, row: caseRow},
		{flag: "iterations", file: "iterations.csv", header: report.IterationsHeader, row: iterationRows},
		{flag: "timing", file: "timing.csv", header: report.TimingHeader, row: timingRow, timed: true},
	}
}

func judgeRow(dst []byte, p *solver.Puzzle, c *solver.Case, r *solver.Result, _ pipeline.Timing) []byte {
	return p.AppendResult(dst, c, r)
}

func jsonRow(dst []byte, _ *solver.Puzzle, c *solver.Case, r *solver.Result, _ pipeline.Timing) []byte {
	return report.AppendJSON(dst, c, r)
}

func caseRow(dst []byte, _ *solver.Puzzle, c *solver.Case, r *solver.Result, _ pipeline.Timing) []byte {
	return report.AppendCase(dst, c, r)
}

func iterationRows(dst []byte, _ *solver.Puzzle, c *solver.Case, r *solver.Result, _ pipeline.Timing) []byte {
	return report.AppendIterations(dst, c, r)
}

func timingRow(dst []byte, _ *solver.Puzzle, c *solver.Case, _ *solver.Result, t pipeline.Timing) []byte {
	return report.AppendTiming(dst, c.Index, t.Worker, t.Start, t.Elapsed)
}

func (st stream) to(w io.Writer, name string) pipeline.Stream {
	return pipeline.Stream{Name: name, W: w, Append: st.row, Timed: st.timed}
}

// openFiles opens the files of the flags. Nothing is overwritten before all are
// open and known to be different.
func (s *solve) openFiles(in inputs) (_ *sink, err error) {
	k := &sink{onStdout: map[string]bool{}}
	var opens []*os.File
	defer func() {
		if err != nil {
			for _, f := range opens {
				f.Close()
			}
		}
	}()
	paths := map[string]string{"results": s.paths.results, "cases": s.paths.cases, "iterations": s.paths.iterations, "timing": s.paths.timing}
	dash := ""
	for _, st := range s.streams() {
		if paths[st.flag] == "-" {
			if dash != "" {
				return nil, usagef("standard output, -, is given twice: to --%s and --%s", dash, st.flag)
			}
			dash = st.flag
		}
	}
	if dash == "" && paths["results"] == "" {
		paths["results"], dash = "-", "results"
	}

	type opened struct {
		stream
		name string
		w    io.Writer
		file *os.File // nil: standard output
		info os.FileInfo
	}
	var all, last []opened // who reads standard output may make us wait: all others first
	for _, st := range s.streams() {
		switch path := paths[st.flag]; path {
		case "":
		case "-":
			one := opened{stream: st, name: "standard output", w: s.stdout}
			if f, ok := s.stdout.(*os.File); ok {
				one.info, _ = f.Stat()
				k.terminal = term.IsTerminal(int(f.Fd()))
			}
			k.onStdout[one.name] = true
			last = append(last, one)
		default:
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
			if err != nil {
				return nil, err
			}
			opens = append(opens, f)
			info, err := f.Stat()
			if err != nil {
				return nil, err
			}
			all = append(all, opened{st, path, f, f, info})
		}
	}
	all = append(all, last...)
	for i, one := range all {
		if one.info == nil || isNull(one.info) {
			continue
		}
		for _, other := range all[:i] {
			if other.info != nil && os.SameFile(one.info, other.info) {
				return nil, usagef("--%s and --%s are one file, %s", other.flag, one.flag, one.name)
			}
		}
		for _, input := range in {
			if one.file != nil && input.info != nil && os.SameFile(one.info, input.info) {
				return nil, usagef("--%s %s is an input too", one.flag, one.name)
			}
		}
	}
	for _, one := range all {
		if one.file != nil && one.info.Mode().IsRegular() {
			if err := one.file.Truncate(0); err != nil {
				return nil, err
			}
		}
		if one.header != "" {
			if _, err := io.WriteString(one.w, one.header); err != nil {
				return nil, &pipeline.WriteError{Stream: one.name, Err: err}
			}
		}
		k.streams = append(k.streams, one.to(one.w, one.name))
		k.files = append(k.files, sinkFile{one.file, int64(len(one.header)), one.file != nil && one.info.Mode().IsRegular()})
	}
	return k, nil
}

func isNull(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// close closes all files.
func (k *sink) close() (err error) {
	for _, f := range k.files {
		if f.File != nil {
			closing(f, &err)
		}
	}
	return err
}

// cut leaves in the files what is complete: a write that failed may have torn a
// row.
func (k *sink) cut(at pipeline.Position) {
	for i, f := range k.files {
		if f.regular {
			f.Truncate(f.header + at.Bytes[i])
		}
	}
}

// record is what run.json says when the run starts.
func (s *solve) record(named []report.Input) *report.Run {
	r := &report.Run{
		Program:        report.Program,
		Version:        version(),
		ResultsVersion: report.ResultsVersion,
		State:          report.Running,
		Options: report.Options{
			Puzzle: s.puzzle, Heuristic: s.heuristic, Prune: s.prune,
			MaxNodes: s.maxNodes, Timeout: s.timeout, Format: s.format, Jobs: s.jobs,
		},
		Inputs:  named,
		Machine: report.ThisMachine(),
		Starts:  []time.Time{time.Now()},
	}
	if p := s.chosen(); p != nil {
		r.Options.Puzzle = p.Name
		r.Options.Heuristic, r.Options.Prune = orFirst(s.heuristic, p.Heuristics), orFirst(s.prune, p.Prunings)
	}
	if s.count >= 0 {
		r.Random = &report.Random{
			Seed: s.random.seed, First: s.random.first, Count: s.count, GeneratorVersion: solver.GeneratorVersion,
		}
		if s.random.scramble >= 0 {
			r.Random.Scramble = &s.random.scramble
		}
	}
	return r
}
