package report

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", name, diff)
	}
}

// recorded gives a folder a record.
func recorded(f *Folder, change func(r *Run)) *Folder {
	r := *random
	r.State, r.Random = Finished, &Random{Seed: 1, First: 1, Count: 8, GeneratorVersion: 1}
	change(&r)
	f.Record = &r
	return f
}

func TestText(t *testing.T) {
	plain := func(r *Run) {}
	other := func(r *Run) { r.Options.Prune, r.Options.Jobs = "inverse", 4 }
	wide := func() *Folder {
		f := runFolder("wide", hugeRun())
		return recorded(f, func(r *Run) {
			five := 5
			r.State, r.Options.MaxNodes, r.Options.Timeout = Interrupted, math.MaxInt64, time.Hour
			r.Random.Scramble, r.Random.First, r.Starts = &five, 7, []time.Time{start, start, start}
		})
	}
	for _, tt := range []struct {
		name string
		of   []*Folder
	}{
		{"tiny.txt", []*Folder{recorded(folder("tiny", tinyCases, tinyTiming), plain)}},
		{"bare.txt", []*Folder{folder("bare.csv", tinyCases, "")}},
		{"none.txt", []*Folder{folder("none", CasesHeader, TimingHeader)}},
		{"wide.txt", []*Folder{wide()}},
		{"many.txt", []*Folder{runFolder("many", randomRun(rand.New(rand.NewPCG(1, 2)), 1000))}},
		{"pair.txt", []*Folder{
			recorded(folder("old", tinyCases, tinyTiming), plain),
			recorded(folder("new", strings.ReplaceAll(strings.ReplaceAll(tinyCases, ",14,", ",7,"), ",6,", ",7,"), strings.ReplaceAll(tinyTiming, "000\n", "500\n")), other),
		}},
		{"unpaired.txt", []*Folder{
			folder("old", tinyCases, tinyTiming), folder("new", strings.ReplaceAll(tinyCases, ",solved", "x,solved"), tinyTiming), wide(),
		}},
	} {
		var b strings.Builder
		if err := analyze(t, tt.of...).WriteText(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, tt.name, b.String())
		for _, line := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > textWidth || strings.HasSuffix(line, " ") {
				t.Errorf("%s: %d columns: %q", tt.name, n, line)
			}
		}
	}
}

// hugeRun has numbers as large as they get.
func hugeRun() (rows []testRow) {
	for i := range 30 {
		x := testRow{
			c:      solver.Case{Index: math.MaxInt64 - 30 + int64(i), Source: strings.Repeat("folder/", 9) + "ä.txt", First: math.MaxInt64, Text: []byte("123456789012345678901234")},
			worker: maxWorker - i%3, took: 1 << 55, timed: true, start: maxTime,
		}
		x.r = solver.Result{Moves: []byte(strings.Repeat("x", 200+i%3)), Searched: true, Iterations: make([]solver.Iteration, 200), Expanded: 1<<57 - int64(i), Generated: 1 << 58}
		rows = append(rows, x)
	}
	return rows
}

func TestCSV(t *testing.T) {
	var b strings.Builder
	r := analyze(t, folder("a,b", tinyCases, tinyTiming), folder("bare", tinyCases, ""), folder("none", CasesHeader, ""))
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "tiny.csv", b.String())
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 1+4+4 {
		t.Fatalf("reads back as %d rows: %v", len(rows), err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, tt := range []struct {
		row    int
		column string
		want   string
	}{
		{1, "run", "a,b"}, {1, "depth", "all"}, {1, "cases", "5"}, {1, "b_star", ""}, {1, "expanded_total", "32"}, {1, "time_ns_p50", "2000"},
		{2, "depth", "0"}, {2, "b_star", ""}, {3, "b_star", "1"}, {4, "depth", "3"}, {4, "generated_sd", "10"}, {4, "time_ns_max", "4000"}, {4, "initial_bound_exact", "1"},
		{5, "run", "bare"}, {5, "time_ns_p50", ""}, {5, "expanded_mean", "6.4"},
	} {
		got := rows[tt.row][column[tt.column]]
		if x, err := strconv.ParseFloat(got, 64); err == nil && math.Abs(x-math.Round(x)) < 1e-9 {
			got = strconv.Itoa(int(math.Round(x))) // b* is found by halving
		}
		if got != tt.want {
			t.Errorf("row %d, %s: got %s, want %s", tt.row, tt.column, got, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := analyze(t, folder("a", tinyCases, tinyTiming), folder("b", tinyCases, "")).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Runs []struct {
			Cases  int
			Status map[string]int
			All    struct {
				Expanded struct{ Total, P50 int }
				Time     *struct{ Max int } `json:"time_ns"`
			}
			Depths  []struct{ Depth, Cases int }
			Hardest []struct {
				Case  int
				Board string
			}
			Warnings []struct{ Code string }
		}
		Comparisons []struct {
			Paired   bool
			Expanded struct{ Difference int }
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	a := got.Runs[0]
	if a.Cases != 8 || a.Status["solved"] != 5 || a.All.Expanded.Total != 32 || a.All.Expanded.P50 != 6 || a.All.Time.Max != 4000 ||
		len(a.Depths) != 3 || a.Depths[2].Depth != 3 || a.Depths[2].Cases != 3 || a.Hardest[0].Board != "q" || a.Warnings[0].Code != "invalid" {
		t.Errorf("got %+v", a)
	}
	if got.Runs[1].All.Time != nil || !got.Comparisons[0].Paired || got.Comparisons[0].Expanded.Difference != 0 {
		t.Errorf("got %+v", got)
	}
	for _, s := range []string{"NaN", "Inf", "null"} {
		if strings.Contains(b.String(), s) {
			t.Errorf("%s in the JSON", s)
		}
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteFails(t *testing.T) {
	r := analyze(t, folder("a", tinyCases, tinyTiming))
	for name, write := range map[string]func(io.Writer) error{"text": r.WriteText, "csv": r.WriteCSV, "json": r.WriteJSON} {
		if err := write(broken{}); !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), "writing the report: ") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{whole(9_999_999_999), "9,999,999,999"},
		{whole(10_000_000_000), "1.00e10"},
		{decimal(0), "0"},
		{decimal(0.012345), "0.0123"},
		{decimal(1), "1.00"},
		{decimal(9.996), "10.0"},
		{decimal(99.94), "99.9"},
		{decimal(99.96), "100"},
		{decimal(1234.5), "1,235"},
		{decimal(12345678901), "1.23e10"},
		{significant(0.00001234), "1.23e-5"},
		{significant(3094535), "3.09e6"},
		{significant(-0.5), "-0.500"},
		{percent(0), "0 %"},
		{percent(0.00001), "<0.01 %"},
		{percent(0.0999), "9.99 %"},
		{percent(0.09999), "10.0 %"},
		{percent(1), "100.0 %"},
		{duration(0), "0 ns"},
		{duration(999), "999 ns"},
		{duration(999.6), "1.00 µs"},
		{duration(1234567), "1.23 ms"},
		{duration(-1234567890), "-1.23 s"},
		{duration(59.9e9), "59.9 s"},
		{duration(3600e9), "1h0m0s"},
		{duration(100 * 3600e9), "100 h"},
		{strip(0), ""},
		{strip(0.07), "▏"},
		{strip(2.5), "██▌"},
		{strip(2.99), "███"},
		{spark([]float64{0, 0.01, 0.5, 0.99, 1, 1.5}), " ▁▅███"},
		{times(0), "–"},
		{signed("-1 s"), "−1 s"},
		{signed("0 ns"), "0 ns"},
		{signed("12"), "+12"},
		{letter(0) + letter(25) + letter(26), "AZrun 27"},
		{shorten("corpus.txt:17", 13), "corpus.txt:17"},
		{shorten("äaaaabbbbbccccc", 10), "äaa…bccccc"},
		{strings.Join(wrap(" aa bb  cc dddddddd e ", 5), "|"), "aa bb|cc|dddddddd|e"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
