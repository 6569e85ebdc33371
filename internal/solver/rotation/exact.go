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

// appendWay appends the letters of the dictionary-first shortest way of p to
// the center.
func (t *exactTable) appendWay(way []byte, p placement) []byte {
	for {
		e := t[p.rank()]
		if e>>3 == 0 {
			return way
		}
		m := move(e & 7)
		way = append(way, letters[m])
		p = p.turn(m)
	}
}
