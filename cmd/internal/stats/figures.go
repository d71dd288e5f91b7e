package stats

import (
	"maps"
	"math"
	"slices"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/internal/prices"
)

// Options configures [Of].
type Options struct {
	NoTokens bool // count nothing, which saves most of the time
	Shares   bool // count all texts of all calls, and fill in Session.Shares
	// Prices and Windows are those of the configuration.
	Prices  prices.Table
	Windows prices.Windows
}

// Cost is what the calls of a session cost, as far as their prices are known.
type Cost struct {
	*Sums               // nil if no price is known
	Label   calls.Label `json:"label"`
	From    []string    `json:"from"`              // where prices are from, sorted
	Unknown []string    `json:"unknown,omitempty"` // models without a known price, sorted; their calls are not in the sums
}

// Sums are sums of costs.
type Sums struct {
	Total      float64 `json:"total"`
	Input      float64 `json:"input"` // of what was neither read from the cache nor written to it
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
	Output     float64 `json:"output"`
	Thoughts   float64 `json:"thoughts,omitempty"` // of Output
	Break      float64 `json:"break"`              // how much more what was sent again costs than reading it from the cache
	Miss       float64 `json:"miss"`               // how much more what was not read costs, though the cache had it
}

// Window describes the call of a session that filled the largest part of the window of its model.
type Window struct {
	Cycle  int64       `json:"cycle"`
	In     int64       `json:"in"`
	Tokens int64       `json:"tokens"` // of the window
	Label  calls.Label `json:"label"`  // of In
}

// figures sums up costs and windows, and collects compactions.
type figures struct {
	cost        Sums
	label       calls.Label // of the cost
	priced      int
	from        map[string]bool
	unknown     map[string]bool
	window      *Window
	compactions calls.Compactions
	shares      []calls.Share
}

func newFigures() figures {
	return figures{label: calls.Exact, from: map[string]bool{}, unknown: map[string]bool{}}
}

// call adds a call or a state.
func (f *figures) call(c *calls.Call, cache *Cache) {
	f.compactions.Add(c)
	if c.Event != nil {
		return
	}
	if w := c.Window; w != nil && c.Tokens.Label != calls.Unknown && (f.window == nil || c.Tokens.In*f.window.Tokens > f.window.In*w.Tokens) {
		f.window = &Window{c.Cycle, c.Tokens.In, w.Tokens, c.Tokens.Label}
	}
	written, again := c.Rewritten()
	cache.Written, cache.Rewritten = cache.Written+written, cache.Rewritten+again
	if m := c.Cache.Miss; m != nil {
		cache.Misses, cache.Missed = cache.Misses+1, cache.Missed+m.Tokens
		if m.Cost != nil {
			f.cost.Miss += *m.Cost
		}
	}
	if k := c.Cache.Cost; k != nil {
		f.priced++
		f.from[k.From] = true
		f.label = calls.Worse(f.label, k.Label)
		f.cost.add(&Sums{
			Total: k.Total, Input: k.Input, CacheRead: k.CacheRead, CacheWrite: k.CacheWrite, Output: k.Output, Thoughts: k.Thoughts, Break: k.Break,
		})
	} else if c.Cache.NoCost != "" {
		f.unknown[c.Model] = true
	}
	f.shares = calls.SumShares(f.shares, c.Tokens.Shares)
}

func (c *Sums) add(x *Sums) {
	for i, p := range c.sums() {
		*p = math.Round((*p+*x.sums()[i])*1e6) / 1e6
	}
}

func (c *Sums) sums() [8]*float64 {
	return [...]*float64{&c.Total, &c.Input, &c.CacheRead, &c.CacheWrite, &c.Output, &c.Thoughts, &c.Break, &c.Miss}
}

// add adds the figures of another session.
func (f *figures) add(x *Session) {
	if x.Cost != nil {
		if x.Cost.Sums != nil {
			f.priced++
			f.label = calls.Worse(f.label, x.Cost.Label)
			f.cost.add(x.Cost.Sums)
		}
		for _, from := range x.Cost.From {
			f.from[from] = true
		}
		for _, model := range x.Cost.Unknown {
			f.unknown[model] = true
		}
	}
	f.shares = calls.SumShares(f.shares, x.Shares)
}

// finish puts the figures into a session.
func (f *figures) finish(s *Session) {
	s.Window, s.Compactions, s.Shares = f.window, f.compactions.List(), f.shares
	if f.priced+len(f.unknown) > 0 {
		c := &Cost{Label: calls.Unknown, From: slices.AppendSeq([]string{}, maps.Keys(f.from)), Unknown: slices.Sorted(maps.Keys(f.unknown))}
		slices.Sort(c.From)
		if f.priced > 0 {
			c.Sums, c.Label = new(f.cost), f.label
		}
		s.Cost = c
	}
}
