//go:build unix

package referee

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver/rotation"
)

// contestant builds the program in testdata, once, and returns its name.
var contestant = sync.OnceValues(func() (string, error) {
	name := filepath.Join(os.TempDir(), fmt.Sprintf("contestant-%d", os.Getpid()))
	out, err := exec.Command("go", "build", "-o", name, "./testdata/contestant").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if name, err := contestant(); err == nil {
		os.Remove(name)
	}
	os.Exit(code)
}

// config is a short stress of a contestant that goes wrong in the given way: two
// files of 30 shallow boards.
func config(t *testing.T, mode string) Config {
	t.Helper()
	name, err := contestant()
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Puzzle: rotation.Puzzle, Accept: First, Command: []string{name, mode},
		Cases: 60, PerFile: 30, First: 1, Seed: 1,
		Case: func(dst []byte, i uint64) []byte {
			if mode == "lowest-symbol" && i == 8 {
				return append(dst, "322222112112111321333333"...) // a tie, see verify_test.go
			}
			return rotation.Puzzle.Random(dst, 1, i, int(i%5))
		},
		Jobs: 2, TimeLimit: time.Minute, HaltFirst: true,
	}
}

func TestStress(t *testing.T) {
	const brief = 150 * time.Millisecond // for who never ends anyway
	for _, tt := range []struct {
		mode    string
		verdict Verdict
		reason  string // its beginning
		time    time.Duration
		memory  int64
		accept  Accept
		small   string // cases and depth
	}{
		{mode: "correct", accept: First},
		{mode: "no-last-newline", accept: First},
		{mode: "trailing-blanks", accept: First},
		{mode: "floods-stderr", accept: First},
		{mode: "leaves-child", accept: First},
		{mode: "longer", accept: Any},
		{mode: "lowest-symbol", accept: Shortest},

		{"lowest-symbol", WrongAnswer, "case 8 (input.txt:8): BFHFDDH is as short, but BCCEEEF comes first", 0, 0, First, "1 of 4"},
		{"longer", WrongAnswer, "case 1 (input.txt:1): 3 moves, 1 is enough: ", 0, 0, Shortest, "1 of 0"},
		{"wrong-symbol", WrongAnswer, "case 1 (input.txt:1): \"", 0, 0, Any, "1 of 0"},
		{"wrong-from-3", WrongAnswer, "case ", 0, 0, First, "1 of 3"},
		{"wrong-after-solved", WrongAnswer, "case ", 0, 0, First, "2 of 1"},
		{"first-only", WrongAnswer, "case 2 (input.txt:2): no answer: the results end before it; 29 are missing", 0, 0, First, "2 of 0"},
		{"does-not-read", WrongAnswer, "case 1 (input.txt:1): no answer: the results end before it; 30 are missing", 0, 0, First, "1 of 0"},
		{"forgets-no-moves", PresentationError, "case 5 (input.txt:5): line 10: the moves are missing: \"", 0, 0, First, "1 of 0"},
		{"lower-case", PresentationError, "case 1 (input.txt:1): line 1: neither moves nor", 0, 0, First, "1 of 1"},
		{"blank-lines", PresentationError, "case 2 (input.txt:2): line 4: an empty line before it", 0, 0, First, "2 of 0"},
		{"one-more", PresentationError, "line 61: more than the answers to 30 cases: \"No moves needed\"", 0, 0, First, "1 of 0"},
		{"crashes", RuntimeError, "exit status 2; 16 of 30 answers before that are right", 0, 0, First, "17 of 0"},
		{"fails-at-last", RuntimeError, "exit status 7; 30 of 30 answers before that are right", 0, 0, First, "1 of 0"},
		{"signal", RuntimeError, "signal: killed; 0 of 30", 0, 0, First, "1 of 0"},
		{"endless", TimeLimit, "stopped after 150ms; 0 of 30 answers before that are right", brief, 0, First, "1 of 0"},
		{"waits-for-child", TimeLimit, "stopped after 150ms; 0 of 30 answers before that are right", brief, 0, First, "1 of 0"},
		{"floods", OutputLimit, "stopped after 1.1 MiB; 0 of 30 answers before that are right", 0, 0, First, "1 of 0"},
		{"eats-memory", MemoryLimit, "", 0, 32 << 20, First, "1 of 0"},
	} {
		if tt.memory > 0 && runtime.GOOS != "linux" {
			continue // nothing would stop it
		}
		t.Run(tt.mode+"/"+tt.accept.String(), func(t *testing.T) {
			t.Parallel()
			cfg := config(t, tt.mode)
			home := listen(t, &cfg)
			cfg.Accept, cfg.MemoryLimit = tt.accept, tt.memory
			if tt.time > 0 {
				cfg.TimeLimit = tt.time
			}
			out, err := Stress(t.Context(), cfg)
			home.empty()
			if err != nil {
				t.Fatal(err)
			}
			last := out.Runs[len(out.Runs)-1]
			if last.Verdict != tt.verdict || !strings.HasPrefix(last.Reason, tt.reason) {
				t.Fatalf("%v: %s, want %v: %s", last.Verdict, last.Reason, tt.verdict, tt.reason)
			}
			if tt.verdict == Accepted {
				if len(out.Runs) != 2 || out.Fault != nil {
					t.Errorf("%+v", out)
				}
				return
			}
			if !out.Steady || out.Tries > shrinkTries || out.Small.Verdict != tt.verdict {
				t.Errorf("steady %t, %d tries, small %v: %s", out.Steady, out.Tries, out.Small.Verdict, out.Small.Reason)
			}
			if small := fmt.Sprintf("%d of %d", out.Small.Cases, out.Small.Depth); small != tt.small {
				t.Errorf("small is %s, want %s, after %d tries: %s\n%s", small, tt.small, out.Tries, out.Small.Reason, out.Small.Input)
			}
		})
	}
}

// home is where the children of contestants are at home, as long as they live.
type home struct {
	t *testing.T
	l net.Listener
}

func listen(t *testing.T, cfg *Config) *home {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	cfg.Command = append([]string{"env", "CONTESTANT_HOME=" + l.Addr().String()}, cfg.Command...)
	return &home{t: t, l: l}
}

// empty checks that all who have come are gone.
func (h *home) empty() (visitors int) {
	h.t.Helper()
	for {
		h.l.(*net.TCPListener).SetDeadline(time.Now().Add(10 * time.Millisecond))
		c, err := h.l.Accept()
		if err != nil {
			return visitors
		}
		visitors++
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			h.t.Error("a child was left running")
		}
		c.Close()
	}
}

// Also a child that has left the process group is ended, where the system lets
// us find it.
func TestStressEndsDaemons(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	t.Parallel()
	cfg := config(t, "leaves-daemon")
	home := listen(t, &cfg)
	out, err := Stress(t.Context(), cfg)
	if n := home.empty(); n != 2 || err != nil || out.Fault != nil {
		t.Errorf("%d daemons, %v, %+v", n, err, out.Fault)
	}
}

func TestStressInterrupted(t *testing.T) {
	t.Parallel()
	cfg := config(t, "waits-for-child")
	home := listen(t, &cfg)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(stop) })
	start := time.Now()
	out, err := Stress(ctx, cfg)
	home.empty()
	if err != stop || len(out.Runs) > 0 || out.Fault != nil || time.Since(start) > 30*time.Second {
		t.Errorf("%+v, %v after %v", out, err, time.Since(start))
	}
}

func TestStressCannotRun(t *testing.T) {
	t.Parallel()
	cfg := config(t, "correct")
	cfg.Command = []string{filepath.Join(t.TempDir(), "absent")}
	out, err := Stress(t.Context(), cfg)
	if !errors.Is(err, os.ErrNotExist) || len(out.Runs) > 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// What is found does not depend on how many files are run at once; with never,
// every file is run.
func TestStressJobs(t *testing.T) {
	t.Parallel()
	type found struct {
		verdicts string
		file     int64
		reason   string
	}
	for _, halt := range []bool{true, false} {
		var all []found
		for _, jobs := range []int{1, 2, 8} {
			cfg := config(t, "wrong-from-3")
			cfg.Cases, cfg.PerFile, cfg.Jobs, cfg.HaltFirst = 71, 6, jobs, halt
			// Boards of depth 3 come first in the file with case 20, and all the
			// time behind that.
			cfg.Case = func(dst []byte, i uint64) []byte {
				moves := 2
				if i >= 20 {
					moves = 4
				}
				return rotation.Puzzle.Random(dst, 1, i, moves)
			}
			var mu sync.Mutex
			done := int64(0)
			cfg.Done = func(r *Run) {
				mu.Lock()
				defer mu.Unlock()
				done += r.Cases
			}
			out, err := Stress(t.Context(), cfg)
			if err != nil || !halt && done != cfg.Cases {
				t.Fatalf("%d cases, %v", done, err)
			}
			f := found{reason: out.Fault.Reason}
			for _, r := range out.Runs {
				f.verdicts += r.Verdict.String()
				if r.Verdict != Accepted && f.file == 0 {
					f.file = r.File
				}
			}
			all = append(all, f)
		}
		want := "ACACACWA"
		if !halt {
			want += strings.Repeat("WA", 8)
		}
		if all[0].verdicts != want || all[0].file != 4 {
			t.Errorf("%+v, want %s, file 4", all[0], want)
		}
		for _, f := range all[1:] {
			if diff := cmp.Diff(all[0], f, cmp.AllowUnexported(found{})); diff != "" {
				t.Errorf("with more jobs: %s", diff)
			}
		}
	}
}

// What is kept of a fault: the file, what the command made of it, and what it
// should have made.
func TestStressKeeps(t *testing.T) {
	t.Parallel()
	cfg := config(t, "crashes")
	out, err := Stress(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	f := out.Fault
	if s, faults := verify(t, rotation.Puzzle, First, strings.NewReader(string(f.Input)), strings.NewReader(string(f.Expected))); s.Accepted != 30 {
		t.Errorf("what is expected is not right: %v", faults)
	}
	if !strings.HasPrefix(string(f.Expected), string(f.Output)) || strings.Count(string(f.Output), "\n") != 2*16 {
		t.Errorf("the output is %q", f.Output)
	}
	if !strings.HasPrefix(string(f.Stderr), "panic: the 17th case\n") {
		t.Errorf("standard error is %q", f.Stderr)
	}
	if n := strings.Count(string(out.Small.Input), "\n"); n != 17+1 || !strings.HasSuffix(string(out.Small.Input), "\n0\n") {
		t.Errorf("small is\n%s", out.Small.Input)
	}
}

// A fault that does not come again is kept as it was.
func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 1 << 20: "1 MiB", 1000 << 20: "1000 MiB",
		1<<30 - 1: "1024 MiB", 1 << 30: "1 GiB", 5 << 40: "5 TiB",
	} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
}

func TestShrinkUnsteady(t *testing.T) {
	t.Parallel()
	cfg := config(t, "correct")
	flag := filepath.Join(t.TempDir(), "ran")
	cfg.Command = []string{"sh", "-c", `if [ -e "$0" ]; then "$@"; else touch "$0"; fi`, flag, cfg.Command[0], "correct"}
	cfg.Jobs = 1
	out, err := Stress(t.Context(), cfg)
	if err != nil || out.Steady || out.Tries != 1 || out.Small.Cases != 30 || out.Fault.Verdict != WrongAnswer {
		t.Errorf("steady %t, %d tries, %v", out.Steady, out.Tries, err)
	}
}

// The memory is that of the largest process, and it is told by a small process
// too.
func TestExecuteMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells while a process runs")
	}
	t.Parallel()
	e, err := execute(t.Context(), []string{"sh", "-c", "sleep 0.3"}, nil, limits{output: 100})
	if err != nil || e.memory < 100<<10 || e.memory > 20<<20 || !e.state.Success() {
		t.Errorf("sleep takes %s, %v, %v", Size(e.memory), e.state, err)
	}
	name, err := contestant()
	if err != nil {
		t.Fatal(err)
	}
	e, err = execute(t.Context(), []string{"sh", "-c", name + " eats-memory; true"}, nil, limits{memory: 64 << 20, output: 100})
	if err != nil || e.exceeded != MemoryLimit || e.memory < 64<<20 {
		t.Errorf("a child takes %s, %v, %v", Size(e.memory), e.exceeded, err)
	}
}

// Input and output larger than a pipe holds.
func TestExecuteCopies(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("all of it\n", 100_000)
	e, err := execute(t.Context(), []string{"cat"}, []byte(text), limits{output: len(text)})
	if err != nil || string(e.output) != text || e.exceeded != Accepted {
		t.Errorf("%d bytes of %d, %v, %v", len(e.output), len(text), e.exceeded, err)
	}
	e, err = execute(t.Context(), []string{"cat"}, []byte(text), limits{output: len(text) - 1})
	if err != nil || len(e.output) != len(text)-1 || e.exceeded != OutputLimit {
		t.Errorf("%d bytes, %v, %v", len(e.output), e.exceeded, err)
	}
}
