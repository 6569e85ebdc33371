package main

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"idabatch/internal/pipeline"
	"idabatch/internal/report"
	"idabatch/internal/solver"
	"idabatch/internal/solver/registry"
)

type solve struct {
	*env
	puzzle    string
	count     int64 // of --random; -1: from files
	random    random
	heuristic string
	prune     string
	jobs      int
	maxNodes  int64
	timeout   time.Duration
	format    string
	paths     outputs
	dir       string // of the run folder
	force     bool
	resume    string
	progress  report.Mode
	quiet     bool
}

// outputs are the files that the streams go to; "" is none, "-" standard output.
type outputs struct{ results, cases, timing, iterations string }

func newSolve(e *env) *cobra.Command {
	_, c := solveCommand(e)
	return c
}

// solveCommand returns the command and where its flags go.
func solveCommand(e *env) (*solve, *cobra.Command) {
	s := &solve{env: e, count: -1, jobs: runtime.GOMAXPROCS(0), format: "judge", progress: report.Auto}
	c := &cobra.Command{
		Use:   "solve [FILE...]",
		Short: "Solve every case of the files, or of a random corpus",
		Long: `Solve every case of the files, in order. "-", or no file at all, is standard
input; .gz and .zst are read as they are. With --random, cases come from the
generator instead.

Results go to standard output unless a file is named for them. --out makes a run
folder with everything: results, cases.csv, iterations.csv, timing.csv, run.json.
A run with a folder that was interrupted, or killed, goes on with --resume, and
comes to the same files.

Exit status: 0 every case is solved; 1 some are invalid, unsolvable or over a
limit; 2 wrong usage, or a refused --resume; 3 input or output failed; 130 or 143 interrupted; 141 the
reader of standard output has gone.`,
		Example: `  batch solve corpus.txt > results.txt
  batch solve --random 10000 --out run
  batch solve --resume run
  zcat corpus.gz | batch solve -j 2 --heuristic exact --cases cases.csv --results /dev/null`,
		RunE: func(c *cobra.Command, args []string) error {
			err := s.run(c, args)
			var refused refusal
			if errors.As(err, &refused) {
				s.say("%v", err)
				return exit(statusUsage)
			}
			return err
		},
	}
	f := c.Flags()
	puzzleFlag(c, &s.puzzle, "puzzle: "+registry.Names()+" (default: told by each input)")
	f.Var(number[int64]{&s.count, 0}, "random", "solve so many random cases instead of files")
	f.Lookup("random").DefValue = ""
	s.random.define(c)
	choiceFlag(c, &s.heuristic, "heuristic", choiceNames(heuristics), "heuristic; see batch puzzles NAME (default: the puzzle's first)")
	choiceFlag(c, &s.prune, "prune", choiceNames(prunings), "pruning rule; see batch puzzles NAME (default: the puzzle's first)")
	f.VarP(number[int]{&s.jobs, 1}, "jobs", "j", "workers")
	f.Var(number[int64]{&s.maxNodes, 1}, "max-nodes", "stop a case after so many expansions")
	f.Lookup("max-nodes").DefValue = ""
	f.Var(duration{&s.timeout}, "timeout", "stop a case after so long; results then depend on the machine")
	f.Lookup("timeout").DefValue = ""
	choiceFlag(c, &s.format, "format", []string{"judge", "jsonl"}, "form of the results: judge or jsonl (JSON lines)")
	f.StringVar(&s.paths.results, "results", "", "write results to this file; - is standard output")
	f.StringVar(&s.paths.cases, "cases", "", "write a CSV row for each case to this file")
	f.StringVar(&s.paths.timing, "timing", "", "write a CSV row with the times of each case to this file")
	f.StringVar(&s.paths.iterations, "iterations", "", "write a CSV row for each iteration of each case to this file")
	f.StringVar(&s.dir, "out", "", "write everything into this new folder instead")
	f.BoolVar(&s.force, "force", false, "with --out: replace an earlier run in the folder")
	f.StringVar(&s.resume, "resume", "", "go on with the run in this folder, as it was begun")
	f.Var(&s.progress, "progress", "progress on standard error: auto, always, never or plain")
	c.RegisterFlagCompletionFunc("progress", cobra.FixedCompletions([]string{"auto", "always", "never", "plain"}, cobra.ShellCompDirectiveNoFileComp))
	c.MarkFlagDirname("out")
	c.MarkFlagDirname("resume")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no bar, summary or hints; warnings and errors stay")
	return s, c
}

// run checks everything before it reads or writes the first byte.
func (s *solve) run(c *cobra.Command, files []string) (err error) {
	var folder *folder
	var named []report.Input
	if c.Flags().Changed("resume") {
		if folder, err = s.reopen(c, files); err != nil {
			return err
		}
		if folder.record.State == report.Finished {
			return s.finished(folder.record)
		}
		named = folder.record.Inputs
	} else {
		if err := s.check(c, files); err != nil {
			return err
		}
		if s.count < 0 && len(files) == 0 {
			files = []string{"-"}
		}
		named = s.named(files)
	}
	defer func() {
		if folder != nil {
			closing(closer(folder.close), &err)
		}
	}()
	inputs, size, err := s.inputs(named)
	if err != nil {
		return err
	}
	if folder == nil && s.chosen() == nil && (s.heuristic != "" || s.prune != "") {
		if err := inputs.fit(c.Context(), s.detect); err != nil {
			return err
		}
	}
	var sink *sink
	switch {
	case s.dir == "":
		sink, err = s.openFiles(inputs)
	case folder == nil:
		folder, err = s.openFolder(s.record(named), inputs)
	}
	if err != nil {
		return err
	}
	if folder != nil {
		sink = folder.sink()
	}
	if s.keyboard(files) && !s.quiet {
		s.say("reading cases from the keyboard; a line with 0, or Ctrl-D, ends them")
	}
	return s.through(c.Context(), inputs, size, sink, folder)
}

// through solves all cases, and tells what came of it.
func (s *solve) through(ctx context.Context, inputs inputs, size int64, sink *sink, folder *folder) error {
	mode := s.progress
	if s.quiet || mode == report.Auto && sink.terminal {
		mode = report.Never
	}
	progress := report.NewProgress(s.stderr, mode)
	src := pipeline.Files(inputs.files(), s.detect)
	if s.count >= 0 {
		src = pipeline.Random(s.chosen(), s.random.seed, s.random.first, uint64(s.count), s.random.scramble)
		progress.SetTotal(s.count)
	} else if size > 0 {
		progress.SetSize(size)
	}
	inputs.count(progress.AddRead)
	notices := notices{env: &env{s.stdin, s.stdout, progress.Writer()}}
	summary := report.NewSummary()
	cfg := pipeline.Config{
		Jobs:     s.jobs,
		MaxNodes: s.maxNodes,
		Timeout:  s.timeout,
		NewSolver: func(p *solver.Puzzle) solver.Solver {
			return p.New(orFirst(s.heuristic, p.Heuristics), orFirst(s.prune, p.Prunings))
		},
		Streams: sink.streams,
		Notice:  notices.tell,
	}
	if folder != nil {
		summary = folder.summary
		folder.configure(&cfg)
		progress.AddCases(cfg.Resume.Cases)
	}
	cfg.Observe = func(cases []pipeline.Outcome) {
		for _, o := range cases {
			summary.Observe(o.Status, int(o.Depth), o.Expanded)
		}
		progress.AddCases(int64(len(cases)))
	}
	progress.Start()
	totals, err := pipeline.Run(ctx, src, cfg)
	progress.Stop()
	notices.close()

	all := summary.Totals(totals.Wall, sum(totals.Busy), s.jobs)
	var cerr error
	if folder != nil {
		all = folder.totals(totals)
		cerr = folder.end(totals, all, inputs, err)
	} else {
		if err != nil {
			sink.cut(totals.At)
		}
		cerr = sink.close()
	}
	if err == nil {
		err = cerr
	} else if cerr != nil && context.Cause(ctx) != nil {
		s.say("%v", cerr) // else it is most likely the same trouble
	}
	if err != nil {
		written := totals.At.Cases
		if folder != nil && cerr != nil {
			written = folder.safe
		}
		return s.failed(ctx, sink, folder, written, err)
	}
	if !s.quiet {
		io.WriteString(s.stderr, all.Text())
		s.hint(totals)
	}
	return status(all)
}

// status is the exit status of a run that went through.
func status(t report.Totals) error {
	if t.Cases > t.Status[solver.Solved.String()] {
		return exit(statusFault)
	}
	return nil
}

// finished says that there is nothing to go on with.
func (s *solve) finished(r *report.Run) error {
	if !s.quiet {
		s.say("the run in %s is finished: %s", s.dir, cases(r.Totals.Cases))
	}
	return status(*r.Totals)
}

// check looks at the flags together.
func (s *solve) check(c *cobra.Command, files []string) error {
	changed := c.Flags().Changed
	if s.count < 0 {
		for _, name := range []string{"seed", "first", "scramble"} {
			if changed(name) {
				return usagef("--%s is about random cases: it needs --random", name)
			}
		}
	} else if len(files) > 0 {
		return usagef("--random solves random cases: no files beside it, but %q is given", files[0])
	}
	for i, name := range files {
		for _, earlier := range files[:i] {
			if name == "-" && earlier == "-" {
				return usagef("standard input, -, is given twice")
			}
		}
	}
	if s.dir != "" {
		for _, name := range []string{"results", "cases", "timing", "iterations"} {
			if changed(name) {
				return usagef("--out writes everything into its folder: --%s cannot stand beside it", name)
			}
		}
		for _, name := range files {
			if !utf8.ValidString(name) {
				return usagef("--out keeps the names of the inputs in run.json, and %q is no UTF-8: rename it, or give it another name by a link", name)
			}
		}
	} else if s.force {
		return usagef("--force replaces a run folder: it needs --out")
	}
	if changed("out") && s.dir == "" {
		return usagef("--out needs the name of a folder")
	}
	return s.possible()
}

// maxJobs is more than there is a machine for, and little enough to start.
const maxJobs = 1<<16 - 1

// possible checks values that each are right.
func (s *solve) possible() error {
	if s.jobs > maxJobs {
		return usagef("--jobs %d: want at most %d", s.jobs, maxJobs)
	}
	if s.count > 0 && s.random.first > math.MaxInt64-uint64(s.count)+1 {
		return usagef("--random %d --first %d: the last random case is number %d", s.count, s.random.first, math.MaxInt64)
	}
	if p := s.chosen(); p != nil {
		return s.fits(p)
	}
	return nil
}

// chosen is the puzzle that the flags tell, or nil: the inputs do.
func (s *solve) chosen() *solver.Puzzle {
	if s.puzzle != "" {
		return registry.Lookup(s.puzzle)
	}
	if s.count >= 0 {
		return registry.Default
	}
	return nil
}

// fits checks that p has the heuristic and the pruning rule asked for.
func (s *solve) fits(p *solver.Puzzle) error {
	for _, flag := range []struct {
		name, value string
		choices     []solver.Choice
	}{{"heuristic", s.heuristic, p.Heuristics}, {"prune", s.prune, p.Prunings}} {
		if flag.value != "" && solver.Find(flag.choices, flag.value) == nil {
			var names []string
			for _, c := range flag.choices {
				names = append(names, c.Name)
			}
			return usagef("--%s %s: %s has %s", flag.name, flag.value, p.Name, alternatives(names))
		}
	}
	return nil
}

func orFirst(name string, choices []solver.Choice) string {
	if name == "" {
		return choices[0].Name
	}
	return name
}

func (s *solve) detect(text *solver.Scanner) (*solver.Puzzle, error) {
	p := s.chosen()
	if p == nil {
		p = registry.Detect(text)
	}
	return p, s.fits(p)
}

// exact tells whether no search takes place.
func (s *solve) exact() bool {
	for _, p := range registry.All {
		if c := solver.Find(p.Heuristics, s.heuristic); c != nil && c.Exact {
			return true
		}
	}
	return false
}

// stdinFile is standard input if it is a file of the system.
func (s *solve) stdinFile() *os.File {
	f, _ := s.stdin.(*os.File)
	return f
}

// keyboard tells whether somebody types the cases.
func (s *solve) keyboard(files []string) bool {
	f := s.stdinFile()
	return f != nil && term.IsTerminal(int(f.Fd())) && strings.Join(files, "/") == "-"
}

// hint tells of a better way where there is one.
func (s *solve) hint(t pipeline.Totals) {
	if t.Wall > 10*time.Second && !s.exact() && s.paths.cases == "" && s.dir == "" {
		s.say("hint: --heuristic exact gives the same results without a search, thousands of times as fast")
	}
}

// failed explains why a run did not go through, as far as that is not clear, and
// turns it into the error to return. Folder is nil if there is none.
func (s *solve) failed(ctx context.Context, sink *sink, folder *folder, written int64, err error) error {
	var write *pipeline.WriteError
	if errors.As(err, &write) && sink.onStdout[write.Stream] && errors.Is(write.Err, syscall.EPIPE) {
		return exit(statusPipe)
	}
	var usage usageError
	if errors.As(err, &usage) {
		return err
	}
	var changed *pipeline.ChangedError
	if errors.As(err, &changed) {
		return folder.changed(changed)
	}
	goOn := ""
	if folder != nil && folder.gone() {
		s.say("%v", err)
		s.say("there is no folder %s any more", folder.dir)
		return exit(statusFailed)
	} else if folder != nil && resumable(folder.record) && !errors.Is(err, errChanged) {
		goOn = "batch solve --resume " + shell(folder.dir)
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		switch {
		case goOn != "":
			s.say("%v after %s; to go on: %s", cause, cases(written), goOn)
		case folder != nil:
			s.say("%v after %s; %s cannot be read again, so this run cannot be resumed", cause, cases(written), once(folder.record))
		default:
			s.say("%v after %s", cause, cases(written))
		}
		return interrupted(ctx)
	}
	var wrong *pipeline.ReplayError
	var panicked *pipeline.PanicError
	switch {
	case errors.As(err, &wrong), errors.As(err, &panicked):
		s.say("%v", err)
		s.say("that is a bug in batch %s, please report it", version())
	case write != nil:
		s.say("%v", write) // one is enough: it is the same disk for all
	default:
		s.say("%v", err)
	}
	var damage *pipeline.DamageError
	switch damaged := errors.As(err, &damage); {
	case damaged && folder != nil:
		s.say("written up to there: %s, the last of which may be damaged too; when it is put right, %s", cases(written), folder.startOver())
	case damaged:
		s.say("written up to there: %s, the last of which may be damaged too", cases(written))
	case goOn == "":
		s.say("complete up to there: %s", cases(written))
	default:
		s.say("complete up to there: %s; to go on when it is put right: %s", cases(written), goOn)
	}
	return exit(statusFailed)
}

// interrupted is the status of a command that ctx's end has stopped.
func interrupted(ctx context.Context) error {
	var by interruption
	if errors.As(context.Cause(ctx), &by) {
		return exit(by.status())
	}
	return exit(statusInterrupted)
}

func cases(n int64) string {
	if n == 1 {
		return "1 case"
	}
	return strconv.FormatInt(n, 10) + " cases"
}

// notices passes on what the pipeline notices, of the invalid cases the first
// ten.
type notices struct {
	*env
	invalid int64
}

const shownInvalid = 10

func (n *notices) tell(notice pipeline.Notice) {
	if notice.Case > 0 {
		if n.invalid++; n.invalid > shownInvalid {
			return
		}
	}
	if notice.Case > 0 {
		n.say("%s (case %d)", notice.Text, notice.Case)
	} else {
		n.say("%s", notice.Text)
	}
}

func (n *notices) close() {
	if n.invalid > shownInvalid {
		n.say("%d more are invalid", n.invalid-shownInvalid)
	}
}
