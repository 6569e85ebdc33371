package eight

// A rule is a pruning rule as an automaton over the moves made so far, for each
// view: rule[g][last][c] is for a goal with its blank in cell g, and then, as
// they are seen, the last move and the cell of the blank. The proof that no
// dictionary-first shortest solution is lost is in the package comment;
// TestCounts compares each rule with its definition.
type rule [cells][moves + 1][cells]node

// A node lists the moves that the rule leaves, in dictionary order.
type node struct{ steps []step }

// A step is one move from a node.
type step struct {
	edge
	letter     byte
	from, into uint8  // the cells of the tile that moves, as shifts of a board
	rises      uint16 // bit t is set if tile t moves away from its place in the goal
	next       *node
}

// The pruning rules.
var (
	inverse = newRule(func(last, m move) bool { return m != last.undo() })
	none    = newRule(func(last, m move) bool { return true })
)

// newRule makes the rule that leaves the moves for which allowed(last, m).
func newRule(allowed func(last, m move) bool) *rule {
	r := new(rule)
	for g := range r {
		for last := range r[g] {
			for blank := range r[g][last] {
				n := &r[g][last][blank]
				for letter, m := range views[g].moves {
					for _, e := range edges[blank] {
						if e.move == m && allowed(move(last), m) {
							n.steps = append(n.steps, step{
								edge:   e,
								letter: letters[letter],
								from:   tileBits * e.to,
								into:   tileBits * uint8(blank),
								rises:  rises(views[g].home, e.to, uint8(blank)),
								next:   &r[g][m][e.to],
							})
						}
					}
				}
			}
		}
	}
	return r
}

// start is the node of a position before the first move.
func (r *rule) start(p *position) *node { return &r[p.goalBlank][noMove][p.blank] }
