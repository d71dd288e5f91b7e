package look

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// windowCell returns the part of the window of its model that a call fills, or - if it is unknown.
func windowCell(c *calls.Call) string {
	if c.Window == nil || c.Tokens.Label == calls.Unknown {
		return "-"
	}
	return strings.Replace(gradeMark(c.Tokens.Label)+percent(c.Tokens.In, c.Window.Tokens), "~<", "<", 1)
}

// percent formats a part of a whole.
func percent(part, whole int64) string {
	if 100*part < whole && part > 0 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(whole, 1)))
}

// freeText says how much of the window was free when something happened.
func freeText(c *calls.Call) string {
	if c.Window == nil || c.Event.Full <= 0 || c.Event.Kind != "compaction" {
		return ""
	}
	mark := ""
	if c.Event.Before == 0 {
		mark = "~"
	}
	return fmt.Sprintf(", %s%d of %d free", mark, max(c.Window.Tokens-c.Event.Full, 0), c.Window.Tokens)
}

// costCell returns the cost of a call, or ? if it is unknown.
func costCell(k *calls.Cache) string {
	switch {
	case k.Cost != nil:
		return money(k.Cost.Total, k.Cost.Label)
	case k.NoCost != "":
		return "?"
	}
	return ""
}

// money formats a cost.
func money(x float64, label calls.Label) string {
	return gradeMark(label) + strconv.FormatFloat(x, 'f', 4, 64)
}

// unpriced names the models that have no price.
func unpriced(models []string) string {
	models = slices.Clone(models)
	for i, name := range models {
		if name == "" {
			models[i] = "calls that name no model"
		}
	}
	return "no price is known of " + verb.Visible(enumerated(slices.Compact(slices.Sorted(slices.Values(models)))))
}

// missText describes a miss of the cache.
func missText(m *calls.Miss) string {
	text := fmt.Sprintf("%d tokens not read that were there", m.Tokens)
	switch m.Why {
	case "idle":
		text += fmt.Sprintf(": idle for %s, kept for %s", span(m.Idle), span(m.Lifetime))
	case "model":
		text += ": another model"
	default:
		text += ", cause unknown"
	}
	return text
}

// span formats seconds in the two largest units that are not 0.
func span(seconds int64) string {
	var out []string
	for _, u := range [...]struct {
		name string
		size int64
	}{{"h", 3600}, {"min", 60}, {"s", 1}} {
		if n := seconds / u.size; n > 0 && len(out) < 2 {
			out = append(out, fmt.Sprintf("%d %s", n, u.name))
			seconds %= u.size
		}
	}
	return strings.Join(out, " ")
}

// priceSource returns the table with the prices of calls, or "" if it was not used.
func priceSource(list []*calls.Call) string {
	for _, c := range list {
		if k := c.Cache.Cost; k != nil && k.From != "configuration" {
			return k.From
		}
	}
	return ""
}

// sessionCost returns the cost of a session, with a ? if calls without a price are not in it.
func sessionCost(k *stats.Cost) string {
	switch {
	case k == nil:
		return ""
	case k.Sums == nil:
		return "?"
	case len(k.Unknown) > 0:
		return money(k.Total, k.Label) + " + ?"
	}
	return money(k.Total, k.Label)
}

// priceRemarks says where prices are from, and which models have none.
func priceRemarks(k *stats.Cost) string {
	if k == nil {
		return ""
	}
	var out []string
	for _, from := range k.From {
		if from != "configuration" {
			out = append(out, "cost in US dollars, prices of "+from)
		}
	}
	if len(k.Unknown) > 0 {
		out = append(out, unpriced(k.Unknown))
	}
	return strings.Join(out, "; ")
}
