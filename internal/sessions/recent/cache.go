package recent

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
)

// cache remembers the heads of files and the totals of sessions until the files change. head and
// keepHead may be called concurrently.
type cache struct {
	path  string
	mu    sync.Mutex
	kept  kept
	isNew bool // whether kept has more than the file
}

// kept is the content of the cache's file. It can be deleted at any time.
type kept struct {
	Version string                `json:"version"`
	Heads   map[string]keptHead   `json:"files"`
	Totals  map[string]keptTotals `json:"sessions"`
}

// keptHead is the head of a file of this size and time.
type keptHead struct {
	Size int64 `json:"size"`
	Time int64 `json:"time"`
	head
}

// keptTotals are the totals of a session.
type keptTotals struct {
	Of string `json:"of"` // the stamp of the session
	Totals
}

// mostCache is the size of the largest cache that is read.
const mostCache = 64 << 20

// format is a part of the cache's version. Change it with the meaning of the fields.
const format = "4 "

func openCache(o Options) *cache {
	folder := o.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(o.Home, ".cache")
	}
	c := &cache{path: filepath.Join(folder, "pactkit", "sessions.json")}
	if text, err := atomicfile.Read(c.path, mostCache); err == nil {
		_ = json.Unmarshal(text, &c.kept) // a damaged cache is an empty one
	}
	if k := &c.kept; k.Version != format+o.Version || k.Heads == nil || k.Totals == nil {
		c.kept = kept{Version: format + o.Version, Heads: map[string]keptHead{}, Totals: map[string]keptTotals{}}
	}
	return c
}

// head returns the head of a file, or nil if the cache does not have it in its present state.
func (c *cache) head(f *file) *head {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept.Heads[f.path]
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
	c.kept.Heads[f.path], c.isNew = keptHead{f.size, f.mtime.UnixNano(), *f.head}, true
}

// stamp distinguishes the states of a session's files.
func (s Session) stamp() string {
	return fmt.Sprintf("%d %d %s", len(s.Files), s.Size, s.Time.Format(time.RFC3339Nano))
}

// totals returns the totals of a session, or nil if the cache does not have those of its present
// state.
func (c *cache) totals(s Session) *Totals {
	if k, ok := c.kept.Totals[s.File]; ok && k.Of == s.stamp() {
		return &k.Totals
	}
	return nil
}

func (c *cache) keep(s Session, t *Totals) {
	if c.totals(s) == nil {
		c.kept.Totals[s.File], c.isNew = keptTotals{s.stamp(), *t}, true
	}
}

// close writes the cache if it has anything new. It forgets files that no longer exist.
func (c *cache) close() {
	if !c.isNew {
		return
	}
	maps.DeleteFunc(c.kept.Heads, func(path string, _ keptHead) bool { return !exists(path) })
	maps.DeleteFunc(c.kept.Totals, func(path string, _ keptTotals) bool { return !exists(path) })
	text, err := json.Marshal(c.kept)
	if err == nil && atomicfile.MakeFolder(filepath.Dir(c.path)) == nil {
		_ = atomicfile.Write(c.path, text) // without a cache, everything is read again
	}
}

func exists(path string) bool {
	_, err := atomicfile.Lstat(sessions.FileOf(path))
	return err == nil
}
