package look

import (
	"fmt"
	"slices"
	"strconv"

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
		read, resent, share, cost := "", "", "", ""
		if reads {
			read = tokenCell(k.Read, true)
		}
		if k.Broken != nil {
			resent = tokenCell(&k.Broken.Resent, false)
		}
		if k.Before > 0 {
			share = fmt.Sprintf("%.0f %%", 100*float64(k.Same)/float64(k.Before))
		}
		if k.Cost != nil {
			cost = money(k.Cost.Total, k.Cost.Label)
		}
		same, before := "", ""
		if i > 0 {
			same, before = tokenCell(&k.Same, false), tokenCell(&k.Before, false)
		}
		rows[i] = []string{
			open.CycleName(c), shortTime(c.Time), v.modelCell(c), tokenCell(&t.In, t.Label == calls.Exact),
			same, before, share, read, resent, cost, v.ended(c, reads),
		}
	}
	for _, line := range verb.ColumnLines(r, cacheColumns, rows, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
	fmt.Fprintln(v.Out, v.cacheTotals(list))
}

// ended describes what ended the common prefix of a call and the previous one.
func (v *logVerb) ended(c *calls.Call, reads bool) string {
	b := c.Cache.Broken
	switch {
	case b == nil && reads && c.Cache.Read != nil && *c.Cache.Read == 0 && c.Cache.Same > 0:
		return "nothing changed, and nothing was read"
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

// money writes a cost.
func money(x float64, label calls.Label) string {
	text := strconv.FormatFloat(x, 'f', 4, 64)
	if label != calls.Exact {
		return "~" + text
	}
	return text
}

// cacheTotals is the last line of the table of the cache.
func (v *logVerb) cacheTotals(list []*calls.Call) string {
	broken, priced, label := 0, 0, calls.Exact
	var resent int64
	var total, lost float64
	for _, c := range list {
		if b := c.Cache.Broken; b != nil {
			broken++
			resent += b.Resent
		}
		if k := c.Cache.Cost; k != nil {
			priced++
			total, lost = total+k.Total, lost+k.Break
			if k.Label != calls.Exact {
				label = calls.Estimate
			}
		}
	}
	text := fmt.Sprintf("%s, the cache broke %s, ~%d tokens sent again", verb.Count(len(list), "call"), verb.Count(broken, "time"), resent)
	switch {
	case priced > 0:
		text += fmt.Sprintf("; cost %s, of which ~%s for what was sent again", money(total, label), money(lost, calls.Exact))
		if priced < len(list) {
			text += fmt.Sprintf(" (%s without a price)", verb.Count(len(list)-priced, "call"))
		}
	case len(v.prices) > 0:
		text += "; the configuration has no price of these models"
	}
	return text + "; numbers after ~ are estimates"
}
