package report

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver"
)

// compare analyzes two runs.
func compare(t testing.TB, base, other *Folder) *Comparison {
	t.Helper()
	r := analyze(t, base, other)
	if len(r.Comparisons) != 1 {
		t.Fatalf("%d comparisons", len(r.Comparisons))
	}
	return r.Comparisons[0]
}

func TestCompare(t *testing.T) {
	a := folder("a", CasesHeader+
		"1,t:1,p,solved,2,ab,,2,1,2,4,\n"+
		"2,t:2,q,solved,2,ab,,2,1,8,8,\n"+
		"3,t:3,r,solved,3,abc,,2,1,10,10,\n"+
		"4,t:4,s,solved,3,abc,,2,1,1000,10,\n"+
		"5,t:5,t,solved,3,abc,,2,1,1000,10,\n"+
		"6,t:6,u,solved,0,,,0,1,0,0,\n"+
		"7,t:7,v,solved,3,abc,,2,1,1000,10,\n",
		TimingHeader+"1,0,0,1000\n2,0,0,1000\n3,0,0,2000\n4,0,0,5\n5,0,0,5\n6,0,0,0\n")
	b := folder("b", CasesHeader+
		"1,t:1,p,solved,2,ab,,2,1,4,4,\n"+ // twice
		"2,t:2,q,solved,2,ba,,2,1,4,8,\n"+ // half, other moves
		"3,t:3,r,solved,4,abca,,2,1,80,10,\n"+ // eight times, other depth
		"4,t:4,S,solved,3,abc,,2,1,1,10,\n"+ // another board
		"5,t:5,t,limit,,,,2,1,1,10,stopped\n"+
		"6,t:6,u,solved,0,,,0,1,0,0,\n"+
		"8,t:8,w,solved,3,abc,,2,1,1,10,\n"+
		"9,t:9,x,solved,3,abc,,2,1,1,10,\n",
		TimingHeader+"1,0,0,2000\n2,0,0,4000\n3,0,0,1000\n6,0,0,7\n")
	got := compare(t, a, b)

	// Time: the differences are 1000, 3000, -1000 and 7; the logarithms of the
	// ratios 1, 2 and -1 times ln 2. Student's t for 95 % is 4.302653 with 2
	// degrees of freedom, 3.182446 with 3 (any table).
	mean, se := 3007./4, math.Sqrt((1e6+9e6+1e6+49-4*(3007./4)*(3007./4))/3)/2
	ln, lnSE := math.Ln2*2/3, math.Ln2*math.Sqrt((6-3*4./9)/2)/math.Sqrt(3)
	want := &Comparison{
		Base: "a", Other: "b", Paired: true,
		Cases:     Pairing{SameBoard: 5, OtherBoard: 1, OnlyBase: 1, OnlyOther: 2, BothSolved: 4, OtherDepth: 1, OtherMoves: 1, FirstOdd: 2},
		Expanded:  CountRatio{Base: 20, Other: 88, Difference: 68, BaseMean: 5, OtherMean: 22, MeanRatio: 4.4, PerCase: 2, Ratios: 3, Less: 1, Same: 1, More: 2},
		Generated: CountRatio{Base: 22, Other: 22, Difference: 0, BaseMean: 5.5, OtherMean: 5.5, MeanRatio: 1, PerCase: 1, Ratios: 3, Same: 4},
		Time: &TimeRatio{
			Base: 4000, Other: 7007, BaseMean: 1000, OtherMean: 7007. / 4, MeanRatio: 7007. / 4000,
			Difference: &Interval{mean, mean - 3.182446*se, mean + 3.182446*se},
			PerCase:    &Interval{math.Exp(ln), math.Exp(ln - 4.302653*lnSE), math.Exp(ln + 4.302653*lnSE)}, Ratios: 3,
		},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(a+b) })
	depths, warnings := got.Depths, got.Warnings
	got.Depths, got.Warnings = nil, nil
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	if len(depths) != 3 || depths[0].Depth != 0 || depths[1].Depth != 2 || depths[2].Depth != 3 {
		t.Fatalf("depths %+v", depths)
	}
	two := CountRatio{Base: 10, Other: 8, Difference: -2, BaseMean: 5, OtherMean: 4, MeanRatio: 0.8, PerCase: 1, Ratios: 2, Less: 1, More: 1}
	if diff := cmp.Diff(two, depths[1].Expanded, near); diff != "" || depths[1].Cases != 2 || depths[1].Time.Other != 6000 {
		t.Errorf("depth 2: -want +got:\n%s", diff)
	}
	if x := depths[2]; x.Cases != 1 || x.Expanded.PerCase < 7.999 || x.Time.PerCase != nil || x.Time.Difference != nil {
		t.Errorf("depth 3: one case has no interval: %+v", x)
	}
	var codes []string
	for _, w := range warnings {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff([]string{"depth", "moves", "partly"}, codes); diff != "" {
		t.Errorf("warnings: -want +got:\n%s", diff)
	}
}

func TestCompareUnpaired(t *testing.T) {
	a := folder("a", CasesHeader+"1,t:1,p,solved,1,a,,1,1,10,4,\n2,t:2,q,solved,1,a,,1,1,20,8,\n",
		TimingHeader+"1,0,0,1000\n2,0,0,3000\n")
	b := folder("b", CasesHeader+"1,t:1,P,solved,1,a,,1,1,3,4,\n2,t:2,Q,solved,1,a,,1,1,6,8,\n3,t:3,R,limit,,,,1,1,6,8,\n",
		TimingHeader+"1,0,0,5000\n2,0,0,7000\n")
	got := compare(t, a, b)
	half := 4.302653 * math.Sqrt2 // both standard errors are 1000, two degrees of freedom
	want := &Comparison{
		Base: "a", Other: "b", Cases: Pairing{OtherBoard: 2, OnlyOther: 1},
		Expanded:  CountRatio{Base: 30, Other: 9, Difference: -21, BaseMean: 15, OtherMean: 4.5, MeanRatio: 0.3},
		Generated: CountRatio{Base: 12, Other: 12, BaseMean: 6, OtherMean: 6, MeanRatio: 1},
		Time: &TimeRatio{Base: 4000, Other: 12000, BaseMean: 2000, OtherMean: 6000, MeanRatio: 3,
			Difference: &Interval{4000, 4000 - 1000*half, 4000 + 1000*half}},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(a+b) })
	if len(got.Warnings) != 1 || got.Warnings[0].Code != "unpaired" {
		t.Errorf("warnings %v", got.Warnings)
	}
	got.Warnings = nil
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	none := compare(t, folder("a", CasesHeader, ""), folder("b", CasesHeader, ""))
	none.Warnings = nil
	if diff := cmp.Diff(&Comparison{Base: "a", Other: "b"}, none); diff != "" {
		t.Errorf("no cases: -want +got:\n%s", diff)
	}
}

// Runs of which each has cases that the other lacks, against a plain look.
func TestCompareMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		runs := [2][]testRow{}
		for i, x := range randomRun(rnd, 500) {
			y := x
			if x.r.Searched {
				y.r.Expanded, y.took = x.r.Expanded/2+rnd.Int64N(x.r.Expanded+1), 1+rnd.Int64N(1000)
			}
			if i%50 == 0 {
				y.c.Text = []byte("another")
			}
			if rnd.IntN(20) > 0 {
				runs[0] = append(runs[0], x)
			}
			if rnd.IntN(20) > 0 {
				runs[1] = append(runs[1], y)
			}
		}
		got := compare(t, runFolder("a", runs[0]), runFolder("b", runs[1]))

		byIndex := map[int64]*testRow{}
		for i := range runs[1] {
			byIndex[runs[1][i].c.Index] = &runs[1][i]
		}
		var want Pairing
		base, other, logs, ratios := int64(0), int64(0), 0., 0.
		var differences []float64
		for i := range runs[0] {
			x := &runs[0][i]
			y := byIndex[x.c.Index]
			delete(byIndex, x.c.Index)
			switch {
			case y == nil:
				want.OnlyBase++
				continue
			case !bytes.Equal(x.c.Text, y.c.Text):
				want.OtherBoard++
				continue
			}
			want.SameBoard++
			if x.r.Status != solver.Solved {
				continue
			}
			want.BothSolved++
			base, other = base+x.r.Expanded, other+y.r.Expanded
			if x.r.Expanded > 0 && y.r.Expanded > 0 {
				logs += math.Log(float64(y.r.Expanded)) - math.Log(float64(x.r.Expanded))
				ratios++
			}
			if x.timed {
				differences = append(differences, float64(y.took-x.took))
			}
		}
		want.OnlyOther = int64(len(byIndex))
		if diff := cmp.Diff(want, got.Cases); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if got.Expanded.Difference != other-base || math.Abs(got.Expanded.PerCase-math.Exp(logs/ratios)) > 1e-9 {
			t.Errorf("expanded: difference %d, per case %v, want %d, %v", got.Expanded.Difference, got.Expanded.PerCase, other-base, math.Exp(logs/ratios))
		}
		mean, sum := 0., 0.
		for _, d := range differences {
			mean += d / float64(len(differences))
		}
		for _, d := range differences {
			sum += (d - mean) * (d - mean)
		}
		n := float64(len(differences))
		half := math.Sqrt(sum / (n - 1) / n) // times t, which is nearly the normal 1.96
		if i := got.Time.Difference; math.Abs(i.Value-mean) > 1e-6*half || (i.High-i.Low)/2/half < 1.96 || (i.High-i.Low)/2/half > 1.97 {
			t.Errorf("time difference %+v, want %v ± %v", *i, mean, 1.96*half)
		}
	}
}

func TestCompareThree(t *testing.T) {
	row := func(n string) string { return CasesHeader + "1,t:1,p,solved,1,a,,1,1," + n + ",4,\n" }
	r := analyze(t, folder("a", row("1"), ""), folder("b", row("2"), ""), folder("c", row("3"), ""))
	for i, c := range r.Comparisons {
		if c.Base != "a" || c.Expanded.Difference != int64(i+1) || c.Time != nil {
			t.Errorf("comparison %d: %+v", i, c)
		}
	}
	if len(r.Comparisons) != 2 {
		t.Errorf("%d comparisons", len(r.Comparisons))
	}
}

func TestCompareTotalTooLarge(t *testing.T) {
	row := CasesHeader + "1,t:1,p,solved,1,a,,1,1,9223372036854775807,4,\n2,t:1,q,limit,,,,1,1,1,4,\n3,t:1,r,solved,1,a,,1,1,1,4,\n"
	for _, text := range []string{row, strings.ReplaceAll(row, "solved,1,a", "limit,,")} {
		if _, err := Analyze([]*Folder{folder("a", text, "")}); err == nil || !strings.Contains(err.Error(), "adding up a: the counts add up to more than 2^63-1") {
			t.Errorf("got error %v", err)
		}
	}
}
