package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
	"idabatch/internal/solver"
)

// A refusal is a request that was understood and is not met. It says what to do
// instead.
type refusal struct{ error }

func refusef(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// startOver is what can be done where a run cannot be resumed.
func (f *folder) startOver() string {
	return fmt.Sprintf("start over with --out %s --force", shell(f.dir))
}

// reopen opens the folder of a run to go on with, and sets the flags as the run
// had them. The folder is not changed until the input is found to be the same:
// that is begin's part. If the run is finished, the folder is closed already.
func (s *solve) reopen(c *cobra.Command, files []string) (_ *folder, err error) {
	if err := checkResume(c, files); err != nil {
		return nil, err
	}
	s.dir = s.resume
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusef("there is no folder %s", s.dir)
	} else if err != nil {
		return nil, err
	}
	f := &folder{dir: s.dir, root: root, summary: report.NewSummary()}
	defer func() {
		if err != nil || f.record.State == report.Finished {
			f.close()
		}
	}()
	if err := f.load(); err != nil {
		return nil, err
	}
	if f.record.State == report.Finished {
		f.tidy()
		return f, nil
	}
	if err := f.acquire(); err != nil {
		return nil, err
	}
	if err := f.load(); err != nil { // who held the lock may have come to an end
		return nil, err
	}
	if f.record.State == report.Finished {
		return f, nil
	}
	if err := f.fits(); err != nil {
		return nil, err
	}
	if err := s.adopt(c, f.record); err != nil {
		return nil, refusef("%s: %w", f.path(runFile), err)
	}
	f.streams = s.folderStreams()
	if err := f.readJournal(); err != nil {
		return nil, err
	}
	return f, f.openFiles()
}

// tidy removes what a run has left behind that was killed when it was finished.
func (f *folder) tidy() {
	for _, name := range []string{lockFile, journalName, journalName + newSuffix, runFile + newSuffix} {
		if _, err := f.root.Lstat(name); err == nil && !f.strange(name) && f.acquire() == nil {
			f.root.Remove(name)
		}
	}
}

// checkResume looks at what stands beside --resume.
func checkResume(c *cobra.Command, files []string) (err error) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "resume", "jobs", "quiet", "progress":
		default:
			err = usagef("--resume takes inputs and options from the run folder: --%s cannot stand beside it", flag.Name)
		}
	})
	if len(files) > 0 {
		err = usagef("--resume takes inputs and options from the run folder: no files beside it, but %q is given", files[0])
	}
	if c.Flag("resume").Value.String() == "" {
		err = usagef("--resume needs the name of a folder")
	}
	return err
}

// load reads the record.
func (f *folder) load() (err error) {
	f.record, err = f.readRecord()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refusef("there is no run in %s: --out begins one", f.dir)
	case bare(err) != err:
		return fmt.Errorf("reading %s: %w", f.path(runFile), bare(err))
	case err != nil:
		return refusef("%s: %w: without it the run cannot go on; begin anew in another folder", f.path(runFile), err)
	}
	return nil
}

// fits checks that this program can go on with the run.
func (f *folder) fits() error {
	r := f.record
	if r.ResultsVersion != report.ResultsVersion {
		return refusef("the run in %s was begun by batch %s, which writes results of version %d, and this one writes version %d: go on with that program, or %s",
			f.dir, r.Version, r.ResultsVersion, report.ResultsVersion, f.startOver())
	}
	if r.Random != nil && r.Random.GeneratorVersion != solver.GeneratorVersion {
		return refusef("the random cases of the run in %s are of generator version %d, and this program has version %d: go on with batch %s, or %s",
			f.dir, r.Random.GeneratorVersion, solver.GeneratorVersion, r.Version, f.startOver())
	}
	if !resumable(r) {
		return refusef("the run in %s was reading %s, which cannot be read again: write that to a file, and %s", f.dir, once(r), f.startOver())
	}
	return nil
}

// resumable tells whether the input of a run can be read again.
func resumable(r *report.Run) bool { return once(r) == "" }

// once is an input of a run that can be read only once, or "".
func once(r *report.Run) string {
	for _, in := range r.Inputs {
		switch {
		case in.Name == "-":
			return "standard input"
		case in.Once:
			return in.Name
		}
	}
	return ""
}

// gone tells whether the folder has been taken away or has another name now.
func (f *folder) gone() bool {
	_, err := os.Stat(f.dir)
	return errors.Is(err, fs.ErrNotExist)
}

// adopt sets the flags as the run of the record had them.
func (s *solve) adopt(c *cobra.Command, r *report.Run) error {
	values := [][2]string{{"format", r.Options.Format}}
	add := func(flag, value string, given bool) {
		if given {
			values = append(values, [2]string{flag, value})
		}
	}
	o := r.Options
	add("puzzle", o.Puzzle, o.Puzzle != "")
	add("heuristic", o.Heuristic, o.Heuristic != "")
	add("prune", o.Prune, o.Prune != "")
	add("max-nodes", strconv.FormatInt(o.MaxNodes, 10), o.MaxNodes != 0)
	add("timeout", o.Timeout.String(), o.Timeout != 0)
	add("jobs", strconv.Itoa(o.Jobs), !c.Flags().Changed("jobs"))
	if q := r.Random; q != nil {
		add("random", strconv.FormatInt(q.Count, 10), true)
		add("seed", strconv.FormatUint(q.Seed, 10), true)
		add("first", strconv.FormatUint(q.First, 10), true)
		if q.Scramble != nil {
			add("scramble", strconv.Itoa(*q.Scramble), true)
		}
	}
	for _, v := range values {
		if err := c.Flags().Set(v[0], v[1]); err != nil {
			return err
		}
	}
	return s.possible()
}

// readJournal takes over what the journal says. Without one, or with that of an
// earlier run, the run starts over.
func (f *folder) readJournal() error {
	data, err := f.root.ReadFile(journalName)
	if errors.Is(err, fs.ErrNotExist) {
		if f.record.State == report.Interrupted {
			return refusef("%s is gone; %s", f.path(journalName), f.startOver())
		}
		return nil
	} else if err != nil {
		return fmt.Errorf("reading %s: %w", f.path(journalName), bare(err))
	}
	j, err := decodeJournal(data)
	if err == nil {
		if !j.Run.Equal(f.record.Starts[0]) {
			return nil
		}
		f.at, err = j.position(f.streams)
	}
	if err != nil {
		return refusef("%s: %w; %s", f.path(journalName), err, f.startOver())
	}
	f.summary, f.wall, f.busy, f.workers = j.Summary, j.Wall, j.Busy, j.Workers
	f.safe = j.Cases
	return nil
}

// openFiles opens the streams' files as they are.
func (f *folder) openFiles() error {
	flags := os.O_WRONLY
	if f.at.Cases == 0 {
		flags |= os.O_CREATE
	}
	for k, st := range f.streams {
		if info, err := f.root.Lstat(st.file); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file that a run has made", f.path(st.file))
		}
		file, err := f.root.OpenFile(st.file, flags, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			return refusef("%s is gone; %s", f.path(st.file), f.startOver())
		} else if err != nil {
			return fmt.Errorf("opening %s: %w", f.path(st.file), bare(err))
		}
		f.files = append(f.files, file)
		info, err := file.Stat()
		if err != nil {
			return fmt.Errorf("opening %s: %w", f.path(st.file), err)
		}
		if f.at.Cases == 0 {
			continue
		}
		if size := int64(len(st.header)) + f.at.Bytes[k]; info.Size() < size {
			return refusef("%s has %d bytes, and %d were written safely: something else has changed it; %s", f.path(st.file), info.Size(), size, f.startOver())
		}
	}
	return nil
}

// begin cuts the files back to what the journal says, now that the run goes on.
func (f *folder) begin() error {
	if f.begun {
		return nil // a new run
	}
	for k, file := range f.files {
		name, header := f.streams[k].file, f.streams[k].header
		size := int64(0)
		if f.at.Cases > 0 {
			size, header = int64(len(header))+f.at.Bytes[k], ""
		}
		err := file.Truncate(size)
		if err == nil {
			_, err = file.Seek(size, io.SeekStart)
		}
		if err == nil {
			_, err = io.WriteString(file, header)
		}
		if err != nil {
			return f.failed(name, err)
		}
		step(name + " cut")
	}
	f.begun = true
	r := f.record
	r.State, r.End, r.Totals = report.Running, time.Time{}, nil
	r.Version, r.Machine = version(), report.ThisMachine()
	r.Starts = append(r.Starts, time.Now())
	return f.writeRecord()
}

// changed explains an input that is not what it was.
func (f *folder) changed(err *pipeline.ChangedError) error {
	var names []string
	for _, in := range f.record.Inputs {
		names = append(names, in.Name)
	}
	return refusef("%s: %w: put it back as it was, or %s", strings.Join(names, ", "), err, f.startOver())
}

// shell is s as a word of a shell's command line.
func shell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,+@%", r)
	}
	if s != "" && s[0] != '-' && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
