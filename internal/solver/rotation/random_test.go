package rotation

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

func TestRandomMakesNoGarbage(t *testing.T) {
	dst := make([]byte, 0, boardSize)
	for _, scramble := range []int{-1, 20} {
		if n := testing.AllocsPerRun(100, func() { dst = random(dst[:0], 1, 2, scramble) }); n != 0 {
			t.Errorf("scramble %d: %v allocations a case", scramble, n)
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
