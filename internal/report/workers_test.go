package report

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWorkers(t *testing.T) {
	tl := newTimeline() // spans of 1,024 ns to begin with
	if got := tl.result(); got != nil {
		t.Errorf("without cases: got %+v", got)
	}
	tl.add(0, 0, 1024)   // just the first span
	tl.add(2, 1000, 100) // 24 in the first, 76 in the second
	tl.add(0, 1024, 0)   // no time at all, at a border
	want := &Workers{Wall: 1100, Width: 1024, Workers: []Worker{
		{Worker: 0, Cases: 2, Busy: 1024, DoneIn: []int64{2, 0}, BusyIn: []int64{1024, 0}},
		{Worker: 2, Cases: 1, Busy: 100, DoneIn: []int64{0, 1}, BusyIn: []int64{24, 76}},
	}}
	if diff := cmp.Diff(want, tl.result()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := want.Busy(); got != 1124./2200 {
		t.Errorf("busy: got %v", got)
	}
	if diff := cmp.Diff([]float64{24. / 1024, 1}, want.busyOver(&want.Workers[1], 50)); diff != "" {
		t.Errorf("busy over time: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]float64{100. / 1100}, want.busyOver(&want.Workers[1], 1)); diff != "" {
		t.Errorf("busy in one stretch: -want +got:\n%s", diff)
	}

	tl.add(2, 128*1024, 1) // one span too far: two become one
	want.Wall, want.Width = 128*1024+1, 2048
	want.Workers[0].DoneIn, want.Workers[0].BusyIn = make([]int64, 65), make([]int64, 65)
	want.Workers[0].DoneIn[0], want.Workers[0].BusyIn[0] = 2, 1024
	want.Workers[1] = Worker{Worker: 2, Cases: 2, Busy: 101, DoneIn: make([]int64, 65), BusyIn: make([]int64, 65)}
	want.Workers[1].DoneIn[0], want.Workers[1].BusyIn[0] = 1, 100
	want.Workers[1].DoneIn[64], want.Workers[1].BusyIn[64] = 1, 1
	if diff := cmp.Diff(want, tl.result()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	tl = newTimeline()
	tl.add(0, maxTime, maxTime) // as far as a row may go
	if got := tl.result(); got.Wall != 2*maxTime || got.Busy() != 0.5 {
		t.Errorf("at the end of time: wall %d, busy %v", got.Wall, got.Busy())
	}
}

// The spans must hold what a plain look at all cases says.
func TestWorkersOfMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		tl := newTimeline()
		type span struct{ worker, start, end int64 }
		var cases []span
		for range 1 + rnd.IntN(200) {
			c := span{worker: rnd.Int64N(3), start: rnd.Int64N(1 << (1 + rnd.IntN(30)))}
			c.end = c.start + rnd.Int64N(1<<(1+rnd.IntN(25)))
			cases = append(cases, c)
			tl.add(int(c.worker), c.start, c.end-c.start)
		}
		r := tl.result()
		if r.Width*bins < r.Wall || r.Width > 1024 && r.Width*bins/2 >= r.Wall {
			t.Fatalf("%d spans of %d ns for %d ns", bins, r.Width, r.Wall)
		}
		for _, w := range r.Workers {
			for i := range w.DoneIn {
				low, high := int64(i)*r.Width, int64(i+1)*r.Width
				done, busy := int64(0), int64(0)
				for _, c := range cases {
					if c.worker == int64(w.Worker) {
						busy += max(0, min(high, c.end)-max(low, c.start))
						if c.end > low && c.end <= high || c.end == 0 && i == 0 {
							done++
						}
					}
				}
				if done != w.DoneIn[i] || busy != w.BusyIn[i] {
					t.Fatalf("worker %d, span %d: got %d done, %d ns busy, want %d, %d", w.Worker, i, w.DoneIn[i], w.BusyIn[i], done, busy)
				}
			}
		}
	}
}
