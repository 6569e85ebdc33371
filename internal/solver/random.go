package solver

import (
	"math/bits"
	"math/rand/v2"
)

// GeneratorVersion names the algorithm behind random cases: Random, and what
// the puzzles make of it. It grows when any (seed, case) gives another board
// than before.
const GeneratorVersion = 1

// Random is the stream of random numbers that belongs to one case of one seed.
// It is a PCG generator (O'Neill, 2014; math/rand/v2's PCG-DXSM), and makes no
// allocation.
type Random struct{ pcg rand.PCG }

// golden is the step of a SplitMix64 generator, 2^64 divided by the golden
// ratio.
const golden = 0x9E3779B97F4A7C15

// mix is the finalizer of SplitMix64 (Steele, Lea & Flood, 2014): a bijection
// in which every bit of x changes half the bits of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// NewRandom returns the stream of case i of a seed. Its two words of state are
// the first number of the SplitMix64 generator that starts from seed, and the
// i-th number of the one that starts from that. So neighbouring cases and seeds
// have nothing in common, and no two pairs (seed, i) have the same state.
func NewRandom(seed, i uint64) Random {
	key := mix(seed + golden)
	return Random{*rand.NewPCG(key, mix(key+i*golden))}
}

// IntN returns a number uniform over 0 to n-1; n is positive. It scales a word
// by n and draws again where the scaling would favour some numbers (Lemire,
// 2019). It is written out here because the cases depend on it, and how
// math/rand/v2 does it is not promised.
func (r *Random) IntN(n int) int {
	word := r.pcg.Uint64()
	whole, part := bits.Mul64(word, uint64(n))
	if part < uint64(n) {
		for excess := -uint64(n) % uint64(n); part < excess; { // 2^64 mod n
			whole, part = bits.Mul64(r.pcg.Uint64(), uint64(n))
		}
	}
	return int(whole)
}

// Shuffle brings b into an order that is uniform over all orders (Fisher &
// Yates, in Durstenfeld's form, 1964): for i from the last place down to 1, it
// swaps b[i] with b[IntN(i+1)].
func (r *Random) Shuffle(b []byte) {
	for i := len(b) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		b[i], b[j] = b[j], b[i]
	}
}
