package rotation

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"idabatch/internal/solver"
	"idabatch/internal/solver/solvertest"
)

// textbook is the puzzle for the naive search, with a pruning rule by its
// definition.
func textbook(rule string) solvertest.Domain[[24]byte] {
	return solvertest.Domain[[24]byte]{
		Letters: "ABCDEFGH",
		H: func(b [24]byte) int {
			var n [4]int
			for _, c := range centerCells {
				n[b[c]-'0']++
			}
			return 8 - max(n[1], n[2], n[3])
		},
		Move:    func(b [24]byte, m byte) ([24]byte, bool) { return slowTurn(b, m), true },
		Allowed: rules[rule],
	}
}

// rules are the pruning rules as they are defined, over the whole path.
var rules = map[string]func(path []byte, m byte) bool{
	"none":    func([]byte, byte) bool { return true },
	"inverse": func(path []byte, m byte) bool { return len(path) == 0 || path[len(path)-1] != undo[m] },
	"canonical": func(path []byte, m byte) bool {
		var times [256]int
		times[m] = 1
		for i := len(path) - 1; i >= 0 && column[path[i]] == column[m]; i-- {
			before := path[i] // in the unbroken run of parallel turns that m ends
			times[before]++
			if before > m || i+1 < len(path) && before > path[i+1] || times[before] > 3 || times[undo[before]] > 0 {
				return false
			}
		}
		return true
	},
}

var (
	undo   = [256]byte{'A': 'F', 'F': 'A', 'B': 'E', 'E': 'B', 'C': 'H', 'H': 'C', 'D': 'G', 'G': 'D'}
	column = [256]bool{'A': true, 'B': true, 'E': true, 'F': true}
)

// solvers are all ways to solve with a rule: the search node by node, the search
// with bulk counts, and the exact ways.
func solvers(rule string) map[string]solver.Solver {
	plain := newSolver("center", rule).(*centerSolver)
	plain.bulk = nil
	bulk := newSolver("center", rule).(*centerSolver)
	bulk.steps = price[testLevel]
	return map[string]solver.Solver{"plain": plain, "bulk": bulk, "exact": newSolver("exact", rule)}
}

// testLevel is the level up to which the tests build the tables. The others are
// built in the same way (and TestBulkLevels counts with them all).
const testLevel = 6

var ruleNames = []string{"canonical", "inverse", "none"}

func solve(s solver.Solver, board string, lim solver.Limits) solver.Result {
	var r solver.Result
	s.Solve(&solver.Case{Source: "test", Text: []byte(board)}, lim, &r)
	return r
}

// TestCounts compares every count of every solver with the naive search, on
// boards from solved to hard.
func TestCounts(t *testing.T) {
	for _, rule := range ruleNames {
		all := solvers(rule)
		book := textbook(rule)
		r := rand.New(rand.NewPCG(2, 2))
		compared := 0
		for i := range 200 {
			b := randomBoard(r)
			if i%2 == 0 { // some moves from a solved board
				b = [24]byte([]byte("111133222332233222331111"))
				for range i / 8 {
					b = slowTurn(b, letters[r.IntN(8)])
				}
			}
			want := book.Search(b, naiveLimit)
			if want.Status == solver.Limit {
				continue
			}
			compared++
			for name, s := range all {
				got := solve(s, string(b[:]), solver.Limits{})
				diff(t, fmt.Sprintf("%s %s %s", b, rule, name), got, want, name == "exact")
			}
		}
		if compared < 60 {
			t.Errorf("%s: only %d boards compared", rule, compared)
		}
	}
}

// naiveLimit is how many expansions the naive search gets in a test.
const naiveLimit = 3000

func diff(t *testing.T, what string, got solver.Result, want solvertest.Count, exact bool) {
	t.Helper()
	if got.Status != want.Status || string(got.Moves) != want.Moves {
		t.Fatalf("%s: %v %s, want %v %s", what, got.Status, got.Moves, want.Status, want.Moves)
	}
	if exact {
		if len(got.Iterations) != 1 || got.InitialBound != len(want.Moves) || got.Expanded != int64(len(want.Moves)) {
			t.Fatalf("%s: %+v, want one iteration of %d expansions", what, got.Iterations, len(want.Moves))
		}
		return
	}
	if !slices.Equal(got.Iterations, want.Iterations) || got.Expanded != want.Expanded || got.Generated != want.Generated ||
		got.InitialBound != want.Iterations[0].Bound {
		t.Fatalf("%s: first bound %d, iterations %v, sums %d %d, want %v, sums %d %d", what,
			got.InitialBound, got.Iterations, got.Expanded, got.Generated, want.Iterations, want.Expanded, want.Generated)
	}
}

// TestExactCounts compares the exact solver's counts with a naive search that
// has the exact distance as its heuristic.
func TestExactCounts(t *testing.T) {
	table := distances()
	for _, rule := range ruleNames {
		book := textbook(rule)
		book.H = func(b [24]byte) int {
			return min(table.distance(place(b, '1')), table.distance(place(b, '2')), table.distance(place(b, '3')))
		}
		s := newSolver("exact", rule)
		r := rand.New(rand.NewPCG(3, 3))
		for range 300 {
			b := randomBoard(r)
			diff(t, fmt.Sprintf("%s %s", b, rule), solve(s, string(b[:]), solver.Limits{}), book.Search(b, 0), false)
			limit := 1 + r.Int64N(8)
			got := solve(s, string(b[:]), solver.Limits{MaxNodes: limit})
			diff(t, fmt.Sprintf("%s %s, %d nodes", b, rule, limit), got, book.Search(b, limit), false)
		}
	}
}

// TestLimits stops searches at all kinds of places and compares the counts with
// those of the naive search that is stopped there.
func TestLimits(t *testing.T) {
	for _, rule := range ruleNames {
		all := solvers(rule)
		delete(all, "exact")
		book := textbook(rule)
		r := rand.New(rand.NewPCG(4, 4))
		for range 40 {
			b := randomBoard(r)
			limit := 1 + r.Int64N(1<<r.IntN(14))
			want := book.Search(b, limit)
			for name, s := range all {
				got := solve(s, string(b[:]), solver.Limits{MaxNodes: limit})
				diff(t, fmt.Sprintf("%s %s %s, %d nodes", b, rule, name, limit), got, want, false)
			}
		}
	}
	// The very last expansion that is needed makes the difference.
	for name, s := range solvers("canonical") {
		const board = "112323121232323131232311"
		needs := solve(s, board, solver.Limits{}).Expanded
		if got := solve(s, board, solver.Limits{MaxNodes: needs}); got.Status != solver.Solved {
			t.Errorf("%s: %v with all the nodes it needs", name, got.Status)
		}
		if got := solve(s, board, solver.Limits{MaxNodes: needs - 1}); got.Status != solver.Limit || got.Expanded != needs-1 {
			t.Errorf("%s: %v after %d of %d nodes", name, got.Status, got.Expanded, needs-1)
		}
	}
}

// TestStop ends a long search as soon as it is told to, and it is asked every
// few thousand expansions.
func TestStop(t *testing.T) {
	const times = 5
	s := solvers("none")["plain"]
	asked := 0
	got := solve(s, "112323121232323131232311", solver.Limits{Stop: func() bool { asked++; return asked == times }})
	if got.Status != solver.Timeout || asked != times || got.Expanded > times*pollInterval {
		t.Errorf("%v after %d expansions, asked %d times", got.Status, got.Expanded, asked)
	}
}

// TestOracle compares with the answers and counts of an independent program, a
// textbook search in C++: hard boards, ties between symbols, and boards at whose
// root every move raises h.
func TestOracle(t *testing.T) {
	boards := readLines(t, "oracle.txt")
	rows := readLines(t, "oracle.csv")
	columns := strings.Split(rows[0], ",")
	all := map[string]map[string]solver.Solver{}
	for _, rule := range ruleNames {
		all[rule] = solvers(rule)
	}
	for i, row := range rows[1:] {
		want := map[string]string{}
		for k, field := range strings.Split(row, ",") {
			want[columns[k]] = field
		}
		board := strings.ReplaceAll(boards[i], " ", "")
		for _, rule := range ruleNames {
			for name, s := range all[rule] {
				if want[rule+"_expanded"] == "" || name == "plain" && len(want[rule+"_expanded"]) > 5 {
					continue
				}
				r := solve(s, board, solver.Limits{})
				got := map[string]string{"depth": strconv.Itoa(len(r.Moves)), "moves": string(r.Moves), "symbol": string(r.Symbol)}
				if name != "exact" {
					got[rule+"_iterations"] = strconv.Itoa(len(r.Iterations))
					got[rule+"_expanded"] = strconv.FormatInt(r.Expanded, 10)
					got[rule+"_generated"] = strconv.FormatInt(r.Generated, 10)
				}
				for column, g := range got {
					if g != want[column] {
						t.Errorf("%s %s %s: %s is %s, want %s", board, rule, name, column, g, want[column])
					}
				}
			}
		}
	}
}

func readLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/rotation/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// TestExact checks the ways by what they are: empty at the goal alone, and
// everywhere else a move and the way from where it leads, one of the shortest of
// these; of the moves that lead to such the first in dictionary order.
func TestExact(t *testing.T) {
	table := ways()
	farthest := 0
	for _, p := range listPlacements() {
		w := table.way(p)
		farthest = max(farthest, w.len())
		want, least := way(0), 99
		for m := range move(moves) {
			if n := table.way(p.turn(m)); n.len() < least {
				want, least = n.after(m), n.len()
			}
		}
		if p == solved {
			want = 0
		}
		if w != want {
			t.Fatalf("%#x: way %#x, want %#x", p, w, want)
		}
	}
	if farthest != maxDepth {
		t.Errorf("farthest %d, want %d", farthest, maxDepth)
	}
}

// TestWay checks what TestExact builds on: a way's letters are its moves in their
// order, and ways are in order like their lengths and letters.
func TestWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() (w way, text string) {
		for range r.IntN(maxDepth + 1) {
			m := move(r.IntN(moves))
			w, text = w.after(m), "ABCDEFGH"[m:m+1]+text
			if w.first() != m || w.len() != len(text) {
				t.Fatalf("%#x begins with move %d of %d, want %s", w, w.first(), w.len(), text)
			}
		}
		return w, text
	}
	before, earlier := random()
	for range 10000 {
		w, text := random()
		if got := string(w.appendLetters([]byte("H"))); got != "H"+text {
			t.Fatalf("%#x has the letters %s, want H%s", w, got, text)
		}
		order := cmp.Or(cmp.Compare(len(text), len(earlier)), cmp.Compare(text, earlier))
		if got := cmp.Compare(w, before); got != order {
			t.Fatalf("%s and %s compare as %d, want %d", text, earlier, got, order)
		}
		before, earlier = w, text
	}
}

// BenchmarkSolve solves uniform boards; expanded/op is what a textbook search
// expands for one.
func BenchmarkSolve(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	var boards [1000]string
	for i := range boards {
		board := randomBoard(r)
		boards[i] = string(board[:])
	}
	for _, rule := range []string{"canonical", "inverse"} {
		all := solvers(rule)
		all["bulk"].(*centerSolver).steps = price[bulkLevels]
		for _, name := range []string{"plain", "bulk", "exact"} {
			s := all[name]
			b.Run(name+"/"+rule, func(b *testing.B) {
				var res solver.Result
				s.Solve(&solver.Case{Text: []byte(boards[0])}, solver.Limits{}, &res) // builds the tables
				b.ReportAllocs()
				expanded := int64(0)
				c := solver.Case{Source: "bench"}
				b.ResetTimer()
				for i := range b.N {
					c.Text = append(c.Text[:0], boards[i%len(boards)]...)
					s.Solve(&c, solver.Limits{}, &res)
					expanded += res.Expanded
				}
				b.ReportMetric(float64(expanded)/float64(b.N), "expanded/op")
			})
		}
	}
}

// BenchmarkTables builds the tables of bulk counts, level by level.
func BenchmarkBuild(b *testing.B) {
	for level := bulkLevels - 3; level <= bulkLevels; level++ {
		b.Run(fmt.Sprintf("canonical/%d", level), func(b *testing.B) {
			for range b.N {
				new(canonicalBulk).grow(price[level], math.MaxInt64-1, nil)
			}
		})
		b.Run(fmt.Sprintf("inverse/%d", level), func(b *testing.B) {
			for range b.N {
				(&plainBulk{inverse: true}).grow(price[level], math.MaxInt64-1, nil)
			}
		})
	}
}

// TestGrow builds tables with little paid, for a case that has searched little, or
// in little time, and counts the parts.
func TestGrow(t *testing.T) {
	const level = 5
	cost := price[level] / 8 / siteParts
	parts := func(b *plainBulk) int {
		n := int(b.built.Load()) * siteParts
		if s := b.next.Load(); s != nil && s.level == b.built.Load() {
			n += int(s.taken.Load())
		}
		return n
	}
	for _, tt := range []struct {
		what       string
		steps, own int64
		asks       int // until stop
		want       int // parts of the level
	}{
		{"nothing is due", price[level] * 7 / 8, math.MaxInt64 - 1, 9999, 0},
		{"three are due", price[level]*7/8 + 4*cost - 1, math.MaxInt64 - 1, 9999, 3},
		{"all are due", price[level], math.MaxInt64 - 1, 9999, siteParts},
		{"a case that has not searched", price[level], 0, 9999, 1},
		{"a case that has searched a little", price[level], 5 * cost, 9999, 6},
		{"a case without time", price[level], math.MaxInt64 - 1, 0, 0},
		{"a case with time for two", price[level], math.MaxInt64 - 1, 2, 2},
	} {
		b := new(plainBulk)
		b.grow(price[level-1], math.MaxInt64-1, nil)
		before, asked := parts(b), 0
		top := b.grow(tt.steps, tt.own, func() bool { asked++; return asked > tt.asks })
		if got := parts(b) - before; got != tt.want || top != (before+got)/siteParts-1 {
			t.Errorf("%s: %d parts, up to level %d; want %d parts", tt.what, got, top, tt.want)
		}
	}
}

// TestStopBuilding: a case that has no time does not build.
func TestStopBuilding(t *testing.T) {
	for stops, want := range map[bool]int32{true: 0, false: 1} {
		s := newSolver("center", "none").(*centerSolver)
		tables := new(plainBulk)
		s.bulk, s.steps = tables, price[0]
		solve(s, strings.Repeat("123", 8), solver.Limits{Stop: func() bool { return stops }, MaxNodes: 1})
		if got := tables.next.Load().taken.Load(); got != want {
			t.Errorf("stop %v: %d parts are built, want %d", stops, got, want)
		}
	}
}

// TestGrowTogether builds the tables from several goroutines at once, as the
// solvers of a run do, and compares them with what one builds alone.
func TestGrowTogether(t *testing.T) {
	const level = 5
	alone, together := new(canonicalBulk), new(canonicalBulk)
	alonePlain, togetherPlain := &plainBulk{inverse: true}, &plainBulk{inverse: true}
	alone.grow(price[level], math.MaxInt64-1, nil)
	alonePlain.grow(price[level], math.MaxInt64-1, nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for together.grow(price[level], 0, nil) < level || togetherPlain.grow(price[level], 0, nil) < level {
			}
		})
	}
	wg.Wait()
	for left := range level + 1 {
		for o := range alone.ended {
			if !slices.Equal(alone.ended[o][left], together.ended[o][left]) {
				t.Errorf("level %d, orientation %d: the tables differ", left, o)
			}
		}
		if !slices.Equal(alonePlain.s[left], togetherPlain.s[left]) {
			t.Errorf("level %d: the plain tables differ", left)
		}
	}
}
