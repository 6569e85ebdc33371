package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"idabatch/internal/solver"
)

// A Page is a document in HTML, whole in one file: it asks nothing of the
// network, follows the reader's choice of light or dark, and fits a phone.
type Page struct {
	Title    string
	Program  string // what made it, for the last line
	Sections []Section
}

// Section is a part of a page, of which anything may be empty. Its parts come in
// this order.
type Section struct {
	ID       string // unique on the page, the beginning of its tables' ids
	Title    string
	Lead     string // below the title
	Figures  []Figure
	Warnings []Warning
	Charts   []*Chart
	Boards   []*Board
	Tables   []*Table
	Notes    []string
}

// Figure is a number that matters, with a name and what else there is to say.
type Figure struct{ Name, Value, More string }

// Chart is drawn by uPlot. The fields are those that page.js reads.
type Chart struct {
	ID     string   `json:"-"`
	Title  string   `json:"title"`
	Note   string   `json:"-"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`
}

// Axis is one of the two of a chart.
type Axis struct {
	Label string   `json:"label"`
	Unit  Unit     `json:"unit"`
	Log   bool     `json:"log,omitempty"` // logarithmic: values of 0 are not drawn
	Max   *float64 `json:"max,omitempty"` // where it ends; nil: with the values. It begins with 0 then
}

// Unit is how the numbers of an axis are written.
type Unit string

// The units.
const (
	Number  Unit = "number"
	Whole   Unit = "whole"   // numbers that are marked on the axis only where they are whole
	Percent Unit = "percent" // of a share from 0 to 1
	Nanos   Unit = "ns"      // a time; written in the unit that fits
)

// Kind is how a series is drawn.
type Kind string

// The kinds.
const (
	Line   Kind = "line"
	Dashed Kind = "dashed"
	Bars   Kind = "bars"
	Points Kind = "points"
	Band   Kind = "band" // between Y and High
)

// Series are points of a chart, X ascending.
type Series struct {
	Label string    `json:"label"`
	Kind  Kind      `json:"kind"`
	Color int       `json:"color"` // of the page's colors, from 0; -1: grey
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
	High  []float64 `json:"high,omitempty"`
	Names []string  `json:"names,omitempty"` // of the points, one by one
}

// Board is a case drawn, with its solution to be played.
type Board struct {
	Title   string         `json:"-"`
	Facts   []string       `json:"-"`
	Cells   []solver.Cell  `json:"cells"`
	Marks   []solver.Mark  `json:"marks"`
	Blank   string         `json:"blank"`
	Colored bool           `json:"colored"` // symbols have colors: there are few
	Moves   string         `json:"moves"`
	Frames  []string       `json:"frames"` // the symbols at first, and after each move
	Size    map[string]int `json:"size"`   // rows and cols
}

// NewBoard draws a case in plain form with a solution that was replayed.
func NewBoard(d *solver.Drawing, plain, moves string) *Board {
	b := &Board{Cells: d.Cells, Marks: d.Marks, Moves: moves, Frames: []string{plain}, Size: map[string]int{}}
	if d.Blank != 0 {
		b.Blank = string(d.Blank)
	}
	state := []byte(plain)
	for _, m := range []byte(moves) {
		d.Move(state, m)
		b.Frames = append(b.Frames, string(state))
	}
	place := func(row, col int) {
		b.Size["rows"], b.Size["cols"] = max(b.Size["rows"], row+1), max(b.Size["cols"], col+1)
	}
	symbols := map[byte]bool{}
	for i, c := range d.Cells {
		place(c.Row, c.Col)
		symbols[plain[i]] = true
	}
	for _, m := range d.Marks {
		place(m.Row, m.Col)
	}
	b.Colored = len(symbols) <= 4
	return b
}

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

// uPlot 1.6.32 as npm has it, https://github.com/leeoniya/uPlot.
var (
	//go:embed page/uplot/uPlot.iife.min.js
	uPlotJS string
	//go:embed page/uplot/uPlot.min.css
	uPlotCSS string
	//go:embed page/uplot/LICENSE
	uPlotLicense string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	// A unit stays with its number.
	"glue": func(s string) string { return strings.ReplaceAll(s, " %", "\u00a0%") },
	"css":  func() template.CSS { return template.CSS(uPlotCSS + pageCSS) },
	"js": func() template.JS {
		return template.JS("/*\n" + strings.ReplaceAll(uPlotLicense, "*/", "* /") + "\n*/\n" + uPlotJS + pageJS)
	},
}).Parse(pageHTML))

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, p)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
