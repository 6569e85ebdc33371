package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"idabatch/internal/solver"
)

// A run small enough to be worked out by hand.
const (
	tinyCases = CasesHeader +
		"1,t:1,p,solved,2,ab,,2,1,2,4,\n" +
		"2,t:2,q,solved,3,abc,,1,3,14,20,\n" +
		"3,t:3,r,solved,3,acb,,3,1,6,10,\n" +
		"4,t:4,s,invalid,,,,,,,,t:4: bad\n" +
		"5,t:5,t,limit,,,,4,2,100,300,stopped\n" +
		"6,t:6,u,solved,0,,,0,1,0,0,\n" +
		"7,t:7,v,invalid,,,,,,,,t:7: bad too\n" +
		"8,t:8,w,solved,3,bca,,1,2,10,30,\n"
	tinyTiming = TimingHeader +
		"1,0,0,1000\n2,1,0,4000\n3,0,1000,2000\n4,0,3000,10\n5,1,4000,6000\n6,0,3010,990\n8,0,4000,3000\n"
)

func folder(name, cases, timing string) *Folder {
	f := &Folder{Name: name, Cases: strings.NewReader(cases)}
	if timing != "" {
		f.Timing = strings.NewReader(timing)
	}
	return f
}

func analyze(t testing.TB, folders ...*Folder) *Report {
	t.Helper()
	r, err := Analyze(folders)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ns(n int64) *int64 { return &n }

func TestStats(t *testing.T) {
	one := func(v int64) *Distribution {
		return &Distribution{Cases: 1, Total: v, Mean: float64(v), Min: v, P10: v, P50: v, P90: v, P99: v, Max: v, Exact: true}
	}
	// The distance of 2, 14, 6, 0, 10 from 6.4 squared, and so on.
	want := &Stats{
		Name: "tiny", Cases: 8, Status: map[string]int64{"solved": 5, "invalid": 2, "limit": 1},
		Excluded: []Excluded{
			{Status: "invalid", Cases: 2, First: 4, Source: "t:4", Detail: "t:4: bad"},
			{Status: "limit", Cases: 1, Expanded: 100, First: 5, Source: "t:5", Detail: "stopped"},
		},
		All: Group{
			Cases: 5, BoundMean: 7. / 5, ErrorMean: 4. / 5, ErrorMax: 2, BoundExact: 3, IterationsMean: 8. / 5, IterationsMax: 3,
			Expanded:  &Distribution{Cases: 5, Total: 32, Mean: 6.4, SD: math.Sqrt(131.2 / 4), Min: 0, P10: 0, P50: 6, P90: 14, P99: 14, Max: 14, Exact: true},
			Generated: &Distribution{Cases: 5, Total: 64, Mean: 12.8, SD: math.Sqrt(596.8 / 4), Min: 0, P10: 0, P50: 10, P90: 30, P99: 30, Max: 30, Exact: true},
			Time:      &Distribution{Cases: 5, Total: 10990, Mean: 2198, SD: math.Sqrt(6824080. / 4), Min: 990, P10: 990, P50: 2000, P90: 4000, P99: 4000, Max: 4000, Exact: true},
		},
		Depths: []DepthGroup{
			{Depth: 0, Share: 0.2, Group: Group{Cases: 1, BoundExact: 1, IterationsMean: 1, IterationsMax: 1, Expanded: one(0), Generated: one(0), Time: one(990)}},
			{Depth: 2, Share: 0.2, BStar: 1, Group: Group{Cases: 1, BoundMean: 2, BoundExact: 1, IterationsMean: 1, IterationsMax: 1, Expanded: one(2), Generated: one(4), Time: one(1000)}},
			{Depth: 3, Share: 0.6, BStar: 1.7370696, Group: Group{ // 1.7370696 + its square + its cube = 9.9962
				Cases: 3, BoundMean: 5. / 3, ErrorMean: 4. / 3, ErrorMax: 2, BoundExact: 1, IterationsMean: 2, IterationsMax: 3,
				Expanded:  &Distribution{Cases: 3, Total: 30, Mean: 10, SD: 4, Min: 6, P10: 6, P50: 10, P90: 14, P99: 14, Max: 14, Exact: true},
				Generated: &Distribution{Cases: 3, Total: 60, Mean: 20, SD: 10, Min: 10, P10: 10, P50: 20, P90: 30, P99: 30, Max: 30, Exact: true},
				Time:      &Distribution{Cases: 3, Total: 9000, Mean: 3000, SD: 1000, Min: 2000, P10: 2000, P50: 3000, P90: 4000, P99: 4000, Max: 4000, Exact: true},
			}},
		},
		FirstErrors: []int64{3, 0, 2},
		Hardest1:    Top{1, 14. / 32}, Hardest10: Top{1, 14. / 32},
		Hardest: []HardCase{
			{Case: 2, Source: "t:2", Board: "q", Depth: 3, Moves: "abc", Expanded: 14, Generated: 20, Time: ns(4000)},
			{Case: 8, Source: "t:8", Board: "w", Depth: 3, Moves: "bca", Expanded: 10, Generated: 30, Time: ns(3000)},
			{Case: 3, Source: "t:3", Board: "r", Depth: 3, Moves: "acb", Expanded: 6, Generated: 10, Time: ns(2000)},
			{Case: 1, Source: "t:1", Board: "p", Depth: 2, Moves: "ab", Expanded: 2, Generated: 4, Time: ns(1000)},
			{Case: 6, Source: "t:6", Board: "u", Expanded: 0, Time: ns(990)},
		},
		Workers: &Workers{Wall: 10000, Width: 1024, Workers: []Worker{
			{Worker: 0, Cases: 5, Busy: 7000, DoneIn: []int64{1, 0, 2, 1, 0, 0, 1, 0, 0, 0}, BusyIn: []int64{1024, 1024, 1024, 1024, 1024, 1024, 856, 0, 0, 0}},
			{Worker: 1, Cases: 2, Busy: 10000, DoneIn: []int64{0, 0, 0, 1, 0, 0, 0, 0, 0, 1}, BusyIn: []int64{1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 784}},
		}},
	}
	got := analyze(t, folder("tiny", tinyCases, tinyTiming)).Runs[0]
	ignore := cmpopts.IgnoreFields(Stats{}, "Lorenz", "Warnings")
	if diff := cmp.Diff(want, got, ignore, cmpopts.IgnoreUnexported(Stats{}), cmpopts.EquateApprox(0, 1e-3)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	empty := analyze(t, folder("none", CasesHeader, "")).Runs[0]
	if diff := cmp.Diff(&Stats{Name: "none", Status: map[string]int64{}}, empty, cmpopts.IgnoreUnexported(Stats{})); diff != "" {
		t.Errorf("no cases: -want +got:\n%s", diff)
	}
}

// testRow is a case as the naive computations see it.
type testRow struct {
	c      solver.Case
	r      solver.Result
	worker int
	start  int64
	took   int64
	timed  bool
}

// randomRun makes rows of a run, most of them solved.
func randomRun(rnd *rand.Rand, n int) (rows []testRow) {
	clock := int64(0)
	for i := range n {
		x := testRow{
			c:      solver.Case{Index: int64(i + 1), Source: "seed=1", First: int64(i + 1), Text: fmt.Appendf(nil, "board %d", i)},
			worker: rnd.IntN(3), start: clock, took: rnd.Int64N(1 << (1 + rnd.IntN(20))), timed: rnd.IntN(50) > 0,
		}
		clock += x.took / 2
		if status := solver.Status(rnd.IntN(40)); status < solver.NumStatuses {
			x.r.Status = status
		}
		if x.r.Status == solver.Solved {
			x.r.Moves = bytes.Repeat([]byte("x"), rnd.IntN(12))
		}
		if x.r.Status != solver.Invalid && x.r.Status != solver.Unsolvable {
			x.r.Searched = true
			x.r.InitialBound = rnd.IntN(len(x.r.Moves) + 1)
			x.r.Iterations = make([]solver.Iteration, 1+rnd.IntN(5))
			values := randomValues(rnd, 2)
			x.r.Expanded, x.r.Generated = values[0]+int64(len(x.r.Moves)), values[1]
		}
		rows = append(rows, x)
	}
	return rows
}

// runFolder encodes rows as a run's files have them.
func runFolder(name string, rows []testRow) *Folder {
	cases, timing := []byte(CasesHeader), []byte(TimingHeader)
	for i := range rows {
		x := &rows[i]
		cases = AppendCase(cases, &x.c, &x.r)
		if x.timed {
			timing = AppendTiming(timing, x.c.Index, x.worker, time.Duration(x.start), time.Duration(x.took))
		}
	}
	return &Folder{Name: name, Cases: bytes.NewReader(cases), Timing: bytes.NewReader(timing)}
}

// naiveGroup looks at the solved rows of one depth; of all if it is negative.
func naiveGroup(rows []testRow, depth int) Group {
	var g Group
	var expanded, generated, times []int64
	bounds, errors, iterations := 0, 0, 0
	for _, x := range rows {
		d := len(x.r.Moves)
		if x.r.Status != solver.Solved || depth >= 0 && d != depth {
			continue
		}
		g.Cases++
		bounds += x.r.InitialBound
		errors += d - x.r.InitialBound
		iterations += len(x.r.Iterations)
		g.ErrorMax = max(g.ErrorMax, d-x.r.InitialBound)
		g.IterationsMax = max(g.IterationsMax, len(x.r.Iterations))
		if d == x.r.InitialBound {
			g.BoundExact++
		}
		expanded = append(expanded, x.r.Expanded)
		generated = append(generated, x.r.Generated)
		if x.timed {
			times = append(times, x.took)
		}
	}
	n := float64(max(1, g.Cases))
	g.BoundMean, g.ErrorMean, g.IterationsMean = float64(bounds)/n, float64(errors)/n, float64(iterations)/n
	g.Expanded, g.Generated, g.Time = naive(expanded), naive(generated), naive(times)
	return g
}

func TestStatsOfMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 100, 3000} {
		rows := randomRun(rnd, n)
		s := analyze(t, runFolder("run", rows)).Runs[0]
		if diff := cmp.Diff(naiveGroup(rows, -1), s.All, about); diff != "" {
			t.Errorf("%d rows: -want +got:\n%s", n, diff)
		}
		sum := int64(0)
		for _, d := range s.Depths {
			if diff := cmp.Diff(naiveGroup(rows, d.Depth), d.Group, about); diff != "" {
				t.Errorf("%d rows, depth %d: -want +got:\n%s", n, d.Depth, diff)
			}
			sum += d.Cases
		}
		if sum != s.All.Cases {
			t.Errorf("%d rows: %d cases by depth, %d in all", n, sum, s.All.Cases)
		}

		var solved []testRow
		for _, x := range rows {
			if x.r.Status == solver.Solved {
				solved = append(solved, x)
			}
		}
		slices.SortStableFunc(solved, func(a, b testRow) int { return int(b.r.Expanded - a.r.Expanded) })
		work, hard := 0., 0.
		for i, x := range solved {
			work += float64(x.r.Expanded)
			if float64(i) < float64(len(solved))/10 {
				hard += float64(x.r.Expanded)
			}
			if i < 10 && (s.Hardest[i].Case != x.c.Index || s.Hardest[i].Expanded != x.r.Expanded) {
				t.Errorf("%d rows: hardest %d is case %d, want %d", n, i, s.Hardest[i].Case, x.c.Index)
			}
		}
		if len(s.Hardest) != min(10, len(solved)) {
			t.Errorf("%d rows: %d hardest of %d", n, len(s.Hardest), len(solved))
		}
		if got := s.Hardest10.Share; len(solved) > 0 && math.Abs(got-hard/work) > 1e-9 {
			t.Errorf("%d rows: the hardest tenth makes %v, want %v", n, got, hard/work)
		}
	}
}

// Beyond a limit there are histograms: nearly the same, in bounded memory.
func TestStatsBeyondLimit(t *testing.T) {
	rows := randomRun(rand.New(rand.NewPCG(5, 6)), 2000)
	f := runFolder("run", rows)
	exact := analyze(t, f).Runs[0]
	f = runFolder("run", rows)
	r, err := newRowReader(f)
	if err != nil {
		t.Fatal(err)
	}
	tl := newTally()
	tl.limit = 1000
	if err := readAll([]*Folder{f}, []*rowReader{r}, []*tally{tl}, nil); err != nil {
		t.Fatal(err)
	}
	if len(tl.depths[5].expanded.values) > 0 {
		t.Error("values are still kept")
	}
	coarse, err := tl.stats(f)
	if err != nil {
		t.Fatal(err)
	}
	if exact.All.Expanded.Exact != true || coarse.All.Expanded.Exact != false {
		t.Error("exact is told wrong")
	}
	near := cmp.Comparer(func(a, b int64) bool { return math.Abs(float64(a-b)) <= 1e-3*float64(min(a, b)) })
	if diff := cmp.Diff(exact, coarse, near, cmpopts.EquateApprox(1e-3, 0),
		cmpopts.IgnoreUnexported(Stats{}), cmpopts.IgnoreFields(Stats{}, "Warnings"), cmpopts.IgnoreFields(Distribution{}, "Exact")); diff != "" {
		t.Errorf("-exact +coarse:\n%s", diff)
	}
}

// Each timed case comes onto the chart with the same chance, and none twice.
func TestPoints(t *testing.T) {
	const n = 10 * maxPoints
	tl := newTally()
	for i := range int64(n) {
		r := row{index: i, depth: 1, expanded: i, timed: true, elapsed: 5, searched: true}
		if err := tl.add(&r); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[int64]bool{}
	var tenths [10]int
	for _, p := range tl.points {
		if p.expanded != p.index || p.elapsed != 5 || seen[p.index] {
			t.Fatalf("point %+v", p)
		}
		seen[p.index] = true
		tenths[10*p.index/n]++
	}
	if len(seen) != maxPoints {
		t.Errorf("%d points, want %d", len(seen), maxPoints)
	}
	for i, got := range tenths { // 150 expected, the standard deviation is less than 12
		if got < 100 || got > 200 {
			t.Errorf("%d points from tenth %d, want about %d", got, i, maxPoints/10)
		}
	}
}

// FuzzAnalyze holds that whatever the files are, they are refused or make a
// report.
func FuzzAnalyze(f *testing.F) {
	f.Add(tinyCases, tinyTiming)
	f.Add(rowsOf(1, 10, 100), timesOf(1, 10, 100))
	f.Add(CasesHeader+"1,t:1,p,solved,2,ab,,2,1,9223372036854775807,9223372036854775807,\n", TimingHeader+"1,65535,2305843009213693951,2305843009213693951\n")
	f.Add(CasesHeader+`1,"a,b",p,invalid,,,,,,,,"x""y"`+"\r\n", "elapsed_ns,start_ns,worker,case\n")
	f.Fuzz(func(t *testing.T, cases, timing string) {
		r, err := Analyze([]*Folder{folder("a", cases, timing), folder("b", cases, "")})
		if err != nil {
			return
		}
		for _, write := range []func(io.Writer) error{r.WriteText, r.WriteCSV, r.WriteJSON, func(w io.Writer) error { return r.WriteHTML(w, drawSwaps) }} {
			if err := write(io.Discard); err != nil {
				t.Error(err)
			}
		}
	})
}

func BenchmarkAnalyze(b *testing.B) {
	const n = 20000
	rows := randomRun(rand.New(rand.NewPCG(1, 2)), n)
	for b.Loop() {
		b.StopTimer()
		f := runFolder("run", rows)
		b.StartTimer()
		if _, err := Analyze([]*Folder{f}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
