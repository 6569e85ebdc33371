//go:build browser

package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"idabatch/internal/solver/registry"
)

var shots = flag.String("shots", "", "write pictures of the pages to this folder, which exists")

// browser starts a headless Chromium, or skips the test where there is none.
// What a page does that it should not is an error of the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium in the PATH: the page is not tried in a browser")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("exception: %+v", e.ExceptionDetails)
		case *runtime.EventConsoleAPICalled:
			t.Errorf("console: %s %v", e.Type, e.Args)
		case *log.EventEntryAdded:
			t.Errorf("log: %+v", e.Entry)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "file://") || !strings.HasSuffix(e.Request.URL, ".html") {
				t.Errorf("request for %s", e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	act(t, ctx, call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), call(runtime.Enable, cdp.Empty{}))
	return ctx
}

// call is a command of the protocol as an action.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// act runs actions in the browser.
func act(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// look evaluates an expression on the page.
func look[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%v, evaluating %s", err, expression)
	}
	return v
}

// tableOf is the text of a table, row by row.
func tableOf(t *testing.T, ctx context.Context, id string) [][]string {
	t.Helper()
	return look[[][]string](t, ctx, fmt.Sprintf(
		`[...document.querySelectorAll("#%s tr")].map(r => [...r.cells].map(c => c.textContent))`, id))
}

// visit opens a file in the browser, and takes its pictures.
func visit(t *testing.T, ctx context.Context, page string) {
	t.Helper()
	act(t, ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate((&url.URL{Scheme: "file", Path: page}).String()))
	scheme := func(name string) chromedp.Action[chromedp.Void] {
		return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	}
	dark := map[string]string{}
	for _, color := range []string{"dark", "light"} {
		for _, width := range []int64{390, 1200} {
			act(t, ctx, scheme(color), chromedp.EmulateViewport(width, 900))
			// A frame later the charts have their new size.
			look[float64](t, ctx, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
			if got := look[int64](t, ctx, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s: the page is %d pixels wide on a screen of %d", page, got, width)
			}
			if got := look[string](t, ctx, `[...document.querySelectorAll("figure")].filter(f => !(f.querySelector("canvas")?.clientWidth <= f.clientWidth)).map(f => f.id).join()`); got != "" {
				t.Errorf("%s, %d pixels: charts that do not fit their frames: %s", page, width, got)
			}
			if *shots != "" {
				picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%s-%s-%d.png", strings.TrimSuffix(filepath.Base(page), ".html"), color, width)
				if err := os.WriteFile(filepath.Join(*shots, name), picture, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		dark[color] = look[string](t, ctx, `getComputedStyle(document.body).backgroundColor`)
	}
	if dark["dark"] == dark["light"] {
		t.Errorf("%s: dark and light are the same: %v", page, dark)
	}
}

// readColumns reads a CSV file of a run by column name.
func readColumns(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		list = append(list, m)
	}
	return list
}

func TestPageInBrowser(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	out, page := filepath.Join(dir, "run"), filepath.Join(dir, "report.html")
	batch(t, "", statusOK, "solve", "-q", "--random", "500", "--out", out)
	batch(t, "", statusOK, "report", out, "--html", page)
	visit(t, ctx, page)

	// What the tables must say, from the rows themselves.
	byDepth := map[int][]int{}
	hardest := map[string]string{"expanded": "-1"}
	for _, row := range readColumns(t, filepath.Join(out, "cases.csv")) {
		depth, _ := strconv.Atoi(row["depth"])
		expanded, _ := strconv.Atoi(row["expanded"])
		byDepth[depth] = append(byDepth[depth], expanded)
		if most, _ := strconv.Atoi(hardest["expanded"]); expanded > most {
			hardest = row
		}
	}
	number := func(s string) string { return strings.ReplaceAll(s, ",", "") }
	cases := tableOf(t, ctx, "tables-0-depths")[1:]
	expanded := tableOf(t, ctx, "tables-0-expanded")[2:] // the first is of all depths
	if len(cases) != len(byDepth) || len(expanded) != len(byDepth) {
		t.Fatalf("tables of %d and %d depths, want %d", len(cases), len(expanded), len(byDepth))
	}
	for i, row := range expanded {
		depth, _ := strconv.Atoi(row[0])
		values := byDepth[depth]
		slices.Sort(values)
		quantile := func(percent int) string { return strconv.Itoa(values[(percent*len(values)+99)/100-1]) }
		want := []string{row[0], strconv.Itoa(values[0]), quantile(50), quantile(90), quantile(99), strconv.Itoa(values[len(values)-1])}
		got := []string{row[0], number(row[3]), number(row[4]), number(row[5]), number(row[6]), number(row[7])}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("expanded at depth %d: -want +got:\n%s", depth, diff)
		}
		if cases[i][0] != row[0] || number(cases[i][1]) != strconv.Itoa(len(values)) {
			t.Errorf("cases at depth %d: got %v, want %d", depth, cases[i], len(values))
		}
	}
	first := tableOf(t, ctx, "tables-0-hardest")[1]
	if want := []string{hardest["case"], hardest["depth"], hardest["expanded"]}; !cmp.Equal(want, []string{number(first[0]), first[1], number(first[2])}) {
		t.Errorf("hardest: got %v, want %v", first, want)
	}

	// Every chart is drawn, and tells what is under the pointer.
	const charts = 6
	if got := look[int](t, ctx, `document.querySelectorAll("figure canvas").length`); got != charts {
		t.Errorf("%d charts, want %d", got, charts)
	}
	for i, want := range []string{"depth, moves", "median", "these cases", "", "worker", "cases/s"} {
		tip := look[string](t, ctx, fmt.Sprintf(`(() => {
			const over = document.querySelectorAll("figure .u-over")[%d], box = over.getBoundingClientRect();
			const points = over.closest("figure").id === "chart-time";
			for (let k = 1; k < 40; k++) {  // along a diagonal, until something is near
				const at = {bubbles: true, clientX: box.left + box.width * k / 40, clientY: box.bottom - box.height * k / 40};
				if (k === 1) over.dispatchEvent(new MouseEvent("mouseenter", at));
				over.dispatchEvent(new MouseEvent("mousemove", at));
				const tip = over.querySelector(".tip");
				if (!tip.hidden && (!points || k > 10)) return tip.textContent;
			}
			return "none";
		})()`, i))
		if tip == "none" || !strings.Contains(tip, want) {
			t.Errorf("chart %d: the tooltip is %q, want one with %q", i, tip, want)
		}
	}

	// The player of the hardest board makes its moves and ends solved.
	rotation := registry.Lookup("rotation")
	board := func() string { return look[string](t, ctx, `document.querySelector(".board").dataset.board`) }
	shown := func() string {
		return look[string](t, ctx, `[...document.querySelectorAll(".board:first-child .cell text")].map(e => e.textContent).join("")`)
	}
	if board() != hardest["board"] || shown() != hardest["board"] {
		t.Errorf("the player begins with %s and shows %s, want %s", board(), shown(), hardest["board"])
	}
	moves := hardest["moves"]
	for i := range moves {
		if _, err := rotation.Replay([]byte(board()), []byte(moves[i:])); err != nil {
			t.Errorf("after %d moves: %v", i, err)
		}
		act(t, ctx, chromedp.Click(".board .next"))
	}
	solved := board()
	if symbol, err := rotation.Replay([]byte(solved), nil); err != nil || string(symbol) != hardest["symbol"] || shown() != solved {
		t.Errorf("at the end: symbol %q, %v, shown %s", symbol, err, shown())
	}
	if !look[bool](t, ctx, `document.querySelector(".board svg.solved") !== null && document.querySelector(".board .next").disabled`) {
		t.Error("the end is not marked")
	}
	act(t, ctx, chromedp.Click(".board .first"))
	if board() != hardest["board"] {
		t.Error("the way back does not lead to the start")
	}
	act(t, ctx, chromedp.Click(".board .end"))
	if board() != solved {
		t.Error("the end is another one")
	}
	act(t, ctx, chromedp.Click(".board .first"), chromedp.Click(".board .play"),
		chromedp.WaitVisible(".board:first-child svg.solved"))
	if board() != solved {
		t.Error("played, it ends elsewhere")
	}
}

// Other pages must open without errors too.
func TestOtherPagesInBrowser(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	batch(t, "", statusOK, "solve", "-q", "--random", "300", "--out", in("canonical"))
	batch(t, "", statusOK, "solve", "-q", "--random", "300", "--out", in("inverse"), "--prune", "inverse", "-j", "8")
	batch(t, "", statusFault, "solve", "-q", "--puzzle", "eight", "--random", "300", "--scramble", "40", "--max-nodes", "500", "--out", in("eight"))
	batch(t, "", statusOK, "solve", "-q", "--random", "0", "--out", in("none"))
	for page, runs := range map[string][]string{
		"pair.html":  {"canonical", "inverse"},
		"eight.html": {"eight"},
		"mixed.html": {"eight", "canonical", "none"},
		"bare.html":  {"eight/cases.csv"},
		"none.html":  {"none"},
	} {
		args := []string{"report", "--html", in(page)}
		for _, name := range runs {
			args = append(args, in(name))
		}
		batch(t, "", statusOK, args...)
		visit(t, ctx, in(page))
	}
	batch(t, "", statusOK, "report", in("canonical"), in("inverse"), "--html", in("pair.html"))
	visit(t, ctx, in("pair.html"))
	base, other := 0, 0
	for i, row := range readColumns(t, in("canonical/cases.csv")) {
		a, _ := strconv.Atoi(row["expanded"])
		b, _ := strconv.Atoi(readColumns(t, in("inverse/cases.csv"))[i]["expanded"])
		base, other = base+a, other+b
	}
	row := tableOf(t, ctx, "comparison-1-compare-B")[3]
	if want := []string{"expanded, total", strconv.Itoa(base), strconv.Itoa(other), "+" + strconv.Itoa(other-base)}; !cmp.Equal(want,
		[]string{row[0], strings.ReplaceAll(row[1], ",", ""), strings.ReplaceAll(row[2], ",", ""), strings.ReplaceAll(row[4], ",", "")}) {
		t.Errorf("got %v, want %v", row, want)
	}
}
