package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readRows reads a run to its end and tells each row in a few words.
func readRows(cases, timing string) (rows []string, cut []string, err error) {
	f := &Folder{Name: "run", Cases: iotest.OneByteReader(strings.NewReader(cases))}
	if timing != "" {
		f.Timing = iotest.OneByteReader(strings.NewReader(timing))
	}
	r, err := newRowReader(f)
	if err != nil {
		return nil, nil, err
	}
	for {
		if err := r.next(f.Name); err == io.EOF {
			return rows, r.cutOff(), nil
		} else if err != nil {
			return rows, nil, err
		}
		x := &r.row
		s := fmt.Sprintf("%d %s %s %s", x.index, x.source, x.board, x.status)
		if len(x.detail) > 0 {
			s += fmt.Sprintf(" (%s)", x.detail)
		}
		if x.searched {
			s += fmt.Sprintf(" %d %q h%d i%d %d/%d", x.depth, x.moves, x.bound, x.iterations, x.expanded, x.generated)
		}
		if x.timed {
			s += fmt.Sprintf(" w%d %d+%d", x.worker, x.start, x.elapsed)
		}
		rows = append(rows, s)
	}
}

func TestReadRows(t *testing.T) {
	const one = CasesHeader + "1,a:1,b,solved,2,xy,,1,2,3,4,\n"
	for _, tt := range []struct {
		name, cases, timing string
		want                []string
	}{
		{"nothing but headers", CasesHeader, TimingHeader, nil},
		{"all there is", CasesHeader +
			"1,a:1,b1,solved,2,xy,1,1,2,3,4,\n" +
			`2,"a,b:1","1,""2",invalid,,,,,,,,"a,b:1: a ""quote"""` + "\n" +
			"3,-:7,b3,unsolvable,,,,,,,,no way\n" +
			"7,-:9,b7,limit,,,,3,4,5,6,stopped\n" +
			"9,-:10,b9,timeout,,,,3,4,9223372036854775807,6,late\n", TimingHeader +
			"1,0,5,6\n2,1,7,8\n4,0,1,1\n9,3,2305843009213693951,2305843009213693951\n11,0,0,0\n", []string{
			`1 a:1 b1 solved 2 "xy" h1 i2 3/4 w0 5+6`,
			`2 a,b:1 1,"2 invalid (a,b:1: a "quote") w1 7+8`,
			`3 -:7 b3 unsolvable (no way)`,
			`7 -:9 b7 limit (stopped) 0 "" h3 i4 5/6`,
			`9 -:10 b9 timeout (late) 0 "" h3 i4 9223372036854775807/6 w3 2305843009213693951+2305843009213693951`,
		}},
		{"solved at the start", CasesHeader + "1,a:1,b,solved,0,,,0,1,0,0,\n", "", []string{`1 a:1 b solved 0 "" h0 i1 0/0`}},
		{"CRLF and empty lines", strings.ReplaceAll(one, "\n", "\r\n\r\n"), "", []string{`1 a:1 b solved 2 "xy" h1 i2 3/4`}},
		{"other columns, other order",
			"note,generated,expanded,iterations,initial_bound,symbol,moves,depth,status,board,source,detail,case\n,4,3,2,1,,xy,2,solved,b,a:1,,1\n",
			"elapsed_ns,start_ns,worker,case\n6,5,0,1\n", []string{`1 a:1 b solved 2 "xy" h1 i2 3/4 w0 5+6`}},
	} {
		got, cut, err := readRows(tt.cases, tt.timing)
		if err != nil || cut != nil {
			t.Errorf("%s: %v, cut off: %v", tt.name, err, cut)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
}

// A file that ends in the middle of a line has lost the rest of it; how much is
// not to be seen.
func TestReadCutOff(t *testing.T) {
	const row = "1,a:1,b,solved,2,xy,,1,2,3,4,\n"
	for end := range len(row) - 1 {
		got, cut, err := readRows(CasesHeader+row+"2"+row[1:1+end], TimingHeader+"1,0,0,1\n2")
		if err != nil || len(got) != 1 || !cmp.Equal(cut, []string{"cases.csv"}) {
			t.Errorf("%q: got %q, cut off %q, error %v", row[:end], got, cut, err)
		}
	}
	_, cut, err := readRows(CasesHeader+row+"2"+row[1:], TimingHeader+"1,0,0,1\n2,0,0")
	if err != nil || !cmp.Equal(cut, []string{"timing.csv"}) {
		t.Errorf("timing: cut off %q, error %v", cut, err)
	}
}

func TestReadRefuses(t *testing.T) {
	const good = "1,a:1,b,solved,2,xy,,1,2,3,4,\n"
	row := func(old, new string) string { return CasesHeader + strings.Replace(good, old, new, 1) }
	for _, tt := range []struct{ name, cases, timing, want string }{
		{"empty", "", "", "cases of run: it is empty"},
		{"empty timing", CasesHeader, "\n", "timing of run: it is empty"},
		{"not a cases.csv", "AC\n2\n", "", `cases of run: it has no column "case"`},
		{"a column less", strings.Replace(CasesHeader, ",status", "", 1), "", `no column "status"`},
		{"a field less", row(",\n", "\n"), "", "line 2: 11 fields, want 12"},
		{"a field more", row("\n", ",\n"), "", "line 2: 13 fields, want 12"},
		{"open quote", row("a:1", `"a:1`), "", `line 2: extraneous or missing " in quoted-field`},
		{"no case", row("1,", ","), "", `line 2: case "", want a number from 0`},
		{"case 0", row("1,", "0,"), "", `line 2: case 0 after case 0`},
		{"twice", CasesHeader + good + "\n" + good, "", `line 4: case 1 after case 1, want ascending order`},
		{"status", row("solved", "solve"), "", `line 2: status "solve" is none`},
		{"depth", row("solved,2", "solved,"), "", `line 2: depth "", want a number from 0 to 255`},
		{"deep", row("solved,2", "solved,256"), "", `line 2: depth "256", want a number from 0 to 255`},
		{"bound", row("1,2,3", "3,2,3"), "", `line 2: initial_bound 3 is above the depth 2`},
		{"negative", row("3,4", "-3,4"), "", `line 2: expanded "-3", want`},
		{"large", row("3,4", "3,9223372036854775808"), "", `line 2: generated "9223372036854775808", want`},
		{"the first of two", row("1,2,3,4", "1,x,y,4"), "", `line 2: iterations "x", want`},
		{"timing", CasesHeader + good, TimingHeader + "1,0,0,1.5\n", `timing of run: line 2: elapsed_ns "1.5", want`},
		{"timing order", CasesHeader + "3" + good[1:], TimingHeader + "2,0,0,1\n1,0,0,1\n", `timing of run: line 3: case 1 after case 2`},
		{"worker", CasesHeader + good, TimingHeader + "1,65536,0,1\n", `line 2: worker "65536", want a number from 0 to 65535`},
	} {
		if _, _, err := readRows(tt.cases, tt.timing); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestReadLongLine(t *testing.T) {
	text := CasesHeader + "1,a:1," + strings.Repeat("x", maxLine) + ",invalid,,,,,,,,\n"
	_, err := Analyze([]*Folder{{Name: "run", Cases: strings.NewReader(text)}})
	if want := "reading the cases of run: line 2: bufio.Scanner: token too long"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

func TestReadFails(t *testing.T) {
	broken := errors.New("broken")
	for _, f := range []*Folder{
		{Cases: iotest.ErrReader(broken)},
		{Cases: io.MultiReader(strings.NewReader(CasesHeader+"1,"), iotest.ErrReader(broken))},
		{Cases: strings.NewReader(CasesHeader + "1,a:1,b,solved,2,xy,,1,2,3,4,\n"), Timing: io.MultiReader(strings.NewReader(TimingHeader), iotest.ErrReader(broken))},
	} {
		if _, err := Analyze([]*Folder{f}); !errors.Is(err, broken) {
			t.Errorf("got error %v, want %v", err, broken)
		}
	}
}
