package calls

import (
	"math"

	"github.com/pactkit/pactkit/internal/prices"
)

// Cost is what a call costs, in US dollars or the currency of the configuration. It ignores
// discounts, such as those for batches.
type Cost struct {
	Total      float64 `json:"total"`
	Input      float64 `json:"input"` // of what was neither read from the cache nor written to it
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
	Output     float64 `json:"output"`
	Thoughts   float64 `json:"thoughts,omitempty"` // the part of Output that the model thought, as far as the log counts that
	Break      float64 `json:"break"`              // how much more what was sent again costs than reading it from the cache
	Label      Label   `json:"label"`              // an estimate if the log does not say how many tokens were billed
	From       string  `json:"from"`               // configuration, or the table and its date
}

// priceOf returns the price of the model of a call, and where it is from.
func (w *walk) priceOf(c *Call) (p prices.Price, from string, ok bool) {
	if p, ok = w.opts.Prices.Of(c.Model); ok {
		return p, "configuration", true
	}
	p, ok = prices.Known(c.Model).Price(c.Time, c.Tokens.In)
	return p, prices.Source(), ok
}

// price finds what a call costs, or says why that is unknown.
func (w *walk) price(c *Call) {
	if !w.opts.Cache || c.Failed != "" || c.FromCache {
		return
	}
	t := &c.Tokens
	p, from, ok := w.priceOf(c)
	if c.Cache.Cost, c.Cache.NoCost = nil, ""; !ok {
		c.Cache.NoCost = "unknown model"
		return
	} else if t.Label == Unknown {
		c.Cache.NoCost = "unknown tokens"
		return
	}
	cost := &Cost{Label: t.Label, From: from}
	cached, written := c.Cache.Same, valueOf(t.Written)
	if t.Cached != nil {
		cached = *t.Cached
	}
	hour := min(valueOf(t.Written1h), written)
	input, read, write := float64(max(t.In-cached-written, 0))*p.Input, float64(cached)*p.CacheRead, float64(written-hour)*p.CacheWrite+float64(hour)*p.CacheWrite1h
	output := float64(valueOf(t.Out)) * p.Output
	if cost.Label = Worse(t.Label, t.OutLabel); t.Out == nil {
		cost.Label = Worse(t.Label, AtLeast) // without the answer
	}
	cost.Input, cost.CacheRead, cost.CacheWrite, cost.Output = million(input), million(read), million(write), million(output)
	cost.Total, cost.Thoughts = million(input+read+write+output), million(float64(valueOf(t.Thoughts))*p.Output)
	again := p.Input
	if written > 0 {
		again = write / float64(written)
	}
	cost.Break = million(float64(c.Cache.lost()) * (again - p.CacheRead))
	if c.Cache.Miss != nil {
		c.Cache.Miss.Cost = new(million(float64(c.Cache.Miss.Tokens) * (again - p.CacheRead)))
	}
	c.Cache.Cost = cost
}

func valueOf(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// million divides by a million, and rounds to a millionth of the currency.
func million(x float64) float64 { return math.Round(x) / 1e6 }
