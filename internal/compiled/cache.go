package compiled

import (
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Sizes of the caches. Programs have tens of selectors; a program that generates selectors must not
// fill the memory.
const (
	cacheEntries  = 512
	cacheText     = 4096    // bytes of the longest text that is kept
	cachePatterns = 1 << 13 // instructions of the patterns of a plan that is kept
)

// source is a text and everything that affects its meaning.
type source struct {
	text     string
	edition  ast.Edition
	mutation bool
}

// cache keeps the results for the texts used most recently, for any number of goroutines. Most
// lookups do not allocate.
type cache[V any] struct {
	mu     sync.RWMutex
	recent map[source]V // full when it has cacheEntries/2
	older  map[source]V // what recent was when it was full; an entry that is used moves back
}

// get returns the result for a source, or makes it. Results with errors, and those that take much
// memory, are not cached.
func (c *cache[V]) get(src source, create func(source) (v V, heavy bool, wrong []diag.Diagnostic)) (V, []diag.Diagnostic) {
	c.mu.RLock()
	v, ok := c.recent[src]
	old, isOld := c.older[src]
	c.mu.RUnlock()
	switch {
	case ok:
		return v, nil
	case len(src.text) > cacheText:
		v, _, wrong := create(src)
		return v, wrong
	}
	src.text = strings.Clone(src.text) // it may be a part of something large
	if isOld {
		c.put(src, old)
		return old, nil
	}
	v, heavy, wrong := create(src)
	if !heavy && wrong == nil {
		c.put(src, v)
	}
	return v, wrong
}

func (c *cache[V]) put(src source, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recent == nil || len(c.recent) >= cacheEntries/2 {
		c.recent, c.older = make(map[source]V, cacheEntries/2), c.recent
	}
	c.recent[src] = v
}
