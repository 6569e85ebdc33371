package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"idabatch/internal/solver"
	"idabatch/internal/solver/registry"
)

type gen struct {
	*env
	puzzle   string
	count    int64
	random   random
	byDepth  byDepth
	perDepth int64 // 0: not given
	output   string
}

func newGen(e *env) *cobra.Command {
	g := &gen{env: e, puzzle: registry.Default.Name}
	c := &cobra.Command{
		Use:   "gen {--count N | --per-depth N}",
		Short: "Write a corpus of random cases in the judge's input format",
		Long: `Write a corpus of random cases in the judge's input format. Case i of a seed is
always the same, whatever the count. Uniform means uniform over all cases that
have a solution; --scramble makes easier ones.

With --depth, --min-depth, --max-depth and --ties the cases are uniform over those
of these depths, the lengths of the shortest solutions. With --per-depth each
depth has as many cases: one of each in turn, from the least to the greatest.`,
		Example: `  batch gen --count 1000000 --seed 7 -o corpus.txt.zst
  batch gen --puzzle eight --count 200 | batch solve
  batch gen --count 100 --depth 12
  batch gen --per-depth 50 --min-depth 4 --ties`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if changed := c.Flags().Changed; !changed("count") && !changed("per-depth") {
				return usagef("--count is missing: how many cases?")
			} else if changed("count") && changed("per-depth") {
				return usagef("--count and --per-depth cannot stand side by side: both tell how many cases")
			}
			return g.run(c)
		},
	}
	puzzleFlag(c, &g.puzzle, "puzzle of the cases: "+registry.Names())
	c.Flags().Var(number[int64]{&g.count, 0}, "count", "number of cases")
	g.define(c)
	c.Flags().StringVarP(&g.output, "output", "o", "", "write to this file, compressed if it ends in .gz or .zst")
	return c
}

// define adds the flags that tell how cases are made.
func (g *gen) define(c *cobra.Command) {
	g.random.define(c)
	g.byDepth.define(c)
	c.Flags().Var(number[int64]{&g.perDepth, 1}, "per-depth", "number of cases of each depth")
	c.Flags().Lookup("per-depth").DefValue = ""
}

// generator returns what appends case i, and sets the count.
func (g *gen) generator(p *solver.Puzzle) (func(dst []byte, i uint64) []byte, error) {
	if g.perDepth == 0 && !g.byDepth.given() {
		return func(dst []byte, i uint64) []byte { return p.Random(dst, g.random.seed, i, g.random.scramble) }, nil
	}
	if g.random.scramble >= 0 {
		return nil, usagef("--scramble makes cases of any depth: it cannot stand beside flags that choose one")
	}
	want, err := g.byDepth.depths(p)
	if err != nil {
		return nil, err
	}
	if g.perDepth == 0 {
		return func(dst []byte, i uint64) []byte { return p.Census.Random(dst, g.random.seed, i, want) }, nil
	}
	depths := each(p, want)
	n := int64(len(depths))
	if g.count = g.perDepth * n; g.count/n != g.perDepth {
		return nil, usagef("--per-depth %d: too many cases", g.perDepth)
	}
	return func(dst []byte, i uint64) []byte {
		return p.Census.Random(dst, g.random.seed, i, depths[(i-1)%uint64(n)])
	}, nil
}

func (g *gen) run(c *cobra.Command) (err error) {
	p := registry.Lookup(g.puzzle)
	generate, err := g.generator(p)
	if err != nil {
		return err
	}
	var w io.WriteCloser = nopCloser{g.stdout}
	if g.output != "" && g.output != "-" {
		file, err := os.Create(g.output)
		if err != nil {
			return err
		}
		defer closing(file, &err)
		w = file
	}
	switch filepath.Ext(g.output) {
	case ".gz":
		w = gzip.NewWriter(w)
	case ".zst":
		if w, err = zstd.NewWriter(w); err != nil {
			return err
		}
	}

	out := bufio.NewWriterSize(w, 1<<16)
	var plain, text []byte
	out.Write(p.AppendHeader(nil, g.count)) // out keeps its first error
	for i := range uint64(g.count) {
		plain = generate(plain[:0], g.random.first+i)
		text = p.AppendCase(text[:0], plain)
		if _, err := out.Write(text); err != nil {
			return err
		}
		if i%1024 == 0 && c.Context().Err() != nil {
			return interrupted(c.Context())
		}
	}
	out.Write(p.AppendFooter(nil))
	if err := out.Flush(); err != nil {
		return err
	}
	return w.Close()
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// closing closes f at the end of a function that returns *err.
func closing(f io.Closer, err *error) {
	if cerr := f.Close(); *err == nil {
		*err = cerr
	}
}
