package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// Program is what Run.Program of our runs is.
const Program = "batch"

// ResultsVersion names what a run writes for given cases and options. Raise it
// whenever the same cases and options could give another byte than before in
// the results, cases.csv or iterations.csv: a run that was begun under another
// version is not continued. It does not follow the program's version, which
// changes without that.
const ResultsVersion = 1

// State is how far a run has come.
type State string

// The states of a run.
const (
	Running     State = "running" // or cut off without a chance to say so
	Interrupted State = "interrupted"
	Finished    State = "finished"
)

// Run is the record of a run, kept as run.json: what is needed to go on with
// it, to repeat it, and to judge its times.
type Run struct {
	Program        string      `json:"program"`
	Version        string      `json:"version"` // of the program
	ResultsVersion int         `json:"results_version"`
	State          State       `json:"state"`
	Options        Options     `json:"options"`
	Inputs         []Input     `json:"inputs,omitempty"`
	Random         *Random     `json:"random,omitempty"` // instead of Inputs
	Machine        Machine     `json:"machine"`          // of the last start
	Starts         []time.Time `json:"starts"`           // the first, and each time it was resumed
	End            time.Time   `json:"end,omitzero"`     // of the last start; absent while running
	Totals         *Totals     `json:"totals,omitempty"` // absent until an end
}

// Options are those that the results depend on, and the number of workers.
type Options struct {
	Puzzle    string        `json:"puzzle"`
	Heuristic string        `json:"heuristic"`
	Prune     string        `json:"prune"`
	MaxNodes  int64         `json:"max_nodes,omitempty"`  // 0: no limit
	Timeout   time.Duration `json:"timeout_ns,omitempty"` // 0: no limit
	Format    string        `json:"format"`
	Jobs      int           `json:"jobs"`
}

// Input is one file of a corpus.
type Input struct {
	Name string `json:"name"`           // as the user gave it; "-": standard input
	Path string `json:"path,omitempty"` // the absolute one; absent for standard input, and if it is not UTF-8
	Once bool   `json:"once,omitempty"` // it was a file of that process: /dev/stdin, /dev/fd/63

	// Of the bytes that were read, as they are on the disk, compressed or not.
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"` // in hexadecimal; absent until something was read
}

// Random tells which random cases a run is of.
type Random struct {
	Seed             uint64 `json:"seed"`
	First            uint64 `json:"first"`
	Count            int64  `json:"count"`
	Scramble         *int   `json:"scramble,omitempty"` // moves from a solved start; absent: uniform
	GeneratorVersion int    `json:"generator_version"`
}

// Machine is where a run took place.
type Machine struct {
	CPU        string `json:"cpu,omitempty"` // the model, where the system tells
	Cores      int    `json:"cores"`         // logical ones that the process may use
	GOMAXPROCS int    `json:"gomaxprocs"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Go         string `json:"go"`
}

// ThisMachine describes the machine that the program runs on.
func ThisMachine() Machine {
	m := Machine{
		Cores:      runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		Go:         runtime.Version(),
	}
	if f, err := os.Open("/proc/cpuinfo"); err == nil { // Linux has it; elsewhere the model stays unknown
		defer f.Close()
		m.CPU = cpuModel(f)
	}
	return m
}

// cpuModel finds the model of the first processor in the text of Linux's
// /proc/cpuinfo, or "".
func cpuModel(cpuinfo io.Reader) string {
	lines := bufio.NewScanner(cpuinfo)
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Encode is r as the text of run.json.
func (r *Run) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encoding the run's record: %w", err)
	}
	return b.Bytes(), nil
}

// DecodeRun reads the text of a run.json. It refuses what is not whole, what is
// not ours, and fields that it does not know: going on with a run would lose
// them.
func DecodeRun(data []byte) (*Run, error) {
	r, err := decodeRun(data)
	if err != nil {
		return nil, fmt.Errorf("decoding the run's record: %w", err)
	}
	return r, nil
}

func decodeRun(data []byte) (*Run, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	r := new(Run)
	if err := dec.Decode(r); err != nil {
		if err == io.EOF {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something stands behind it")
	}
	switch {
	case r.Program != Program:
		return nil, fmt.Errorf("program is %q, want %q", r.Program, Program)
	case r.ResultsVersion < 1:
		return nil, fmt.Errorf("results_version is %d, want 1 or more", r.ResultsVersion)
	case r.State != Running && r.State != Interrupted && r.State != Finished:
		return nil, fmt.Errorf("state is %q, want %q, %q or %q", r.State, Running, Interrupted, Finished)
	case len(r.Starts) == 0:
		return nil, errors.New("it has no start")
	case (r.Random == nil) == (len(r.Inputs) == 0):
		return nil, errors.New("want either inputs or random")
	case r.State == Finished && (r.End.IsZero() || r.Totals == nil):
		return nil, errors.New("it is finished, but has no end or no totals")
	}
	return r, nil
}
