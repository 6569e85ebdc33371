package pipeline

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

	"idabatch/internal/solver"
)

// Position is how far a run has come: all that a later run needs to know to go
// on from there.
type Position struct {
	Cases int64   // written, from the first of the source
	Bytes []int64 // of their rows, for each stream

	// SHA256, in hexadecimal, is the hash of these cases as they were read: of
	// where each stands and of its text. It is empty if there are none, and for
	// random cases.
	SHA256 string
}

// ChangedError is a source that does not begin with the cases it began with
// before.
type ChangedError struct {
	Cases int64 // that were there before
	Found int64 // that are there now: fewer, or as many and not the same
}

func (e *ChangedError) Error() string {
	if e.Found < e.Cases {
		return fmt.Sprintf("the input has changed: %d of its cases were solved, and it has only %d", e.Cases, e.Found)
	}
	return fmt.Sprintf("the input has changed: its first %d cases, which were solved, are not the same any more", e.Cases)
}

// trail is the hash of the cases that were read. It tells nothing but what the
// rows of a case depend on. So blanks may change, and how the text is
// compressed, and what follows.
type trail struct {
	hash hash.Hash
	buf  []byte // what is to be hashed next
}

func newTrail() *trail { return &trail{hash: sha256.New()} }

// trailMax is how much may wait to be hashed: enough that a call costs nothing.
const trailMax = 4 << 10

func (t *trail) flush() {
	t.hash.Write(t.buf)
	t.buf = t.buf[:0]
}

// enter notes that the next cases are of another input.
func (t *trail) enter(p *solver.Puzzle, source string) {
	t.buf = append(t.buf, 0) // no line has this number
	for _, name := range []string{p.Name, source} {
		t.buf = binary.AppendUvarint(t.buf, uint64(len(name)))
		t.buf = append(t.buf, name...)
	}
}

// add notes a case.
func (t *trail) add(text []byte, at solver.Span) {
	t.buf = binary.AppendUvarint(t.buf, uint64(at.First))
	t.buf = binary.AppendUvarint(t.buf, uint64(at.Last-at.First))
	t.buf = binary.AppendUvarint(t.buf, uint64(len(text)))
	t.buf = append(t.buf, text...)
	if len(t.buf) >= trailMax {
		t.flush()
	}
}

type sum [sha256.Size]byte

func (s sum) String() string { return hex.EncodeToString(s[:]) }

func (t *trail) sum() (s sum) {
	t.flush()
	t.hash.Sum(s[:0])
	return s
}

// appendState appends what trailFrom goes on from.
func (t *trail) appendState(dst []byte) []byte {
	t.flush()
	dst, err := t.hash.(encoding.BinaryAppender).AppendBinary(dst)
	if err != nil {
		panic(err) // crypto/sha256 has no such error
	}
	return dst
}

func trailFrom(state []byte) *trail {
	t := newTrail()
	if err := t.hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
		panic(err) // it is its own
	}
	return t
}

// to returns the trail behind the first n cases of r, whose texts are still
// there; nil if none is kept.
func (r *run) to(n int) *trail {
	if len(r.before) == 0 {
		return nil
	}
	t := trailFrom(r.before)
	for i := range n {
		t.add(r.text(i), r.texts[i].at)
	}
	return t
}
