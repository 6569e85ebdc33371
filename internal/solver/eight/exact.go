package eight

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"golang.org/x/sys/cpu"

	"idabatch/internal/solver"
)

// A way is a solution: the numbers of its letters, two bits each, the first
// highest, and below the last a one. Of ways of a length the least comes first in
// the dictionary.
type way uint64

const (
	moveBits = 2
	firstBit = 64 - moveBits

	atGoal way = 1 << 63 // has no moves
)

func (w way) len() int { return (63 - bits.TrailingZeros64(uint64(w))) / moveBits }

// after is w with a letter before it.
func (w way) after(letter way) way { return letter<<firstBit | w>>moveBits }

// first is the first n moves of w, in the lowest bits, with a one before them.
func (w way) first(n int) way { return 1<<(moveBits*n) | w>>(64-moveBits*n) }

// cut is w without what follows its first n moves.
func (w way) cut(n int) way { return w&^(atGoal>>(moveBits*n)-1) | atGoal>>(moveBits*n) }

// appendLetters appends w's moves as letters.
func (w way) appendLetters(dst []byte) []byte {
	end := len(dst) + w.len()
	for len(dst) < end {
		dst = binary.LittleEndian.AppendUint32(dst, fourLetters[w>>(64-4*moveBits)])
		w <<= 4 * moveBits
	}
	return dst[:end]
}

// fourLetters are the letters of four moves, the first lowest.
var fourLetters = func() (all [1 << (4 * moveBits)]uint32) {
	for w := range all {
		for i := range 4 {
			all[w] |= uint32(letters[w>>(moveBits*(3-i))%len(letters)]) << (8 * i)
		}
	}
	return all
}()

// ways holds the shortest way to the goal that comes first in the dictionary, for
// each state, by index, and each view of the goal: turned or mirrored, the same
// move has another letter. So solving a case is a look-up.
type ways [states][viewsOfHome]way

// waysTo has the table for each home. They are built on first need, in some 15 ms
// each, and take 17 MB.
var waysTo = func() (all [cells]func() *ways) {
	for _, v := range views {
		all[v.home] = sync.OnceValue(func() *ways { return newWays(v.home) })
	}
	return all
}()

func newWays(home uint8) *ways {
	t := new(ways)
	newDistances(home, t)
	return t
}

// distances holds the lengths of the ways, for each state, by index.
type distances [states]uint8

// newDistances searches breadth-first from the goal. It fills t as well, unless
// that is nil.
func newDistances(home uint8, t *ways) *distances {
	const unknown = 0xFF
	var back [moves][viewsOfHome]way // the letter that undoes a move
	for _, v := range views {
		if v.home == home {
			for letter, m := range v.moves {
				back[m.undo()][v.nth] = way(letter)
			}
		}
	}
	d := new(distances)
	for i := range d {
		d[i] = unknown
	}
	g := theGraph()
	goal := state{blank: home} // order 0 is inOrder
	d[goal.index()] = 0
	if t != nil {
		t[goal.index()] = [...]way{atGoal, atGoal, atGoal, atGoal}
	}
	queue := append(make([]state, 0, states), goal)
	for head := 0; head < len(queue); head++ {
		s := queue[head].index()
		around := g.around(queue[head])
		for _, e := range edges[queue[head].blank] {
			next := around.follow(e)
			q := next.index()
			switch {
			case d[q] == unknown:
				d[q] = d[s] + 1
				queue = append(queue, next)
				if t != nil {
					for i := range t[q] {
						t[q][i] = t[s][i].after(back[e.move][i])
					}
				}
			case d[q] > d[s] && t != nil:
				for i := range t[q] {
					t[q][i] = min(t[q][i], t[s][i].after(back[e.move][i]))
				}
			}
		}
	}
	return d
}

// A wayCounts tells how many states IDA* generates along a way, with a pruning rule
// and the distance as its heuristic: in each state those up to the right one. It
// has this for some moves at once, by what the rule knows before them (spot) and
// the moves (way.first).
type wayCounts [(moves + 1) * cells][2 << (moveBits * movesAtOnce)]struct {
	generated, next uint8 // next is the spot after the moves
}

const movesAtOnce = 3

// spot is the number of a last move and a cell of the blank.
func spot(last move, blank uint8) uint8 { return uint8(last)*cells + blank }

func newWayCounts(r *rule) *wayCounts {
	t := new(wayCounts)
	const upright = 4 // the view that is none
	for last := range move(moves + 1) {
		for blank := range uint8(cells) {
			at := spot(last, blank)
			for n := range movesAtOnce + 1 {
				for w := way(1) << (moveBits * n); w < 2<<(moveBits*n); w++ {
					t[at][w].generated, t[at][w].next = r[upright][last][blank].follow(w, at)
				}
			}
		}
	}
	return t
}

// follow makes moves, given as by way.first, as far as they are possible. It
// returns how many steps there were up to them, and the spot after them.
func (n *node) follow(w way, at uint8) (generated, next uint8) {
	for bit := bits.Len64(uint64(w)) - 1 - moveBits; bit >= 0; bit -= moveBits {
		m := move(w >> bit & (1<<moveBits - 1))
		i := slices.IndexFunc(n.steps, func(s step) bool { return s.move == m })
		if i < 0 {
			break // no way goes there
		}
		generated += uint8(i) + 1
		at = spot(m, n.steps[i].to)
		n = n.steps[i].next
	}
	return generated, at
}

// generated is that of a whole way with the blank in a cell.
func (c *wayCounts) generated(w way, blank uint8) (n int) {
	at := spot(noMove, blank)
	left := w.len()
	for ; left > movesAtOnce; left -= movesAtOnce {
		e := &c[at][w.first(movesAtOnce)]
		n += int(e.generated)
		at = e.next
		w <<= movesAtOnce * moveBits
	}
	return n + int(c[at][w.first(left)].generated)
}

// exact solves cases by a look-up. It counts what IDA* counts with the distance
// as its heuristic: there is one iteration, and it expands the states of the
// solution.
type exact struct {
	counts *wayCounts
	pos    position
	way    way
	_      cpu.CacheLinePad
}

func (e *exact) Solve(c *solver.Case, lim solver.Limits, r *solver.Result) {
	if !e.pos.read(c, r) {
		return
	}
	e.way = waysTo[e.pos.home]()[e.pos.state.index()][e.pos.nth]
	solver.Deepen(e, e.way.len(), lim, r)
	if r.Status == solver.Solved {
		r.Moves = e.way.appendLetters(r.Moves)
	}
}

func (e *exact) Iterate(bound int, budget int64) (it solver.Iteration, next int, end solver.End) {
	w, end := e.way, solver.Found
	if int64(bound) > budget {
		w, end = w.cut(int(budget)), solver.OverBudget
	}
	it.Bound = bound
	it.Expanded = int64(w.len())
	it.Generated = int64(e.counts.generated(w, e.pos.cells[e.pos.blank]))
	return it, bound, end
}
