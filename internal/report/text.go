package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"idabatch/internal/solver"
)

// WriteText writes the report for people, at most 100 columns wide. One run is
// told in full; several are told side by side.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, s := range r.Runs {
		if i > 0 {
			b.WriteByte('\n')
		}
		t := s.facts()
		t.Title = ""
		b.WriteString(r.label(i) + "\n")
		t.text(&b)
	}
	if len(r.Runs) == 1 {
		for _, t := range r.Runs[0].tables() {
			t.text(&b)
		}
	}
	for i, c := range r.Comparisons {
		for _, t := range c.tables(letter(0), letter(i+1), r.Runs[0], r.Runs[i+1]) {
			t.text(&b)
		}
	}
	for _, n := range r.notes() {
		b.WriteByte('\n')
		for _, l := range wrap(n, textWidth) {
			b.WriteString(l + "\n")
		}
	}
	if r.warned() {
		b.WriteByte('\n')
	}
	for i, s := range r.Runs {
		of := ""
		if len(r.Runs) > 1 {
			of = letter(i) + ": "
		}
		writeWarnings(&b, of, s.Warnings)
	}
	for i, c := range r.Comparisons {
		writeWarnings(&b, letter(i+1)+"/"+letter(0)+": ", c.Warnings)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (r *Report) warned() bool {
	return slices.ContainsFunc(r.Runs, func(s *Stats) bool { return len(s.Warnings) > 0 }) ||
		slices.ContainsFunc(r.Comparisons, func(c *Comparison) bool { return len(c.Warnings) > 0 })
}

func writeWarnings(b *strings.Builder, of string, list []Warning) {
	for _, warning := range list {
		for i, l := range wrap("warning: "+of+warning.Text+"; "+warning.Advice, textWidth-2) {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(l + "\n")
		}
	}
}

// WriteJSON writes all that the report knows as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// csvHeader is that of the report as CSV; each of the three measures follows
// with the columns of csvMeasure.
var (
	csvHeader = []string{
		"run", "depth", "cases", "share",
		"initial_bound_mean", "error_mean", "error_max", "initial_bound_exact",
		"iterations_mean", "iterations_max", "b_star",
	}
	csvMeasures = []string{"expanded", "generated", "time_ns"}
	csvMeasure  = []string{"cases", "total", "mean", "sd", "min", "p10", "p50", "p90", "p99", "max"}
)

// WriteCSV writes a table with a row for each depth of each run, and one with
// the depth "all" before them.
func (r *Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := csvHeader
	for _, m := range csvMeasures {
		for _, column := range csvMeasure {
			header = append(header, m+"_"+column)
		}
	}
	out.Write(header) // Error tells of a failure
	for _, s := range r.Runs {
		if s.All.Cases > 0 {
			out.Write(csvRow(s.Name, "all", 1, 0, &s.All))
		}
		for i := range s.Depths {
			d := &s.Depths[i]
			out.Write(csvRow(s.Name, strconv.Itoa(d.Depth), d.Share, d.BStar, &d.Group))
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func csvRow(run, depth string, share, bStar float64, g *Group) []string {
	integer := func(n int64) string { return strconv.FormatInt(n, 10) }
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	row := []string{
		run, depth, integer(g.Cases), float(share),
		float(g.BoundMean), float(g.ErrorMean), strconv.Itoa(g.ErrorMax), integer(g.BoundExact),
		float(g.IterationsMean), strconv.Itoa(g.IterationsMax), "",
	}
	if bStar > 0 {
		row[len(row)-1] = float(bStar)
	}
	for _, d := range []*Distribution{g.Expanded, g.Generated, g.Time} {
		if d == nil {
			row = append(row, make([]string, len(csvMeasure))...)
			continue
		}
		row = append(row, integer(d.Cases), integer(d.Total), float(d.Mean), float(d.SD),
			integer(d.Min), integer(d.P10), integer(d.P50), integer(d.P90), integer(d.P99), integer(d.Max))
	}
	return row
}

// letter names a run among several: A, B, and so on.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return "run " + strconv.Itoa(i+1)
}

// label is a run's name, behind its letter if there are several.
func (r *Report) label(i int) string {
	if len(r.Runs) == 1 {
		return r.Runs[i].Name
	}
	return letter(i) + "  " + r.Runs[i].Name
}

// notes say what the numbers mean.
func (r *Report) notes() []string {
	approximate, some := false, false
	for _, s := range r.Runs {
		for _, d := range []*Distribution{s.All.Expanded, s.All.Generated, s.All.Time} {
			if d != nil {
				some = true
				approximate = approximate || !d.Exact
			}
		}
	}
	if !some {
		return nil
	}
	quantiles := "Quantiles are exact"
	if approximate {
		quantiles = "Quantiles, and the share of the hardest cases, are read from histograms and less than 0.1 % off"
	}
	return []string{
		"Distributions are over the solved cases. " + quantiles + ": p90 is the least value that nine of ten cases do not exceed. " +
			"b* is the branching factor of a uniform tree of that depth with as many nodes as were expanded on average, summed over all iterations, and the goal: " +
			"expanded + 1 = 1 + b* + ... + b*^depth (Russell and Norvig).",
	}
}

// facts tell what a run was.
func (s *Stats) facts() *Table {
	t := &Table{ID: "facts", Title: "Run", Columns: []Column{{Left: true}, {Left: true}}}
	if r := s.Record; r != nil {
		if search := r.Options.search(); search != "" {
			t.add("search", search)
		}
		t.add("corpus", r.corpus())
		t.add("program", r.Program+" "+r.Version)
		m := r.Machine
		machine := fmt.Sprintf("%s, %s/%s", count(int64(m.Cores), "core"), m.OS, m.Arch)
		if m.CPU != "" {
			machine = m.CPU + ", " + machine
		}
		t.add("machine", machine)
		t.add("started", r.Starts[0].UTC().Format(time.DateTime)+" UTC")
	}
	cases := thousands(s.Cases)
	sep := ": "
	for status := range solver.NumStatuses {
		if n := s.Status[status.String()]; n > 0 {
			cases += sep + thousands(n) + " " + status.String()
			sep = ", "
		}
	}
	t.add("cases", cases)
	if w := s.Workers; w != nil {
		text := duration(float64(w.Wall))
		if w.Wall > 0 {
			text += fmt.Sprintf(", %s cases/s, %s %.0f %% busy",
				rate(float64(w.Cases())/(float64(w.Wall)/1e9)), count(int64(len(w.Workers)), "worker"), 100*w.Busy())
		}
		t.add("time", text)
	}
	if x := s.All.Expanded; x != nil {
		t.add("work", fmt.Sprintf("%s expanded, %s generated", thousands(x.Total), thousands(s.All.Generated.Total)))
		if x.Total > 0 {
			t.add("", fmt.Sprintf("hardest 1 %% of the cases (%s): %s of the expansions; hardest 10 %% (%s): %s",
				thousands(s.Hardest1.Cases), percent(s.Hardest1.Share), thousands(s.Hardest10.Cases), percent(s.Hardest10.Share)))
		}
	}
	return t
}

// search tells how the cases were solved.
func (o *Options) search() string {
	var parts []string
	add := func(name, value string) {
		if value != "" { // the puzzle's own may be left to it
			parts = append(parts, name+value)
		}
	}
	add("", o.Puzzle)
	add("heuristic ", o.Heuristic)
	add("pruning ", o.Prune)
	if o.MaxNodes > 0 {
		add("at most ", count(o.MaxNodes, "expansion"))
	}
	if o.Timeout > 0 {
		add("at most ", o.Timeout.String()+" a case")
	}
	return strings.Join(parts, ", ")
}

// corpus tells what the cases were.
func (r *Run) corpus() string {
	if x := r.Random; x != nil {
		how := "uniform"
		if x.Scramble != nil {
			how = fmt.Sprintf("of %s from a solved board", count(int64(*x.Scramble), "random move"))
		}
		text := fmt.Sprintf("%s, %s, seed %d", count(x.Count, "random case"), how, x.Seed)
		if x.First != 1 {
			text += fmt.Sprintf(" from case %d", x.First)
		}
		return text
	}
	text := r.Inputs[0].Name
	if text == "-" {
		text = "standard input"
	}
	if more := len(r.Inputs) - 1; more > 0 {
		text += " and " + count(int64(more), "other file")
	}
	return text
}

// tables are those of one run, in the order of the report.
func (s *Stats) tables() (list []*Table) {
	if s.All.Cases > 0 {
		list = append(list, s.depthTable(), s.boundTable())
		list = append(list, s.measureTable("expanded", "States expanded", whole, decimal, func(g *Group) *Distribution { return g.Expanded }))
		list = append(list, s.measureTable("generated", "States generated", whole, decimal, func(g *Group) *Distribution { return g.Generated }))
		if s.All.Time != nil {
			ns := func(n int64) string { return duration(float64(n)) }
			list = append(list, s.measureTable("time", "Time of a case", ns, duration, func(g *Group) *Distribution { return g.Time }))
		}
		list = append(list, s.hardestTable())
	}
	if s.Workers != nil {
		list = append(list, s.Workers.table())
	}
	return list
}

// plotWidth is the width of what is drawn with characters.
const plotWidth = 50

func (s *Stats) depthTable() *Table {
	t := &Table{ID: "depths", Title: "Depth, in moves",
		Columns: []Column{{Name: "depth"}, {Name: "cases"}, {Name: "share"}, {Plot: true, Left: true}}}
	most := 0.
	for _, d := range s.Depths {
		most = max(most, d.Share)
	}
	for _, d := range s.Depths {
		t.add(strconv.Itoa(d.Depth), thousands(d.Cases), percent(d.Share), strip(plotWidth*d.Share/most))
	}
	return t
}

func (s *Stats) boundTable() *Table {
	t := &Table{ID: "bounds", Title: "Heuristic and search",
		Note: "The first bound is the heuristic value of the start, its error how far it is below the depth.",
		Columns: []Column{
			{Name: "depth"}, {Name: "cases"}, {Name: "first bound"}, {Name: "error mean"}, {Name: "max"}, {Name: "no error"},
			{Name: "iterations"}, {Name: "max"}, {Name: "b*"},
		}}
	add := func(depth, bStar string, g *Group) {
		t.add(depth, thousands(g.Cases), fixed(g.BoundMean), fixed(g.ErrorMean), strconv.Itoa(g.ErrorMax),
			percent(float64(g.BoundExact)/float64(g.Cases)), fixed(g.IterationsMean), strconv.Itoa(g.IterationsMax), bStar)
	}
	add("all", none, &s.All)
	for i := range s.Depths {
		d := &s.Depths[i]
		bStar := none
		if d.BStar > 0 {
			bStar = strconv.FormatFloat(d.BStar, 'f', 3, 64)
		}
		add(strconv.Itoa(d.Depth), bStar, &d.Group)
	}
	return t
}

// fixed is a small mean with two decimals.
func fixed(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func (s *Stats) measureTable(id, title string, integer func(int64) string, mean func(float64) string, of func(g *Group) *Distribution) *Table {
	t := &Table{ID: id, Title: title, Columns: []Column{
		{Name: "depth"}, {Name: "mean"}, {Name: "sd"}, {Name: "min"}, {Name: "p50"}, {Name: "p90"}, {Name: "p99"}, {Name: "max"},
	}}
	add := func(depth string, d *Distribution) {
		if d == nil {
			t.add(depth, none, none, none, none, none, none, none)
			return
		}
		t.add(depth, mean(d.Mean), mean(d.SD), integer(d.Min), integer(d.P50), integer(d.P90), integer(d.P99), integer(d.Max))
	}
	add("all", of(&s.All))
	for i := range s.Depths {
		add(strconv.Itoa(s.Depths[i].Depth), of(&s.Depths[i].Group))
	}
	return t
}

func (s *Stats) hardestTable() *Table {
	t := &Table{ID: "hardest", Title: "Hardest cases, by states expanded", Columns: []Column{
		{Name: "case"}, {Name: "depth"}, {Name: "expanded"}, {Name: "time"}, {Name: "board", Left: true}, {Name: "source", Left: true},
	}}
	for _, c := range s.Hardest {
		took := none
		if c.Time != nil {
			took = duration(float64(*c.Time))
		}
		t.add(thousands(c.Case), strconv.Itoa(c.Depth), whole(c.Expanded), took, c.Board, c.Source)
	}
	return t
}

func (w *Workers) table() *Table {
	t := &Table{ID: "workers", Title: "Workers", Columns: []Column{
		{Name: "worker"}, {Name: "cases"}, {Name: "cases/s"}, {Name: "busy"}, {Name: "share"}, {Name: "busy over time", Left: true, Plot: true},
	}}
	wall := float64(w.Wall)
	for i := range w.Workers {
		x := &w.Workers[i]
		t.add(strconv.Itoa(x.Worker), thousands(x.Cases), rate(ratio(float64(x.Cases), wall/1e9)),
			duration(float64(x.Busy)), percent(ratio(float64(x.Busy), wall)), spark(w.busyOver(x, plotWidth)))
	}
	return t
}

// busyOver is the busy share of a worker in each of at most n stretches of
// equal length but for the last.
func (w *Workers) busyOver(x *Worker, n int) (shares []float64) {
	step := (len(x.BusyIn) + n - 1) / n
	for i := 0; i < len(x.BusyIn); i += step {
		busy, length := int64(0), int64(0)
		for j := i; j < min(i+step, len(x.BusyIn)); j++ {
			busy += x.BusyIn[j]
			length += w.length(j)
		}
		shares = append(shares, ratio(float64(busy), float64(length)))
	}
	return shares
}

// tables are those of a comparison; a and b name the runs.
func (c *Comparison) tables(a, b string, base, other *Stats) []*Table {
	title := fmt.Sprintf("%s against %s", b, a)
	if c.Paired {
		title += ", case by case: " + count(c.Cases.BothSolved, "case") + " solved in both, on the same boards"
	} else {
		title += ", not paired: each over its own solved cases"
	}
	t := &Table{ID: "compare-" + b, Title: title, Columns: []Column{
		{Left: true}, {Name: a}, {Name: b}, {Name: b + " / " + a}, {Name: b + " − " + a},
	}}
	t.add("cases", thousands(base.Cases), thousands(other.Cases), "", "")
	t.add("solved", thousands(base.All.Cases), thousands(other.All.Cases), "", "")
	var notes []string
	for _, m := range []struct {
		name string
		r    *CountRatio
	}{{"expanded", &c.Expanded}, {"generated", &c.Generated}} {
		r := m.r
		if c.Paired {
			t.add(m.name+", total", thousands(r.Base), thousands(r.Other), times(r.MeanRatio), signed(thousands(r.Difference)))
			t.add(m.name+", per case", "", "", times(r.PerCase), "")
			notes = append(notes, fmt.Sprintf("%s: less in %s, as many in %s, more in %s.", m.name, count(r.Less, "case"), thousands(r.Same), thousands(r.More)))
		} else {
			t.add(m.name+", mean", decimal(r.BaseMean), decimal(r.OtherMean), times(r.MeanRatio), "")
		}
	}
	if r := c.Time; r != nil {
		if c.Paired {
			t.add("time, total", duration(float64(r.Base)), duration(float64(r.Other)), times(r.MeanRatio), "")
			if i := r.PerCase; i != nil {
				t.add("time, per case", "", "", times(i.Value), "")
				t.add("", "", "", times(i.Low)+" to "+times(i.High), "")
			}
		}
		t.add("time, mean", duration(r.BaseMean), duration(r.OtherMean), times(r.MeanRatio), "")
		if i := r.Difference; i != nil {
			rows := len(t.Rows) - 1
			t.Rows[rows][4] = signed(duration(i.Value))
			t.add("", "", "", "", signed(duration(i.Low))+" to "+signed(duration(i.High)))
		}
	}
	if c.Paired {
		notes = append(notes, "Per case is the geometric mean of the cases' ratios. Differences between counts are exact.")
	}
	if c.Time != nil {
		notes = append(notes, "Below a time stands its 95 % confidence interval (Student's t, over the cases).")
	}
	t.Note = strings.Join(notes, " ")
	if len(c.Depths) == 0 {
		return []*Table{t}
	}

	d := &Table{ID: "depths-" + b, Title: fmt.Sprintf("%s against %s by depth: means, and the geometric mean of the cases' ratios", b, a), Columns: []Column{
		{Name: "depth"}, {Name: "cases"}, {Name: "expanded " + a}, {Name: b}, {Name: b + " / " + a},
	}}
	if c.Time != nil {
		d.Columns = append(d.Columns, Column{Name: "time " + a}, Column{Name: b}, Column{Name: b + " / " + a}, Column{Name: "95 % interval"})
	}
	for i := range c.Depths {
		x := &c.Depths[i]
		row := []string{strconv.Itoa(x.Depth), thousands(x.Cases), decimal(x.Expanded.BaseMean), decimal(x.Expanded.OtherMean), times(x.Expanded.PerCase)}
		if c.Time != nil {
			took := []string{none, none, none, none}
			if r := x.Time; r != nil {
				took[0], took[1] = duration(r.BaseMean), duration(r.OtherMean)
				if i := r.PerCase; i != nil {
					took[2], took[3] = times(i.Value), times(i.Low)+" to "+times(i.High)
				}
			}
			row = append(row, took...)
		}
		d.add(row...)
	}
	return []*Table{t, d}
}

// times is a ratio; 0 stands for none.
func times(ratio float64) string {
	if ratio == 0 {
		return none
	}
	return decimal(ratio)
}

// signed puts a sign before a number that has none.
func signed(s string) string {
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		return "−" + rest
	}
	if s == "0" || strings.HasPrefix(s, "0 ") {
		return s
	}
	return "+" + s
}
