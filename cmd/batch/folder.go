package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"idabatch/internal/report"
)

// runFile is the record of a run in its folder.
const runFile = "run.json"

// folder is a run folder.
type folder struct {
	dir    string
	root   *os.Root // nothing outside the folder is touched, whatever links are in it
	record *report.Run
}

// openFolder makes the run folder ready: run.json is there, whole, before the
// first case is read.
func (s *solve) openFolder(record *report.Run) (_ *sink, err error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	f := &folder{s.dir, root, record}
	k := &sink{folder: f}
	defer func() {
		if err != nil {
			k.closeFiles()
			root.Close()
		}
	}()
	if err := f.clear(s.force); err != nil {
		return nil, err
	}
	if err := f.write(); err != nil {
		return nil, err
	}
	for _, st := range s.streams() {
		if st.flag == "iterations" && s.exact() {
			continue // one iteration a case says nothing
		}
		file, err := root.OpenFile(st.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return nil, err
		}
		k.closers = append(k.closers, file)
		if err := k.add(st, s.dir+"/"+st.file, file); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// runFiles are all that a run makes in its folder, the record last.
var runFiles = []string{"results.txt", "results.jsonl", "cases.csv", "iterations.csv", "timing.csv", runFile}

// clear makes sure that the folder is free for a run: it is empty, or it has an
// earlier run that may be replaced.
func (f *folder) clear(force bool) error {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil || len(entries) == 0 {
		return err
	}
	if _, err := f.read(); err != nil {
		return usagef("--out %s: the folder is not empty, and what is in it is no run", f.dir)
	}
	if !force {
		return usagef("--out %s: there is a run already; --force replaces it", f.dir)
	}
	for _, name := range runFiles {
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("replacing the run: %w", err)
		}
	}
	return nil
}

func (f *folder) read() (*report.Run, error) {
	data, err := f.root.ReadFile(runFile)
	if err != nil {
		return nil, err
	}
	return report.DecodeRun(data)
}

// write puts the record in place, all at once.
func (f *folder) write() error {
	data, err := f.record.Encode()
	if err != nil {
		return err
	}
	const next = runFile + ".new"
	file, err := f.root.Create(next)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	closing(file, &err)
	if err == nil {
		err = f.root.Rename(next, runFile)
	}
	return err
}

// end writes how the run ended, with err or without.
func (f *folder) end(t report.Totals, in inputs, err error) error {
	defer f.root.Close()
	f.record.State = report.Finished
	if err != nil {
		f.record.State = report.Interrupted
	}
	if f.record.Random == nil {
		f.record.Inputs = in.records()
	}
	f.record.Totals = &t
	f.record.End = time.Now()
	return f.write()
}
