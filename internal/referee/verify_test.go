package referee

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
	"idabatch/internal/solver/eight"
	"idabatch/internal/solver/rotation"
)

// verify compares two texts, and returns all faults, a line each.
func verify(t testing.TB, p *solver.Puzzle, accept Accept, cases, results io.Reader) (Summary, []string) {
	t.Helper()
	var faults []string
	s, err := Verify(t.Context(), Verification{
		Puzzle: p, Accept: accept,
		Cases: solver.NewScanner(cases), CasesName: "in",
		Results: solver.NewScanner(results), ResultsName: "out",
		Fault: func(f *Fault) error {
			faults = append(faults, f.Verdict.String()+" "+f.Kind.String()+" "+f.String())
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, faults
}

// The boards and answers of these are in the problem statements; for the third,
// symbol 1 gives BFHFDDH.
const (
	rotationCases = `1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3
1 1 1 1 3 3 2 2 2 3 3 2 2 3 3 2 2 2 3 3 1 1 1 1
3 2 2 2 2 2 1 1 2 1 1 2 1 1 1 3 2 1 3 3 3 3 3 3
0
`
	rotationRight = "AC\n2\nNo moves needed\n2\nBCCEEEF\n2\n"

	eightCases = `4
12X453786
12345678X
12345678X
12345678X
812X43765
12345678X
564178X23
7568X4123
`
	eightRight = "Case 1: 2\ndd\nCase 2: 0\n\nCase 3: -1\nunsolvable: odd\nCase 4: 8\nurrulldr\n"
)

func TestVerify(t *testing.T) {
	json := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	for _, tt := range []struct {
		name    string
		puzzle  *solver.Puzzle
		accept  Accept
		results string
		want    []string // faults
	}{
		{"right", rotation.Puzzle, First, rotationRight, nil},
		{"CRLF", rotation.Puzzle, First, strings.ReplaceAll(rotationRight, "\n", "\r\n"), nil},
		{"CR", rotation.Puzzle, First, strings.ReplaceAll(rotationRight, "\n", "\r"), nil},
		{"blanks behind lines", rotation.Puzzle, First, strings.ReplaceAll(rotationRight, "\n", " \t\n"), nil},
		{"blank lines at the end", rotation.Puzzle, First, rotationRight + "\n \r\n\n", nil},
		{"no last newline", rotation.Puzzle, First, strings.TrimSuffix(rotationRight, "\n"), nil},
		{"byte order mark", rotation.Puzzle, First, "\uFEFF" + rotationRight, nil},

		{"blanks before a line", rotation.Puzzle, First, "AC\n2\n No moves needed\n2\nBCCEEEF\n2\n", []string{
			`PE form case 2 (in:2): line 3: neither moves nor "No moves needed": " No moves needed", "2"`,
		}},
		{"moves apart", rotation.Puzzle, Any, "A C\n2\nNo moves needed\n2\nBCCEEEF\n2\n", []string{
			`PE form case 1 (in:1): line 1: neither moves nor "No moves needed": "A C", "2"`,
		}},
		{"empty lines between", rotation.Puzzle, First, "AC\n2\n\nNo moves needed\n2\n\nBCCEEEF\n2\n", []string{
			`PE form case 2 (in:2): line 4: an empty line before it`,
			`PE form case 3 (in:3): line 7: an empty line before it`,
		}},
		{"no No moves needed", rotation.Puzzle, First, "AC\n2\n\n2\nBCCEEEF\n2\n", []string{
			`PE form case 2 (in:2): line 4: the moves are missing: "2", behind an empty line`,
		}},
		{"no line of moves", rotation.Puzzle, First, "AC\n2\n2\nBCCEEEF\n2\n", []string{
			`PE form case 2 (in:2): line 3: the moves are missing: "2"`,
		}},
		{"no symbol", rotation.Puzzle, First, "AC\nNo moves needed\n2\nBCCEEEF\n", []string{
			`PE form case 1 (in:1): line 1: the symbol of the center is missing: "AC"`,
			`PE form case 3 (in:3): line 4: the symbol of the center is missing: "BCCEEEF"`,
		}},
		{"of another puzzle", rotation.Puzzle, First, "Case 1: 2\ndd\n", []string{
			`PE form case 1 (in:1): line 1: neither moves nor "No moves needed": "Case 1: 2", "dd"`,
			`WA missing case 2 (in:2): no answer: the results end before it; 2 are missing`,
		}},
		{"escaped", rotation.Puzzle, First, "\x1B[2J\"\n2\nNo moves needed\n2\nBCCEEEF\n2", []string{
			`PE form case 1 (in:1): line 1: neither moves nor "No moves needed": "\x1b[2J\"", "2"`,
		}},
		{"a long line", rotation.Puzzle, First, strings.Repeat("A", 2<<20) + "\n2\nNo moves needed\n2\nBCCEEEF\n2", []string{
			`PE form case 1 (in:1): line 1: a line of more than 1 MiB`,
		}},
		{"a long second line", rotation.Puzzle, First, "AC\n" + strings.Repeat("2", 2<<20) + "\nNo moves needed\n2\nBCCEEEF\n2", []string{
			`PE form case 1 (in:1): line 1: a line of more than 1 MiB`,
		}},
		{"a long JSON line", rotation.Puzzle, First, "{" + strings.Repeat("x", 2<<20) + "}\n{\"symbol\":2,\"status\":\"solved\"}\n{\"moves\":\"BCCEEEF\",\"symbol\":2}", []string{
			`PE form case 1 (in:1): line 1: a line of more than 1 MiB`,
		}},

		{"nothing", rotation.Puzzle, Any, "", []string{
			`WA missing case 1 (in:1): no answer: the results end before it; 3 are missing`,
		}},
		{"one too few", rotation.Puzzle, Any, "AC\n2\nNo moves needed\n2\n\n", []string{
			`WA missing case 3 (in:3): no answer: the results end before it`,
		}},
		{"more", rotation.Puzzle, First, rotationRight + "\nNo moves needed\n0\n1\n", []string{
			`PE extra line 8: more than the answers to 3 cases: "No moves needed"`,
		}},

		{"not solved", rotation.Puzzle, Any, "A\n2\nA\n2\nNo moves needed\n3\n", []string{
			`WA unsolved case 1 (in:1): "A" does not solve it: symbols '2' and '3' in the center at the end, want one`,
			`WA unsolved case 2 (in:2): "A" does not solve it: symbols '2' and '1' in the center at the end, want one`,
			`WA unsolved case 3 (in:3): making no move does not solve it: symbols '1' and '2' in the center at the end, want one`,
		}},
		{"a wrong symbol", rotation.Puzzle, Any, "AC\n1\nNo moves needed\n4\nBFHFDDH\n2\n", []string{
			`WA label case 1 (in:1): "1", want "2" for these moves`,
			`WA label case 2 (in:2): "4", want "2" for these moves`,
			`WA label case 3 (in:3): "2", want "1" for these moves`,
		}},
		{"longer", rotation.Puzzle, Shortest, "AFAC\n2\nHC\n2\nBFHFDDH\n1\n", []string{
			`WA longer case 1 (in:1): 4 moves, 2 are enough: AC`,
			`WA longer case 2 (in:2): 2 moves, none is needed`,
		}},
		{"longer, and any will do", rotation.Puzzle, Any, "AFAC\n2\nHC\n2\nBFHFDDH\n1\n", nil},
		{"not first", rotation.Puzzle, First, "AC\n2\nNo moves needed\n2\nBFHFDDH\n1\n", []string{
			`WA not-first case 3 (in:3): BFHFDDH is as short, but BCCEEEF comes first`,
		}},
		{"gives up", rotation.Puzzle, Any, "limit: stopped\n0\nunsolvable: x\n0\nBCCEEEF\n2\n", []string{
			`WA no-solution case 1 (in:1): no solution given, 2 are enough: AC`,
			`WA no-solution case 2 (in:2): no solution given, none is needed`,
		}},

		{"right", eight.Puzzle, First, eightRight, nil},
		{"CRLF", eight.Puzzle, First, strings.ReplaceAll(eightRight, "\n", "\r\n"), nil},
		{"blanks behind lines", eight.Puzzle, First, strings.ReplaceAll(eightRight, "\n", " \n"), nil},
		{"bare -1", eight.Puzzle, First, strings.ReplaceAll(eightRight, "unsolvable: odd", ""), nil},
		{"a wrong number", eight.Puzzle, First, strings.ReplaceAll(eightRight, "Case 1: 2", "Case 1: 3"), []string{
			`WA label case 1 (in:2): "Case 1: 3", want "Case 1: 2" for these moves`,
		}},
		{"a case skipped", eight.Puzzle, First, strings.ReplaceAll(eightRight, "Case 2: 0\n\n", ""), []string{
			`PE form case 2 (in:4): line 3: no "Case 2: " with the number of moves: "Case 3: -1", "unsolvable: odd"`,
			`PE form case 3 (in:6): line 5: no "Case 3: " with the number of moves: "Case 4: 8", "urrulldr"`,
			`WA missing case 4 (in:8): no answer: the results end before it`,
		}},
		{"an empty line lost", eight.Puzzle, First, strings.ReplaceAll(eightRight, "Case 2: 0\n\n", "Case 2: 0\n"), []string{
			`PE form case 2 (in:4): line 3: the line with the moves is missing: "Case 2: 0"`,
		}},
		{"off the board", eight.Puzzle, Any, strings.ReplaceAll(eightRight, "2\ndd", "5\nuuddd"), []string{
			`WA unsolved case 1 (in:2): "uuddd" does not solve it: 'u' at place 1 leaves the board`,
		}},
		{"elsewhere", eight.Puzzle, Any, strings.ReplaceAll(eightRight, "0\n\n", "1\nu\n"), []string{
			`WA unsolved case 2 (in:4): "u" does not solve it: the moves end at 12345X786, want 12345678X`,
		}},
		{"solves what has no solution", eight.Puzzle, Any, strings.ReplaceAll(eightRight, "-1\nunsolvable: odd", "1\nd"), []string{
			`WA unsolvable case 3 (in:6): 1 move given, but there is no solution: ` + unsolvable(t),
		}},
		{"last line missing", eight.Puzzle, First, strings.TrimSuffix(eightRight, "urrulldr\n"), []string{
			`WA unsolved case 4 (in:8): making no move does not solve it: the moves end at 564178X23, want 7568X4123`,
		}},

		{"JSON", rotation.Puzzle, First, json(
			`{"case":1,"status":"solved","depth":2,"moves":"AC","symbol":2}`,
			`{"case":2,"source":"in:2","status":"solved","depth":0,"symbol":2,"expanded":17}`,
			``,
			` { "symbol" : "2", "moves" : "BCCEEEF", "more": [1, {}] } `), nil},
		{"JSON faults", rotation.Puzzle, First, json(
			`{"moves":"AC","symbol":3}`,
			`{"moves":"","depth":1,"symbol":2}`,
			`{"moves":"BCCEEEF"}`, `{"case":4}`), []string{
			`WA label case 1 (in:1): symbol 3, want 2`,
			`WA label case 2 (in:2): depth 1, want 0`,
			`WA label case 3 (in:3): no symbol given, want 2`,
			`PE extra line 4: more than the answers to 3 cases: "{\"case\":4}"`,
		}},
		{"JSON that cannot be read", rotation.Puzzle, First, json(
			`{"moves":"AC","symbol":2`,
			`{"case":3,"moves":"AC","symbol":2}`,
			`{"symbol":2,"moves":null}`), []string{
			`PE form case 1 (in:1): line 1: no JSON object: "{\"moves\":\"AC\",\"symbol\":2"`,
			`PE form case 2 (in:2): line 2: this is the answer to case 3`,
			`PE form case 3 (in:3): line 3: neither moves nor status: "{\"symbol\":2,\"moves\":null}"`,
		}},
		{"more such", rotation.Puzzle, First, json(
			`{"moves":"A1C","symbol":2}`,
			`{"moves":"","symbol":22}`,
			`{"moves":"BCCEEEF","symbol":2,"depth":"x"}`), []string{
			`PE form case 1 (in:1): line 1: no moves: "A1C"`,
			`PE form case 2 (in:2): line 2: no symbol: "22"`,
			`PE form case 3 (in:3): line 3: no depth: "x"`,
		}},
		{"and lines of another form", rotation.Puzzle, First, "{}\n\nAC\n2\n", []string{
			`PE form case 1 (in:1): line 1: neither moves nor status: "{}"`,
			`PE form case 2 (in:2): line 3: no JSON object: "AC"`,
			`PE form case 3 (in:3): line 4: no JSON object: "2"`,
		}},
		{"JSON", eight.Puzzle, First, json(
			`{"moves":"dd"}`, `{"status":"solved"}`, `{"status":"unsolvable","detail":"x"}`, `{"moves":"urrulldr","depth":8}`), nil},
	} {
		cases := rotationCases
		if tt.puzzle == eight.Puzzle {
			cases = eightCases
		}
		s, faults := verify(t, tt.puzzle, tt.accept, strings.NewReader(cases), strings.NewReader(tt.results))
		if diff := cmp.Diff(tt.want, faults); diff != "" {
			t.Errorf("%s, %s: (-want +got)\n%s", tt.puzzle.Name, tt.name, diff)
		}
		first := "AC"
		if len(tt.want) > 0 {
			first = tt.want[0][:2]
		}
		if s.Verdict.String() != first {
			t.Errorf("%s, %s: verdict %v, want %s", tt.puzzle.Name, tt.name, s.Verdict, first)
		}
		sum := s.Accepted
		for k, n := range s.Faults {
			if Kind(k) != Extra {
				sum += n
			}
		}
		if s.Cases != int64(map[string]int{"rotation": 3, "eight": 4}[tt.puzzle.Name]) || sum != s.Cases {
			t.Errorf("%s, %s: %+v does not add up", tt.puzzle.Name, tt.name, s)
		}
	}
}

// unsolvable is how the engine says so.
func unsolvable(t *testing.T) string {
	var r solver.Result
	exact(eight.Puzzle).Solve(&solver.Case{Text: []byte("812X43765 12345678X")}, solver.Limits{}, &r)
	if r.Status != solver.Unsolvable {
		t.Fatalf("%+v", r)
	}
	return r.Detail
}

// Cases that cannot be read are answered by saying so.
func TestVerifyInvalidCases(t *testing.T) {
	const cases = "111132323132231222312133\n1111\n11113322233223322233111x\n0\nmore"
	for _, tt := range []struct {
		results string
		want    []string
	}{
		{"AC\n2\ninvalid: in:2: 4 symbols, want 24\n0\ninvalid: what is an x?\n0\n", nil},
		{`{"moves":"AC","symbol":2}` + "\n" + `{"status":"invalid"}` + "\n" + `{"status":"bad"}`, nil},
		{"AC\n2\nNo moves needed\n2\ninvalid: x\n0\n", []string{
			"WA unsolvable case 2 (in:2): a solution given, but the case cannot be read: in:2: 4 symbols, want 24",
		}},
	} {
		var notices, faults []string
		s, err := Verify(t.Context(), Verification{
			Puzzle: rotation.Puzzle, Accept: First,
			Cases: solver.NewScanner(strings.NewReader(cases)), CasesName: "in",
			Results: solver.NewScanner(strings.NewReader(tt.results)), ResultsName: "out",
			Fault: func(f *Fault) error {
				faults = append(faults, f.Verdict.String()+" "+f.Kind.String()+" "+f.String())
				return nil
			},
			Notice: func(text string, invalid bool) { notices = append(notices, fmt.Sprint(invalid, " ", text)) },
		})
		if err != nil || s.Cases != 3 || s.Invalid != 2 {
			t.Errorf("%+v, %v", s, err)
		}
		if diff := cmp.Diff(tt.want, faults); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		want := []string{
			"true in:2: 4 symbols, want 24",
			`true in:3: symbol "x" at place 24, want 1, 2 or 3`,
			"false in:5: text after the 0 that ends the cases is ignored",
		}
		if diff := cmp.Diff(want, notices); diff != "" {
			t.Errorf("notices: (-want +got)\n%s", diff)
		}
	}
}

// The frozen answers of an independent program are all accepted, and none when
// they are spoiled.
func TestVerifyOracle(t *testing.T) {
	for _, p := range []*solver.Puzzle{rotation.Puzzle, eight.Puzzle} {
		dir := "../../testdata/" + p.Name
		cases, err := os.ReadFile(dir + "/oracle.txt")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(dir + "/oracle.csv")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		unsolvable := int64(0)
		write := func(answer func(moves, symbol string) (string, string)) string {
			var b strings.Builder
			unsolvable = 0
			for i, row := range rows[1:] {
				moves, symbol := answer(row[2], row[3])
				switch {
				case row[1] == "": // no solution
					unsolvable++
					fmt.Fprintf(&b, "Case %d: -1\n\n", i+1)
				case p == eight.Puzzle:
					fmt.Fprintf(&b, "Case %d: %d\n%s\n", i+1, len(moves), moves)
				case moves == "":
					fmt.Fprintf(&b, "No moves needed\n%s\n", symbol)
				default:
					fmt.Fprintf(&b, "%s\n%s\n", moves, symbol)
				}
			}
			return b.String()
		}
		n := int64(len(rows) - 1)
		right := write(func(moves, symbol string) (string, string) { return moves, symbol })
		if s, faults := verify(t, p, First, bytes.NewReader(cases), strings.NewReader(right)); s.Accepted != n {
			t.Errorf("%s: %+v, %d faults", p.Name, s, len(faults))
		}
		around := map[string][]string{"rotation": {"AF"}, "eight": {"ud", "du"}}[p.Name]
		longer := write(func(moves, symbol string) (string, string) { return moves + around[0], symbol })
		if p == eight.Puzzle {
			// One of the two stays on the board: there and back again, at the end.
			i := -1
			longer = write(func(moves, symbol string) (string, string) {
				i++
				c := strings.Fields(string(cases))[1+2*i:]
				for _, m := range around {
					if _, err := p.Replay([]byte(c[0]+" "+c[1]), []byte(moves+m)); err == nil {
						return moves + m, symbol
					}
				}
				return moves, symbol
			})
		}
		for accept, want := range map[Accept]int64{Any: n, Shortest: 0, First: 0} {
			s, _ := verify(t, p, accept, bytes.NewReader(cases), strings.NewReader(longer))
			want = max(want, unsolvable)
			if s.Accepted != want || s.Faults[Longer] != n-want {
				t.Errorf("%s, two moves more, %v: %+v", p.Name, accept, s)
			}
		}
	}
}

// What cannot be read is not judged, and each side is named.
func TestVerifyErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		cases, results io.Reader
		want           string
		err            error
	}{
		{io.MultiReader(strings.NewReader(rotationCases[:60]), iotest.ErrReader(broken)), strings.NewReader(rotationRight), "in: broken", broken},
		{strings.NewReader(rotationCases), io.MultiReader(strings.NewReader("AC\n2\nNo"), iotest.ErrReader(broken)), "out: broken", broken},
		{strings.NewReader(rotationCases), io.MultiReader(strings.NewReader(rotationRight), iotest.ErrReader(broken)), "out: broken", broken},
		{strings.NewReader(rotationCases), strings.NewReader("\xFF\xFEA\x00C\x00"), "out: " + solver.ErrUTF16.Error(), solver.ErrUTF16},
	} {
		_, err := Verify(t.Context(), Verification{
			Puzzle: rotation.Puzzle,
			Cases:  solver.NewScanner(tt.cases), CasesName: "in",
			Results: solver.NewScanner(tt.results), ResultsName: "out",
		})
		if !errors.Is(err, tt.err) || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}

	stop := errors.New("stop")
	_, err := Verify(t.Context(), Verification{
		Puzzle: rotation.Puzzle,
		Cases:  solver.NewScanner(strings.NewReader(rotationCases)), Results: solver.NewScanner(strings.NewReader("A\n1")),
		Fault: func(*Fault) error { return stop },
	})
	if err != stop {
		t.Errorf("%v, want %v", err, stop)
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	cases := strings.Repeat("111132323132231222312133\n", 5000)
	s, err := Verify(ctx, Verification{
		Puzzle: rotation.Puzzle,
		Cases:  solver.NewScanner(strings.NewReader(cases)), Results: solver.NewScanner(strings.NewReader(cases)),
	})
	if err != stop || s.Cases >= 5000 {
		t.Errorf("%d cases, %v, want fewer, %v", s.Cases, err, stop)
	}
}

// Both sides can be endless: a case is judged when it and its answer are there.
func TestVerifyHoldsLittle(t *testing.T) {
	line := "1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3\n"
	const n = 20_000
	allocs := testing.AllocsPerRun(1, func() {
		s, _ := verify(t, rotation.Puzzle, First, repeat(line, n), repeat("AC\r\n2\r\n", n))
		if s.Accepted != n {
			t.Errorf("%+v", s)
		}
	})
	if allocs > 200 {
		t.Errorf("%v allocations for %d cases", allocs, n)
	}
}

type repeater struct {
	text string
	i, n int
}

func repeat(text string, n int) io.Reader { return &repeater{text, 0, n} }

func (r *repeater) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if r.n == 0 {
			return n, io.EOF
		}
		m := copy(p[n:], r.text[r.i:])
		n += m
		if r.i += m; r.i == len(r.text) {
			r.i = 0
			r.n--
		}
	}
	return n, nil
}

// FuzzVerify: no text in place of the results is accepted but the right lines,
// however they end; and how a text comes does not matter.
func FuzzVerify(f *testing.F) {
	for _, text := range []string{
		rotationRight, strings.ReplaceAll(rotationRight, "\n", "\r\n"), strings.ReplaceAll(rotationRight, "\n", " \r"),
		"", "\n", "\n\n2\n", "AC\n2", "AC\n\n2", "2\n2\n2", "AC\nAC\nAC\n2", rotationRight + "0\n", "\uFEFF" + rotationRight + "\n\n",
		"invalid: x\n0\n", `{"moves":"AC","symbol":2}`, "{}\n{", "AC\n2\n\nNo moves needed\n2\nBCCEEEF\n2\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := solver.NewScanner(strings.NewReader(text))
		if _, _, err := s.Next(); err != nil && err != io.EOF {
			return // UTF-16
		}
		got, faults := verify(t, rotation.Puzzle, First, strings.NewReader(rotationCases), strings.NewReader(text))
		slow, slowFaults := verify(t, rotation.Puzzle, First, strings.NewReader(rotationCases), iotest.OneByteReader(strings.NewReader(text)))
		if diff := cmp.Diff(faults, slowFaults); diff != "" || got.Accepted != slow.Accepted {
			t.Errorf("%q, byte by byte: (-fast +slow)\n%s", text, diff)
		}
		if !strings.HasPrefix(strings.TrimLeft(text, "\uFEFF \t\v\f\r\n"), "{") {
			if want := lines(text) == lines(rotationRight); (got.Verdict == Accepted) != want {
				t.Errorf("%q: accepted %t, want %t: %v", text, !want, want, faults)
			}
		}
	})
}

// lines is a text without what is held against nobody.
func lines(text string) string {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		kept = append(kept, strings.TrimRight(line, " \t\v\f"))
	}
	return strings.TrimRight(strings.Join(kept, "\n"), "\n")
}

// FuzzReadPlain: what the fast reader of JSON takes is what encoding/json finds.
func FuzzReadPlain(f *testing.F) {
	for _, text := range []string{
		`{"case":1,"status":"solved","depth":2,"moves":"AC","symbol":2}`,
		`{"case":12,"source":"in:2","board":"111132323132231222312133","status":"solved","depth":0,"symbol":2,"detail":"x"}`,
		` { "symbol" : "2", "moves":	"BCCEEEF" } `, `{}`, `{"moves":"A","moves":"B"}`, `{"moves":""}`, `{"case":01}`, `{"case":-1}`,
		`{"case":1.5}`, `{"moves":"\u0041"}`, `{"moves":null}`, `{"Moves":"A"}`, `{"a":{"moves":"A"}}`, `{"moves":"A",}`, `{"moves":"A"}}`,
		`{"é":"é"}`, "{\"moves\":\"\x7F\"}", "{\"moves\":\"\n\"}", `{"case":}`, `{"case":1`, `{"case"`, `{`, ``, `{"symbol":true}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var plain, any object
		if !plain.readPlain(text) {
			return
		}
		if !any.read(text) {
			t.Fatalf("%q is no JSON", text)
		}
		if diff := cmp.Diff(any, plain, cmp.AllowUnexported(object{})); diff != "" {
			t.Errorf("%q: (-json +plain)\n%s", text, diff)
		}
	})
}

// Most lines of ours are read the fast way.
func TestReadPlain(t *testing.T) {
	var o object
	line := `{"case":7,"source":"corpus.txt:7","board":"313221131312232111322323","status":"solved","depth":8,"moves":"FGECCACE","symbol":1,"initial_bound":3,"iterations":6,"expanded":3221,"generated":18699}`
	if !o.readPlain([]byte(line)) {
		t.Fatal("not read")
	}
	got := []string{string(o.number), string(o.status), string(o.depth), string(o.moves), string(o.symbol)}
	if diff := cmp.Diff([]string{"7", "solved", "8", "FGECCACE", "1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func BenchmarkVerify(b *testing.B) {
	const n = 10_000
	for _, p := range []*solver.Puzzle{rotation.Puzzle, eight.Puzzle} {
		cases := p.AppendHeader(nil, n)
		var results, objects []byte
		var r solver.Result
		right := exact(p)
		for i := range uint64(n) {
			c := solver.Case{Index: int64(i) + 1, Text: p.Random(nil, 1, i+1, -1)}
			cases = p.AppendCase(cases, c.Text)
			right.Solve(&c, solver.Limits{}, &r)
			results = p.AppendResult(results, &c, &r)
			objects = fmt.Appendf(objects, `{"case":%d,"source":"corpus.txt:%d","board":"%s","status":"solved","depth":%d,"moves":"%s"`, c.Index, c.Index, c.Text, len(r.Moves), r.Moves)
			if r.Symbol != 0 {
				objects = append(objects, `,"symbol":`+strconv.Itoa(int(r.Symbol-'0'))...)
			}
			objects = append(objects, "}\n"...)
		}
		cases = p.AppendFooter(cases)
		for _, form := range []struct {
			name string
			text []byte
		}{{"judge", results}, {"CRLF", bytes.ReplaceAll(results, []byte("\n"), []byte("\r\n"))}, {"jsonl", objects}} {
			b.Run(p.Name+"/"+form.name, func(b *testing.B) {
				for b.Loop() {
					if s, faults := verify(b, p, First, bytes.NewReader(cases), bytes.NewReader(form.text)); s.Accepted != n {
						b.Fatalf("%+v %v", s, faults[:1])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/case")
			})
		}
	}
}
