package rotation

import (
	"math"
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

// bulkLevels is up to how many moves left the tables can go; nodes with more
// are expanded one by one.
const bulkLevels = 8

// count is a number of nodes expanded and of successors generated.
type count struct{ expanded, generated int64 }

// bulk has, for one pruning rule, the sizes of one symbol's trees. It is shared
// by all solvers.
type bulk interface {
	// below counts the tree of the symbol that is placed on q, from q itself,
	// with left moves left, a level that is built. The pruning rule's state is
	// st; unless that is 0, the start, q was reached from p. It is not ok if
	// there is a goal, or if the table does not hold the number.
	below(q, p placement, st ruleState, left int) (c count, ok bool)

	// grow builds the levels that so many visits of nodes one by one have paid
	// for. It returns the highest that is there; -1: none.
	grow(visits int64) int
}

// levels tells which levels of a bulk are built. A run of many cases pays for
// them soon; one easy case does not wait for any.
type levels struct {
	mu    sync.Mutex
	built atomic.Int32 // levels 0 to built-1
}

// price is the number of visits that pay for a level: they take about as long
// as building it does.
var price = [bulkLevels + 2]int64{1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 3 << 20, 6 << 20, 12 << 20, math.MaxInt64}

func (l *levels) grow(visits int64, build func(level int)) int {
	for {
		n := l.built.Load()
		if visits < price[n] || !l.mu.TryLock() {
			return int(n) - 1 // if another solver is building: go on without
		}
		if n == l.built.Load() {
			build(int(n))
			l.built.Add(1)
		}
		l.mu.Unlock()
	}
}

// byRank are all placements.
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

// In a table, a placement that is not in a level is dead: h > left, no nodes. A
// zero means that there is a goal below (or, what does not happen with these
// levels, that the number is too large): do not count in bulk.

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

func (t *plainBulk) at(p placement, left int) (n int64, ok bool) {
	if left >= 0 {
		if rank := p.rank(); rank < len(t.s[left]) {
			n = int64(t.s[left][rank])
			return n, n > 0
		}
	}
	return 0, true
}

func (t *plainBulk) below(q, p placement, st ruleState, left int) (count, bool) {
	n, ok := t.at(q, left)
	switch {
	case n == 0:
		return count{}, ok
	case !t.inverse:
		return count{n, moves * n}, true
	case st == 0:
		back, _ := t.at(q, left-2)
		n -= back
		return count{n, (moves-1)*n + 1}, true // the start has eight
	}
	back, _ := t.at(p, left-1)
	n -= back
	return count{n, (moves - 1) * n}, true
}

func (t *plainBulk) grow(visits int64) int {
	return t.levels.grow(visits, func(left int) {
		list := alive(left)
		t.s[left] = make([]uint16, len(list))
		for rank, p := range list {
			t.s[left][rank] = uint16(t.sum(p, left))
		}
	})
}

// sum is S[left][p], or 0.
func (t *plainBulk) sum(p placement, left int) int64 {
	if p == solved {
		return 0
	}
	back := int64(0)
	if t.inverse {
		back, _ = t.at(p, left-2)
	}
	n := back + 1
	for m := range move(moves) {
		succ, ok := t.at(p.turn(m), left-1)
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
type canonicalBulk struct {
	levels
	ended [2][bulkLevels + 1][]tally // by rank
}

// Orientations.
const (
	onColumns = 0
	onRows    = 1
)

// A tally counts nodes expanded, in the low half, and the successors of theirs
// that are in the same run.
type tally uint32

func newTally(expanded, extra int) tally { return tally(expanded | extra<<16) }

func (t tally) expanded() int64 { return int64(uint16(t)) }
func (t tally) extra() int64    { return int64(t >> 16) }

func (t *canonicalBulk) at(o int, p placement, left int) (n tally, ok bool) {
	if left >= 0 {
		if rank := p.rank(); rank < len(t.ended[o][left]) {
			n = t.ended[o][left][rank]
			return n, n > 0
		}
	}
	return 0, true
}

func (t *canonicalBulk) below(q, _ placement, st ruleState, left int) (c count, ok bool) {
	if st == 0 { // what a run on columns leads to, and what one on rows
		a, ok1 := t.at(onRows, q, left)
		b, ok2 := t.at(onColumns, q, left)
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
	ok = t.walk(&c, o, q, st, left)
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

// walk adds what lies below p, in the middle of a run of orientation o.
func (t *canonicalBulk) walk(c *count, o int, p placement, st ruleState, left int) (ok bool) {
	here, ok := t.at(o, p, left)
	if here == 0 {
		return ok // dead, and so is all below
	}
	more := runMoves(o, st)
	c.expanded += here.expanded()
	c.generated += 4*here.expanded() + here.extra() + int64(more.len())
	for ; more != 0; more = more.rest() {
		m := more.first()
		if !t.walk(c, o, p.turn(m), canonical.next[st][m], left-1) {
			return false
		}
	}
	return true
}

func (t *canonicalBulk) grow(visits int64) int {
	return t.levels.grow(visits, func(left int) {
		list := alive(left)
		for o := range t.ended {
			level := make([]tally, len(list))
			for rank, p := range list {
				level[rank] = t.runs(1-o, p, left)
			}
			t.ended[o][left] = level
		}
	})
}

// runs is the tally of p if the next run is on o: p itself, and the ends of all
// runs; or 0. Turns of parallel lines touch different cells, so every way to
// turn the one line and the other is one run, in whatever order its letters are.
func (t *canonicalBulk) runs(o int, p placement, left int) tally {
	if p == solved {
		return 0
	}
	expanded, extra := 1, 0
	goal := false
	// end adds the run that ends at q, and tells whether it is alive.
	end := func(q placement, i, j, left int) bool {
		n, ok := t.at(o, q, left)
		if n == 0 {
			goal = goal || !ok
			return false
		}
		expanded += int(n.expanded())
		extra += int(n.extra()) + int(extras[o][i][j])
		return true
	}
	second := func(q placement, i, left int) {
		for way, m := range pairs[o][1] {
			q := q
			for n := 1; n <= maxRepeats; n++ {
				if q = q.turn(m); !end(q, i, way*maxRepeats+n, left-n) {
					break
				}
			}
		}
	}
	second(p, 0, left)
	for way, m := range pairs[o][0] {
		q := p
		for n := 1; n <= maxRepeats; n++ {
			i := way*maxRepeats + n
			if q = q.turn(m); !end(q, i, 0, left-n) {
				break
			}
			second(q, i, left-n)
		}
	}
	if goal || max(expanded, extra) > math.MaxUint16 {
		return 0
	}
	return newTally(expanded, extra)
}

// pairs are the two lines of an orientation, as the moves that turn them one
// way and the other.
var pairs = [2][2][2]move{{{0, 5}, {1, 4}}, {{2, 7}, {3, 6}}}

// maxTurns is how many ways there are to turn a line in a run: not at all, or
// once to three times either way.
const maxTurns = 1 + 2*maxRepeats

// extras[o][i][j] is how many moves may go on with a run that has turned the
// lines of the pair in these ways.
var extras = func() (extras [2][maxTurns][maxTurns]uint8) {
	for o, pair := range pairs {
		for i := range maxTurns {
			for j := range maxTurns {
				st := ruleState(0)
				for m := range move(moves) { // letters ascend
					for k, turns := range [...]int{i, j} {
						if turns > 0 && m == pair[k][(turns-1)/maxRepeats] {
							for range (turns-1)%maxRepeats + 1 {
								st = canonical.next[st][m]
							}
						}
					}
				}
				extras[o][i][j] = uint8(runMoves(o, st).len())
			}
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
	if max(slack1, slack2, slack3) == 0 {
		return // a move costs two symbols one at least
	}
	live1 := b.one().liveAfter(slack1)
	live2 := b.two().liveAfter(slack2)
	live3 := b.three().liveAfter(slack3)
	both := (live1&live2 | live1&live3 | live2&live3).set() & o.rule.allowed[st]
	for ; both != 0; both = both.rest() {
		m := both.first()
		o.visit(b.turn(m), o.rule.next[st][m], left-1)
	}
}

// liveAfter are the moves after which a symbol with that slack is live still.
func (p placement) liveAfter(slack int) spread {
	coming, going := p.coming(), p.going()
	switch {
	case slack < 0:
		return 0
	case slack == 0:
		return coming &^ going
	case slack == 1:
		return allSpread &^ (going &^ coming)
	}
	return allSpread
}
