package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Mode is when and how progress is shown. It is a flag's value.
type Mode string

// The modes of progress.
const (
	Auto   Mode = "auto"   // a bar on a terminal (lines on a dumb one), nothing elsewhere
	Always Mode = "always" // a bar
	Never  Mode = "never"  // nothing
	Plain  Mode = "plain"  // a line every few seconds
)

// String, Set and Type make a Mode a flag's value.
func (m *Mode) String() string { return string(*m) }

// Set makes m the mode of that name.
func (m *Mode) Set(name string) error {
	switch mode := Mode(name); mode {
	case Auto, Always, Never, Plain:
		*m = mode
		return nil
	}
	return errors.New("want auto, always, never or plain")
}

// Type names the kind of value in a help text.
func (m *Mode) Type() string { return "mode" }

const (
	barInterval   = 100 * time.Millisecond
	plainInterval = 5 * time.Second
)

// Progress shows how far a run has come. What works counts, which costs an
// atomic addition; one goroutine, between Start and Stop, looks at the counts
// now and then and draws. A run that ends before the first look shows nothing.
//
// The bar is as long as the cases that are done, where their number is known,
// else as the share of the input that was read; where that is not known either,
// something turns. It is drawn without colors and other escape codes, so there
// is nothing that NO_COLOR or a dumb terminal could object to.
type Progress struct {
	cases, total, read, size atomic.Int64

	w      io.Writer
	mode   Mode       // never Auto
	width  func() int // of the terminal, in columns
	begin  counts     // of Start
	ticker sync.WaitGroup
	stop   func()

	mu      sync.Mutex // of w and what follows
	bar     *progressbar.ProgressBar
	long    bool // the bar has a length
	shown   int  // columns that the bar takes up now, from the left margin
	midLine bool // a message has begun, its end is to come
}

// counts is how far a run is at some time.
type counts struct {
	at    time.Time
	cases int64
	share float64 // in percent; negative if it is not known
}

// NewProgress returns a Progress that draws on w, usually standard error.
func NewProgress(w io.Writer, mode Mode) *Progress {
	var width func() int
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		width = func() int {
			columns, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0
			}
			return columns
		}
	}
	return newProgress(w, mode, width)
}

// newProgress takes the width of the terminal that w is, or nil if it is none.
func newProgress(w io.Writer, mode Mode, width func() int) *Progress {
	if mode == Auto {
		switch {
		case width == nil:
			mode = Never
		case os.Getenv("TERM") == "dumb":
			mode = Plain
		default:
			mode = Always
		}
	}
	if width == nil {
		width = func() int { return 0 }
	}
	return &Progress{w: w, mode: mode, width: width, stop: func() {}}
}

// SetTotal tells how many cases there are. It may come late: when the end of
// the input was reached.
func (p *Progress) SetTotal(cases int64) { p.total.Store(cases) }

// SetSize tells how many bytes of input there are.
func (p *Progress) SetSize(bytes int64) { p.size.Store(bytes) }

// AddCases counts cases that are done. Those that an earlier run has done are
// to be added before Start, so that the rate is of this one.
func (p *Progress) AddCases(n int64) { p.cases.Add(n) }

// AddRead counts bytes of input that were read.
func (p *Progress) AddRead(n int64) { p.read.Add(n) }

// Start begins to show the progress. Stop must follow.
func (p *Progress) Start() {
	p.begin = p.counts()
	interval := barInterval
	switch p.mode {
	case Never:
		return
	case Plain:
		interval = plainInterval
	}
	done := make(chan struct{})
	p.stop = sync.OnceFunc(func() { close(done) })
	p.ticker.Go(func() {
		ticks := time.NewTicker(interval)
		defer ticks.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticks.C:
				p.mu.Lock()
				p.show()
				p.mu.Unlock()
			}
		}
	})
}

// Stop ends it: the bar is gone when it returns, and the cursor stands at the
// left margin. More calls do nothing.
func (p *Progress) Stop() {
	p.stop()
	p.ticker.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// Writer returns where messages go that may come while a bar is shown: the bar
// steps aside and comes back behind the end of the line. It writes to the
// Progress's own writer, in every mode, and may be used by many goroutines.
func (p *Progress) Writer() io.Writer { return messages{p} }

type messages struct{ p *Progress }

func (m messages) Write(b []byte) (int, error) {
	p := m.p
	p.mu.Lock()
	defer p.mu.Unlock()
	barred := p.shown > 0
	p.erase()
	n, err := p.w.Write(b)
	if n > 0 {
		p.midLine = b[n-1] != '\n'
	}
	if barred && !p.midLine {
		p.show()
	}
	return n, err
}

func (p *Progress) counts() counts {
	now := counts{at: time.Now(), cases: p.cases.Load(), share: -1}
	if total := p.total.Load(); total > 0 {
		now.share = min(100, 100*float64(now.cases)/float64(total))
	} else if size := p.size.Load(); size > 0 {
		now.share = min(100, 100*float64(p.read.Load())/float64(size))
	}
	return now
}

// texts tells the counts in words, the most important first.
func (p *Progress) texts(now counts) []string {
	texts := make([]string, 1, 3)
	if total := p.total.Load(); total > 0 {
		texts[0] = thousands(now.cases) + " of " + count(total, "case")
	} else {
		texts[0] = count(now.cases, "case")
	}
	elapsed := now.at.Sub(p.begin.at).Seconds()
	if n := now.cases - p.begin.cases; n > 0 && elapsed > 0 {
		texts = append(texts, rate(float64(n)/elapsed)+"/s")
	}
	if done := now.share - max(0, p.begin.share); done > 0 && now.share < 100 {
		left := elapsed * (100 - now.share) / done
		if left < (1000 * time.Hour).Seconds() {
			texts = append(texts, time.Duration(left*1e9).Round(time.Second).String()+" left")
		}
	}
	return texts
}

// show draws the bar, or prints a line. Nobody could be told that writing it
// failed; whoever writes what matters there will see the same error.
func (p *Progress) show() {
	if p.midLine {
		return
	}
	now := p.counts()
	texts := p.texts(now)
	if p.mode == Plain {
		if now.share >= 0 {
			texts = slices.Insert(texts, 0, fmt.Sprintf("%d %%", int(now.share)))
		}
		fmt.Fprintf(p.w, "progress: %s\n", strings.Join(texts, ", "))
		return
	}
	room := p.room()
	line := p.render(now, texts, room)
	columns := utf8.RuneCountInString(line)
	fmt.Fprintf(p.w, "\r%s%*s", line, max(0, min(p.shown, room)-columns), "")
	p.shown = columns
}

// room is how many columns the bar may take: all but the last, where some
// terminals wrap.
func (p *Progress) room() int {
	if width := p.width(); width > 0 {
		return width - 1
	}
	return 79
}

// erase clears the bar away.
func (p *Progress) erase() {
	if p.shown > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", min(p.shown, p.room()), "")
		p.shown = 0
	}
}

const (
	barMin, barMax = 10, 40 // columns of the bar itself
	barFrame       = 10     // columns around it: " 42% |" and "|  "
)

// render is the bar as a line of at most room columns.
//
// The library only makes the line. It would write it to standard output or sync
// a file after each, take a bar that is full for the end and draw no more, and
// fail at a length of 0. So it writes to nowhere, and the length is a percentage
// that we keep below 100.
func (p *Progress) render(now counts, texts []string, room int) string {
	text := texts[0]
	for _, more := range texts[1:] {
		if barFrame+barMin+len(text)+2+len(more) <= room {
			text += ", " + more
		}
	}

	if long := now.share >= 0; p.bar == nil || p.long != long {
		p.long = long
		p.bar = newBar(long)
	}
	if p.long {
		width := min(barMax, max(0, room-barFrame-len(text)))
		progressbar.OptionSetWidth(width - width%5)(p.bar) // not to jump with each digit of the text
		p.bar.Set64(barScale*int64(min(99, now.share)) + barScale/2)
	}
	p.bar.Describe(text)

	line := []rune(strings.TrimRight(strings.TrimLeft(p.bar.String(), "\r"), " "))
	return string(line[:min(len(line), room)])
}

// barScale is what the library's bar has for a percent: enough that half of it
// more keeps rounding from showing a percent less.
const barScale = 10

func newBar(long bool) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(io.Discard),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
	}
	if long {
		return progressbar.NewOptions64(100*barScale, append(options,
			progressbar.OptionShowDescriptionAtLineEnd())...)
	}
	return progressbar.NewOptions64(-1, append(options,
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // else it starts a goroutine that nobody stops
	)...)
}
