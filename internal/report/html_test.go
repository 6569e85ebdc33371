package report

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

// swaps is a puzzle of three letters: each move swaps two neighbours.
var swaps = &solver.Drawing{
	Cells: []solver.Cell{{Row: 0, Col: 1}, {Row: -1}, {Row: 2, Col: 0, Goal: true}},
	Marks: []solver.Mark{{Row: 1, Col: 3, Text: "a"}},
	Blank: 'X',
	Move: func(plain []byte, letter byte) {
		i := letter - 'a'
		plain[i], plain[i+1] = plain[i+1], plain[i]
	},
}

func drawSwaps(c *HardCase) *Board {
	if len(c.Board) != 3 || strings.Trim(c.Moves, "ab") != "" {
		return nil
	}
	return NewBoard(swaps, c.Board, c.Moves)
}

func TestBoard(t *testing.T) {
	got := NewBoard(swaps, "XYZ", "aba")
	want := &Board{
		Cells: swaps.Cells, Marks: swaps.Marks, Blank: "X", Colored: true, Moves: "aba",
		Frames: []string{"XYZ", "YXZ", "YZX", "ZYX"}, Size: map[string]int{"rows": 3, "cols": 4},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	solved := NewBoard(swaps, "XYZ", "")
	if diff := cmp.Diff([]string{"XYZ"}, solved.Frames); diff != "" {
		t.Errorf("no moves: -want +got:\n%s", diff)
	}
	if NewBoard(&solver.Drawing{Cells: make([]solver.Cell, 5)}, "abcde", "").Colored {
		t.Error("five symbols have no colors")
	}
}

// page writes the page of some runs.
func page(t testing.TB, folders ...*Folder) string {
	t.Helper()
	var b strings.Builder
	if err := analyze(t, folders...).WriteHTML(&b, drawSwaps); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	hostile := CasesHeader + `1,"</script><img src=x onerror=alert(1)>",XYZ,solved,2,ab,,2,1,2,4,` + "\n" +
		`2,t:2,"<i>",invalid,,,,,,,,"<script>alert(2)</script>"` + "\n"
	text := page(t, recorded(folder("<u>name", hostile, tinyTiming), func(r *Run) { r.Machine.CPU = "<s>" }))
	for _, bad := range []string{"<img", "<i>", "<u>", "<s>", "alert(1)\"", "<script>alert"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q got through", bad)
		}
	}
	for _, want := range []string{"&lt;u&gt;name", "Case 1", `"frames":["XYZ","YXZ","YZX"]`, "Copyright (c) 2022 Leon Sorokin", "invalid"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// Nothing is fetched. What looks like an address is in a comment, or names
	// a namespace.
	for _, m := range regexp.MustCompile(`(?:src|href)\s*=\s*["']([^"']*)|url\(([^)]*)\)|@import`).FindAllStringSubmatch(text, -1) {
		if m[1] != "data:," {
			t.Errorf("the page asks for %q", m[0])
		}
	}
	if !strings.Contains(text, "default-src 'none'") {
		t.Error("the page does not forbid requests")
	}
}

func TestPageNotDrawn(t *testing.T) {
	const three = "1,t:1,XYZ,solved,1,a,,1,1,1,1,\n2,t:2,XYZ,solved,1,q,,1,1,1,1,\n"
	text := page(t, folder("a", CasesHeader+three, ""))
	if strings.Count(text, `class="player"`) != 1 || !strings.Contains(text, "1 case not drawn") {
		t.Error("the page does not tell of a case that cannot be drawn")
	}
}

// Whatever the runs are, there is a page.
func TestPages(t *testing.T) {
	many := func() *Folder { return runFolder("many", randomRun(rand.New(rand.NewPCG(1, 2)), 300)) }
	for name, folders := range map[string][]*Folder{
		"no cases":      {folder("a", CasesHeader, TimingHeader)},
		"none solved":   {folder("a", CasesHeader+"1,t:1,b,limit,,,,1,1,0,0,\n", TimingHeader+"1,0,0,0\n")},
		"no work":       {folder("a", CasesHeader+"1,t:1,b,solved,0,,,0,1,0,0,\n", TimingHeader+"1,0,0,0\n")},
		"no times":      {folder("a", tinyCases, "")},
		"huge":          {runFolder("wide", hugeRun())},
		"two":           {many(), many()},
		"not the same":  {many(), folder("a", tinyCases, tinyTiming), folder("none", CasesHeader, "")},
		"standard case": {recorded(many(), func(r *Run) {})},
	} {
		text := page(t, folders...)
		if strings.Contains(text, "ZgotmplZ") {
			t.Errorf("%s: the template refuses a value", name)
		}
		for _, m := range regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`).FindAllStringSubmatch(text, -1) {
			var c Chart
			if err := json.Unmarshal([]byte(m[1]), &c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, s := range c.Series {
				if len(s.X) == 0 || !slices.IsSorted(s.X) || len(s.Y) != len(s.X) || s.High != nil && len(s.High) != len(s.X) || s.Names != nil && len(s.Names) != len(s.X) {
					t.Errorf("%s: %s, %s: %d points, %d values, %d and %d more", name, c.Title, s.Label, len(s.X), len(s.Y), len(s.High), len(s.Names))
				}
			}
		}
	}
}

func TestCharts(t *testing.T) {
	charts := analyze(t, folder("a", tinyCases, tinyTiming)).charts()
	series := map[string][]Series{}
	for _, c := range charts {
		series[c.ID] = c.Series
	}
	for id, want := range map[string][]Series{
		"chart-depth": {{Kind: Bars, X: []float64{0, 2, 3}, Y: []float64{1, 1, 3}}},
		"chart-expanded": {
			{Label: "p10 to p90", Kind: Band, X: []float64{0, 2, 3}, Y: []float64{0, 2, 6}, High: []float64{0, 2, 14}},
			{Label: "median", Kind: Line, X: []float64{0, 2, 3}, Y: []float64{0, 2, 10}},
			{Label: "p99", Kind: Dashed, X: []float64{0, 2, 3}, Y: []float64{0, 2, 14}},
		},
		// Case 6 was no work, and has no place on an axis of powers.
		"chart-time": {{Kind: Points, X: []float64{2, 6, 10, 14}, Y: []float64{1000, 2000, 3000, 4000},
			Names: []string{"case 1, depth 2", "case 3, depth 3", "case 8, depth 3", "case 2, depth 3"}}},
	} {
		if diff := cmp.Diff(want, series[id], about); diff != "" {
			t.Errorf("%s: -want +got:\n%s", id, diff)
		}
	}
	lorenz := series["chart-lorenz"][0]
	for i, x := range lorenz.X {
		if x == 0.8 && math.Abs(lorenz.Y[i]-18./32) > 1e-4 { // 0, 2, 6 and 10 of 32
			t.Errorf("the easiest four fifths make %v of the work", lorenz.Y[i])
		}
	}
	// Of two workers each has a line. In the last of ten spans, 784 ns long,
	// worker 1 was busy throughout and did its last case.
	if busy := series["chart-busy-0"]; len(busy) != 2 || busy[0].Y[6] != round(856./1024) || busy[0].Y[9] != 0 || busy[1].Y[9] != 1 {
		t.Errorf("busy: %+v", busy)
	}
	if done := series["chart-throughput-0"]; done[0].Y[9] != round(1/784e-9) || done[0].X[9] != 9*1024+392 {
		t.Errorf("throughput: %+v", done)
	}

	var many strings.Builder
	many.WriteString(TimingHeader)
	for i := range 8 {
		many.WriteString(strings.Join([]string{string(rune('1' + i)), string(rune('1' + i)), "0", "100"}, ",") + "\n")
	}
	for _, c := range analyze(t, folder("a", rowsOf(repeat(1, 8)...), many.String())).charts() {
		if c.ID == "chart-busy-0" && (len(c.Series) != 2 || c.Series[0].Kind != Band || c.Series[1].Y[0] != 1) {
			t.Errorf("busy, eight workers: %+v", c.Series)
		}
	}
}

func TestPageFails(t *testing.T) {
	err := (&Page{}).Write(broken{})
	if err == nil || err.Error() != "writing the page: broken" {
		t.Errorf("got error %v", err)
	}
}
