package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"idabatch/internal/referee"
	"idabatch/internal/report"
	"idabatch/internal/solver/registry"
)

type stress struct {
	*env
	gen     gen // how cases are made, and how many in all
	perFile int64
	accept  referee.Accept
	jobs    int
	time    time.Duration
	memory  int64
	halt    string
	keep    string
	format  string
	command []string
}

func newStress(e *env) *cobra.Command {
	s := &stress{
		env: e, gen: gen{puzzle: registry.Default.Name, count: 3000}, perFile: 30,
		jobs: runtime.GOMAXPROCS(0), time: 10 * time.Second, halt: "first", format: "text",
	}
	if referee.TellsMemory {
		s.memory = 1 << 30
	}
	c := &cobra.Command{
		Use:   "stress [flags] -- COMMAND [ARG...]",
		Short: "Run somebody's solver on generated judge files and give a verdict",
		Long: `Run a solver on generated files in the judge's form, given to it on standard
input, and judge what it writes to standard output, as batch verify does.

Verdicts of a file: AC accepted; WA wrong answer; PE presentation error; TLE, MLE,
OLE over the limit of time, memory or output; RE ended with another status than 0
or by a signal. The command and all its children are ended with the file.

The first faulty file is kept, with the command's output, the expected one and
how to run it again, and so is the smallest file that was found to fail in the
same way: the fewest cases, then the shallowest boards (at most 50 runs, 30 s).

Exit status: 0 all is accepted; 1 there is a fault; 2 wrong usage; 3 the command
cannot be run; 130 or 143 interrupted.`,
		Example: `  batch stress -- ./mine
  batch stress --cases 30000 --seed 7 --time-limit 2s -- python3 mine.py
  batch stress --per-depth 10 --max-depth 8 --ties -- ./mine
  for f in submissions/*; do echo "$f"; batch stress --keep "faults/${f##*/}" -- "$f"; done`,
		RunE: func(c *cobra.Command, args []string) error { return s.run(c, args) },
	}
	f := c.Flags()
	f.SetInterspersed(false) // what follows the command is its own
	puzzleFlag(c, &s.gen.puzzle, "puzzle of the cases: "+registry.Names())
	f.Var(number[int64]{&s.gen.count, 1}, "cases", "cases in all")
	f.Var(number[int64]{&s.perFile, 1}, "per-file", "cases in a file")
	s.gen.define(c)
	acceptFlag(c, &s.accept)
	f.VarP(number[int]{&s.jobs, 1}, "jobs", "j", "files at once")
	f.Var(duration{&s.time}, "time-limit", "stop the command after so long, by the clock on the wall")
	f.Var(size{&s.memory}, "memory-limit", "stop the command when one of its processes takes more: 256M, 1G; 0 is no limit")
	choiceFlag(c, &s.halt, "halt", []string{"first", "never"}, "stop at the first faulty file, or never: first or never")
	f.StringVar(&s.keep, "keep", "", "folder for the first fault (default: a new one for temporary files)")
	formatFlag(c, &s.format)
	return c
}

// size is a flag's value: a number of bytes.
type size struct{ p *int64 }

func (s size) String() string {
	if s.p == nil || *s.p == 0 {
		return ""
	}
	return referee.Size(*s.p)
}

var sizeForm = regexp.MustCompile(`(?i)^([0-9]+)(B|([KMGT])(i?B)?)?$`)

func (s size) Set(text string) error {
	if m := sizeForm.FindStringSubmatch(text); m != nil {
		n, err := strconv.ParseInt(m[1], 10, 64)
		shift := 0
		if m[3] != "" {
			shift = 10 * (1 + strings.Index("KMGT", strings.ToUpper(m[3])))
		}
		if err == nil && n <= math.MaxInt64>>shift {
			*s.p = n << shift
			return nil
		}
	}
	return errors.New("want a size such as 256M or 1G, or 0 for none")
}

func (s size) Type() string { return "size" }

func (s *stress) run(c *cobra.Command, args []string) error {
	if err := s.check(c, args); err != nil {
		return err
	}
	p := registry.Lookup(s.gen.puzzle)
	generate, err := s.gen.generator(p)
	if err != nil {
		return err
	}
	progress := report.NewProgress(s.stderr, report.Auto)
	progress.SetTotal(s.gen.count)
	progress.Start()
	ctx := c.Context()
	out, err := referee.Stress(ctx, referee.Config{
		Puzzle: p, Accept: s.accept, Command: args,
		Cases: s.gen.count, PerFile: s.perFile, First: s.gen.random.first, Seed: s.gen.random.seed,
		Case:        generate,
		Jobs:        s.jobs,
		TimeLimit:   s.time,
		MemoryLimit: s.memory,
		HaltFirst:   s.halt == "first",
		Done:        func(r *referee.Run) { progress.AddCases(r.Cases) },
		Found: func(r *referee.Run) {
			fmt.Fprintf(progress.Writer(), "batch: %v in file %d; looking for a smaller file that fails\n", r.Verdict, r.File)
		},
	})
	progress.Stop()
	if err != nil && ctx.Err() == nil {
		return err
	}
	if out.Fault != nil {
		if kerr := s.store(&out); kerr != nil {
			return kerr
		}
	}
	if werr := s.tell(&out); werr != nil {
		return werr
	}
	switch cause := context.Cause(ctx); {
	case cause != nil:
		s.say("%v after %d files", cause, len(out.Runs))
		return interrupted(ctx)
	case out.Fault != nil:
		return exit(statusFault)
	}
	return nil
}

// check looks at everything before the first run.
func (s *stress) check(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("the command to run is missing: batch stress -- COMMAND [ARG...]")
	}
	s.command = args
	if _, err := exec.LookPath(args[0]); err != nil {
		return usageError{err}
	}
	changed := c.Flags().Changed
	if changed("cases") && changed("per-depth") {
		return usagef("--cases and --per-depth cannot stand side by side: both tell how many cases")
	}
	if changed("memory-limit") && s.memory > 0 && !referee.TellsMemory {
		return usagef("--memory-limit: this system does not tell how much memory a process takes")
	}
	if s.keep == "" {
		return nil
	}
	names, err := os.ReadDir(s.keep)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(names) == 0:
		return nil
	case err != nil:
		return err
	}
	for _, name := range names {
		if name.Name() == faultFile {
			return nil
		}
	}
	return usagef("--keep %s: the folder is not empty, and holds no earlier fault", s.keep)
}

// faultFile tells, in a folder with a fault, which it is.
const faultFile = "fault.json"

// kept is what faultFile says.
type kept struct {
	Command []string        `json:"command"`
	Puzzle  string          `json:"puzzle"`
	Accept  referee.Accept  `json:"accept"`
	Seed    uint64          `json:"seed"`
	First   uint64          `json:"first"`
	Cases   int             `json:"cases"`
	Depth   int             `json:"depth"` // of the deepest case
	Verdict referee.Verdict `json:"verdict"`
	Reason  string          `json:"reason"`
	Small   *keptSmall      `json:"small,omitempty"`
	Tries   int             `json:"tries"`
	Steady  bool            `json:"steady"` // it failed again when it was run again
	Folder  string          `json:"folder,omitempty"`
	Again   string          `json:"again"` // a command line
}

type keptSmall struct {
	Cases  int    `json:"cases"`
	Depth  int    `json:"depth"`
	Reason string `json:"reason"`
}

// fault is what there is to say about the first fault.
func (s *stress) fault(out *referee.Outcome) *kept {
	f := out.Fault
	k := &kept{
		Command: s.command, Puzzle: s.gen.puzzle, Accept: s.accept, Seed: s.gen.random.seed,
		Cases: f.Cases, Depth: f.Depth, Verdict: f.Verdict, Reason: f.Reason,
		Tries: out.Tries, Steady: out.Steady, Folder: s.keep,
	}
	for _, r := range out.Runs {
		if r.Verdict != referee.Accepted {
			k.First = r.First
			break
		}
	}
	input := referee.CasesFile
	if small := out.Small; small != f {
		k.Small = &keptSmall{small.Cases, small.Depth, small.Reason}
		input = smallPrefix + input
	}
	input = shellQuoted(filepath.Join(s.keep, input))
	var words []string
	for _, word := range s.command {
		words = append(words, shellQuoted(word))
	}
	k.Again = strings.Join(words, " ") + " < " + input
	if f.Verdict == referee.WrongAnswer || f.Verdict == referee.PresentationError {
		k.Again += " | batch verify"
		if s.accept != referee.First {
			k.Again += " --accept " + s.accept.String()
		}
		k.Again += " " + input + " -"
	}
	return k
}

const smallPrefix = "small-"

// store writes the first fault to its folder.
func (s *stress) store(out *referee.Outcome) (err error) {
	if s.keep == "" {
		s.keep, err = os.MkdirTemp("", "batch-stress-")
	} else {
		err = os.MkdirAll(s.keep, 0o777)
	}
	if err != nil {
		return fmt.Errorf("keeping the fault: %w", err)
	}
	write := func(name string, text []byte) {
		if err == nil {
			err = os.WriteFile(filepath.Join(s.keep, name), text, 0o666)
		}
	}
	sample := func(prefix string, k *referee.Sample) {
		write(prefix+referee.CasesFile, k.Input)
		write(prefix+"output.txt", k.Output)
		write(prefix+"expected.txt", k.Expected)
		write(prefix+"stderr.txt", k.Stderr)
	}
	// This comes first: the folder is known by it.
	var text bytes.Buffer
	if err := encode(&text, s.fault(out)); err != nil {
		return err
	}
	write(faultFile, text.Bytes())
	sample("", out.Fault)
	if out.Small != out.Fault {
		sample(smallPrefix, out.Small)
	}
	if err != nil {
		return fmt.Errorf("keeping the fault: %w", err)
	}
	return nil
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellQuoted is a word as a shell takes it.
func shellQuoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// tell prints what was found.
func (s *stress) tell(out *referee.Outcome) error {
	switch s.format {
	case "csv":
		return s.tellCSV(out.Runs)
	case "json":
		return s.tellJSON(out)
	}
	var b strings.Builder
	for _, r := range out.Runs {
		if r.Verdict != referee.Accepted {
			fmt.Fprintf(&b, "%-3v  file %d, %s: %s\n", r.Verdict, r.File, s.name(&r), r.Reason)
		}
	}
	if f := out.Fault; f != nil {
		k := s.fault(out)
		fmt.Fprintf(&b, "\nfirst fault   %s of depth %d: %s\n", cases(int64(f.Cases)), f.Depth, k.Folder)
		switch {
		case k.Small != nil:
			fmt.Fprintf(&b, "made small    %s of depth %d, after %d runs: %s\n", cases(int64(k.Small.Cases)), k.Small.Depth, k.Tries, k.Small.Reason)
		case !k.Steady && k.Tries > 0:
			fmt.Fprintf(&b, "made small    no: run again, it did not fail\n")
		default:
			fmt.Fprintf(&b, "made small    no, after %d runs\n", k.Tries)
		}
		fmt.Fprintf(&b, "run it again  %s\n\n", k.Again)
	}
	b.WriteString("verdict  files\n")
	for v, n := range out.Count() {
		if n > 0 {
			fmt.Fprintf(&b, "%-7v  %5d\n", referee.Verdict(v), n)
		}
	}
	if len(out.Runs) > 0 {
		median, slowest := out.Times()
		fmt.Fprintf(&b, "time     median %v, slowest %v: %s\n", threeDigits(median), threeDigits(slowest.Time), s.name(&slowest))
		if memory := out.Memory(); memory > 0 {
			fmt.Fprintf(&b, "memory   up to %s\n", referee.Size(memory))
		}
	}
	_, err := io.WriteString(s.stdout, b.String())
	return err
}

// name is which cases were run.
func (s *stress) name(r *referee.Run) string {
	if r.Cases == 1 {
		return fmt.Sprintf("case %d of seed %d", r.First, s.gen.random.seed)
	}
	return fmt.Sprintf("cases %d to %d of seed %d", r.First, r.First+uint64(r.Cases)-1, s.gen.random.seed)
}

// threeDigits is a time with no more digits than that.
func threeDigits(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

func (s *stress) tellCSV(runs []referee.Run) error {
	w := csv.NewWriter(s.stdout)
	w.Write([]string{"file", "seed", "first", "cases", "verdict", "time_ns", "memory_bytes", "reason"}) // w keeps an error
	for _, r := range runs {
		memory := ""
		if r.Memory > 0 {
			memory = strconv.FormatInt(r.Memory, 10)
		}
		w.Write([]string{
			strconv.FormatInt(r.File, 10), strconv.FormatUint(s.gen.random.seed, 10), strconv.FormatUint(r.First, 10),
			strconv.FormatInt(r.Cases, 10), r.Verdict.String(), strconv.FormatInt(int64(r.Time), 10), memory, r.Reason,
		})
	}
	w.Flush()
	return w.Error()
}

func (s *stress) tellJSON(out *referee.Outcome) error {
	verdicts := map[string]int{}
	for v, n := range out.Count() {
		if n > 0 {
			verdicts[referee.Verdict(v).String()] = n
		}
	}
	all := struct {
		Command  []string       `json:"command"`
		Seed     uint64         `json:"seed"`
		Verdicts map[string]int `json:"verdicts"`
		Median   time.Duration  `json:"median_ns"`
		Slowest  *referee.Run   `json:"slowest,omitempty"`
		Memory   int64          `json:"memory_bytes,omitempty"`
		Fault    *kept          `json:"fault,omitempty"`
		Runs     []referee.Run  `json:"runs"`
	}{Command: s.command, Seed: s.gen.random.seed, Verdicts: verdicts, Memory: out.Memory(), Runs: out.Runs}
	if len(out.Runs) > 0 {
		var slowest referee.Run
		all.Median, slowest = out.Times()
		all.Slowest = &slowest
	}
	if out.Fault != nil {
		all.Fault = s.fault(out)
	}
	return encode(s.stdout, all)
}

// encode writes v as JSON for reading too: "a < b" stays what it is.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
