package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
)

// What a run keeps in its folder beside its streams.
const (
	runFile     = "run.json"
	journalName = "journal.json" // until it is finished, as is the next
	lockFile    = "run.lock"
	newSuffix   = ".new" // of a file that is to take the place of another
)

// folder is a run folder. Its record tells which of three states the run is in:
// running (or cut off while it was), interrupted, finished.
type folder struct {
	dir    string
	root   *os.Root // nothing outside the folder is touched, whatever links are in it
	lock   *flock.Flock
	record *report.Run

	streams []stream
	files   []*os.File // of the streams

	// Of the starts before this one, and then of all.
	at      pipeline.Position
	summary *report.Summary
	wall    time.Duration
	busy    time.Duration
	workers int

	begun bool  // this start has changed something
	safe  int64 // cases that the journal on the disk tells of
}

// beginnings are those of our files that a stranger may have too, as long as no
// record tells that there is a run. What a kill has left of one is shorter.
var beginnings = map[string]string{
	lockFile:                "",
	runFile + newSuffix:     "{\n  \"program\": \"" + report.Program + "\"",
	journalName:             `{"run":"`,
	journalName + newSuffix: `{"run":"`,
}

// strange tells whether there is a file of that name that no run has made.
func (f *folder) strange(name string) bool {
	info, err := f.root.Lstat(name)
	if err != nil {
		return false
	}
	file, err := f.root.Open(name)
	if err != nil || !info.Mode().IsRegular() {
		return true
	}
	defer file.Close()
	begins := beginnings[name]
	head := make([]byte, max(1, len(begins)))
	n, err := io.ReadFull(file, head)
	return err == nil && string(head) != begins || !strings.HasPrefix(begins, string(head[:n]))
}

// bare is err without the name that package os puts before it: messages have the
// one that the user knows.
func bare(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok && path == err {
		return path.Err
	}
	return err
}

// step is called between the steps that make something last, with what has just
// been done. Tests kill the program there.
var step = func(done string) {}

// path is a file of the folder as messages name it.
func (f *folder) path(name string) string { return f.dir + "/" + name }

// failed is an error of writing a file of the folder.
func (f *folder) failed(name string, err error) error {
	if err == nil {
		return nil
	}
	return &pipeline.WriteError{Stream: f.path(name), Err: err}
}

// openFolder makes the folder ready for a new run: run.json is there, whole,
// before the first case is read.
func (s *solve) openFolder(record *report.Run, in inputs) (_ *folder, err error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	f := &folder{dir: s.dir, root: root, record: record, streams: s.folderStreams(), summary: report.NewSummary(), begun: true}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if _, err := f.vacant(s.force); err != nil { // and nothing was touched
		return nil, err
	}
	if err := f.apart(in); err != nil {
		return nil, err
	}
	if err := f.acquire(); err != nil {
		return nil, err
	}
	earlier, err := f.vacant(s.force)
	if err != nil {
		return nil, err
	}
	if earlier != nil {
		if err := f.clear(earlier); err != nil {
			return nil, err
		}
	}
	if err := f.writeRecord(); err != nil {
		return nil, err
	}
	for _, st := range f.streams {
		file, err := root.OpenFile(st.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return nil, f.failed(st.file, err)
		}
		f.files = append(f.files, file)
		if _, err := io.WriteString(file, st.header); err != nil {
			return nil, f.failed(st.file, err)
		}
		step(st.file + " created")
	}
	return f, nil
}

// folderStreams are the streams that a run folder has.
func (s *solve) folderStreams() (streams []stream) {
	for _, st := range s.streams() {
		if st.flag == "iterations" && s.exact() {
			continue // one iteration a case says nothing
		}
		streams = append(streams, st)
	}
	return streams
}

// vacant makes sure that the folder is free for a new run: it is empty, or it
// has an earlier run, which is returned, and which may be replaced.
func (f *folder) vacant(force bool) (earlier *report.Run, err error) {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.dir, err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { // a run that was cut off before it began
		return (e.Name() == lockFile || e.Name() == runFile+newSuffix) && !f.strange(e.Name())
	})
	if len(entries) == 0 {
		return nil, nil
	}
	earlier, err = f.readRecord()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("--out %s: the folder is not empty, and what is in it is no run", f.dir)
	case bare(err) != err:
		return nil, fmt.Errorf("reading %s: %w", f.path(runFile), bare(err))
	case err != nil:
		return nil, usagef("--out %s: the folder is not empty, and its %s is no run's, or damaged (%w): take another folder", f.dir, runFile, err)
	case !force && earlier.State == report.Finished:
		return nil, usagef("--out %s: there is a run already; --force replaces it", f.dir)
	case !force:
		if err := f.acquire(); err != nil {
			return nil, err
		}
		if !resumable(earlier) {
			return nil, usagef("--out %s: there is a run that is not finished; --force replaces it", f.dir)
		}
		return nil, usagef("--out %s: there is a run that is not finished; --resume goes on with it, --force replaces it", f.dir)
	}
	for name := range beginnings {
		if f.strange(name) {
			return nil, usagef("--out %s: no run has made %s, so it stays, and it is in the way", f.dir, name)
		}
	}
	theirs := filesOf(earlier)
	for _, st := range f.streams {
		if _, err := f.root.Lstat(st.file); err == nil && !slices.Contains(theirs, st.file) {
			return nil, usagef("--out %s: the run there has not made %s, so it stays, and it is in the way", f.dir, st.file)
		}
	}
	return earlier, nil
}

// apart makes sure that no input is a file of the folder that is to be written.
func (f *folder) apart(in inputs) error {
	for _, st := range f.streams {
		info, err := f.root.Lstat(st.file)
		for _, input := range in {
			if err == nil && input.info != nil && os.SameFile(info, input.info) {
				return usagef("--out %s: its %s is an input too", f.dir, st.file)
			}
		}
	}
	return nil
}

// filesOf are the streams' files that a run makes.
func filesOf(r *report.Run) (names []string) {
	s := &solve{format: r.Options.Format, heuristic: r.Options.Heuristic}
	for _, st := range s.folderStreams() {
		names = append(names, st.file)
	}
	return names
}

// clear removes what the earlier run has made, and nothing else. If it is cut
// off, the folder holds a run that has come nowhere.
func (f *folder) clear(earlier *report.Run) error {
	record := f.record
	f.record = earlier
	f.record.State, f.record.End, f.record.Totals = report.Running, time.Time{}, nil
	err := f.writeRecord()
	f.record = record
	if err != nil {
		return err
	}
	return f.remove(slices.Concat([]string{journalName, journalName + newSuffix}, filesOf(earlier))...)
}

// remove removes those of the files that are there.
func (f *folder) remove(names ...string) error {
	for _, name := range names {
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", f.path(name), err)
		}
		step(name + " removed")
	}
	return nil
}

// acquire takes the folder's lock, which ends with the process, however that
// ends.
func (f *folder) acquire() error {
	if f.lock != nil {
		return nil
	}
	if f.strange(lockFile) {
		return fmt.Errorf("no run has made %s, so it stays, and it is in the way", f.path(lockFile))
	}
	f.lock = flock.New(filepath.Join(f.dir, lockFile))
	for {
		ok, err := f.lock.TryLock()
		if err != nil {
			return fmt.Errorf("locking %s: %w", f.dir, err)
		}
		if !ok {
			f.lock = nil
			return refusef("another batch is at work in %s: wait for it, or stop it", f.dir)
		}
		// A run that ends removes the file, and we may have locked what is gone.
		ours, err := f.lock.Stat()
		there, terr := f.root.Lstat(lockFile)
		if err == nil && terr == nil && os.SameFile(ours, there) {
			return nil
		}
		f.lock.Unlock()
	}
}

// close leaves the folder. More calls do nothing.
func (f *folder) close() (err error) {
	for k, file := range f.files {
		if cerr := f.failed(f.streams[k].file, file.Close()); err == nil {
			err = cerr
		}
	}
	f.files = nil
	if f.lock != nil {
		if runtime.GOOS != "windows" { // where a file that is open cannot go
			f.root.Remove(lockFile)
		}
		f.lock.Unlock()
		if runtime.GOOS == "windows" {
			f.root.Remove(lockFile)
		}
		f.lock = nil
	}
	f.root.Close()
	return err
}

func (f *folder) readRecord() (*report.Run, error) {
	data, err := f.root.ReadFile(runFile)
	if err != nil {
		return nil, err
	}
	return report.DecodeRun(data)
}

func (f *folder) writeRecord() error {
	data, err := f.record.Encode()
	if err != nil {
		return err
	}
	return f.replace(runFile, data)
}

// replace puts a file in place of another, all at once, so that it lasts.
func (f *folder) replace(name string, data []byte) error {
	next := name + newSuffix
	err := func() error {
		if f.strange(next) {
			return fmt.Errorf("no run has made %s, so it stays, and it is in the way", f.path(next))
		}
		if err := f.root.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		file, err := f.root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		step(next + " written")
		if err == nil {
			err = file.Sync()
			step(next + " synced")
		}
		closing(file, &err)
		if err == nil {
			err = f.root.Rename(next, name)
			step(name + " replaced")
		}
		if err == nil {
			err = f.sync()
			step(name + " lasts")
		}
		return err
	}()
	if err != nil && !f.strange(next) {
		f.root.Remove(next)
	}
	return f.failed(name, err)
}

// sync makes the names in the folder last.
func (f *folder) sync() error {
	if runtime.GOOS == "windows" {
		return nil // it has no such thing
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	err = dir.Sync()
	closing(dir, &err)
	return err
}

// syncFiles makes what was written to the streams last.
func (f *folder) syncFiles() error {
	for k, file := range f.files {
		if err := f.failed(f.streams[k].file, file.Sync()); err != nil {
			return err
		}
		step(f.streams[k].file + " synced")
	}
	return nil
}

// checkpoint is for pipeline.Config: what it returns makes everything up to
// that position last.
func (f *folder) checkpoint(at pipeline.Position, wall, busy time.Duration) func() error {
	j := &journal{
		Run: f.record.Starts[0], Cases: at.Cases, SHA256: at.SHA256,
		Summary: f.summary, Wall: f.wall + wall, Busy: f.busy + busy, Workers: f.workers,
	}
	for k, st := range f.streams {
		j.Files = append(j.Files, journalFile{st.file, int64(len(st.header)) + at.Bytes[k]})
	}
	data, err := j.encode() // now: the summary goes on
	return func() error {
		if err != nil {
			return err
		}
		if err := f.syncFiles(); err != nil {
			return err
		}
		err := f.replace(journalName, data)
		if err == nil {
			f.safe = j.Cases
		}
		return err
	}
}

// sink is the streams' files as a run's.
func (f *folder) sink() *sink {
	k := new(sink)
	for i, st := range f.streams {
		k.streams = append(k.streams, st.to(f.files[i], f.path(st.file)))
	}
	return k
}

// configure makes a run keep its journal, and go on from where the last one is.
func (f *folder) configure(cfg *pipeline.Config) {
	start := time.Now()
	progress := new(pipeline.Progress)
	f.workers = max(f.workers, cfg.Jobs)
	cfg.Progress = progress
	cfg.Resume = f.at
	cfg.Begin = f.begin
	cfg.Checkpoint = func(at pipeline.Position) func() error {
		return f.checkpoint(at, time.Since(start), time.Duration(progress.Busy.Load()))
	}
	cfg.Interval = journalInterval
	cfg.Epoch = f.record.Starts[0]
}

// journalInterval is twice as often as anybody was promised. Tests do not wait so
// long.
var journalInterval = 500 * time.Millisecond

// totals are those of all starts.
func (f *folder) totals(t pipeline.Totals) report.Totals {
	return f.summary.Totals(f.wall+t.Wall, f.busy+sum(t.Busy), f.workers)
}

// end writes how the run ended, with failed or without, and leaves the folder.
func (f *folder) end(totals pipeline.Totals, t report.Totals, in inputs, failed error) (err error) {
	defer closing(closer(f.close), &err)
	if !f.begun {
		return nil
	}
	if f.record.Random == nil {
		in.fill(f.record.Inputs)
	}
	f.record.State = report.Finished
	f.record.Totals = &t
	f.record.End = time.Now()
	if failed == nil {
		if err := f.complete(totals.At); err != nil {
			return err
		}
		if err := f.syncFiles(); err != nil {
			return err
		}
		if err := f.writeRecord(); err != nil {
			return err
		}
		return f.remove(journalName, journalName+newSuffix)
	}

	// Some files may have more than others, or a torn row.
	f.record.State = report.Interrupted
	for k, file := range f.files {
		size := int64(len(f.streams[k].header)) + totals.At.Bytes[k]
		if err := f.failed(f.streams[k].file, file.Truncate(size)); err != nil {
			return err
		}
	}
	step("files cut")
	if err := f.checkpoint(totals.At, totals.Wall, sum(totals.Busy))(); err != nil {
		return err
	}
	return f.writeRecord()
}

// errChanged is of a file that somebody else has written to, or taken away.
var errChanged = errors.New("something else has changed it or taken it away")

// complete looks whether the files are there, with what was written to them.
func (f *folder) complete(at pipeline.Position) error {
	for k, file := range f.files {
		name := f.streams[k].file
		ours, err := file.Stat()
		if err != nil {
			return f.failed(name, err)
		}
		there, err := f.root.Lstat(name)
		size := int64(len(f.streams[k].header)) + at.Bytes[k]
		if err != nil || !os.SameFile(ours, there) || ours.Size() != size {
			return f.failed(name, errChanged)
		}
	}
	return nil
}

type closer func() error

func (c closer) Close() error { return c() }

func sum(times []time.Duration) (total time.Duration) {
	for _, t := range times {
		total += t
	}
	return total
}
