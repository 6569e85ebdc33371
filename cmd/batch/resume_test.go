package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"idabatch/internal/report"
)

var kills = flag.Int("kills", 2, "how many runs TestKilled begins of each kind; from 3 on, steps are met more than once too")

// Tests tell a program that they start, in its environment, how it is disturbed.
const (
	envInterval = "BATCH_TEST_INTERVAL" // between two journals
	envGrace    = "BATCH_TEST_GRACE"    // that an interrupt gives; else it is long, for a machine with much else to do
	envSteps    = "BATCH_TEST_STEPS"    // a file to write the steps to
	envKill     = "BATCH_TEST_KILL"     // "N STEP": the step at whose N-th time it kills itself
)

// disturbed is main, with the hooks that the built program has not.
func disturbed() {
	if d, err := time.ParseDuration(os.Getenv(envInterval)); err == nil {
		journalInterval = d
	}
	grace = time.Minute
	if d, err := time.ParseDuration(os.Getenv(envGrace)); err == nil {
		grace = d
	}
	nth, last, _ := strings.Cut(os.Getenv(envKill), " ")
	left, _ := strconv.Atoi(nth)
	steps := os.Getenv(envSteps)
	step = func(done string) {
		if steps != "" {
			f, err := os.OpenFile(steps, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(f, done)
			f.Close()
		}
		if done == last {
			if left--; left == 0 {
				self, err := os.FindProcess(os.Getpid())
				if err != nil {
					panic(err)
				}
				self.Kill()
				select {}
			}
		}
	}
	main()
}

// racing tells whether the detector of races is on.
func racing() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// program is batch, to be started in dir.
func program(dir string, args ...string) *exec.Cmd {
	c := exec.Command("batch", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), envInterval+"=10ms")
	c.Stderr = new(bytes.Buffer)
	return c
}

// exitStatus is that of a finished command; -1 if a signal has ended it.
func exitStatus(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

// want runs the program, and wants it to end with that status.
func want(t *testing.T, status int, dir string, args ...string) (stderr string) {
	t.Helper()
	c := program(dir, args...)
	got := exitStatus(t, c.Run())
	stderr = fmt.Sprint(c.Stderr)
	if got != status {
		t.Fatalf("batch %q: status %d, want %d\n%s", args, got, status, stderr)
	}
	if strings.Contains(stderr, "goroutine ") {
		t.Fatalf("batch %q panics:\n%s", args, stderr)
	}
	return stderr
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// bomb writes a corpus of so many bytes, all alike.
func bomb(w io.Writer, unit string, size int) error {
	z, err := zstd.NewWriter(w)
	if err != nil {
		return err
	}
	for block := []byte(strings.Repeat(unit, (1<<20)/len(unit))); size > 0; size -= len(block) {
		if _, err := z.Write(block); err != nil {
			return err
		}
	}
	return z.Close()
}

func zst(data []byte) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll(data, nil)
}

// corpora makes a folder with n cases in each of several files: a.txt.gz, b.txt and
// c.txt.zst of rotation, with bad lines among them, and d.txt of eight; in many.txt.gz
// there are 40 times as many.
func corpora(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	gen := func(n int, args ...string) []byte {
		c := program(dir, append([]string{"gen", "--count", strconv.Itoa(n)}, args...)...)
		out, err := c.Output()
		if err != nil {
			t.Fatal(err, c.Stderr)
		}
		return out
	}
	text := gen(n, "--seed", "1", "--scramble", "9")
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[n/10] = []byte("1 2 3\n\n")
	lines[n/2] = []byte("\n")
	write(t, filepath.Join(dir, "a.txt.gz"), gz(bytes.Join(lines, nil)))
	write(t, filepath.Join(dir, "b.txt"), bytes.ReplaceAll(gen(n, "--seed", "2", "--scramble", "8"), []byte("\n"), []byte("\r\n")))
	write(t, filepath.Join(dir, "c.txt.zst"), zst(gen(n, "--seed", "3", "--scramble", "9")))
	write(t, filepath.Join(dir, "d.txt"), gen(n, "--puzzle", "eight"))
	write(t, filepath.Join(dir, "many.txt.gz"), gz(gen(40*n)))
	return dir
}

// theRuns are ways to run that are disturbed in the tests below, with their status.
var theRuns = []struct {
	name   string
	args   []string
	status int
}{
	{"files", []string{"a.txt.gz", "b.txt", "c.txt.zst", "d.txt"}, 1},
	{"exact", []string{"--heuristic", "exact", "--format", "jsonl", "many.txt.gz", "a.txt.gz"}, 1},
	{"random", []string{"--random", "2000", "--seed", "9", "--first", "77", "--max-nodes", "2500"}, 1},
	{"eight", []string{"--puzzle", "eight", "--random", "4000", "-j", "3"}, 0},
}

// facts are the files of a run that are the same every time.
func facts(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"results.txt", "results.jsonl", "cases.csv", "iterations.csv"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			all[name] = string(data)
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return all
}

// checkFinished compares a finished run with an undisturbed one.
func checkFinished(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := facts(t, dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %d bytes, and not the %d of an undisturbed run", name, len(got[name]), len(want[name]))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	r := record(t, dir)
	n := strings.Count(want["cases.csv"], "\n") - 1
	if r.State != report.Finished || r.Totals.Cases != int64(n) {
		t.Errorf("the run is %s with %+v, want %d cases", r.State, r.Totals, n)
	}
	for i, row := range timing(t, dir) {
		if row.index != i+1 {
			t.Fatalf("row %d of timing.csv is of case %d", i+1, row.index)
		}
		n--
	}
	if n != 0 {
		t.Errorf("timing.csv lacks %d cases", n)
	}
	for _, name := range []string{journalName, lockFile, runFile + newSuffix, journalName + newSuffix} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left behind", name)
		}
	}
}

func record(t *testing.T, dir string) *report.Run {
	t.Helper()
	r, err := report.DecodeRun(content(t, dir, runFile))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type timed struct {
	index int
	start time.Duration
}

func timing(t *testing.T, dir string) (rows []timed) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(content(t, dir, "timing.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all[1:] {
		index, err1 := strconv.Atoi(row[0])
		start, err2 := strconv.Atoi(row[2])
		if err1 != nil || err2 != nil {
			t.Fatal(row)
		}
		rows = append(rows, timed{index, time.Duration(start)})
	}
	return rows
}

// journaled is how many cases a run that was cut off has written safely.
func journaled(t *testing.T, dir string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, journalName))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	j, err := decodeJournal(data)
	if err != nil {
		t.Fatal(err)
	}
	return int(j.Cases)
}

// checkStarts wants each start to have gone on exactly where the journal was:
// from[i] cases are of the starts before start i.
func checkStarts(t *testing.T, dir string, from []int) {
	t.Helper()
	r := record(t, dir)
	if len(r.Starts) != len(from) {
		t.Fatalf("%d starts, want %d", len(r.Starts), len(from))
	}
	for _, row := range timing(t, dir) {
		last := 0 // the last start that has not kept this case from an earlier one
		for i, n := range from {
			if row.index > n {
				last = i
			}
		}
		at := r.Starts[0].Add(row.start)
		if at.Before(r.Starts[last]) || last+1 < len(from) && at.After(r.Starts[last+1]) {
			t.Fatalf("case %d is not of start %d of %v, which went on behind %v cases", row.index, last, r.Starts, from)
		}
	}
}

// tear leaves behind what a machine may that has crashed.
func tear(t *testing.T, r *rand.Rand, dir string) {
	t.Helper()
	for _, name := range []string{"results.txt", "results.jsonl", "cases.csv", "iterations.csv", "timing.csv"} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_APPEND, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		torn := [][]byte{[]byte("12"), []byte("1,a.txt"), make([]byte, 5000), []byte("\n"), nil}[r.IntN(5)]
		if _, err := f.Write(torn); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}

// A trial is a run in a folder that is cut off again and again.
type trial struct {
	dir, out string
	status   int   // of the run when it is finished
	from     []int // how many cases each start has taken over
}

// start starts the program, to do something with the folder, and lets it be
// killed. It returns the exit status, -1 if it was.
func (r *trial) start(t *testing.T, kill func(c *exec.Cmd), args ...string) int {
	t.Helper()
	before := 0
	if r.from != nil {
		before = journaled(t, r.out)
	}
	c := program(r.dir, args...)
	kill(c)
	status := exitStatus(t, c.Wait())
	if status >= 0 && status != r.status {
		t.Fatalf("batch %q: status %d, want %d\n%s", args, status, r.status, c.Stderr)
	}
	if _, err := os.Stat(filepath.Join(r.out, runFile)); err == nil { // else it was killed before it began
		if len(record(t, r.out).Starts) > len(r.from) {
			r.from = append(r.from, before)
		}
	}
	return status
}

// begun tells whether there is a run to go on with.
func (r *trial) begun() bool { return r.from != nil }

// TestKilled kills runs at random moments, and goes on with them, until they are
// finished.
func TestKilled(t *testing.T) {
	t.Parallel()
	rounds := *kills
	if racing() {
		rounds = 1 + rounds/10
	}
	dir := corpora(t, 1000)
	for k, run := range theRuns {
		t.Run(run.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), uint64(k)))
			began := time.Now()
			want(t, run.status, dir, slices.Concat([]string{"solve", "-q", "--out", run.name}, run.args)...)
			whole := time.Since(began)
			undisturbed := facts(t, filepath.Join(dir, run.name))
			killed, resumed := 0, 0
			for round := range rounds {
				trial := &trial{dir: dir, out: filepath.Join(dir, fmt.Sprint(run.name, round)), status: run.status}
				args := slices.Concat([]string{"solve", "-q", "--out", trial.out}, run.args)
				for n := 1; ; n++ {
					status := trial.start(t, func(c *exec.Cmd) {
						if err := c.Start(); err != nil {
							t.Fatal(err)
						}
						most := whole * time.Duration(1+n/20) // so that it comes to an end
						time.AfterFunc(time.Duration(r.Int64N(int64(most))), func() { c.Process.Kill() })
					}, args...)
					if status >= 0 {
						break
					}
					killed++
					if !trial.begun() {
						continue
					}
					if journaled(t, trial.out) > 0 {
						resumed++
					}
					if record(t, trial.out).State != report.Finished {
						tear(t, r, trial.out)
					}
					args = []string{"solve", "-q", "--resume", trial.out}
				}
				checkFinished(t, trial.out, undisturbed)
				checkStarts(t, trial.out, trial.from)
				if t.Failed() {
					t.Fatalf("round %d, from %v", round, trial.from)
				}
			}
			t.Logf("%d runs were killed %d times, %d of them with a journal", rounds, killed, resumed)
		})
	}
}

// TestKilledAtEachStep kills runs between any two steps of what makes them last:
// when they begin, while they go on, when they end, are resumed or replaced.
func TestKilledAtEachStep(t *testing.T) {
	t.Parallel()
	if racing() {
		t.Skip("TestKilled does for the detector of races")
	}
	dir := t.TempDir()
	corpus := filepath.Join(dir, "in.txt.gz")
	var text bytes.Buffer
	gen := program(dir, "gen", "--count", "3000", "--scramble", "8")
	gen.Stdout = &text
	if err := gen.Run(); err != nil {
		t.Fatal(err)
	}
	whole := gz(text.Bytes())
	half := whole[:len(whole)/2]
	write(t, corpus, whole)
	args := []string{"solve", "-q", "in.txt.gz", "--max-nodes", "300", "--out"}
	want(t, 1, dir, append(args, "reference")...)
	reference := facts(t, filepath.Join(dir, "reference"))
	other := []string{"solve", "-q", "--random", "500", "--heuristic", "exact", "--format", "jsonl", "--out"}
	want(t, 0, dir, append(other, "other")...)
	earlier := facts(t, filepath.Join(dir, "other"))

	// A run that its input has interrupted half way.
	write(t, corpus, half)
	want(t, 3, dir, append(args, "interrupted")...)
	if n := journaled(t, filepath.Join(dir, "interrupted")); n < 300 || n > 2700 {
		t.Fatalf("half of the file has %d cases", n)
	}
	write(t, corpus, whole)

	begin := func(out string) []string { return append(slices.Clone(args), out) }
	resume := func(out string) []string { return []string{"solve", "-q", "--resume", out} }
	replace := func(out string) []string { return append(slices.Clone(args), out, "--force") }
	for _, tt := range []struct {
		name  string
		from  string // a folder to begin with
		input []byte
		ends  int // status of the run that is killed, if it were not
		args  func(out string) []string
		must  []string // steps that it takes
	}{
		{"begin", "", whole, 1, begin, []string{
			"run.json.new written", "run.json.new synced", "run.json replaced", "run.json lasts", "cases.csv created",
			"results.txt synced", "timing.csv synced", "journal.json.new written", "journal.json.new synced", "journal.json replaced",
			"journal.json lasts", "journal.json removed"}},
		{"resume", "interrupted", whole, 1, resume, []string{
			"results.txt cut", "iterations.csv cut", "run.json replaced", "journal.json replaced", "journal.json removed"}},
		{"interrupt", "", half, 3, begin, []string{"files cut", "timing.csv synced", "journal.json replaced", "run.json replaced"}},
		{"replace", "other", whole, 1, replace, []string{"journal.json removed", "results.jsonl removed", "run.json replaced"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			here := t.TempDir()
			steps := filepath.Join(here, "steps")
			start := func(name string, env string) (*trial, int) {
				r := &trial{dir: here, out: filepath.Join(here, name), status: tt.ends}
				if tt.from != "" {
					if err := os.CopyFS(r.out, os.DirFS(filepath.Join(dir, tt.from))); err != nil {
						t.Fatal(err)
					}
					r.from = []int{0}
				}
				write(t, filepath.Join(here, "in.txt.gz"), tt.input)
				status := r.start(t, func(c *exec.Cmd) {
					c.Env = append(c.Env, envInterval+"=1ms", env)
					if err := c.Start(); err != nil {
						t.Fatal(err)
					}
				}, tt.args(r.out)...)
				return r, status
			}

			start("whole", envSteps+"="+steps)
			taken := strings.Split(strings.TrimSpace(string(content(t, steps))), "\n")
			for _, name := range tt.must {
				if !slices.Contains(taken, name) {
					t.Errorf("there is no step %q in %q", name, taken)
				}
			}
			slices.Sort(taken)
			taken = slices.Compact(taken)
			for k, name := range taken {
				for nth := 1; nth <= min(*kills, 4)-1; nth++ {
					r, status := start(fmt.Sprint(nth, "-", k), fmt.Sprintf("%s=%d %s", envKill, nth, name))
					if status >= 0 && nth == 1 {
						t.Fatalf("killed at %q it ends with status %d", name, status)
					}
					write(t, filepath.Join(here, "in.txt.gz"), whole)
					r.status = 1
					next := resume
					if !r.begun() {
						next = begin // without --force
					}
					wanted := reference
					if tt.name == "replace" && record(t, r.out).Options.Format == "jsonl" {
						wanted, r.status = earlier, 0
					}
					r.start(t, func(c *exec.Cmd) {
						if err := c.Start(); err != nil {
							t.Fatal(err)
						}
					}, next(r.out)...)
					checkFinished(t, r.out, wanted)
					if tt.name != "replace" {
						checkStarts(t, r.out, r.from)
					}
					if t.Failed() {
						t.Fatalf("killed at %q for the %d. time", name, nth)
					}
					if status >= 0 {
						break // it does not happen twice
					}
				}
			}
			t.Logf("%d steps", len(taken))
		})
	}
}
