package rotation

import "sync"

// exact is, for every placement of one symbol, how it gets to the center:
// the number of moves, and the first move of the shortest way that comes first
// in the dictionary, three bits.
//
// A board is solved for a symbol when that symbol's blocks fill the center, and
// how they get there does not depend on the others. So the distance of a board
// is the least of three look-ups. The first move in dictionary order that
// brings a placement nearer is the first of the dictionary-first way, and so
// on: solving a board is a walk. Of different symbols that are equally near,
// the dictionary decides.
type exactTable [placements]uint8

func (t *exactTable) distance(p placement) int { return int(t[p.rank()] >> 3) }

// exact returns the table, built on the first call: a breadth-first search from
// the goal, which reaches every placement (TestExact).
var exact = sync.OnceValue(func() *exactTable {
	const unknown = 0xFF
	t := new(exactTable)
	for i := range t {
		t[i] = unknown
	}
	t[solved.rank()] = 0
	layer := []placement{solved}
	for d := uint8(0); len(layer) > 0; d++ {
		var next []placement
		for _, p := range layer {
			for m := range move(moves) {
				q := p.turn(m)
				at := &t[q.rank()]
				if *at == unknown {
					next = append(next, q)
				}
				// The way back from q goes nearer if q is one farther than p;
				// the first of these moves is the one to make.
				*at = min(*at, (d+1)<<3|uint8(m.inverse()))
			}
		}
		layer = next
	}
	return t
})

// A wayTable has the distance of a placement (upper four bits) and the first
// three moves of its way, the first in the lowest bits. A walk looks a placement
// up every third move: what it waits for is memory. 2 million boards, file to
// file with -j 2, take 0.78 s instead of 0.84 (medians of seven).
type wayTable [placements]uint16

const (
	movesAhead   = 3
	moveBits     = 3
	distanceBits = 12 // where they begin
)

// ways returns the table, built on the first call.
var ways = sync.OnceValue(func() *wayTable {
	near, t := exact(), new(wayTable)
	for rank, p := range byRank() {
		e := near[rank]
		t[rank] = uint16(e>>3) << distanceBits
		for i := range min(movesAhead, int(e>>3)) {
			if i > 0 {
				e = near[p.rank()]
			}
			m := move(e & 7)
			t[rank] |= uint16(m) << (i * moveBits)
			p = p.turn(m)
		}
	}
	return t
})

func (t *wayTable) distance(p placement) int { return int(t[p.rank()] >> distanceBits) }

// appendWay appends the letters of the dictionary-first shortest way of p to
// the center.
func (t *wayTable) appendWay(way []byte, p placement) []byte {
	for {
		e := t[p.rank()]
		n := int(e >> distanceBits)
		for range min(n, movesAhead) {
			m := move(e & (1<<moveBits - 1))
			way = append(way, letters[m])
			p = p.turn(m)
			e >>= moveBits
		}
		if n <= movesAhead {
			return way
		}
	}
}
