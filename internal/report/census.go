package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"idabatch/internal/solver"
)

// Census is how deep all cases of a puzzle are.
type Census struct {
	Puzzle        string        `json:"puzzle"`
	Title         string        `json:"title"`
	Cases         int64         `json:"cases"` // with all goals
	MeanDepth     float64       `json:"mean_depth"`
	GreatestDepth int           `json:"greatest_depth"`
	Tied          *int64        `json:"tied,omitempty"` // cases with more than one nearest goal; nil: a case has one
	Depths        []CensusDepth `json:"depths"`
	Goals         []CensusGoal  `json:"goals,omitempty"` // none: there is one kind

	// The states at the greatest depth: all that were counted, and those of them
	// that are left if symmetries make no difference, with their solutions.
	Farthest []string         `json:"farthest"`
	Reduced  []CensusSolution `json:"farthest_reduced"`
}

// CensusDepth is the cases of a depth.
type CensusDepth struct {
	Depth     int           `json:"depth"`
	Cases     int64         `json:"cases"`
	Share     float64       `json:"share"`
	Cumulated float64       `json:"cumulated"`         // share of this depth and less
	Nearest   *solver.Count `json:"nearest,omitempty"` // cases by how many goals are the nearest; nil: one always
}

// CensusGoal is the states of one goal of a kind.
type CensusGoal struct {
	Name          string  `json:"name"`
	Goals         int64   `json:"goals"` // how many there are of this kind
	States        int64   `json:"states"`
	MeanDepth     float64 `json:"mean_depth"`
	GreatestDepth int     `json:"greatest_depth"`
	Depths        []int64 `json:"depths"` // states by depth
}

// CensusSolution is a state and its solution. Symbol may be empty.
type CensusSolution struct {
	Board  string `json:"board"`
	Moves  string `json:"moves"`
	Symbol string `json:"symbol,omitempty"`
}

// NewCensus tells what was counted.
func NewCensus(puzzle, title string, t solver.Tally) *Census {
	c := &Census{Puzzle: puzzle, Title: title, GreatestDepth: t.Greatest()}
	var sum, tied int64
	for depth := range c.GreatestDepth + 1 {
		var nearest solver.Count
		for _, kind := range t {
			if depth < len(kind.Depths) {
				for i, n := range kind.Depths[depth] {
					nearest[i] += kind.Goals * n
				}
			}
		}
		c.Depths = append(c.Depths, CensusDepth{Depth: depth, Cases: nearest.All(), Nearest: &nearest})
		c.Cases += nearest.All()
		sum += int64(depth) * nearest.All()
		tied += nearest.Tied()
	}
	c.MeanDepth = ratio(float64(sum), float64(c.Cases))
	before := int64(0)
	for i := range c.Depths {
		d := &c.Depths[i]
		before += d.Cases
		d.Share, d.Cumulated = ratio(float64(d.Cases), float64(c.Cases)), ratio(float64(before), float64(c.Cases))
		if tied == 0 {
			d.Nearest = nil
		}
	}
	if tied > 0 {
		c.Tied = &tied
	}
	if len(t) > 1 {
		for _, kind := range t {
			c.Goals = append(c.Goals, newCensusGoal(kind))
		}
	}
	return c
}

func newCensusGoal(kind solver.GoalKind) CensusGoal {
	g := CensusGoal{Name: kind.Name, Goals: kind.Goals, GreatestDepth: len(kind.Depths) - 1}
	sum := int64(0)
	for depth, count := range kind.Depths {
		g.Depths = append(g.Depths, count.All())
		g.States += count.All()
		sum += int64(depth) * count.All()
	}
	g.MeanDepth = ratio(float64(sum), float64(g.States))
	return g
}

// WriteText writes the census for people, at most 100 columns wide.
func (c *Census) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(c.Title + "\n")
	facts := c.facts()
	facts.Title = ""
	for _, t := range append([]*Table{facts}, c.tables()...) {
		t.text(&b)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the census: %w", err)
	}
	return nil
}

// noun is what a case is called.
func (c *Census) noun() string {
	if c.Goals != nil {
		return "case"
	}
	return "board"
}

// plural is what cases are called in a title.
func (c *Census) plural() string {
	if c.Goals != nil {
		return "Cases"
	}
	return "Boards"
}

func (c *Census) facts() *Table {
	t := &Table{ID: "facts", Title: "All in all", Columns: []Column{{Left: true}, {Left: true}}}
	t.add(c.noun()+"s", thousands(c.Cases))
	t.add("mean depth", mean(c.MeanDepth))
	t.add("greatest", fmt.Sprintf("%d, of %s", c.GreatestDepth, count(c.Depths[c.GreatestDepth].Cases, c.noun())))
	if c.Tied != nil {
		t.add("tied", fmt.Sprintf("%s (%s): two or three symbols are equally near", thousands(*c.Tied), percent(ratio(float64(*c.Tied), float64(c.Cases)))))
	}
	for _, g := range c.Goals {
		t.add("goal: "+g.Name, fmt.Sprintf("%s states each, mean depth %s, greatest %d; %s", thousands(g.States), mean(g.MeanDepth), g.GreatestDepth, count(g.Goals, "goal")))
	}
	return t
}

// mean is a mean depth, which is exact and has more digits than others.
func mean(depth float64) string { return strconv.FormatFloat(depth, 'f', 4, 64) }

func (c *Census) tables() []*Table {
	return []*Table{c.depthTable(), c.farthestTable()}
}

func (c *Census) depthTable() *Table {
	t := &Table{ID: "depths", Title: "Depth: moves of the shortest solution", Columns: []Column{{Name: "depth"}}}
	column := func(names ...string) {
		for _, name := range names {
			t.Columns = append(t.Columns, Column{Name: name})
		}
	}
	for _, g := range c.Goals {
		column(g.Name)
	}
	column(c.noun()+"s", "share", "cumulated")
	if c.Tied != nil {
		column("two nearest", "three nearest", "tied")
	}
	t.Columns = append(t.Columns, Column{Plot: true, Left: true})
	most := 0.
	for _, d := range c.Depths {
		most = max(most, d.Share)
	}
	for _, d := range c.Depths {
		row := []string{strconv.Itoa(d.Depth)}
		for _, g := range c.Goals {
			if d.Depth < len(g.Depths) {
				row = append(row, thousands(g.Depths[d.Depth]))
			} else {
				row = append(row, "0")
			}
		}
		row = append(row, thousands(d.Cases), exactPercent(d.Share), exactPercent(d.Cumulated))
		if c.Tied != nil {
			row = append(row, thousands(d.Nearest[1]), thousands(d.Nearest[2]), percent(ratio(float64(d.Nearest.Tied()), float64(d.Cases))))
		}
		t.add(append(row, strip(censusPlot*d.Share/most))...)
	}
	if c.Goals != nil {
		t.Note = "The first columns are the states of one goal of a kind; cases are those with all goals."
	}
	return t
}

// censusPlot is the width of the bars beside the numbers.
const censusPlot = 12

// exactPercent is a share to three digits, however small it is, and never all if
// something is missing.
func exactPercent(share float64) string {
	switch {
	case share < 1 && share > 0.9995:
		return ">99.9 %"
	case share > 0.0999:
		return percent(share)
	}
	return significant(100*share) + " %"
}

// farthestTable lists the deepest, as far as they are different.
func (c *Census) farthestTable() *Table {
	t := &Table{ID: "farthest", Columns: []Column{{Name: "board", Left: true}, {Name: "moves", Left: true}}}
	t.Title = fmt.Sprintf("Depth %d: %s", c.GreatestDepth, count(int64(len(c.Farthest)), "board"))
	if n := len(c.Reduced); n < len(c.Farthest) {
		t.Title += fmt.Sprintf(", %d up to symmetry", n)
	}
	symbols := c.Tied != nil
	if symbols {
		t.Columns = append(t.Columns, Column{Name: "symbol"})
	}
	for _, s := range c.Reduced {
		row := []string{s.Board, s.Moves}
		if symbols {
			row = append(row, s.Symbol)
		}
		t.add(row...)
	}
	return t
}

// WriteHTML writes the census as a page. Draw draws a board with its solution.
func (c *Census) WriteHTML(w io.Writer, program string, draw func(s *CensusSolution) *Board) error {
	top := Section{ID: "census", Lead: "Every one counted, none sampled.", Figures: []Figure{
		{c.plural(), thousands(c.Cases), "with a solution"},
		{"Mean depth", mean(c.MeanDepth), "moves of the shortest solution"},
		{"Greatest depth", strconv.Itoa(c.GreatestDepth), "of " + count(c.Depths[c.GreatestDepth].Cases, c.noun())},
	}}
	if c.Tied != nil {
		top.Figures = append(top.Figures, Figure{"Tied", percent(ratio(float64(*c.Tied), float64(c.Cases))), "two or three symbols equally near"})
	}
	deepest := Section{ID: "farthest", Lead: "Boards that differ by symmetries alone are shown once."}
	for i := range c.Reduced {
		s := &c.Reduced[i]
		b := draw(s)
		b.Title = fmt.Sprintf("Board %d", i+1)
		b.Facts = []string{count(int64(len(s.Moves)), "move")}
		deepest.Boards = append(deepest.Boards, b)
	}
	list := c.farthestTable()
	deepest.Title = list.Title
	p := &Page{Title: "batch census: " + c.Title, Program: program, Sections: []Section{
		top,
		{ID: "charts", Title: "Charts", Charts: c.charts()},
		deepest,
		{ID: "tables", Title: "Tables", Tables: []*Table{c.facts(), c.depthTable(), list}},
	}}
	return p.Write(w)
}

// charts show the depths, by kind of goal if there are more than one.
func (c *Census) charts() []*Chart {
	depth := Axis{Label: "depth, moves", Unit: Whole}
	cases := &Chart{ID: "chart-depth", Title: c.plural() + " by depth", X: depth, Y: Axis{Label: c.noun() + "s", Unit: Number}}
	few := &Chart{ID: "chart-log", Title: "The same, where there are few", X: depth, Y: Axis{Label: c.noun() + "s", Unit: Number, Log: true}}
	one := 1.
	ties := &Chart{ID: "chart-ties", Title: "Tied by depth", X: depth, Y: Axis{Label: "share of the " + c.noun() + "s", Unit: Percent, Max: &one},
		Note: "Two or three symbols are equally near: the first solution in the dictionary decides between them."}

	bars := Series{Kind: Bars}
	tied, three := Series{Label: "two or three", Kind: Line}, Series{Label: "three", Kind: Line, Color: 1}
	for _, d := range c.Depths {
		bars.X, bars.Y = append(bars.X, float64(d.Depth)), append(bars.Y, float64(d.Cases))
		if d.Nearest != nil {
			tied.Y = append(tied.Y, round(ratio(float64(d.Nearest.Tied()), float64(d.Cases))))
			three.Y = append(three.Y, round(ratio(float64(d.Nearest[2]), float64(d.Cases))))
		}
	}
	line := bars
	line.Kind = Line
	cases.Series, few.Series = []Series{bars}, []Series{line}
	charts := []*Chart{cases, few}
	if c.Tied != nil {
		tied.X, three.X = bars.X, bars.X
		ties.Series = []Series{tied, three}
		charts = append(charts, ties)
	}
	if c.Goals != nil {
		states := &Chart{ID: "chart-goals", Title: "States by depth and goal", X: depth, Y: Axis{Label: "states of one goal", Unit: Number}}
		for i, g := range c.Goals {
			s := Series{Label: g.Name, Kind: Line, Color: i}
			for depth, n := range g.Depths {
				s.X, s.Y = append(s.X, float64(depth)), append(s.Y, float64(n))
			}
			states.Series = append(states.Series, s)
		}
		charts = append(charts, states)
	}
	return charts
}

// WriteJSON writes all that the census knows as one JSON object.
func (c *Census) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c); err != nil {
		return fmt.Errorf("writing the census: %w", err)
	}
	return nil
}

// WriteCSV writes a table with a row for each depth; with kinds of goals, one
// for each depth of each kind, of the states of one goal.
func (c *Census) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	integer := func(n int64) string { return strconv.FormatInt(n, 10) }
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch { // Error tells of a failure
	case c.Goals != nil:
		out.Write([]string{"goal", "depth", "states", "share", "cumulated"})
		for _, g := range c.Goals {
			sum := int64(0)
			for depth, n := range g.Depths {
				sum += n
				out.Write([]string{g.Name, strconv.Itoa(depth), integer(n), float(ratio(float64(n), float64(g.States))), float(ratio(float64(sum), float64(g.States)))})
			}
		}
	default:
		header := []string{"depth", "boards", "share", "cumulated"}
		if c.Tied != nil {
			header = append(header, "one_nearest", "two_nearest", "three_nearest")
		}
		out.Write(header)
		for _, d := range c.Depths {
			row := []string{strconv.Itoa(d.Depth), integer(d.Cases), float(d.Share), float(d.Cumulated)}
			if c.Tied != nil {
				row = append(row, integer(d.Nearest[0]), integer(d.Nearest[1]), integer(d.Nearest[2]))
			}
			out.Write(row)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing the census: %w", err)
	}
	return nil
}
