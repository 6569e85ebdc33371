package solver

import (
	"math/big"
	"testing"
)

// The first numbers of the SplitMix64 generator with seed 1234567, as its
// authors' C code prints them.
func TestMix(t *testing.T) {
	want := []uint64{
		6457827717110365317,
		3203168211198807973,
		9817491932198370423,
		4593380528125082431,
		16408922859458223821,
	}
	for k, want := range want {
		if got := mix(1234567 + uint64(k+1)*golden); got != want {
			t.Errorf("number %d is %d, want %d", k, got, want)
		}
	}
}

// bigRandom is Random in the plainest form: its state is a number of 128 bits.
type bigRandom struct{ state *big.Int }

func number(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 0)
	if !ok {
		panic("not a number: " + s)
	}
	return n
}

var (
	word128    = new(big.Int).Lsh(big.NewInt(1), 128)
	multiplier = number("47026247687942121848144207491837523525")
	increment  = number("117397592171526113268558934119004209487")
)

func newBigRandom(seed, i uint64) bigRandom {
	splitMix := func(from, k uint64) uint64 { // the k-th number from that seed
		z := from + k*0x9E3779B97F4A7C15
		z ^= z >> 30
		z *= 0xBF58476D1CE4E5B9
		z ^= z >> 27
		z *= 0x94D049BB133111EB
		z ^= z >> 31
		return z
	}
	key := splitMix(seed, 1)
	state := new(big.Int).SetUint64(key)
	state.Lsh(state, 64)
	return bigRandom{state.Or(state, new(big.Int).SetUint64(splitMix(key, i)))}
}

func (r bigRandom) word() uint64 {
	r.state.Mul(r.state, multiplier)
	r.state.Add(r.state, increment)
	r.state.Mod(r.state, word128)
	hi := new(big.Int).Rsh(r.state, 64).Uint64()
	lo := r.state.Uint64() | 1 // the low 64 bits
	hi ^= hi >> 32
	hi *= 0xDA942042E4DD58B5
	hi ^= hi >> 48
	return hi * lo
}

func (r bigRandom) intN(n int) int {
	big2to64 := new(big.Int).Lsh(big.NewInt(1), 64)
	excess := new(big.Int).Mod(big2to64, big.NewInt(int64(n)))
	for {
		product := new(big.Int).SetUint64(r.word())
		product.Mul(product, big.NewInt(int64(n)))
		whole, part := new(big.Int).DivMod(product, big2to64, new(big.Int))
		if part.Cmp(excess) >= 0 {
			return int(whole.Int64())
		}
	}
}

func TestIntNAgainstBigNumbers(t *testing.T) {
	sizes := []int{1, 2, 3, 8, 9, 24, 1000, 38610, 1<<63 - 1, 1<<62 + 1, 3 << 61, 7}
	for seed := uint64(0); seed < 20; seed++ {
		for _, i := range []uint64{1, 2, 3, 1 << 40, 1<<64 - 1} {
			got, want := NewRandom(seed, i), newBigRandom(seed, i)
			for k := range 60 {
				n := sizes[k%len(sizes)]
				if g, w := got.IntN(n), want.intN(n); g != w {
					t.Fatalf("seed %d, case %d, draw %d: IntN(%d) is %d, want %d", seed, i, k, n, g, w)
				}
			}
		}
	}
}

// A word scaled to 3·2^61 numbers meets three words for each of two numbers and
// two for the next: without the drawing again, every third would come too
// seldom.
func TestIntNIsNotBiased(t *testing.T) {
	const n, draws = 3 << 61, 30000
	var residues [3]int
	r := NewRandom(1, 1)
	for range draws {
		residues[r.IntN(n)%3]++
	}
	for k, count := range residues {
		// Four standard deviations, √(draws · 1/3 · 2/3) = 82.
		if count < draws/3-330 || count > draws/3+330 {
			t.Errorf("numbers that leave %d: %d of %d", k, count, draws)
		}
	}
}

// Streams of neighbours, in seed and in case, must look like unrelated ones:
// about half their bits differ, at every place.
func TestNeighbouringStreams(t *testing.T) {
	const side = 64
	first := func(seed, i uint64) uint64 { r := NewRandom(seed, i); return r.pcg.Uint64() }
	for name, other := range map[string]func(seed, i uint64) uint64{
		"next case":         func(seed, i uint64) uint64 { return first(seed, i+1) },
		"next seed":         func(seed, i uint64) uint64 { return first(seed+1, i) },
		"case for seed":     func(seed, i uint64) uint64 { return first(i, seed) },
		"next of both":      func(seed, i uint64) uint64 { return first(seed+1, i+1) },
		"sum stays the sum": func(seed, i uint64) uint64 { return first(seed+1, i-1) },
	} {
		var differ [64]int
		pairs := 0
		for seed := uint64(0); seed < side; seed++ {
			for i := uint64(side + 1); i <= 2*side; i++ {
				pairs++
				diff := first(seed, i) ^ other(seed, i)
				for bit := range differ {
					differ[bit] += int(diff >> bit & 1)
				}
			}
		}
		for bit, count := range differ {
			// Five standard deviations, √pairs / 2 = 32.
			if count < pairs/2-160 || count > pairs/2+160 {
				t.Errorf("%s: bit %d differs in %d of %d pairs", name, bit, count, pairs)
			}
		}
	}
}

// All 24 orders of four things must come equally often.
func TestShuffleIsUniform(t *testing.T) {
	const draws = 24000
	counts := map[string]int{}
	for i := range uint64(draws) {
		b := []byte("abcd")
		r := NewRandom(1, i)
		r.Shuffle(b)
		counts[string(b)]++
	}
	if len(counts) != 24 {
		t.Fatalf("%d orders, want 24", len(counts))
	}
	chi2 := 0.0
	for _, count := range counts {
		diff := float64(count) - draws/24
		chi2 += diff * diff / (draws / 24)
	}
	// 23 degrees of freedom: above 49.7 once in a thousand.
	if chi2 > 49.7 {
		t.Errorf("chi squared is %.1f over the 24 orders", chi2)
	}
}

func TestRandomMakesNoGarbage(t *testing.T) {
	b := []byte("123456789")
	if n := testing.AllocsPerRun(100, func() {
		r := NewRandom(1, 2)
		r.Shuffle(b)
	}); n != 0 {
		t.Errorf("%v allocations a case", n)
	}
}

func BenchmarkRandomShuffle24(b *testing.B) {
	cells := []byte("111111112222222233333333")
	var i uint64
	for b.Loop() {
		i++
		r := NewRandom(1, i)
		r.Shuffle(cells)
	}
}
