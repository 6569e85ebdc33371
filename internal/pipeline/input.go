package pipeline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Input is one file of a corpus: text, or that compressed as .gz or .zst.
type Input struct {
	Name string // as the user named it; "-" for standard input
	Open func() (io.ReadCloser, error)

	// Interactive tells that somebody types it: the run does not wait for what
	// stands behind the last case.
	Interactive bool

	// Tee, if not nil, gets the bytes of the file as they are read, and makes
	// the run read it to its end: for a hash.
	Tee io.Writer
}

// input is an Input that has been opened.
type input struct {
	ctx   context.Context
	file  io.ReadCloser
	tee   io.Writer
	bytes *atomic.Int64
	buf   []byte
	err   error
}

// inputBuffer is that of an input, and the unit in which large files are read.
const inputBuffer = 128 << 10

func openInput(ctx context.Context, in *Input, bytes *atomic.Int64) (*input, error) {
	file, err := await(ctx, in.Open)
	if err != nil {
		return nil, bare(err)
	}
	return &input{ctx: ctx, file: file, tee: in.Tee, bytes: bytes, buf: make([]byte, inputBuffer)}, nil
}

// Open opens an input that no run reads. Its text comes decompressed, and no Read
// blocks longer than ctx lasts.
func Open(ctx context.Context, in *Input) (io.ReadCloser, error) {
	raw, err := openInput(ctx, in, new(atomic.Int64))
	if err != nil {
		return nil, err
	}
	plain, err := decompress(raw)
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return &opened{plain, raw}, nil
}

// opened is the text of an input.
type opened struct {
	io.ReadCloser
	file io.Closer
}

func (o *opened) Close() error { return errors.Join(o.ReadCloser.Close(), o.file.Close()) }

// Read never blocks longer than the context lasts. An error stays: who has
// typed an end of file is not asked for another one.
func (in *input) Read(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	// The buffer is ours, not p, for a Read that is left behind to write to.
	buf := in.buf[:min(len(p), len(in.buf))]
	n, err := await(in.ctx, func() (int, error) { return in.file.Read(buf) })
	in.bytes.Add(int64(n))
	if err != nil {
		in.err = bare(err)
	}
	if in.tee != nil {
		if _, err := in.tee.Write(buf[:n]); err != nil {
			in.err = err
		}
	}
	return copy(p, buf[:n]), in.err
}

// drain reads what is left.
func (in *input) drain() error {
	p := make([]byte, len(in.buf))
	for in.err == nil {
		in.Read(p) // keeps its error
	}
	if in.err != io.EOF {
		return in.err
	}
	return nil
}

func (in *input) Close() error { return in.file.Close() }

// await calls f and waits for it, but not longer than ctx lasts: then it leaves
// f behind.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

// windowMax is the longest memory of earlier text that a .zst may ask us to
// keep. Every level up to 19 does with it, and RFC 8878 asks no more of a
// decoder.
const windowMax = 8 << 20

// decompress returns the text in r, which is compressed if its first bytes say
// so. It reads no more than it needs to tell.
func decompress(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(r, 32<<10)
	begins := func(mask byte, magic ...byte) bool {
		for i, want := range magic {
			head, err := b.Peek(i + 1)
			if err != nil || head[i]&mask != want&mask {
				return false
			}
			mask = 0xFF
		}
		return true
	}
	switch {
	case begins(0xFF, 0x1F, 0x8B):
		return &decompressor{io.NopCloser(&members{b: b}), "gzip"}, nil
	case begins(0xFF, 0x28, 0xB5, 0x2F, 0xFD), begins(0xF0, 0x50, 0x2A, 0x4D, 0x18): // a frame, or one to skip first
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(windowMax))
		if err != nil {
			return nil, decompressError("zstd", err)
		}
		return &decompressor{z.IOReadCloser(), "zstd"}, nil
	}
	return io.NopCloser(b), nil
}

// members is the text of all members of a .gz. It gives what one member holds
// before it asks for the next, which may take long to come.
type members struct {
	b      *bufio.Reader
	z      gzip.Reader
	inside bool // a member
}

func (m *members) Read(p []byte) (int, error) {
	for {
		if !m.inside {
			if err := m.pad(); err != nil {
				return 0, err
			}
			if err := m.z.Reset(m.b); err != nil {
				return 0, err // io.EOF if there is none
			}
			m.z.Multistream(false)
			m.inside = true
		}
		n, err := m.z.Read(p)
		if err == io.EOF {
			m.inside, err = false, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// pad passes over the zeros that may fill a file up behind a member, and looks
// whether what comes then is another one.
func (m *members) pad() error {
	for padded := false; ; padded = true {
		head, err := m.b.Peek(1)
		switch {
		case err == io.EOF:
			return nil // and the next member finds so too
		case err != nil:
			return err
		case head[0] == 0:
			m.b.Discard(1)
		case head[0] != 0x1F || padded:
			return errAfter
		default:
			return nil
		}
	}
}

var errAfter = errors.New("something else follows")

// DamageError is compressed text that is wrong, not only cut off: so may be what
// was read of it before that was found.
type DamageError struct {
	Format string
	Err    error
}

func (e *DamageError) Error() string { return "decompressing " + e.Format + ": " + e.Err.Error() }
func (e *DamageError) Unwrap() error { return e.Err }

// decompressor says in its errors what it was doing.
type decompressor struct {
	io.ReadCloser
	format string
}

func (d *decompressor) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = decompressError(d.format, err)
	}
	return n, err
}

func decompressError(format string, err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data is cut off: %w", format, err)
	case err == errAfter:
		return fmt.Errorf("after the %s data %w", format, err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("the zstd data needs a window above %d MiB, compress it without --long or --ultra: %w", windowMax>>20, err)
	}
	return &DamageError{format, err}
}

// bare is err without the path that package os puts before it: our messages
// name the file as the user did.
func bare(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && pe == err {
		return pe.Err
	}
	return err
}
