package eight

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"idabatch/internal/solver"
	"idabatch/internal/solver/solvertest"
)

// rules are the pruning rules as they are defined, over the whole path.
var rules = map[string]func(path []byte, m byte) bool{
	"none": func([]byte, byte) bool { return true },
	"inverse": func(path []byte, m byte) bool {
		undo := [...]byte{'u': 'd', 'd': 'u', 'l': 'r', 'r': 'l'}
		return len(path) == 0 || path[len(path)-1] != undo[m]
	},
}

// textbook is the puzzle for the naive search.
func textbook(goal slow, pruning string) solvertest.Domain[slow] {
	return solvertest.Domain[slow]{
		Letters: "dlru",
		H:       func(b slow) int { return b.manhattan(goal) },
		Move:    slow.slide,
		Allowed: rules[pruning],
	}
}

// manhattans are all ways to the counts of manhattan: without tables, with
// nothing else, and with a change of mind early in a case.
func manhattans(pruning string) map[string]*manhattan {
	for home := range waysTo {
		if s := sites[kind{uint8(home), pruning == "inverse"}]; s != nil {
			for s.visit(1, nil) == nil { // another test may be building it
			}
		}
	}
	all := make(map[string]*manhattan)
	for name, patience := range map[string]int64{"plain": math.MaxInt64, "tables": 0, "both": 300} {
		all[name] = newSolver("manhattan", pruning).(*manhattan)
		all[name].patience = patience
	}
	return all
}

func solve(s solver.Solver, start, goal slow, lim solver.Limits) (r solver.Result) {
	return solveText(s, start.String()+" "+goal.String(), lim)
}

func solveText(s solver.Solver, text string, lim solver.Limits) (r solver.Result) {
	s.Solve(&solver.Case{Text: []byte(text)}, lim, &r)
	return r
}

// same compares a result with the textbook's.
func same(t *testing.T, what string, got solver.Result, want solvertest.Count) {
	t.Helper()
	if got.Status != want.Status || string(got.Moves) != want.Moves || !got.Searched ||
		got.Expanded != want.Expanded || got.Generated != want.Generated ||
		got.InitialBound != want.Iterations[0].Bound || !slices.Equal(got.Iterations, want.Iterations) {
		t.Fatalf("%s: %v %q, %d expanded, %d generated, iterations %v\nwant %v %q, %d, %d, %v", what,
			got.Status, got.Moves, got.Expanded, got.Generated, got.Iterations,
			want.Status, want.Moves, want.Expanded, want.Generated, want.Iterations)
	}
	if (got.Detail == "") != (got.Status == solver.Solved) {
		t.Fatalf("%s: %v, detail %q", what, got.Status, got.Detail)
	}
}

// TestCounts compares every case, count by count, with the textbook search.
func TestCounts(t *testing.T) {
	for pruning, n := range map[string]int{"inverse": 150, "none": 100} {
		t.Run(pruning, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, 1))
			all := manhattans(pruning)
			blanks := map[int]int{}
			for i := range n {
				start, goal := randomPair(r)
				if pruning == "none" || i%2 == 0 {
					start = walked(r, goal, i/4)
				}
				want := textbook(goal, pruning).Search(start, 30000)
				for name, s := range all {
					s.spent = [cells]int64{}
					if name == "both" {
						s.tables = [cells]*subtrees{}
					}
					same(t, fmt.Sprint(name, " ", start, " ", goal), solve(s, start, goal, solver.Limits{MaxNodes: 30000}), want)
				}
				blanks[goal.blank()]++
			}
			if len(blanks) != cells {
				t.Errorf("goals with the blank in %d cells only", len(blanks))
			}
		})
	}
}

// TestMaxNodes stops cases after each of the first expansions, and around the
// last.
func TestMaxNodes(t *testing.T) {
	for _, pruning := range []string{"inverse", "none"} {
		t.Run(pruning, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, 2))
			all := manhattans(pruning)
			for i := range 40 {
				goal := randomBoard(r)
				start := walked(r, goal, i)
				book := textbook(goal, pruning)
				total := book.Search(start, 20000).Expanded
				limits := []int64{1, 2, 3, 4, 5, 7, 10, 20, 50, total - 2, total - 1, total, total + 1}
				for range 20 {
					limits = append(limits, r.Int64N(total+1))
				}
				for _, n := range limits {
					if n <= 0 {
						continue
					}
					want := book.Search(start, n)
					for name, s := range all {
						same(t, fmt.Sprint(name, " ", start, " ", goal, ", limit ", n), solve(s, start, goal, solver.Limits{MaxNodes: n}), want)
					}
				}
			}
		})
	}
}

// TestOracle runs the frozen cases with the answers and counts of programs that
// have nothing to do with this one.
func TestOracle(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/eight/oracle.txt")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("../../../testdata/eight/oracle.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	boards := strings.Fields(string(text))[1:]
	if len(boards) != 2*(len(rows)-1) {
		t.Fatalf("%d boards, %d rows", len(boards), len(rows)-1)
	}
	all := map[string]solver.Solver{
		"exact":           newSolver("exact", "inverse"),
		"inverse":         newSolver("manhattan", "inverse"),
		"none":            newSolver("manhattan", "none"),
		"inverse, tables": manhattans("inverse")["tables"],
		"none, tables":    manhattans("none")["tables"],
	}
	for i, row := range rows[1:] {
		field := make(map[string]string)
		for k, name := range rows[0] {
			field[name] = row[k]
		}
		for name, s := range all {
			pruning, _, tables := strings.Cut(name, ",")
			if field[pruning+"_expanded"] == "" && name == "none" && !tables {
				continue // would take long
			}
			r := solveText(s, boards[2*i]+" "+boards[2*i+1], solver.Limits{})
			depth := ""
			if r.Status == solver.Solved {
				depth = strconv.Itoa(len(r.Moves))
			} else if r.Status != solver.Unsolvable {
				t.Fatalf("case %s, %s: %v", row[0], name, r.Status)
			}
			if depth != field["depth"] || string(r.Moves) != field["moves"] {
				t.Fatalf("case %s, %s: %s moves %s, want %s: %s", row[0], name, depth, r.Moves, field["depth"], field["moves"])
			}
			for what, n := range map[string]int64{
				"_iterations": int64(len(r.Iterations)),
				"_expanded":   r.Expanded,
				"_generated":  r.Generated,
			} {
				if want := field[pruning+what]; want != "" && want != strconv.FormatInt(n, 10) {
					t.Fatalf("case %s, %s: %d%s, want %s", row[0], name, n, what, want)
				}
			}
		}
	}
}

// TestSubtrees computes every tally anew, by the definition: with an own number
// for each state and last move.
func TestSubtrees(t *testing.T) {
	for _, k := range []kind{{0, true}, {1, true}, {4, true}, {1, false}} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			testSubtrees(t, k)
		})
	}
}

// built is a table built at once.
func built(k kind) *subtrees { return (&site{kind: k}).visit(math.MaxInt64, nil) }

// TestSite has a table built by solvers of which each builds some parts: the next
// goes on there, and who comes while another builds does without.
func TestSite(t *testing.T) {
	s := &site{kind: kind{4, true}}
	s.mu.Lock()
	if s.visit(1, nil) != nil || s.t != nil {
		t.Fatal("built, though somebody else is building")
	}
	s.mu.Unlock()
	visits := 0
	for s.table.Load() == nil {
		if visits++; visits > 1e6 {
			t.Fatal("it never ends")
		}
		asked := 0
		stop := func() bool { asked++; return asked > 2 }
		if got := s.visit(int64(1+visits%2*9), stop); asked != 1+visits%2*2 && got == nil || got != s.table.Load() {
			t.Fatalf("visit %d: asked %d times whether to stop, and returned %p", visits, asked, got)
		}
	}
	if visits < 200 {
		t.Errorf("built in %d visits: a part takes too long", visits)
	}
	want := built(s.kind)
	if got := s.visit(1, nil); got.heads != want.heads || !slices.Equal(got.tallies, want.tallies) {
		t.Error("it differs from one built at once")
	}
}

// TestStopBuilding: a case that has no time does not build.
func TestStopBuilding(t *testing.T) {
	k := kind{4, false}
	before := sites[k]
	defer func() { sites[k] = before }()
	sites[k] = &site{kind: k}
	s := newSolver("manhattan", "none").(*manhattan)
	s.patience = 0
	solveText(s, "8765X4321 1234X5678", solver.Limits{Stop: func() bool { return true }})
	if sites[k].graph != nil {
		t.Error("a part is built")
	}
	solveText(s, "8765X4321 1234X5678", solver.Limits{})
	if sites[k].graph == nil || sites[k].table.Load() != nil {
		t.Error("nothing is built, or all")
	}
}

func testSubtrees(t *testing.T, k kind) {
	type count struct{ expanded, generated int64 }
	table := built(k)
	g := theGraph()
	// below[q][last] counts with so many rises left, fewer with one less.
	below, fewer := make([][moves + 1]count, states), make([][moves + 1]count, states)
	var byValue [32][]state
	for order, tiles := range g.tiles {
		for blank := range uint8(cells) {
			h := tiles.spread(blank).manhattan(k.goal)
			byValue[h] = append(byValue[h], state{uint16(order), blank})
		}
	}
	for rises, checked := 0, 1; checked > 0; rises++ {
		checked = 0
		for h, list := range byValue {
			for _, s := range list {
				head := table.heads[s.index()]
				if head.value() != h {
					t.Fatalf("value %d, want %d", head.value(), h)
				}
				if rises >= head.tallies() {
					continue
				}
				checked++
				// First with every move allowed, then without the one that undoes
				// the last, if there is a rule against it.
				all := count{expanded: 1}
				var part [moves]count
				for _, e := range edges[s.blank] {
					q := g.around(s).follow(e).index()
					part[e.move] = fewer[q][e.move]
					if table.heads[q].value() < h {
						part[e.move] = below[q][e.move]
					}
					all.expanded += part[e.move].expanded
					all.generated += part[e.move].generated + 1
				}
				b := &below[s.index()]
				*b = [moves + 1]count{all, all, all, all, all}
				for _, e := range edges[s.blank] {
					if back := e.move; k.inverse {
						b[back.undo()].expanded -= part[back].expanded
						b[back.undo()].generated -= part[back].generated + 1
					}
				}
				got := table.tallies[head.place()+rises] - table.back(head, rises)
				if k.inverse {
					got += oneGenerated
				}
				if got.expanded() != all.expanded || got.generated() != all.generated {
					t.Fatalf("state %v, %d rises: %d expanded, %d generated, want %v", s, rises, got.expanded(), got.generated(), all)
				}
			}
		}
		below, fewer = fewer, below
	}
}

// TestVectors are known cases.
func TestVectors(t *testing.T) {
	for _, tt := range []struct {
		text   string
		status solver.Status
		moves  string
	}{
		{"12X453786 12345678X", solver.Solved, "dd"},
		{"564178X23 7568X4123", solver.Solved, "urrulldr"},
		{"48X375621 12345678X", solver.Solved, "lldrdruldluruldrrulddruldr"},
		{"12345678X 12345678X", solver.Solved, ""},
		{"812X43765 12345678X", solver.Unsolvable, ""},
		{"1348X2765 12345678X", solver.Unsolvable, ""},
	} {
		for _, heuristic := range Puzzle.Heuristics {
			for _, pruning := range Puzzle.Prunings {
				r := solveText(newSolver(heuristic.Name, pruning.Name), tt.text, solver.Limits{})
				if r.Status != tt.status || string(r.Moves) != tt.moves {
					t.Errorf("%s, %s %s: %v %s, want %v %s", tt.text, heuristic.Name, pruning.Name, r.Status, r.Moves, tt.status, tt.moves)
				}
				if tt.status == solver.Unsolvable {
					if want := "inversions among the tiles is odd in the start and even in the goal"; !strings.Contains(r.Detail, want) || r.Searched {
						t.Errorf("%s: searched %v, detail %q", tt.text, r.Searched, r.Detail)
					}
				}
			}
		}
	}
}

// TestStop ends a search that takes long.
func TestStop(t *testing.T) {
	s := newSolver("manhattan", "none")
	asked := 0
	r := solveText(s, "87654321X 12345678X", solver.Limits{Stop: func() bool { asked++; return asked > 10 }})
	if r.Status != solver.Timeout || !r.Searched || len(r.Moves) > 0 || r.Detail == "" || r.Expanded < 10*stopEvery || r.Expanded > 50*stopEvery {
		t.Errorf("%v, %d expanded, moves %q, detail %q", r.Status, r.Expanded, r.Moves, r.Detail)
	}
}

func TestAllocations(t *testing.T) {
	for _, heuristic := range Puzzle.Heuristics {
		s := newSolver(heuristic.Name, "inverse")
		if m, ok := s.(*manhattan); ok {
			m.patience = 0
		}
		c := &solver.Case{Text: []byte("48X375621 12345678X")}
		r := new(solver.Result)
		if n := testing.AllocsPerRun(100, func() { s.Solve(c, solver.Limits{}, r) }); n != 0 {
			t.Errorf("%s: %v allocations a case", heuristic.Name, n)
		}
	}
}
