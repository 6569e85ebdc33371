package report

import (
	"bytes"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"idabatch/internal/solver"
)

// Comparison holds a run against another, the base. Ratios are of the run to the
// base: less than 1 is less work. Where they have solved cases in common, with
// the same number and the same board, those are compared, case by case; where
// they have none, the means over the solved cases of each.
type Comparison struct {
	Base  string `json:"base"`
	Other string `json:"other"`

	Paired bool    `json:"paired"`
	Cases  Pairing `json:"cases"`

	Expanded  CountRatio   `json:"expanded"`
	Generated CountRatio   `json:"generated"`
	Time      *TimeRatio   `json:"time,omitempty"`   // of cases that both have timed
	Depths    []DepthRatio `json:"depths,omitempty"` // if paired

	Warnings []Warning `json:"warnings,omitempty"`
}

// Pairing tells which cases two runs have in common.
type Pairing struct {
	SameBoard  int64 `json:"same_board"`
	OtherBoard int64 `json:"other_board"` // same number, different boards
	OnlyBase   int64 `json:"only_base"`
	OnlyOther  int64 `json:"only_other"`
	BothSolved int64 `json:"both_solved"` // of SameBoard; these are compared

	OtherDepth int64 `json:"other_depth"` // of BothSolved: the depths differ, so one is wrong
	OtherMoves int64 `json:"other_moves"` // of BothSolved: as deep, but not the same moves
	FirstOdd   int64 `json:"first_odd_case,omitempty"`
}

// CountRatio compares counts, which are exact: no chance is in a difference.
type CountRatio struct {
	Base       int64   `json:"base_total"`
	Other      int64   `json:"other_total"`
	Difference int64   `json:"difference"`
	BaseMean   float64 `json:"base_mean"`
	OtherMean  float64 `json:"other_mean"`
	MeanRatio  float64 `json:"mean_ratio"` // of the totals too, if paired; 0: there is none

	// If paired: the geometric mean of the cases' ratios, over those of them
	// where neither count is 0; and in how many the run's count is less, as
	// great, or greater.
	PerCase float64 `json:"geometric_mean_ratio,omitempty"`
	Ratios  int64   `json:"ratios,omitempty"`
	Less    int64   `json:"less"`
	Same    int64   `json:"same"`
	More    int64   `json:"more"`
}

// TimeRatio compares times, in nanoseconds, with 95 % confidence intervals from
// Student's t distribution over the cases: what slowed the machine down for a
// while is not in them.
type TimeRatio struct {
	Base      int64   `json:"base_total_ns"`
	Other     int64   `json:"other_total_ns"`
	BaseMean  float64 `json:"base_mean_ns"`
	OtherMean float64 `json:"other_mean_ns"`
	MeanRatio float64 `json:"mean_ratio"`

	// Mean of the differences of the cases or, if not paired, difference of the
	// means (Welch, 1947). Nil if there are too few cases for an interval.
	Difference *Interval `json:"mean_difference_ns,omitempty"`

	// If paired: the geometric mean of the cases' ratios, over those where
	// neither time is 0. Its interval is that of the mean logarithm.
	PerCase *Interval `json:"geometric_mean_ratio,omitempty"`
	Ratios  int64     `json:"ratios,omitempty"`
}

// DepthRatio compares the pairs of cases of one depth.
type DepthRatio struct {
	Depth    int        `json:"depth"`
	Cases    int64      `json:"cases"`
	Expanded CountRatio `json:"expanded"`
	Time     *TimeRatio `json:"time,omitempty"`
}

// Interval is a value and its 95 % confidence interval.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// confidence is that of an interval's two sides together.
const confidence = 0.95

// interval is value ± t(nu) standard errors.
func interval(value, se, nu float64) *Interval {
	t := distuv.StudentsT{Sigma: 1, Nu: nu}.Quantile((1 + confidence) / 2)
	return &Interval{value, value - t*se, value + t*se}
}

// interval is that of the mean; nil for less than two values.
func (m *moments) interval() *Interval {
	if m.n < 2 {
		return nil
	}
	return interval(m.mean, stat.StdErr(m.sd(), float64(m.n)), float64(m.n-1))
}

// welch is the difference of two means; nil if either has less than two values.
func welch(base, other *Distribution) *Interval {
	if base.Cases < 2 || other.Cases < 2 {
		return nil
	}
	a := base.SD * base.SD / float64(base.Cases)
	b := other.SD * other.SD / float64(other.Cases)
	d := other.Mean - base.Mean
	if a+b == 0 {
		return &Interval{d, d, d}
	}
	nu := (a + b) * (a + b) / (a*a/float64(base.Cases-1) + b*b/float64(other.Cases-1))
	return interval(d, math.Sqrt(a+b), nu)
}

// pairTally adds up pairs of cases.
type pairTally struct {
	cases               Pairing
	expanded, generated countPairs
	time                timePairs
	depths              [maxSmall + 1]*depthPairs
}

type depthPairs struct {
	cases    int64
	expanded countPairs
	time     timePairs
}

// add takes what two runs say of the case with one number.
func (p *pairTally) add(base, other *row) error {
	if !bytes.Equal(base.board, other.board) {
		p.cases.OtherBoard++
		return nil
	}
	p.cases.SameBoard++
	if base.status != solver.Solved || other.status != solver.Solved {
		return nil
	}
	p.cases.BothSolved++
	if same := base.depth == other.depth; !same || !bytes.Equal(base.moves, other.moves) {
		if p.cases.FirstOdd == 0 {
			p.cases.FirstOdd = base.index
		}
		if same {
			p.cases.OtherMoves++
		} else {
			p.cases.OtherDepth++
		}
	}
	d := p.depths[base.depth]
	if d == nil {
		d = new(depthPairs)
		p.depths[base.depth] = d
	}
	d.cases++
	d.expanded.add(base.expanded, other.expanded)
	if err := p.expanded.add(base.expanded, other.expanded); err != nil {
		return err
	}
	if err := p.generated.add(base.generated, other.generated); err != nil {
		return err
	}
	if base.timed && other.timed {
		d.time.add(base.elapsed, other.elapsed)
		return p.time.add(base.elapsed, other.elapsed)
	}
	return nil
}

type countPairs struct {
	n, base, other   int64
	less, same, more int64
	logs             moments // of the ratios
}

func (p *countPairs) add(base, other int64) error {
	if p.base > math.MaxInt64-base || p.other > math.MaxInt64-other {
		return errTotal
	}
	p.n++
	p.base += base
	p.other += other
	switch {
	case other < base:
		p.less++
	case other == base:
		p.same++
	default:
		p.more++
	}
	if base > 0 && other > 0 {
		p.logs.add(math.Log(float64(other) / float64(base)))
	}
	return nil
}

func (p *countPairs) ratio() CountRatio {
	n := float64(p.n)
	r := CountRatio{
		Base: p.base, Other: p.other, Difference: p.other - p.base,
		BaseMean: ratio(float64(p.base), n), OtherMean: ratio(float64(p.other), n),
		MeanRatio: ratio(float64(p.other), float64(p.base)),
		Ratios:    p.logs.n,
		Less:      p.less, Same: p.same, More: p.more,
	}
	if p.logs.n > 0 {
		r.PerCase = math.Exp(p.logs.mean)
	}
	return r
}

type timePairs struct {
	n, base, other    int64
	logs, differences moments
}

func (p *timePairs) add(base, other int64) error {
	if p.base > math.MaxInt64-base || p.other > math.MaxInt64-other {
		return errTotal
	}
	p.n++
	p.base += base
	p.other += other
	p.differences.add(float64(other - base))
	if base > 0 && other > 0 {
		p.logs.add(math.Log(float64(other) / float64(base)))
	}
	return nil
}

// ratio is nil if there are no pairs.
func (p *timePairs) ratio() *TimeRatio {
	if p.n == 0 {
		return nil
	}
	n := float64(p.n)
	r := &TimeRatio{
		Base: p.base, Other: p.other,
		BaseMean: float64(p.base) / n, OtherMean: float64(p.other) / n,
		MeanRatio:  ratio(float64(p.other), float64(p.base)),
		Difference: p.differences.interval(),
		Ratios:     p.logs.n,
	}
	if i := p.logs.interval(); i != nil {
		r.PerCase = &Interval{math.Exp(i.Value), math.Exp(i.Low), math.Exp(i.High)}
	}
	return r
}

func (p *pairTally) comparison(base, other *Stats) *Comparison {
	c := &Comparison{Base: base.Name, Other: other.Name, Cases: p.cases, Paired: p.cases.BothSolved > 0}
	if c.Paired {
		c.Expanded, c.Generated, c.Time = p.expanded.ratio(), p.generated.ratio(), p.time.ratio()
		for depth, d := range p.depths {
			if d != nil {
				c.Depths = append(c.Depths, DepthRatio{depth, d.cases, d.expanded.ratio(), d.time.ratio()})
			}
		}
	} else {
		c.Expanded = unpaired(base.All.Expanded, other.All.Expanded)
		c.Generated = unpaired(base.All.Generated, other.All.Generated)
		if b, o := base.All.Time, other.All.Time; b != nil && o != nil {
			c.Time = &TimeRatio{
				Base: b.Total, Other: o.Total, BaseMean: b.Mean, OtherMean: o.Mean,
				MeanRatio: ratio(o.Mean, b.Mean), Difference: welch(b, o),
			}
		}
	}
	c.Warnings = c.warnings(base, other)
	return c
}

// unpaired compares the means of two runs. Either may be of no cases.
func unpaired(base, other *Distribution) (r CountRatio) {
	if base != nil {
		r.Base, r.BaseMean = base.Total, base.Mean
	}
	if other != nil {
		r.Other, r.OtherMean = other.Total, other.Mean
	}
	r.Difference = r.Other - r.Base
	r.MeanRatio = ratio(r.OtherMean, r.BaseMean)
	return r
}
