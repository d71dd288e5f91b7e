package look

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// cacheColumns are the columns of the table of --cache.
var cacheColumns = []verb.Column{
	{Name: "CYCLE", Style: "33"}, {Name: "TIME"}, {Name: "MODEL"}, {Name: "IN", Right: true}, {Name: "SAME", Right: true},
	{Name: "OF", Right: true}, {Name: "SHARE", Right: true}, {Name: "READ", Right: true}, {Name: "RESENT", Right: true},
	{Name: "COST", Right: true}, {Name: "WHAT ENDED IT"},
}

// printCache prints how much of each call the cache of a provider could reuse.
func (v *logVerb) printCache(r *verb.Reporter, list []*calls.Call) {
	list = slices.DeleteFunc(list, func(c *calls.Call) bool { return c.Event != nil })
	reads := slices.ContainsFunc(list, func(c *calls.Call) bool { return c.Cache.Read != nil && *c.Cache.Read > 0 })
	rows := make([][]string, len(list))
	for i, c := range list {
		t, k := c.Tokens, c.Cache
		read, resent, share := "", "", ""
		if reads {
			read = tokenCell(k.Read, calls.Exact)
		}
		if k.Broken != nil {
			resent = tokenCell(&k.Broken.Resent, calls.Estimated)
		}
		if k.Before > 0 {
			share = fmt.Sprintf("%.0f %%", 100*float64(k.Same)/float64(k.Before))
		}
		same, before := "", ""
		if i > 0 {
			same, before = tokenCell(&k.Same, calls.Estimated), tokenCell(&k.Before, calls.Estimated)
		}
		rows[i] = []string{
			open.CycleName(c), shortTime(c.Time), v.modelCell(c), tokenCell(&t.In, t.Label),
			same, before, share, read, resent, costCell(&k), v.ended(c),
		}
	}
	for _, line := range verb.ColumnLines(r, cacheColumns, rows, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
	fmt.Fprintln(v.Out, v.cacheTotals(list))
}

// ended describes what ended the common prefix of a call and the previous one.
func (v *logVerb) ended(c *calls.Call) string {
	b := c.Cache.Broken
	switch {
	case c.Cache.Miss != nil:
		return missText(c.Cache.Miss)
	case b == nil && c.Side != nil:
		return "side call"
	case b == nil:
		return ""
	case b.Setting != "":
		return fmt.Sprintf("%s: %s %s", b.By, verb.Visible(b.Setting), b.Event)
	case b.Event == "unknown":
		return fmt.Sprintf("%s: %s left, cause unknown", b.By, verb.Visible(b.Node))
	}
	return fmt.Sprintf("%s: %s %s", b.By, verb.Visible(b.Node), verb.Visible(b.Event))
}

// cacheTotals are the last lines of the table of the cache.
func (v *logVerb) cacheTotals(list []*calls.Call) string {
	broken, missed, priced, label := 0, 0, 0, calls.Exact
	var resent, unread, written, again int64
	var total, lost, missing float64
	var models []string
	for _, c := range list {
		if b := c.Cache.Broken; b != nil {
			broken++
			resent += b.Resent
		}
		if m := c.Cache.Miss; m != nil {
			missed++
			unread += m.Tokens
			if m.Cost != nil {
				missing += *m.Cost
			}
		}
		once, more := c.Rewritten()
		written, again = written+once, again+more
		if c.Cache.NoCost == "unknown model" {
			models = append(models, c.Model)
		}
		if k := c.Cache.Cost; k != nil {
			priced++
			total, lost, label = total+k.Total, lost+k.Break, calls.Worse(label, k.Label)
		}
	}
	text := fmt.Sprintf("%s, the cache broke %s, ~%d tokens sent again", verb.Count(len(list), "call"), verb.Count(broken, "time"), resent)
	if missed > 0 {
		text += fmt.Sprintf("; %s read less than was there, %d tokens", verb.Count(missed, "call"), unread)
	}
	if written > again && again > 0 {
		text += fmt.Sprintf("; %d tokens written, ~%.1f times what had to be", written, float64(written)/float64(written-again))
	}
	text += "; numbers after ~ are estimates"
	var costs []string
	if priced > 0 {
		costs = append(costs, fmt.Sprintf("cost %s, of which ~%s for what was sent again", money(total, label), money(lost, calls.Exact)))
		if missing > 0 {
			costs[0] += fmt.Sprintf(" and ~%s for what was not read", money(missing, calls.Exact))
		}
	}
	if from := priceSource(list); from != "" {
		costs = append(costs, "in US dollars, prices of "+from)
	}
	if len(models) > 0 {
		costs = append(costs, unpriced(models))
	}
	return strings.TrimSuffix(text+"\n"+strings.Join(costs, "; "), "\n")
}
