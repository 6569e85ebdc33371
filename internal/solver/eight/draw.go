package eight

import (
	"bytes"

	"idabatch/internal/solver"
)

// drawing puts the start on the left, the goal on the right, and an arrow in
// between.
var drawing = func() *solver.Drawing {
	d := &solver.Drawing{
		Marks: []solver.Mark{{Row: 1, Col: 3, Text: "→"}},
		Blank: 'X',
		Move: func(plain []byte, letter byte) {
			blank := bytes.IndexByte(plain, 'X')
			tile := neighbors[blank][letter]
			plain[blank], plain[tile] = plain[tile], 'X'
		},
	}
	for col := 0; col <= 4; col += 4 {
		for c := range cells {
			d.Cells = append(d.Cells, solver.Cell{Row: c / 3, Col: col + c%3, Goal: col > 0})
		}
		if col == 0 {
			d.Cells = append(d.Cells, solver.Cell{Row: -1}) // the blank in between
		}
	}
	return d
}()
