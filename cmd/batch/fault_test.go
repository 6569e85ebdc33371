//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
)

// begin starts a run in the folder out that goes on for ever, and waits until it
// has a journal.
func begin(t *testing.T, out string, args ...string) *exec.Cmd {
	t.Helper()
	c := endless(out, args...)
	await(t, c, out)
	return c
}

func endless(out string, args ...string) *exec.Cmd {
	return program(filepath.Dir(out), append([]string{"solve", "--random", "1000000000", "--out", out}, args...)...)
}

func await(t *testing.T, c *exec.Cmd, out string) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(out, journalName)); err == nil {
			return
		}
		if time.Since(start) > 30*time.Second {
			t.Fatalf("no journal\n%s", c.Stderr)
		}
	}
}

// ends waits for the end of a command that should come soon.
func ends(t *testing.T, c *exec.Cmd, status int) {
	t.Helper()
	start := time.Now()
	if got := exitStatus(t, c.Wait()); got != status {
		t.Errorf("status %d, want %d\n%s", got, status, c.Stderr)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it took %v to end", took)
	}
}

// An interrupt ends a run at once, and says how it goes on.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		signal os.Signal
		word   string
		status int
		jobs   string
	}{
		{os.Interrupt, "interrupted", 130, "2"},
		{syscall.SIGTERM, "terminated", 143, "200"},
	} {
		out := filepath.Join(t.TempDir(), "it's here")
		c := begin(t, out, "--prune", "none", "-j", tt.jobs)
		if err := c.Process.Signal(tt.signal); err != nil {
			t.Fatal(err)
		}
		ends(t, c, tt.status)
		message := regexp.MustCompile(`^batch: ` + tt.word + ` after ([0-9]+) cases?; to go on: batch solve --resume '(.*)'\n$`).FindStringSubmatch(fmt.Sprint(c.Stderr))
		if message == nil || message[2] != strings.ReplaceAll(out, "'", `'\''`) {
			t.Fatalf("it says\n%s", c.Stderr)
		}
		checkInterrupted(t, out)
		if n := journaled(t, out); strconv.Itoa(n) != message[1] {
			t.Errorf("%d cases in the journal, it says\n%s", n, c.Stderr)
		}
	}
}

// checkInterrupted wants a folder as a run leaves it that came to an end by itself,
// but not to its own.
func checkInterrupted(t *testing.T, out string) {
	t.Helper()
	r := record(t, out)
	n := journaled(t, out)
	if r.State != report.Interrupted || r.Totals.Cases != int64(n) {
		t.Errorf("the run is %s with %+v, %d cases in the journal", r.State, r.Totals, n)
	}
	if got := bytes.Count(content(t, out, "cases.csv"), []byte("\n")) - 1; got != n {
		t.Errorf("%d cases in cases.csv, want %d", got, n)
	}
	if got := bytes.Count(content(t, out, "results.txt"), []byte("\n")); got != 2*n {
		t.Errorf("%d lines in results.txt, want those of %d cases", got, n)
	}
	if got := len(timing(t, out)); got != n {
		t.Errorf("%d cases in timing.csv, want %d", got, n)
	}
	if _, err := os.Stat(filepath.Join(out, lockFile)); err == nil {
		t.Errorf("%s is left behind", lockFile)
	}
}

// A kill costs at most about a second of work.
func TestKillCosts(t *testing.T) {
	t.Parallel()
	if *kills <= 10 {
		t.Skip("it takes seconds; .ci/run gives -kills 11 for it")
	}
	for _, args := range [][]string{{"--heuristic", "exact"}, {"--heuristic", "center", "--prune", "none"}} {
		out := filepath.Join(t.TempDir(), "run")
		c := endless(out, args...)
		c.Env = append(c.Env, envInterval+"=") // as it is built
		await(t, c, out)
		time.Sleep(3 * time.Second)
		c.Process.Kill()
		c.Wait()
		safe := journaled(t, out)
		text := content(t, out, "timing.csv")
		write(t, filepath.Join(out, "timing.csv"), text[:bytes.LastIndexByte(text, '\n')+1])
		rows := timing(t, out)
		lost := rows[len(rows)-1].start
		if safe < len(rows) {
			lost -= rows[safe].start
		} else {
			lost = 0
		}
		t.Logf("%q: %d cases written, %d kept: lost %v", args, len(rows), safe, lost)
		if lost > time.Second {
			t.Errorf("%q: lost %v", args, lost)
		}
	}
}

// A reader of standard output that does not read holds nobody up for long, and
// not at all if there is a second interrupt.
func TestInterruptHeldUp(t *testing.T) {
	t.Parallel()
	for _, interrupts := range []int{1, 2} {
		interruptHeldUp(t, interrupts)
	}
}

func interruptHeldUp(t *testing.T, interrupts int) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := program(t.TempDir(), "solve", "--random", "1000000000", "--heuristic", "exact")
	if interrupts == 1 {
		c.Env = append(c.Env, envGrace+"=1s") // as it is built
	}
	c.Stdout = w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := r.Read(make([]byte, 1)); err != nil { // it has begun
		t.Fatal(err)
	}
	for range interrupts {
		time.Sleep(100 * time.Millisecond) // by then it is held up
		c.Process.Signal(os.Interrupt)
	}
	ends(t, c, 130)
}

// Two runs never work in one folder.
func TestLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "run")
	c := begin(t, out)
	for _, args := range [][]string{
		{"solve", "--resume", out},
		{"solve", "--random", "1", "--out", out, "--force"},
	} {
		stderr := want(t, 2, dir, args...)
		if stderr != "batch: another batch is at work in "+out+": wait for it, or stop it\n" {
			t.Errorf("batch %q says\n%s", args, stderr)
		}
	}
	c.Process.Signal(os.Interrupt)
	ends(t, c, 130)
	checkInterrupted(t, out)

	// A lock is not what a file says that was left behind.
	write(t, filepath.Join(out, lockFile), nil)
	want(t, 0, dir, "solve", "-q", "--random", "1", "--out", out, "--force")
}

// A folder that vanishes ends the run.
func TestFolderVanishes(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "run")
	c := begin(t, out, "-q")
	for os.RemoveAll(out) != nil { // it writes to it
	}
	ends(t, c, 3)
	if got, want := fmt.Sprint(c.Stderr), "batch: writing "+out+"/journal.json: no such file or directory\nbatch: there is no folder "+out+" any more\n"; got != want {
		t.Errorf("it says\n%s, want\n%s", got, want)
	}
}

// A run whose files somebody else has changed is not finished.
func TestFilesChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, change := range map[string]func(name string) error{
		"removed": os.Remove,
		"emptied": func(name string) error { return os.Truncate(name, 0) },
		"longer":  func(name string) error { return os.Truncate(name, 1<<20) },
		"another": func(name string) error {
			return errors.Join(os.Rename(name, name+".old"), os.WriteFile(name, nil, 0o666))
		},
	} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := program(dir, "solve", "-q", "--out", name)
		c.Stdin = reader
		fmt.Fprintln(writer, "111132323132231222312133")
		await(t, c, filepath.Join(dir, name))
		if err := change(filepath.Join(dir, name, "cases.csv")); err != nil {
			t.Fatal(err)
		}
		writer.Close()
		ends(t, c, 3)
		if got, want := fmt.Sprint(c.Stderr), "batch: writing "+name+"/cases.csv: something else has changed it or taken it away\n"; !strings.HasPrefix(got, want) {
			t.Errorf("%s: it says\n%s, want\n%s", name, got, want)
		}
		if state := string(content(t, filepath.Join(dir, name, "run.json"))); strings.Contains(state, "finished") {
			t.Errorf("%s: the run is finished", name)
		}
	}
}

// A full disk ends the run with one message; what is written stays, cut at a case,
// and with more room the run goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("no small file system: it is made as Linux does")
	}
	args := []string{"--random", "2000", "--scramble", "9", "--heuristic", "center", "-j", "2"}
	dir := t.TempDir()
	want(t, 0, dir, append([]string{"solve", "-q", "--out", "reference"}, args...)...)
	reference := facts(t, filepath.Join(dir, "reference"))
	for _, kib := range []int{4, 12, 24, 36, 48, 80, 120, 200} {
		disk := filepath.Join(dir, fmt.Sprint("disk", kib))
		if err := os.Mkdir(disk, 0o777); err != nil {
			t.Fatal(err)
		}
		mount := func(options string) error {
			out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		}
		if err := mount(fmt.Sprintf("size=%dk", kib)); err != nil {
			t.Skipf("no small file system: %v", err)
		}
		t.Cleanup(func() {
			if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
				t.Errorf("umount: %v: %s", err, out)
			}
		})
		out := filepath.Join(disk, "run")
		stderr := want(t, 3, dir, append([]string{"solve", "-q", "--out", out}, args...)...)
		if !regexp.MustCompile(`^batch: writing ` + regexp.QuoteMeta(out) + `/[a-z.]*: no space left on device\n(batch: .*\n)?$`).MatchString(stderr) {
			t.Errorf("%d KiB: it says\n%s", kib, stderr)
		}
		if m := regexp.MustCompile(`complete up to there: ([0-9]+) case`).FindStringSubmatch(stderr); m != nil && m[1] != fmt.Sprint(journaled(t, out)) {
			t.Errorf("%d KiB: %s cases are complete, it says, but %d are kept", kib, m[1], journaled(t, out))
		}
		if err := mount("remount,size=64m"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(out, runFile)); err != nil {
			want(t, 0, dir, append([]string{"solve", "-q", "--out", out}, args...)...) // it had not begun
			continue
		}
		n := -1
		for name, text := range facts(t, out) {
			if text != "" && !strings.HasSuffix(text, "\n") || !strings.HasPrefix(reference[name], text) {
				t.Errorf("%d KiB: %s is no prefix of whole rows", kib, name)
			}
			rows := strings.Count(text, "\n") - 1
			switch name {
			case "results.txt":
				rows = (rows + 1) / 2
			case "iterations.csv":
				continue
			}
			if n >= 0 && rows != n && rows >= 0 {
				t.Errorf("%d KiB: %s has %d cases, another file %d", kib, name, rows, n)
			}
			n = rows
		}
		t.Logf("%d KiB: %d cases, %d of them kept", kib, n, journaled(t, out))
		want(t, 0, dir, "solve", "-q", "--resume", out)
		checkFinished(t, out, reference)
	}
}

// Whatever a file is called, its rows read back, and its run goes on.
func TestNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var text bytes.Buffer
	gen := program(dir, "gen", "--count", "2000", "--scramble", "5")
	gen.Stdout = &text
	if err := gen.Run(); err != nil {
		t.Fatal(err)
	}
	whole := gz(text.Bytes())
	for k, name := range []string{"a,b", `"q"`, "line\nbreak", "cr\rlf\n", "=1+1", "-x", "--help", " ", "tab\t", "a:1", "ä", "\x1b[1m", `\n`, "'", "$(id)", "<b>&amp;"} {
		file := filepath.Join(dir, name)
		write(t, file, whole[:len(whole)/2])
		out := fmt.Sprint("run", k)
		want(t, 3, dir, "solve", "-q", "--out", out, "--", name)
		write(t, file, whole)
		want(t, 0, dir, "solve", "-q", "--resume", out)
		rows, err := csv.NewReader(bytes.NewReader(content(t, dir, out, "cases.csv"))).ReadAll()
		if err != nil || len(rows) != 2001 {
			t.Fatalf("%q: %d rows, %v", name, len(rows), err)
		}
		source := strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\x1b", `\x1b`).Replace(name)
		for i, row := range rows[1:] {
			if len(row) != 12 || row[1] != fmt.Sprintf("%s:%d", source, i+1) {
				t.Fatalf("%q: row %q", name, row)
			}
		}
		if got := record(t, filepath.Join(dir, out)).Inputs; len(got) != 1 || got[0].Name != name {
			t.Errorf("%q: inputs %+v", name, got)
		}
	}

	// run.json has no way to tell such a name.
	write(t, filepath.Join(dir, "\xff"), nil)
	if stderr := want(t, 2, dir, "solve", "--out", "latin", "\xff"); !strings.Contains(stderr, `"\xff" is no UTF-8`) {
		t.Errorf("it says\n%s", stderr)
	}
	want(t, 0, dir, "solve", "-q", "\xff")
}

// A folder may be a link, and have links and a stranger's files in it: nothing
// outside is touched, and nothing is removed that no run has made.
func TestStrangersFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.Remove(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	same := func(name string) {
		t.Helper()
		if got := string(content(t, at(name))); got != "mine" {
			t.Errorf("%s is changed to %q", name, got)
		}
	}
	solve := []string{"solve", "-q", "--random", "30", "--out"}

	os.Mkdir(at("real"), 0o777)
	link("real", "linked")
	want(t, 0, dir, append(solve, "linked")...)
	if len(facts(t, at("real"))) != 3 {
		t.Error("a link to a folder is not followed")
	}

	// Links of a run's names, out of the folder.
	write(t, at("notes"), []byte("mine"))
	for _, name := range []string{"results.txt", "cases.csv"} {
		remove("real/" + name)
		link("../notes", "real/"+name)
		want(t, 0, dir, append(solve, "real", "--force")...)
		same("notes")
		if info, err := os.Lstat(at("real/" + name)); err == nil && info.Mode()&os.ModeSymlink != 0 {
			t.Errorf("%s is still a link", name)
		}
	}

	// What has one of the names that a run has for a while only, and is not a run's:
	// it stays, with --force too, and when a finished run is looked at.
	link("../new", "link")
	os.Mkdir(at("fresh"), 0o777)
	for _, name := range []string{"run.lock", "run.json.new", "journal.json", "journal.json.new"} {
		for _, make := range []func(name string){
			func(name string) { write(t, at(name), []byte("mine")) },
			func(name string) { link("../notes", name) },
			func(name string) { link("../new", name) },
			func(name string) { os.Mkdir(at(name), 0o777) },
		} {
			for _, in := range []string{"real/", "fresh/"} {
				make(in + name)
				before, err := os.Lstat(at(in + name))
				if err != nil {
					t.Fatal(err)
				}
				if in == "real/" {
					want(t, 0, dir, "solve", "-q", "--resume", "real")
				}
				want(t, 2, dir, append(solve, in, "--force")...)
				if after, err := os.Lstat(at(in + name)); err != nil || after.Mode() != before.Mode() || after.Size() != before.Size() {
					t.Errorf("%s%s is gone, or another file", in, name)
				}
				remove(in + name)
			}
		}
	}
	same("notes")
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("a link is followed to a new file")
	}
	want(t, 0, dir, append(solve, "fresh")...)

	// An unfinished run whose files have been made links.
	c := begin(t, at("cut"))
	c.Process.Kill()
	c.Wait()
	for _, name := range []string{"results.txt", "timing.csv", "run.json.new"} {
		os.Remove(at("cut/" + name))
		link("../notes", "cut/"+name)
	}
	if status := exitStatus(t, program(dir, "solve", "-q", "--resume", "cut").Run()); status != 3 {
		t.Errorf("links are opened: status %d", status)
	}
	same("notes")

	// What a run there has not made stays, with --force too.
	want(t, 0, dir, append(solve, "jsonl", "--format", "jsonl", "--heuristic", "exact")...)
	for _, name := range []string{"results.txt", "iterations.csv", "more"} {
		write(t, at("jsonl/"+name), []byte("mine"))
	}
	want(t, 2, dir, append(solve, "jsonl", "--force")...)
	want(t, 0, dir, append(solve, "jsonl", "--force", "--format", "jsonl", "--heuristic", "exact")...)
	for _, name := range []string{"results.txt", "iterations.csv", "more"} {
		same("jsonl/" + name)
	}
	os.Mkdir(at("other"), 0o777)
	write(t, at("other/run.json"), []byte("mine"))
	want(t, 2, dir, append(solve, "other", "--force")...)
	if entries, _ := os.ReadDir(at("other")); len(entries) != 1 {
		t.Errorf("in a folder that is refused: %v", entries)
	}
	same("other/run.json")
}

// Memory does not grow with what is read.
func TestMemory(t *testing.T) {
	t.Parallel()
	if racing() {
		t.Skip("the detector of races needs more")
	}
	for _, tt := range []struct {
		name, unit string
		size       int
		status     int
	}{
		{"blanks", " ", 120 << 20, 0},
		{"blank lines", "\n", 32 << 20, 0},
		{"behind the end", "0\n", 120 << 20, 0},
		{"one line of what is no symbol", "x", 16 << 20, 1},
		{"one line of cases", "1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3 ", 48 << 20, 0},
	} {
		if *kills > 10 {
			tt.size = 1 << 30
		}
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := os.Create(filepath.Join(dir, "bomb.zst"))
			if err != nil {
				t.Fatal(err)
			}
			if err := bomb(f, tt.unit, tt.size); err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			c := program(dir, "solve", "-q", "--heuristic", "exact", "--results", "/dev/null", "--cases", "/dev/null", "bomb.zst")
			peak, err := peakMemory(c)
			if got := exitStatus(t, err); got != tt.status {
				t.Fatalf("status %d, want %d: %s", got, tt.status, c.Stderr)
			}
			t.Logf("%d MB of text in %d bytes: %d MB", tt.size>>20, info.Size(), peak>>20)
			if peak > 100<<20 {
				t.Errorf("it took %d MB", peak>>20)
			}
		})
	}
}

// peakMemory runs c and returns the most memory that it took. What the system
// tells of a finished process has, on Linux, what we took ourselves before the
// process became another program; so there it is looked up while c runs.
func peakMemory(c *exec.Cmd) (bytes int64, err error) {
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			if runtime.GOOS != "linux" {
				bytes = c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			}
			return bytes, err
		case <-time.After(5 * time.Millisecond):
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kB int64
			fmt.Sscan(rest, &kB)
			bytes = max(bytes, kB<<10)
		}
	}
}

// A solution that is wrong, and a panic, are bugs of a version.
func TestBugMessage(t *testing.T) {
	for _, err := range []error{
		&pipeline.ReplayError{Case: 7, Source: "in:7", Text: "1123", Moves: "AB", Err: errors.New("boom")},
		&pipeline.PanicError{Where: `case 7 (in:7, "1123")`, Value: "boom"},
	} {
		var out bytes.Buffer
		s := &solve{env: &env{stderr: &out}}
		if got := s.failed(context.Background(), new(sink), nil, 6, err); got != exit(3) {
			t.Errorf("%v", got)
		}
		for _, part := range []string{"1123", "boom", "in batch " + version(), "complete up to there: 6 cases"} {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%q is not in\n%s", part, out.String())
			}
		}
	}
}
