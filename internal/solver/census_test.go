package solver

import (
	"slices"
	"testing"
)

// Two kinds: 2 goals with 3, 5 and 0 states, 1 goal with 1 and 4; some are tied.
func tally() Tally {
	return Tally{
		{Name: "many", Goals: 2, Depths: []Count{{3}, {1, 3, 1}, {}}},
		{Name: "one", Goals: 1, Depths: []Count{{1}, {2, 2}}},
	}
}

func TestTally(t *testing.T) {
	for _, tt := range []struct {
		want          Depths
		states, cases int64
	}{
		{Depths{0, 0, false}, 4, 7},
		{Depths{0, 0, true}, 0, 0},
		{Depths{1, 1, false}, 9, 14},
		{Depths{1, 1, true}, 6, 10},
		{Depths{0, 1, false}, 13, 21},
		{Depths{0, 9, true}, 6, 10},
		{Depths{2, 9, false}, 0, 0},
	} {
		if n := tally().States(tt.want); n != tt.states {
			t.Errorf("%+v: %d states, want %d", tt.want, n, tt.states)
		}
		if n := tally().Cases(tt.want); n != tt.cases {
			t.Errorf("%+v: %d cases, want %d", tt.want, n, tt.cases)
		}
	}
	if g := tally().Greatest(); g != 2 {
		t.Errorf("greatest depth %d, want 2", g)
	}
}

func TestTallyAdd(t *testing.T) {
	sum := tally().Empty()
	if n := sum.Cases(Depths{0, 9, false}); n != 0 || sum[0].Name != "many" || sum[0].Goals != 2 {
		t.Errorf("%+v is not empty", sum)
	}
	sum.Add(Tally{{Depths: []Count{{3}}}, {}})
	sum.Add(Tally{{Depths: []Count{{}, {0, 3, 1}, {}}}, {Depths: []Count{{1}, {2, 2}}}})
	sum.Add(Tally{{Depths: []Count{{}, {1}}}, {}})
	for k, kind := range tally() {
		if !slices.Equal(sum[k].Depths, kind.Depths) {
			t.Errorf("%s: %v, want %v", kind.Name, sum[k].Depths, kind.Depths)
		}
	}
}

func TestTallyDraw(t *testing.T) {
	for _, tied := range []bool{false, true} {
		const n = 21000
		var drawn [2][3]int
		for i := range uint64(n) {
			r := NewRandom(1, i)
			kind, depth := tally().Draw(&r, Depths{0, 2, tied})
			drawn[kind][depth]++
		}
		want := [2][3]int{{n * 6 / 21, n * 10 / 21}, {n * 1 / 21, n * 4 / 21}}
		if tied {
			want = [2][3]int{{0, n * 8 / 10}, {0, n * 2 / 10}}
		}
		for kind := range want {
			for depth, w := range want[kind] {
				if d := drawn[kind][depth] - w; d*d > 25*w { // five standard deviations
					t.Errorf("tied %v, kind %d, depth %d: %d times, want about %d", tied, kind, depth, drawn[kind][depth], w)
				}
			}
		}
	}
}
