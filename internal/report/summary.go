package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"idabatch/internal/solver"
)

// Summary adds up a run while it goes on, in memory of constant size.
type Summary struct {
	status   [solver.NumStatuses]int64
	depthSum int64
	depthMax int
	total    int64 // expanded, as is max
	max      int64
	expanded *hdrhistogram.Histogram
}

// NewSummary returns the summary of no cases.
func NewSummary() *Summary {
	return &Summary{expanded: hdrhistogram.New(1, math.MaxInt64, 3)}
}

// Observe adds one case. Depth counts if it is solved, expanded if it was
// searched: solved, or stopped at a limit.
func (s *Summary) Observe(status solver.Status, depth int, expanded int64) {
	s.status[status]++
	switch status {
	case solver.Invalid, solver.Unsolvable:
		return
	case solver.Solved:
		s.depthSum += int64(depth)
		s.depthMax = max(s.depthMax, depth)
	}
	s.total += expanded
	s.max = max(s.max, expanded)
	s.expanded.RecordValue(expanded) // takes every count that is not negative
}

// kept is a Summary as a journal keeps it.
type kept struct {
	Status        map[string]int64 `json:"status"`
	DepthSum      int64            `json:"depth_sum"`
	DepthMax      int              `json:"depth_max"`
	ExpandedTotal int64            `json:"expanded_total"`
	ExpandedMax   int64            `json:"expanded_max"`
	Expanded      [][2]int64       `json:"expanded"` // the histogram: least value of a bucket, and count
}

// MarshalJSON is all of s, so that a later run can go on with it.
func (s *Summary) MarshalJSON() ([]byte, error) {
	k := kept{
		Status: s.statuses(), DepthSum: s.depthSum, DepthMax: s.depthMax,
		ExpandedTotal: s.total, ExpandedMax: s.max, Expanded: [][2]int64{},
	}
	for _, bar := range s.expanded.Distribution() {
		if bar.Count > 0 {
			k.Expanded = append(k.Expanded, [2]int64{bar.From, bar.Count})
		}
	}
	return json.Marshal(k)
}

// UnmarshalJSON makes s what it was when its JSON was made.
func (s *Summary) UnmarshalJSON(data []byte) error {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return err
	}
	if k.DepthSum < 0 || k.DepthMax < 0 || k.ExpandedTotal < 0 || k.ExpandedMax < 0 {
		return errors.New("a summary with a negative number")
	}
	*s = *NewSummary()
	s.depthSum, s.depthMax, s.total, s.max = k.DepthSum, k.DepthMax, k.ExpandedTotal, k.ExpandedMax
	searched := int64(0)
	for name, n := range k.Status {
		status := solver.Status(0)
		for status < solver.NumStatuses && status.String() != name {
			status++
		}
		if status == solver.NumStatuses || n < 0 {
			return fmt.Errorf("a summary with %d times the status %q", n, name)
		}
		s.status[status] = n
		if status != solver.Invalid && status != solver.Unsolvable {
			searched += n
		}
	}
	for _, bar := range k.Expanded {
		value, n := bar[0], bar[1]
		if value < 0 || n < 0 || n > searched-s.expanded.TotalCount() {
			return fmt.Errorf("a summary with %d cases that expanded %d", n, value)
		}
		if err := s.expanded.RecordValues(value, n); err != nil {
			return err
		}
	}
	if n := s.expanded.TotalCount(); n != searched {
		return fmt.Errorf("a summary with a histogram of %d cases, want %d", n, searched)
	}
	return nil
}

// Cases is how many were observed.
func (s *Summary) Cases() (n int64) {
	for _, cases := range s.status {
		n += cases
	}
	return n
}

// statuses are those that some case has, and how many have.
func (s *Summary) statuses() map[string]int64 {
	m := map[string]int64{}
	for status, n := range s.status {
		if n > 0 {
			m[solver.Status(status).String()] = n
		}
	}
	return m
}

// Totals are what a run comes to.
type Totals struct {
	Cases  int64            `json:"cases"`
	Status map[string]int64 `json:"status"` // how many cases have it; without those that none has

	// Over the solved cases.
	DepthMean float64 `json:"depth_mean"`
	DepthMax  int     `json:"depth_max"`

	// Over the cases that were searched. The median is the lower of the two
	// middle values where there are two. It is exact below 2048; from there on it is
	// read from a histogram and less than 0.1 % too large.
	ExpandedTotal  int64 `json:"expanded_total"`
	ExpandedMedian int64 `json:"expanded_median"`
	ExpandedMax    int64 `json:"expanded_max"`

	Wall    time.Duration `json:"wall_ns"`
	Busy    time.Duration `json:"busy_ns"` // time spent on cases, of all workers together
	Workers int           `json:"workers"`
}

// exactBelow is where the histogram's buckets begin to be wider than one.
const exactBelow = 2048

// Totals returns what was observed, together with the times of the run.
func (s *Summary) Totals(wall, busy time.Duration, workers int) Totals {
	t := Totals{
		Cases:          s.Cases(),
		Status:         s.statuses(),
		DepthMax:       s.depthMax,
		ExpandedTotal:  s.total,
		ExpandedMedian: min(s.expanded.ValueAtPercentile(50), s.max),
		ExpandedMax:    s.max,
		Wall:           wall,
		Busy:           busy,
		Workers:        workers,
	}
	if solved := s.status[solver.Solved]; solved > 0 {
		t.DepthMean = float64(s.depthSum) / float64(solved)
	}
	return t
}

// Text is the closing summary: a few lines for people, each with its name in
// front, so that grep finds it.
//
//	cases     10,000: 9,998 solved, 1 invalid, 1 limit
//	depth     mean 9.87, max 14
//	expanded  total 697,314,882, median ~12,351, max 4,882,001
//	time      2.13 s, 4,695 cases/s, 2 workers 97 % busy
//
// A "~" marks a median that is not exact. What does not apply is left out.
func (t Totals) Text() string {
	var b strings.Builder
	line := func(name, text string) { fmt.Fprintf(&b, "%-10s%s\n", name, text) }

	var solved, searched int64
	cases := thousands(t.Cases)
	sep := ": "
	for status := range solver.NumStatuses {
		n := t.Status[status.String()]
		if n == 0 {
			continue
		}
		cases += sep + thousands(n) + " " + status.String()
		sep = ", "
		switch status {
		case solver.Solved:
			solved = n
			searched += n
		case solver.Limit, solver.Timeout:
			searched += n
		}
	}
	line("cases", cases)

	switch {
	case solved == 1:
		line("depth", strconv.Itoa(t.DepthMax))
	case solved > 1:
		line("depth", fmt.Sprintf("mean %.2f, max %d", t.DepthMean, t.DepthMax))
	}

	switch {
	case searched == 1:
		line("expanded", thousands(t.ExpandedTotal))
	case searched > 1:
		about := ""
		if t.ExpandedMedian >= exactBelow {
			about = "~"
		}
		line("expanded", fmt.Sprintf("total %s, median %s%s, max %s",
			thousands(t.ExpandedTotal), about, thousands(t.ExpandedMedian), thousands(t.ExpandedMax)))
	}

	text := seconds(t.Wall)
	if t.Cases > 0 && t.Wall > 0 {
		text += ", " + rate(float64(t.Cases)/t.Wall.Seconds()) + " cases/s"
		if t.Workers > 0 {
			busy := float64(t.Busy) / (float64(t.Wall) * float64(t.Workers))
			text += fmt.Sprintf(", %s %.0f %% busy", count(int64(t.Workers), "worker"), 100*busy)
		}
	}
	line("time", text)
	return b.String()
}

// thousands is n with a comma between each three digits.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count is n of what is named, in the singular or plural.
func count(n int64, name string) string {
	if n != 1 {
		name += "s"
	}
	return thousands(n) + " " + name
}

// rate is a number a second, to three digits or to one.
func rate(perSecond float64) string {
	if perSecond >= 100 {
		return thousands(int64(math.Round(perSecond)))
	}
	return strconv.FormatFloat(perSecond, 'g', 3, 64)
}

// seconds is a time in milliseconds or seconds, to three digits, and from a
// minute on to the second.
func seconds(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second-time.Millisecond/2: // less, and 1,000 ms would be the nearest
		return strconv.FormatFloat(d.Seconds(), 'g', 3, 64) + " s"
	default:
		return strconv.FormatFloat(1e3*d.Seconds(), 'g', 3, 64) + " ms"
	}
}
