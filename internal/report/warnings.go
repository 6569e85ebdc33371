package report

import (
	"fmt"
	"strings"
)

// Warning tells what a reader of the numbers has to know, and what can be done.
type Warning struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Advice string `json:"advice"`
}

const (
	// tooFast is a time, in nanoseconds, below which the clock itself blurs.
	tooFast = 1000
	// fastShare is the share of such cases that is worth a warning.
	fastShare = 0.01
	// tailShare is what the hardest 1 % may make of all expansions before they
	// make the mean.
	tailShare = 0.25
	// few cases say nothing about the others.
	few = 10
)

// warnings are those that a run gives reason to.
func (s *Stats) warnings() (list []Warning) {
	warn := func(code, text, advice string) { list = append(list, Warning{code, text, advice}) }

	if s.Record != nil && s.Record.State != Finished {
		warn("unfinished", fmt.Sprintf("the run is not finished: these are its first %s", count(s.Cases, "case")),
			"finish it with batch solve --resume")
	}
	if len(s.cut) > 0 {
		warn("cut-off", "the last line is cut off and left out, of "+strings.Join(s.cut, " and "),
			"a run that was killed is mended by batch solve --resume")
	}
	for _, e := range s.Excluded {
		example := fmt.Sprintf("the first is case %s", thousands(e.First))
		if e.Detail != "" {
			example += ": " + e.Detail
		}
		text := fmt.Sprintf("%s left out, %s (%s)", count(e.Cases, "case"), e.Status, example)
		switch e.Status {
		case "invalid":
			warn("invalid", text, "mend the input; grep for invalid in cases.csv lists them all")
		case "unsolvable":
			warn("unsolvable", text, "no moves lead to the goal; nothing was searched")
		default:
			advice := "they are the hard ones, so the means are too low: raise the limit"
			if e.Status == "timeout" {
				advice += "; which cases run out of time changes from run to run, --max-nodes does not"
			}
			warn(e.Status, text, advice)
		}
	}

	if s.All.Cases >= few && s.Hardest1.Share >= tailShare {
		hard := "the hardest case makes"
		if n := s.Hardest1.Cases; n > 1 {
			hard = fmt.Sprintf("the hardest 1 %% of the cases (%s) make", thousands(n))
		}
		warn("tail", fmt.Sprintf("%s %s of all expansions: this tail dominates the mean", hard, percent(s.Hardest1.Share)),
			"compare medians and quantiles, or cases of one depth (batch gen --depth)")
	}
	if depths := s.depthTotal(); depths > 0 && s.All.Cases >= few && s.All.IterationsMax == 1 && s.All.Expanded.Total == depths {
		warn("exact", "every search went straight to its goal, as with an exact heuristic: expansions are the depth",
			"for hardness, solve with a textbook heuristic (batch puzzles lists them)")
	}
	if s.timed > 0 && float64(s.fast) >= fastShare*float64(s.timed) {
		warn("too-fast", fmt.Sprintf("%s of %s took less than 1 µs, too fast to time one by one", thousands(s.fast), count(s.timed, "timed case")),
			"compare cases a second over the whole run, or take harder cases (batch gen --min-depth)")
	}
	if missing := s.All.Cases - s.timed; s.Workers != nil && missing > 0 {
		warn("untimed", fmt.Sprintf("timing.csv lacks %s of the solved ones", count(missing, "case")),
			"times are over the others; it must be of the same run")
	}

	if r := s.Record; r != nil {
		if r.Random != nil && r.Random.Scramble != nil {
			warn("scramble", fmt.Sprintf("the corpus was made by scrambling, %s each: easier than uniform", count(int64(*r.Random.Scramble), "move")),
				"for figures about the puzzle, take uniform cases (without --scramble)")
		}
		if s.Workers != nil && r.Options.Jobs > r.Machine.Cores {
			warn("crowded", fmt.Sprintf("%s on %s: the time of a case includes waiting for one", count(int64(r.Options.Jobs), "worker"), count(int64(r.Machine.Cores), "core")),
				"time with no more workers than cores (-j)")
		}
		if n := len(r.Starts) - 1; n > 0 && s.Workers != nil {
			warn("resumed", fmt.Sprintf("the run was resumed (%d×): the pauses count as idle time of its workers", n),
				"for figures about the machine, run it in one go")
		}
	}
	return list
}

// warnings are those that a comparison gives reason to.
func (c *Comparison) warnings(base, other *Stats) (list []Warning) {
	warn := func(code, text, advice string) { list = append(list, Warning{code, text, advice}) }
	n := c.Cases
	if n.OtherDepth > 0 {
		warn("depth", fmt.Sprintf("%s with the same board and different depths, so one run is wrong (the first is case %s)", count(n.OtherDepth, "case"), thousands(n.FirstOdd)),
			"batch verify tells which")
	}
	if n.OtherMoves > 0 {
		warn("moves", fmt.Sprintf("%s with the same board and depth, and different moves (the first odd case is %s)", count(n.OtherMoves, "case"), thousands(n.FirstOdd)),
			"one of them is not the first in dictionary order: batch verify tells which")
	}
	switch {
	case !c.Paired && n.OtherBoard > 0:
		warn("unpaired", "the boards are not the same: means are compared, not cases",
			"a difference may come from the corpora; solve the same one in both")
	case !c.Paired:
		warn("unpaired", "no case was solved in both: means are compared, not cases",
			"a difference may come from the corpora; solve the same one in both")
	case n.OtherBoard+n.OnlyBase+n.OnlyOther > 0:
		text := fmt.Sprintf("only the %s with the same board are compared", count(n.SameBoard, "case"))
		if n.OtherBoard > 0 {
			text += fmt.Sprintf("; %s with different boards", thousands(n.OtherBoard))
		}
		if n.OnlyBase > 0 {
			text += fmt.Sprintf("; %s only in the first run", thousands(n.OnlyBase))
		}
		if n.OnlyOther > 0 {
			text += fmt.Sprintf("; %s only in the other", thousands(n.OnlyOther))
		}
		warn("partly", text, "solve the same corpus in both to compare all")
	}
	if c.Time == nil {
		return list
	}
	if a, b := base.Record, other.Record; a != nil && b != nil {
		if a.Machine != b.Machine {
			warn("machines", "the runs were timed on different machines, or with other settings there", "time both on one machine; the counts do not depend on it")
		}
		if a.Options.Jobs != b.Options.Jobs {
			warn("jobs", fmt.Sprintf("%s against %s: workers that share a machine slow one another down", count(int64(a.Options.Jobs), "worker"), count(int64(b.Options.Jobs), "worker")),
				"time with the same -j; the counts do not depend on it")
		}
	}
	return list
}
