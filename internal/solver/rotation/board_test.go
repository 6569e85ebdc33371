package rotation

import (
	"math/rand/v2"
	"testing"
)

// head lists, for each letter, the cells of its line from the one at the letter
// to the last: the statement's drawing. A block moves to the cell before its
// own, the first to the last.
var head = map[byte][7]int{
	'A': {0, 2, 6, 11, 15, 20, 22},
	'B': {1, 3, 8, 12, 17, 21, 23},
	'C': {10, 9, 8, 7, 6, 5, 4},
	'D': {19, 18, 17, 16, 15, 14, 13},
	'E': {23, 21, 17, 12, 8, 3, 1},
	'F': {22, 20, 15, 11, 6, 2, 0},
	'G': {13, 14, 15, 16, 17, 18, 19},
	'H': {4, 5, 6, 7, 8, 9, 10},
}

var centerCells = [8]int{6, 7, 8, 11, 12, 15, 16, 17}

// slowTurn makes a move on 24 cells.
func slowTurn(b [24]byte, letter byte) [24]byte {
	next := b
	for i, cell := range head[letter] {
		next[cell] = b[head[letter][(i+1)%7]]
	}
	return next
}

// randomBoard is one for tests: any way of drawing boards will do.
func randomBoard(r *rand.Rand) (b [24]byte) {
	for i := range b {
		b[i] = "123"[i/8]
	}
	r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return b
}

// place is where symbol s is on b.
func place(b [24]byte, s byte) (p placement) {
	for i, c := range b {
		if c == s {
			p |= cellBits[i]
		}
	}
	return p
}

func TestPackAndTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		b := randomBoard(r)
		p1, p2 := pack(b[:])
		if p1 != place(b, '1') || p2 != place(b, '2') {
			t.Fatalf("pack(%s) = %#x, %#x, want %#x, %#x", b, p1, p2, place(b, '1'), place(b, '2'))
		}
		n := 0
		for _, c := range centerCells {
			if b[c] == '1' {
				n++
			}
		}
		if p1.inCenter() != n {
			t.Fatalf("inCenter of %s is %d, want %d", b, p1.inCenter(), n)
		}
		for m := range move(moves) {
			next := slowTurn(b, "ABCDEFGH"[m])
			q := p1.turn(m)
			if q != place(next, '1') {
				t.Fatalf("%s after %c: %#x, want %#x", b, 'A'+m, q, place(next, '1'))
			}
			if back := q.turn(m.inverse()); back != p1 {
				t.Fatalf("%c does not undo %c", 'A'+m.inverse(), 'A'+m)
			}
			gain := p1.coming().set()>>m&1 != 0 && p1.going().set()>>m&1 == 0
			lose := p1.coming().set()>>m&1 == 0 && p1.going().set()>>m&1 != 0
			if d := q.inCenter() - n; gain != (d == 1) || lose != (d == -1) {
				t.Fatalf("%s, %c: gain %v, lose %v, want a change of %d", b, 'A'+m, gain, lose, d)
			}
		}
	}
}

func TestRank(t *testing.T) {
	list := listPlacements()
	for rank, p := range list {
		if p.rank() != rank || p&^allCells != 0 {
			t.Fatalf("placement %#x: rank %d, listed as %d", p, p.rank(), rank)
		}
	}
	if len(list) != placements {
		t.Fatalf("%d placements, want %d", len(list), placements)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 { // the ranks are distinct: what is listed is every placement there is
		b := randomBoard(r)
		if rank := place(b, '3').rank(); rank < 0 || rank >= placements {
			t.Fatalf("rank %d", rank)
		}
	}
}

func TestQuarter(t *testing.T) {
	turned := map[byte]byte{'A': 'C', 'B': 'D', 'C': 'E', 'D': 'F', 'E': 'G', 'F': 'H', 'G': 'A', 'H': 'B'}
	r := rand.New(rand.NewPCG(1, 3))
	for range 1000 {
		b := randomBoard(r)
		var q [24]byte
		for from, to := range turned {
			for i, cell := range head[from] {
				q[head[to][i]] = b[cell]
			}
		}
		got, want := place(b, '1').clockwise(), place(q, '1')
		if got != want {
			t.Fatalf("%s, a quarter turned: %#x, want %#x", b, got, want)
		}
		if back := got.counterclockwise(); back != place(b, '1') {
			t.Fatalf("%s, turned there and back: %#x", b, back)
		}
	}
}
