package eight

// A rule is a pruning rule as an automaton over the moves made so far, for the
// search of each goal: rule[g][last][c] is for a goal with its blank in cell g,
// the last move, and a blank in cell c. The proof that no dictionary-first
// shortest solution is lost is in the package comment; TestCounts compares each
// rule with its definition.
type rule [cells][moves + 1][cells]node

// A node lists the moves that the rule leaves, in dictionary order.
type node struct {
	steps []step
	nth   [moves]uint8 // for each of them, the number of steps up to and with it
}

// A step is one move from a node.
type step struct {
	from, to uint8 // the cells of the tile that moves, as shifts of a board
	move     move
	rises    uint16 // bit t is set if tile t moves away from its place in the goal
	next     *node
}

// newRule makes the rule that leaves the moves for which allowed(last, m).
func newRule(allowed func(last, m move) bool) *rule {
	r := new(rule)
	for g := range r {
		for last := range r[g] {
			for blank := range r[g][last] {
				n := &r[g][last][blank]
				for _, e := range edges[blank] {
					if allowed(move(last), e.move) {
						n.steps = append(n.steps, step{
							from:  tileBits * e.to,
							to:    tileBits * uint8(blank),
							move:  e.move,
							rises: rises(uint8(g), e.to, uint8(blank)),
							next:  &r[g][e.move][e.to],
						})
						n.nth[e.move] = uint8(len(n.steps))
					}
				}
			}
		}
	}
	return r
}

// The pruning rules.
var (
	inverse = newRule(func(last, m move) bool { return m != last.undo() })
	none    = newRule(func(last, m move) bool { return true })
)
