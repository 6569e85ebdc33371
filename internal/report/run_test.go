package report

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	start  = time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.UTC)
	random = &Run{
		Program: Program, Version: "v1.2.3", ResultsVersion: 1, State: Running,
		Options: Options{Puzzle: "rotation", Heuristic: "center", Prune: "canonical", Format: "judge", Jobs: 2},
		Random:  &Random{Seed: 1<<64 - 1, First: 1, Count: 10000, GeneratorVersion: 1},
		Machine: Machine{CPU: "Some CPU @ 2.10GHz", Cores: 2, GOMAXPROCS: 2, OS: "linux", Arch: "amd64", Go: "go1.26"},
		Starts:  []time.Time{start},
	}
	files = &Run{
		Program: Program, Version: "(devel)", ResultsVersion: 1, State: Finished,
		Options: Options{Puzzle: "eight", Heuristic: "exact", Prune: "none", MaxNodes: 1e6, Timeout: 1500 * time.Millisecond, Format: "jsonl", Jobs: 1},
		Inputs: []Input{
			{Name: `a, "b" <&> c.txt`, Size: 3, SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
			{Name: "-"},
		},
		Machine: Machine{Cores: 1, GOMAXPROCS: 1, OS: "darwin", Arch: "arm64", Go: "go1.26"},
		Starts:  []time.Time{start, start.Add(time.Hour)},
		End:     start.Add(2 * time.Hour),
		Totals: &Totals{
			Cases: 3, Status: map[string]int64{"solved": 2, "invalid": 1}, DepthMean: 9.5, DepthMax: 10,
			ExpandedTotal: 1<<63 - 1, ExpandedMedian: 7, ExpandedMax: 1 << 62, Wall: time.Minute, Busy: time.Second, Workers: 1,
		},
	}
)

const randomText = `{
  "program": "batch",
  "version": "v1.2.3",
  "results_version": 1,
  "state": "running",
  "options": {
    "puzzle": "rotation",
    "heuristic": "center",
    "prune": "canonical",
    "format": "judge",
    "jobs": 2
  },
  "random": {
    "seed": 18446744073709551615,
    "first": 1,
    "count": 10000,
    "generator_version": 1
  },
  "machine": {
    "cpu": "Some CPU @ 2.10GHz",
    "cores": 2,
    "gomaxprocs": 2,
    "os": "linux",
    "arch": "amd64",
    "go": "go1.26"
  },
  "starts": [
    "2026-01-02T03:04:05.678901234Z"
  ]
}
`

func TestRunText(t *testing.T) {
	text, err := random.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(randomText, string(text)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRunRoundTrip(t *testing.T) {
	zero := 0
	scrambled := *random
	scrambled.Random = &Random{Seed: 1, First: 7, Count: 1, Scramble: &zero, GeneratorVersion: 1}
	for name, run := range map[string]*Run{"random": random, "scrambled": &scrambled, "files": files} {
		text, err := run.Encode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := DecodeRun(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(run, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// badRuns are randomText with one change, and what the error must tell.
var badRuns = []struct{ old, new, want string }{
	{randomText, "", "unexpected EOF"},
	{randomText, "[]", "cannot unmarshal array"},
	{"]\n}\n", "]\n", "unexpected EOF"},
	{"]\n}\n", "]\n}}", "something stands behind it"},
	{"]\n}\n", "]\n} {}", "something stands behind it"},
	{`"seed": 18446744073709551615`, `"seed": -1`, "random.seed"},
	{`"jobs": 2`, `"jobs": "2"`, "options.jobs"},
	{`"jobs": 2`, `"jobs": 2, "color": true`, `unknown field "color"`},
	{`"batch"`, `"other"`, `program is "other", want "batch"`},
	{`"results_version": 1`, `"results_version": 0`, "results_version is 0"},
	{`"running"`, `"walking"`, `state is "walking", want "running", "interrupted" or "finished"`},
	{`"running"`, `"finished"`, "no end or no totals"},
	{`"2026-01-02T03:04:05.678901234Z"`, ``, "no start"},
	{`"2026-01-02T03:04:05.678901234Z"`, `"yesterday"`, "yesterday"},
	{`"machine"`, `"inputs": [{"name": "a.txt", "size": 1}], "machine"`, "either inputs or random"},
}

func TestDecodeRunRefuses(t *testing.T) {
	for _, tt := range badRuns {
		text := strings.Replace(randomText, tt.old, tt.new, 1)
		if text == randomText {
			t.Fatalf("%q is not in the text", tt.old)
		}
		_, err := DecodeRun([]byte(text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "decoding the run's record: ") {
			t.Errorf("%q for %q: got error %v, want one with %q", tt.new, tt.old, err, tt.want)
		}
	}
}

// FuzzDecodeRun holds that what is decoded can be written and read again.
func FuzzDecodeRun(f *testing.F) {
	f.Add([]byte(randomText))
	text, err := files.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, tt := range badRuns {
		f.Add([]byte(strings.Replace(randomText, tt.old, tt.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := DecodeRun(text)
		if err != nil {
			return
		}
		again, err := run.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeRun(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if third, err := got.Encode(); err != nil || string(third) != string(again) {
			t.Errorf("written again it is another (%v):\n%s\n%s", err, again, third)
		}
	})
}

func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	if m.Cores < 1 || m.GOMAXPROCS < 1 || m.OS != runtime.GOOS || m.Arch != runtime.GOARCH || !strings.HasPrefix(m.Go, "go") && !strings.HasPrefix(m.Go, "devel") {
		t.Errorf("got %+v", m)
	}
}

func TestCPUModel(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 207\nmodel name\t: Some CPU: fast @ 2.10GHz \nmodel name\t: Other\n", "Some CPU: fast @ 2.10GHz"},
		{"processor\t: 0\nBogoMIPS\t: 108.00\n", ""},
		{"", ""},
	} {
		if got := cpuModel(strings.NewReader(tt.text)); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
