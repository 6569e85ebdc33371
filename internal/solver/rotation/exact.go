package rotation

import (
	"encoding/binary"
	"sync"
)

// A way is how the blocks of one symbol get to the center: the number of moves,
// and below it the moves of the shortest way that comes first in the dictionary,
// three bits each, the first highest.
//
// A board is solved for a symbol when that symbol's blocks fill the center, and
// how they get there does not depend on the others. Ways are ordered like what
// they stand for, by length first and then as in a dictionary. So the solution of
// a board is the least of its symbols' ways: three look-ups. No two are equal:
// they would lead two symbols to the center at once.
type way uint64

const (
	moveBits  = 3
	lengthBit = maxDepth * moveBits // where the length begins
	firstBit  = lengthBit - moveBits
	allMoves  = 1<<lengthBit - 1
	moveMask  = 1<<moveBits - 1
)

func (w way) len() int { return int(w >> lengthBit) }

// first is the first move of w, which is not empty.
func (w way) first() move { return move(w >> firstBit & moveMask) }

// after is w with a move before it.
func (w way) after(m move) way {
	return w&^allMoves + 1<<lengthBit | way(m)<<firstBit | w&allMoves>>moveBits
}

const _ = uint(16 - maxDepth) // appendLetters has room for so many

// appendLetters appends the letters of w's moves.
func (w way) appendLetters(dst []byte) []byte {
	end := len(dst) + w.len()
	moves := uint64(w & allMoves)
	dst = binary.BigEndian.AppendUint64(dst, eightLetters(moves>>(lengthBit-8*moveBits)))
	dst = binary.BigEndian.AppendUint64(dst, eightLetters(moves<<(16*moveBits-lengthBit)))
	return dst[:end]
}

// eightLetters returns the letters of the lowest eight moves.
func eightLetters(x uint64) uint64 {
	const letterA = 'A' * 0x0101010101010101
	x = x&0xFFF | x&0xFFF000<<20 // four moves in each half
	x = x&0x0000003F0000003F | x&0x00000FC000000FC0<<10
	x = x&0x0007000700070007 | x&0x0038003800380038<<5
	return x + letterA
}

// A wayTable has the ways of all placements, by rank.
type wayTable [placements]way

func (t *wayTable) way(p placement) way { return t[p.rank()] }

// A distanceTable has the lengths of all ways, by rank, in an eighth of the memory.
type distanceTable [placements]uint8

func (t *distanceTable) distance(p placement) int { return int(t[p.rank()]) }

// ways returns the table, built on the first call.
func ways() *wayTable {
	t, _ := exact()
	return t
}

// distances returns the table, built on the first call.
func distances() *distanceTable {
	_, t := exact()
	return t
}

// exact builds the tables, in some 30 ms: a breadth-first search from the goal,
// which reaches every placement (TestExact). The images of a placement have its
// distance, and the moves that bring them nearer are the images of its moves: the
// search goes on from one of them only.
var exact = sync.OnceValues(func() (*wayTable, *distanceTable) {
	const unknown = 0xFF
	t, near := new(wayTable), new(distanceTable)
	for i := range near {
		near[i] = unknown
	}
	near[solved.rank()] = 0
	queue := append(make([]placement, 0, placements/(symmetries-1)), solved)
	for head := 0; head < len(queue); head++ {
		p := queue[head]
		d := near[p.rank()]
		var nearer moveSet
		for m := range move(moves) {
			q := p.turn(m)
			switch n := near[q.rank()]; {
			case n < d:
				nearer |= 1 << m
			case n == unknown:
				queue = append(queue, q)
				for _, image := range q.images() {
					near[image.rank()] = d + 1
				}
			}
		}
		if d == 0 {
			continue // its way is empty
		}
		// All ways of a length are complete before the first that is longer.
		towards := nearer.images()
		for i, image := range p.images() {
			m := towards[i].first()
			t[image.rank()] = t.way(image.turn(m)).after(m)
		}
	}
	return t, near
})
