package calls

import (
	"cmp"
	"slices"
	"time"
)

// Miss counts the tokens of a call that the provider's cache held, judging by the previous calls,
// and that were not read from it. The requests do not explain a miss: if they differ, the call has
// a [Break] instead.
type Miss struct {
	Tokens int64 `json:"tokens"`
	// Why is idle if more time passed since the previous call than the cache keeps what was written
	// to it, model if the previous call was of another model, else unknown.
	Why      string   `json:"why"`
	Idle     int64    `json:"idle,omitempty"`     // seconds since the previous call; 0 if unknown
	Lifetime int64    `json:"lifetime,omitempty"` // seconds for which the cache keeps it, at least
	Cost     *float64 `json:"cost,omitempty"`     // how much more than reading it
}

// lost returns how many of the tokens that were sent again were not read from the cache. A provider
// may read more than the prefix that the previous call and this one share.
func (k *Cache) lost() int64 {
	if k.Broken == nil {
		return 0
	}
	if k.Read == nil {
		return k.Broken.Resent
	}
	return max(k.Broken.Resent-max(*k.Read-k.Same, 0), 0)
}

// held is what the provider's cache holds of a conversation after a call.
type held struct {
	tokens   int64 // of its beginning
	model    string
	at       time.Time // of the latest call that used it
	lifetime int64     // in seconds
}

// The lifetimes of the caches of providers, in seconds: five minutes unless the log counts only
// tokens that were written for an hour.
const (
	minutes = 5 * 60
	hour    = 60 * 60
)

// least is the number of tokens from which providers that do not count writes cache a request.
const least = 1024

// miss compares what was read from the cache with what it held after the previous call.
func (w *walk) miss(c *Call) {
	t := &c.Tokens
	if t.Label != Exact || t.Cached == nil || c.Failed != "" || c.FromCache || len(t.Iterations) > 0 {
		return
	}
	at, _ := time.Parse(time.RFC3339Nano, c.Time)
	h, read := &w.held, *t.Cached
	had, close := min(h.tokens, t.In), max(128, h.tokens/100)
	if !w.writes { // the provider drops what it thought, and caches in steps
		close = max(least, h.tokens/10)
	}
	if c.Side == nil && c.Cache.Broken == nil && t.Fewer == 0 && had-read > close {
		m := &Miss{Tokens: had - read, Why: unknown, Lifetime: h.lifetime}
		if !at.IsZero() && !h.at.IsZero() {
			m.Idle = max(int64(at.Sub(h.at)/time.Second), 0)
		}
		switch {
		case h.model != c.Model && h.model != "" && c.Model != "":
			m.Why = "model"
		case m.Idle > h.lifetime:
			m.Why = "idle"
		}
		c.Cache.Miss = m
	}
	if h.model == c.Model && at.After(h.at) {
		h.at = at
	}
	if c.Side != nil {
		return
	}
	written := valueOf(t.Written)
	w.writes = w.writes || written > 0
	switch {
	case w.writes:
		h.tokens = read + written
	case read > 0 || h.tokens > 0:
		h.tokens = t.In // of a provider that caches what it is sent
	}
	if h.tokens < least && !w.writes {
		h.tokens = 0
	}
	if long := valueOf(t.Written1h); written > 0 && long == written {
		h.lifetime = hour
	} else if written > 0 || h.lifetime == 0 {
		h.lifetime = minutes
	}
	h.at, h.model = at, cmp.Or(c.Model, h.model)
}

// Rewritten returns how many tokens a call wrote to the provider's cache, and how many of these had
// been written before.
func (c *Call) Rewritten() (written, again int64) {
	again = c.Cache.lost()
	if c.Cache.Miss != nil {
		again += c.Cache.Miss.Tokens
	}
	written = valueOf(c.Tokens.Written)
	return written, min(again, written)
}

// isAfterMarkers reports whether a block of the previous call, and all that follow it, come after
// the last marker of that call. The provider caches nothing there.
func (w *walk) isAfterMarkers(e *edit) bool {
	if !w.before.Recorded || slices.ContainsFunc(w.settings, func(s setting) bool { return s.name == "cache_control" }) {
		return false
	}
	isMarked := func(x *entry) bool { return x.isMarked }
	return !slices.ContainsFunc(e.old[e.same-e.first:], isMarked) && slices.ContainsFunc(w.order.list[:e.same], isMarked)
}
