package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// batch runs the program in this process, and returns what it prints.
func batch(t *testing.T, stdin string, wantStatus int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if status := run(t.Context(), args, strings.NewReader(stdin), &out, &errs); status != wantStatus {
		t.Fatalf("%q: status %d, want %d: %s", args, status, wantStatus, &errs)
	}
	return out.String(), errs.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestStressCommand(t *testing.T) {
	input, _ := batch(t, "", 0, "gen", "--count", "30", "--scramble", "6")
	right, _ := batch(t, input, 0, "solve", "-q")
	t.Chdir(inFolder(t, map[string]string{"right.txt": right, "keep": ""}))

	if out, _ := batch(t, "", 0, "stress", "--cases", "30", "--scramble", "6", "--", "cat", "right.txt"); !strings.HasPrefix(out, "verdict  files\nAC           1\n") {
		t.Errorf("a right solver:\n%s", out)
	}

	// The flags of a command are its own, and so is the way cases are made.
	out, _ := batch(t, "", 1, "stress", "--puzzle", "eight", "--seed", "5", "--first", "4", "--per-depth", "2", "--max-depth", "3",
		"--per-file", "3", "--halt", "never", "--format", "csv", "--keep", "fault", "head", "-n", "2")
	var rows []string
	for line := range strings.Lines(out) {
		f := strings.Split(line, ",")
		rows = append(rows, strings.Join(f[:min(5, len(f))], ","))
	}
	if diff := cmp.Diff([]string{"file,seed,first,cases,verdict", "1,5,4,3,PE", "2,5,7,3,PE", "3,5,10,2,PE"}, rows); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want, _ := batch(t, "", 0, "gen", "--puzzle", "eight", "--seed", "5", "--first", "4", "--per-depth", "1", "--max-depth", "3")
	if got := read(t, "fault/input.txt"); strings.SplitN(got, "\n", 2)[1] != strings.Join(strings.SplitAfter(want, "\n")[1:7], "") {
		t.Errorf("the input is %q, want three cases of %q", got, want)
	}

	// What is kept of a fault; the folder can be used again.
	_, stderr := batch(t, "", 1, "stress", "--cases", "90", "--scramble", "6", "--keep", "fault", "--", "cat", "right.txt", "an arg")
	if want := "batch: RE in file 1; looking for a smaller file that fails\n"; stderr != want {
		t.Errorf("said %q, want %q", stderr, want)
	}
	for name, want := range map[string]string{"input.txt": input, "output.txt": right, "expected.txt": right} {
		if diff := cmp.Diff(want, read(t, "fault/"+name)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
	if got := read(t, "fault/stderr.txt"); !strings.Contains(got, "an arg") {
		t.Errorf("standard error is %q", got)
	}
	type told struct {
		Again, Folder string
		Small         struct{ Cases, Depth int }
	}
	var fault told
	if err := json.Unmarshal([]byte(read(t, "fault/fault.json")), &fault); err != nil {
		t.Fatal(err)
	}
	if want := "cat right.txt 'an arg' < fault/small-input.txt"; fault.Again != want || fault.Small.Cases != 1 || fault.Small.Depth != 0 || fault.Folder != "fault" {
		t.Errorf("%+v, want again: %s", fault, want)
	}
	batch(t, "", 2, "stress", "--keep", ".", "--", "cat") // holds something else

	// Without a name the folder is a new one.
	t.Setenv("TMPDIR", t.TempDir())
	out, _ = batch(t, "", 1, "stress", "--cases", "4", "--per-file", "2", "--halt", "never", "--format", "json", "--time-limit", "50ms", "--", "sleep", "1000")
	var all struct {
		Verdicts map[string]int
		Fault    told
		Slowest  struct{ Verdict string }
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	if all.Verdicts["TLE"] != 2 || len(all.Verdicts) != 1 || all.Slowest.Verdict != "TLE" || !strings.HasPrefix(all.Fault.Folder, os.TempDir()) {
		t.Errorf("%+v", all)
	}
}

func TestStressUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                                      "the command to run is missing: batch stress -- COMMAND [ARG...]",
		"-- no-such-program":                    `exec: "no-such-program": executable file not found in $PATH`,
		"--memory-limit lots -- cat":            `invalid argument "lots" for "--memory-limit" flag: want a size such as 256M or 1G, or 0 for none`,
		"--halt now -- cat":                     `invalid argument "now" for "--halt" flag: want first or never`,
		"--cases 5 --per-depth 2 -- cat":        "--cases and --per-depth cannot stand side by side: both tell how many cases",
		"--puzzle eight --depth 40 -- cat":      "--depth 40: no case of eight is so deep; the greatest depth is 31",
		"--scramble 3 --depth 2 --cases 1 -- x": `exec: "x": executable file not found in $PATH`,
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), append([]string{"stress"}, strings.Fields(args)...), strings.NewReader(""), &stdout, &stderr)
		if got, _, _ := strings.Cut(stderr.String(), "\n"); status != statusUsage || got != "batch: "+want || stdout.Len() > 0 {
			t.Errorf("%s: status %d, %q, want %q", args, status, got, want)
		}
	}
}

func TestSizeFlag(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64 // -1: refused
	}{
		{"0", 0}, {"512", 512}, {"512B", 512}, {"3K", 3 << 10}, {"256M", 256 << 20}, {"256m", 256 << 20}, {"64MiB", 64 << 20},
		{"1GB", 1 << 30}, {"2T", 2 << 40}, {"8388607T", 8388607 << 40},
		{"", -1}, {"M", -1}, {"-1", -1}, {"1.5G", -1}, {"1 G", -1}, {"1iB", -1}, {"1P", -1}, {"8388608T", -1}, {"9223372036854775808", -1},
	} {
		got := int64(-1)
		if err := (size{&got}).Set(tt.text); (err != nil) != (tt.want < 0) || got != tt.want {
			t.Errorf("%q is %d, %v, want %d", tt.text, got, err, tt.want)
		}
	}
}

func TestShellQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"./mine": "./mine", "a b": "'a b'", "": "''", "it's": `'it'\''s'`, "$x": "'$x'", "-O2,x=1": "-O2,x=1",
	} {
		if got := shellQuoted(word); got != want {
			t.Errorf("%q is %s, want %s", word, got, want)
		}
	}
}
