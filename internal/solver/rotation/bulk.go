package rotation

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Bulk counts: what a search finds below a node that no goal lies below, from
// tables.
//
// # Why the counts of a board come from those of its symbols
//
// Take one symbol alone. Its own h is eight less its blocks in the center, and
// its slack at a node is the moves left there, less that h. A move changes it by
// 0, -1 or -2 (the symbol gains a block in the center, keeps their number, loses
// one): slacks never grow. A node is live for a symbol if that slack is not
// negative; then so are all nodes on the way to it. The board's h is the least
// of the three, so the search visits exactly the nodes that are live for some
// symbol: the union of three trees, one for each symbol. Each of these depends
// on where that symbol's blocks are, on the moves left and on what the pruning
// rule still knows of the moves before, and on nothing else; so its size is a
// look-up in a table over the 735,471 placements.
//
// A node that is live for two symbols is counted twice, one that is live for
// all three, three times. These nodes are few: every move costs two symbols at
// least one of their joint slack, as only one of them can gain by it. So they
// are visited (overlap), and what was counted too much is taken away.
//
// The search in search.go reaches the same counts node by node; TestCounts
// compares both with a naive search.

// bulkLevels is up to how many moves left the tables can go. One level more is
// summed up from them when it is asked for; nodes with more moves left are
// expanded one by one.
const bulkLevels = 8

// count is a number of nodes expanded and of successors generated.
type count struct{ expanded, generated int64 }

// bulk has, for one pruning rule, the sizes of one symbol's trees. It is shared
// by all solvers.
type bulk interface {
	// below counts the tree of the symbol that is placed on q, from q itself,
	// with left moves left, at most one more than top, which levels reached. The
	// pruning rule's state is st; unless that is 0, the start, q was reached
	// from p. It is not ok if there is a goal, or if the number is not known.
	below(q, p placement, st ruleState, left, top int) (c count, ok bool)

	// grow builds what so many steps have paid for, own of them in the present
	// case, until stop. It returns the highest level that is there; -1: none.
	grow(steps, own int64, stop func() bool) (top int)
}

// levels tells which levels of a bulk are built. A run of many cases pays for
// them soon; one easy case does not wait for any.
type levels struct {
	built atomic.Int32 // levels 0 to built-1
	next  atomic.Pointer[site]
}

// A site is a level that is being built: solvers that come by take parts of it,
// and when there are none left, they go on without.
type site struct {
	level       int32
	taken, done atomic.Int32
	build       func(part int) // of siteParts
	finish      func()
}

const siteParts = 1 << 10 // as many as rowSets; the largest take a millisecond or two

// price is what a level costs in steps, about 30 ns each: it is built when a
// solver has spent that much without it. The last eighth of the price buys the
// parts, one after the other.
var price = [bulkLevels + 2]int64{2e5, 2e5, 2e5, 3e5, 5e5, 1e6, 2e6, 8e6, 24e6, math.MaxInt64}

// grow is bulk's. Begin opens the site of a level. A case builds no more than it
// has searched itself, or one part: there may be a limit on its time.
func (l *levels) grow(steps, own int64, stop func() bool, begin func(level int) *site) (top int) {
	for own++; ; {
		n := l.built.Load()
		cost := price[n] / 8 / siteParts
		due := (steps - (price[n] - price[n]/8)) / cost
		if due <= 0 {
			return int(n) - 1
		}
		s := l.next.Load()
		if s == nil || s.level != n {
			next := begin(int(n))
			next.level = n
			l.next.CompareAndSwap(s, next) // or another was faster
			continue
		}
		for {
			taken := s.taken.Load()
			if taken >= siteParts {
				break
			}
			if int64(taken) >= due || own <= 0 || stop != nil && stop() {
				return int(n) - 1
			}
			if !s.taken.CompareAndSwap(taken, taken+1) {
				continue
			}
			s.build(int(taken))
			own -= cost
			if s.done.Add(1) == siteParts {
				s.finish()
				l.built.Store(n + 1)
			}
		}
		if l.built.Load() == n {
			return int(n) - 1 // others are at the last parts
		}
	}
}

// byRank returns all placements.
var byRank = sync.OnceValue(listPlacements)

// alive are the placements with h <= left: the first by rank.
func alive(left int) []placement {
	list := byRank()
	n := 0
	for n < len(list) && blocks-list[n].inCenter() <= left {
		n++
	}
	return list[:n]
}

// A placement with h > left is dead: no nodes, and no place in the level. A zero
// in a table means that there is a goal below, or that the number is too large:
// it is not counted in bulk, and neither is anything that it is a part of.

// A plainBulk is for the rules inverse and none, which know the last move at
// most.
//
// Let B[l][p] be the expansions from p with l moves left if all eight moves are
// allowed there, and X(q from p) the same if the one back to p is not. Then
//
//	B[l][p]        = 1 + the sum of X(q from p, l-1) over the eight successors q
//	X(q from p, l) = B[l][q] - X(p from q, l-1)
//
// as without the way back exactly the nodes behind it are missing. Put into
// itself, the second line becomes an alternating sum, which the sums
// S[l] = B[l] + B[l-2] + B[l-4] + ... make short:
//
//	X(q from p, l) = S[l][q] - S[l-1][p]
//	S[l][p]        = S[l-2][p] + 1 + the sum of S[l-1][q] - S[l-2][p] over the eight q
//
// A dead tree is zero in all of these. If a tree is free of goals, so are the
// ones that are taken away from it. Without pruning nothing is taken away, and S
// is B.
type plainBulk struct {
	levels
	inverse bool
	s       [bulkLevels + 1][]uint16 // by rank
}

func (t *plainBulk) at(p placement, left, top int) (n int64, ok bool) {
	if blocks-p.inCenter() > left {
		return 0, true
	}
	if left <= top {
		n = int64(t.s[left][p.rank()])
	} else {
		n = t.sum(p, left)
	}
	return n, n > 0
}

func (t *plainBulk) below(q, p placement, st ruleState, left, top int) (count, bool) {
	n, ok := t.at(q, left, top)
	switch {
	case n == 0:
		return count{}, ok
	case !t.inverse:
		return count{n, moves * n}, true
	case st == 0:
		back, _ := t.at(q, left-2, top)
		n -= back
		return count{n, (moves-1)*n + 1}, true // the start has eight
	}
	back, _ := t.at(p, left-1, top)
	n -= back
	return count{n, (moves - 1) * n}, true
}

func (t *plainBulk) grow(steps, own int64, stop func() bool) int {
	return t.levels.grow(steps, own, stop, func(left int) *site {
		list := alive(left)
		level := make([]uint16, len(list))
		return &site{
			build: func(part int) {
				for rank := len(list) * part / siteParts; rank < len(list)*(part+1)/siteParts; rank++ {
					level[rank] = uint16(t.sum(list[rank], left))
				}
			},
			finish: func() { t.s[left] = level },
		}
	})
}

// sum is S[left][p], or 0, from the levels below.
func (t *plainBulk) sum(p placement, left int) int64 {
	if p == solved {
		return 0
	}
	back := int64(0)
	if t.inverse {
		back, _ = t.at(p, left-2, left)
	}
	n := back + 1
	for m := range move(moves) {
		succ, ok := t.at(p.turn(m), left-1, left)
		if !ok {
			return 0
		}
		n += succ - back
	}
	if n > math.MaxUint16 {
		return 0
	}
	return n
}

// A canonicalBulk is for the rule canonical. The moves to a node fall into runs
// of turns of parallel lines, columns and rows in turn. At the end of a run,
// what lies below is a run on the lines across, whatever came before. So let
// ended[o][l][p] be the count from p, with l moves left, if a run of the
// orientation o has just ended there: p itself, and the sum of the nodes that
// runs across lead to, each counted as the end of its run.
//
// Which moves the rule allows in the present run depends on that run; so it is
// walked by hand, to all places where it can end.
//
// Generated is four for every node, the lines across, and what the present run
// may go on with; the latter has a sum of its own, extra.
//
// Both orientations are handled as columns: for rows, the board is turned
// counterclockwise, which brings C D G H to A B E F. A placement so turned is
// called a view.
type canonicalBulk struct {
	levels
	ended [2][bulkLevels + 1][]tally // by place
}

// Orientations.
const (
	onColumns = 0
	onRows    = 1
)

// view is p with the lines of orientation o as columns.
func (p placement) view(o int) placement {
	if o == onRows {
		return p.counterclockwise()
	}
	return p
}

// across is the view of the other orientation.
func (p placement) across(o int) placement {
	if o == onRows {
		return p.clockwise()
	}
	return p.counterclockwise()
}

// Turns of columns leave the ten other cells as they are. So the tables have
// all views with the same ten cells side by side, at most 3,432, and the runs
// from a view are looked up in a few kilobytes. Among them, those that have most
// blocks in the center come first, so that those alive are together.
var columnsPlace, firstPlace, views = placeTables()

// placeTables returns the place of each set of the columns' cells among those
// with as many blocks; for each level, where the places begin for each set of
// the rows' cells; and how many there are.
func placeTables() (place [1 << (2 * lineBits)]uint16, first [bulkLevels + 1][1 << (2 * lineBits)]uint32, views [bulkLevels + 1]int) {
	var alive [blocks + 1][blocks + 2]uint32 // by blocks, and least blocks in the center
	for inCenter := blocks; inCenter >= 0; inCenter-- {
		for n := range alive {
			alive[n][inCenter] = alive[n][inCenter+1]
		}
		for c := range placement(len(place)) {
			if n := bits.OnesCount32(uint32(c)); n <= blocks && c.inCenter() == inCenter {
				place[c] = uint16(alive[n][inCenter])
				alive[n][inCenter]++
			}
		}
	}
	for l := range first {
		sum := uint32(0)
		for r := range placement(len(first[l])) {
			others := r << (2 * lineBits) &^ corners
			if rest := others >> (2 * lineBits); rest != r {
				first[l][r] = first[l][rest] // the corners are the columns' cells
				continue
			}
			first[l][r] = sum
			if n := bits.OnesCount32(uint32(others)); n <= blocks {
				sum += alive[blocks-n][max(0, blocks-l-others.inCenter())]
			}
		}
		views[l] = int(sum)
	}
	return place, first, views
}

func (p placement) place(left int) int {
	return int(firstPlace[left][p>>(2*lineBits)] + uint32(columnsPlace[p&columns]))
}

// A tally counts nodes expanded, in the low half, and the successors of theirs
// that are in the same run.
type tally uint32

func newTally(expanded, extra int) tally { return tally(expanded | extra<<16) }

func (t tally) expanded() int64 { return int64(uint16(t)) }
func (t tally) extra() int64    { return int64(t >> 16) }

// at is the tally of a view on which a run of orientation o has ended.
func (t *canonicalBulk) at(o int, view placement, left, top int) (n tally, ok bool) {
	if blocks-view.inCenter() > left {
		return 0, true
	}
	if left <= top {
		n = t.ended[o][left][view.place(left)]
	} else {
		n = t.runs(1-o, view.across(o), left)
	}
	return n, n > 0
}

func (t *canonicalBulk) below(q, _ placement, st ruleState, left, top int) (c count, ok bool) {
	if st == 0 { // what a run on columns leads to, and what one on rows
		a, ok1 := t.at(onRows, q.view(onRows), left, top)
		b, ok2 := t.at(onColumns, q.view(onColumns), left, top)
		if a == 0 || b == 0 {
			return count{}, ok1 && ok2
		}
		n := a.expanded() + b.expanded() - 1
		return count{n, 4*n + 4 + a.extra() + b.extra()}, true
	}
	o := onColumns
	if canonical.allowed[st]&rowMoves != rowMoves {
		o = onRows
	}
	ok = t.walk(&c, o, q.view(o), st, left, top)
	return c, ok
}

// rowMoves are the turns of rows, C D G H.
const rowMoves moveSet = 1<<2 | 1<<3 | 1<<6 | 1<<7

// runMoves are the moves that may go on with a run of orientation o.
func runMoves(o int, st ruleState) moveSet {
	if o == onRows {
		return canonical.allowed[st] & rowMoves
	}
	return canonical.allowed[st] &^ rowMoves
}

// inView is what m is in a view of its own orientation: A B E F.
func (m move) inView() move { return m &^ 2 }

// walk adds what lies below a view, in the middle of a run of orientation o.
func (t *canonicalBulk) walk(c *count, o int, view placement, st ruleState, left, top int) (ok bool) {
	here, ok := t.at(o, view, left, top)
	if here == 0 {
		return ok // dead, and so is all below
	}
	more := runMoves(o, st)
	c.expanded += here.expanded()
	c.generated += 4*here.expanded() + here.extra() + int64(more.len())
	for ; more != 0; more = more.rest() {
		m := more.first()
		if !t.walk(c, o, view.turn(m.inView()), canonical.next[st][m], left-1, top) {
			return false
		}
	}
	return true
}

func (t *canonicalBulk) grow(steps, own int64, stop func() bool) int {
	return t.levels.grow(steps, own, stop, func(left int) *site {
		var ended [2][]tally
		for o := range ended {
			ended[o] = make([]tally, views[left])
		}
		sets := columnSets()
		return &site{
			build: func(part int) {
				eachView(&sets, rowSets[part], left, func(view placement) {
					for o := range ended {
						ended[1-o][view.across(o).place(left)] = t.runs(o, view, left)
					}
				})
			},
			finish: func() {
				for o := range ended {
					t.ended[o][left] = ended[o]
				}
			},
		}
	})
}

// columnSets are the sets of the columns' cells by their number, by place.
func columnSets() (sets [blocks + 1][]placement) {
	for n := range sets {
		for c := range columns + 1 {
			if bits.OnesCount32(uint32(c)) == n {
				sets[n] = append(sets[n], c)
			}
		}
		slices.SortFunc(sets[n], func(a, b placement) int { return int(columnsPlace[a]) - int(columnsPlace[b]) })
	}
	return sets
}

// rowSets are the sets of the rows' cells without the corners, which are the
// columns'.
var rowSets = func() (sets [siteParts]placement) {
	for i, rows := 0, placement(0); i < len(sets); i++ {
		sets[i] = rows
		rows = ((rows | columns | corners) + 1) &^ (columns | corners) // as if there were no other bits
	}
	return sets
}()

// eachView calls visit with all views that are alive and have that set of the
// rows' cells.
func eachView(sets *[blocks + 1][]placement, rows placement, left int, visit func(view placement)) {
	n := blocks - bits.OnesCount32(uint32(rows))
	if n < 0 {
		return
	}
	for _, c := range sets[n] {
		if blocks-c.inCenter()-rows.inCenter() > left {
			return
		}
		visit(placementOf(c) | rows)
	}
}

// runs is the tally of a view if the next run is on o: the view itself, and the
// ends of all runs, from the levels below; or 0. Turns of parallel lines touch
// different cells, so every way to turn the one line and the other is one run,
// in whatever order its letters are.
func (t *canonicalBulk) runs(o int, view placement, left int) tally {
	if view == solved {
		return 0
	}
	slack := left - (blocks - view.inCenter())
	row := view >> (2 * lineBits)
	line1, line2 := view&lineMask, view>>lineBits&lineMask
	expanded, extra := 1, 0
	for _, i := range affordable[line1][slack].list() {
		turn1 := &lineTurns[line1][i]
		for _, j := range affordable[line2][slack-int(turn1.cost)].list() {
			if i|j == 0 {
				continue // the view itself
			}
			turn2 := &lineTurns[line2][j]
			left := left - int(turn1.steps+turn2.steps)
			columns := turn1.line | turn2.line<<lineBits
			end := t.ended[o][left][firstPlace[left][row]+uint32(columnsPlace[columns])]
			if end == 0 {
				return 0
			}
			expanded += int(end.expanded())
			extra += int(end.extra()) + int(extras[i][j])
		}
	}
	if max(expanded, extra) > math.MaxUint16 {
		return 0
	}
	return newTally(expanded, extra)
}

// A lineTurn is one way to turn a line in a run: into which line, in how many
// steps, and how much slack that costs.
type lineTurn struct {
	line  placement
	steps int8
	cost  int8
}

// lineTurns are, for every line, the ways to turn it: not at all, one to three steps
// forward, one to three steps back. affordable are those that a symbol with a slack
// has enough for.
var lineTurns, affordable = lineTables()

const (
	maxTurns = 1 + 2*maxRepeats
	maxSlack = bulkLevels + 1
)

type wayList struct {
	n    uint8
	ways [maxTurns]uint8
}

func (w *wayList) list() []uint8 { return w.ways[:w.n] }

func lineTables() (turns [1 << lineBits][maxTurns]lineTurn, affordable [1 << lineBits][maxSlack + 1]wayList) {
	for line := range placement(len(turns)) {
		for way := range maxTurns {
			t := lineTurn{line: line}
			m := move(0) // A
			n := way
			if way > maxRepeats {
				m, n = 5, way-maxRepeats // F
			}
			for range n {
				t.line = t.line.turn(m) & lineMask
			}
			t.steps = int8(n)
			t.cost = int8(n + line.inCenter() - t.line.inCenter())
			turns[line][way] = t
			for slack := max(0, int(t.cost)); slack <= maxSlack; slack++ {
				w := &affordable[line][slack]
				w.ways[w.n] = uint8(way)
				w.n++
			}
		}
	}
	return turns, affordable
}

// extras[i][j] is how many moves may go on with a run that has turned the
// columns in these ways: with A or F, and with B or E.
var extras = func() (extras [maxTurns][maxTurns]uint8) {
	for i := range maxTurns {
		for j := range maxTurns {
			st := ruleState(0)
			for _, m := range [...]move{0, 1, 4, 5} { // letters ascend
				turns, ways := i, [...]move{0, 5}
				if m.line() == 1 {
					turns, ways = j, [...]move{1, 4}
				}
				if turns > 0 && m == ways[(turns-1)/maxRepeats] {
					for range (turns-1)%maxRepeats + 1 {
						st = canonical.next[st][m]
					}
				}
			}
			extras[i][j] = uint8(runMoves(onColumns, st).len())
		}
	}
	return extras
}()

// overlap is how much the three trees below a node count more than their union
// does: for every node that is live for two symbols, itself once; for one that
// is live for all three, twice.
type overlap struct {
	rule *rule
	count
}

func (o *overlap) visit(b board, st ruleState, left int) {
	one, two := b.one().inCenter(), b.two().inCenter()
	spare := left - blocks
	slack1, slack2, slack3 := spare+one, spare+two, spare+blocks-one-two
	live := 3 + slack1>>63 + slack2>>63 + slack3>>63 // a negative one is -1
	if live < 2 {
		return
	}
	o.expanded += int64(live - 1)
	o.generated += int64(live-1) * int64(o.rule.count[st])
	joint := max(slack1, 0) + max(slack2, 0) + max(slack3, 0)
	if joint == 0 {
		return // a move costs two symbols one at least
	}
	gain, lose := b.gains()
	gain3, lose3 := b.gains3()
	live1 := liveAfter(slack1, spread(gain), spread(lose))
	live2 := liveAfter(slack2, spread(gain>>32), spread(lose>>32))
	live3 := liveAfter(slack3, gain3, lose3)
	both := (live1&live2 | live1&live3 | live2&live3).set() & o.rule.allowed[st]
	if joint == 1 { // nothing lies below the successors
		o.expanded += int64(both.len())
		o.generated += int64(o.rule.counts[st][both])
		return
	}
	for ; both != 0; both = both.rest() {
		m := both.first()
		o.visit(b.turn(m), o.rule.next[st][m], left-1)
	}
}

// liveAfter are the moves after which a symbol is live still, by its slack and
// the moves that gain and lose a block for it.
func liveAfter(slack int, gain, lose spread) spread {
	// All ones below 0, 1 and 2: branches would be mispredicted.
	below0, below1, below2 := spread(slack>>63), spread((slack-1)>>63), spread((slack-2)>>63)
	return allSpread &^ below0 & (gain | ^below1&(^lose|^below2))
}
