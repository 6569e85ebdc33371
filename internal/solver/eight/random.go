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
	goal := [cells]uint8{1, 2, 3, 4, 5, 6, 7, 8, 0}
	start := goal
	r.Shuffle(goal[:])
	if scramble < 0 {
		r.Shuffle(start[:])
		p := pair{packed(&start), packed(&goal)}
		if _, _, odd := p.seen(&views[0]); odd {
			swapTiles(&start)
		}
	} else {
		start = goal
		blank := bytes.IndexByte(start[:], 0)
		for range scramble {
			choice := edges[blank]
			c := choice[r.IntN(len(choice))].to
			start[blank], start[c] = start[c], 0
			blank = int(c)
		}
	}
	p := pair{packed(&start), packed(&goal)}
	return p.append(dst)
}

// packed is the board with these tiles.
func packed(tiles *[cells]uint8) (b board) {
	for i, tile := range tiles {
		b |= board(tile) << (tileBits * i)
	}
	return b
}

// append appends the case in plain form.
func (p *pair) append(dst []byte) []byte {
	dst = p.start.append(dst)
	dst = append(dst, ' ')
	return p.goal.append(dst)
}

func (b board) append(dst []byte) []byte {
	for c := range uint8(cells) {
		dst = append(dst, "X12345678"[b.tile(c)])
	}
	return dst
}

// swapTiles swaps the first two tiles of a start.
func swapTiles(start *[cells]uint8) {
	first, second := 0, 1
	switch bytes.IndexByte(start[:], 0) {
	case 0:
		first = 2
	case 1:
		second = 2
	}
	start[first], start[second] = start[second], start[first]
}
