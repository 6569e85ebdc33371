package report

import (
	"strconv"
	"time"
)

// TimingHeader is the first line of timing.csv.
const TimingHeader = "case,worker,start_ns,elapsed_ns\n"

// AppendTiming appends the row of timing.csv of one case: which worker solved
// it, when it took up the case's text, counted from the run's first start, and
// how long until the case's row was done.
func AppendTiming(dst []byte, index int64, worker int, start, elapsed time.Duration) []byte {
	dst = strconv.AppendInt(dst, index, 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, int64(worker), 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, start.Nanoseconds(), 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, elapsed.Nanoseconds(), 10)
	return append(dst, '\n')
}
