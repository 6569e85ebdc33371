// Command batch solves combinatorial puzzles in bulk with IDA*: it reads cases
// from files, standard input or a seeded generator, spreads them over a pool of
// workers, and writes results and statistics in input order.
//
// This package is the one place that knows everything: here a flag becomes a
// setting, a name becomes a file, and an error an exit status.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"idabatch/internal/solver"
)

// Exit statuses.
const (
	statusOK          = 0
	statusFault       = 1 // a case is not solved, a check found something
	statusUsage       = 2
	statusFailed      = 3   // input or output, or a bug of ours
	statusInterrupted = 130 // 143 for SIGTERM
	statusPipe        = 141 // who read our standard output has gone
)

func main() {
	// Without a handler, a write to a closed pipe would end the program before
	// its other files are complete.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(interruptible(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// interruption is the cause of a context that a signal has ended.
type interruption struct{ signal os.Signal }

func (i interruption) Error() string {
	if i.signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

func (i interruption) status() int {
	if i.signal == syscall.SIGTERM {
		return statusInterrupted - int(syscall.SIGINT) + int(syscall.SIGTERM)
	}
	return statusInterrupted
}

// grace is how long the program may take to stop: more than it needs, unless
// somebody who does not read holds up a write.
var grace = time.Second

// interruptible returns a context that the first SIGINT or SIGTERM ends. The
// second ends the program, and so does the time of grace.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := interruption{<-signals}
		cancel(first)
		time.AfterFunc(grace, func() {
			time.AfterFunc(grace/10, func() { os.Exit(first.status()) }) // standard error may be held up too
			fmt.Fprintf(os.Stderr, "batch: %v, and held up: not all that is solved could be written\n", first)
			os.Exit(first.status())
		})
		os.Exit(interruption{<-signals}.status())
	}()
	return ctx
}

// env is the world around a command.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// say prints a message on standard error. Names in it are shown, not obeyed, by a
// terminal.
func (e *env) say(format string, args ...any) {
	text := []byte("batch: ")
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		text = solver.AppendEscaped(text, strings.ReplaceAll(line, "\t", "    ")) // stacks have tabs
		text = append(text, '\n')
	}
	e.stderr.Write(text)
}

// A usageError is a wrong use of the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// An exit is a status that has been explained already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := &env{stdin, stdout, stderr}
	root := newRoot(e)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)

	var usage usageError
	var status exit
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage), !ran(command):
		e.say("%v", err)
		e.say("see %s --help", command.CommandPath())
		return statusUsage
	case errors.Is(err, syscall.EPIPE):
		return statusPipe
	}
	e.say("%v", err)
	return statusFailed
}

// ran tells whether the command's own code has begun. Until then an error is
// cobra's, about the command line.
func ran(c *cobra.Command) bool { return c.Annotations["ran"] != "" }

// newRoot returns the command with all its subcommands.
func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "batch",
		Short: "Solve combinatorial puzzles in bulk with IDA*",
		Long: `batch solves combinatorial puzzles in bulk with IDA*: thousands to billions of
cases, on all cores, results in input order, with node counts and timings of
every case as CSV. The solutions are the shortest, and among the shortest the
first in dictionary order.`,
		Example: `  batch solve corpus.txt > results.txt
  batch solve --random 10000 --out run
  batch gen --count 1000 --seed 7 | batch solve --heuristic exact --cases cases.csv`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	root.SetVersionTemplate("batch {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(
		newSolve(e),
		newGen(e),
		newReport(e),
		newVerify(e),
		newStress(e),
		newCensus(e),
		newPuzzles(e),
	)
	for _, c := range root.Commands() {
		if body := c.RunE; body != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				c.Annotations = map[string]string{"ran": "yes"}
				return body(c, args)
			}
		}
		c.Flags().SortFlags = false
	}
	return root
}

// version is what the build knows of its origin.
func version() string {
	version, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		modified := ""
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = " " + s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = "+changes"
			}
		}
		if strings.Contains(version, strings.TrimSpace(revision)) {
			revision = ""
		}
		revision += modified
	}
	return fmt.Sprintf("%s%s %s %s/%s", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
