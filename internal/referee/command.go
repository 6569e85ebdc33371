package referee

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// limits bound one run of a command; the zero value of time and memory sets
// none.
type limits struct {
	time   time.Duration // by the clock on the wall
	memory int64         // bytes resident, in the largest process of the run
	output int           // bytes on standard output
}

// ended is what became of one run.
type ended struct {
	output, stderr []byte
	state          *os.ProcessState
	exceeded       Verdict // the limit that ended it, or Accepted
	time           time.Duration
	memory         int64 // the most there was; 0: the system does not tell
}

const (
	// stderrKept is how much of standard error is kept, from its beginning:
	// where a program died is in its first lines.
	stderrKept = 64 << 10
	// memoryPoll is the time between two looks at a command's memory. A program
	// can fill about 50 MB meanwhile.
	memoryPoll = 10 * time.Millisecond
	// lingering is how long output is waited for behind the end of all its
	// writers that could be ended.
	lingering = time.Second
)

// runs counts the commands started, to tell the processes of one from those of
// another.
var runs atomic.Int64

// execute runs a command once. Whatever happens, it and its children are gone
// when execute returns. The error is that it cannot be run at all, or the cause
// of ctx's end.
//
// What is behind the end of the first process does not count: its children are
// ended with it, as a judge does.
func execute(ctx context.Context, argv []string, input []byte, lim limits) (e ended, err error) {
	if ctx.Err() != nil {
		return e, context.Cause(ctx)
	}
	// On Linux the command is to die with us, which the system understands as
	// the end of this thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	p, err := start(argv)
	if err != nil {
		return e, fmt.Errorf("running %s: %w", argv[0], err)
	}
	began := time.Now()
	var g errgroup.Group
	flooded := make(chan struct{}, 1)
	gone := make(chan struct{})
	g.Go(func() error {
		p.stdin.Write(input) // it need not be read
		p.stdin.Close()
		return nil
	})
	g.Go(func() error {
		e.output = readMost(p.stdout, lim.output, flooded)
		return nil
	})
	g.Go(func() error {
		e.stderr = readMost(p.stderr, stderrKept, nil)
		return nil
	})
	g.Go(func() error {
		defer close(gone)
		p.cmd.Wait() // what it says is in cmd.ProcessState too
		e.time = time.Since(began)
		return nil
	})

	e.exceeded = p.watch(ctx, lim, flooded, gone, &e.memory)
	p.end()
	<-gone
	deadline := time.Now().Add(lingering)
	p.stdin.Close()
	p.stdout.SetReadDeadline(deadline)
	p.stderr.SetReadDeadline(deadline)
	g.Wait()
	p.stdout.Close()
	p.stderr.Close()
	if ctx.Err() != nil {
		return e, context.Cause(ctx)
	}

	e.state = p.cmd.ProcessState
	e.memory = max(e.memory, peak(e.state))
	switch {
	case e.exceeded != Accepted:
	case len(e.output) > lim.output:
		e.exceeded = OutputLimit
	case lim.time > 0 && e.time > lim.time:
		e.exceeded = TimeLimit
	case lim.memory > 0 && e.memory > lim.memory:
		e.exceeded = MemoryLimit
	}
	e.output = e.output[:min(len(e.output), lim.output)]
	e.stderr = e.stderr[:min(len(e.stderr), stderrKept)]
	return e, nil
}

// watch waits until the process is gone or has to go.
func (p *process) watch(ctx context.Context, lim limits, flooded, gone <-chan struct{}, memory *int64) Verdict {
	var late <-chan time.Time
	if lim.time > 0 {
		timer := time.NewTimer(lim.time)
		defer timer.Stop()
		late = timer.C
	}
	poll := time.NewTicker(memoryPoll)
	defer poll.Stop()
	for {
		select {
		case <-gone:
			return Accepted
		case <-ctx.Done():
			return Accepted
		case <-late:
			return TimeLimit
		case <-flooded:
			return OutputLimit
		case <-poll.C:
			*memory = max(*memory, p.memory())
			if lim.memory > 0 && *memory > lim.memory {
				return MemoryLimit
			}
		}
	}
}

// process is a command that runs, with our ends of its pipes.
type process struct {
	cmd            *exec.Cmd
	mark           string // in its environment, and its children's
	stdin          *os.File
	stdout, stderr *os.File
}

// start starts a command. The pipes are made here and not by package exec, whose
// Wait would wait for children that hold them, before they can be ended.
func start(argv []string) (p *process, err error) {
	p = &process{
		cmd:  exec.Command(argv[0], argv[1:]...),
		mark: fmt.Sprintf("BATCH_STRESS_RUN=%d.%d", os.Getpid(), runs.Add(1)),
	}
	p.cmd.Env = append(os.Environ(), p.mark)
	isolate(p.cmd)

	var ours, theirs [3]*os.File
	defer func() {
		for i := range theirs {
			theirs[i].Close()
			if err != nil {
				ours[i].Close() // fails quietly if it is nil, as all of them
			}
		}
	}()
	if theirs[0], ours[0], err = os.Pipe(); err != nil {
		return nil, err
	}
	if ours[1], theirs[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	if ours[2], theirs[2], err = os.Pipe(); err != nil {
		return nil, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	p.stdin, p.stdout, p.stderr = ours[0], ours[1], ours[2]
	return p, p.cmd.Start()
}

// readMost reads to the end, and returns the first most+1 bytes. If there are so
// many, it says so, once.
func readMost(r io.Reader, most int, full chan<- struct{}) []byte {
	text, _ := io.ReadAll(io.LimitReader(r, int64(most)+1)) // an error ends it like the end
	if len(text) > most && full != nil {
		full <- struct{}{}
	}
	io.Copy(io.Discard, r)
	return text
}
