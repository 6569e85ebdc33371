package eight

import (
	"bytes"
	"iter"
	"slices"
	"sync"

	"idabatch/internal/solver"
)

// known is what TestCensus counts. A goal has its blank in one of four corners,
// on one of four edges or in the middle, and its tiles in one of 8! orders.
var known = solver.Tally{
	{Name: "corner", Goals: 4 * 2 * orders, Depths: depths(
		1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993,
		17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2)},
	{Name: "edge", Goals: 4 * 2 * orders, Depths: depths(
		1, 3, 5, 10, 14, 28, 42, 80, 108, 202, 278, 524, 726, 1348, 1804, 3283, 4193, 7322, 8596, 13930, 14713,
		21721, 19827, 25132, 18197, 18978, 9929, 7359, 2081, 878, 126, 2)},
	{Name: "middle", Goals: 2 * orders, Depths: depths(
		1, 4, 8, 8, 16, 32, 60, 72, 136, 200, 376, 512, 964, 1296, 2368, 3084, 5482, 6736, 11132, 12208, 18612,
		18444, 24968, 19632, 22289, 13600, 11842, 4340, 2398, 472, 148)},
}

// homes are the cells in which the views show the blanks of these goals.
var homes = [...]uint8{0, 1, 4}

// viewsOf are the views of the goals of each kind, by the cell of the blank.
var viewsOf = func() (all [len(homes)][]*view) {
	for kind, home := range homes {
		for c := range views {
			if views[c].home == home {
				all[kind] = append(all[kind], &views[c])
			}
		}
	}
	return all
}()

func depths(states ...int64) (counts []solver.Count) {
	for _, n := range states {
		counts = append(counts, solver.Count{n})
	}
	return counts
}

var census = &solver.Census{
	Known:  known,
	Shards: len(homes),
	Count:  countKind,
	Boards: boards,
	Random: randomAt,
}

func countKind(kind int) solver.Tally {
	t := known.Empty()
	for _, list := range byDistance[kind]() {
		t[kind].Depths = append(t[kind].Depths, solver.Count{int64(len(list))})
	}
	return t
}

// byDistance has, for each kind of goal, the states by their distance, in the
// order of their indices.
var byDistance = func() (all [len(homes)]func() [][]state) {
	for kind, home := range homes {
		all[kind] = sync.OnceValue(func() (lists [][]state) {
			near := newDistances(home, nil)
			lists = make([][]state, slices.Max(near[:])+1)
			for i, d := range near {
				lists[d] = append(lists[d], stateOf(i))
			}
			return lists
		})
	}
	return all
}()

// boards goes through the states of the goals that have their tiles in order and
// the blank in cell 0, 1 or 4. Others only turn or mirror the board and rename
// the tiles.
func boards(want solver.Depths, reduced bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if want.Tied {
			return // there is one goal
		}
		var text []byte
		for depth := want.Min; depth <= want.Max; depth++ {
			for kind, home := range homes {
				lists := byDistance[kind]()
				if depth >= len(lists) {
					continue
				}
				for _, s := range lists[depth] {
					p := s.written(&views[home], inOrder)
					if reduced && !p.first() {
						continue
					}
					text = p.append(text[:0])
					if !yield(text) {
						return
					}
				}
			}
		}
	}
}

// written is the case that looks like s in a view; the tiles that are seen as 1
// to 8 have these names.
func (s state) written(v *view, names board) (p pair) {
	show := func(seen board) (b board) {
		for i, c := range v.cells {
			if name := seen.tile(uint8(i)); name > 0 {
				b |= names.tile(uint8(name-1)) << (tileBits * c)
			}
		}
		return b
	}
	p.start = show(theGraph().tiles[s.order].spread(s.blank))
	p.goal = show(inOrder.spread(v.home))
	return p
}

// first tells whether no symmetry that leaves the goal as it is, apart from the
// names of the tiles, makes a start of p's that is earlier in the dictionary.
func (p *pair) first() bool {
	text := p.append(nil)
	for _, seen := range symmetries {
		if blank := p.goal.blank(); seen[blank] != blank {
			continue
		}
		_, s, _ := p.seen(&view{cells: seen})
		image := s.written(&views[p.goal.blank()], inOrder)
		if bytes.Compare(image.append(nil), text) < 0 {
			return false
		}
	}
	return true
}

// symmetries are the cells that are seen in each place of a board that is turned
// or mirrored in some way.
var symmetries = func() (all [8][cells]uint8) {
	for i := range all {
		for row := range uint8(3) {
			for column := range uint8(3) {
				r, c := row, column
				if i&1 != 0 {
					r = 2 - r
				}
				if i&2 != 0 {
					c = 2 - c
				}
				if i&4 != 0 {
					r, c = c, r
				}
				all[i][3*row+column] = 3*r + c
			}
		}
	}
	return all
}()

// randomAt appends case i of a seed of the wanted depths. The first number drawn
// chooses the kind of the goal and the depth, with the shares of the census. Then
// the goal's blank is drawn from the cells of that kind, then the start from the
// states of that depth in the view of the goal; and the tiles 1 to 8, in order
// and then shuffled, are those of the goal as it is seen.
func randomAt(dst []byte, seed, i uint64, want solver.Depths) []byte {
	r := solver.NewRandom(seed, i)
	kind, depth := known.Draw(&r, want)
	v := viewsOf[kind][r.IntN(len(viewsOf[kind]))]
	list := byDistance[kind]()[depth]
	s := list[r.IntN(len(list))]
	tiles := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	r.Shuffle(tiles[:])
	var names board
	for i, tile := range tiles {
		names |= board(tile) << (tileBits * i)
	}
	p := s.written(v, names)
	return p.append(dst)
}
