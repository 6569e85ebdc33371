package pipeline

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"idabatch/internal/solver"
)

// fakeCensus has 100 shards: shard i has i states at depth i%5.
func fakeCensus(count func(shard int)) *solver.Census {
	known := solver.Tally{{Goals: 2}}
	return &solver.Census{
		Known:  known,
		Shards: 100,
		Count: func(shard int) solver.Tally {
			count(shard)
			t := known.Empty()
			t[0].Depths = make([]solver.Count, shard%5+1)
			t[0].Depths[shard%5][0] = int64(shard)
			return t
		},
	}
}

func TestCensus(t *testing.T) {
	for _, jobs := range []int{1, 2, 7, 200} {
		var running, most, cases atomic.Int64
		c := fakeCensus(func(int) {
			n := running.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			running.Add(-1)
		})
		got, err := Census(context.Background(), c, jobs, func(n int64) { cases.Add(n) })
		if err != nil {
			t.Fatal(err)
		}
		// 0 + 5 + ... + 95 = 950 at depth 0, 20 more at each of the next.
		for depth, count := range got[0].Depths {
			if want := int64(950 + 20*depth); count != (solver.Count{want}) {
				t.Errorf("%d jobs, depth %d: %v states, want %d", jobs, depth, count, want)
			}
		}
		if len(got[0].Depths) != 5 || cases.Load() != 2*4950 {
			t.Errorf("%d jobs: %d depths, %d cases told, want 5, 9900", jobs, len(got[0].Depths), cases.Load())
		}
		if most.Load() > int64(jobs) {
			t.Errorf("%d shards at the same time, want %d at most", most.Load(), jobs)
		}
	}
}

func TestCensusIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var shards atomic.Int64
	c := fakeCensus(func(shard int) {
		shards.Add(1)
		if shard == 10 {
			cancel()
		}
	})
	if got, err := Census(ctx, c, 2, func(int64) {}); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v, want %v", got, err, context.Canceled)
	}
	if n := shards.Load(); n > 13 {
		t.Errorf("%d shards counted, cancelled in the 11th", n)
	}
}
