package tokens

import (
	"hash/maphash"
	"strings"
	"sync"
)

// Cache keeps the counts of texts, so that each is counted once in each vocabulary. The zero value
// is an empty cache. Any number of goroutines may use it.
type Cache struct {
	mu      sync.Mutex
	known   map[cacheKey]int
	limited bool
	left    int // bytes that may still be counted, if limited
	sampled bool
}

// cacheKey has the hash of a text, because the texts themselves may be large.
type cacheKey struct {
	encoding string
	size     int
	hash     uint64
}

var seed = maphash.MakeSeed()

const (
	// A text is estimated from samples.
	samples     = 3
	sampleBytes = 160
)

// NewCache returns a cache that bounds the time for counting. After its counters have counted that
// many bytes of long texts, it estimates further texts from samples. It always counts texts under
// 500 bytes.
func NewCache(bytes int) *Cache { return &Cache{limited: true, left: bytes} }

// Sampled reports whether the cache has estimated a text. It is false for a nil cache.
func (c *Cache) Sampled() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sampled
}

// With returns a counter that keeps its counts in a cache. With nil, it counts each time.
func (c *Counter) With(cache *Cache) *Counter { return &Counter{c.vocabulary, c.exact, cache} }

func (c *Cache) count(by *Counter, text string) int {
	key := cacheKey{by.Encoding(), len(text), maphash.String(seed, text)}
	c.mu.Lock()
	n, ok := c.known[key]
	estimate := false
	if !ok && c.limited && len(text) > samples*sampleBytes {
		if estimate = len(text) > c.left; estimate {
			c.sampled = true
		} else {
			c.left -= len(text)
		}
	}
	c.mu.Unlock()
	if ok {
		return n
	}
	if estimate {
		n = by.sample(text)
	} else {
		n = by.encode(text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[cacheKey]int{}
	}
	c.known[key] = n
	return n
}

// sample estimates the number of tokens of a long text.
func (c *Counter) sample(text string) int {
	n, size := 0, 0
	for i := range samples {
		at := i * (len(text) - sampleBytes) / (samples - 1)
		part := strings.ToValidUTF8(text[at:at+sampleBytes], "")
		n, size = n+c.encode(part), size+len(part)
	}
	if size == 0 {
		return len(text)
	}
	return n * len(text) / size
}
