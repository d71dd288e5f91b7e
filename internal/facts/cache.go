package facts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/lint"
)

// Cache reads fixtures, and collects their facts once for each list of fixtures. It is safe for
// concurrent use.
type Cache struct {
	open  func(ctx context.Context, path string) (Fixture, error)
	large *largeFixtures // nil if all fixtures are read on demand

	mu       sync.Mutex
	readings int // how many fixtures have been read so far
	remembered
	before remembered // what the cache that this one renews has read
}

// remembered is what has been read.
type remembered struct {
	facts map[string]*Facts // by the lists of words and the fixtures that they come from
	read  map[string]source // by path
}

func (r remembered) clone() remembered { return remembered{maps.Clone(r.facts), maps.Clone(r.read)} }

// source is a fixture, or why it cannot be read, with the state of its file when it was read.
type source struct {
	Fixture
	err      error
	reading  int   // the value of Cache.readings after it was read, which identifies this content
	size     int64 // -1 if it is not a file or does not exist
	modified time.Time
}

// NewCache returns a cache that reads fixtures with open, one at a time and each path once.
func NewCache(open func(ctx context.Context, path string) (Fixture, error)) *Cache {
	return &Cache{open: open, remembered: remembered{map[string]*Facts{}, map[string]source{}}}
}

// largeFixtures are the fixtures that are read in the background. A cache shares them with the
// caches that renew it.
type largeFixtures struct {
	size int64
	run  func(read func(ctx context.Context))

	mu      sync.Mutex
	reading map[string]bool
	read    map[string]source
}

// ErrReading is the error for a fixture that is still being read in the background.
var ErrReading = errors.New("it is being read")

// ReadInBackground makes the cache read fixtures of at least size bytes in the background: run must
// call its argument on another goroutine. Until that call returns, the error of such a fixture is
// [ErrReading]; after that, the cache and every cache that renews it has the fixture.
// ReadInBackground must be called before the cache is used.
func (c *Cache) ReadInBackground(size int64, run func(read func(ctx context.Context))) {
	c.large = &largeFixtures{size: size, run: run, reading: map[string]bool{}, read: map[string]source{}}
}

// take returns a fixture if it has been read since its file got the size and time of s. Otherwise
// it begins to read the fixture.
func (l *largeFixtures) take(path string, s source, open func(ctx context.Context, path string) (Fixture, error)) source {
	l.mu.Lock()
	defer l.mu.Unlock()
	if have, ok := l.read[path]; ok && have.size == s.size && have.modified.Equal(s.modified) {
		return have
	}
	if !l.reading[path] {
		l.reading[path] = true
		l.run(func(ctx context.Context) {
			s := s
			s.Fixture, s.err = open(ctx, path)
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.reading, path)
			l.read[path] = s
		})
	}
	s.err = ErrReading
	return s
}

// forget drops the fixtures that a cache already has.
func (l *largeFixtures) forget(have map[string]source) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for path := range have {
		delete(l.read, path)
	}
}

// Renew returns a cache that checks every file again. It reuses what c has read if the size and the
// time of the file are unchanged.
func (c *Cache) Renew() *Cache {
	next := NewCache(c.open)
	next.large = c.large
	c.mu.Lock()
	defer c.mu.Unlock()
	next.before, next.readings = c.remembered.clone(), c.readings
	if len(c.read) == 0 {
		next.before = c.before
	}
	c.before = remembered{}
	next.large.forget(next.before.read)
	return next
}

// Of returns the facts from lists of words and from those fixtures that can be read. It returns nil
// if there are neither, and while a fixture is being read in the background. If ctx is done while a
// fixture is being read, the fixture is read again the next time.
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
		s := c.source(ctx, path)
		if errors.Is(s.err, ErrReading) {
			return nil
		}
		if s.err == nil {
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
	if info, err := atomicfile.Stat(sessions.FileOf(path)); err == nil && info.Mode().IsRegular() { // the time of a folder does not change when its files do
		s.size, s.modified = info.Size(), info.ModTime()
	}
	if old, ok := c.before.read[path]; ok && s.size >= 0 && old.err == nil && old.size == s.size && old.modified.Equal(s.modified) {
		s = old
	} else {
		if c.large != nil && s.size >= c.large.size {
			s = c.large.take(path, s, c.open)
		} else {
			s.Fixture, s.err = c.open(ctx, path)
		}
		if errors.Is(s.err, ErrReading) || s.err != nil && ctx.Err() != nil {
			return s
		}
		c.readings++
		s.reading = c.readings
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

// Fixtures returns those fixtures that can be read.
func (c *Cache) Fixtures(ctx context.Context, paths []string) []Fixture {
	var out []Fixture
	for _, path := range paths {
		if x, err := c.Fixture(ctx, path); err == nil {
			out = append(out, x)
		}
	}
	return out
}

// Paths returns the paths of all fixtures that were requested, in no particular order.
func (c *Cache) Paths() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	paths := make([]string, 0, len(c.read))
	for path := range c.read {
		paths = append(paths, path)
	}
	return paths
}
