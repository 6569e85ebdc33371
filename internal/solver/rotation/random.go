package rotation

import "idabatch/internal/solver"

// random appends case i of a seed, made with the case's own stream of random
// numbers: the 24 symbols in order, shuffled.
//
// With scramble it is a solved board, and then so many of the eight moves. The
// first number drawn chooses the symbol in the center; the other two, in order
// and then shuffled, fill the other sixteen cells from first to last; the
// numbers after that are the moves.
func random(dst []byte, seed, i uint64, scramble int) []byte {
	const inOrder = "111111112222222233333333"
	r := solver.NewRandom(seed, i)
	var b [boardSize]byte
	if scramble < 0 {
		copy(b[:], inOrder)
		r.Shuffle(b[:])
		return append(dst, b[:]...)
	}

	first := 8 * r.IntN(3) // of the center's symbol in inOrder
	for _, cell := range middle {
		b[cell] = inOrder[first]
	}
	var others [boardSize - len(middle)]byte
	copy(others[copy(others[:], inOrder[:first]):], inOrder[first+8:])
	r.Shuffle(others[:])
	rest := others[:]
	for cell, symbol := range b {
		if symbol == 0 {
			b[cell], rest = rest[0], rest[1:]
		}
	}
	for range scramble {
		makeTurn(&b, 'A'+byte(r.IntN(8)))
	}
	return append(dst, b[:]...)
}
