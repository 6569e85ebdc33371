package rotation

import (
	"encoding/binary"
	"math/bits"
)

// A placement is where the eight blocks of one symbol are, packed for turning.
// The board is four lines of seven positions, seven bits each; the four corners
// of the center lie on two lines and have a bit in both:
//
//	bits      line                       cells from position 0 to 6
//	 0..6     left column                0  2  6 11 15 20 22
//	 7..13    right column               1  3  8 12 17 21 23
//	14..20    upper row, from the right 10  9  8  7  6  5  4
//	21..27    lower row, from the right 19 18 17 16 15 14 13
//
// So A, B, C and D move every block of their line one position down and the one
// at position 0 to position 6; F, E, H and G do the opposite; and on every line
// the center is positions 2, 3 and 4.
type placement uint32

const (
	lineBits = 7
	lineMask = 1<<lineBits - 1

	allCells placement = 1<<(4*lineBits) - 1

	// The corners of the center, on their column and on their row.
	upperLeft  placement = 1<<2 | 1<<(2*lineBits+4)
	upperRight placement = 1<<(lineBits+2) | 1<<(2*lineBits+2)
	lowerLeft  placement = 1<<4 | 1<<(3*lineBits+4)
	lowerRight placement = 1<<(lineBits+4) | 1<<(3*lineBits+2)
	corners              = upperLeft | upperRight | lowerLeft | lowerRight

	// The center, each cell once: three cells of each column, the middle of
	// each row.
	center placement = 0b11100 | 0b11100<<lineBits | 1<<(2*lineBits+3) | 1<<(3*lineBits+3)

	// The placement of a symbol that fills the center.
	solved = center | corners

	columns placement = 1<<(2*lineBits) - 1 // bits of the two columns

	blocks = 8 // of each symbol, and cells of the center
)

// lineCells are the cells of the four lines in the order of the packing.
var lineCells = [4][lineBits]uint8{
	{0, 2, 6, 11, 15, 20, 22},
	{1, 3, 8, 12, 17, 21, 23},
	{10, 9, 8, 7, 6, 5, 4},
	{19, 18, 17, 16, 15, 14, 13},
}

// cellBits are a cell's bits in a placement: two for a corner of the center.
var cellBits = func() (bits [24]placement) {
	for l, cells := range lineCells {
		for i, cell := range cells {
			bits[cell] |= 1 << (l*lineBits + i)
		}
	}
	return bits
}()

// move is one of the eight turns, 0 to 7 for A to H.
type move uint8

const (
	moves   = 8
	letters = "ABCDEFGH"
)

// inverse is the move that undoes m: A and F, B and E, C and H, D and G.
func (m move) inverse() move { return m ^ 5 }

// backward tells whether m moves blocks towards position 6: E to H.
func (m move) backward() bool { return m >= 4 }

// line is the line that m turns.
func (m move) line() int {
	if m.backward() {
		m = m.inverse()
	}
	return int(m)
}

// onRows tells whether m turns a row: C D G H.
func (m move) onRows() bool { return m&2 != 0 }

// A turn takes the bits of a line out of a placement and puts them back turned,
// on the two crossing lines as well.
var lineShift, untouched, turned = turnTables()

// turnTables returns, for each move, where the bits of its line begin; what it
// leaves as it is; and the rest, from the bits of the line.
func turnTables() (shift [moves]uint8, untouched [moves]placement, turned [moves][1 << lineBits]placement) {
	for m := range move(moves) {
		cells := lineCells[m.line()]
		shift[m] = uint8(m.line() * lineBits)
		untouched[m] = allCells
		for _, cell := range cells {
			untouched[m] &^= cellBits[cell]
		}
		for old := range turned[m] {
			for i, cell := range cells {
				from := (i + 1) % lineBits
				if m.backward() {
					from = (i + lineBits - 1) % lineBits
				}
				if old>>from&1 != 0 {
					turned[m][old] |= cellBits[cell]
				}
			}
		}
	}
	return shift, untouched, turned
}

// turn makes move m.
func (p placement) turn(m move) placement {
	return p&untouched[m&7] | turned[m&7][p>>(lineShift[m&7]&31)&lineMask]
}

// inCenter is the number of p's blocks in the center.
func (p placement) inCenter() int { return bits.OnesCount32(uint32(p & center)) }

// A moveSet holds moves, A in bit 0 to H in bit 7.
type moveSet uint8

func (s moveSet) len() int             { return bits.OnesCount8(uint8(s)) }
func (s moveSet) first() move          { return move(bits.TrailingZeros8(uint8(s))) } // s is not empty
func (s moveSet) rest() moveSet        { return s & (s - 1) }                         // without the first
func (s moveSet) after(m move) moveSet { return s >> m >> 1 << 1 << m }

// A turn moves one block into the center and one out of it. Coming and going
// tell for which moves that block is one of p's: bit 7l for the move that turns
// line l forward, bit 7l+1 for the other.
func (p placement) coming() spread { return spread(p>>5&firsts | p&(firsts<<1)) }
func (p placement) going() spread  { return spread(p>>2&firsts | p>>3&(firsts<<1)) }

// A spread is a set of moves at the places where turns of a placement show
// them.
type spread uint32

const (
	firsts           = 1 | 1<<lineBits | 1<<(2*lineBits) | 1<<(3*lineBits)
	allSpread spread = firsts | firsts<<1
)

// set brings the moves of s into dictionary order. Each product gathers four
// bits that are seven apart: no two of its partial products meet.
func (s spread) set() moveSet {
	ahead := s & firsts * (1<<21 | 1<<15 | 1<<9 | 1<<3) >> 21 & 15
	back := s >> 1 & firsts
	return moveSet(ahead) | moveSet(uint64(back)*(1<<25|1<<17|1<<13|1<<5)>>24&15)<<4
}

// placements is the number of placements, C(24, 8).
const placements = 735471

// The rank of a placement, from 0 to placements-1, orders placements by how
// many blocks they have in the center, the most first: those that are near the
// goal have the small ranks. Within, the order is that of the key: the sixteen
// cells of the columns and of the center; and last the other eight cells, on
// the arms of the rows, among those with as many blocks.
var keyRank, keyCenter, armsRank = rankTables()

// The rows' cells in the middle of the center, and their places in a key.
const (
	upperMiddle placement = 1 << (2*lineBits + 3)
	lowerMiddle placement = 1 << (3*lineBits + 3)

	upperKey = upperMiddle >> 3 // 1 << 14
	lowerKey = lowerMiddle >> 9 // 1 << 15
	keys     = 1 << 16
)

func (p placement) key() placement {
	return p&columns | p>>3&upperKey | p>>9&lowerKey
}

func (p placement) rank() int {
	return int(keyRank[p.key()] + uint32(armsRank[p>>(2*lineBits)&columns]))
}

// placementOf returns the placement with that key, without blocks on the arms.
func placementOf(key placement) placement {
	p := key&columns | key&upperKey<<3 | key&lowerKey<<9
	for _, corner := range [...]placement{upperLeft, upperRight, lowerLeft, lowerRight} {
		if p&corner != 0 {
			p |= corner
		}
	}
	return p
}

// arms are the cells of the rows that are not in the center.
const arms = allCells &^ columns &^ corners &^ upperMiddle &^ lowerMiddle

// rankTables returns the two parts of a rank, and for each key the number of
// blocks in the center.
func rankTables() (keyRank [keys]uint32, keyCenter [keys]uint8, armsRank [1 << (2 * lineBits)]uint8) {
	var sets [blocks + 1]uint32 // how many sets of the arms have so many blocks
	for r := range armsRank {
		onArms := placement(r) << (2 * lineBits) & arms
		if rest := onArms >> (2 * lineBits); rest != placement(r) {
			armsRank[r] = armsRank[rest] // the others are in the key
			continue
		}
		n := bits.OnesCount32(uint32(onArms))
		armsRank[r] = uint8(sets[n])
		sets[n]++
	}
	var next [blocks + 1]uint32 // rank of a placement with so many blocks in the center
	for key := range placement(keys) {
		n := placementOf(key).inCenter()
		keyCenter[key] = uint8(n)
		for fewer := range next[:n] {
			next[fewer] += placementsOf(key, &sets)
		}
	}
	for key := range placement(keys) {
		rank := &next[keyCenter[key]]
		keyRank[key] = *rank
		*rank += placementsOf(key, &sets)
	}
	return keyRank, keyCenter, armsRank
}

// placementsOf is the number of placements with that key: so many sets of the
// arms have the other blocks.
func placementsOf(key placement, sets *[blocks + 1]uint32) uint32 {
	if onKey := bits.OnesCount32(uint32(key)); onKey <= blocks {
		return sets[blocks-onKey]
	}
	return 0
}

// listPlacements returns all placements in the order of their ranks.
func listPlacements() []placement {
	var sets [blocks + 1][]placement // of the arms, by the number of blocks
	for r := range placement(1 << (2 * lineBits)) {
		if p := r << (2 * lineBits); p&^arms == 0 {
			n := bits.OnesCount32(uint32(r))
			sets[n] = append(sets[n], p)
		}
	}
	list := make([]placement, placements)
	for key := range placement(keys) {
		if n := bits.OnesCount32(uint32(key)); n <= blocks {
			for i, onArms := range sets[blocks-n] {
				list[int(keyRank[key])+i] = placementOf(key) | onArms
			}
		}
	}
	return list
}

// clockwise turns the whole board a quarter: columns become rows, with A on C, B
// on D, E on G and F on H; rows become columns, the other way round.
func (p placement) clockwise() placement {
	return p&columns<<(2*lineBits) |
		reversed[p>>(3*lineBits)] | reversed[p>>(2*lineBits)&lineMask]<<lineBits
}

// counterclockwise undoes clockwise: rows become columns, with C on A, D on B, G
// on E and H on F.
func (p placement) counterclockwise() placement {
	return p>>(2*lineBits) |
		reversed[p&lineMask]<<(3*lineBits) | reversed[p>>lineBits&lineMask]<<(2*lineBits)
}

// reversed is a line the other way round.
var reversed = func() (r [1 << lineBits]placement) {
	for line := range r {
		r[line] = placement(bits.Reverse8(uint8(line)) >> 1)
	}
	return r
}()

// symmetries is the number of ways to turn and mirror the board.
const symmetries = 8

// images are what the symmetries make of p, p itself first.
func (p placement) images() (images [symmetries]placement) {
	for i := 0; i < symmetries; i += 2 {
		images[i], images[i+1] = p, p.mirrored()
		p = p.clockwise()
	}
	return images
}

// mirrored exchanges left and right: A and B, E and F, C and H, D and G.
func (p placement) mirrored() placement {
	return p>>lineBits&lineMask | p&lineMask<<lineBits |
		reversed[p>>(2*lineBits)&lineMask]<<(2*lineBits) | reversed[p>>(3*lineBits)]<<(3*lineBits)
}

// images are what the symmetries make of the moves of s: clockwise each letter
// becomes the next but one, and mirrored A and B change places, E and F, C and H,
// D and G.
func (s moveSet) images() (images [symmetries]moveSet) {
	for i := 0; i < symmetries; i += 2 {
		images[i] = s
		images[i+1] = moveSet(bits.RotateLeft8(bits.Reverse8(uint8(s)), 2))
		s = moveSet(bits.RotateLeft8(uint8(s), 2))
	}
	return images
}

// pack returns the placements of the symbols '1' and '2' on a board of 24
// symbols. The two low bits of a symbol tell it: 01, 10, 11.
func pack(board []byte) (p1, p2 placement) {
	_ = board[23]
	for i := range 3 {
		w := binary.LittleEndian.Uint64(board[8*i:])
		low := uint8(gather(w))
		high := uint8(gather(w >> 1))
		p1 |= cellPlaces[i][low&^high]
		p2 |= cellPlaces[i][high&^low]
	}
	return p1, p2
}

// gather brings the lowest bits of eight bytes together.
func gather(w uint64) uint64 {
	return w & 0x0101010101010101 * 0x0102040810204080 >> 56
}

// cellPlaces[i][b] is the placement of blocks on the cells 8i+k for the bits k
// of b.
var cellPlaces = func() (places [3][256]placement) {
	for i := range places {
		for b := range places[i] {
			for k := range 8 {
				if b>>k&1 != 0 {
					places[i][b] |= cellBits[8*i+k]
				}
			}
		}
	}
	return places
}()
