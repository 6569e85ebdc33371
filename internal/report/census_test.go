package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

// A puzzle with symbols and one with goals, made up.
func symbolCensus() *Census {
	c := NewCensus("made-up", "A Game", solver.Tally{{Goals: 1, Depths: []solver.Count{{1}, {1_000, 20, 4}, {0, 0, 2}}}})
	c.Farthest = []string{"12", "21"}
	c.Reduced = []CensusSolution{{"12", "AB", "2"}}
	return c
}

func goalCensus() *Census {
	c := NewCensus("made-up", "A Game", solver.Tally{
		{Name: "here", Goals: 2, Depths: []solver.Count{{1}, {3}}},
		{Name: "there", Goals: 1, Depths: []solver.Count{{1}, {2}, {1}}},
	})
	c.Farthest = []string{"12 21"}
	c.Reduced = []CensusSolution{{"12 21", "lr", ""}}
	return c
}

func TestCensusText(t *testing.T) {
	for _, tt := range []struct {
		census *Census
		want   string
	}{
		{symbolCensus(), `A Game
  boards      1,027
  mean depth  1.0010
  greatest    2, of 2 boards
  tied        26 (2.53 %): two or three symbols are equally near

Depth: moves of the shortest solution
  depth  boards     share  cumulated  two nearest  three nearest     tied
      0       1  0.0974 %   0.0974 %            0              0      0 %
      1   1,024    99.7 %     99.8 %           20              4   2.34 %  ████████████
      2       2   0.195 %    100.0 %            0              2  100.0 %

Depth 2: 2 boards, 1 up to symmetry
  board  moves  symbol
  12     AB          2
`},
		{goalCensus(), `A Game
  cases        12
  mean depth   0.8333
  greatest     2, of 1 case
  goal: here   4 states each, mean depth 0.7500, greatest 1; 2 goals
  goal: there  4 states each, mean depth 1.0000, greatest 2; 1 goal

Depth: moves of the shortest solution
  depth  here  there  cases   share  cumulated
      0     1      1      3  25.0 %     25.0 %  ████▌
      1     3      2      8  66.7 %     91.7 %  ████████████
      2     0      1      1  8.33 %    100.0 %  █▌
  The first columns are the states of one goal of a kind; cases are those with all goals.

Depth 2: 1 board
  board  moves
  12 21  lr
`},
	} {
		var b strings.Builder
		if err := tt.census.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, b.String()); d != "" {
			t.Errorf("want (-), got (+):\n%s", d)
		}
	}
}

func TestCensusCSV(t *testing.T) {
	for _, tt := range []struct {
		census *Census
		want   string
	}{
		{symbolCensus(), `depth,boards,share,cumulated,one_nearest,two_nearest,three_nearest
0,1,0.0009737098344693282,0.0009737098344693282,1,0,0
1,1024,0.997078870496592,0.9980525803310614,1000,20,4
2,2,0.0019474196689386564,1,0,0,2
`},
		{goalCensus(), `goal,depth,states,share,cumulated
here,0,1,0.25,0.25
here,1,3,0.75,1
there,0,1,0.25,0.25
there,1,2,0.5,0.75
there,2,1,0.25,1
`},
	} {
		var b strings.Builder
		if err := tt.census.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, b.String()); d != "" {
			t.Errorf("want (-), got (+):\n%s", d)
		}
	}
}

func TestCensusJSON(t *testing.T) {
	for _, want := range []*Census{symbolCensus(), goalCensus()} {
		var b strings.Builder
		if err := want.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		got := new(Census)
		if err := json.Unmarshal([]byte(b.String()), got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("written (-), read (+):\n%s", d)
		}
	}
	var b strings.Builder
	goalCensus().WriteJSON(&b)
	if strings.Contains(b.String(), "nearest") || strings.Contains(b.String(), "tied") || strings.Contains(b.String(), "symbol") {
		t.Errorf("one goal, but it tells of ties:\n%s", &b)
	}
}

func TestCensusHTML(t *testing.T) {
	d := &solver.Drawing{Cells: []solver.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}}, Move: func(plain []byte, _ byte) { plain[0], plain[1] = plain[1], plain[0] }}
	draw := func(s *CensusSolution) *Board { return NewBoard(d, s.Board[:2], s.Moves) }
	for _, tt := range []struct {
		census *Census
		want   []string
	}{
		{symbolCensus(), []string{"A Game", "1,027", "1.0010", "Boards by depth", "Tied by depth", "1 up to symmetry", `"frames":["12","21","12"]`, "made by hand"}},
		{goalCensus(), []string{"A Game", "0.8333", "Cases by depth", "States by depth and goal", "there"}},
	} {
		var b strings.Builder
		if err := tt.census.WriteHTML(&b, "made by hand", draw); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q on the page", want)
			}
		}
	}
}

func TestCensusShares(t *testing.T) {
	for _, tt := range []struct {
		share float64
		want  string
	}{
		{0, "0 %"},
		{192.0 / 9_465_511_770, "2.03e-6 %"},
		{38_610.0 / 9_465_511_770, "0.000408 %"},
		{0.0999, "9.99 %"},
		{0.0999999, "10.0 %"},
		{0.1, "10.0 %"},
		{0.9994, "99.9 %"},
		{0.99996, ">99.9 %"},
		{1, "100.0 %"},
	} {
		if got := exactPercent(tt.share); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.share, got, tt.want)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestCensusTellsOfWriteErrors(t *testing.T) {
	c := symbolCensus()
	for name, err := range map[string]error{"text": c.WriteText(brokenWriter{}), "csv": c.WriteCSV(brokenWriter{}), "json": c.WriteJSON(brokenWriter{})} {
		if err == nil || err.Error() != "writing the census: broken" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
