package main

import (
	"compress/gzip"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the program prints into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"batch": disturbed})
}

// TestScripts runs the program as its users do: a file in testdata/script is a
// behaviour.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds:                commands,
	})
}

func setup(e *testscript.Env) error {
	data, err := filepath.Abs("../../testdata")
	e.Setenv("DATA", data)
	e.Setenv("TERM", "dumb")
	return err
}

var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	// status N COMMAND...: runs it, and wants that exit status.
	"status": func(ts *testscript.TestScript, neg bool, args []string) {
		err := ts.Exec(args[1], args[2:]...)
		got := "0"
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "exit status ")
		}
		if neg || got != args[0] {
			ts.Fatalf("status %s, want %s: %v", got, args[0], args[1:])
		}
	},
	// crlf FILE NEW: a copy with CRLF line ends.
	"crlf": func(ts *testscript.TestScript, _ bool, args []string) {
		text := strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r\n")
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
	},
	// gzip FILE NEW: a compressed copy.
	"gzip": func(ts *testscript.TestScript, _ bool, args []string) {
		f, err := os.Create(ts.MkAbs(args[1]))
		ts.Check(err)
		w := gzip.NewWriter(f)
		_, err = w.Write([]byte(ts.ReadFile(args[0])))
		ts.Check(err)
		ts.Check(w.Close())
		ts.Check(f.Close())
	},
	// column FILE NAME: the column of a CSV file, to standard output's buffer
	// for cmp: it is written to FILE.NAME.
	"column": func(ts *testscript.TestScript, _ bool, args []string) {
		rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
		ts.Check(err)
		out := ""
		for k, name := range rows[0] {
			if name == args[1] {
				for _, row := range rows[1:] {
					out += row[k] + "\n"
				}
			}
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+"."+args[1]), []byte(out), 0o666))
	},
	// without COLUMN FILE NEW: a copy of a CSV file without that column.
	"without": func(ts *testscript.TestScript, _ bool, args []string) {
		rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[1]))).ReadAll()
		ts.Check(err)
		var b strings.Builder
		w := csv.NewWriter(&b)
		for _, row := range rows {
			var kept []string
			for k, field := range row {
				if rows[0][k] != args[0] {
					kept = append(kept, field)
				}
			}
			ts.Check(w.Write(kept))
		}
		w.Flush()
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(b.String()), 0o666))
	},
	// sums CASES ITERATIONS: for each case, the iterations sum up to its counts.
	"sums": func(ts *testscript.TestScript, _ bool, args []string) {
		read := func(name string) (rows []map[string]string) {
			all, err := csv.NewReader(strings.NewReader(ts.ReadFile(name))).ReadAll()
			ts.Check(err)
			for _, row := range all[1:] {
				m := map[string]string{}
				for k, field := range row {
					m[all[0][k]] = field
				}
				rows = append(rows, m)
			}
			return rows
		}
		number := func(s string) (n int64) { fmt.Sscan(s, &n); return n }
		type sum struct{ iterations, expanded, generated, first int64 }
		sums := map[string]*sum{}
		for _, it := range read(args[1]) {
			s := sums[it["case"]]
			if s == nil {
				s = &sum{first: number(it["bound"])}
				sums[it["case"]] = s
			}
			s.iterations++
			s.expanded += number(it["expanded"])
			s.generated += number(it["generated"])
		}
		n := 0
		for _, c := range read(args[0]) {
			if c["iterations"] == "" {
				continue
			}
			n++
			want := sum{number(c["iterations"]), number(c["expanded"]), number(c["generated"]), number(c["initial_bound"])}
			if s := sums[c["case"]]; s == nil || *s != want {
				ts.Fatalf("case %s: iterations sum up to %+v, its row has %+v", c["case"], s, want)
			}
		}
		if n == 0 || n != len(sums) {
			ts.Fatalf("%d cases with iterations, %d of them in %s", n, len(sums), args[1])
		}
	},
}

// sessions are the blocks of the README that show one: commands behind "$ ", and
// what they print, standard error with it.
var sessions = regexp.MustCompile("(?ms)^```console\n(.*?)^```")

// vary are the parts of a session that are not the same every time.
var vary = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^(time|memory) +.*$`),
	regexp.MustCompile(`go[0-9]+\.[0-9.]+ \w+/\w+`),
}

// TestREADME runs the sessions of the README one after the other, in one folder.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	type step struct{ command, want string }
	var steps []step
	script := ""
	for _, block := range sessions.FindAllStringSubmatch(string(text), -1) {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			script += fmt.Sprintf("session %d\n", len(steps))
			steps = append(steps, step{command, strings.TrimSuffix(want, "\n")})
		}
	}
	if len(steps) == 0 {
		t.Fatal("no session in the README")
	}
	file := filepath.Join(t.TempDir(), "readme.txtar")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: []string{file},
		Setup: setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"session": func(ts *testscript.TestScript, _ bool, args []string) {
				i, err := strconv.Atoi(args[0])
				ts.Check(err)
				ts.Exec("sh", "-c", "exec 2>&1\n"+steps[i].command) // whatever its status
				got, want := strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), steps[i].want
				for _, v := range vary {
					got, want = v.ReplaceAllString(got, "~"), v.ReplaceAllString(want, "~")
				}
				if got != want {
					ts.Fatalf("$ %s\n%s\nthe README has\n%s", steps[i].command, got, want)
				}
			},
		},
	})
}
