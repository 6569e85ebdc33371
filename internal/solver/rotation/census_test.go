package rotation

import (
	"encoding/csv"
	"flag"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

var long = flag.Bool("long", false, "compare the census with a million boards, not a hundred thousand, and list all of depths 1 and 12")

// A mask is a set of cells, bit i for cell i.
type mask uint32

const wholeBoard mask = 1<<24 - 1

func maskOf(b [24]byte, symbol byte) (m mask) {
	for i, c := range b {
		if c == symbol {
			m |= 1 << i
		}
	}
	return m
}

// centerCount is the number of cells of the center in m.
func (m mask) centerCount() (n int) {
	for _, c := range centerCells {
		n += int(m >> c & 1)
	}
	return n
}

// slowDistances is the distance of each set of eight cells, for one symbol:
// breadth first on the cells.
var slowDistances = sync.OnceValue(func() []int8 {
	turn := func(m mask, line [7]int) mask {
		next := m
		for i, cell := range line {
			next = next&^(1<<cell) | m>>line[(i+1)%7]&1<<cell
		}
		return next
	}
	lines := slices.Collect(maps.Values(head))
	distance := make([]int8, wholeBoard+1)
	for i := range distance {
		distance[i] = -1
	}
	goal := mask(0)
	for _, c := range centerCells {
		goal |= 1 << c
	}
	distance[goal] = 0
	for queue := []mask{goal}; len(queue) > 0; queue = queue[1:] {
		for _, line := range lines {
			if next := turn(queue[0], line); distance[next] < 0 {
				distance[next] = distance[queue[0]] + 1
				queue = append(queue, next)
			}
		}
	}
	return distance
})

// slowNearest tells the depth of a board, and how many symbols are as near.
func slowNearest(m1, m2 mask) (depth int8, symbols int) {
	all := slowDistances()
	d := []int8{all[m1], all[m2], all[wholeBoard&^(m1|m2)]}
	depth = slices.Min(d)
	for _, one := range d {
		if one == depth {
			symbols++
		}
	}
	return depth, symbols
}

func slowNearestOf(b [24]byte) (depth int8, symbols int) {
	return slowNearest(maskOf(b, '1'), maskOf(b, '2'))
}

// choices are all ways to choose eight of the cells in a set.
func choices(set mask) (list []mask) {
	var choose func(rest, chosen mask, n int)
	choose = func(rest, chosen mask, n int) {
		if n == 0 {
			list = append(list, chosen)
			return
		}
		for ; bits.OnesCount32(uint32(rest)) >= n; rest &= rest - 1 {
			choose(rest&(rest-1), chosen|rest&-rest, n-1)
		}
	}
	choose(set, 0, 8)
	return list
}

// The cells drawn on a grid of seven rows and columns.
var grid = [24][2]int{
	{0, 2}, {0, 4},
	{1, 2}, {1, 4},
	{2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6},
	{3, 2}, {3, 4},
	{4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {4, 5}, {4, 6},
	{5, 2}, {5, 4},
	{6, 2}, {6, 4},
}

// slowImages are the boards that turning and mirroring makes of b.
func slowImages(b [24]byte) (images [][24]byte) {
	for i := range 8 {
		var image [24]byte
		for cell, at := range grid {
			row, column := at[0], at[1]
			if i&1 != 0 {
				row = 6 - row
			}
			if i&2 != 0 {
				column = 6 - column
			}
			if i&4 != 0 {
				row, column = column, row
			}
			image[slices.Index(grid[:], [2]int{row, column})] = b[cell]
		}
		images = append(images, image)
	}
	return images
}

// slowClass is all boards that turning, mirroring and renaming makes of b, in
// dictionary order.
func slowClass(b [24]byte) []string {
	class := map[string]bool{}
	for _, image := range slowImages(b) {
		for _, names := range []string{"123", "132", "213", "231", "312", "321"} {
			var renamed []byte
			for _, c := range image {
				renamed = append(renamed, names[c-'1'])
			}
			class[string(renamed)] = true
		}
	}
	return slices.Sorted(maps.Keys(class))
}

func TestImages(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		b := randomBoard(r)
		want := map[placement]bool{}
		for _, image := range slowImages(b) {
			want[place(image, '1')] = true
		}
		got := map[placement]bool{}
		for _, p := range place(b, '1').images() {
			got[p] = true
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%s: images %v, want %v", b, got, want)
		}
		for m := range move(moves) {
			image := moveSet(1 << m).images()
			for i, p := range place(b, '1').turn(m).images() {
				if q := place(b, '1').images()[i].turn(image[i].first()); image[i].len() != 1 || p != q {
					t.Fatalf("image %d of %s after %c: %#x, want %#x", i, b, 'A'+m, q, p)
				}
			}
		}
	}
}

// The golden census is what the program has counted; that it is right is what
// the other tests in this file tell.
func goldenCensus(t *testing.T) solver.Tally {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "testdata", "rotation", "census.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	kind := solver.GoalKind{Goals: 1}
	for depth, row := range rows[1:] {
		var n [4]int64
		for i := range n {
			if n[i], err = strconv.ParseInt(row[i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		if n[0] != int64(depth) {
			t.Fatalf("row %q, want depth %d", row, depth)
		}
		kind.Depths = append(kind.Depths, solver.Count(n[1:]))
	}
	return solver.Tally{kind}
}

// skipUnderRace is for long computations in which nothing runs side by side: the
// race detector would make them twenty times as long.
func skipUnderRace(t *testing.T) {
	if info, _ := debug.ReadBuildInfo(); slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("too slow under the race detector")
	}
}

// TestCensus counts all boards.
func TestCensus(t *testing.T) {
	skipUnderRace(t)
	got := census.Known.Empty()
	for shard := range census.Shards {
		got.Add(census.Count(shard))
	}
	golden := goldenCensus(t)
	if d := cmp.Diff(golden, got); d != "" {
		t.Errorf("counted (+) is not what was counted before (-):\n%s", d)
	}
	if d := cmp.Diff(golden, census.Known); d != "" {
		t.Errorf("known (+) is not the golden census (-):\n%s", d)
	}
	const all, solvedOnes = 9_465_511_770, 38_610
	if n := got.Cases(solver.Depths{Max: 14}); n != all {
		t.Errorf("%d boards, want %d", n, all)
	}
	if c := got[0].Depths[0]; c != (solver.Count{solvedOnes}) {
		t.Errorf("%v boards are solved, want %d, each for one symbol", c, solvedOnes)
	}
}

// TestCensusSample compares the census with uniform boards: chi squared over
// depth and number of nearest symbols.
func TestCensusSample(t *testing.T) {
	n := 100_000
	if *long {
		n = 1_000_000
	}
	var sample [15]solver.Count
	for i := range n {
		depth, symbols := slowNearestOf([24]byte(random(nil, 11, uint64(i+1), -1)))
		sample[depth][symbols-1]++
	}
	var cells []cell
	for depth, count := range goldenCensus(t)[0].Depths {
		for k, boards := range count {
			cells = append(cells, cell{int(sample[depth][k]), float64(n) * float64(boards) / 9_465_511_770})
		}
	}
	checkFit(t, "sample and census", cells)
}

// A cell of a chi-squared test: how often something was, and is expected.
type cell struct {
	got  int
	want float64
}

// checkFit fails for what would happen by chance less than once in 10,000. Cells
// in which fewer than five are expected are taken together.
func checkFit(t *testing.T, what string, cells []cell) {
	t.Helper()
	var few cell
	sum, n := 0.0, 0
	for _, c := range cells {
		if c.want < 5 {
			few.got += c.got
			few.want += c.want
			continue
		}
		sum += (float64(c.got) - c.want) * (float64(c.got) - c.want) / c.want
		n++
	}
	if few.want >= 5 {
		sum += (float64(few.got) - few.want) * (float64(few.got) - few.want) / few.want
		n++
	} else if few.got > 20 {
		t.Errorf("%s: %d in cells with %.2f expected", what, few.got, few.want)
	}
	if n < 2 {
		t.Fatalf("%s: everything is in one cell", what)
	}
	// Wilson and Hilferty, 1931: the cube root of chi squared over its degrees of
	// freedom is about normal.
	free := float64(n - 1)
	z := (math.Cbrt(sum/free) - (1 - 2/(9*free))) / math.Sqrt(2/(9*free))
	if math.Abs(z) > 3.9 {
		t.Errorf("%s: chi squared %.1f with %d degrees of freedom, %.1f standard deviations off", what, sum, n-1, z)
	}
}

// TestSymmetriesLoseNothing counts slices of all boards as the census does, and
// one by one: those with a leader on one of some placements.
func TestSymmetriesLoseNothing(t *testing.T) {
	skipUnderRace(t)
	var near []placement // eight blocks in the center, or seven and a corner is missing
	for _, p := range listPlacements() {
		if n := p.inCenter(); n == 8 || n == 7 && p&corners != corners {
			near = append(near, p)
		}
	}
	orbits := map[placement]bool{} // of some placements of '1', the first four symmetric
	boards := [][24]byte{
		[24]byte([]byte("112222111222233111333333")), // mirrored it looks the same
		[24]byte([]byte("122222121212313131333331")), // turned by a quarter
		[24]byte([]byte("122222112221133311333331")), // turned by a half
		[24]byte([]byte("121211112221222331333333")), // with rows and columns exchanged
	}
	r := rand.New(rand.NewPCG(5, 2))
	for range 3 {
		boards = append(boards, randomBoard(r))
	}
	for _, b := range boards {
		for _, image := range slowImages(b) {
			orbits[place(image, '1')] = true
		}
	}
	for _, slice := range [][]placement{near, slices.Sorted(maps.Keys(orbits))} {
		var sums distanceSums
		for _, l := range leadersOf(slice) {
			sums.add(distances(), l)
		}
		got := sums.tally()

		want := map[[2]int]int64{} // by depth and nearest symbols, in halves of a board
		for _, p := range slice {
			leading := mask(0)
			for cell, bit := range cellBits {
				if p&bit != 0 {
					leading |= 1 << cell
				}
			}
			most := leading.centerCount()
			for _, second := range choices(wholeBoard &^ leading) {
				third := wholeBoard &^ (leading | second)
				var halves int64
				switch n := max(second.centerCount(), third.centerCount()); {
				case n < most:
					halves = 2
				case n == most:
					halves = 1 // and 1 when the other leader's placement comes up
				default:
					continue
				}
				for _, names := range [][2]mask{{leading, second}, {second, leading}, {second, third}} {
					depth, symbols := slowNearest(names[0], names[1])
					want[[2]int{int(depth), symbols}] += halves
				}
			}
		}
		total := int64(0)
		for depth, count := range got[0].Depths {
			for i, n := range count {
				if 2*n != want[[2]int{depth, i + 1}] {
					t.Errorf("depth %d, %d nearest: %d boards, want %d halves", depth, i+1, n, want[[2]int{depth, i + 1}])
				}
				total += n
			}
		}
		if total == 0 {
			t.Error("an empty slice")
		}
	}
}

// slowBoards has the boards of some depths, found in other ways.
func slowBoards() map[solver.Depths]map[string]bool {
	found := map[solver.Depths]map[string]bool{
		{Min: 0, Max: 0}:             {},
		{Min: 4, Max: 4, Tied: true}: {},
		{Min: 5, Max: 5, Tied: true}: {},
		{Min: 13, Max: 13}:           {},
	}
	if *long {
		found[solver.Depths{Min: 1, Max: 1}] = map[string]bool{}
	}
	add := func(b [24]byte) {
		depth, symbols := slowNearestOf(b)
		if boards := found[solver.Depths{Min: int(depth), Max: int(depth), Tied: depth < 6 && symbols > 1}]; boards != nil {
			boards[string(b[:])] = true
		}
	}
	board := func(masks ...mask) (b [24]byte) {
		for i, m := range masks {
			for cell := range b {
				if m>>cell&1 != 0 {
					b[cell] = '1' + byte(i)
				}
			}
		}
		return b
	}

	// Depth 0: the center is full. Depth 1: and one move back.
	center := mask(0)
	for _, c := range centerCells {
		center |= 1 << c
	}
	for _, m := range choices(wholeBoard &^ center) {
		rest := wholeBoard &^ center &^ m
		for _, b := range [][24]byte{board(center, m, rest), board(m, center, rest), board(m, rest, center)} {
			add(b)
			if !*long {
				continue
			}
			for letter := range head {
				add(slowTurn(b, letter))
			}
		}
	}
	// Depth 13: no symbol is nearer. Depths 4 and 5, tied: two symbols are so near.
	var far, four, five []mask
	for m, d := range slowDistances() {
		switch {
		case d >= 13:
			far = append(far, mask(m))
		case d == 4:
			four = append(four, mask(m))
		case d == 5:
			five = append(five, mask(m))
		}
	}
	for depth, list := range map[int8][]mask{13: far, 4: four, 5: five} {
		for i, one := range list {
			for _, two := range list[i+1:] {
				if one&two != 0 {
					continue
				}
				if d, _ := slowNearest(one, two); d != depth {
					continue
				}
				b := board(one, two, wholeBoard&^one&^two)
				if found[solver.Depths{Min: int(depth), Max: int(depth), Tied: depth < 6}][string(b[:])] {
					continue // with its class
				}
				for _, image := range slowClass(b) {
					add([24]byte([]byte(image)))
				}
			}
		}
	}
	return found
}

func TestBoards(t *testing.T) {
	skipUnderRace(t)
	for want, found := range slowBoards() {
		list := slices.Sorted(maps.Keys(found))
		if n := goldenCensus(t).Cases(want); int64(len(list)) != n {
			t.Fatalf("%+v: %d boards found here, %d in the census", want, len(list), n)
		}
		var full []string
		for b := range boards(want, false) {
			full = append(full, string(b))
		}
		var reduced []string
		for b := range boards(want, true) {
			reduced = append(reduced, string(b))
		}
		// The full list is the classes of the reduced one, one after the other.
		rest := full
		for _, b := range reduced {
			class := slowClass([24]byte([]byte(b)))
			if class[0] != b || len(rest) < len(class) || !slices.Equal(rest[:len(class)], class) {
				t.Fatalf("%+v: %s is not followed by its class", want, b)
			}
			rest = rest[len(class):]
		}
		if len(rest) > 0 {
			t.Errorf("%+v: %d boards are left behind the classes", want, len(rest))
		}
		slices.Sort(full)
		if !slices.Equal(full, list) {
			t.Errorf("%+v: the %d boards are not the %d wanted", want, len(full), len(list))
		}
	}
}

// In the middle there are too many to list: some from the beginning will do.
func TestBoardsBegin(t *testing.T) {
	golden := goldenCensus(t)
	for depth := range 13 {
		for _, tied := range []bool{false, true} {
			want := solver.Depths{Min: depth, Max: depth, Tied: tied}
			seen := map[string]bool{}
			for b := range boards(want, false) {
				d, symbols := slowNearestOf([24]byte(b))
				if int(d) != depth || tied && symbols == 1 || !slowCheck(string(b)) || seen[string(b)] {
					t.Fatalf("%+v: %s with depth %d, %d nearest; seen: %v", want, b, d, symbols, seen[string(b)])
				}
				if seen[string(b)] = true; len(seen) == 1000 {
					break
				}
			}
			if n := min(1000, golden.Cases(want)); int64(len(seen)) != n {
				t.Errorf("%+v: %d boards, want %d", want, len(seen), n)
			}
		}
	}
}

// In the deepest depth but one nearly all boards are tied. There are four
// million, so they are only counted.
func TestBoardsAtDepth12(t *testing.T) {
	if !*long {
		t.Skip("takes seconds: -long")
	}
	want := solver.Depths{Min: 12, Max: 12}
	n := int64(0)
	for range boards(want, false) {
		n++
	}
	if cases := goldenCensus(t).Cases(want); n != cases {
		t.Errorf("%d boards, want %d", n, cases)
	}
}

// More than one depth is one after the other.
func TestBoardsOfSomeDepths(t *testing.T) {
	var depths []int8
	for b := range boards(solver.Depths{Min: 0, Max: 1}, true) {
		depth, _ := slowNearestOf([24]byte(b))
		depths = append(depths, depth)
	}
	if !slices.IsSorted(depths) || len(slices.Compact(depths)) != 2 {
		t.Errorf("the depths of the boards do not rise from 0 to 1")
	}
	for b := range boards(solver.Depths{Min: 14, Max: 1 << 60}, true) {
		t.Errorf("%s has more than 13 moves", b)
	}
}
