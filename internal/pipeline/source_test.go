package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"idabatch/internal/pipeline"
	"idabatch/internal/solver"
)

// from is an input that is read from r.
func from(name string, r io.Reader) pipeline.Input {
	return pipeline.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

func path(name string) pipeline.Input {
	return pipeline.Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
}

// runFiles runs the inputs and returns the rows.
func runFiles(t *testing.T, inputs ...pipeline.Input) (string, error) {
	t.Helper()
	var out bytes.Buffer
	_, err := pipeline.Run(t.Context(), pipeline.Files(inputs, detectEcho), one(&out))
	return out.String(), err
}

func gz(parts ...string) string {
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		z.Write([]byte(p))
		z.Close()
	}
	return b.String()
}

func zst(parts ...string) string {
	var b bytes.Buffer
	for _, p := range parts {
		z, _ := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		z.Write([]byte(p))
		z.Close()
	}
	return b.String()
}

// skippable is a frame of Zstandard that holds no data, as pzstd writes them.
const skippable = "\x5A\x2A\x4D\x18\x03\x00\x00\x00abc"

func TestCompressedInput(t *testing.T) {
	input := corpus(800)
	want := rows("in", input)
	half := len(input)/2 + 7 // in the middle of a line
	for _, tt := range []struct{ name, data string }{
		{"plain", input},
		{"gz", gz(input)},
		{"gz of two members", gz(input[:half], input[half:])},
		{"gz with empty members", gz("", input, "")},
		{"zst", zst(input)},
		{"zst of two frames", zst(input[:half], input[half:])},
		{"zst with skippable frames", skippable + zst(input[:half]) + skippable + zst(input[half:])},
	} {
		for _, r := range []struct {
			name string
			wrap func(io.Reader) io.Reader
		}{
			{"as it is", func(r io.Reader) io.Reader { return r }},
			{"one byte at a time", iotest.OneByteReader},
			{"by halves", iotest.HalfReader},
			{"end with data", iotest.DataErrReader},
		} {
			got, err := runFiles(t, from("in", r.wrap(strings.NewReader(tt.data))))
			if err != nil || got != want {
				t.Errorf("%s, %s: %d bytes of rows, want %d, error %v", tt.name, r.name, len(got), len(want), err)
			}
		}
	}
}

// Text that begins like something compressed is text.
func TestTextLikeMagic(t *testing.T) {
	for _, input := range []string{"(\n", "(+/\n", "P\n", "P*\n", "Z*M\n", "\x1f\n"} {
		got, err := runFiles(t, from("in", strings.NewReader(input)))
		if err != nil || got != rows("in", input) {
			t.Errorf("%q: %q, %v", input, got, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	input := corpus(60)
	want := rows("in", input)
	for _, tt := range []struct {
		name, data string
		magic      int
	}{
		{"gzip", gz(input), 2},
		{"zstd", zst(input), 4},
		{"zstd", skippable + zst(input), 4},
	} {
		for n := tt.magic; n < len(tt.data); n++ {
			if n == len(skippable) && strings.HasPrefix(tt.data, skippable) {
				continue // what is left is whole
			}
			got, err := runFiles(t, from("in", strings.NewReader(tt.data[:n])))
			if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "in: the "+tt.name+" data is cut off") {
				t.Fatalf("%s, %d bytes of %d: error %v", tt.name, n, len(tt.data), err)
			}
			if !strings.HasPrefix(want, got) {
				t.Fatalf("%s, %d bytes of %d: rows\n%s", tt.name, n, len(tt.data), got)
			}
		}
	}
}

func TestOpen(t *testing.T) {
	const text = "one\ntwo\n"
	for _, data := range []string{text, gz(text), zst(text)} {
		in := from("in", strings.NewReader(data))
		r, err := pipeline.Open(t.Context(), &in)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); string(got) != text || err != nil {
			t.Errorf("%q gives %q, %v", data, got, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	never, w := io.Pipe()
	defer w.Close()
	go cancel()
	in := from("in", never)
	r, err := pipeline.Open(ctx, &in) // looks at the first bytes
	if err == nil {
		_, err = r.Read(make([]byte, 1))
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a Read that is given up: %v", err)
	}
}

// The cases before the place where a file is cut off are solved.
func TestTruncatedLate(t *testing.T) {
	const n = 24000
	input := corpus(n)
	want := rows("in", input)
	for _, data := range []string{gz(input), zst(input)} {
		got, err := runFiles(t, from("in", strings.NewReader(data[:len(data)/2])))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(want, got) {
			t.Errorf("error %v", err)
		}
		if done := caseNumber(t, got); done < n/10 || done > n*9/10 {
			t.Errorf("%d cases of %d from half of the file", done, n)
		}
	}
}

func TestCorrupt(t *testing.T) {
	input := corpus(300)
	for _, tt := range []struct {
		name, data string
		err        error
	}{
		{"gzip checksum", gz(input)[:len(gz(input))-8] + "12345678", gzip.ErrChecksum},
		{"behind a zstd frame", zst(input) + "no frame at all", zstd.ErrMagicMismatch},
	} {
		_, err := runFiles(t, from("in", strings.NewReader(tt.data)))
		if !errors.Is(err, tt.err) || !strings.HasPrefix(err.Error(), "in: decompressing ") {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.err)
		}
		if damage, ok := errors.AsType[*pipeline.DamageError](err); !ok {
			t.Errorf("%s: error %v does not tell of damage: %v", tt.name, err, damage)
		}
	}
}

// Behind the last gzip member there may be zeros, as tapes have them, and nothing
// else.
func TestAfterGzip(t *testing.T) {
	input := corpus(300)
	padding := strings.Repeat("\x00", 70000)
	for after, want := range map[string]string{
		"":                 "",
		padding:            "",
		"no member at all": "in: after the gzip data something else follows",
		padding + "x":      "in: after the gzip data something else follows",
		"\x1F":             "in: the gzip data is cut off: unexpected EOF",
	} {
		got, err := runFiles(t, from("in", strings.NewReader(gz(input)+after)))
		message := ""
		if err != nil {
			message = err.Error()
		}
		if message != want || got != rows("in", input) {
			t.Errorf("%.20q behind it: error %q, want %q", after, message, want)
		}
	}
}

// A decoder has to keep as much of the text as the file's window says.
func TestZstdWindow(t *testing.T) {
	input := corpus(1000)
	for _, tt := range []struct {
		mib int
		err error
	}{{8, nil}, {16, zstd.ErrWindowSizeExceeded}} {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, zstd.WithWindowSize(tt.mib<<20), zstd.WithSingleSegment(false), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		z.Write([]byte(input[:100]))
		z.Flush() // or it would fit the window to the text
		z.Write([]byte(input[100:]))
		z.Close()
		got, err := runFiles(t, from("in", &b))
		if !errors.Is(err, tt.err) {
			t.Errorf("%d MiB: error %v, want %v", tt.mib, err, tt.err)
		}
		if tt.err == nil && got != rows("in", input) {
			t.Errorf("%d MiB: %d bytes of rows", tt.mib, len(got))
		}
	}
	// A frame of a single segment has its length as its window.
	z, _ := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	data := z.EncodeAll(make([]byte, 9<<20), nil)
	if _, err := runFiles(t, from("in", bytes.NewReader(data))); err == nil || !strings.Contains(err.Error(), "--long") {
		t.Errorf("a segment of 9 MiB: error %v", err)
	}
}

func TestInputErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.txt")
	for _, tt := range []struct {
		name  string
		input pipeline.Input
		is    error
		want  string
		cases int // of the input itself
	}{
		{"missing", path(missing), fs.ErrNotExist, missing + ": no such file or directory", 0},
		{"directory", path(dir), nil, dir + ": is a directory", 0},
		{"read", from("in", io.MultiReader(strings.NewReader(corpus(10000)), iotest.ErrReader(errBoom))), errBoom, "in: boom", 10000},
		{"read, in a case", from("in", io.MultiReader(strings.NewReader("s\ns\ns"), iotest.ErrReader(errBoom))), errBoom, "in: boom", 2},
		{"read, at once", from("in", iotest.ErrReader(errBoom)), errBoom, "in: boom", 0},
		{"read, behind the end", from("in", io.MultiReader(strings.NewReader("s\n0\n"), iotest.ErrReader(errBoom))), errBoom, "in: boom", 1},
		{"utf-16", from("in", strings.NewReader("\xFF\xFE1\x00")), solver.ErrUTF16, "in: " + solver.ErrUTF16.Error(), 0},
		{"utf-16 in gzip", from("in", strings.NewReader(gz("\xFE\xFF\x001"))), solver.ErrUTF16, "in: " + solver.ErrUTF16.Error(), 0},
	} {
		got, err := runFiles(t, text("first", "s\ns\ns\n"), tt.input, text("last", "s\n"))
		if err == nil || err.Error() != tt.want || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: error %q, want %q", tt.name, err, tt.want)
		}
		if n := caseNumber(t, got); n != 3+tt.cases {
			t.Errorf("%s: %d cases, want %d", tt.name, n, 3+tt.cases)
		}
	}
}

func TestDetectError(t *testing.T) {
	_, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{text("in", "s\n")},
		func(s *solver.Scanner) (*solver.Puzzle, error) {
			if line := s.PeekLine(0); string(line) != "s" {
				t.Errorf("detect sees %q", line)
			}
			return nil, errBoom
		}), one(io.Discard))
	if !errors.Is(err, errBoom) || err.Error() != "in: boom" {
		t.Errorf("error %v", err)
	}
}

// A row is out before the reader waits for more text, whatever the length of
// the runs: so a program can ask and wait for the answer.
func TestRequestAndResponse(t *testing.T) {
	for _, cfg := range []pipeline.Config{{Jobs: 1}, {Jobs: 2}, {Jobs: 2, RunLength: 100}} {
		synctest.Test(t, func(t *testing.T) {
			in, ask := io.Pipe()
			out, answer := io.Pipe()
			cfg.NewSolver = newEcho
			cfg.Streams = []pipeline.Stream{{Name: "facts", W: answer, Append: facts}}
			done := make(chan error)
			go func() {
				_, err := pipeline.Run(t.Context(), pipeline.Files([]pipeline.Input{{Name: "-",
					Open: func() (io.ReadCloser, error) { return in, nil }}}, detectEcho), cfg)
				done <- err
			}()
			buf := make([]byte, 1000)
			for i := range 100 {
				io.WriteString(ask, "s\n")
				n, err := out.Read(buf)
				if want := row(i+1, "echo", "-", i+1, "s"); err != nil || string(buf[:n]) != want {
					t.Fatalf("answer %d is %q, %v, want %q", i+1, buf[:n], err, want)
				}
			}
			ask.Close()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// Who ends the input at a terminal is not asked for another end.
func TestEndIsReadOnce(t *testing.T) {
	for _, input := range []string{"", "s\n", "s", "\x1f", "("} {
		ended := false
		r := strings.NewReader(input)
		_, err := runFiles(t, from("-", readerFunc(func(p []byte) (int, error) {
			if ended {
				t.Errorf("%q: read again after its end", input)
			}
			n, err := r.Read(p)
			ended = err == io.EOF
			return n, err
		})))
		if err != nil {
			t.Error(err)
		}
	}
}

// What stands behind the end is waited for, unless somebody types.
func TestInteractive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		go io.WriteString(w, "s\n0\n")
		in := from("-", r)
		in.Interactive = true
		got, err := runFiles(t, in)
		if err != nil || got != rows("-", "s\n") {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// A reader that is interrupted does not wait for the Read or Open it is in.
func TestCancelBlockedInput(t *testing.T) {
	for _, tt := range []struct {
		name  string
		input func(never chan struct{}) pipeline.Input
		cases int
	}{
		{"open", func(never chan struct{}) pipeline.Input {
			return pipeline.Input{Name: "fifo", Open: func() (io.ReadCloser, error) { <-never; return nil, errBoom }}
		}, 0},
		{"read of a pipe, which its end wakes up", func(chan struct{}) pipeline.Input {
			r, _ := io.Pipe()
			return pipeline.Input{Name: "-", Open: func() (io.ReadCloser, error) { return r, nil }}
		}, 0},
		{"first read", func(never chan struct{}) pipeline.Input {
			return from("in", blocked(never))
		}, 0},
		{"read", func(never chan struct{}) pipeline.Input {
			return from("in", io.MultiReader(strings.NewReader("s\ns\ns"), blocked(never)))
		}, 2},
		{"read of zstd", func(never chan struct{}) pipeline.Input {
			return from("in", io.MultiReader(strings.NewReader(zst("s\ns\n")), blocked(never)))
		}, 2},
		{"read of gzip", func(never chan struct{}) pipeline.Input {
			return from("in", io.MultiReader(strings.NewReader(gz("s\ns\n")), blocked(never)))
		}, 2},
		{"behind the end", func(never chan struct{}) pipeline.Input {
			return from("in", io.MultiReader(strings.NewReader("s\ns\n0\n"), blocked(never)))
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				never := make(chan struct{})
				defer close(never)
				var out bytes.Buffer
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Minute, func() { cancel(errInterrupt) })
				totals, err := pipeline.Run(ctx, pipeline.Files([]pipeline.Input{tt.input(never)}, detectEcho), one(&out))
				if !errors.Is(err, errInterrupt) || totals.Wall != time.Minute {
					t.Errorf("error %v after %v", err, totals.Wall)
				}
				if n := caseNumber(t, out.String()); n != tt.cases {
					t.Errorf("%d cases, want %d", n, tt.cases)
				}
			})
		})
	}
}

// blocked is a reader that blocks until the channel is closed.
func blocked(until chan struct{}) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		<-until
		return copy(p, "late\n"), nil
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestRandomEqualsFiles(t *testing.T) {
	const first, n = 1000, 600
	var input []byte
	for i := range uint64(n) {
		input = append(echo.Random(input, 7, first+i, 3), '\n')
	}
	want, err := runFiles(t, text("in", string(input)))
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range settings {
		var out bytes.Buffer
		cfg.NewSolver = newEcho
		cfg.Streams = one(&out).Streams
		totals, err := pipeline.Run(t.Context(), pipeline.Random(echo, 7, first, n, 3), cfg)
		if err != nil || totals.Cases != n {
			t.Fatal(totals.Cases, err)
		}
		// Only the source is told in another way: in:1 is seed=7:1000.
		got := out.Bytes()
		for i, line := range strings.Split(strings.TrimSpace(want), "\n") {
			f := strings.Fields(line)
			f[2] = "seed=7:" + strconv.Itoa(first+i)
			row, rest, _ := bytes.Cut(got, []byte("\n"))
			if string(row) != strings.Join(f, " ") {
				t.Fatalf("%s: row %q, want %q", name, row, f)
			}
			got = rest
		}
	}
}

// Tee gets all bytes of the file as they are, also those behind the end.
func TestTee(t *testing.T) {
	behind := strings.Repeat("x\n", 1<<18)
	for _, data := range []string{"s\n0\n" + behind, gz("s\n0\n", behind), "s\n", ""} {
		var tee bytes.Buffer
		in := from("in", strings.NewReader(data))
		in.Tee = &tee
		if _, err := runFiles(t, in); err != nil {
			t.Error(err)
		}
		if tee.String() != data {
			t.Errorf("%d bytes, want %d", tee.Len(), len(data))
		}
	}
	in := from("in", strings.NewReader("s\n"))
	in.Tee = writerFunc(func([]byte) (int, error) { return 0, errBoom })
	if _, err := runFiles(t, in); !errors.Is(err, errBoom) {
		t.Errorf("error %v", err)
	}
}

// Every input that was opened is closed.
func TestInputsAreClosed(t *testing.T) {
	for _, bad := range []bool{false, true} {
		var open int
		input := func(s string) pipeline.Input {
			return pipeline.Input{Name: "in", Open: func() (io.ReadCloser, error) {
				open++
				return &closer{strings.NewReader(s), &open}, nil
			}}
		}
		inputs := []pipeline.Input{input("s\n"), input(gz("s\n")), input(zst("s\n"))}
		if bad {
			inputs = append(inputs, input(gz("s\n")[:5]), input("s\n"))
		}
		if _, err := runFiles(t, inputs...); (err != nil) != bad || open != 0 {
			t.Errorf("%d inputs are open, error %v", open, err)
		}
	}
}

type closer struct {
	io.Reader
	open *int
}

func (c *closer) Close() error { *c.open--; return nil }
