package eight

import (
	"bytes"

	"idabatch/internal/solver"
)

// random appends case i of a seed, made with the case's own stream of random
// numbers.
//
// The goal is nine symbols, 1 to 8 and the blank, shuffled; so is the start of a
// uniform case. If it cannot reach the goal, its two first tiles change places:
// that makes each start that can from exactly one that cannot.
//
// With scramble the start is so many moves away from the goal, each drawn from
// those that do not leave the board, in dictionary order.
func random(dst []byte, seed, i uint64, scramble int) []byte {
	r := solver.NewRandom(seed, i)
	inOrder := [cells]uint8{1, 2, 3, 4, 5, 6, 7, 8, 0}
	p := pair{start: inOrder, goal: inOrder}
	r.Shuffle(p.goal[:])
	if scramble < 0 {
		r.Shuffle(p.start[:])
		if _, _, odd := p.seen(&views[0]); odd {
			p.swapTiles()
		}
	} else {
		p.start = p.goal
		blank := bytes.IndexByte(p.start[:], 0)
		for range scramble {
			choice := edges[blank]
			c := choice[r.IntN(len(choice))].to
			p.start[blank], p.start[c] = p.start[c], 0
			blank = int(c)
		}
	}
	return p.append(dst)
}

// append appends the case in plain form.
func (p *pair) append(dst []byte) []byte {
	dst = appendBoard(dst, &p.start)
	dst = append(dst, ' ')
	return appendBoard(dst, &p.goal)
}

// swapTiles swaps the first two tiles of the start.
func (p *pair) swapTiles() {
	first, second := 0, 1
	switch bytes.IndexByte(p.start[:], 0) {
	case 0:
		first = 2
	case 1:
		second = 2
	}
	p.start[first], p.start[second] = p.start[second], p.start[first]
}

func appendBoard(dst []byte, tiles *[cells]uint8) []byte {
	for _, tile := range tiles {
		dst = append(dst, "X12345678"[tile])
	}
	return dst
}
