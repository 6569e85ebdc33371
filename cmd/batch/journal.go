package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
)

// journal says how far the files of a run folder are safely written, and what
// the run comes to up to there. While a run goes on it is replaced every half
// second, in steps that can be cut off anywhere: all files are synced, the
// journal is written beside the old one and synced, it takes the old one's
// place, the folder is synced.
type journal struct {
	Run    time.Time     `json:"run"` // its first start, which tells it from others
	Cases  int64         `json:"cases"`
	SHA256 string        `json:"sha256,omitempty"` // see pipeline.Position
	Files  []journalFile `json:"files"`

	Summary *report.Summary `json:"summary"`
	Wall    time.Duration   `json:"wall_ns"` // of all starts together, as is Busy
	Busy    time.Duration   `json:"busy_ns"`
	Workers int             `json:"workers"` // the most that a start had
}

type journalFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // of its header and the rows of so many cases
}

func (j *journal) encode() ([]byte, error) {
	data, err := json.Marshal(j)
	if err != nil {
		return nil, fmt.Errorf("encoding the journal: %w", err)
	}
	return append(data, '\n'), nil
}

// decodeJournal refuses what is not whole and what cannot be.
func decodeJournal(data []byte) (*journal, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	j := new(journal)
	if err := dec.Decode(j); err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something stands behind it")
	}
	if sum, err := hex.DecodeString(j.SHA256); err != nil || len(sum) != 0 && len(sum) != 32 {
		return nil, fmt.Errorf("sha256 is %q", j.SHA256)
	}
	for _, file := range j.Files {
		if file.Size < 0 {
			return nil, fmt.Errorf("the size of %q is %d", file.Name, file.Size)
		}
	}
	switch {
	case j.Cases < 0:
		return nil, fmt.Errorf("cases is %d", j.Cases)
	case j.Summary == nil:
		return nil, errors.New("it has no summary")
	case j.Summary.Cases() != j.Cases:
		return nil, fmt.Errorf("cases is %d, its summary has %d", j.Cases, j.Summary.Cases())
	case j.Wall < 0 || j.Busy < 0 || j.Workers < 0:
		return nil, errors.New("it has a negative time or number of workers")
	}
	return j, nil
}

// position is what a run goes on from that writes these streams.
func (j *journal) position(streams []stream) (pipeline.Position, error) {
	at := pipeline.Position{Cases: j.Cases, SHA256: j.SHA256}
	for k, st := range streams {
		if len(streams) != len(j.Files) || j.Files[k].Name != st.file {
			return at, errors.New("its files are not those of this run")
		}
		rows := j.Files[k].Size - int64(len(st.header))
		if rows < 0 {
			return at, fmt.Errorf("the size of %q is %d", st.file, j.Files[k].Size)
		}
		at.Bytes = append(at.Bytes, rows)
	}
	return at, nil
}
