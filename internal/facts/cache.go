package facts

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/pactkit/pactkit/lint"
)

// Cache reads the fixtures of configurations, and collects what they know, each list of them once. It is safe for
// concurrent use.
type Cache struct {
	open func(ctx context.Context, path string) (Fixture, error)

	mu       sync.Mutex
	readings int // so far
	remembered
	before remembered // of the cache that this one renews
}

// remembered is what was read.
type remembered struct {
	facts map[string]*Facts // by the words and the fixtures they come from
	read  map[string]source // by path
}

func (r remembered) clone() remembered { return remembered{maps.Clone(r.facts), maps.Clone(r.read)} }

// source is a fixture, or why it cannot be read, with the state of its file at the time.
type source struct {
	Fixture
	err      error
	reading  int   // which one of the cache, and of those it renews, gave this
	size     int64 // -1 when it was not there
	modified time.Time
}

// NewCache returns a cache that reads fixtures with open, one at a time and each path once.
func NewCache(open func(ctx context.Context, path string) (Fixture, error)) *Cache {
	return &Cache{open: open, remembered: remembered{map[string]*Facts{}, map[string]source{}}}
}

// Renew returns a cache that looks at every file again. What it reads of a file with the same size and time is what c
// had read of it.
func (c *Cache) Renew() *Cache {
	next := NewCache(c.open)
	c.mu.Lock()
	defer c.mu.Unlock()
	next.before, next.readings = c.remembered.clone(), c.readings
	if len(c.read) == 0 {
		next.before = c.before
	}
	c.before = remembered{}
	return next
}

// Of returns what is known of trees by fixtures, as far as they can be read, and by lists of words; nil when there are
// neither. A fixture whose reading ctx ends is read again the next time.
func (c *Cache) Of(ctx context.Context, paths []string, lists map[lint.WordKind][]string) *Facts {
	words := 0
	for _, list := range lists {
		words += len(list)
	}
	if len(paths) == 0 && words == 0 {
		return nil
	}
	var id strings.Builder
	fmt.Fprintf(&id, "%q", lists) // fmt sorts maps
	c.mu.Lock()
	defer c.mu.Unlock()
	var fixtures []Fixture
	for _, path := range paths {
		if s := c.source(ctx, path); s.err == nil {
			fixtures = append(fixtures, s.Fixture)
			fmt.Fprintf(&id, " %q %d", path, s.reading)
		}
	}
	if f, ok := c.facts[id.String()]; ok {
		return f
	}
	f, ok := c.before.facts[id.String()]
	if !ok {
		f = New(fixtures, lists)
	}
	c.facts[id.String()] = f
	return f
}

// source reads a fixture. The caller holds the lock.
func (c *Cache) source(ctx context.Context, path string) source {
	if s, ok := c.read[path]; ok {
		return s
	}
	s := source{size: -1}
	if info, err := os.Stat(path); err == nil {
		s.size, s.modified = info.Size(), info.ModTime()
	}
	if old, ok := c.before.read[path]; ok && s.size >= 0 && old.err == nil && old.size == s.size && old.modified.Equal(s.modified) {
		s = old
	} else {
		c.readings++
		s.reading = c.readings
		s.Fixture, s.err = c.open(ctx, path)
		if s.err != nil && ctx.Err() != nil {
			return s
		}
	}
	c.read[path] = s
	return s
}

// Fixture returns the fixture at a path, or why it cannot be read.
func (c *Cache) Fixture(ctx context.Context, path string) (Fixture, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.source(ctx, path)
	return s.Fixture, s.err
}

// Fixtures returns those that can be read.
func (c *Cache) Fixtures(ctx context.Context, paths []string) []Fixture {
	var out []Fixture
	for _, path := range paths {
		if x, err := c.Fixture(ctx, path); err == nil {
			out = append(out, x)
		}
	}
	return out
}

// Paths lists the fixtures that were asked for, in no order.
func (c *Cache) Paths() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	paths := make([]string, 0, len(c.read))
	for path := range c.read {
		paths = append(paths, path)
	}
	return paths
}
