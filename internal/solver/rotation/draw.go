package rotation

import "idabatch/internal/solver"

// drawing puts the symbols, in the order of the text, on the places marked # and
// o, the center, and the letters where they are.
var drawing = func() *solver.Drawing {
	d := &solver.Drawing{Move: func(plain []byte, letter byte) { makeTurn((*[boardSize]byte)(plain), letter) }}
	for row, line := range []string{
		"   A B   ",
		"   # #   ",
		"   # #   ",
		"H##ooo##C",
		"   o o   ",
		"G##ooo##D",
		"   # #   ",
		"   # #   ",
		"   F E   ",
	} {
		for col, c := range line {
			switch c {
			case '#', 'o':
				d.Cells = append(d.Cells, solver.Cell{Row: row, Col: col, Goal: c == 'o'})
			case ' ':
			default:
				d.Marks = append(d.Marks, solver.Mark{Row: row, Col: col, Text: string(c)})
			}
		}
	}
	return d
}()
