package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rowsOf makes solved rows, one for each count of expansions.
func rowsOf(expanded ...int) string {
	var b strings.Builder
	b.WriteString(CasesHeader)
	for i, n := range expanded {
		fmt.Fprintf(&b, "%d,t:%d,b%d,solved,3,abc,,1,3,%d,9,\n", i+1, i+1, i, n)
	}
	return b.String()
}

// timesOf makes the timing of as many cases.
func timesOf(ns ...int) string {
	var b strings.Builder
	b.WriteString(TimingHeader)
	for i, n := range ns {
		fmt.Fprintf(&b, "%d,0,0,%d\n", i+1, n)
	}
	return b.String()
}

func repeat(value, n int) []int {
	values := make([]int, n)
	for i := range values {
		values[i] = value
	}
	return values
}

func TestWarnings(t *testing.T) {
	five := 5
	for _, tt := range []struct {
		name string
		f    *Folder
		want []string // codes, and a word that the text has
	}{
		{"nothing to say", recorded(folder("a", rowsOf(4, 5, 6), timesOf(1000, 1000, 1000)), func(r *Run) {}), nil},
		{"no cases", folder("a", CasesHeader, ""), nil},
		{"excluded", folder("a", tinyCases, ""), []string{"invalid 2 cases left out", "limit 1 case left out"}},
		{"out of time", folder("a", CasesHeader+"1,t:1,b,timeout,,,,1,1,1,1,late\n2,t:2,b,unsolvable,,,,,,,,\n", ""), []string{"unsolvable is case 2)", "timeout is case 1: late)"}},

		{"tail", folder("a", rowsOf(append(repeat(1, 99), 33)...), ""), []string{"tail 25.0 %"}},
		{"no tail", folder("a", rowsOf(append(repeat(1, 99), 32)...), ""), nil},
		{"too few for a tail", folder("a", rowsOf(1, 1, 1, 1, 1000), ""), nil},
		{"a tail of one case", folder("a", rowsOf(append(repeat(1, 9), 3)...), ""), []string{"tail the hardest case makes 25.0 %"}},

		{"too fast", folder("a", rowsOf(repeat(5, 100)...), timesOf(append(repeat(1000, 99), 999)...)), []string{"too-fast 1 of 100 timed cases"}},
		{"fast enough", folder("a", rowsOf(repeat(5, 101)...), timesOf(append(repeat(1000, 100), 999)...)), nil},
		{"timing of less", folder("a", rowsOf(5, 5), timesOf(1000)), []string{"untimed 1 case"}},

		{"exact", folder("a", strings.ReplaceAll(rowsOf(repeat(3, 10)...), ",1,3,", ",3,1,"), ""), []string{"exact every search"}},
		{"too few to be exact", folder("a", strings.ReplaceAll(rowsOf(repeat(3, 9)...), ",1,3,", ",3,1,"), ""), nil},
		{"cut off", folder("a", strings.TrimSuffix(rowsOf(3, 3, 3), "\n"), timesOf(1000, 1000)+"3"), []string{"cut-off of cases.csv"}},

		{"scramble", recorded(folder("a", rowsOf(5), ""), func(r *Run) { r.Random.Scramble = &five }), []string{"scramble 5 moves each"}},
		{"unfinished", recorded(folder("a", rowsOf(5), ""), func(r *Run) { r.State = Interrupted }), []string{"unfinished first 1 case"}},
		{"crowded", recorded(folder("a", rowsOf(5), timesOf(1000)), func(r *Run) { r.Options.Jobs = 3 }), []string{"crowded 3 workers on 2 cores"}},
		{"resumed", recorded(folder("a", rowsOf(5), timesOf(1000)), func(r *Run) { r.Starts = []time.Time{start, start} }), []string{"resumed (1×)"}},
		{"resumed, not timed", recorded(folder("a", rowsOf(5), ""), func(r *Run) { r.Starts = []time.Time{start, start}; r.Options.Jobs = 3 }), nil},
	} {
		checkWarnings(t, tt.name, analyze(t, tt.f).Runs[0].Warnings, tt.want)
	}
}

func checkWarnings(t *testing.T, name string, list []Warning, want []string) {
	t.Helper()
	var got, codes []string
	for _, w := range list {
		got = append(got, w.Code)
		if w.Advice == "" {
			t.Errorf("%s: no advice with %q", name, w.Text)
		}
	}
	for _, w := range want {
		code, _, _ := strings.Cut(w, " ")
		codes = append(codes, code)
	}
	if diff := cmp.Diff(codes, got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", name, diff)
		return
	}
	for i, w := range want {
		if _, words, _ := strings.Cut(w, " "); !strings.Contains(list[i].Text, words) {
			t.Errorf("%s: %q lacks %q", name, list[i].Text, words)
		}
	}
}

func TestComparisonWarnings(t *testing.T) {
	plain := func(r *Run) {}
	for _, tt := range []struct {
		name string
		a, b *Folder
		want []string
	}{
		{"the same", recorded(folder("a", rowsOf(5, 6), timesOf(1000, 1000)), plain), recorded(folder("b", rowsOf(5, 6), timesOf(1000, 1000)), plain), nil},
		{"one more", folder("a", rowsOf(5, 6), ""), folder("b", rowsOf(5, 6, 7), ""), []string{"partly only the 2 cases with the same board are compared; 1 only in the other"}},
		{"one less", folder("a", rowsOf(5, 6), ""), folder("b", rowsOf(5), ""), []string{"partly only the 1 case with the same board are compared; 1 only in the first"}},
		{"other boards", folder("a", rowsOf(5), ""), folder("b", strings.ReplaceAll(rowsOf(5), "b0", "c0"), ""), []string{"unpaired boards are not the same"}},
		{"none solved", folder("a", rowsOf(5), ""), folder("b", CasesHeader, ""), []string{"unpaired no case was solved in both"}},
		{"machines", recorded(folder("a", rowsOf(5), timesOf(1000)), plain), recorded(folder("b", rowsOf(5), timesOf(1000)), func(r *Run) { r.Machine.Cores, r.Options.Jobs = 3, 3 }),
			[]string{"machines different machines", "jobs 2 workers against 3 workers"}},
		{"machines, not timed", recorded(folder("a", rowsOf(5), ""), plain), recorded(folder("b", rowsOf(5), ""), func(r *Run) { r.Machine.Cores, r.Options.Jobs = 3, 3 }), nil},
	} {
		checkWarnings(t, tt.name, compare(t, tt.a, tt.b).Warnings, tt.want)
	}
}
