package eight

import (
	"bytes"
	"math/bits"
	"sync"

	"idabatch/internal/solver"
)

// cells is the number of cells, numbered like this:
//
//	0 1 2
//	3 4 5
//	6 7 8
const cells = 9

// A move is a direction in which the blank goes.
type move uint8

// The moves in dictionary order.
const (
	down move = iota
	left
	right
	up
	moves  // the number of moves
	noMove = moves
)

const letters = "dlru"

// undo is the move that takes m back. It is no move for noMove.
func (m move) undo() move { return up - m }

// off is where a move leads that would leave the board.
const off = cells

// to[c][m] is the cell to which m takes a blank in cell c.
var to = [cells][moves]uint8{
	// d l r u
	{3, off, 1, off}, {4, 0, 2, off}, {5, 1, off, off},
	{6, off, 4, 0}, {7, 3, 5, 1}, {8, 4, off, 2},
	{off, off, 7, 3}, {off, 6, 8, 4}, {off, 7, off, 5},
}

// A pair is a case: for each cell the tile, 1 to 8, or 0 for the blank.
type pair struct{ start, goal [cells]uint8 }

// from is the start as it looks from the goal: the cells are taken in the given
// order, and the tiles renamed so that the goal shows 1 to 8 in this order. Odd
// tells that this is no state.
func (p *pair) from(order *[cells]uint8) (b board, s state, odd bool) {
	var names [cells]board
	name := board(1)
	for _, c := range order {
		if tile := p.goal[c]; tile != 0 {
			names[tile] = name
			name++
		}
	}
	for i, c := range order {
		tile := p.start[c]
		if tile == 0 {
			s.blank = uint8(i)
		}
		b |= names[tile] << (tileBits * i)
	}
	s.order, odd = b.squeeze(s.blank).rank()
	return b, s, odd
}

// parities tells why there is no solution.
func (p *pair) parities() string {
	inversions := func(tiles *[cells]uint8) string {
		parity := 0
		for i, a := range tiles {
			for _, b := range tiles[i+1:] {
				if b != 0 && b < a {
					parity ^= 1
				}
			}
		}
		return [2]string{"even", "odd"}[parity]
	}
	return "the number of inversions among the tiles is " + inversions(&p.start) +
		" in the start and " + inversions(&p.goal) + " in the goal, and no move changes that"
}

// A board has the tile in cell c in bits 4c to 4c+3, 1 to 8; the blank is 0.
type board uint64

const (
	tileBits = 4
	tileMask = 1<<tileBits - 1
)

// tile is the tile in cell c.
func (b board) tile(c uint8) board { return b >> (tileBits * c) & tileMask }

// slide moves the tile in cell c to the blank.
func (b board) slide(blank, c uint8) board {
	tile := b.tile(c)
	return b ^ tile<<(tileBits*c) ^ tile<<(tileBits*blank)
}

// squeeze leaves out the blank: the tiles in the order of their cells.
func (b board) squeeze(blank uint8) board {
	before := board(1)<<(tileBits*blank) - 1
	return b&before | b>>tileBits&^before
}

// spread puts the blank into the tiles that squeeze gives.
func (b board) spread(blank uint8) board {
	before := board(1)<<(tileBits*blank) - 1
	return b&before | b&^before<<tileBits
}

// inOrder is the tiles 1 to 8 in their order. A goal, brought into the form in
// which it is searched for, is inOrder.spread of its blank.
const inOrder board = 0x87654321

// rank returns the rank of a squeezed board among those with an even number of
// inversions in lexicographic order, or tells that this number is odd.
//
// The lexicographic rank among all orders is the number that has, as digits in
// the factorial base, how many smaller tiles stand behind each tile; their sum
// is the number of inversions. Of the orders 2i and 2i+1, which differ in their
// last two tiles alone, one is even.
func (b board) rank() (rank uint16, odd bool) {
	lexicographic := 0
	inversions := 0
	for i, behind := 0, uint8(0xFF); i < 8; i++ {
		tile := uint8(1) << (b.tile(uint8(i)) - 1)
		digit := bits.OnesCount8(behind & (tile - 1))
		behind &^= tile
		lexicographic = lexicographic*(8-i) + digit
		inversions += digit
	}
	return uint16(lexicographic / 2), inversions%2 == 1
}

// A goal can be reached from a start if there is an even number of inversions
// between them (the argument is in the package comment). So all states of a
// goal are these: an even order of the tiles, and a cell for the blank.
const (
	orders = 20160 // 8!/2
	states = orders * cells
)

// A state is a board whose tiles are in an even order, seen from its goal.
type state struct {
	order uint16 // the rank of its tiles
	blank uint8
}

// index is the number of s among all states.
func (s state) index() int { return int(s.order)*cells + int(s.blank) }

// A position is a case, ready to be solved.
type position struct {
	pair      pair
	board     board // the start as it looks from the goal
	state           // the same
	goalBlank uint8 // the cell of the goal's blank
}

// asWritten is the order of the cells in the text.
var asWritten = [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}

// read fills p from a case. If that is invalid or has no solution, read writes
// so into r and returns false.
func (p *position) read(c *solver.Case, r *solver.Result) bool {
	r.Reset()
	if !p.pair.check(c, r) {
		return false
	}
	var odd bool
	if p.board, p.state, odd = p.pair.from(&asWritten); odd {
		r.Status = solver.Unsolvable
		r.Detail = p.pair.parities()
		return false
	}
	p.goalBlank = blankOf(&p.pair.goal)
	return true
}

// A graph holds the moves between all orders. Moving the blank left or right
// leaves the order as it is. Up and down moves a tile over two others, to one
// of six places: the columns 0 to 5 for down, 6 to 11 for up.
type graph struct {
	tiles [orders]board      // squeezed boards by rank
	next  [orders][16]uint16 // ranks; a row is half a cache line
}

// asItIs is the column for moves to the left and right.
const asItIs = 12

// column[c][m] is where next tells what m does to the order when the blank is
// in cell c.
var column = [cells][moves]uint8{
	// d l r u
	{0, 12, 12, 12}, {1, 12, 12, 12}, {2, 12, 12, 12},
	{3, 12, 12, 6}, {4, 12, 12, 7}, {5, 12, 12, 8},
	{12, 12, 12, 9}, {12, 12, 12, 10}, {12, 12, 12, 11},
}

// An edge is a move that does not leave the board.
type edge struct {
	move       move
	to, column uint8
}

// edges[c] are those of a blank in cell c, in dictionary order.
var edges = func() (edges [cells][]edge) {
	for c := range edges {
		for m := range moves {
			if to[c][m] != off {
				edges[c] = append(edges[c], edge{m, to[c][m], column[c][m]})
			}
		}
	}
	return edges
}()

// follow is where an edge of s.blank leads.
func (g *graph) follow(s state, e edge) state {
	return state{g.next[s.order][e.column%16], e.to}
}

// move is where a move leads that does not leave the board.
func (g *graph) move(s state, m move) state {
	return state{g.next[s.order][column[s.blank][m]], to[s.blank][m]}
}

// theGraph is built on first need, in some 6 ms.
var theGraph = sync.OnceValue(newGraph)

func newGraph() *graph {
	g := new(graph)
	for rank := range g.tiles {
		b := nthOrder(2 * rank)
		if _, odd := b.rank(); odd {
			b = nthOrder(2*rank + 1)
		}
		g.tiles[rank] = b
		g.next[rank][asItIs] = uint16(rank)
		for above := range uint8(cells - 3) {
			below := above + 3
			next, _ := b.spread(above).slide(above, below).squeeze(below).rank()
			g.next[rank][column[above][down]] = next
			g.next[next][column[below][up]] = uint16(rank)
		}
	}
	return g
}

// nthOrder is the squeezed board with lexicographic rank n among all.
func nthOrder(n int) (b board) {
	weight := 2 * orders
	for i, free := 0, inOrder; i < 8; i++ {
		weight /= 8 - i
		d := uint8(n / weight)
		n %= weight
		b |= free.tile(d) << (tileBits * i)
		free = free.squeeze(d)
	}
	return b
}

func blankOf(tiles *[cells]uint8) uint8 { return uint8(bytes.IndexByte(tiles[:], 0)) }
