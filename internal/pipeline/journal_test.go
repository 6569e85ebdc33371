package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/pipeline"
	"idabatch/internal/solver"
)

func noSave(pipeline.Position) func() error { return func() error { return nil } }

// kept is a Config for a run whose positions are of use: facts go to long, short
// rows to brief.
func kept(long, brief io.Writer) pipeline.Config {
	return pipeline.Config{
		Jobs:      2,
		NewSolver: newEcho,
		Streams: []pipeline.Stream{
			{Name: "facts", W: long, Append: facts},
			{Name: "short", W: brief, Append: short},
		},
		Checkpoint: noSave,
		Interval:   time.Hour,
	}
}

// positionOf is the position behind the cases of a text of their own.
func positionOf(t *testing.T, inputs ...pipeline.Input) pipeline.Position {
	t.Helper()
	totals, err := pipeline.Run(t.Context(), pipeline.Files(inputs, detectEcho), kept(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	return totals.At
}

// A run that goes on writes the rows that are missing, from whatever case on, and
// comes to the same position.
func TestResume(t *testing.T) {
	const first, second = "s1\n\ni\nu22\nl4444\n", "  s55555 \nii\ns6\n"
	var long, brief bytes.Buffer
	whole := []pipeline.Input{text("a", first), text("b", second)}
	totals, err := pipeline.Run(t.Context(), pipeline.Files(whole, detectEcho), kept(&long, &brief))
	if err != nil {
		t.Fatal(err)
	}
	end := totals.At
	if end.Cases != 7 || end.Bytes[0] != int64(long.Len()) || end.Bytes[1] != int64(brief.Len()) || len(end.SHA256) != 64 {
		t.Fatalf("at the end %+v", end)
	}
	// What a run that stops behind each of the cases has read.
	starts := []pipeline.Position{{}}
	for _, cut := range []string{"s1", "i", "u22", "l4444"} {
		starts = append(starts, positionOf(t, text("a", first[:strings.Index(first, cut+"\n")+len(cut)])))
	}
	for _, cut := range []string{"s55555", "ii", "s6"} {
		starts = append(starts, positionOf(t, text("a", first), text("b", second[:strings.Index(second, cut)+len(cut)])))
	}
	for n, start := range starts {
		if start.Cases != int64(n) {
			t.Fatalf("position %+v, want %d cases", start, n)
		}
		for name, cfg := range settings {
			if n == 0 {
				start.Bytes = []int64{0, 0}
			}
			var moreLong, moreBrief bytes.Buffer
			set := kept(&moreLong, &moreBrief)
			set.Jobs, set.RunLength, set.Window, set.Resume = cfg.Jobs, cfg.RunLength, cfg.Window, start
			begun := 0
			set.Begin = func() error {
				if begun++; begun > 1 || moreLong.Len() > 0 {
					t.Errorf("%s, from %d: begun %d times, %d bytes written", name, n, begun, moreLong.Len())
				}
				return nil
			}
			var seen int
			set.Observe = func(cases []pipeline.Outcome) { seen += len(cases) }
			got, err := pipeline.Run(t.Context(), pipeline.Files(whole, detectEcho), set)
			if err != nil || begun != 1 || got.Cases != int64(7-n) || seen != 7-n {
				t.Fatalf("%s, from %d: %d cases, %d observed, begun %d times, error %v", name, n, got.Cases, seen, begun, err)
			}
			if moreLong.String() != long.String()[start.Bytes[0]:] || moreBrief.String() != brief.String()[start.Bytes[1]:] {
				t.Errorf("%s, from %d: the rows are\n%s", name, n, moreLong.String())
			}
			if diff := cmp.Diff(end, got.At); diff != "" {
				t.Errorf("%s, from %d: -want +got:\n%s", name, n, diff)
			}
		}
	}
}

func TestResumeRandom(t *testing.T) {
	const n = 50
	src := func(first uint64, n uint64) pipeline.Source { return pipeline.Random(echo, 3, first, n, -1) }
	var long, brief bytes.Buffer
	if _, err := pipeline.Run(t.Context(), src(11, n), kept(&long, &brief)); err != nil {
		t.Fatal(err)
	}
	for done := range uint64(n + 1) {
		before, err := pipeline.Run(t.Context(), src(11, done), kept(io.Discard, io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		var more bytes.Buffer
		cfg := kept(&more, io.Discard)
		cfg.Resume = before.At
		got, err := pipeline.Run(t.Context(), src(11, n), cfg)
		if err != nil || got.At.Cases != n || got.At.SHA256 != "" || more.String() != long.String()[before.At.Bytes[0]:] {
			t.Fatalf("from %d: %+v, error %v", done, got.At, err)
		}
	}
	cfg := kept(io.Discard, io.Discard)
	cfg.Resume = pipeline.Position{Cases: n + 1, Bytes: []int64{0, 0}}
	var changed *pipeline.ChangedError
	if _, err := pipeline.Run(t.Context(), src(11, n), cfg); !errors.As(err, &changed) || changed.Found != n {
		t.Errorf("more cases than there are: error %v", err)
	}
}

// What was read must be the same cases, and what makes no difference may change.
func TestResumeChangedInput(t *testing.T) {
	const (
		input = "s1\ns2\n\ns3\ns4\ns5\n"
		cases = 3 // done
	)
	in := func(s string) []pipeline.Input { return []pipeline.Input{text("in", s)} }
	start := positionOf(t, text("in", "s1\ns2\n\ns3"))
	for _, tt := range []struct {
		name   string
		inputs []pipeline.Input
		found  int64 // cases of before that are found; -1: all, and the run goes on
	}{
		{"the same", in(input), -1},
		{"blanks", in(" s1\t\r\n\ts2 \r\n\r\n  s3 \ns4\ns5\n"), -1},
		{"no final newline", in("s1\ns2\n\ns3\ns4\ns5"), -1},
		{"more cases", in(input + "s6\ns7\n"), -1},
		{"fewer, but not too few", in("s1\ns2\n\ns3\n"), -1},
		{"later cases", in("s1\ns2\n\ns3\nother\ncases\n"), -1},
		{"an end behind them", in("s1\ns2\n\ns3\n0\n"), -1},
		{"compressed", in(gz(input)), -1},
		{"compressed again", in(zst(input)), -1},
		{"in two members", in(gz("s1\ns", "2\n\ns3\ns4\ns5\n")), -1},
		{"another file behind it", append(in(input), text("more", "s\n")), -1},
		{"an empty file before it", append([]pipeline.Input{text("before", "")}, in(input)...), cases},
		{"the first case", in("s0\ns2\n\ns3\ns4\ns5\n"), cases},
		{"the last case", in("s1\ns2\n\nS3\ns4\ns5\n"), cases},
		{"a blank line less", in("s1\ns2\ns3\ns4\ns5\n"), cases},
		{"a blank line more", in("s1\n\ns2\n\ns3\ns4\ns5\n"), cases},
		{"a case less", in("s2\n\ns3\ns4\ns5\n"), cases},
		{"another order", in("s2\ns1\n\ns3\ns4\ns5\n"), cases},
		{"another name", []pipeline.Input{text("out", input)}, cases},
		{"two files", []pipeline.Input{text("in", "s1\ns2\n"), text("in", "\n\n\ns3\ns4\n")}, cases},
		{"too few", in("s1\ns2\n"), 2},
		{"an end", in("s1\n0\ns2\n\ns3\n"), 1},
		{"empty", in(""), 0},
		{"nothing", nil, 0},
	} {
		var out bytes.Buffer
		var begun bool
		cfg := kept(&out, io.Discard)
		cfg.Resume = start
		cfg.Begin = func() error { begun = true; return nil }
		totals, err := pipeline.Run(t.Context(), pipeline.Files(tt.inputs, detectEcho), cfg)
		if tt.found < 0 {
			if err != nil || !begun {
				t.Errorf("%s: begun %v, error %v", tt.name, begun, err)
			}
			continue
		}
		var changed *pipeline.ChangedError
		if !errors.As(err, &changed) || changed.Cases != cases || changed.Found != tt.found {
			t.Errorf("%s: error %v, want %d cases found", tt.name, err, tt.found)
		}
		if begun || out.Len() > 0 || !cmp.Equal(totals.At, start) {
			t.Errorf("%s: begun %v, %d bytes written, at %+v", tt.name, begun, out.Len(), totals.At)
		}
	}
}

// The puzzle decides how the text is read, so it must be the same one.
func TestResumeOtherPuzzle(t *testing.T) {
	cfg := kept(io.Discard, io.Discard)
	cfg.Resume = positionOf(t, text("in", "s1\n"))
	var changed *pipeline.ChangedError
	_, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", "s1\ns2\n")},
		func(*solver.Scanner) (*solver.Puzzle, error) { return shout, nil }), cfg)
	if !errors.As(err, &changed) {
		t.Errorf("error %v", err)
	}
}

// A warning is told by the run that came there first.
func TestResumeTellsOnce(t *testing.T) {
	inputs := []pipeline.Input{text("a", "s\n0\nmore\n"), text("b", "s\n0\nmore\n")}
	cfg := kept(io.Discard, io.Discard)
	cfg.Resume = positionOf(t, inputs[0], text("b", "s\n"))
	var notices []pipeline.Notice
	cfg.Notice = func(n pipeline.Notice) { notices = append(notices, n) }
	if _, err := pipeline.Run(t.Context(), pipeline.Files(inputs, detectEcho), cfg); err != nil {
		t.Fatal(err)
	}
	if want := []pipeline.Notice{{Text: "b:3: text behind the end"}}; !cmp.Equal(notices, want) {
		t.Errorf("notices %v, want %v", notices, want)
	}
}

func TestBeginFails(t *testing.T) {
	for name, src := range map[string]pipeline.Source{
		"files":  pipeline.Files([]pipeline.Input{text("in", "s1\ns2\n")}, detectEcho),
		"random": pipeline.Random(echo, 1, 1, 2, -1),
	} {
		for _, n := range []int64{0, 1} {
			cfg := kept(writerFunc(func([]byte) (int, error) {
				t.Errorf("%s: something is written", name)
				return 0, nil
			}), io.Discard)
			if n > 0 {
				cfg.Resume = pipeline.Position{Cases: n, Bytes: []int64{0, 0}}
				if name == "files" {
					cfg.Resume = positionOf(t, text("in", "s1\n"))
				}
			}
			cfg.Begin = func() error { return errBoom }
			if _, err := pipeline.Run(t.Context(), src, cfg); !errors.Is(err, errBoom) {
				t.Errorf("%s, from %d: error %v", name, n, err)
			}
		}
	}
}

// A checkpoint comes every Interval while there is something new, however the
// cases were cut into runs; and it is at exactly the cases that are written.
func TestCheckpoints(t *testing.T) {
	const n = 400
	input := corpus(n)
	line := len(input) / n
	for _, tt := range []struct {
		name string
		jobs int
		cost func(i int64) time.Duration
		cfg  pipeline.Config
	}{
		{"even", 1, func(int64) time.Duration { return 10 * time.Millisecond }, pipeline.Config{}},
		{"runs that are far too long", 1, func(int64) time.Duration { return 300 * time.Millisecond }, pipeline.Config{RunLength: 150}},
		{"shared ones too", 3, func(i int64) time.Duration { return time.Duration(i%7) * 100 * time.Millisecond }, pipeline.Config{RunLength: 100}},
		{"easy, then hard", 2, func(i int64) time.Duration {
			if i < n/2 {
				return time.Microsecond
			}
			return 900 * time.Millisecond
		}, pipeline.Config{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var long, brief bytes.Buffer
			var mu atomic.Int32 // saves at work
			last, start := time.Now(), time.Now()
			count := 0
			cfg := kept(&long, &brief)
			cfg.Jobs, cfg.RunLength, cfg.Interval = tt.jobs, tt.cfg.RunLength, time.Second
			cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
				return &echoSolver{cost: func(c *solver.Case, _ solver.Limits) { time.Sleep(tt.cost(c.Index)) }}
			}
			var before int64
			cfg.Checkpoint = func(at pipeline.Position) func() error {
				count++
				if gap := time.Since(last); gap > 2*time.Second && at.Cases > before+1 {
					t.Errorf("%s: nothing for %v, and then %d cases at once", tt.name, gap, at.Cases-before)
				}
				last, before = time.Now(), at.Cases
				if at.Bytes[0] != int64(long.Len()) || at.Bytes[1] != int64(brief.Len()) {
					t.Errorf("%s: at %v, written %d and %d", tt.name, at, long.Len(), brief.Len())
				}
				if got := caseNumber(t, long.String()); int64(got) != at.Cases {
					t.Errorf("%s: at %d cases, written %d", tt.name, at.Cases, got)
				}
				if diff := cmp.Diff(positionOf(t, text("in", input[:at.Cases*int64(line)])), at); diff != "" {
					t.Errorf("%s: -want +got:\n%s", tt.name, diff)
				}
				return func() error {
					if mu.Add(1) > 1 {
						t.Errorf("%s: two at a time", tt.name)
					}
					time.Sleep(50 * time.Millisecond)
					mu.Add(-1)
					return nil
				}
			}
			totals, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), cfg)
			if err != nil || long.String() != rows("in", input) {
				t.Fatalf("%s: %d bytes of rows, error %v", tt.name, long.Len(), err)
			}
			if want := int(time.Since(start)/time.Second)/2 - 1; count < want {
				t.Errorf("%s: %d checkpoints in %v", tt.name, count, totals.Wall)
			}
			if diff := cmp.Diff(positionOf(t, text("in", input)), totals.At); diff != "" {
				t.Errorf("%s, at the end: -want +got:\n%s", tt.name, diff)
			}
		})
	}
}

// While a case takes long, what is written before it is told; and once is enough.
func TestCheckpointBeforeHardCase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := kept(io.Discard, io.Discard)
		cfg.Jobs, cfg.RunLength, cfg.Interval = 2, 1, time.Second
		var at []int64
		cfg.Checkpoint = func(p pipeline.Position) func() error {
			at = append(at, p.Cases)
			return func() error { return nil }
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Hour, func() { cancel(errInterrupt) })
		_, err := pipeline.Run(ctx, pipeline.Files([]pipeline.Input{text("in", "s\ns\nw\n"+corpus(1000))}, detectEcho), cfg)
		if !errors.Is(err, errInterrupt) || !cmp.Equal(at, []int64{2}) {
			t.Errorf("checkpoints at %v, error %v", at, err)
		}
	})
}

// Wherever a run ends, its position is that of what is written.
func TestPositionAtTheEnds(t *testing.T) {
	const n = 300
	input := corpus(n)
	line := len(input) / n
	for name, set := range settings {
		for _, bad := range []string{"w", "x1", "p"} {
			for _, before := range []int{0, 1, 150} {
				synctest.Test(t, func(t *testing.T) {
					var long bytes.Buffer
					cfg := kept(&long, io.Discard)
					cfg.Jobs, cfg.RunLength, cfg.Window = set.Jobs, set.RunLength, set.Window
					ctx, cancel := context.WithCancelCause(t.Context())
					timer := time.AfterFunc(time.Minute, func() { cancel(errInterrupt) })
					defer timer.Stop()
					got, err := pipeline.Run(ctx, pipeline.Files([]pipeline.Input{
						text("in", input[:before*line]+bad+"\n"+input)}, detectEcho), cfg)
					if err == nil {
						t.Fatal("no error")
					}
					if want := positionOf(t, text("in", input[:before*line])); !cmp.Equal(want, got.At) && before > 0 {
						t.Errorf("%s, %s behind %d: at %+v, want %+v", name, bad, before, got.At, want)
					}
					if int64(long.Len()) != got.At.Bytes[0] || got.At.Cases != int64(before) {
						t.Errorf("%s, %s behind %d: %d bytes, at %+v", name, bad, before, long.Len(), got.At)
					}
				})
			}
		}
	}
}

// Where a stream fails, the position is before its torn row.
func TestPositionAtFailedWrite(t *testing.T) {
	input := corpus(20000)
	line := len(input) / 20000
	for _, room := range []int{0, 1, 100_000, 300_001} {
		for bad := range 2 {
			taps := []*tap{{room: 1 << 30}, {room: 1 << 30}}
			taps[bad].room, taps[bad].err = room, syscall.ENOSPC
			got, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", input)}, detectEcho), kept(taps[0], taps[1]))
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("error %v", err)
			}
			want := positionOf(t, text("in", input[:got.At.Cases*int64(line)]))
			if !cmp.Equal(want, got.At) && got.At.Cases > 0 {
				t.Errorf("at %+v, want %+v", got.At, want)
			}
			for k := range taps {
				if got.At.Bytes[k] > int64(taps[k].Len()) {
					t.Errorf("stream %d has %d bytes, at %+v", k, taps[k].Len(), got.At)
				}
			}
		}
	}
}

func TestSaveFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := kept(io.Discard, io.Discard)
		cfg.Interval = time.Second
		cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
			return &echoSolver{cost: func(*solver.Case, solver.Limits) { time.Sleep(time.Millisecond) }}
		}
		cfg.Checkpoint = func(pipeline.Position) func() error { return func() error { return errBoom } }
		totals, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, 1e9, -1), cfg)
		if !errors.Is(err, errBoom) || totals.Wall > 2*time.Second {
			t.Errorf("error %v after %v", err, totals.Wall)
		}
	})
}

// A disk that takes long holds up nobody.
func TestSlowSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := kept(io.Discard, io.Discard)
		cfg.Jobs, cfg.Interval = 1, time.Second
		cfg.NewSolver = func(*solver.Puzzle) solver.Solver {
			return &echoSolver{cost: func(*solver.Case, solver.Limits) { time.Sleep(time.Millisecond) }}
		}
		checkpoints := 0
		cfg.Checkpoint = func(pipeline.Position) func() error {
			checkpoints++
			return func() error { time.Sleep(10 * time.Second); return nil }
		}
		const n = 35_000
		totals, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, n, -1), cfg)
		if most := n*time.Millisecond + 10*time.Second; err != nil || totals.Wall > most || checkpoints != 4 {
			t.Errorf("%d checkpoints, %v, error %v", checkpoints, totals.Wall, err)
		}
	})
}

func TestEpoch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		cfg := pipeline.Config{Jobs: 1, NewSolver: newEcho, Epoch: time.Now().Add(-time.Hour),
			Streams: []pipeline.Stream{{W: &out, Append: timings, Timed: true}}}
		if _, err := pipeline.Run(t.Context(), pipeline.Random(echo, 1, 1, 1, -1), cfg); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("1 1 %d 0\n", time.Hour); out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}
