package report

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

func TestTotals(t *testing.T) {
	s := NewSummary()
	s.Observe(solver.Solved, 2, 2)
	s.Observe(solver.Invalid, 0, 0)
	s.Observe(solver.Solved, 0, 0)
	s.Observe(solver.Solved, 11, 1500)
	s.Observe(solver.Limit, 0, 2000)
	s.Observe(solver.Unsolvable, 0, 0)
	s.Observe(solver.Timeout, 0, math.MaxInt64-3502)
	want := Totals{
		Cases:     7,
		Status:    map[string]int64{"solved": 3, "invalid": 1, "unsolvable": 1, "limit": 1, "timeout": 1},
		DepthMean: 13. / 3, DepthMax: 11,
		ExpandedTotal: math.MaxInt64, ExpandedMedian: 1500, ExpandedMax: math.MaxInt64 - 3502,
		Wall: 3 * time.Second, Busy: 5 * time.Second, Workers: 2,
	}
	if diff := cmp.Diff(want, s.Totals(3*time.Second, 5*time.Second, 2)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(Totals{Status: map[string]int64{}}, NewSummary().Totals(0, 0, 0)); diff != "" {
		t.Errorf("no cases: -want +got:\n%s", diff)
	}
}

func TestMedian(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 100, 1001} {
		for bits := 1; bits < 63; bits++ {
			s := NewSummary()
			var values []int64
			for range n {
				v := rnd.Int64N(1 << bits)
				values = append(values, v)
				s.Observe(solver.Solved, 0, v)
			}
			slices.Sort(values)
			want, got := values[(n-1)/2], s.Totals(0, 0, 0).ExpandedMedian
			if want < 2048 && got != want || got < want || float64(got-want) >= 1e-3*float64(want) && got != want {
				t.Errorf("median of %d values below 2^%d: got %d, want %d", n, bits, got, want)
			}
		}
	}
}

func TestTotalsText(t *testing.T) {
	tests := []struct {
		name string
		t    Totals
		want string
	}{
		{"no cases", Totals{Wall: 1200 * time.Microsecond, Workers: 2}, `
cases     0
time      1.2 ms
`},
		{"all there is", Totals{
			Cases: 10000, Status: map[string]int64{"solved": 9996, "invalid": 1, "unsolvable": 1, "limit": 1, "timeout": 1},
			DepthMean: 9.8749, DepthMax: 14, ExpandedTotal: 697314882, ExpandedMedian: 12351, ExpandedMax: 4882001,
			Wall: 2130 * time.Millisecond, Busy: 4132 * time.Millisecond, Workers: 2,
		}, `
cases     10,000: 9,996 solved, 1 invalid, 1 unsolvable, 1 limit, 1 timeout
depth     mean 9.87, max 14
expanded  total 697,314,882, median ~12,351, max 4,882,001
time      2.13 s, 4,695 cases/s, 2 workers 97 % busy
`},
		{"one case, one worker", Totals{
			Cases: 1, Status: map[string]int64{"solved": 1}, DepthMean: 10, DepthMax: 10,
			ExpandedTotal: 69731, ExpandedMedian: 69696, ExpandedMax: 69731,
			Wall: 61 * time.Second, Busy: 61 * time.Second, Workers: 1,
		}, `
cases     1: 1 solved
depth     10
expanded  69,731
time      1m1s, 0.0164 cases/s, 1 worker 100 % busy
`},
		{"none solved", Totals{Cases: 2, Status: map[string]int64{"invalid": 2}, Wall: time.Second, Workers: 1}, `
cases     2: 2 invalid
time      1 s, 2 cases/s, 1 worker 0 % busy
`},
		{"none but limits", Totals{
			Cases: 2, Status: map[string]int64{"limit": 2}, ExpandedTotal: 200, ExpandedMedian: 100, ExpandedMax: 100,
		}, `
cases     2: 2 limit
expanded  total 200, median 100, max 100
time      0 ms
`},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want[1:], tt.t.Text()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{thousands(0), "0"},
		{thousands(999), "999"},
		{thousands(1000), "1,000"},
		{thousands(-999), "-999"},
		{thousands(-123456), "-123,456"},
		{thousands(math.MaxInt64), "9,223,372,036,854,775,807"},
		{thousands(math.MinInt64), "-9,223,372,036,854,775,808"},
		{count(0, "case"), "0 cases"},
		{count(1, "case"), "1 case"},
		{count(1000, "case"), "1,000 cases"},
		{rate(0.01234), "0.0123"},
		{rate(9.999), "10"},
		{rate(99.96), "100"},
		{rate(1234567.5), "1,234,568"},
		{seconds(0), "0 ms"},
		{seconds(1234 * time.Nanosecond), "0.00123 ms"},
		{seconds(999499 * time.Microsecond), "999 ms"},
		{seconds(999500 * time.Microsecond), "1 s"},
		{seconds(59999 * time.Millisecond), "60 s"},
		{seconds(59*time.Minute + 59600*time.Millisecond), "1h0m0s"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	s := NewSummary()
	rnd := rand.New(rand.NewPCG(1, 2))
	var expanded [1024]int64
	for i := range expanded {
		expanded[i] = int64(math.Exp(14 * rnd.Float64()))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Observe(solver.Solved, 10, expanded[i%1024])
	}
}

// A summary that was kept half way goes on to the same totals.
func TestSummaryGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	observe := func(s *Summary, n int) {
		for range n {
			s.Observe(solver.Status(r.IntN(int(solver.NumStatuses))), r.IntN(20), r.Int64N(1<<r.IntN(50)+1))
		}
	}
	for _, n := range []int{0, 1, 2, 10, 1000} {
		whole := NewSummary()
		observe(whole, n)
		data, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		later := new(Summary)
		if err := json.Unmarshal(data, later); err != nil {
			t.Fatalf("%d cases: %v", n, err)
		}
		if later.Cases() != int64(n) {
			t.Errorf("%d cases, want %d", later.Cases(), n)
		}
		for _, more := range []int{0, 1, 100} {
			for range more {
				status, depth, expanded := solver.Status(r.IntN(int(solver.NumStatuses))), r.IntN(20), r.Int64N(1<<40)
				whole.Observe(status, depth, expanded)
				later.Observe(status, depth, expanded)
			}
			if diff := cmp.Diff(whole.Totals(1, 2, 3), later.Totals(1, 2, 3)); diff != "" {
				t.Errorf("%d cases and %d more: -want +got:\n%s", n, more, diff)
			}
		}
	}
}

func TestSummaryRefuses(t *testing.T) {
	for _, text := range []string{
		`[]`, `{"status": {"solved": 1.5}}`, `{"status": {"bored": 1}}`, `{"status": {"solved": -1}}`, `{"depth_sum": -1}`,
		`{"status": {"solved": 1}, "expanded": []}`, `{"status": {"solved": 1}, "expanded": [[5, 2]]}`,
		`{"status": {"solved": 1}, "expanded": [[-5, 1]]}`, `{"status": {"solved": 1}, "expanded": [[5, 2], [6, -1]]}`,
		`{"status": {"invalid": 1}, "expanded": [[5, 1]]}`,
	} {
		if err := json.Unmarshal([]byte(text), new(Summary)); err == nil {
			t.Errorf("no error for %s", text)
		}
	}
}
