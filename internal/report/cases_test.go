package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

// trap is a board whose first bound, 4, is followed by 6.
func trap() (*solver.Case, *solver.Result) {
	return &solver.Case{Index: 17, Source: "corpus.txt", First: 170, Last: 170, Text: []byte("112323121232323131232311")},
		&solver.Result{
			Status: solver.Solved, Moves: []byte("CGAAABDBBH"), Symbol: '1',
			Searched: true, InitialBound: 4, Expanded: 69731, Generated: 488082,
			Iterations: []solver.Iteration{
				{Bound: 4, Expanded: 1, Generated: 8}, {Bound: 6, Expanded: 30, Generated: 208}, {Bound: 7, Expanded: 100, Generated: 700},
				{Bound: 8, Expanded: 900, Generated: 6300}, {Bound: 9, Expanded: 8700, Generated: 60866}, {Bound: 10, Expanded: 60000, Generated: 420000},
			},
		}
}

var rowTests = []struct {
	name   string
	c      solver.Case
	r      solver.Result
	row    string
	object string
}{
	{
		"solved",
		solver.Case{Index: 1, Source: "corpus.txt", First: 1, Text: []byte("111132323132231222312133")},
		solver.Result{Status: solver.Solved, Moves: []byte("AC"), Symbol: '2', Searched: true, InitialBound: 2, Iterations: make([]solver.Iteration, 1), Expanded: 2, Generated: 5},
		`1,corpus.txt:1,111132323132231222312133,solved,2,AC,2,2,1,2,5,`,
		`{"case":1,"source":"corpus.txt:1","board":"111132323132231222312133","status":"solved","depth":2,"moves":"AC","symbol":2,"initial_bound":2,"iterations":1,"expanded":2,"generated":5}`,
	},
	{
		"solved at the start, no symbol",
		solver.Case{Index: 2, Source: "-", First: 4, Text: []byte("12345678X 12345678X")},
		solver.Result{Status: solver.Solved, Searched: true, Iterations: make([]solver.Iteration, 1)},
		`2,-:4,12345678X 12345678X,solved,0,,,0,1,0,0,`,
		`{"case":2,"source":"-:4","board":"12345678X 12345678X","status":"solved","depth":0,"initial_bound":0,"iterations":1,"expanded":0,"generated":0}`,
	},
	{
		"unsolvable",
		solver.Case{Index: 3, Source: "seed=18446744073709551615", First: 3, Text: []byte("812X43765 12345678X")},
		solver.Result{Status: solver.Unsolvable, Detail: "the goal has another parity"},
		`3,seed=18446744073709551615:3,812X43765 12345678X,unsolvable,,,,,,,,the goal has another parity`,
		`{"case":3,"source":"seed=18446744073709551615:3","board":"812X43765 12345678X","status":"unsolvable","detail":"the goal has another parity"}`,
	},
	{
		"invalid",
		solver.Case{Index: 4, Source: "a.txt", First: 9, Text: []byte("1,2\"3\x00\r\n\\n\xffé\u2028")},
		solver.Result{Status: solver.Invalid, Detail: "a.txt:9: symbol ',', want 1, 2 or 3"},
		`4,a.txt:9,"1,2""3\x00\r\n\n\xffé\u2028",invalid,,,,,,,,"a.txt:9: symbol ',', want 1, 2 or 3"`,
		`{"case":4,"source":"a.txt:9","board":"1,2\"3\\x00\\r\\n\\n\\xffé\\u2028","status":"invalid","detail":"a.txt:9: symbol ',', want 1, 2 or 3"}`,
	},
	{
		"limit",
		solver.Case{Index: 5, Source: "seed=1", First: 5, Text: []byte("1")},
		solver.Result{Status: solver.Limit, Searched: true, InitialBound: 4, Iterations: make([]solver.Iteration, 3), Expanded: math.MaxInt64, Generated: 7, Detail: "stopped"},
		`5,seed=1:5,1,limit,,,,4,3,9223372036854775807,7,stopped`,
		`{"case":5,"source":"seed=1:5","board":"1","status":"limit","initial_bound":4,"iterations":3,"expanded":9223372036854775807,"generated":7,"detail":"stopped"}`,
	},
	{
		"timeout",
		solver.Case{Index: 6, Source: "x", First: 6, Text: []byte("1")},
		solver.Result{Status: solver.Timeout, Searched: true, InitialBound: 4, Iterations: make([]solver.Iteration, 1), Expanded: 8, Generated: 9, Detail: "out of time"},
		`6,x:6,1,timeout,,,,4,1,8,9,out of time`,
		`{"case":6,"source":"x:6","board":"1","status":"timeout","initial_bound":4,"iterations":1,"expanded":8,"generated":9,"detail":"out of time"}`,
	},
	{
		"file names",
		solver.Case{Index: 7, Source: "=a,\"b\"\\c\nd\tä.txt", First: 6},
		solver.Result{Status: solver.Invalid, Detail: `"`},
		`7,"=a,""b""\c\nd\tä.txt:6",,invalid,,,,,,,,""""`,
		`{"case":7,"source":"=a,\"b\"\\c\\nd\\tä.txt:6","status":"invalid","detail":"\""}`,
	},
	{
		"file name with a leading =",
		solver.Case{Index: 8, Source: "=SUM(A1)", First: 6},
		solver.Result{Status: solver.Invalid, Detail: "no"},
		`8,=SUM(A1):6,,invalid,,,,,,,,no`,
		`{"case":8,"source":"=SUM(A1):6","status":"invalid","detail":"no"}`,
	},
}

func TestRows(t *testing.T) {
	for _, tt := range rowTests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(AppendCase([]byte("> "), &tt.c, &tt.r)); got != "> "+tt.row+"\n" {
				t.Errorf("AppendCase:\n got %s\nwant %s", got, tt.row)
			}
			if got := string(AppendJSON([]byte("> "), &tt.c, &tt.r)); got != "> "+tt.object+"\n" {
				t.Errorf("AppendJSON:\n got %s\nwant %s", got, tt.object)
			}
			checkFacts(t, &tt.c, &tt.r)
		})
	}
}

func TestIterationRows(t *testing.T) {
	c, r := trap()
	want := "17,4,1,8\n17,6,30,208\n17,7,100,700\n17,8,900,6300\n17,9,8700,60866\n17,10,60000,420000\n"
	if got := string(AppendIterations(nil, c, r)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := AppendIterations(nil, c, &solver.Result{Status: solver.Invalid}); len(got) != 0 {
		t.Errorf("not searched: got %q", got)
	}
}

func TestTimingRow(t *testing.T) {
	if got, want := string(AppendTiming([]byte("> "), 17, 3, 1_000_000_002, 45)), "> 17,3,1000000002,45\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// checkFacts reads a case's row and its JSON object back with the standard
// library and holds them against the case and against each other.
func checkFacts(t *testing.T, c *solver.Case, r *solver.Result) {
	t.Helper()
	row := AppendCase(nil, c, r)
	if bytes.IndexByte(row, '\n') != len(row)-1 || bytes.ContainsRune(row, '\r') || !utf8.Valid(row) {
		t.Errorf("the row is not one line of UTF-8: %q", row)
	}
	rows, err := csv.NewReader(io.MultiReader(strings.NewReader(CasesHeader), bytes.NewReader(row))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("the row %q reads back as %d lines: %v", row, len(rows), err)
	}
	got := map[string]string{}
	for i, column := range rows[0] {
		if rows[1][i] != "" {
			got[column] = rows[1][i]
		}
	}

	want := map[string]string{}
	set := func(column, value string) {
		if value != "" {
			want[column] = value
		}
	}
	set("case", strconv.FormatInt(c.Index, 10))
	set("source", printable(c.Source)+":"+strconv.FormatInt(c.First, 10))
	set("board", printable(string(c.Text)))
	set("status", []string{"solved", "invalid", "unsolvable", "limit", "timeout"}[r.Status])
	if r.Status == solver.Solved {
		set("depth", strconv.Itoa(len(r.Moves)))
		set("moves", string(r.Moves))
		set("symbol", strings.Trim(string(r.Symbol), "\x00"))
	}
	if r.Searched {
		set("initial_bound", strconv.Itoa(r.InitialBound))
		set("iterations", strconv.Itoa(len(r.Iterations)))
		set("expanded", strconv.FormatInt(r.Expanded, 10))
		set("generated", strconv.FormatInt(r.Generated, 10))
	}
	set("detail", printable(r.Detail))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the row %q reads back wrong (-want +got):\n%s", row, diff)
	}

	object := AppendJSON(nil, c, r)
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	var fields map[string]any
	if err := dec.Decode(&fields); err != nil {
		t.Fatalf("decoding %q: %v", object, err)
	}
	if !json.Valid(object) || bytes.IndexByte(object, '\n') != len(object)-1 {
		t.Errorf("not one object on one line: %q", object)
	}
	numbers := map[string]bool{"case": true, "depth": true, "symbol": true, "initial_bound": true, "iterations": true, "expanded": true, "generated": true}
	said := map[string]string{}
	for key, value := range fields {
		switch value := value.(type) {
		case json.Number:
			said[key] = value.String()
		case string:
			said[key] = value
		}
		if _, isNumber := value.(json.Number); isNumber != numbers[key] {
			t.Errorf("%s is a %T in %s", key, value, object)
		}
	}
	if diff := cmp.Diff(got, said); diff != "" {
		t.Errorf("the row and the object %s differ (-row +object):\n%s", object, diff)
	}
}

// printable is s as the rows have it, made in the plainest way.
func printable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			quoted := strconv.QuoteToASCII(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// nasty are texts that a careless encoder trips over.
var nasty = []string{
	"", "a", ",", `"`, `""`, `","`, `\`, `\"`, "\\\n", "\n", "\r", "\r\n", "\r\r\n", "\x00", "\x1b[2J", "\x7f", "\x80", "\xff\xfe", "\xe2\x82",
	" lead", "trail ", "'", "=1+1", "@", "#", "ä", "漢字.txt", "\u00a0", "\u2028", "\ufeff", "\ufffd", "\U0010ffff", "<&>", strings.Repeat("long \"", 500),
}

func TestNastyRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var s string
		for range rnd.IntN(4) {
			s += nasty[rnd.IntN(len(nasty))]
		}
		return s
	}
	count := func() int64 { return rnd.Int64() >> rnd.IntN(63) }
	for range 1000 {
		c := &solver.Case{Index: count(), Source: text(), First: count(), Text: []byte(text())}
		r := &solver.Result{Status: solver.Status(rnd.IntN(int(solver.NumStatuses))), Detail: text()}
		if r.Status == solver.Solved {
			r.Moves = []byte("ABCDEFGH")[:rnd.IntN(9)]
			r.Symbol = []byte{0, '1', '2', '3'}[rnd.IntN(4)]
		}
		if r.Status != solver.Invalid && r.Status != solver.Unsolvable {
			r.Searched = true
			r.InitialBound = rnd.IntN(31)
			r.Iterations = make([]solver.Iteration, rnd.IntN(20))
			r.Expanded, r.Generated = count(), count()
		}
		checkFacts(t, c, r)
		if t.Failed() {
			return
		}
	}
}

func FuzzRows(f *testing.F) {
	for i, s := range nasty {
		f.Add(s, nasty[(i+7)%len(nasty)], []byte(nasty[(i+13)%len(nasty)]))
	}
	f.Fuzz(func(t *testing.T, source, detail string, text []byte) {
		checkFacts(t, &solver.Case{Index: 1, Source: source, First: 2, Text: text}, &solver.Result{Status: solver.Invalid, Detail: detail})
	})
}

// encoders are the appending functions, on a usual row and on one with names
// that need care.
var encoders = []struct {
	name   string
	append func(dst []byte, c *solver.Case, r *solver.Result) []byte
	source string
}{
	{"case", AppendCase, "corpus.txt"},
	{"case/escaped", AppendCase, "kürze,\t\"länge\".txt"},
	{"json", AppendJSON, "corpus.txt"},
	{"json/escaped", AppendJSON, "kürze,\t\"länge\".txt"},
	{"iterations", AppendIterations, "corpus.txt"},
	{"timing", func(dst []byte, c *solver.Case, _ *solver.Result) []byte {
		return AppendTiming(dst, c.Index, 1, 1234567890, 123456)
	}, ""},
}

func TestRowsDoNotAllocate(t *testing.T) {
	c, r := trap()
	dst := make([]byte, 0, 1024)
	for _, enc := range encoders {
		c.Source = enc.source
		if n := testing.AllocsPerRun(100, func() { dst = enc.append(dst[:0], c, r) }); n != 0 {
			t.Errorf("%s: %v allocations a row", enc.name, n)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	c, r := trap()
	dst := make([]byte, 0, 1024)
	for _, enc := range encoders {
		b.Run(enc.name, func(b *testing.B) {
			c.Source = enc.source
			b.ReportAllocs()
			for b.Loop() {
				dst = enc.append(dst[:0], c, r)
			}
			b.SetBytes(int64(len(dst)))
		})
	}
}
