package cli

import (
	"context"
	"errors"

	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
)

// factsCache knows what the fixtures of configurations know. It is safe for concurrent use.
type factsCache struct{ *facts.Cache }

// newFactsCache reports fixtures that cannot be read, each once.
func newFactsCache(s *session, ctx context.Context) *factsCache {
	return &factsCache{facts.NewCache(ctx, func(path string) (facts.Fixture, error) {
		x := facts.Fixture{Path: s.name(path), Timeline: s.openHistory(ctx, path, &historyFlags{})}
		if x.Timeline == nil {
			return x, errors.New("reported")
		}
		return x, nil
	})}
}

// of returns what is known of the trees of a file with that configuration; nil when nothing is.
func (c *factsCache) of(cfg *config.Config) *facts.Facts { return c.Of(cfg.Fixtures(), cfg.Known()) }
