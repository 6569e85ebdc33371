package report

import (
	"errors"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
	"gonum.org/v1/gonum/stat"
)

// Distribution is how the values of many cases are spread: counts, or times in
// nanoseconds. The quantile p is the least value that at least the share p of
// the cases does not exceed, so the median is the lower of the two middle values
// where there are two.
type Distribution struct {
	Cases int64   `json:"cases"`
	Total int64   `json:"total"`
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"` // of a sample: n-1 in the denominator; 0 for one case
	Min   int64   `json:"min"`
	P10   int64   `json:"p10"`
	P50   int64   `json:"p50"`
	P90   int64   `json:"p90"`
	P99   int64   `json:"p99"`
	Max   int64   `json:"max"`

	// Exact tells that the quantiles are the values themselves. Else they come
	// from a histogram, and are less than 0.1 % too large. The rest is always
	// exact, but for rounding.
	Exact bool `json:"exact"`
}

// moments are mean and variance, added up in one pass (Welford, 1962).
type moments struct {
	n        int64
	mean, m2 float64 // m2: sum of the squared distances from the mean
}

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.m2 += d * (x - m.mean)
}

// merge adds what others hold (Chan, Golub and LeVeque, 1979).
func (m *moments) merge(o moments) {
	if o.n == 0 {
		return
	}
	n := m.n + o.n
	d := o.mean - m.mean
	share := float64(o.n) / float64(n)
	m.mean += d * share
	m.m2 += o.m2 + d*d*float64(m.n)*share
	m.n = n
}

// sd is the standard deviation of a sample.
func (m *moments) sd() float64 {
	if m.n < 2 {
		return 0
	}
	return math.Sqrt(m.m2 / float64(m.n-1))
}

// sample gathers the values of a distribution: all of them, or, once it is told
// to, a histogram.
type sample struct {
	moments
	total, min, max int64
	values          []float64
	hist            *hdrhistogram.Histogram
}

var errTotal = errors.New("the counts add up to more than 2^63-1")

func (s *sample) add(v int64) error {
	if s.total > math.MaxInt64-v {
		return errTotal
	}
	if s.n == 0 || v < s.min {
		s.min = v
	}
	s.max = max(s.max, v)
	s.total += v
	s.moments.add(float64(v))
	if s.hist != nil {
		return s.hist.RecordValue(v)
	}
	s.values = append(s.values, float64(v))
	return nil
}

// coarsen goes over to a histogram, which takes 434 KB whatever comes.
func (s *sample) coarsen() {
	if s.hist != nil {
		return
	}
	s.hist = hdrhistogram.New(1, math.MaxInt64, 3)
	for _, v := range s.values {
		s.hist.RecordValue(s.exact(v)) // takes every value that add has taken
	}
	s.values = nil
}

// exact is a value that was kept. Above 2^53 that has rounded it, but not beyond
// the least and the greatest.
func (s *sample) exact(v float64) int64 {
	switch {
	case v >= float64(s.max):
		return s.max
	case v <= float64(s.min):
		return s.min
	}
	return int64(v)
}

// merge adds what another sample has, which must be as coarse.
func (s *sample) merge(o *sample) error {
	switch {
	case o.n == 0:
		return nil
	case s.total > math.MaxInt64-o.total:
		return errTotal
	case s.n == 0:
		s.min = o.min
	}
	s.min, s.max = min(s.min, o.min), max(s.max, o.max)
	s.total += o.total
	s.moments.merge(o.moments)
	if o.hist != nil {
		s.coarsen()
		s.hist.Merge(o.hist)
	} else {
		s.values = append(s.values, o.values...)
	}
	return nil
}

// sorted returns the values in ascending order, and how often each is there; a
// nil count: once.
func (s *sample) sorted() (values, times []float64) {
	if s.hist == nil {
		slices.Sort(s.values)
		return s.values, nil
	}
	for _, bar := range s.hist.Distribution() {
		if bar.Count > 0 {
			values = append(values, float64(min(bar.To, s.max)))
			times = append(times, float64(bar.Count))
		}
	}
	return values, times
}

// distribution is nil if there are no values.
func (s *sample) distribution() *Distribution {
	if s.n == 0 {
		return nil
	}
	values, times := s.sorted()
	quantile := func(p float64) int64 { return s.exact(stat.Quantile(p, stat.Empirical, values, times)) }
	return &Distribution{
		Cases: s.n, Total: s.total, Mean: float64(s.total) / float64(s.n), SD: s.sd(),
		Min: s.min, P10: quantile(0.1), P50: quantile(0.5), P90: quantile(0.9), P99: quantile(0.99), Max: s.max,
		Exact: s.hist == nil || s.max < exactBelow,
	}
}

// heaviest is the share of the total that the n greatest values make.
func (s *sample) heaviest(n int64) float64 {
	values, times := s.sorted()
	all, heavy := 0., 0.
	for i, left := len(values)-1, float64(n); i >= 0; i-- {
		here := 1.
		if times != nil {
			here = times[i]
		}
		all += here * values[i]
		heavy += min(here, left) * values[i]
		left -= min(here, left)
	}
	return ratio(heavy, all)
}

// A Share is a point of a Lorenz curve.
type Share struct {
	Cases float64 `json:"cases"` // the share of the cases that take the least
	Work  float64 `json:"work"`  // their share of the whole
}

// lorenz returns the points of the sample's Lorenz curve (1905) for the given
// shares of the cases, which ascend. Between two cases it is interpolated. It is
// nil if the total is 0.
func (s *sample) lorenz(shares []float64) []Share {
	values, times := s.sorted()
	whole := 0.
	for i, v := range values {
		if times != nil {
			v *= times[i]
		}
		whole += v
	}
	if whole == 0 {
		return nil
	}
	var points []Share
	cases, work, i := 0., 0., 0
	for _, share := range shares {
		want := share * float64(s.n)
		for ; i < len(values); i++ {
			n := 1.
			if times != nil {
				n = times[i]
			}
			if cases+n > want {
				break
			}
			cases += n
			work += n * values[i]
		}
		here := work
		if i < len(values) {
			here += (want - cases) * values[i]
		}
		points = append(points, Share{share, here / whole})
	}
	return points
}

// branching is the effective branching factor b*: the b for which a uniform
// tree of the given depth has as many nodes as the search expanded, and the goal
//
//	expanded + 1 = 1 + b + b^2 + ... + b^depth
//
// (Russell and Norvig, Artificial Intelligence: A Modern Approach, section on
// heuristic functions). IDA* expands states near the root in each iteration
// anew; all of them count, so b* tells what the search cost, not how many
// different states it saw. It is 1 for a search that goes straight to the goal,
// and 0 where there is none.
func branching(expanded float64, depth int) float64 {
	if depth <= 0 || expanded <= 0 {
		return 0
	}
	// The sum ascends with b and is at least 1 + b^depth, and 1 + b; so the
	// solution is between 0 and this. Sixty halvings leave nothing of it.
	low, high := 0., math.Max(1, math.Pow(expanded, 1/float64(depth)))
	for range 60 {
		b := (low + high) / 2
		sum := 0.
		for range depth {
			sum = sum*b + b
		}
		if sum < expanded {
			low = b
		} else {
			high = b
		}
	}
	return (low + high) / 2
}
