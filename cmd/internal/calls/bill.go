package calls

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
)

// bill prices the input of a call, part by part, in the order in which a provider reads it: first
// the tokens that were read from the cache, then those that were written to it, then the rest. With
// a nil bill, all parts cost 0.
type bill struct {
	bands [3]band
	at    int64
}

// band is a part of the input with one price.
type band struct {
	end   int64
	price float64
}

// bill returns the bill of a call, or nil if its price is unknown.
func (w *walk) bill(c *Call) *bill {
	p, _, ok := w.priceOf(c)
	if !ok || c.Event != nil || c.Failed != "" || c.FromCache || c.Tokens.Label == Unknown {
		return nil
	}
	read, written := c.Cache.Same, valueOf(c.Tokens.Written)
	if c.Tokens.Cached != nil {
		read = *c.Tokens.Cached
	}
	write := p.CacheWrite
	if long := min(valueOf(c.Tokens.Written1h), written); written > 0 {
		write = (float64(written-long)*p.CacheWrite + float64(long)*p.CacheWrite1h) / float64(written)
	}
	b := &bill{bands: [3]band{{read, p.CacheRead}, {read + written, write}, {1 << 62, p.Input}}}
	b.stretch(c.Tokens.In, c.Tokens.Counted.In)
	return b
}

// stretch spreads what the provider billed over the tokens of its input as they were counted here,
// if these are more: each band has as large a part of the input, and the same cost.
func (b *bill) stretch(billed, counted int64) {
	if billed <= 0 || counted <= billed {
		return
	}
	from, to := int64(0), int64(0) // the ends of the band before, billed and counted
	for i := range b.bands {
		x := &b.bands[i]
		end, start := min(x.end, billed), to
		to = int64(math.Round(float64(end) / float64(billed) * float64(counted)))
		if to > start {
			x.price *= float64(end-from) / float64(to-start)
		}
		from, x.end = end, to
	}
}

// take returns the cost of the next n tokens, in millionths.
func (b *bill) take(n int64) (cost float64) {
	if b == nil {
		return 0
	}
	for _, x := range b.bands {
		if part := min(n, x.end-b.at); part > 0 {
			cost += float64(part) * x.price
			b.at, n = b.at+part, n-part
		}
	}
	return cost
}

// costOf returns the cost of what blocks are counted in an amount, in millionths.
func (b *bill) costOf(s *amount) float64 {
	if b == nil {
		return 0
	}
	read, written := s.before[0], s.before[1]-s.before[0]
	return float64(read)*b.bands[0].price + float64(written)*b.bands[1].price + float64(s.tokens-s.before[1])*b.bands[2].price
}

// toolShares returns the tools in the settings of a call, with their sizes. It counts them one by
// one, and corrects them by a token or two to add up to the size of the list.
func (w *walk) toolShares(settings []setting) (out []sized) {
	for _, s := range settings {
		if !isTools(s.name) {
			continue
		}
		key := w.counter.Encoding() + s.value
		if _, ok := w.tools[key]; !ok {
			list, left := toolsOf(s.value), w.toolTokens([]setting{s})
			for i := range list {
				list[i].tokens = int64(w.counter.Count(list[i].text))
				left -= list[i].tokens
			}
			slices.SortStableFunc(list, func(a, b sized) int { return cmp.Compare(b.tokens, a.tokens) })
			for i := range list {
				more := left / int64(len(list)-i)
				list[i].tokens, left = list[i].tokens+more, left-more
			}
			w.tools[key] = list
		}
		out = append(out, w.tools[key]...)
	}
	return out
}

// toolsOf returns the tools of a list of tools. For any other value it returns one tool without a
// name.
func toolsOf(value string) (out []sized) {
	var list []json.RawMessage
	if json.Unmarshal([]byte(value), &list) != nil || len(list) == 0 {
		return []sized{{text: value, amount: amount{part: part{what: "tools"}}}}
	}
	for _, text := range list {
		var t struct {
			Name         string `json:"name"`
			Type         string `json:"type"`
			Function     struct{ Name string }
			ToolSpec     struct{ Name string } `json:"toolSpec"`
			Server       string                `json:"server_label"`
			Declarations []json.RawMessage     `json:"functionDeclarations"`
		}
		if json.Unmarshal(text, &t) != nil {
			_ = json.Unmarshal(text, &t.Name) // some logs have only names
		}
		for _, d := range t.Declarations {
			out = append(out, toolsOf("["+string(d)+"]")...)
		}
		if len(t.Declarations) > 0 {
			continue
		}
		one := sized{text: string(text), amount: amount{part: part{what: "tools"}}}
		if one.server, one.tool = Server(cmp.Or(t.Name, t.Function.Name, t.ToolSpec.Name, t.Type, "?")); t.Server != "" {
			one.server = t.Server
		}
		out = append(out, one)
	}
	return out
}
