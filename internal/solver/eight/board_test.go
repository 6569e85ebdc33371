package eight

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// slow is a board for reading: row by row, X for the blank.
type slow [9]byte

func (b slow) String() string { return string(b[:]) }

// blank is the cell of the blank.
func (b slow) blank() int { return bytes.IndexByte(b[:], 'X') }

// slide makes a move as the statement tells it.
func (b slow) slide(m byte) (next slow, ok bool) {
	blank := b.blank()
	row, col := blank/3, blank%3
	switch m {
	case 'u':
		row--
	case 'd':
		row++
	case 'l':
		col--
	case 'r':
		col++
	}
	if row < 0 || row > 2 || col < 0 || col > 2 {
		return b, false
	}
	b[blank], b[3*row+col] = b[3*row+col], 'X'
	return b, true
}

// manhattan is the sum of the steps from the tiles to their places in the goal.
func (b slow) manhattan(goal slow) (h int) {
	for i, tile := range b {
		if tile != 'X' {
			j := bytes.IndexByte(goal[:], tile)
			h += abs(i/3-j/3) + abs(i%3-j%3)
		}
	}
	return h
}

func abs(x int) int { return max(x, -x) }

// inversions counts pairs of tiles with the larger one first.
func (b slow) inversions() (n int) {
	for i := range b {
		for j := range i {
			if b[i] != 'X' && b[j] != 'X' && b[j] > b[i] {
				n++
			}
		}
	}
	return n
}

// packed is b as the package packs it.
func (b slow) packed() (p board) {
	for i, tile := range b {
		if tile != 'X' {
			p |= board(tile-'0') << (4 * i)
		}
	}
	return p
}

// seen is b in a view.
func (b slow) seen(v *view) (s slow) {
	for i, c := range v.cells {
		s[i] = b[c]
	}
	return s
}

// randomBoard is one for tests: any way of drawing boards will do.
func randomBoard(r *rand.Rand) slow {
	b := slow([]byte("12345678X"))
	r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return b
}

// randomPair is two boards that can reach each other.
func randomPair(r *rand.Rand) (start, goal slow) {
	for {
		start, goal = randomBoard(r), randomBoard(r)
		if start.inversions()%2 == goal.inversions()%2 {
			return start, goal
		}
	}
}

// walked is a board some random moves away from b.
func walked(r *rand.Rand, b slow, moves int) slow {
	for moves > 0 {
		if next, ok := b.slide("dlru"[r.IntN(4)]); ok {
			b = next
			moves--
		}
	}
	return b
}

// show is the board that the package has packed.
func (b board) show() (s slow) {
	for c := range s {
		s[c] = "X12345678"[b.tile(uint8(c))]
	}
	return s
}

func TestRank(t *testing.T) {
	g := theGraph()
	last := ""
	for n := range 2 * orders {
		b := nthOrder(n)
		s := b.spread(8).show()
		if s.String() <= last {
			t.Fatalf("order %d is %s, after %s", n, s, last)
		}
		last = s.String()
		rank, odd := b.rank()
		if odd != (s.inversions()%2 == 1) {
			t.Fatalf("rank of %s tells odd %v, it has %d inversions", s, odd, s.inversions())
		}
		if !odd && (int(rank) != n/2 || g.tiles[rank] != b) {
			t.Fatalf("%s has rank %d, want %d; there is %s", s, rank, n/2, g.tiles[n/2].spread(8).show())
		}
	}
	if last != "87654321X" {
		t.Fatalf("the last order is %s", last)
	}
}

// TestMoves compares the moves of many states, on all ways to make them, with
// the statement's.
func TestMoves(t *testing.T) {
	g := theGraph()
	for order := 0; order < orders; order += 97 {
		tiles := g.tiles[order]
		for blank := range uint8(cells) {
			s := state{uint16(order), blank}
			b := tiles.spread(blank)
			if b.squeeze(blank) != tiles {
				t.Fatalf("squeeze does not undo spread(%d) of %#x", blank, tiles)
			}
			possible := ""
			for _, e := range edges[blank] {
				possible += letters[e.move : e.move+1]
			}
			want := ""
			for m := range moves {
				next, ok := b.show().slide(letters[m])
				if !ok {
					continue
				}
				want += letters[m : m+1]
				e := edges[blank][len(want)-1]
				q := g.around(s).follow(e)
				if got := g.tiles[q.order].spread(q.blank).show(); got != next {
					t.Fatalf("%c from %s leads to %s, want %s", letters[m], b.show(), got, next)
				}
				if got := b.slide(blank, e.to).show(); got != next {
					t.Fatalf("slide: %c from %s leads to %s, want %s", letters[m], b.show(), got, next)
				}
				if !slices.ContainsFunc(edges[q.blank], func(back edge) bool { return back.move == m.undo() && g.around(q).follow(back) == s }) {
					t.Fatalf("%c from %s is not undone", letters[m], b.show())
				}
			}
			if possible != want {
				t.Fatalf("moves of %s: %q, want %q", b.show(), possible, want)
			}
		}
	}
}

// TestSeen looks at pairs in the view of their goal and in others.
func TestSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 2000 {
		start, goal := randomBoard(r), randomBoard(r)
		p := pair{start.packed(), goal.packed()}
		for i := range views {
			v := &views[i]
			seenStart, seenGoal := start.seen(v), goal.seen(v)
			want := slow(bytes.Repeat([]byte{'X'}, cells))
			name := byte('1')
			for _, tile := range seenGoal {
				if tile != 'X' {
					want[bytes.IndexByte(seenStart[:], tile)] = name
					name++
				}
			}
			b, s, odd := p.seen(v)
			if b.show() != want || want[s.blank] != 'X' || odd != (want.inversions()%2 == 1) {
				t.Fatalf("%s seen from %s: %s, blank %d, odd %v; want %s", start, goal, b.show(), s.blank, odd, want)
			}
			if odd != (start.inversions()%2 != goal.inversions()%2) {
				t.Fatalf("%s from %s: odd %v", start, goal, odd)
			}
			if !odd && theGraph().tiles[s.order].spread(s.blank) != b {
				t.Fatalf("%s seen from %s: state %v", start, goal, s)
			}
			if h := b.manhattan(uint8(seenGoal.blank())); h != start.manhattan(goal) {
				t.Fatalf("%s from %s: manhattan %d, want %d", start, goal, h, start.manhattan(goal))
			}
		}
	}
}

// TestViews checks that each view shows every board as one on which the same
// moves are made, with other letters, and the goal's blank where it says.
func TestViews(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for blank := range views {
		v := &views[blank]
		if v.cells[v.home] != uint8(blank) {
			t.Errorf("view %d shows cell %d in place %d", blank, v.cells[v.home], v.home)
		}
		if want := []uint8{0, 1, 0, 1, 4, 1, 0, 1, 0}[blank]; v.home != want {
			t.Errorf("view %d shows the goal in place %d, want %d", blank, v.home, want)
		}
		for range 100 {
			b := randomBoard(r)
			for m := range moves {
				next, ok := b.slide(letters[m])
				seen, seenOK := b.seen(v).slide(letters[v.moves[m]])
				if ok != seenOK || ok && next.seen(v) != seen {
					t.Fatalf("view %d: %c looks like %c on %s", blank, letters[m], letters[v.moves[m]], b)
				}
			}
		}
	}
}
