package prepare

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Sizes of the caches. Programs have tens of selectors; a program that generates selectors must not
// fill the memory.
const (
	cacheEntries = 512
	cacheText    = 4096 // bytes of the longest text that is kept
)

// source is a text and everything that affects its meaning.
type source struct {
	text     string
	edition  ast.Edition
	mutation bool
}

// cache keeps the results for the texts used last, for any number of goroutines. A lookup does not
// allocate.
type cache[V any] struct {
	mu      sync.RWMutex
	entries map[source]*cached[V]
	clock   []*cached[V] // every entry, in a ring
	hand    int          // the entry to go next, unless it was used
}

type cached[V any] struct {
	source source
	value  V
	used   atomic.Bool // since the hand was here
}

// get returns the result for a source, or makes it. Results with errors are not cached.
func (c *cache[V]) get(src source, create func(source) (V, []diag.Diagnostic)) (V, []diag.Diagnostic) {
	c.mu.RLock()
	e, ok := c.entries[src]
	c.mu.RUnlock()
	if ok {
		if !e.used.Load() {
			e.used.Store(true)
		}
		return e.value, nil
	}
	if len(src.text) > cacheText {
		return create(src)
	}
	src.text = strings.Clone(src.text) // it may be a part of something large
	v, wrong := create(src)
	if wrong == nil {
		c.put(&cached[V]{source: src, value: v})
	}
	return v, wrong
}

func (c *cache[V]) put(e *cached[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[e.source]; ok {
		return
	}
	if c.entries == nil {
		c.entries = make(map[source]*cached[V])
	}
	c.entries[e.source] = e
	if len(c.clock) < cacheEntries {
		c.clock = append(c.clock, e)
		return
	}
	for c.clock[c.hand].used.Swap(false) {
		c.hand = (c.hand + 1) % len(c.clock)
	}
	delete(c.entries, c.clock[c.hand].source)
	c.clock[c.hand] = e
	c.hand = (c.hand + 1) % len(c.clock)
}
