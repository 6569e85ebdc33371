package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inFolder writes some files, and returns the folder.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestVerifyCommand(t *testing.T) {
	t.Chdir(inFolder(t, map[string]string{
		"in": `1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3
1 1 1 1 3 3 2 2 2 3 3 2 2 3 3 2 2 2 3 3 1 1 1 1
3 2 2 2 2 2 1 1 2 1 1 2 1 1 1 3 2 1 3 3 3 3 3 3
0
`,
		"right":   "AC\n2\nNo moves needed\n2\nBCCEEEF\n2\n",
		"any":     "AFAC\n2\nNo moves needed\n2\nBFHFDDH\n1\n",
		"faults":  "AC\n3\n2\nBFHFDDH\n1\nbye\n",
		"bad.in":  "111132323132231222312133\n1111\n",
		"bad.out": "AC\n2\ninvalid: too short\n0\n",
		"utf16":   "\xFF\xFEA\x00",
		"right.gz": func() string {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			io.WriteString(w, "AC\r\n2\r\nNo moves needed\r\n2\r\nBCCEEEF\r\n2")
			w.Close()
			return b.String()
		}(),
		"eight":       "1\n12X453786\n12345678X\n",
		"eight.right": "Case 1: 2\ndd\n",
		"eight.jsonl": `{"case":1,"moves":"dd"}`,
	}))
	for _, tt := range []struct {
		args           string
		status         int
		stdout, stderr string
	}{
		{"in right", 0, "accepted: 3 cases\n", ""},
		{"in right.gz", 0, "accepted: 3 cases\n", ""},
		{"eight eight.right", 0, "accepted: 1 case\n", ""},
		{"eight eight.jsonl", 0, "accepted: 1 case\n", ""},
		{"in right --format csv", 0, "verdict,kind,case,source,line,reason\n", ""},
		{"in right --format json", 0, `{"faults":[],
"puzzle":"rotation","accept":"first","verdict":"AC","cases":3,"accepted":3,"invalid":0,"kinds":{}}
`, ""},
		{"in faults", 1, `wrong answer: case 1 (in:1): "3", want "2" for these moves
3 cases: 0 accepted, 1 form, 1 extra, 1 label, 1 not-first
`, ""},
		{"in faults --all", 1, `wrong answer: case 1 (in:1): "3", want "2" for these moves
presentation error: case 2 (in:2): line 3: the moves are missing: "2"
wrong answer: case 3 (in:3): BFHFDDH is as short, but BCCEEEF comes first
presentation error: line 6: more than the answers to 3 cases: "bye"
3 cases: 0 accepted, 1 form, 1 extra, 1 label, 1 not-first
`, ""},
		{"in faults --all --format csv", 1, `verdict,kind,case,source,line,reason
WA,label,1,in:1,1,"""3"", want ""2"" for these moves"
PE,form,2,in:2,3,"line 3: the moves are missing: ""2"""
WA,not-first,3,in:3,4,"BFHFDDH is as short, but BCCEEEF comes first"
PE,extra,,,6,"line 6: more than the answers to 3 cases: ""bye"""
`, ""},
		{"in faults --all --format json", 1, `{"faults":[
{"verdict":"WA","kind":"label","case":1,"source":"in:1","line":1,"reason":"\"3\", want \"2\" for these moves"},
{"verdict":"PE","kind":"form","case":2,"source":"in:2","line":3,"reason":"line 3: the moves are missing: \"2\""},
{"verdict":"WA","kind":"not-first","case":3,"source":"in:3","line":4,"reason":"BFHFDDH is as short, but BCCEEEF comes first"},
{"verdict":"PE","kind":"extra","line":6,"reason":"line 6: more than the answers to 3 cases: \"bye\""}],
"puzzle":"rotation","accept":"first","verdict":"WA","cases":3,"accepted":0,"invalid":0,"kinds":{"extra":1,"form":1,"label":1,"not-first":1}}
`, ""},
		{"in any --accept any", 0, "accepted: 3 cases\n", ""},
		{"in any --accept shortest", 1, `wrong answer: case 1 (in:1): 4 moves, 2 are enough: AC
3 cases: 2 accepted, 1 longer
`, ""},
		{"bad.in bad.out", 0, "accepted: 2 cases; 1 of the cases cannot be read\n", "batch: bad.in:2: 4 symbols, want 24 (case 1)\n"},
		{"--puzzle eight in right", 1, "", ""},

		{"absent right", 3, "", "batch: absent: no such file or directory\n"},
		{"in absent", 3, "", "batch: absent: no such file or directory\n"},
		{"utf16 right", 3, "", "batch: utf16: the text is UTF-16; convert it to UTF-8 first\n"},
		{"in utf16", 3, "", "batch: utf16: the text is UTF-16; convert it to UTF-8 first\n"},
		{"- -", 2, "", "batch: standard input, -, is given twice\n"},
		{"in", 2, "", "batch: accepts 2 arg(s), received 1\n"},
		{"in right --accept best", 2, "", `batch: invalid argument "best" for "--accept" flag: want any, shortest or first` + "\n"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), append([]string{"verify"}, strings.Fields(tt.args)...), strings.NewReader(""), &stdout, &stderr)
		if status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.args, status, tt.status)
		}
		if tt.stdout == "" && status == 1 {
			continue
		}
		if diff := cmp.Diff(tt.stdout, stdout.String()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.args, diff)
		}
		if got := strings.TrimSuffix(stderr.String(), "batch: see batch verify --help\n"); got != tt.stderr {
			t.Errorf("%s: %q, want %q", tt.args, got, tt.stderr)
		}
	}
}

// A verification that waits for more of its results can be interrupted.
func TestVerifyInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	never, w := io.Pipe()
	defer w.Close()
	stdin := io.MultiReader(strings.NewReader("AC\n2\n"), readerFunc(func(p []byte) (int, error) {
		cancel(interruption{os.Interrupt})
		return never.Read(p)
	}))
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{"verify", "../../testdata/rotation/sample.in", "-"}, stdin, &stdout, &stderr)
	if want := "batch: interrupted after "; status != statusInterrupted || stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("status %d, printed %q, %q, want %d, %q", status, &stdout, &stderr, statusInterrupted, want)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
