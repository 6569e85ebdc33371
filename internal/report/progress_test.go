package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// screen is a terminal that knows carriage returns and line feeds, and nothing
// else.
type screen struct {
	mu     sync.Mutex
	width  int
	lines  [][]rune
	column int
	foul   string // what no terminal should get
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lines) == 0 {
		s.lines = make([][]rune, 1)
	}
	for _, r := range string(b) {
		line := &s.lines[len(s.lines)-1]
		switch {
		case r == '\r':
			s.column = 0
		case r == '\n':
			s.lines = append(s.lines, nil)
			s.column = 0
		case r < ' ' || r == utf8.RuneError:
			s.foul += string(r)
		case s.column >= s.width-1:
			s.foul += "too long: " + string(*line)
		default:
			for len(*line) <= s.column {
				*line = append(*line, ' ')
			}
			(*line)[s.column] = r
			s.column++
		}
	}
	return len(b), nil
}

func (s *screen) columns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.width
}

func (s *screen) resize(columns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.width = columns
}

// text is what the screen shows, and whether the cursor is at the left margin.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, line := range s.lines {
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	text := strings.Join(lines, "\n")
	if s.column != 0 {
		text += "_"
	}
	return text + s.foul
}

// see compares the screen a tick later with what it should show.
func see(t *testing.T, s *screen, want string) {
	t.Helper()
	time.Sleep(barInterval)
	synctest.Wait()
	if got := s.text(); got != want {
		t.Errorf("after the tick\n got %q\nwant %q", got, want)
	}
}

// bar is what is left of a bar's text in front of the given words.
func bar(percent, full, width int, words string) string {
	return fmt.Sprintf("%4d%% |%s%s|  %s_", percent, strings.Repeat("█", full), strings.Repeat(" ", width-full), words)
}

func TestBarOfCases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{width: 80}
		p := newProgress(s, Always, s.columns)
		p.SetTotal(10000)
		p.Start()
		see(t, s, bar(0, 0, 40, "0 of 10,000 cases"))
		p.AddCases(2900)
		see(t, s, bar(29, 7, 25, "2,900 of 10,000 cases, 14,500/s, 0s left"))
		time.Sleep(8 * barInterval)
		see(t, s, bar(29, 8, 30, "2,900 of 10,000 cases, 2,636/s, 3s left"))
		p.AddCases(7100)
		see(t, s, bar(99, 34, 35, "10,000 of 10,000 cases, 8,333/s"))
		p.Stop()
		see(t, s, "")
	})
}

func TestBarOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{width: 80}
		p := newProgress(s, Always, s.columns)
		p.SetSize(1 << 30)
		p.Start()
		p.AddRead(1 << 29)
		p.AddCases(1)
		see(t, s, bar(50, 20, 40, "1 case, 10/s, 0s left"))
		p.AddRead(1 << 29) // all is read, and much is left to do
		see(t, s, bar(99, 39, 40, "1 case, 5/s"))
		p.SetTotal(3)
		see(t, s, bar(33, 13, 40, "1 of 3 cases, 3.33/s, 1s left"))
		p.Stop()
		see(t, s, "")
	})
}

func TestSpinner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{width: 80}
		p := newProgress(s, Always, s.columns)
		p.Start()
		see(t, s, "⠋ 0 cases_")
		p.AddCases(123456)
		see(t, s, "⠙ 123,456 cases, 617,280/s_")
		p.AddCases(-123455) // the shorter line leaves nothing of the longer
		see(t, s, "⠹ 1 case, 3.33/s_")
		p.Stop()
		see(t, s, "")
	})
}

// What an earlier run has done counts, but not as this one's speed.
func TestProgressGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{width: 80}
		p := newProgress(s, Always, s.columns)
		p.SetTotal(10000)
		p.AddCases(5000)
		p.Start()
		p.AddCases(10)
		see(t, s, bar(50, 15, 30, "5,010 of 10,000 cases, 100/s, 50s left"))
		p.Stop()
	})
}

func TestMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{width: 80}
		p := newProgress(s, Always, s.columns)
		stderr := p.Writer()
		p.SetTotal(4)
		fmt.Fprintln(stderr, "before the start")
		p.Start()
		fmt.Fprintln(stderr, "before the first bar")
		see(t, s, "before the start\nbefore the first bar\n"+bar(0, 0, 40, "0 of 4 cases"))
		fmt.Fprintln(stderr, "over the bar")
		fmt.Fprint(stderr, "two\nlines\n")
		log := "before the start\nbefore the first bar\nover the bar\ntwo\nlines\n"
		if got, want := s.text(), log+bar(0, 0, 40, "0 of 4 cases"); got != want {
			t.Errorf("at once\n got %q\nwant %q", got, want)
		}
		fmt.Fprint(stderr, "in ")
		see(t, s, log+"in_") // no bar into an open line
		fmt.Fprint(stderr, "parts\n")
		log += "in parts\n"
		see(t, s, log+bar(0, 0, 40, "0 of 4 cases"))
		p.Stop()
		if got := s.text(); got != log {
			t.Errorf("after Stop\n got %q\nwant %q", got, log)
		}
		fmt.Fprintln(stderr, "after")
		see(t, s, log+"after\n")
	})
}

func TestMessagesFromMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{width: 80}
		p := newProgress(s, Always, s.columns)
		p.SetTotal(1000)
		p.Start()
		want := map[string]int{}
		var all sync.WaitGroup
		for worker := range 8 {
			for i := range 50 {
				want[fmt.Sprintf("worker %d, message %d", worker, i)]++
			}
			all.Go(func() {
				for i := range 50 {
					p.AddCases(1)
					time.Sleep(time.Duration(worker*i+1) * time.Millisecond)
					fmt.Fprintf(p.Writer(), "worker %d, message %d\n", worker, i)
				}
			})
		}
		all.Wait()
		p.Stop()
		got := map[string]int{}
		for line := range strings.Lines(s.text()) {
			got[strings.TrimSuffix(line, "\n")]++
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestMessageErrors(t *testing.T) {
	full := errors.New("disk full")
	n, err := newProgress(failing{full}, Never, nil).Writer().Write([]byte("lost"))
	if n != 0 || err != full {
		t.Errorf("got %d, %v", n, err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPlain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b, Plain, nil)
		p.SetSize(200)
		p.Start()
		p.AddCases(12340)
		p.AddRead(20)
		time.Sleep(plainInterval)
		synctest.Wait()
		fmt.Fprintln(p.Writer(), "a message")
		p.SetTotal(24680)
		time.Sleep(plainInterval)
		synctest.Wait()
		p.Stop()
		want := "progress: 10 %, 12,340 cases, 2,468/s, 45s left\n" +
			"a message\n" +
			"progress: 50 %, 12,340 of 24,680 cases, 1,234/s, 10s left\n"
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestModes(t *testing.T) {
	const nothing, aBar, aLine = "", "\r⠋ 0 cases", "progress: 0 cases\n"
	tests := []struct {
		mode     Mode
		terminal bool
		term     string
		runs     time.Duration
		want     string
	}{
		{Auto, true, "xterm", barInterval, aBar},
		{Auto, true, "xterm", barInterval - 1, nothing},
		{Auto, true, "dumb", plainInterval, aLine},
		{Auto, false, "xterm", time.Hour, nothing},
		{Always, true, "xterm", barInterval, aBar},
		{Always, true, "dumb", barInterval, aBar},
		{Always, false, "xterm", barInterval, aBar},
		{Never, true, "xterm", time.Hour, nothing},
		{Plain, true, "xterm", plainInterval, aLine},
		{Plain, false, "xterm", plainInterval, aLine},
		{Plain, false, "xterm", plainInterval - 1, nothing},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s,terminal=%t,%s,%s", tt.mode, tt.terminal, tt.term, tt.runs), func(t *testing.T) {
			t.Setenv("TERM", tt.term)
			synctest.Test(t, func(t *testing.T) {
				var width func() int
				if tt.terminal {
					width = func() int { return 80 }
				}
				var b bytes.Buffer
				p := newProgress(&b, tt.mode, width)
				p.Start()
				time.Sleep(tt.runs)
				synctest.Wait()
				got := b.String()
				p.Stop()
				p.Stop()
				if got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				// Nothing is left that could write, or that synctest would find running.
				stopped := b.String()
				time.Sleep(time.Hour)
				if b.String() != stopped {
					t.Errorf("after Stop came %q", b.String()[len(stopped):])
				}
			})
		})
	}
}

// Whatever the width, the bar keeps to one line: a screen notes where it does
// not.
func TestNarrowTerminals(t *testing.T) {
	for _, total := range []int64{0, 1234567} {
		synctest.Test(t, func(t *testing.T) {
			s := &screen{}
			p := newProgress(s, Always, s.columns)
			p.SetTotal(total)
			p.AddCases(1)
			p.Start()
			for width := 1; width < 120; width++ {
				s.resize(width)
				p.AddCases(1000)
				time.Sleep(barInterval)
				synctest.Wait()
			}
			fmt.Fprintln(p.Writer(), "clean")
			for width := 120; width > 1; width -= 7 { // leaves behind what the terminal makes of a line too long
				s.resize(width)
				time.Sleep(barInterval)
				synctest.Wait()
			}
			p.Stop()
			if got := s.text(); s.foul != "" || s.column != 0 || !strings.HasPrefix(got, "clean\n") {
				t.Errorf("on the screen: %q", got)
			}
		})
	}
}

func TestFilesAreNoTerminals(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p := NewProgress(f, Auto); p.mode != Never {
		t.Errorf("on a file, the mode is %s", p.mode)
	}
}

func TestModeIsAFlag(t *testing.T) {
	m := Auto
	for _, name := range []string{"always", "never", "plain", "auto"} {
		if err := m.Set(name); err != nil || m.String() != name {
			t.Errorf("Set(%q): %v, %v", name, m, err)
		}
	}
	err := m.Set("sometimes")
	if err == nil || err.Error() != "want auto, always, never or plain" || m != Auto {
		t.Errorf("got %v, %v", m, err)
	}
}

func BenchmarkAddCases(b *testing.B) {
	p := newProgress(&bytes.Buffer{}, Never, nil)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p.AddCases(1)
		}
	})
}
