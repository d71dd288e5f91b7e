package cli

import (
	"context"
	"errors"

	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/store"
)

// factsCache caches the facts of the fixtures of configurations. It is safe for concurrent use.
type factsCache struct{ *facts.Cache }

// newFactsCache returns a cache that reports each fixture that cannot be read, once.
func newFactsCache(s *session) *factsCache {
	return &factsCache{facts.NewCache(func(ctx context.Context, path string) (facts.Fixture, error) {
		x := facts.Fixture{Path: store.Redacted(s.name(path)), Timeline: s.openHistory(ctx, path, &historyFlags{})}
		if x.Timeline == nil {
			return x, errors.New("reported")
		}
		return x, nil
	})}
}

// of returns the facts for a configuration, or nil if it has neither fixtures nor words.
func (c *factsCache) of(ctx context.Context, cfg *config.Config) *facts.Facts {
	return c.Of(ctx, cfg.Fixtures(), cfg.Known())
}
