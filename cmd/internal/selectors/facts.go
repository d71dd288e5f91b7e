package selectors

import (
	"context"
	"errors"
	"iter"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/store"
)

// lintAll lints targets in parallel and yields the results in order.
func (v *lintVerb) lintAll(ctx context.Context, targets []verb.Target) iter.Seq[linted] {
	v.readFacts(ctx, targets...)
	return verb.InOrder(ctx, targets, v.lintFile)
}

// readFacts reads the facts for the configurations of targets; those of a configuration with
// neither fixtures nor words are nil. It reports each fixture that cannot be read, once, so it must
// be called before the goroutines that lint.
func (v *lintVerb) readFacts(ctx context.Context, targets ...verb.Target) {
	cache := fixtures.NewCache(func(ctx context.Context, path string) (fixtures.Fixture, error) {
		x := fixtures.Fixture{Path: store.Redacted(v.Name(path)), Timeline: open.History(ctx, v.Run, path, &open.HistoryFlags{})}
		if x.Timeline == nil {
			return x, errors.New("reported")
		}
		return x, nil
	})
	v.facts = map[*config.Config]*fixtures.Facts{}
	for _, t := range targets {
		if _, ok := v.facts[t.Config]; !ok {
			v.facts[t.Config] = cache.Of(ctx, t.Config.Fixtures(), t.Config.Known())
		}
	}
}
