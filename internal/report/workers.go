package report

import (
	"cmp"
	"slices"
)

// Workers is what the workers of a run did, and when: Bins spans of Width each,
// from the run's first start.
type Workers struct {
	Wall    int64    `json:"wall_ns"` // until the last case was done
	Width   int64    `json:"bin_ns"`
	Workers []Worker `json:"workers"`
}

// Worker is one of them.
type Worker struct {
	Worker int   `json:"worker"`
	Cases  int64 `json:"cases"`
	Busy   int64 `json:"busy_ns"`

	// By span. A case is done where it ends, and busy time is where it passed.
	DoneIn []int64 `json:"done_in_bin"`
	BusyIn []int64 `json:"busy_ns_in_bin"`
}

// bins is how many spans are kept at most.
const bins = 128

// timeline gathers Workers. The cases come in any order of their times: when one
// is beyond the last span, each two spans become one.
type timeline struct {
	wall    int64
	shift   uint // a span is 2^shift ns
	workers map[int]*workerTime
}

type workerTime struct {
	cases, busy int64
	done, in    [bins]int64
}

func newTimeline() *timeline { return &timeline{shift: 10, workers: map[int]*workerTime{}} }

func (t *timeline) add(worker int, start, elapsed int64) {
	end := start + elapsed
	last := max(0, end-1) // what ends with a span belongs to it
	t.wall = max(t.wall, end)
	for last>>t.shift >= bins {
		t.shift++
		for _, w := range t.workers {
			halve(&w.done)
			halve(&w.in)
		}
	}
	w := t.workers[worker]
	if w == nil {
		w = new(workerTime)
		t.workers[worker] = w
	}
	w.cases++
	w.busy += elapsed
	w.done[last>>t.shift]++
	for start < end {
		bin := start >> t.shift
		until := min(end, (bin+1)<<t.shift)
		w.in[bin] += until - start
		start = until
	}
}

// halve makes one span of each two.
func halve(spans *[bins]int64) {
	for i := range bins / 2 {
		spans[i] = spans[2*i] + spans[2*i+1]
	}
	clear(spans[bins/2:])
}

// result is nil if nothing was timed.
func (t *timeline) result() *Workers {
	if len(t.workers) == 0 {
		return nil
	}
	r := &Workers{Wall: t.wall, Width: 1 << t.shift}
	n := max(0, t.wall-1)>>t.shift + 1
	for id, w := range t.workers {
		r.Workers = append(r.Workers, Worker{
			Worker: id, Cases: w.cases, Busy: w.busy,
			DoneIn: w.done[:n], BusyIn: w.in[:n],
		})
	}
	slices.SortFunc(r.Workers, func(a, b Worker) int { return cmp.Compare(a.Worker, b.Worker) })
	return r
}

// Cases is how many cases all workers have done.
func (w *Workers) Cases() (n int64) {
	for i := range w.Workers {
		n += w.Workers[i].Cases
	}
	return n
}

// Busy is the share of the time in which the workers were at work.
func (w *Workers) Busy() float64 {
	busy := int64(0)
	for i := range w.Workers {
		busy += w.Workers[i].Busy
	}
	return ratio(float64(busy), float64(w.Wall)*float64(len(w.Workers)))
}

// length is how long the span i is: the last one ends with the run.
func (w *Workers) length(i int) int64 { return min(w.Width, w.Wall-int64(i)*w.Width) }

// ratio is a/b, or 0 where that is none.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
