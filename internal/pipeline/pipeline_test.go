package pipeline_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"idabatch/internal/pipeline"
	"idabatch/internal/solver"
)

// settings are the ways to run that must make no difference.
func settings(yield func(name string, cfg pipeline.Config) bool) {
	for _, jobs := range []int{1, 2, 8} {
		for _, length := range []int{0, 1, 7, 1000} {
			for _, window := range []int{1, 5, 64, 0} {
				cfg := pipeline.Config{Jobs: jobs, RunLength: length, Window: window}
				if !yield(fmt.Sprintf("jobs=%d,length=%d,window=%d", jobs, length, window), cfg) {
					return
				}
			}
		}
	}
}

// one is a Config for a single stream of facts into w.
func one(w io.Writer) pipeline.Config {
	return pipeline.Config{
		Jobs:      2,
		NewSolver: newEcho,
		Streams:   []pipeline.Stream{{Name: "facts", W: w, Append: facts}},
	}
}

// row is what facts makes of a case.
func row(i int, puzzle, source string, line int, text string) string {
	status, moves := "solved", ""
	switch text[0] {
	case 'i':
		status = "invalid"
	case 'u':
		status = "unsolvable"
	case 'l':
		status = "limit"
	case 'w':
		status = "timeout"
	default:
		b := []byte(text)
		slices.Reverse(b)
		moves = string(b)
	}
	return fmt.Sprintf("%d %s %s:%d %s %s\n", i, puzzle, source, line, status, moves)
}

// rows is the row of each line of a text in which every line is a case.
func rows(source, text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(row(i+1, "echo", source, i+1, line))
	}
	return b.String()
}

// caseNumber is the 7 of "7 echo ..." in the last of some rows, 0 for none.
func caseNumber(t *testing.T, rows string) (n int) {
	t.Helper()
	if rows == "" {
		return 0
	}
	if !strings.HasSuffix(rows, "\n") {
		t.Fatalf("a torn row at the end: %q", rows[max(0, len(rows)-80):])
	}
	last := rows[strings.LastIndexByte(rows[:len(rows)-1], '\n')+1:]
	if _, err := fmt.Sscan(last, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// hashCost is a cost of 0 to 20 ms that depends on the text alone, a hundred
// times that for one case in fifty. It is for bubbles, where it takes no time.
func hashCost(c *solver.Case, _ solver.Limits) {
	h := fnv.New32a()
	h.Write(c.Text)
	n := h.Sum32()
	d := time.Duration(n%2000) * 10 * time.Microsecond
	if n%50 == 0 {
		d *= 100
	}
	time.Sleep(d)
}

func TestBytesDoNotDependOnSettings(t *testing.T) {
	const kinds = "sssssssiul"
	var inputs []pipeline.Input
	var wantFacts, wantShort strings.Builder
	index := 0
	for f := range 5 {
		name, puzzle := fmt.Sprintf("echo%d.txt", f), "echo"
		if f%2 == 1 {
			name, puzzle = fmt.Sprintf("shout%d.txt", f), "shout"
		}
		var b strings.Builder
		for i := range []int{300, 1, 0, 40, 90}[f] {
			line := fmt.Sprintf("%c%d.%d", kinds[(i+f)%len(kinds)], f, i)
			b.WriteString(line + "\n\n")
			index++
			r := row(index, puzzle, name, 2*i+1, line)
			wantFacts.WriteString(r)
			if line[0] == 's' {
				wantShort.WriteString(r[strings.LastIndexByte(r, ' ')+1:])
			}
		}
		inputs = append(inputs, text(name, b.String()))
	}
	// Detect is called once for each input, in order.
	detect := func() func(*solver.Scanner) (*solver.Puzzle, error) {
		f := -1
		return func(*solver.Scanner) (*solver.Puzzle, error) {
			f++
			return []*solver.Puzzle{echo, shout}[f%2], nil
		}
	}

	for name, cfg := range settings {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var long, brief, timing bytes.Buffer
				var made atomic.Int64
				cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
					made.Add(1)
					return &echoSolver{cost: hashCost}
				}
				cfg.Streams = []pipeline.Stream{
					{Name: "timing", W: &timing, Append: timings, Timed: true},
					{Name: "facts", W: &long, Append: facts},
					{Name: "short", W: &brief, Append: short},
				}
				totals, err := pipeline.Run(t.Context(), pipeline.Files(inputs, detect()), cfg)
				if err != nil {
					t.Fatal(err)
				}
				if long.String() != wantFacts.String() {
					t.Errorf("facts differ: got %d bytes, want %d", long.Len(), wantFacts.Len())
				}
				if brief.String() != wantShort.String() {
					t.Errorf("short rows differ: got %d bytes, want %d", brief.Len(), wantShort.Len())
				}
				if totals.Cases != int64(index) {
					t.Errorf("%d cases, want %d", totals.Cases, index)
				}
				if n := made.Load(); n > int64(2*cfg.Jobs) {
					t.Errorf("%d solvers made for %d workers and two puzzles", n, cfg.Jobs)
				}
				checkTimings(t, timing.String(), index, cfg.Jobs)
			})
		})
	}
}

func timings(dst []byte, _ *solver.Puzzle, c *solver.Case, _ *solver.Result, m pipeline.Timing) []byte {
	return fmt.Appendf(dst, "%d %d %d %d\n", c.Index, m.Worker, m.Start, m.Elapsed)
}

// checkTimings wants each case once, and no worker at two cases at a time.
func checkTimings(t *testing.T, rows string, n, jobs int) {
	t.Helper()
	type span struct{ start, end time.Duration }
	spans := map[int][]span{}
	lines := strings.Split(strings.TrimSpace(rows), "\n")
	if len(lines) != n {
		t.Fatalf("%d timings, want %d", len(lines), n)
	}
	for i, line := range lines {
		var index, worker int
		var start, elapsed time.Duration
		if _, err := fmt.Sscan(line, &index, &worker, &start, &elapsed); err != nil {
			t.Fatal(err)
		}
		if index != i+1 || worker < 1 || worker > jobs || start < 0 || elapsed < 0 {
			t.Fatalf("timing %d: %q", i+1, line)
		}
		spans[worker] = append(spans[worker], span{start, start + elapsed})
	}
	for worker, s := range spans {
		slices.SortFunc(s, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
		for i := range s[1:] {
			if s[i].end > s[i+1].start {
				t.Fatalf("worker %d has cases at %v and %v", worker, s[i], s[i+1])
			}
		}
	}
}

// The same with real time and real contention, for the race detector.
func TestBytesUnderContention(t *testing.T) {
	input := corpus(10000)
	want := rows("in", input)
	for _, jobs := range []int{1, 3} {
		for _, length := range []int{0, 5} {
			var out bytes.Buffer
			cfg := one(&out)
			cfg.Jobs, cfg.RunLength = jobs, length
			cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
				return &echoSolver{cost: func(*solver.Case, solver.Limits) {
					for range rand.IntN(100) {
						rand.Uint64()
					}
				}}
			}
			if _, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), cfg); err != nil {
				t.Fatal(err)
			}
			if out.String() != want {
				t.Errorf("jobs %d, length %d: the bytes differ", jobs, length)
			}
		}
	}
}

func TestTiming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		cfg := pipeline.Config{
			Jobs: 1,
			NewSolver: func(*solver.Puzzle) solver.Solver {
				time.Sleep(time.Minute) // no case's time
				return &echoSolver{cost: func(c *solver.Case, _ solver.Limits) {
					time.Sleep(time.Duration(len(c.Text)) * time.Second)
				}}
			},
			Streams: []pipeline.Stream{{W: &out, Append: timings, Timed: true}, {W: io.Discard,
				// A row that takes long is a part of its case, also on a later stream.
				Append: func(dst []byte, _ *solver.Puzzle, _ *solver.Case, _ *solver.Result, m pipeline.Timing) []byte {
					if m != (pipeline.Timing{}) {
						t.Errorf("a stream that is not timed gets %v", m)
					}
					time.Sleep(time.Millisecond)
					return dst
				}}},
		}
		totals, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", "s\nss\nsss\n")}, detectEcho), cfg)
		if err != nil {
			t.Fatal(err)
		}
		want := "1 1 60000000000 1001000000\n2 1 61001000000 2001000000\n3 1 63002000000 3001000000\n"
		if out.String() != want {
			t.Errorf("got\n%swant\n%s", out.String(), want)
		}
		wall := time.Minute + 6003*time.Millisecond
		if totals.Wall != wall || len(totals.Busy) != 1 || totals.Busy[0] != wall {
			t.Errorf("wall %v, busy %v, want %v for both", totals.Wall, totals.Busy, wall)
		}
	})
}

func TestTotalsAndObserve(t *testing.T) {
	// Echo expands a state a letter, and generates two, where it searches.
	input := "s1\ni\nu22\nl4444\ns55555\nii\n"
	var seen []pipeline.Outcome
	var notices []pipeline.Notice
	var progress pipeline.Progress
	cfg := one(io.Discard)
	cfg.Observe = func(cases []pipeline.Outcome) { seen = append(seen, cases...) }
	cfg.Notice = func(n pipeline.Notice) { notices = append(notices, n) }
	cfg.Progress = &progress
	got, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("a", input), text("b", "s\n0\nmore\n")}, detectEcho), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got.Cases != 7 || got.ByStatus != [...]int64{3, 2, 1, 1, 0} || got.DepthSum != 2+6+1 || got.DepthMax != 6 ||
		got.Expanded != 2+5+6+1 || got.Generated != 2*(2+5+6+1) || got.ExpandedMax != 6 {
		t.Errorf("totals %+v", got)
	}
	want := []pipeline.Outcome{
		{solver.Solved, 2, 2, 4}, {Status: solver.Invalid}, {Status: solver.Unsolvable}, {solver.Limit, 0, 5, 10},
		{solver.Solved, 6, 6, 12}, {Status: solver.Invalid}, {solver.Solved, 1, 1, 2},
	}
	if !slices.Equal(seen, want) {
		t.Errorf("observed %v, want %v", seen, want)
	}
	wantNotices := []pipeline.Notice{
		{2, "a:2: what is this"}, {6, "a:6: what is this"}, {0, "b:3: text behind the end"},
	}
	if !slices.Equal(notices, wantNotices) {
		t.Errorf("notices %v, want %v", notices, wantNotices)
	}
	if c, b := progress.Cases.Load(), progress.Bytes.Load(); c != 7 || b != int64(len(input)+len("s\n0\nmore\n")) {
		t.Errorf("progress: %d cases, %d bytes", c, b)
	}
}

// A hard case does not keep the other workers from its neighbours, and its run
// is not longer than it has to be.
func TestHardCaseLeavesOthersBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 4000
		cfg := one(io.Discard)
		cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
			return &echoSolver{cost: func(c *solver.Case, _ solver.Limits) {
				d := time.Millisecond
				if c.Index == n/4 {
					d *= 1000
				}
				time.Sleep(d)
			}}
		}
		totals, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, n, -1), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if most := (n + 1000) * time.Millisecond / 2 * 11 / 10; totals.Wall > most {
			t.Errorf("two workers took %v, want at most %v", totals.Wall, most)
		}
	})
}

// Hard cases behind easy ones are cut into runs as if they were easy too. The
// workers share them all the same.
func TestWorkIsShared(t *testing.T) {
	const n = 12000
	fromSeed := pipeline.Random(echo, 7, 1, n, -1)
	fromFile := pipeline.Files([]pipeline.Input{text("in", corpus(n))}, detectEcho)
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i+1, "echo", "seed=7", i+1, string(echo.Random(nil, 7, uint64(i+1), -1))))
	}
	wantSeed, wantFile := b.String(), rows("in", corpus(n))
	for _, tt := range []struct {
		name string
		cost func(i int64) time.Duration
	}{
		{"ever harder", func(i int64) time.Duration { return time.Microsecond << min(30, i*31/n) / 10 }},
		{"hard at the end", func(i int64) time.Duration {
			if i > n-300 {
				return time.Second
			}
			return 200
		}},
		{"hard in the middle", func(i int64) time.Duration { // and the window fills up behind them
			if i > 2000 && i < 2400 {
				return time.Second
			}
			return 200
		}},
	} {
		for _, jobs := range []int{2, 3, 8} {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				var mu sync.Mutex
				var total, longest time.Duration
				cfg := one(&out)
				cfg.Jobs, cfg.Window = jobs, 4096
				cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
					return &echoSolver{cost: func(c *solver.Case, _ solver.Limits) {
						d := tt.cost(c.Index)
						mu.Lock()
						total += d
						longest = max(longest, d)
						mu.Unlock()
						time.Sleep(d)
					}}
				}
				src, want := fromSeed, wantSeed
				if jobs == 3 {
					src, want = fromFile, wantFile
				}
				totals, err := pipeline.Run(t.Context(), src, cfg)
				if err != nil || totals.Cases != n {
					t.Fatal(totals.Cases, err)
				}
				if out.String() != want {
					t.Errorf("%s, %d jobs: the rows are wrong", tt.name, jobs)
				}
				if most := total/time.Duration(jobs)*11/10 + 2*longest; totals.Wall > most {
					t.Errorf("%s: %d jobs took %v for work of %v, want at most %v", tt.name, jobs, totals.Wall, total, most)
				}
			})
		}
	}
}

// The length of the runs follows what the cases cost.
func TestRunLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const easy, hard = 10000, 400
		var lengths []int
		var progress pipeline.Progress
		done := int64(-1) // a worker counts a run at its end
		cfg := one(io.Discard)
		cfg.Jobs = 1
		cfg.Progress = &progress
		cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
			return &echoSolver{cost: func(c *solver.Case, _ solver.Limits) {
				if n := progress.Cases.Load(); n != done {
					done = n
					lengths = append(lengths, 0)
				}
				lengths[len(lengths)-1]++
				if c.Index <= easy {
					time.Sleep(10 * time.Microsecond) // a hundred are a millisecond
				} else {
					time.Sleep(time.Second)
				}
			}}
		}
		if _, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, easy+hard, -1), cfg); err != nil {
			t.Fatal(err)
		}
		before := 1
		for i, n := range lengths {
			if n > 2*before || n > 100 || i == 0 && n > 1 {
				t.Fatalf("run %d has %d cases, the one before it %d", i, n, before)
			}
			before = n
		}
		if most := slices.Max(lengths); most != 100 {
			t.Errorf("the longest run has %d cases, want 100", most)
		}
		// Three runs had been cut when the first hard case was met: one was at
		// work, one waited, one was to wait next.
		if last := lengths[len(lengths)-1]; last != 1 || len(lengths) < easy/100+hard-3*100 {
			t.Errorf("%d runs, the last with %d cases", len(lengths), last)
		}
	})
}

// What is read and not yet written is bounded, although a case holds up all.
func TestWindowBoundsCasesInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const window = 100
		var out bytes.Buffer
		var progress pipeline.Progress
		cfg := one(&out)
		cfg.Window, cfg.Progress = window, &progress
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() {
			synctest.Wait()
			// The run that is being made is not counted by the window.
			const longest = window / 8
			if n := progress.Cases.Load() - 2; n < window-longest || n > window-1 {
				t.Errorf("%d cases finished behind the one that waits, window %d", n, window)
			}
			cancel(errBoom)
		})
		_, err := pipeline.Run(ctx, pipeline.Files([]pipeline.Input{{Name: "in", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("s\ns\nw\n"), endless(corpus(100)))), nil
		}}}, detectEcho), cfg)
		if !errors.Is(err, errBoom) {
			t.Errorf("error %v, want the cause", err)
		}
		if want := rows("in", "s\ns\n"); out.String() != want {
			t.Errorf("written %q, want %q", out.String(), want)
		}
	})
}

func TestTimeout(t *testing.T) {
	for _, timed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var out, timing bytes.Buffer
			cfg := one(&out)
			cfg.Jobs, cfg.RunLength, cfg.Timeout = 1, 3, 7*time.Second
			if timed {
				cfg.Streams = append(cfg.Streams, pipeline.Stream{W: &timing, Append: timings, Timed: true})
			}
			input := "s\nw\ns\nw\nw\n"
			totals, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if want := rows("in", input); out.String() != want {
				t.Errorf("got %q, want %q", out.String(), want)
			}
			if totals.Wall != 3*cfg.Timeout {
				t.Errorf("wall %v, want three times %v", totals.Wall, cfg.Timeout)
			}
			want := "1 1 0 0\n2 1 0 7000000000\n3 1 7000000000 0\n4 1 7000000000 7000000000\n5 1 14000000000 7000000000\n"
			if timed && timing.String() != want {
				t.Errorf("got\n%swant\n%s", timing.String(), want)
			}
		})
	}
}

func TestMaxNodesIsPassedOn(t *testing.T) {
	cfg := one(io.Discard)
	cfg.MaxNodes = 4711
	cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
		return &echoSolver{cost: func(_ *solver.Case, lim solver.Limits) {
			if lim.MaxNodes != 4711 {
				t.Errorf("MaxNodes %d", lim.MaxNodes)
			}
		}}
	}
	if _, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, 10, -1), cfg); err != nil {
		t.Fatal(err)
	}
}

// A solver may write to the text that it is given, and behind it.
func TestTextIsTheSolvers(t *testing.T) {
	var out bytes.Buffer
	cfg := one(&out)
	cfg.RunLength = 10
	cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
		return &echoSolver{cost: func(c *solver.Case, _ solver.Limits) {
			c.Text = append(c.Text, "xxxxxxxxxxxxxxxxxxxxxxxx"...)
			c.Text = c.Text[:len(c.Text)-24]
		}}
	}
	input := corpus(100)
	if _, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), cfg); err != nil {
		t.Fatal(err)
	}
	if out.String() != rows("in", input) {
		t.Errorf("got\n%s", out.String())
	}
}

func TestNoCases(t *testing.T) {
	for name, src := range map[string]pipeline.Source{
		"no inputs":    pipeline.Files(nil, detectEcho),
		"empty":        pipeline.Files([]pipeline.Input{text("in", "")}, detectEcho),
		"two empty":    pipeline.Files([]pipeline.Input{text("a", "\n\n"), text("b", "0")}, detectEcho),
		"random, none": pipeline.Random(echo, 1, 1, 0, -1),
	} {
		cfg := one(writerFunc(func([]byte) (int, error) {
			t.Errorf("%s: something is written", name)
			return 0, nil
		}))
		if totals, err := pipeline.Run(t.Context(), src, cfg); err != nil || totals.Cases != 0 {
			t.Errorf("%s: %d cases, error %v", name, totals.Cases, err)
		}
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A bad case ends the run, after all cases before it are written.
func TestBadCaseEndsRun(t *testing.T) {
	const good, more = 50, 3000
	badAppend := func(dst []byte, _ *solver.Puzzle, c *solver.Case, _ *solver.Result, _ pipeline.Timing) []byte {
		if c.Text[0] == 'a' {
			panic(errBoom)
		}
		return dst
	}
	for _, tt := range []struct {
		name, bad string
		check     func(err error) string
	}{
		{"replay", "x51", func(err error) string {
			var e *pipeline.ReplayError
			if !errors.As(err, &e) {
				return "not a ReplayError"
			}
			if e.Case != good+1 || e.Source != "in:51" || e.Text != "x51" || e.Moves != "25x" || e.Err == nil {
				return fmt.Sprintf("%+v", e)
			}
			return ""
		}},
		{"panic in the solver", "p51", isPanic(`case 51 (in:51, "p51")`)},
		{"panic in an encoder", "a51", isPanic(`case 51 (in:51, "a51")`)},
	} {
		input := strings.Repeat("s1\n", good) + tt.bad + "\n" + strings.Repeat("s2\n", more)
		want := rows("in", strings.Repeat("s1\n", good))
		for name, cfg := range settings {
			var out bytes.Buffer
			cfg.NewSolver = newEcho
			cfg.Streams = []pipeline.Stream{
				{Name: "facts", W: &out, Append: facts},
				{Name: "bad", W: io.Discard, Append: badAppend},
			}
			totals, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), cfg)
			if err == nil {
				t.Fatalf("%s, %s: no error", tt.name, name)
			}
			if msg := tt.check(err); msg != "" {
				t.Errorf("%s, %s: %s: %v", tt.name, name, msg, err)
			}
			if out.String() != want || totals.Cases != good {
				t.Errorf("%s, %s: %d cases written, totals %d, want %d", tt.name, name, strings.Count(out.String(), "\n"), totals.Cases, good)
			}
		}
	}
}

func isPanic(where string) func(error) string {
	return func(err error) string {
		var e *pipeline.PanicError
		switch {
		case !errors.As(err, &e):
			return "not a PanicError"
		case e.Where != where || e.Value != errBoom:
			return fmt.Sprintf("%q, %v", e.Where, e.Value)
		case !bytes.Contains(e.Stack, []byte("fake_test.go")) && !bytes.Contains(e.Stack, []byte("pipeline_test.go")):
			return "the stack does not show the place"
		}
		return ""
	}
}

func TestWrongSymbolFailsReplay(t *testing.T) {
	cfg := one(io.Discard)
	src := pipeline.Random(&solver.Puzzle{Name: "other", Random: echo.Random,
		Replay: func([]byte, []byte) (byte, error) { return '!', nil }}, 3, 8, 1, -1)
	_, err := pipeline.Run(t.Context(), src, cfg)
	var e *pipeline.ReplayError
	if !errors.As(err, &e) || e.Source != "seed=3:8" {
		t.Errorf("error %v", err)
	}
}

func TestPanicInFramer(t *testing.T) {
	bad := &solver.Puzzle{Name: "bad", Replay: echo.Replay, Frame: func(s *solver.Scanner) solver.Framer {
		return &badFramer{lines{s: s}}
	}}
	var out bytes.Buffer
	_, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", "s1\ns2\nbad\n")},
		func(*solver.Scanner) (*solver.Puzzle, error) { return bad, nil }), one(&out))
	if msg := isPanic("in:4")(err); msg != "" {
		t.Errorf("%s: %v", msg, err)
	}
	if got := caseNumber(t, out.String()); got != 2 {
		t.Errorf("%d cases written, want 2", got)
	}
}

type badFramer struct{ lines }

func (f *badFramer) Next(dst []byte) ([]byte, solver.Span, error) {
	dst, at, err := f.lines.Next(dst)
	if string(dst) == "bad" {
		panic(errBoom)
	}
	return dst, at, err
}

// tap fails after some bytes, as a full disk does.
type tap struct {
	bytes.Buffer
	room int
	err  error
}

func (t *tap) Write(p []byte) (int, error) {
	if len(p) > t.room {
		n, _ := t.Buffer.Write(p[:t.room])
		t.room = 0
		return n, t.err
	}
	t.room -= len(p)
	return t.Buffer.Write(p)
}

func TestFailedWrite(t *testing.T) {
	input := corpus(600)
	want := rows("in", input)
	for name, cfg := range settings {
		for _, room := range []int{0, 20000} {
			for bad := range 3 {
				taps := make([]*tap, 3)
				cfg.Streams = nil
				for k := range taps {
					taps[k] = &tap{room: 1 << 30, err: syscall.EPIPE}
					cfg.Streams = append(cfg.Streams, pipeline.Stream{Name: fmt.Sprint("stream ", k), W: taps[k], Append: facts})
				}
				taps[bad].room = room
				cfg.NewSolver = newEcho
				totals, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), cfg)
				var we *pipeline.WriteError
				if !errors.As(err, &we) || we.Stream != fmt.Sprint("stream ", bad) || !errors.Is(err, syscall.EPIPE) {
					t.Fatalf("%s, stream %d: error %v", name, bad, err)
				}
				if taps[bad].String() != want[:room] {
					t.Errorf("%s, stream %d: it holds %d bytes, want %d", name, bad, taps[bad].Len(), room)
				}
				// Cases are counted that all streams have.
				if whole := strings.Count(want[:room], "\n"); totals.Cases > int64(whole) {
					t.Errorf("%s, stream %d: it has %d cases, the totals %d", name, bad, whole, totals.Cases)
				}
				for k, other := range taps {
					if k == bad {
						continue
					}
					got := other.String()
					if !strings.HasPrefix(want, got) || len(got) < room {
						t.Errorf("%s, stream %d: stream %d is no prefix, or too short (%d bytes)", name, bad, k, len(got))
					}
					if n := caseNumber(t, got); int64(n) < totals.Cases {
						t.Errorf("%s, stream %d: stream %d has %d cases, the totals %d", name, bad, k, n, totals.Cases)
					}
				}
			}
		}
	}
}

func TestFailedWritesAreAllTold(t *testing.T) {
	cfg := one(&tap{err: syscall.ENOSPC})
	cfg.Streams = append(cfg.Streams,
		pipeline.Stream{Name: "short", W: writerFunc(func(p []byte) (int, error) { return len(p) / 2, nil }), Append: facts},
		pipeline.Stream{Name: "pipe", W: &tap{err: syscall.EPIPE}, Append: facts})
	_, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, 10, -1), cfg)
	for _, target := range []error{syscall.ENOSPC, syscall.EPIPE, io.ErrShortWrite} {
		if !errors.Is(err, target) {
			t.Errorf("error %v, want it to be %v", err, target)
		}
	}
	want := "writing facts: no space left on device\nwriting short: short write\nwriting pipe: broken pipe"
	if err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

// A failed write also ends searches that would take for ever.
func TestFailedWriteStopsSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := one(&tap{err: syscall.EPIPE})
		_, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", "s\nw\nw\nw\n")}, detectEcho), cfg)
		if !errors.Is(err, syscall.EPIPE) {
			t.Errorf("error %v", err)
		}
	})
}

// interrupt is how a context of ours ends in these tests.
var errInterrupt = errors.New("interrupt")

func TestCancel(t *testing.T) {
	before := func(ctx context.Context, cancel func()) { cancel() }
	later := func(d time.Duration) func(context.Context, func()) {
		return func(ctx context.Context, cancel func()) { time.AfterFunc(d, cancel) }
	}
	slow := func(*solver.Puzzle) solver.Solver {
		return &echoSolver{cost: func(*solver.Case, solver.Limits) { time.Sleep(time.Second) }}
	}
	many := strings.Repeat("s\n", 1000)
	for _, tt := range []struct {
		name      string
		input     string
		newSolver func(*solver.Puzzle) solver.Solver
		cancel    func(ctx context.Context, cancel func())
		min, max  int           // cases written; max is for each worker
		wall      time.Duration // until the end, at most
	}{
		{"before", many, newEcho, before, 0, 0, 0},
		{"between cases", many, slow, later(10500 * time.Millisecond), 11, 11, 11 * time.Second},
		{"in a search", "s\ns\nw\n" + many, newEcho, later(time.Minute), 2, 2, time.Minute + time.Second},
		{"in all workers", "s\ns\nw\nw\nw\nw\n" + many, newEcho, later(time.Minute), 2, 2, time.Minute + time.Second},
		{"in the last case", "s\ns\nw\n", newEcho, later(time.Minute), 2, 2, time.Minute + time.Second},
	} {
		for name, cfg := range settings {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var a, b bytes.Buffer
					cfg.NewSolver = tt.newSolver
					cfg.Streams = []pipeline.Stream{{Name: "a", W: &a, Append: facts}, {Name: "b", W: &b, Append: facts}}
					ctx, cancel := context.WithCancelCause(t.Context())
					tt.cancel(ctx, func() { cancel(errInterrupt) })
					totals, err := pipeline.Run(ctx, pipeline.Files([]pipeline.Input{text("in", tt.input)}, detectEcho), cfg)
					if !errors.Is(err, errInterrupt) {
						t.Errorf("error %v, want the cause", err)
					}
					if !strings.HasPrefix(rows("in", strings.ReplaceAll(tt.input, "w", "s")), a.String()) || a.String() != b.String() {
						t.Errorf("no prefix, or not the same:\n%s\n%s", a.String(), b.String())
					}
					most := tt.max * cfg.Jobs
					if n := caseNumber(t, a.String()); n > most || (n < tt.min && cfg.Window == 0) || int64(n) != totals.Cases {
						t.Errorf("%d cases, totals say %d, want %d to %d", n, totals.Cases, tt.min, most)
					}
					if totals.Wall > tt.wall {
						t.Errorf("it took %v, want at most %v", totals.Wall, tt.wall)
					}
				})
			})
		}
	}
}

// A context that ends when everything is written changes nothing.
func TestCancelAfter(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cfg := one(&out)
	cfg.Streams = append(cfg.Streams, pipeline.Stream{W: writerFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("1000 echo")) {
			cancel()
		}
		return len(p), nil
	}), Append: facts})
	if _, err := pipeline.Run(ctx, pipeline.Random(echo, 1, 1, 1000, -1), cfg); err != nil {
		t.Error(err)
	}
	if n := caseNumber(t, out.String()); n != 1000 {
		t.Errorf("%d cases written", n)
	}
}

func TestFailedWriteAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errInterrupt) })
		cfg := one(&tap{err: syscall.ENOSPC})
		// The first rows are held up by the second case, until the context ends.
		cfg.Jobs, cfg.RunLength = 1, 3
		_, err := pipeline.Run(ctx, pipeline.Files([]pipeline.Input{text("in", "s\nw\ns\n")}, detectEcho), cfg)
		if !errors.Is(err, errInterrupt) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("error %v, want both", err)
		}
	})
}

// In the steady state there is no allocation per case, only a few per read. The
// length is fixed because the detector of races makes a sync.Pool lose runs.
func TestAllocations(t *testing.T) {
	cfg := one(io.Discard)
	cfg.RunLength = 500
	cfg.Streams = append(cfg.Streams, pipeline.Stream{W: io.Discard, Append: short})
	cfg.Observe = func([]pipeline.Outcome) {}
	input := corpus(10000)
	for name, src := range map[string]func(n int) pipeline.Source{
		"files": func(n int) pipeline.Source {
			return pipeline.Files([]pipeline.Input{{Name: "in", Open: func() (io.ReadCloser, error) {
				return io.NopCloser(io.LimitReader(endless(input), int64(n*len(input)/10000))), nil
			}}}, detectEcho)
		},
		"random": func(n int) pipeline.Source { return pipeline.Random(echo, 1, 1, uint64(n), -1) },
	} {
		allocs := func(n int) float64 {
			return testing.AllocsPerRun(1, func() {
				if totals, err := pipeline.Run(t.Context(), src(n), cfg); err != nil || totals.Cases != int64(n) {
					t.Fatal(totals.Cases, err)
				}
			})
		}
		const n = 8000
		if more := (allocs(4*n) - allocs(n)) / (3 * n); more > 0.1 {
			t.Errorf("%s: %.4f allocations a case", name, more)
		}
	}
}
