package rotation

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"
	"sync"

	"idabatch/internal/solver"
)

// # The census
//
// The board can be turned and mirrored in eight ways and the symbols renamed in
// six, and no board's depth depends on that. So the census looks at one board of
// many and counts it as often as it stands for others.
//
// A symbol leads if no other has more blocks in the center. A leader's placement
// can be any with three blocks there or more. Of those that the eight symmetries
// make of one another, one is looked at, and weighs as much as there are
// different ones. For each, the other sixteen cells are shared out to the other
// two symbols in all ways in which neither has more in the center; which of the
// two has which is left open. So what is looked at stands for six boards, the
// ways to name the symbols; except that with two leaders a board comes up for
// each of them, so it stands for three. Three cannot lead: that would be a third
// of eight blocks each.
//
// That is 273 million of 9,465,511,770 boards. A placement's rank is a sum of
// two numbers, one for the blocks on the arms of the rows and one for the others.
// For each way to share out the others the one numbers are fixed, the other ones
// are short lists, and all distances looked up lie within 70 bytes.

// known is what TestCensus counts: 38,610 solved boards and so on, with one, two
// and three nearest symbols.
var known = solver.Tally{{Goals: 1, Depths: []solver.Count{
	{38610, 0, 0},
	{308880, 0, 0},
	{1698840, 0, 0},
	{8030880, 0, 0},
	{33818136, 2112, 0},
	{123989928, 144912, 0},
	{397014252, 3256248, 7848},
	{1061715912, 36701892, 537000},
	{2081098956, 225669948, 9987444},
	{2388788940, 709366212, 74438004},
	{965035152, 813366912, 213664584},
	{47575248, 143942136, 121259016},
	{27096, 652536, 3373944},
	{0, 0, 192},
}}}

var census = &solver.Census{
	Known:  known,
	Shards: shards,
	Count:  countShard,
	Boards: boards,
	Random: randomAt,
}

// orbit is the number of different images of p, or 0 if one of them has a
// smaller rank than p.
func (p placement) orbit() int {
	same := 0
	rank := p.rank()
	for _, q := range p.images() {
		switch r := q.rank(); {
		case r < rank:
			return 0
		case r == rank:
			same++
		}
	}
	return symmetries / same
}

// A leader is a placement to be looked at, and its weight.
type leader struct {
	placement
	center int // blocks in the center
	orbit  int64
}

var leaders = sync.OnceValue(func() []leader { return leadersOf(byRank()) })

// leadersOf returns the leaders among some placements that hold all images of
// each of them.
func leadersOf(list []placement) (leaders []leader) {
	for _, p := range list {
		if 3*p.inCenter() < blocks {
			continue
		}
		if n := p.orbit(); n > 0 {
			leaders = append(leaders, leader{p, p.inCenter(), int64(n)})
		}
	}
	return leaders
}

// shards is how many parts the leaders are dealt out to: each is some 8 ms of
// work.
const shards = 100

func countShard(shard int) solver.Tally {
	var sums distanceSums
	table, list := distances(), leaders()
	for i := shard; i < len(list); i += shards {
		sums.add(table, list[i])
	}
	return sums.tally()
}

// distanceSums is a number of boards by the distances of their three symbols: of
// the leader, and of the others in some order.
type distanceSums [16][16][16]int64

// add counts the boards of a leader.
func (s *distanceSums) add(table *distanceTable, l leader) {
	free := allCells &^ l.placement
	freeKey, freeArms := free.key(), free&arms

	// The free cells on the arms, in all ways to share them out to the one and
	// the other: what that adds to their ranks, by the number of the one's.
	type split struct{ one, other uint8 }
	var splits [blocks + 1][]split
	for onArms := freeArms; ; onArms = (onArms - 1) & freeArms {
		n := bits.OnesCount32(uint32(onArms))
		splits[n] = append(splits[n], split{
			armsRank[onArms>>(2*lineBits)],
			armsRank[(freeArms^onArms)>>(2*lineBits)],
		})
		if onArms == 0 {
			break
		}
	}

	sums := &s[table.distance(l.placement)]
	// The one is the symbol on the first free cell of the key: there is one, as
	// the key has sixteen cells.
	first := freeKey & -freeKey
	for more := freeKey ^ first; ; more = (more - 1) & (freeKey ^ first) {
		one, other := first|more, freeKey^first^more
		onArms := blocks - bits.OnesCount32(uint32(one))
		if weight := l.weight(one, other); onArms >= 0 && weight > 0 {
			ones, others := table[keyRank[one]:], table[keyRank[other]:]
			for _, s := range splits[onArms] {
				sums[ones[s.one]&15][others[s.other]&15] += weight
			}
		}
		if more == 0 {
			break
		}
	}
}

// weight is how many boards stand behind one with this leader and these keys of
// the others.
func (l leader) weight(one, other placement) int64 {
	switch most := int(max(keyCenter[one], keyCenter[other])); {
	case most < l.center:
		return 6 * l.orbit
	case most == l.center:
		return 3 * l.orbit
	}
	return 0
}

func (s *distanceSums) tally() solver.Tally {
	var counts [maxDepth + 1]solver.Count
	greatest := 0
	for d1, sums := range s {
		for d2, sums := range sums {
			for d3, n := range sums {
				if n > 0 {
					depth, symbols := nearest(d1, d2, d3)
					counts[depth][symbols-1] += n
					greatest = max(greatest, depth)
				}
			}
		}
	}
	t := known.Empty()
	t[0].Depths = counts[:greatest+1]
	return t
}

// nearest returns the least of three distances, and how many are as small.
func nearest(d1, d2, d3 int) (depth, symbols int) {
	depth = min(d1, d2, d3)
	for _, d := range [...]int{d1, d2, d3} {
		if d == depth {
			symbols++
		}
	}
	return depth, symbols
}

// # The boards of a depth
//
// The boards that turning, mirroring and renaming make of one another are a
// class. Let a placement's order be its distance and, where that is the same, its
// rank; and that of a board be the orders of its placements, the least first. Of
// the eight images of a board, one with the least order stands for the class. Its
// first placement is that of a nearest symbol, and has the least rank of all its
// images. So the classes of a depth are found among the placements at that
// distance with the least rank of their images, each with all ways to share out
// the other cells to the other two symbols.

func boards(want solver.Depths, reduced bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		table, lists := distances(), byDistance()
		for depth := want.Min; depth <= min(want.Max, maxDepth); depth++ {
			for _, p := range lists[depth] {
				if p.orbit() == 0 {
					continue
				}
				cells := cellsOf(allCells &^ p)
				for _, half := range halves[:len(halves)/2] { // the others are their complements
					q := cells.choose(half)
					c := class{p, q, allCells &^ (p | q)}
					if !c.wanted(table, depth, want.Tied) || !c.stands(table) {
						continue
					}
					for _, board := range c.boards() {
						if !yield(board[:]) {
							return
						}
						if reduced {
							break
						}
					}
				}
			}
		}
	}
}

// byDistance are all placements by distance, in the order of their ranks.
var byDistance = sync.OnceValue(func() (lists [maxDepth + 1][]placement) {
	table := distances()
	for rank, p := range byRank() {
		d := table[rank]
		lists[d] = append(lists[d], p)
	}
	return lists
})

// halves are the ways to choose eight of sixteen. The second half of the list has
// the complements of the first.
var halves = func() (list []uint16) {
	for half := range 1 << 16 {
		if bits.OnesCount(uint(half)) == blocks {
			list = append(list, uint16(half))
		}
	}
	return list
}()

// freeCells are the sixteen cells that a symbol leaves to the others; the rest of
// the list means nothing.
type freeCells [boardSize]placement

func cellsOf(free placement) (cells freeCells) {
	n := 0
	for _, cell := range cellBits {
		cells[n] = cell // overwritten by the next unless it is free
		if free&cell != 0 {
			n++
		}
	}
	return cells
}

// choose is the placement on the chosen half of the cells.
func (cells *freeCells) choose(half uint16) (p placement) {
	for ; half != 0; half &= half - 1 {
		p |= cells[bits.TrailingZeros16(half)&15]
	}
	return p
}

// A class is given by one of its boards: the placements of the symbols.
type class [3]placement

// wanted tells whether the boards have that depth. The first placement is at this
// distance.
func (c *class) wanted(table *distanceTable, depth int, tied bool) bool {
	d1 := table.distance(c[1])
	if d1 < depth {
		return false
	}
	d2 := table.distance(c[2])
	return d2 >= depth && (!tied || d1 == depth || d2 == depth)
}

// stands tells whether c is the board that stands for the class, and its first
// placement the first in order.
func (c *class) stands(table *distanceTable) bool {
	orders := func(board class) (orders [3]int) {
		for i, p := range board {
			rank := p.rank()
			orders[i] = int(table[rank])<<20 | rank
		}
		return orders
	}
	least := orders(*c)
	first := least[0]
	slices.Sort(least[:])
	if least[0] != first {
		return false // c is found with another first placement as well
	}
	for _, image := range c.images() {
		o := orders(image)
		slices.Sort(o[:])
		if slices.Compare(o[:], least[:]) < 0 {
			return false
		}
	}
	return true
}

func (c *class) images() (images [symmetries]class) {
	for symbol, p := range c {
		for i, q := range p.images() {
			images[i][symbol] = q
		}
	}
	return images
}

// boards are all boards of the class in dictionary order.
func (c *class) boards() [][boardSize]byte {
	list := make([][boardSize]byte, 0, 6*symmetries)
	for _, p := range c.images() {
		for _, s := range [...][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			list = append(list, unpack(p[s[0]], p[s[1]]))
		}
	}
	slices.SortFunc(list, compareBoards)
	return slices.Compact(list)
}

func compareBoards(a, b [boardSize]byte) int { return bytes.Compare(a[:], b[:]) }

// unpack returns the board with these placements of '1' and '2'.
func unpack(p1, p2 placement) (board [boardSize]byte) {
	for i, cell := range cellBits {
		switch {
		case p1&cell != 0:
			board[i] = '1'
		case p2&cell != 0:
			board[i] = '2'
		default:
			board[i] = '3'
		}
	}
	return board
}
