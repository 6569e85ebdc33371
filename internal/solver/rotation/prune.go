package rotation

// A rule is a pruning rule as an automaton over the moves made so far: it tells
// which moves may follow, in a state that the moves since the start led to. The
// proofs that no dictionary-first shortest solution is lost are in the package
// comment; TestCounts compares each rule with its definition.
type rule struct {
	allowed [ruleStates]moveSet
	count   [ruleStates]uint8      // moves in allowed
	counts  [ruleStates][256]uint8 // the sum of what count is after each move of a set
	next    [ruleStates][moves]ruleState
}

// A ruleState is a state of a rule; 0 is the start.
type ruleState uint8

// ruleStates is the number of states of the largest rule, canonical.
const ruleStates = 1 + moves*maxRepeats*2

// newRule makes the rule with the given states: follow tells where m leads from
// state s, or that it is pruned.
func newRule(follow func(s ruleState, m move) (next ruleState, ok bool)) *rule {
	r := new(rule)
	for s := range ruleState(ruleStates) {
		for m := range move(moves) {
			if next, ok := follow(s, m); ok {
				r.allowed[s] |= 1 << m
				r.next[s][m] = next
			}
		}
		r.count[s] = uint8(r.allowed[s].len())
	}
	for s := range r.counts {
		for set := range r.counts[s] {
			for rest := moveSet(set) & r.allowed[s]; rest != 0; rest = rest.rest() {
				r.counts[s][set] += r.count[r.next[s][rest.first()]]
			}
		}
	}
	return r
}

// none has one state.
var none = newRule(func(ruleState, move) (ruleState, bool) { return 0, true })

// inverse has a state for the start and one for each last move.
var inverse = newRule(func(s ruleState, m move) (ruleState, bool) {
	return ruleState(m) + 1, s == 0 || s > moves || m != move(s-1).inverse()
})

// maxRepeats is how often canonical lets a letter follow itself.
const maxRepeats = 3

// canonical has a state for the start and one for each last letter, how often
// it came, and whether the other line of the pair was turned before it in the
// present run.
var canonical = newRule(func(s ruleState, m move) (ruleState, bool) {
	state := func(m move, repeats, both int) ruleState {
		return ruleState(1 + (int(m)*maxRepeats+repeats-1)*2 + both)
	}
	if s == 0 {
		return state(m, 1, 0), true
	}
	both := int(s-1) % 2
	repeats := int(s-1)/2%maxRepeats + 1
	last := move(int(s-1) / 2 / maxRepeats)
	switch {
	case m.onRows() != last.onRows(): // a new run
		return state(m, 1, 0), true
	case m == last:
		return state(m, repeats+1, both), repeats < maxRepeats
	case m.line() == last.line(): // turns the line back
		return 0, false
	default:
		return state(m, 1, 1), m > last && both == 0
	}
})
