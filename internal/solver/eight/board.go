package eight

import (
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

// The moves in dictionary order of their letters.
const (
	down move = iota
	left
	right
	up
	moves  // the number of moves
	noMove = moves
)

const letters = "dlru"

// undo is the move that takes m back. For noMove it is no move.
func (m move) undo() move { return up - m }

// An edge is a move that is possible with the blank in a certain cell.
type edge struct {
	move  move
	to    uint8 // the cell to which the blank goes
	shift uint8 // where an around has what becomes of the tiles' order
}

// edges[c] are those with the blank in cell c.
var edges = [cells][]edge{
	0: {{down, 3, below}, {right, 1, beside}},
	1: {{down, 4, below}, {left, 0, beside}, {right, 2, beside}},
	2: {{down, 5, below}, {left, 1, beside}},
	3: {{down, 6, below}, {right, 4, beside}, {up, 0, above}},
	4: {{down, 7, below}, {left, 3, beside}, {right, 5, beside}, {up, 1, above}},
	5: {{down, 8, below}, {left, 4, beside}, {up, 2, above}},
	6: {{right, 7, beside}, {up, 3, above}},
	7: {{left, 6, beside}, {right, 8, beside}, {up, 4, above}},
	8: {{left, 7, beside}, {up, 5, above}},
}

// A view is a way to look at a case, by its goal: turned or mirrored, so that
// the goal's blank is seen in cell 0, 1 or 4.
type view struct {
	home  uint8        // where it is seen
	nth   uint8        // among the views that show it there
	cells [cells]uint8 // the cell that is seen in each place
	moves [moves]move  // how d, l, r and u look
}

// viewsOfHome is how many views show the goal's blank in a cell, at most.
const viewsOfHome = 4

// views[c] is the view of a goal with its blank in cell c.
var views = [cells]view{
	0: {0, 0, [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, [moves]move{down, left, right, up}},
	1: {1, 0, [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, [moves]move{down, left, right, up}},
	2: {0, 1, [cells]uint8{2, 1, 0, 5, 4, 3, 8, 7, 6}, [moves]move{down, right, left, up}},
	3: {1, 1, [cells]uint8{0, 3, 6, 1, 4, 7, 2, 5, 8}, [moves]move{right, up, down, left}},
	4: {4, 0, [cells]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, [moves]move{down, left, right, up}},
	5: {1, 2, [cells]uint8{2, 5, 8, 1, 4, 7, 0, 3, 6}, [moves]move{right, down, up, left}},
	6: {0, 2, [cells]uint8{6, 7, 8, 3, 4, 5, 0, 1, 2}, [moves]move{up, left, right, down}},
	7: {1, 3, [cells]uint8{6, 7, 8, 3, 4, 5, 0, 1, 2}, [moves]move{up, left, right, down}},
	8: {0, 3, [cells]uint8{8, 7, 6, 5, 4, 3, 2, 1, 0}, [moves]move{up, right, left, down}},
}

// A board has the tile in cell c in bits 4c to 4c+3, 1 to 8; the blank is 0.
type board uint64

const (
	tileBits = 4
	tileMask = 1<<tileBits - 1
)

// tile is the tile in cell c.
func (b board) tile(c uint8) board { return b >> (tileBits * c & 63) & tileMask }

// blank is the cell of the blank: borrows of the subtraction go up from there.
func (b board) blank() uint8 {
	const ones = 0x111111111
	return uint8(bits.TrailingZeros64(uint64((b-ones)&^b&(ones<<(tileBits-1)))) / tileBits)
}

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

// spread puts the blank into what squeeze gives.
func (b board) spread(blank uint8) board {
	before := board(1)<<(tileBits*blank) - 1
	return b&before | b&^before<<tileBits
}

// inOrder is the tiles 1 to 8 in order. Every goal is seen as inOrder.spread of
// its blank.
const inOrder board = 0x87654321

// rank returns the rank of a squeezed board among those with an even number of
// inversions in lexicographic order, or tells that this number is odd.
//
// The lexicographic rank among all orders is the number that has, as digits in
// the factorial base, how many smaller tiles stand behind each tile; their sum
// is the number of inversions. Of the orders 2i and 2i+1, which differ in their
// last two tiles alone, one is even.
func (b board) rank() (rank uint16, odd bool) {
	lexicographic, inversions := 0, 0
	for behind, i := uint32(0x1FE), 0; i < 7; i++ {
		tile := uint32(1) << (b & tileMask)
		b >>= tileBits
		behind &^= tile
		digit := bits.OnesCount32(behind & (tile - 1))
		lexicographic += digit * factorials[i]
		inversions += digit
	}
	return uint16(lexicographic / 2), inversions%2 == 1
}

// factorials are the weights of the digits, but for the last, which is 0.
var factorials = [7]int{5040, 720, 120, 24, 6, 2, 1}

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

// The states that reach a goal are all with an even order of the tiles, as the
// package comment tells, and the blank in any cell.
const (
	orders = 20160 // 8!/2
	states = orders * cells
)

// A state is a board with an even order of the tiles.
type state struct {
	order uint16 // the rank of that
	blank uint8
}

// index is the number of s among all states.
func (s state) index() int { return int(s.order)*cells + int(s.blank) }

// stateOf is the state with that index.
func stateOf(index int) state { return state{uint16(index / cells), uint8(index % cells)} }

// A graph holds the moves between orders. Moving the blank left or right leaves
// the order as it is. Up or down takes a tile over two others: between rows, in
// one of three columns.
type graph struct {
	tiles [orders]board // squeezed boards by rank

	// next has, in columns 0 to 5, the order after a move down from these cells;
	// in columns 6 to 11 that after the move up that undoes it. A row is half a
	// cache line.
	next [orders][16]uint16
}

// An around holds the orders to which the moves of a state lead.
type around uint64

// Where they are.
const (
	below  = 0
	beside = 16
	above  = 32
)

// around looks them all up at once: who wants one of them nearly always wants
// the others too.
func (g *graph) around(s state) around {
	row := &g.next[s.order]
	return around(row[s.blank%16])<<below | around(s.order)<<beside | around(row[(s.blank+3)%16])<<above
}

// follow is where an edge of the state leads.
func (a around) follow(e edge) state { return state{uint16(a >> (e.shift & 63)), e.to} }

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
		for cell := range uint8(6) {
			next, _ := b.spread(cell).slide(cell, cell+3).squeeze(cell + 3).rank()
			g.next[rank][cell] = next
			g.next[next][6+cell] = uint16(rank)
		}
	}
	return g
}

// A pair is a case as it is written.
type pair struct{ start, goal board }

// seen is the start in a view, with the tiles renamed so that the goal shows
// them in order. Odd tells that this is no state.
func (p *pair) seen(v *view) (b board, s state, odd bool) {
	var names board // of the tile t in cell t
	name := board(1)
	for _, c := range v.cells {
		tile := p.goal.tile(c)
		names |= name << (tileBits * tile & 63)
		name += (tile + tileMask) >> tileBits // the next, unless that was the blank
	}
	names &^= tileMask
	for i, c := range v.cells {
		b |= names.tile(uint8(p.start.tile(c))) << (tileBits * i & 63)
	}
	s.blank = b.blank()
	s.order, odd = b.squeeze(s.blank).rank()
	return b, s, odd
}

// parities tells why an odd pair has no solution.
func (p *pair) parities() string {
	parity := func(b board) string {
		odd := false
		for i := range uint8(cells) {
			for j := range i {
				odd = odd != (b.tile(i) != 0 && b.tile(i) < b.tile(j))
			}
		}
		if odd {
			return "odd"
		}
		return "even"
	}
	return "the number of inversions among the tiles is " + parity(p.start) +
		" in the start and " + parity(p.goal) + " in the goal, and no move changes that"
}

// A position is a case that has a solution, in the view of its goal.
type position struct {
	pair
	*view
	goalBlank uint8
	board     board // the start
	state           // the same
}

// read fills p from a case. If that is invalid or has no solution, read makes r
// say so and returns false.
func (p *position) read(c *solver.Case, r *solver.Result) bool {
	r.Reset()
	if !p.check(c, r) {
		return false
	}
	p.goalBlank = p.goal.blank()
	p.view = &views[p.goalBlank]
	var odd bool
	p.board, p.state, odd = p.seen(p.view)
	if odd {
		r.Status, r.Detail = solver.Unsolvable, p.parities()
	}
	return !odd
}
