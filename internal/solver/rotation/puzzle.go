// Package rotation is the Rotation Game (ACM Shanghai 2004; POJ 2286, UVa 1343).
//
// # The puzzle
//
// The board has the form of a #: two columns and two rows of seven cells each,
// which cross in four. On its 24 cells lie 24 blocks, eight each with the symbols
// 1, 2 and 3. Cells are numbered, and boards written down, row by row from the
// top:
//
//	         A     B
//	         0     1
//	         2     3
//	H  4  5  6  7  8  9 10  C
//	        11    12
//	G 13 14 15 16 17 18 19  D
//	        20    21
//	        22    23
//	         F     E
//
// A move turns one line: each of its seven blocks goes one step towards the
// letter, and the one that stands at the letter to the other end. A and F turn
// the left column up and down, B and E the right one; H and C turn the upper row
// left and right, G and D the lower one. A board is solved when the eight cells
// of the center, 6 7 8 11 12 15 16 17, show one symbol. Wanted is a shortest
// sequence of moves that solves it, and of the shortest the first in the
// dictionary.
//
// There are 24!/(8!)³ = 9,465,511,770 boards, of which 38,610 are solved. For one
// symbol, all that matters is where its eight blocks are, because the way they go
// does not depend on the others: C(24,8) = 735,471 placements, the farthest 14
// moves away. No board needs more than 13 (TestCensus). Which symbol ends in the
// center is part of the question: about a quarter of all boards have equally
// short solutions for two or three symbols, and only the dictionary decides
// between them.
//
// # Heuristics
//
// Center is eight less the largest number of equal symbols in the center. The
// line that a move turns has three cells of the center, side by side. What was on
// the outer one in front leaves the center, and what stood behind the outer one
// at the back comes in: one block goes, one comes. So the number of blocks of
// any symbol in the center changes by one at most, and so does the largest such
// number. A board with eight less k equal symbols there therefore needs k moves
// at least: the heuristic is admissible, and consistent. It is 0 at solved boards
// only.
//
// Exact is the distance itself. A table has the way of each placement of one
// symbol to the one that fills the center; that of a board is the least of three
// look-ups.
//
// # Pruning rules
//
// A rule forbids moves because of those before them. Let S be the solution that
// is wanted: of all shortest solutions, for whatever symbol, the first in the
// dictionary. A rule is sound if S is left, that is, if it forbids none of the
// moves of S after those before. Then IDA* finds S: the heuristic is admissible,
// so each state on the way has f of at most the length of S, and no next bound
// can pass that; and in the iteration whose bound is that length, only an equally
// short solution that is earlier in the dictionary could be found before S, and
// there is none.
//
// None forbids nothing.
//
// Inverse forbids the move that undoes the last one: A and F undo each other, B
// and E, C and H, D and G. Two such moves in a row leave the board as it was, and
// a solution with them would be two moves shorter without. S is a shortest one,
// so it has no such pair.
//
// Canonical looks at the unbroken run of turns of parallel lines that a move
// ends. Parallel lines are the columns, with the letters A B E F, and the rows,
// with C D G H. A move is left if in this run
//
//   - the letters are in dictionary order,
//   - each line is turned one way only, and
//   - no letter comes more than three times.
//
// Take any run of S, from its first turn to the last before a crossing line is
// turned. Parallel lines have no cell in common, so the order of the turns in the
// run does not matter: however they are arranged, they lead to the same board,
// and the whole still solves with the same symbol in the center.
//
//   - If the letters were not in order, the run with its letters in order would
//     be as long and earlier in the dictionary, and so would S with that run.
//   - If a line were turned both ways, two opposite turns could be brought side by
//     side and left out, and the solution would be two moves shorter.
//   - Seven turns of a line one way do nothing, so four turns do what three the
//     other way do. If a letter came four times, those four could be replaced by
//     three, and the solution would be one move shorter.
//
// Each would contradict the choice of S. What is true of a whole run is true of
// each of its beginnings, so the rule leaves every move of S. Symbols play no
// part in this: a replacement leads to the same board, so it solves for the same
// symbol, and S is compared with the solutions for all three.
//
// A run under this rule is one of 49 for a pair of lines, as each is turned -3 to
// 3 times: no two of them do the same, so there is nothing more to be saved
// within a run.
//
// # Files
//
// board.go has the packed board, search.go the search, exact.go the tables,
// text.go everything that reads or writes boards, and the replay of a solution,
// random.go the random cases, census.go the count of all boards.
package rotation

import "idabatch/internal/solver"

// Puzzle describes the Rotation Game.
var Puzzle = &solver.Puzzle{
	Name:   "rotation",
	Title:  "The Rotation Game",
	Origin: "ACM Shanghai 2004; POJ 2286, UVa 1343, TIOJ 1673",
	Notation: `Board   24 symbols, eight each of 1, 2 and 3, written row by row from the top:

                  A     B
                  0     1
                  2     3
         H  4  5  6  7  8  9 10  C
                 11    12
         G 13 14 15 16 17 18 19  D
                 20    21
                 22    23
                  F     E

Moves   a letter turns its line by one step towards itself; the block at the
        letter goes to the other end; solved when the center, cells 6 7 8
        11 12 15 16 17, shows one symbol
Input   24 symbols a line, with blanks between them or without, more boards on
        a line, or a board drawn as seven rows; a 0 alone ends the cases and
        may be missing
Output  two lines a case: the moves, or "No moves needed", and the symbol in
        the center
`,
	Letters: letters,
	Heuristics: []solver.Choice{
		{Name: "center", Doc: "eight less the most equal symbols in the center"},
		{Name: "exact", Doc: "the distance, from a table", Exact: true},
	},
	Prunings: []solver.Choice{
		{Name: "canonical", Doc: "turns of parallel lines in one order, none turned back or more than three times"},
		{Name: "inverse", Doc: "not the move that undoes the last one"},
		{Name: "none", Doc: "every move"},
	},
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
