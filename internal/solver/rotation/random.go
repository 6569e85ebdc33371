package rotation

import (
	"slices"
	"sync"

	"idabatch/internal/solver"
)

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

// randomAt appends case i of a seed of the wanted depths. The first number drawn
// chooses the depth, with the shares of the census.
//
// A board of depth d is one of its nearest symbols at distance d and two others
// that are not nearer. So then a symbol is drawn, its placement among those at
// that distance, and eight of the other cells for the next symbol; until none of
// these two is nearer. That finds a board as often as it has nearest symbols: if
// they are two, it is taken every other time, if three, every third. Where this
// would take too long, the boards are listed in dictionary order and one is drawn.
func randomAt(dst []byte, seed, i uint64, want solver.Depths) []byte {
	r := solver.NewRandom(seed, i)
	_, depth := known.Draw(&r, want)
	if list := rare[solver.Depths{Min: depth, Max: depth, Tied: want.Tied}]; list != nil {
		boards := list()
		return append(dst, boards[r.IntN(len(boards))][:]...)
	}
	table, near := distances(), byDistance()[depth]
	for {
		symbol := r.IntN(3)
		p := near[r.IntN(len(near))]
		cells := cellsOf(allCells &^ p)
		q := cells.choose(halves[r.IntN(len(halves))])
		c := class{p, q, allCells &^ (p | q)}
		if !c.wanted(table, depth, want.Tied) {
			continue
		}
		_, symbols := nearest(depth, table.distance(c[1]), table.distance(c[2]))
		if r.IntN(symbols) > 0 {
			continue
		}
		board := unpack(c[(3-symbol)%3], c[(4-symbol)%3])
		return append(dst, board[:]...)
	}
}

// rare has all boards of the depths with few, in dictionary order. The slowest,
// for the greatest depth, takes 0.1 s to build.
var rare = func() map[solver.Depths]func() [][boardSize]byte {
	const few = 200_000
	all := make(map[solver.Depths]func() [][boardSize]byte)
	for depth := range known[0].Depths {
		for _, tied := range []bool{false, true} {
			want := solver.Depths{Min: depth, Max: depth, Tied: tied}
			if known.Cases(want) <= few {
				all[want] = sync.OnceValue(func() (list [][boardSize]byte) {
					for b := range boards(want, false) {
						list = append(list, [boardSize]byte(b))
					}
					slices.SortFunc(list, compareBoards)
					return list
				})
			}
		}
	}
	return all
}()
