package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// about compares floating-point numbers but for rounding.
var about = cmpopts.EquateApprox(1e-9, 1e-12)

func sampleOf(t testing.TB, values ...int64) *sample {
	t.Helper()
	s := new(sample)
	for _, v := range values {
		if err := s.add(v); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestDistribution(t *testing.T) {
	for _, tt := range []struct {
		values []int64
		want   *Distribution
	}{
		{nil, nil},
		{[]int64{0}, &Distribution{Cases: 1, Exact: true}},
		{[]int64{7}, &Distribution{Cases: 1, Total: 7, Mean: 7, Min: 7, P10: 7, P50: 7, P90: 7, P99: 7, Max: 7, Exact: true}},
		// The squares of 2, 4, 4, 4, 5, 5, 7, 9 less 5 add up to 32.
		{[]int64{9, 2, 4, 5, 4, 7, 5, 4}, &Distribution{
			Cases: 8, Total: 40, Mean: 5, SD: math.Sqrt(32. / 7), Min: 2, P10: 2, P50: 4, P90: 9, P99: 9, Max: 9, Exact: true}},
		// Ten values: nine of ten do not exceed 90.
		{[]int64{100, 90, 80, 70, 60, 50, 40, 30, 20, 10}, &Distribution{
			Cases: 10, Total: 550, Mean: 55, SD: math.Sqrt(8250. / 9), Min: 10, P10: 10, P50: 50, P90: 90, P99: 100, Max: 100, Exact: true}},
		{[]int64{math.MaxInt64}, &Distribution{Cases: 1, Total: math.MaxInt64, Mean: math.MaxInt64, Min: math.MaxInt64,
			P10: math.MaxInt64, P50: math.MaxInt64, P90: math.MaxInt64, P99: math.MaxInt64, Max: math.MaxInt64, Exact: true}},
	} {
		s := sampleOf(t, tt.values...)
		if diff := cmp.Diff(tt.want, s.distribution(), about); diff != "" {
			t.Errorf("%v: -want +got:\n%s", tt.values, diff)
		}
		s.coarsen() // small values are told apart by the histogram too, and one value is the greatest
		if tt.want != nil && tt.want.Max >= exactBelow {
			tt.want.Exact = false
		}
		if diff := cmp.Diff(tt.want, s.distribution(), about); diff != "" {
			t.Errorf("%v by histogram: -want +got:\n%s", tt.values, diff)
		}
	}
}

// naive computes a distribution from its definition.
func naive(values []int64) *Distribution {
	if len(values) == 0 {
		return nil
	}
	n := float64(len(values))
	d := &Distribution{Cases: int64(len(values)), Min: math.MaxInt64, Exact: true}
	for _, v := range values {
		d.Total += v
		d.Min, d.Max = min(d.Min, v), max(d.Max, v)
	}
	d.Mean = float64(d.Total) / n
	for _, v := range values {
		d.SD += (float64(v) - d.Mean) * (float64(v) - d.Mean)
	}
	if n > 1 {
		d.SD = math.Sqrt(d.SD / (n - 1))
	}
	candidates := slices.Clone(values)
	slices.Sort(candidates)
	for _, q := range []struct {
		percent int
		to      *int64
	}{{10, &d.P10}, {50, &d.P50}, {90, &d.P90}, {99, &d.P99}} {
		for i, v := range candidates { // i+1 or more values do not exceed v
			if 100*(i+1) >= q.percent*len(candidates) {
				*q.to = v
				break
			}
		}
	}
	return d
}

// randomValues are spread over many orders of magnitude.
func randomValues(rnd *rand.Rand, n int) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(math.Exp(7 + 3*rnd.NormFloat64()))
	}
	return values
}

func TestDistributionOfMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 9, 10, 11, 99, 100, 101, 1000, 5000} {
		values := randomValues(rnd, n)
		want := naive(values)
		if diff := cmp.Diff(want, sampleOf(t, values...).distribution(), about); diff != "" {
			t.Errorf("%d values: -want +got:\n%s", n, diff)
		}
		// The same in parts: exact ones, a histogram, and one that becomes
		// a histogram on the way.
		for _, coarse := range []bool{false, true} {
			var all sample
			for part := range slices.Chunk(values, n/3+1) {
				s := new(sample)
				for i, v := range part {
					if coarse && i == len(part)/2 {
						s.coarsen()
					}
					if err := s.add(v); err != nil {
						t.Fatal(err)
					}
				}
				if err := all.merge(s); err != nil {
					t.Fatal(err)
				}
			}
			got := all.distribution()
			want.Exact = !coarse || want.Max < 2048
			relative := 0.
			if coarse {
				relative = 1e-3
			}
			near := cmp.Comparer(func(got, want int64) bool {
				return math.Abs(float64(got-want)) <= relative*float64(min(got, want))
			})
			if diff := cmp.Diff(want, got, about, near); diff != "" || got.Total != want.Total || got.Min != want.Min || got.Max != want.Max {
				t.Errorf("%d values in parts, coarse %v: -want +got:\n%s", n, coarse, diff)
			}
			want.Exact = true
		}
	}
}

func TestTotalTooLarge(t *testing.T) {
	s := sampleOf(t, math.MaxInt64-1)
	if err := s.add(2); err != errTotal {
		t.Errorf("add: got error %v, want %v", err, errTotal)
	}
	if err := s.merge(sampleOf(t, 2)); err != errTotal {
		t.Errorf("merge: got error %v, want %v", err, errTotal)
	}
}

func TestLorenz(t *testing.T) {
	for _, tt := range []struct {
		values       []int64
		shares, want []float64
	}{
		{[]int64{4, 1, 2, 1}, []float64{0, 0.25, 0.5, 0.75, 0.875, 1}, []float64{0, 1. / 8, 2. / 8, 4. / 8, 6. / 8, 1}},
		{[]int64{5, 5}, []float64{0, 0.1, 0.5, 0.9, 1}, []float64{0, 0.1, 0.5, 0.9, 1}},
		{[]int64{0, 3}, []float64{0, 0.5, 0.75, 1}, []float64{0, 0, 0.5, 1}},
		{[]int64{0, 0}, []float64{0, 1}, nil},
		{nil, []float64{0, 1}, nil},
	} {
		s := sampleOf(t, tt.values...)
		for range 2 {
			var got []float64
			for _, p := range s.lorenz(tt.shares) {
				got = append(got, p.Work)
			}
			if diff := cmp.Diff(tt.want, got, about); diff != "" {
				t.Errorf("%v: -want +got:\n%s", tt.values, diff)
			}
			s.coarsen()
		}
	}
}

func TestBranching(t *testing.T) {
	for _, tt := range []struct {
		expanded float64
		depth    int
		want     float64
	}{
		{52, 5, 1.92}, // the example of Russell and Norvig, to two decimals
		{6, 2, 2},     // 2 + 4
		{14, 3, 2},    // 2 + 4 + 8
		{88572, 10, 3},
		{8, 1, 8},
		{7, 7, 1},
		{0.75, 2, 0.5}, // less than a straight way: 1/2 + 1/4
		{0, 0, 0},
		{0, 3, 0},
		{5, 0, 0},
	} {
		near := 1e-9
		if tt.want == 1.92 {
			near = 0.005
		}
		if got := branching(tt.expanded, tt.depth); math.Abs(got-tt.want) > near {
			t.Errorf("%v expanded, depth %d: got %v, want %v", tt.expanded, tt.depth, got, tt.want)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		b, depth := 1+9*rnd.Float64(), 1+rnd.IntN(30)
		n, power := 0., 1.
		for range depth {
			power *= b
			n += power
		}
		if got := branching(n, depth); math.Abs(got-b) > 1e-9 {
			t.Errorf("b* %v at depth %d: got %v", b, depth, got)
		}
	}
}
