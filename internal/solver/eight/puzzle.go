// Package eight is the puzzle Eight II (HDU 3567), an 8-puzzle in which the goal
// is part of the case.
//
// # The puzzle
//
// Eight tiles and a blank X lie on nine cells, which are numbered and written
// down row by row:
//
//	0 1 2      1 2 X
//	3 4 5      4 5 3      12X453786
//	6 7 8      7 8 6
//
// A move brings the blank one cell down, left, right or up, written d, l, r and
// u, and the tile from there to the blank's place. A case is two boards, start
// and goal; from the board above, "dd" leads to 12345678X.
//
// What matters is only where each tile of the start belongs. So a search renames
// the tiles such that every goal is 1 to 8 in order and the blank somewhere
// between. And it looks at the board turned or mirrored, which changes the
// letters and nothing else: then this is one of three goals, with the blank in a
// corner, on an edge or in the middle (board.go, view).
//
// # Which goals can be reached
//
// Read the tiles row by row and leave out the blank. A move to the left or right
// leaves their order as it is; one up or down takes one tile over two others,
// which changes the number of inversions (pairs that stand the wrong way round)
// by two or not at all. So its parity never changes, and a goal of the other
// parity is out of reach: such a case is refused before any search. Every goal
// of the same parity can be reached: the search from a goal finds 181,440
// states, half of 9! (TestWays).
//
// # The heuristic manhattan
//
// A move moves one tile by one cell, so no tile needs fewer moves than the steps
// between its cell and its place in the goal, and their sum is admissible. A
// move changes it by exactly one. If a state is reached by g moves of which r
// raised the value, then f = g + h is that of the start plus 2r. So a bound says
// how many moves that raise the value are allowed on the way, in short: how many
// rises. The next bound is always two more, one rise more: below each state that
// is no goal something is cut in the end, because it has moves that do not lead
// back. And as the distance has the parity of the value, the last bound is the
// distance.
//
// # The heuristic exact
//
// It is the distance itself. So the first bound is the depth, and the search goes
// straight down the solution: of the successors before the right one none is
// within the bound. Tables have the whole solution of each state (exact.go), and
// the counts follow from its moves.
//
// # The pruning inverse
//
// It leaves out the move that undoes the last one: d after u, l after r, and so
// on. No shortest solution has such a pair of moves, because without it the
// solution would be two moves shorter. So every shortest solution is left, and
// the first of them in the dictionary is found first.
//
// # Counting in bulk
//
// Two searches find the same counts. One makes every state (search.go). The
// other (bulk.go) looks up how many states are expanded below a state that does
// not lead to the goal within the bound: a function of the state and the rises
// that are left.
//
// With the pruning none let N(p, r) be the number of expansions at p and below
// if r rises are left. It is 1 and the sum of N(q, r) over the successors q of
// p with a lower value and N(q, r-1) over those with a higher one; for r < 0
// it is 0.
//
// With inverse let N(p, r) be the number if every move is allowed at p itself,
// and B(q, s, p) the one if at q the move back to p is not, with s rises left.
// N(p, r) is 1 and the sum of B(q, s, p), where s is r or r-1 as before. The
// subtree at q is the one without exclusion less its part that begins with the
// move back. That part is at p again, and of the moves there and back exactly one
// was a rise:
//
//	B(q, s, p) = N(q, s) - B(p, r-1, q)
//	           = N(q, s) - N(p, r-1) + B(q, s-1, p)
//	           = S(q, s) - S(p, r-1),  S(p, r) = N(p, r) + N(p, r-1) + ... + N(p, 0)
//
// The generated states obey the same equations, with 1 replaced by the number of
// moves that are made in p: with inverse one less than there are, but at the
// start, where no move is excluded.
//
// With r rises the goal is not reached from p if h(p) + 2r is less than the
// distance. So there are tallies for these r only, and they need no others: if
// q with s rises does not reach the goal, neither does p with r-1, a move away
// from q.
//
// An iteration whose bound is less than the distance has no goal and is one
// look-up. In the last one the search goes down the solution: of the moves in
// each of its states, those before the first that leads to the goal within the
// bound are look-ups again. Where a budget of expansions ends within a subtree
// the search goes down into that.
//
// So a case costs about a look-up for each move of its solution and the moves
// before it, instead of an expansion of each state. The tables take 18 MB for the
// three goals and one pruning. They are built when they are needed, some 60 ms each,
// and not before a solver has spent about as long on the plain search: one easy
// case does not wait for them. BenchmarkSolve, uniform cases: 38 us a case with the plain
// search and inverse, 1.1 us with tables; with none 3.6 ms and 1.5 us.
package eight

import "idabatch/internal/solver"

// Puzzle describes Eight II.
var Puzzle = &solver.Puzzle{
	Name:   "eight",
	Title:  "Eight II",
	Origin: "HDU 3567",
	Notation: `Board   three rows of three, 1 to 8 and X for the blank, written row by row;
        12X453786 is

                1 2 X
                4 5 3
                7 8 6

        x and 0 are the blank as well
Moves   where the blank goes: d down, l left, r right, u up
Input   the number of cases, which may be missing; then two lines a case, start
        and goal
Output  two lines a case: "Case k: d", with the number of moves d, and the moves
`,
	Letters: letters,
	Heuristics: []solver.Choice{
		{Name: "manhattan", Doc: "steps of the tiles to their places, each as if it were alone"},
		{Name: "exact", Doc: "the distance, from a table", Exact: true},
	},
	Prunings: []solver.Choice{
		{Name: "inverse", Doc: "not the move that undoes the last one"},
		{Name: "none", Doc: "every move"},
	},
	Recognize:    recognize,
	Frame:        newFramer,
	New:          newSolver,
	Replay:       replay,
	AppendResult: appendResult,
	ReadResult:   readResult,
	Random:       random,
	AppendHeader: appendHeader,
	AppendCase:   appendCase,
	AppendFooter: appendFooter,
	Drawing:      drawing,
	Census:       census,
}
