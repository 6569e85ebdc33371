package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// WriteHTML writes the report as a page. Draw draws the board of a case and its
// solution; nil if it cannot.
func (r *Report) WriteHTML(w io.Writer, draw func(c *HardCase) *Board) error {
	p := &Page{Title: "batch report"}
	var names []string
	for i, s := range r.Runs {
		names = append(names, s.Name)
		if p.Program == "" && s.Record != nil {
			p.Program = s.Record.Program + " " + s.Record.Version
		}
		top := Section{ID: fmt.Sprintf("run-%d", i), Figures: s.figures(), Warnings: s.Warnings}
		if len(r.Runs) > 1 {
			top.Title = letter(i) + ": " + s.Name
		}
		if s.Record != nil {
			top.Lead = s.Record.corpus()
			if search := s.Record.Options.search(); search != "" {
				top.Lead = search + "; " + top.Lead
			}
		}
		p.Sections = append(p.Sections, top)
	}
	p.Title += ": " + strings.Join(names, ", ")

	for i, c := range r.Comparisons {
		p.Sections = append(p.Sections, Section{
			ID:       fmt.Sprintf("comparison-%d", i+1),
			Title:    letter(i+1) + " against A",
			Warnings: c.Warnings,
			Tables:   c.tables(letter(0), letter(i+1), r.Runs[0], r.Runs[i+1]),
		})
	}
	if charts := r.charts(); len(charts) > 0 {
		p.Sections = append(p.Sections, Section{ID: "charts", Title: "Charts", Charts: charts})
	}
	for i, s := range r.Runs {
		of := ""
		if len(r.Runs) > 1 {
			of = " of " + letter(i)
		}
		if len(s.Hardest) > 0 {
			boards := Section{
				ID: fmt.Sprintf("boards-%d", i), Title: "Hardest boards" + of, Boards: s.boards(draw),
				Lead: "Those with the most states expanded, with their solutions to be played.",
			}
			if n := len(s.Hardest) - len(boards.Boards); n > 0 {
				boards.Warnings = []Warning{{"not-drawn", fmt.Sprintf("%s not drawn: there is no puzzle that their moves solve", count(int64(n), "case")), "batch verify tells what is wrong with a solution"}}
			}
			p.Sections = append(p.Sections, boards)
		}
		p.Sections = append(p.Sections, Section{
			ID: fmt.Sprintf("tables-%d", i), Title: "Tables" + of, Tables: append([]*Table{s.facts()}, s.tables()...),
		})
	}
	if notes := r.notes(); len(notes) > 0 {
		p.Sections = append(p.Sections, Section{ID: "notes", Title: "What the numbers mean", Notes: notes})
	}
	return p.Write(w)
}

// figures are the numbers that come first.
func (s *Stats) figures() []Figure {
	figures := []Figure{{"Cases solved", thousands(s.All.Cases), "of " + thousands(s.Cases)}}
	if s.All.Cases == 0 {
		return figures
	}
	deepest := s.Depths[len(s.Depths)-1].Depth
	figures = append(figures,
		Figure{"Mean depth", fixed(float64(s.depthTotal()) / float64(s.All.Cases)), fmt.Sprintf("moves, at most %d", deepest)},
		Figure{"Median expansions", whole(s.All.Expanded.P50), fmt.Sprintf("mean %s, max %s", decimal(s.All.Expanded.Mean), whole(s.All.Expanded.Max))},
		Figure{"Hardest 1 %", percent(s.Hardest1.Share), "of all expansions"},
	)
	if d := s.All.Time; d != nil {
		figures = append(figures, Figure{"Median time", duration(float64(d.P50)), fmt.Sprintf("99 %% within %s", duration(float64(d.P99)))})
	}
	if w := s.Workers; w != nil && w.Wall > 0 {
		figures = append(figures, Figure{"Throughput", rate(float64(w.Cases()) / (float64(w.Wall) / 1e9)), fmt.Sprintf("cases/s, %s %.0f %% busy", count(int64(len(w.Workers)), "worker"), 100*w.Busy())})
	}
	return figures
}

func (s *Stats) boards(draw func(c *HardCase) *Board) (boards []*Board) {
	for i := range s.Hardest {
		c := &s.Hardest[i]
		b := draw(c)
		if b == nil {
			continue
		}
		b.Title = "Case " + thousands(c.Case)
		b.Facts = []string{count(int64(c.Depth), "move"), thousands(c.Expanded) + " expanded"}
		if c.Time != nil {
			b.Facts = append(b.Facts, duration(float64(*c.Time)))
		}
		b.Facts = append(b.Facts, c.Source)
		boards = append(boards, b)
	}
	return boards
}

// charts show all runs together, but for the workers.
func (r *Report) charts() (charts []*Chart) {
	one := 1.
	depth := Axis{Label: "depth, moves", Unit: Whole}
	depths := &Chart{ID: "chart-depth", Title: "Depth of the solutions", X: depth, Y: Axis{Label: "cases", Unit: Whole}}
	growth := &Chart{ID: "chart-expanded", Title: "Expansions by depth", X: depth, Y: Axis{Label: "states expanded", Unit: Number, Log: true},
		Note: "The line is the median, the band holds eight of ten cases (p10 to p90)."}
	share := &Chart{ID: "chart-lorenz", Title: "Share of the work", Note: "The lower the curve, the fewer cases make most of the work; if all were as hard, it would be the straight line.",
		X: Axis{Label: "share of the cases, the easiest first", Unit: Percent, Max: &one}, Y: Axis{Label: "share of all expansions", Unit: Percent, Max: &one}}
	times := &Chart{ID: "chart-time", Title: "Time against expansions", X: Axis{Label: "states expanded", Unit: Number, Log: true}, Y: Axis{Label: "time of the case", Unit: Nanos, Log: true}}

	sampled := false
	for i, s := range r.Runs {
		if s.All.Cases == 0 {
			continue
		}
		name := ""
		if len(r.Runs) > 1 {
			name = letter(i)
		}
		label := func(text string) string { return strings.TrimSpace(name + " " + text) }

		bars := Series{Label: name, Kind: Bars, Color: i}
		band := Series{Label: label("p10 to p90"), Kind: Band, Color: i}
		median := Series{Label: label("median"), Kind: Line, Color: i}
		high := Series{Label: label("p99"), Kind: Dashed, Color: i}
		for _, d := range s.Depths {
			x := float64(d.Depth)
			// Bars of several runs stand side by side.
			bars.X = append(bars.X, x+(float64(i)-float64(len(r.Runs)-1)/2)*0.9/float64(len(r.Runs)))
			bars.Y = append(bars.Y, float64(d.Cases))
			for _, of := range []*Series{&band, &median, &high} {
				of.X = append(of.X, x)
			}
			band.Y, band.High = append(band.Y, float64(d.Expanded.P10)), append(band.High, float64(d.Expanded.P90))
			median.Y = append(median.Y, float64(d.Expanded.P50))
			high.Y = append(high.Y, float64(d.Expanded.P99))
		}
		depths.Series = append(depths.Series, bars)
		growth.Series = append(growth.Series, band, median)
		if len(r.Runs) == 1 {
			growth.Series = append(growth.Series, high)
			growth.Note = "The line is the median, the band holds eight of ten cases (p10 to p90), 1 % of the cases lie above the dashes."
		}

		curve := Series{Label: cmp.Or(name, "these cases"), Kind: Line, Color: i}
		for _, p := range s.Lorenz {
			curve.X, curve.Y = append(curve.X, p.Cases), append(curve.Y, round(p.Work))
		}
		if len(curve.X) > 0 {
			share.Series = append(share.Series, curve)
		}

		points := Series{Label: name, Kind: Points, Color: i}
		for _, p := range s.chartPoints() {
			points.X = append(points.X, float64(p.expanded))
			points.Y = append(points.Y, float64(p.elapsed))
			points.Names = append(points.Names, label(fmt.Sprintf("case %s, depth %d", thousands(p.index), p.depth)))
		}
		if len(points.X) > 0 {
			times.Series = append(times.Series, points)
		}
		sampled = sampled || s.timed > int64(len(points.X))
	}
	if sampled {
		times.Note = fmt.Sprintf("A random %s of the cases, and the hardest.", thousands(maxPoints))
	}
	if len(depths.Series) == 0 {
		return nil
	}
	share.Series = append(share.Series, Series{Label: "all as hard", Kind: Dashed, Color: -1, X: []float64{0, 1}, Y: []float64{0, 1}})

	charts = append(charts, depths, growth, share)
	if len(times.Series) > 0 {
		charts = append(charts, times)
	}
	for i, s := range r.Runs {
		if s.Workers != nil {
			of := ""
			if len(r.Runs) > 1 {
				of = ", " + letter(i)
			}
			charts = append(charts, s.Workers.charts(fmt.Sprintf("-%d", i), of, i)...)
		}
	}
	return charts
}

// chartPoints are the points of the chart of times, those that a logarithmic
// chart can show, ascending.
func (s *Stats) chartPoints() (points []point) {
	seen := map[int64]bool{}
	add := func(p point) {
		if p.expanded > 0 && p.elapsed > 0 && !seen[p.index] {
			seen[p.index] = true
			points = append(points, p)
		}
	}
	for i := range s.Hardest {
		if c := &s.Hardest[i]; c.Time != nil {
			add(point{c.Case, c.Expanded, *c.Time, c.Depth})
		}
	}
	for _, p := range s.points {
		add(p)
	}
	slices.SortFunc(points, func(a, b point) int { return int(a.expanded - b.expanded) })
	return points
}

// manyWorkers is how many lines a chart can have before it needs another form.
const manyWorkers = 6

// charts are how busy the workers were, and how many cases they did, over time.
func (w *Workers) charts(id, of string, color int) []*Chart {
	one := 1.
	n := len(w.Workers[0].BusyIn)
	x := make([]float64, n) // the middle of each span
	for i := range x {
		x[i] = float64(int64(i)*w.Width + w.length(i)/2)
	}
	time := Axis{Label: "time since the start", Unit: Nanos}
	busy := &Chart{ID: "chart-busy" + id, Title: "Busy workers over time" + of, X: time, Y: Axis{Label: "busy share", Unit: Percent, Max: &one}}
	done := &Chart{ID: "chart-throughput" + id, Title: "Throughput over time" + of, X: time, Y: Axis{Label: "cases/s, all workers", Unit: Number},
		Note: "In spans of " + duration(float64(w.Width)) + "."}

	shares := make([][]float64, n) // of the workers in each span
	rates := make([]float64, n)
	for i := range shares {
		for k := range w.Workers {
			shares[i] = append(shares[i], round(ratio(float64(w.Workers[k].BusyIn[i]), float64(w.length(i)))))
			rates[i] += float64(w.Workers[k].DoneIn[i])
		}
		rates[i] = round(ratio(rates[i], float64(w.length(i))/1e9))
	}
	done.Series = []Series{{Kind: Line, Color: color, X: x, Y: rates}}

	if len(w.Workers) <= manyWorkers {
		for k := range w.Workers {
			s := Series{Label: fmt.Sprintf("worker %d", w.Workers[k].Worker), Kind: Line, Color: k, X: x}
			for i := range shares {
				s.Y = append(s.Y, shares[i][k])
			}
			busy.Series = append(busy.Series, s)
		}
		return []*Chart{busy, done}
	}
	band := Series{Label: "the least to the most busy", Kind: Band, Color: color, X: x}
	mean := Series{Label: "mean", Kind: Line, Color: color, X: x}
	for i := range shares {
		band.Y, band.High = append(band.Y, slices.Min(shares[i])), append(band.High, slices.Max(shares[i]))
		sum := 0.
		for _, share := range shares[i] {
			sum += share
		}
		mean.Y = append(mean.Y, round(sum/float64(len(shares[i]))))
	}
	busy.Series = []Series{band, mean}
	return []*Chart{busy, done}
}

// round keeps what a chart can show: four digits.
func round(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-3)
	return math.Round(x/unit) * unit
}
