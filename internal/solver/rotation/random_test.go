package rotation

import (
	"encoding/csv"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"idabatch/internal/solver"
)

// The golden corpus: if it fails, the same seed gives other boards than before,
// and solver.GeneratorVersion must grow. It was not made by this program.
func TestRandomGolden(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "testdata", "rotation", "random.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 60 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		seed, err1 := strconv.ParseUint(row[0], 10, 64)
		i, err2 := strconv.ParseUint(row[1], 10, 64)
		scramble, err3 := -1, error(nil)
		if row[2] != "" {
			scramble, err3 = strconv.Atoi(row[2])
		}
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("row %q: %v, %v, %v", row, err1, err2, err3)
		}
		if got := string(random(nil, seed, i, scramble)); got != row[3] {
			t.Errorf("seed %d, case %d, scramble %q: %s, want %s", seed, i, row[2], got, row[3])
		}
	}
}

// plainRandom is random, written from its description.
func plainRandom(seed, i uint64, scramble int) string {
	r := solver.NewRandom(seed, i)
	shuffled := func(text string) []string {
		list := strings.Split(text, "")
		for end := len(list); end > 1; end-- {
			k := r.IntN(end)
			list[k], list[end-1] = list[end-1], list[k]
		}
		return list
	}
	if scramble < 0 {
		return strings.Join(shuffled("111111112222222233333333"), "")
	}

	center := "123"[r.IntN(3):][:1]
	others := shuffled(strings.Repeat(strings.Replace("123", center, "", 1)[:1], 8) + strings.Repeat(strings.Replace("123", center, "", 1)[1:], 8))
	b := slices.Concat(others[0:6], nil)
	for range 3 { // cells 6 7 8
		b = append(b, center)
	}
	b = append(b, others[6], others[7])   // 9 10
	b = append(b, center, center)         // 11 12
	b = append(b, others[8], others[9])   // 13 14
	b = append(b, center, center, center) // 15 16 17
	b = append(b, others[10:]...)         // 18 to 23
	columns := [][]int{{0, 2, 6, 11, 15, 20, 22}, {1, 3, 8, 12, 17, 21, 23}}
	rows := [][]int{{4, 5, 6, 7, 8, 9, 10}, {13, 14, 15, 16, 17, 18, 19}}
	for range scramble {
		var line []int
		var towardsFirst bool
		switch r.IntN(8) {
		case 0: // A
			line, towardsFirst = columns[0], true
		case 1: // B
			line, towardsFirst = columns[1], true
		case 2: // C
			line, towardsFirst = rows[0], false
		case 3: // D
			line, towardsFirst = rows[1], false
		case 4: // E
			line, towardsFirst = columns[1], false
		case 5: // F
			line, towardsFirst = columns[0], false
		case 6: // G
			line, towardsFirst = rows[1], true
		case 7: // H
			line, towardsFirst = rows[0], true
		}
		old := slices.Clone(b)
		for k, cell := range line {
			if towardsFirst {
				b[cell] = old[line[(k+1)%7]]
			} else {
				b[cell] = old[line[(k+6)%7]]
			}
		}
	}
	return strings.Join(b, "")
}

func TestRandomAgainstItsDescription(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2, 1 << 63, 1<<64 - 1} {
		for i := range uint64(200) {
			for _, scramble := range []int{-1, 0, 1, 2, 7, 50} {
				got := string(random([]byte("> "), seed, i, scramble))
				if want := "> " + plainRandom(seed, i, scramble); got != want {
					t.Fatalf("seed %d, case %d, scramble %d: %s, want %s", seed, i, scramble, got, want)
				}
			}
		}
	}
}

// chiSquared compares counts with equal ones.
func chiSquared(counts ...int) (sum float64) {
	total := 0
	for _, n := range counts {
		total += n
	}
	mean := float64(total) / float64(len(counts))
	for _, n := range counts {
		sum += (float64(n) - mean) * (float64(n) - mean) / mean
	}
	return sum
}

// Each symbol must be on each cell equally often, and each pair of symbols on
// neighbouring cells as often as it should: a pair of equal ones 7 times in 69,
// of different ones 8 times.
func TestRandomIsUniform(t *testing.T) {
	const cases = 30000
	var on [boardSize][3]int
	equal := 0
	for i := range uint64(cases) {
		b := random(nil, 1, i+1, -1)
		for cell, symbol := range b {
			on[cell][symbol-'1']++
			if cell > 0 && b[cell-1] == symbol {
				equal++
			}
		}
	}
	for cell, counts := range on {
		// Two degrees of freedom: above 18.4 once in 10,000.
		if x := chiSquared(counts[:]...); x > 18.4 {
			t.Errorf("cell %d: symbols %v, chi squared %.1f", cell, counts, x)
		}
	}
	// 23 pairs a board, equal with probability 7/23: 7 a board.
	if mean := float64(equal) / cases; mean < 6.95 || mean > 7.05 {
		t.Errorf("%.3f pairs of equal neighbours a board, want 7", mean)
	}
}

// Solved boards are uniform over the symbol and what lies around the center;
// a scramble of none is solved, and one move is each of eight.
func TestScrambleIsUniform(t *testing.T) {
	const cases = 24000
	var centers [3]int
	var around [boardSize]int // that the cell holds the smaller of the other two
	var moves [8]int
	for i := range uint64(cases) {
		b := random(nil, 1, i+1, 0)
		symbol, err := replay(b, nil)
		if err != nil {
			t.Fatalf("case %d is not solved: %s, %v", i+1, b, err)
		}
		if !slowCheck(string(b)) {
			t.Fatalf("case %d is no board: %s", i+1, b)
		}
		centers[symbol-'1']++
		for cell, s := range b {
			if s == '1' || s == '2' && symbol == '1' {
				around[cell]++
			}
		}
		// The one move is the one that leads from this board to the next.
		next := random(nil, 1, i+1, 1)
		for m := range 8 {
			turned := [boardSize]byte(b)
			makeTurn(&turned, 'A'+byte(m))
			if string(turned[:]) == string(next) {
				moves[m]++
				break
			}
		}
	}
	if x := chiSquared(centers[:]...); x > 18.4 {
		t.Errorf("symbols in the center %v, chi squared %.1f", centers, x)
	}
	if x := chiSquared(moves[:]...); x > 29.9 { // seven degrees of freedom
		t.Errorf("moves %v, chi squared %.1f", moves, x)
	}
	for cell, n := range around {
		// Five standard deviations, √cases / 2 = 77.
		inside := slices.Contains([]int{6, 7, 8, 11, 12, 15, 16, 17}, cell)
		if !inside && (n < cases/2-390 || n > cases/2+390) {
			t.Errorf("cell %d holds the smaller other symbol %d times of %d", cell, n, cases)
		}
	}
}

// plainRandomAt is randomAt, written from its description.
func plainRandomAt(seed, i uint64, want solver.Depths) string {
	r := solver.NewRandom(seed, i)
	counts := func(depth int) int64 {
		count := census.Known[0].Depths[depth]
		if want.Tied {
			return count[1] + count[2]
		}
		return count[0] + count[1] + count[2]
	}
	total := int64(0)
	for depth := want.Min; depth <= want.Max; depth++ {
		total += counts(depth)
	}
	depth := want.Min
	for n := int64(r.IntN(int(total))); n >= counts(depth); depth++ {
		n -= counts(depth)
	}
	if counts(depth) <= 200_000 {
		var list []string
		for b := range boards(solver.Depths{Min: depth, Max: depth, Tied: want.Tied}, false) {
			list = append(list, string(b))
		}
		slices.Sort(list)
		return list[r.IntN(len(list))]
	}
	near := slowByDistance()[depth]
	for {
		symbol := r.IntN(3)
		var b [24]byte
		one := near[r.IntN(len(near))]
		for cell := range b {
			if one>>cell&1 != 0 {
				b[cell] = '1' + byte(symbol)
			}
		}
		half := sixteen[r.IntN(12870)]
		n := 0
		for cell := range b {
			if b[cell] == 0 {
				next := 1
				if half>>n&1 == 0 {
					next = 2
				}
				b[cell] = '1' + byte((symbol+next)%3)
				n++
			}
		}
		if d, symbols := slowNearestOf(b); int(d) == depth && (!want.Tied || symbols > 1) && r.IntN(symbols) == 0 {
			return string(b[:])
		}
	}
}

// sixteen are the numbers with eight of sixteen bits, in their order.
var sixteen = func() (list []int) {
	for n := range 1 << 16 {
		if bits.OnesCount(uint(n)) == 8 {
			list = append(list, n)
		}
	}
	return list
}()

// slowByDistance are all placements by distance, in the order of their ranks.
var slowByDistance = sync.OnceValue(func() (lists [15][]mask) {
	for _, p := range listPlacements() {
		m := mask(0)
		for cell, bits := range cellBits {
			if p&bits != 0 {
				m |= 1 << cell
			}
		}
		d := slowDistances()[m]
		lists[d] = append(lists[d], m)
	}
	return lists
})

func TestRandomAtAgainstItsDescription(t *testing.T) {
	for _, want := range []solver.Depths{
		{Min: 0, Max: 0}, {Min: 1, Max: 1}, {Min: 7, Max: 7}, {Min: 9, Max: 9}, {Min: 12, Max: 12}, {Min: 0, Max: 13}, {Min: 1, Max: 4},
		{Min: 4, Max: 4, Tied: true}, {Min: 6, Max: 6, Tied: true}, {Min: 10, Max: 10, Tied: true}, {Min: 0, Max: 12, Tied: true},
	} {
		for i := range uint64(8) {
			got := string(randomAt([]byte("> "), 3, i, want))
			if want := "> " + plainRandomAt(3, i, want); got != want {
				t.Fatalf("case %d of %+v: %s, want %s", i, want, got, want)
			}
			if i >= 2 && want.Max == 0 {
				break // a list each time
			}
		}
	}
}

// TestRandomAtIsUniform draws boards of depths of which all are known.
func TestRandomAtIsUniform(t *testing.T) {
	for _, tt := range []struct {
		want  solver.Depths
		draws int
		bins  int // that many boards together, next to each other in the dictionary
	}{
		{solver.Depths{Min: 0, Max: 0}, 200_000, 1},
		{solver.Depths{Min: 1, Max: 1}, 100_000, 20},
		{solver.Depths{Min: 4, Max: 4, Tied: true}, 20_000, 1},
		{solver.Depths{Min: 5, Max: 5, Tied: true}, 50_000, 20},
		{solver.Depths{Min: 13, Max: 13}, 10_000, 1},
	} {
		var list []string
		for b := range boards(tt.want, false) {
			list = append(list, string(b))
		}
		slices.Sort(list)
		cells := make([]cell, (len(list)+tt.bins-1)/tt.bins)
		for i := range list {
			cells[i/tt.bins].want += float64(tt.draws) / float64(len(list))
		}
		for i := range uint64(tt.draws) {
			b := string(randomAt(nil, 21, i+1, tt.want))
			at, ok := slices.BinarySearch(list, b)
			if !ok {
				t.Fatalf("%+v: %s is no such board", tt.want, b)
			}
			cells[at/tt.bins].got++
		}
		checkFit(t, fmt.Sprintf("%+v", tt.want), cells)
	}
}

// TestRandomAtFitsTheCensus counts depths and nearest symbols, and what is on the
// cells.
func TestRandomAtFitsTheCensus(t *testing.T) {
	golden := goldenCensus(t)
	for _, tt := range []struct {
		want  solver.Depths
		draws int
	}{
		{solver.Depths{Min: 7, Max: 7}, 10_000},
		{solver.Depths{Min: 9, Max: 9}, 10_000},
		{solver.Depths{Min: 11, Max: 11}, 10_000},
		{solver.Depths{Min: 12, Max: 12}, 1000},
		{solver.Depths{Min: 6, Max: 6, Tied: true}, 3000},
		{solver.Depths{Min: 9, Max: 9, Tied: true}, 10_000},
		{solver.Depths{Min: 11, Max: 11, Tied: true}, 10_000},
		{solver.Depths{Min: 0, Max: 13}, 40_000},
		{solver.Depths{Min: 0, Max: 5}, 20_000},
		{solver.Depths{Min: 12, Max: 13}, 1000},
		{solver.Depths{Min: 4, Max: 9, Tied: true}, 20_000},
	} {
		var seen [14]solver.Count
		var on [24][3]int
		for i := range uint64(tt.draws) {
			b := randomAt(nil, 22, i+1, tt.want)
			if !slowCheck(string(b)) {
				t.Fatalf("%s is no board", b)
			}
			depth, symbols := slowNearestOf([24]byte(b))
			seen[depth][symbols-1]++
			for cell, symbol := range b {
				on[cell][symbol-'1']++
			}
		}
		var cells []cell
		for depth, counts := range seen {
			for k, n := range counts {
				want := 0.0
				if depth >= tt.want.Min && depth <= tt.want.Max && (k > 0 || !tt.want.Tied) {
					want = float64(tt.draws) * float64(golden[0].Depths[depth][k]) / float64(golden.Cases(tt.want))
				}
				if want == 0 && n > 0 {
					t.Errorf("%+v: a board of depth %d, %d nearest", tt.want, depth, k+1)
				}
				cells = append(cells, cell{int(n), want})
			}
		}
		checkFit(t, fmt.Sprintf("%+v", tt.want), cells)
		for cell, counts := range on {
			if x := chiSquared(counts[:]...); x > 22 { // once in 60,000, and there are 264 of them
				t.Errorf("%+v, cell %d: symbols %v, chi squared %.1f", tt.want, cell, counts, x)
			}
		}
	}
}

// The golden corpus by depth: see TestRandomGolden. It was made by plainRandomAt.
func TestRandomAtGolden(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "testdata", "rotation", "random-depth.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 60 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		var seed, i uint64
		var want solver.Depths
		if _, err := fmt.Sscan(strings.Join(row[:5], " "), &seed, &i, &want.Min, &want.Max, &want.Tied); err != nil {
			t.Fatalf("row %q: %v", row, err)
		}
		if got := string(randomAt(nil, seed, i, want)); got != row[5] {
			t.Errorf("seed %d, case %d, %+v: %s, want %s", seed, i, want, got, row[5])
		}
	}
}

func TestRandomMakesNoGarbage(t *testing.T) {
	dst := make([]byte, 0, boardSize)
	for _, scramble := range []int{-1, 20} {
		if n := testing.AllocsPerRun(100, func() { dst = random(dst[:0], 1, 2, scramble) }); n != 0 {
			t.Errorf("scramble %d: %v allocations a case", scramble, n)
		}
	}
	for depth := range 13 {
		want := solver.Depths{Min: depth, Max: depth}
		if n := testing.AllocsPerRun(100, func() { dst = randomAt(dst[:0], 1, 2, want) }); n != 0 {
			t.Errorf("depth %d: %v allocations a case", depth, n)
		}
	}
}

func BenchmarkRandomAt(b *testing.B) {
	for _, tied := range []bool{false, true} {
		for depth := range 14 {
			want := solver.Depths{Min: depth, Max: depth, Tied: tied}
			if known.Cases(want) == 0 {
				continue
			}
			b.Run(fmt.Sprintf("depth=%d/tied=%v", depth, tied), func(b *testing.B) {
				dst := randomAt(nil, 1, 1, want) // builds what it needs
				var i uint64
				for b.Loop() {
					i++
					dst = randomAt(dst[:0], 1, i, want)
				}
			})
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	for name, scramble := range map[string]int{"uniform": -1, "scramble20": 20} {
		b.Run(name, func(b *testing.B) {
			var dst []byte
			var i uint64
			for b.Loop() {
				i++
				dst = random(dst[:0], 1, i, scramble)
			}
		})
	}
}
