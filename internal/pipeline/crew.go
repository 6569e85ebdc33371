package pipeline

import (
	"sync"
	"sync/atomic"
)

// crew is the workers, as they share work.
//
// The length of a run is a guess. Where hard cases follow easy ones, a worker
// may find itself with hundreds of hard ones in a single run, while the others
// have nothing left: at the end of the input, or because the window is full. So
// a worker whose run takes longer than it should gives half of what is left to
// one that waits. In the order of the cases the new run follows the old one:
// that is run.rest.
type crew struct {
	work  <-chan *run // from the reader
	spare chan *run   // from a worker; closed at the end
	pool  *sync.Pool

	// idle is the workers that wait, less the runs in spare. It is below zero
	// when a worker that a run was meant for has got another one from work, and
	// for a moment too high before that.
	idle atomic.Int32

	// live is the workers that have a run or may get one from work, and the runs
	// in spare. At zero nobody can give anything away any more.
	live atomic.Int32
}

func newCrew(jobs int, work <-chan *run, pool *sync.Pool) *crew {
	c := &crew{work: work, spare: make(chan *run, jobs), pool: pool}
	c.live.Store(int32(jobs))
	return c
}

// next is the next run for a worker that is live; nil if there will be none.
func (c *crew) next() *run {
	select {
	case r := <-c.spare: // first, for it is early in the order
		c.idle.Add(1)
		c.live.Add(-1)
		return r
	default:
	}
	select {
	case r, ok := <-c.work:
		if ok {
			return r
		}
	default:
	}
	c.idle.Add(1)
	select {
	case r := <-c.spare:
		c.live.Add(-1)
		return r
	case r, ok := <-c.work:
		if ok {
			c.idle.Add(-1)
			return r
		}
	}
	// The reader is finished.
	if c.live.Add(-1) == 0 {
		close(c.spare)
	}
	return <-c.spare
}

// share gives half of r, of which done cases are solved, to a worker that waits.
func (c *crew) share(r *run, done int) {
	keep := done + (r.n-done+1)/2
	if keep == r.n || !c.claim() {
		return
	}
	q := r.split(keep, c.pool)
	c.live.Add(1)
	c.spare <- q // has room: there are no more runs in it than workers that wait
}

// claim takes one off idle, if there is one.
func (c *crew) claim() bool {
	for {
		n := c.idle.Load()
		if n <= 0 {
			return false
		}
		if c.idle.CompareAndSwap(n, n-1) {
			return true
		}
	}
}
