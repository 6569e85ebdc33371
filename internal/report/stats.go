package report

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"idabatch/internal/solver"
)

// Stats is what the rows of a run come to. All distributions are over the solved
// cases: what a search has done until it was stopped at a limit is no measure of
// how hard its case is.
type Stats struct {
	Name   string `json:"name"`
	Record *Run   `json:"record,omitempty"`

	Cases    int64            `json:"cases"`
	Status   map[string]int64 `json:"status"`             // how many cases have it; without those that none has
	Excluded []Excluded       `json:"excluded,omitempty"` // the cases that are not solved

	All    Group        `json:"all"`
	Depths []DepthGroup `json:"depths"` // those that there are, ascending

	// FirstErrors[e] is how many cases have a depth that is e more than their
	// first bound.
	FirstErrors []int64 `json:"first_bound_errors"`

	// What the 1 % and 10 % of the cases that take the most make of all
	// expansions. Lorenz is the whole curve.
	Hardest1  Top        `json:"hardest_1_percent"`
	Hardest10 Top        `json:"hardest_10_percent"`
	Lorenz    []Share    `json:"lorenz,omitempty"`
	Hardest   []HardCase `json:"hardest"` // at most ten, the hardest first

	Workers  *Workers  `json:"workers,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`

	timed, fast int64   // cases with a time, and with one under a microsecond
	points      []point // some of the timed cases, for a chart
	cut         []string
}

// Group is what some cases have in common.
type Group struct {
	Cases int64 `json:"cases"`

	// How far the first bound, which is the heuristic value of the start, is
	// from the depth.
	BoundMean  float64 `json:"initial_bound_mean"`
	ErrorMean  float64 `json:"error_mean"`
	ErrorMax   int     `json:"error_max"`
	BoundExact int64   `json:"initial_bound_exact"` // cases without an error

	IterationsMean float64 `json:"iterations_mean"`
	IterationsMax  int     `json:"iterations_max"`

	Expanded  *Distribution `json:"expanded,omitempty"`
	Generated *Distribution `json:"generated,omitempty"`
	Time      *Distribution `json:"time_ns,omitempty"` // of the cases that timing.csv tells of
}

// DepthGroup is the cases of one depth.
type DepthGroup struct {
	Depth int     `json:"depth"`
	Share float64 `json:"share"` // of the solved cases
	// BStar is the effective branching factor of the mean number of
	// expansions; 0 at depth 0, where there is none.
	BStar float64 `json:"b_star,omitempty"`
	Group
}

// Excluded tells of the cases of a status other than solved.
type Excluded struct {
	Status   string `json:"status"`
	Cases    int64  `json:"cases"`
	Expanded int64  `json:"expanded"`
	First    int64  `json:"first_case"`
	Source   string `json:"first_source"`
	Detail   string `json:"first_detail"`
}

// Top is some of the hardest cases together.
type Top struct {
	Cases int64   `json:"cases"` // rounded up to whole ones
	Share float64 `json:"share"` // of all expansions
}

// HardCase is one of the hardest cases.
type HardCase struct {
	Case      int64  `json:"case"`
	Source    string `json:"source"`
	Board     string `json:"board"`
	Depth     int    `json:"depth"`
	Moves     string `json:"moves"`
	Expanded  int64  `json:"expanded"`
	Generated int64  `json:"generated"`
	Time      *int64 `json:"time_ns,omitempty"`
}

// point is a case with its time.
type point struct {
	index, expanded, elapsed int64
	depth                    int
}

const (
	// Up to so many solved cases all values are kept, three of eight bytes for
	// each, and quantiles are exact. Beyond, histograms take over.
	exactCases = 1 << 18

	hardest   = 10
	maxPoints = 1500 // on the chart of times
)

// tally adds up the rows of one run, in memory that is bounded whatever their
// number.
type tally struct {
	limit    int64 // exactCases
	coarse   bool
	status   [solver.NumStatuses]int64
	excluded [solver.NumStatuses]Excluded
	depths   [maxSmall + 1]*groupTally
	errors   [maxSmall + 1]int64
	hardest  []HardCase
	timeline *timeline
	timed    int64
	fast     int64
	points   []point
	rnd      *rand.Rand
}

// groupTally adds up cases: those of one depth, or all.
type groupTally struct {
	cases, boundSum, errorSum, iterationsSum int64
	boundExact                               int64
	errorMax, iterationsMax                  int
	expanded, generated, time                sample
}

func newTally() *tally {
	return &tally{
		limit:    exactCases,
		timeline: newTimeline(),
		rnd:      rand.New(rand.NewPCG(1, 2)), // the same rows, the same chart
	}
}

func (t *tally) add(r *row) error {
	t.status[r.status]++
	if r.timed {
		t.timeline.add(r.worker, r.start, r.elapsed)
	}
	if r.status != solver.Solved {
		e := &t.excluded[r.status]
		if e.Cases == 0 {
			e.First, e.Source, e.Detail = r.index, string(r.source), string(r.detail)
		}
		e.Cases++
		if e.Expanded += r.expanded; e.Expanded < 0 {
			return errTotal
		}
		return nil
	}

	solved := t.status[solver.Solved]
	if solved > t.limit && !t.coarse {
		t.coarse = true
		for _, g := range t.depths {
			if g != nil {
				g.coarsen()
			}
		}
	}
	g := t.depths[r.depth]
	if g == nil {
		g = new(groupTally)
		if t.coarse {
			g.coarsen()
		}
		t.depths[r.depth] = g
	}
	if err := g.add(r); err != nil {
		return err
	}
	t.errors[r.depth-r.bound]++

	last := len(t.hardest) - 1
	if last < hardest-1 || r.expanded > t.hardest[last].Expanded {
		t.keep(r)
	}
	if r.timed {
		t.timed++
		if r.elapsed < tooFast {
			t.fast++
		}
		// Algorithm R (Vitter, 1985): each timed case is kept with the same
		// chance.
		p := point{r.index, r.expanded, r.elapsed, r.depth}
		if len(t.points) < maxPoints {
			t.points = append(t.points, p)
		} else if i := t.rnd.Int64N(t.timed); i < maxPoints {
			t.points[i] = p
		}
	}
	return nil
}

// keep puts a case among the hardest. Of two as hard, the first comes first.
func (t *tally) keep(r *row) {
	i, _ := slices.BinarySearchFunc(t.hardest, r.expanded, func(c HardCase, expanded int64) int {
		if c.Expanded >= expanded {
			return -1
		}
		return 1
	})
	c := HardCase{
		Case: r.index, Source: string(r.source), Board: string(r.board),
		Depth: r.depth, Moves: string(r.moves), Expanded: r.expanded, Generated: r.generated,
	}
	if r.timed {
		elapsed := r.elapsed
		c.Time = &elapsed
	}
	t.hardest = slices.Insert(t.hardest, i, c)
	t.hardest = t.hardest[:min(len(t.hardest), hardest)]
}

func (g *groupTally) add(r *row) error {
	g.cases++
	g.boundSum += int64(r.bound)
	if e := r.depth - r.bound; e == 0 {
		g.boundExact++
	} else {
		g.errorSum += int64(e)
		g.errorMax = max(g.errorMax, e)
	}
	g.iterationsSum += int64(r.iterations)
	g.iterationsMax = max(g.iterationsMax, r.iterations)
	if err := g.expanded.add(r.expanded); err != nil {
		return err
	}
	if err := g.generated.add(r.generated); err != nil {
		return err
	}
	if r.timed {
		return g.time.add(r.elapsed)
	}
	return nil
}

func (g *groupTally) coarsen() {
	g.expanded.coarsen()
	g.generated.coarsen()
	g.time.coarsen()
}

// merge adds the cases of another group, which must be as coarse.
func (g *groupTally) merge(o *groupTally) error {
	g.cases += o.cases
	g.boundSum += o.boundSum
	g.errorSum += o.errorSum
	g.errorMax = max(g.errorMax, o.errorMax)
	g.boundExact += o.boundExact
	g.iterationsSum += o.iterationsSum
	g.iterationsMax = max(g.iterationsMax, o.iterationsMax)
	return errors.Join(g.expanded.merge(&o.expanded), g.generated.merge(&o.generated), g.time.merge(&o.time))
}

func (g *groupTally) group() Group {
	n := float64(g.cases)
	return Group{
		Cases:          g.cases,
		BoundMean:      ratio(float64(g.boundSum), n),
		ErrorMean:      ratio(float64(g.errorSum), n),
		ErrorMax:       g.errorMax,
		BoundExact:     g.boundExact,
		IterationsMean: ratio(float64(g.iterationsSum), n),
		IterationsMax:  g.iterationsMax,
		Expanded:       g.expanded.distribution(),
		Generated:      g.generated.distribution(),
		Time:           g.time.distribution(),
	}
}

// stats ends the tally.
func (t *tally) stats(f *Folder) (*Stats, error) {
	s := &Stats{
		Name: f.Name, Record: f.Record, Status: map[string]int64{},
		Hardest: t.hardest, Workers: t.timeline.result(),
		timed: t.timed, fast: t.fast, points: t.points,
	}
	for status, n := range t.status {
		if n == 0 {
			continue
		}
		name := solver.Status(status).String()
		s.Cases += n
		s.Status[name] = n
		if e := t.excluded[status]; e.Cases > 0 {
			e.Status = name
			s.Excluded = append(s.Excluded, e)
		}
	}
	for e, n := range t.errors {
		if n > 0 {
			s.FirstErrors = append(s.FirstErrors, make([]int64, e+1-len(s.FirstErrors))...)
			s.FirstErrors[e] = n
		}
	}

	var all groupTally
	for depth, g := range t.depths {
		if g == nil {
			continue
		}
		d := DepthGroup{
			Depth: depth,
			Share: float64(g.cases) / float64(t.status[solver.Solved]),
			Group: g.group(),
		}
		d.BStar = branching(d.Expanded.Mean, depth)
		s.Depths = append(s.Depths, d)
		if err := all.merge(g); err != nil {
			return nil, fmt.Errorf("adding up %s: %w", f.Name, err)
		}
		t.depths[depth] = nil // its values are needed no more
	}
	s.All = all.group()
	if all.cases > 0 {
		s.Lorenz = all.expanded.lorenz(lorenzShares)
		for percent, top := range map[int64]*Top{1: &s.Hardest1, 10: &s.Hardest10} {
			top.Cases = (percent*all.cases + 99) / 100
			top.Share = all.expanded.heaviest(top.Cases)
		}
	}
	return s, nil
}

// depthTotal is the sum of the solved cases' depths.
func (s *Stats) depthTotal() (sum int64) {
	for i := range s.Depths {
		sum += int64(s.Depths[i].Depth) * s.Depths[i].Cases
	}
	return sum
}

// lorenzShares are where a Lorenz curve is kept: each percent, and in the last
// one each tenth of it.
var lorenzShares = func() (shares []float64) {
	for i := range 100 {
		shares = append(shares, float64(i)/100)
	}
	for i := range 11 {
		shares = append(shares, float64(990+i)/1000)
	}
	return slices.Compact(shares)
}()

// A Report is what some runs come to, and how each but the first compares with
// the first.
type Report struct {
	Runs        []*Stats      `json:"runs"`
	Comparisons []*Comparison `json:"comparisons,omitempty"`
}

// Analyze reads runs, all at once and side by side, in bounded memory.
func Analyze(folders []*Folder) (*Report, error) {
	readers := make([]*rowReader, len(folders))
	tallies := make([]*tally, len(folders))
	pairs := make([]*pairTally, len(folders))
	for i, f := range folders {
		r, err := newRowReader(f)
		if err != nil {
			return nil, err
		}
		readers[i] = r
		tallies[i] = newTally()
		pairs[i] = new(pairTally)
	}
	if err := readAll(folders, readers, tallies, pairs); err != nil {
		return nil, err
	}

	report := new(Report)
	for i, f := range folders {
		s, err := tallies[i].stats(f)
		if err != nil {
			return nil, err
		}
		s.cut = readers[i].cutOff()
		s.Warnings = s.warnings()
		report.Runs = append(report.Runs, s)
		if i > 0 {
			report.Comparisons = append(report.Comparisons, pairs[i].comparison(report.Runs[0], s))
		}
	}
	return report, nil
}

// readAll reads the rows of all runs, joined on the case: those of one case are
// looked at together, each against that of the first run.
func readAll(folders []*Folder, readers []*rowReader, tallies []*tally, pairs []*pairTally) error {
	live := make([]bool, len(folders))
	advance := func(i int) error {
		err := readers[i].next(folders[i].Name)
		live[i] = err == nil
		if err == io.EOF {
			return nil
		}
		return err
	}
	for i := range folders {
		if err := advance(i); err != nil {
			return err
		}
	}
	for {
		first := -1
		for i, r := range readers {
			if live[i] && (first < 0 || r.row.index < readers[first].row.index) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		index := readers[first].row.index
		for i, r := range readers {
			here := live[i] && r.row.index == index
			if here {
				if err := tallies[i].add(&r.row); err != nil {
					return fmt.Errorf("adding up %s: %w", folders[i].Name, err)
				}
			}
			if i > 0 {
				switch base := live[0] && readers[0].row.index == index; {
				case base && here:
					if err := pairs[i].add(&readers[0].row, &r.row); err != nil {
						return fmt.Errorf("comparing %s with %s: %w", folders[i].Name, folders[0].Name, err)
					}
				case base:
					pairs[i].cases.OnlyBase++
				case here:
					pairs[i].cases.OnlyOther++
				}
			}
		}
		for i, r := range readers {
			if live[i] && r.row.index == index {
				if err := advance(i); err != nil {
					return err
				}
			}
		}
	}
}
