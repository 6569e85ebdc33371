package pipeline

import (
	"context"

	"golang.org/x/sync/errgroup"

	"idabatch/internal/solver"
)

// Census counts all states of a puzzle, some shards at a time. Done is called
// with the number of cases in each shard that is finished, by any worker.
func Census(ctx context.Context, c *solver.Census, jobs int, done func(cases int64)) (solver.Tally, error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	parts := make([]solver.Tally, c.Shards)
	for shard := range parts {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := c.Count(shard)
			parts[shard] = part
			done(part.Cases(solver.Depths{Max: part.Greatest()}))
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	sum := c.Known.Empty()
	for _, part := range parts {
		sum.Add(part)
	}
	return sum, nil
}
