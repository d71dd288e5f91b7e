package cli

import (
	"context"
	"fmt"
	"sync"

	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
)

// factsCache reads the fixtures of configurations, each list of them once. It is safe for concurrent use.
type factsCache struct {
	*session
	ctx context.Context

	mu    sync.Mutex
	facts map[string]*facts.Facts
	read  map[string]facts.Fixture // by path
}

func newFactsCache(s *session, ctx context.Context) *factsCache {
	return &factsCache{session: s, ctx: ctx, facts: map[string]*facts.Facts{}, read: map[string]facts.Fixture{}}
}

// of returns what is known of the trees of a file with that configuration; nil when nothing is. A fixture that
// cannot be read is reported once.
func (c *factsCache) of(cfg *config.Config) *facts.Facts {
	paths, known := cfg.Fixtures(), cfg.Known()
	words := 0
	for _, list := range known {
		words += len(list)
	}
	if len(paths) == 0 && words == 0 {
		return nil
	}
	id := fmt.Sprintf("%q %q", paths, known) // fmt sorts maps
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.facts[id]; ok {
		return f
	}
	var fixtures []facts.Fixture
	for _, path := range paths {
		x, ok := c.read[path]
		if !ok {
			x = facts.Fixture{Path: c.name(path), Timeline: c.openHistory(c.ctx, path, &historyFlags{})}
			c.read[path] = x
		}
		if x.Timeline != nil {
			fixtures = append(fixtures, x)
		}
	}
	f := facts.New(c.ctx, fixtures, known)
	c.facts[id] = f
	return f
}
