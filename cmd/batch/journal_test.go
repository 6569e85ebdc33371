package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
	"idabatch/internal/solver"
)

const journalText = `{"run":"2026-01-02T03:04:05.678901234Z","cases":3,` +
	`"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",` +
	`"files":[{"name":"results.txt","size":20},{"name":"cases.csv","size":300},{"name":"iterations.csv","size":40},{"name":"timing.csv","size":50}],` +
	`"summary":{"status":{"invalid":1,"solved":2},"depth_sum":7,"depth_max":4,"expanded_total":1977,"expanded_max":1975,"expanded":[[2,1],[1975,1]]},` +
	`"wall_ns":1000,"busy_ns":2000,"workers":2}` + "\n"

func TestJournalText(t *testing.T) {
	summary := report.NewSummary()
	summary.Observe(solver.Solved, 3, 2)
	summary.Observe(solver.Invalid, 0, 0)
	summary.Observe(solver.Solved, 4, 1975)
	j := &journal{
		Run: time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.UTC), Cases: 3,
		SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		Files:  []journalFile{{"results.txt", 20}, {"cases.csv", 300}, {"iterations.csv", 40}, {"timing.csv", 50}},

		Summary: summary, Wall: 1000, Busy: 2000, Workers: 2,
	}
	text, err := j.encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(journalText, string(text)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got, err := decodeJournal([]byte(journalText))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(j, got) {
		t.Errorf("got %+v, want %+v", got, j)
	}
	at, err := got.position((&solve{format: "judge"}).folderStreams())
	want := pipeline.Position{
		Cases: 3, SHA256: j.SHA256,
		Bytes: []int64{20, 300 - int64(len(report.CasesHeader)), 40 - int64(len(report.IterationsHeader)), 50 - int64(len(report.TimingHeader))},
	}
	if diff := cmp.Diff(want, at); diff != "" || err != nil {
		t.Errorf("-want +got:\n%s%v", diff, err)
	}
}

// badJournals are journalText with one change, and what the error must tell.
var badJournals = []struct{ old, new, want string }{
	{journalText, "", "unexpected EOF"},
	{journalText, "{}", "no summary"},
	{journalText, "[1]", "cannot unmarshal array"},
	{`"workers":2}`, `"workers":2`, "unexpected EOF"},
	{`"workers":2}`, `"workers":2}}`, "something stands behind it"},
	{`"workers":2}`, `"workers":-2}`, "negative"},
	{`"wall_ns":1000`, `"wall_ns":-1`, "negative"},
	{`"busy_ns":2000`, `"busy_ns":-1`, "negative"},
	{`"workers":2`, `"threads":2`, `unknown field "threads"`},
	{`"cases":3`, `"cases":4`, "its summary has 3"},
	{`"cases":3`, `"cases":-3`, "cases is -3"},
	{`"cases":3`, `"cases":3.5`, "cannot unmarshal number"},
	{`"sha256":"ba`, `"sha256":"`, "sha256 is"},
	{`"sha256":"ba`, `"sha256":"xx`, "sha256 is"},
	{`"size":300`, `"size":-300`, `the size of "cases.csv" is -300`},
	{`"size":300`, `"size":3`, `the size of "cases.csv" is 3`},
	{`"name":"cases.csv"`, `"name":"../cases.csv"`, "not those of this run"},
	{`{"name":"timing.csv","size":50}`, `{"name":"timing.csv","size":50},{"name":"more","size":5}`, "not those of this run"},
	{`,{"name":"timing.csv","size":50}`, ``, "not those of this run"},
	{`"solved":2`, `"solved":1`, "a summary"},
	{`[1975,1]`, `[1975,2]`, "a summary"},
}

func TestDecodeJournalRefuses(t *testing.T) {
	for _, tt := range badJournals {
		text := strings.Replace(journalText, tt.old, tt.new, 1)
		if text == journalText {
			t.Fatalf("%q is not in the text", tt.old)
		}
		j, err := decodeJournal([]byte(text))
		if err == nil {
			_, err = j.position((&solve{format: "judge"}).folderStreams())
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: error %v, want one with %q", tt.new, tt.old, err, tt.want)
		}
	}
}

// FuzzDecodeJournal holds that what is decoded is of use, and the same when it was
// written and read again.
func FuzzDecodeJournal(f *testing.F) {
	f.Add([]byte(journalText))
	for _, tt := range badJournals {
		f.Add([]byte(strings.Replace(journalText, tt.old, tt.new, 1)))
	}
	streams := (&solve{format: "judge"}).folderStreams()
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := decodeJournal(text)
		if err != nil {
			return
		}
		if at, err := j.position(streams); err == nil {
			for k, size := range at.Bytes {
				if size < 0 || at.Cases < 0 {
					t.Errorf("position %+v of stream %d", at, k)
				}
			}
		}
		if got := j.Summary.Totals(j.Wall, j.Busy, j.Workers); got.Cases != j.Cases {
			t.Errorf("totals %+v of %d cases", got, j.Cases)
		}
		again, err := j.encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeJournal(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if third, err := got.encode(); err != nil || string(third) != string(again) {
			t.Errorf("written again it is another (%v):\n%s\n%s", err, again, third)
		}
	})
}

var recordTexts = []string{
	`{"program":"batch","results_version":1,"state":"running","options":{"puzzle":"rotation","heuristic":"center","prune":"canonical","format":"judge","jobs":2},
		"random":{"seed":18446744073709551615,"first":1,"count":10000,"scramble":3,"generator_version":1},"starts":["2026-01-02T03:04:05.678901234Z"]}`,
	`{"program":"batch","results_version":1,"state":"interrupted","options":{"puzzle":"","heuristic":"exact","prune":"","max_nodes":7,"timeout_ns":5000,"format":"jsonl","jobs":1},
		"inputs":[{"name":"a.txt","path":"/a.txt"},{"name":"b.txt"}],"starts":["2026-01-02T03:04:05.678901234Z"]}`,
}

// badOptions are changes of the first of recordTexts that are no options.
var badOptions = []struct{ old, new, want string }{
	{`"judge"`, `"html"`, "want judge or jsonl"},
	{`"rotation"`, `"nine"`, "want eight or rotation"},
	{`"center"`, `"manhattan"`, "rotation has center or exact"},
	{`"canonical"`, `"all"`, "want "},
	{`"jobs":2`, `"jobs":0`, "want a whole number, 1 or more"},
	{`"jobs":2`, `"jobs":1000000`, "want at most"},
	{`"jobs":2`, `"max_nodes":-1,"jobs":2`, "want a whole number, 1 or more"},
	{`"jobs":2`, `"timeout_ns":-1,"jobs":2`, "want a time"},
	{`"count":10000`, `"count":-1`, "want a whole number, 0 or more"},
	{`"first":1`, `"first":0`, "want a whole number, 1 or more"},
	{`"first":1`, `"first":9223372036854775000`, "the last random case"},
	{`"scramble":3`, `"scramble":-3`, "want a whole number, 0 or more"},
}

// adopt makes the flags of a command those of a record.
func adopt(t *testing.T, text string) (*solve, error) {
	r, err := report.DecodeRun([]byte(text))
	if err != nil {
		return nil, err
	}
	s, c := solveCommand(&env{})
	return s, s.adopt(c, r)
}

func TestAdopt(t *testing.T) {
	s, err := adopt(t, recordTexts[0])
	if err != nil || s.puzzle != "rotation" || s.heuristic != "center" || s.prune != "canonical" || s.format != "judge" || s.jobs != 2 ||
		s.count != 10000 || s.random != (random{1<<64 - 1, 1, 3}) || s.maxNodes != 0 || s.timeout != 0 {
		t.Errorf("got %+v, error %v", s, err)
	}
	s, err = adopt(t, recordTexts[1])
	if err != nil || s.puzzle != "" || s.heuristic != "exact" || s.prune != "" || s.format != "jsonl" || s.jobs != 1 ||
		s.count != -1 || s.maxNodes != 7 || s.timeout != 5000 {
		t.Errorf("got %+v, error %v", s, err)
	}
	for _, tt := range badOptions {
		text := strings.Replace(recordTexts[0], tt.old, tt.new, 1)
		if _, err := adopt(t, text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: error %v, want one with %q", tt.new, tt.old, err, tt.want)
		}
	}
}

// FuzzAdopt holds that a record is refused, or can be run and is told again as
// it was.
func FuzzAdopt(f *testing.F) {
	for _, text := range recordTexts {
		f.Add(text)
	}
	for _, tt := range badOptions {
		f.Add(strings.Replace(recordTexts[0], tt.old, tt.new, 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := adopt(t, text)
		if err != nil {
			return
		}
		before, err := report.DecodeRun([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.count < 0 {
			if _, _, err := s.inputs(before.Inputs); err != nil {
				return
			}
		}
		for _, st := range s.folderStreams() {
			if strings.ContainsAny(st.file, `/\`) {
				t.Errorf("a stream to %q", st.file)
			}
		}
		o := s.record(before.Inputs).Options
		if before.Options.Puzzle == "" && before.Random == nil && !reflect.DeepEqual(o, before.Options) {
			want, _ := json.Marshal(before.Options)
			got, _ := json.Marshal(o)
			t.Errorf("options %s, want %s", got, want)
		}
	})
}
