package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"idabatch/internal/solver/registry"
)

type gen struct {
	*env
	puzzle string
	count  int64
	random random
	output string
}

func newGen(e *env) *cobra.Command {
	g := &gen{env: e, puzzle: registry.Default.Name}
	c := &cobra.Command{
		Use:   "gen --count N",
		Short: "Write a corpus of random cases in the judge's input format",
		Long: `Write a corpus of random cases in the judge's input format. Case i of a seed is
always the same, whatever the count. Uniform means uniform over all cases that
have a solution; --scramble makes easier ones.`,
		Example: `  batch gen --count 1000000 --seed 7 -o corpus.txt.zst
  batch gen --puzzle eight --count 200 | batch solve`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("count") {
				return usagef("--count is missing: how many cases?")
			}
			return g.run(c)
		},
	}
	puzzleFlag(c, &g.puzzle, "puzzle of the cases: "+registry.Names())
	c.Flags().Var(number[int64]{&g.count, 0}, "count", "number of cases")
	g.random.define(c)
	c.Flags().StringVarP(&g.output, "output", "o", "", "write to this file, compressed if it ends in .gz or .zst")
	return c
}

func (g *gen) run(c *cobra.Command) (err error) {
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

	p := registry.Lookup(g.puzzle)
	out := bufio.NewWriterSize(w, 1<<16)
	var plain, text []byte
	out.Write(p.AppendHeader(nil, g.count)) // out keeps its first error
	for i := range uint64(g.count) {
		plain = p.Random(plain[:0], g.random.seed, g.random.first+i, g.random.scramble)
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
