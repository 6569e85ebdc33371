//go:build unix

// Measure times commands against each other.
//
//	measure RUNS NAME COMMAND [NAME COMMAND ...]
//
// It runs the commands in turn, RUNS times round, so that whatever else the
// machine does meets all of them alike. For each it prints a line of fields
// between tabs: name, median, least and greatest wall time in seconds, greatest
// peak memory in MB, and the command, as `sh -c` takes it. A command that fails
// ends it.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

type side struct {
	name, command string
	seconds       []float64
	peak          float64 // MB
}

func run(args []string) error {
	if len(args) < 3 || len(args)%2 == 0 {
		return fmt.Errorf("%d arguments, want RUNS NAME COMMAND [NAME COMMAND ...]", len(args))
	}
	runs, err := strconv.Atoi(args[0])
	if err != nil || runs < 1 {
		return fmt.Errorf("runs: %q, want a number from 1", args[0])
	}
	var sides []side
	for pair := range slices.Chunk(args[1:], 2) {
		sides = append(sides, side{name: pair[0], command: pair[1]})
	}
	for range runs {
		for i := range sides {
			if err := sides[i].measure(); err != nil {
				return fmt.Errorf("%s: %w", sides[i].command, err)
			}
		}
	}
	for _, s := range sides {
		slices.Sort(s.seconds)
		median := (s.seconds[(runs-1)/2] + s.seconds[runs/2]) / 2
		if _, err := fmt.Printf("%s\t%.4f\t%.4f\t%.4f\t%.1f\t%s\n",
			s.name, median, s.seconds[0], s.seconds[runs-1], s.peak, s.command); err != nil {
			return err
		}
	}
	return nil
}

// measure runs the command once. Exec leaves no shell to be measured with it.
func (s *side) measure() error {
	cmd := exec.Command("sh", "-c", "exec "+s.command)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	s.seconds = append(s.seconds, time.Since(start).Seconds())
	s.peak = max(s.peak, peakMB(int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)))
	return nil
}

// peakMB makes MB, of a million bytes, of what getrusage tells: bytes on
// macOS, KiB elsewhere.
func peakMB(maxrss int64) float64 {
	if runtime.GOOS != "darwin" {
		maxrss *= 1024
	}
	return float64(maxrss) / 1e6
}
