package recent

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
)

// cache is what is known of files that did not change since. It is safe for concurrent use.
type cache struct {
	path  string
	mu    sync.Mutex
	was   kept
	now   kept
	isNew bool // now has what was does not have
}

// kept is the content of the file of a cache. Whoever deletes it loses only time.
type kept struct {
	Version string                `json:"version"`
	Heads   map[string]keptHead   `json:"files"`
	Totals  map[string]keptTotals `json:"sessions"`
}

// keptHead is what the beginning and the end of a file told, when it had this size and time.
type keptHead struct {
	Size int64 `json:"size"`
	Time int64 `json:"time"`
	head
}

// keptTotals are the totals of a session with these files.
type keptTotals struct {
	Of string `json:"of"`
	Totals
}

// mostCache is the size of the largest cache that is read.
const mostCache = 64 << 20

// format changes when the meaning of the cache does.
const format = "4 "

func openCache(o Options) *cache {
	folder := o.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(o.Home, ".cache")
	}
	c := &cache{path: filepath.Join(folder, "pactkit", "sessions.json")}
	if text, err := atomicfile.Read(c.path, mostCache); err == nil {
		_ = json.Unmarshal(text, &c.was) // a damaged cache is an empty one
	}
	if c.was.Version != format+o.Version {
		c.was = kept{}
	}
	c.now = kept{Version: format + o.Version, Heads: map[string]keptHead{}, Totals: map[string]keptTotals{}}
	return c
}

// head returns what is known of a file, or nil.
func (c *cache) head(f *file) *head {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.was.Heads[f.path]
	if !ok || k.Size != f.size || k.Time != f.mtime.UnixNano() {
		return nil
	}
	return &k.head
}

func (c *cache) keepHead(f *file) {
	if f.head == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now.Heads[f.path], c.isNew = keptHead{f.size, f.mtime.UnixNano(), *f.head}, true
}

// stamp distinguishes the states of a session.
func (s Session) stamp() string {
	return fmt.Sprintf("%d %d %s", len(s.Files), s.Size, s.Time.Format(time.RFC3339Nano))
}

func (c *cache) totals(s Session) *Totals {
	if k, ok := c.was.Totals[s.File]; ok && k.Of == s.stamp() {
		return &k.Totals
	}
	return nil
}

func (c *cache) keep(s Session, t *Totals) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now.Totals[s.File], c.isNew = keptTotals{s.stamp(), *t}, true
}

// close writes the cache, if there is anything new. What it knows of files that no longer exist is
// left out.
func (c *cache) close() {
	if !c.isNew {
		return
	}
	for path, k := range c.was.Heads {
		if _, ok := c.now.Heads[path]; !ok && exists(path) {
			c.now.Heads[path] = k
		}
	}
	for path, k := range c.was.Totals {
		if _, ok := c.now.Totals[path]; !ok && exists(path) {
			c.now.Totals[path] = k
		}
	}
	text, err := json.Marshal(c.now)
	if err == nil && atomicfile.MakeFolder(filepath.Dir(c.path)) == nil {
		_ = atomicfile.Write(c.path, text) // without a cache, everything is read again
	}
}

func exists(path string) bool {
	_, err := atomicfile.Lstat(sessions.FileOf(path))
	return err == nil
}
