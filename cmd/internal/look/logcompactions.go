package look

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// compactionColumns are the columns of the table of --compactions.
var compactionColumns = []verb.Column{
	{Name: "CYCLE", Style: "33"}, {Name: "TRIGGER"}, {Name: "BEFORE", Right: true}, {Name: "AFTER", Right: true}, {Name: "FREE", Right: true},
	{Name: "AGAIN", Right: true}, {Name: "TOKENS", Right: true}, {Name: "COST", Right: true}, {Name: "WHAT LEFT"},
}

// printCompactions prints what each compaction took away, and which results were fetched again.
func (v *logVerb) printCompactions(r *verb.Reporter, list []*calls.Call) {
	k := calls.Compactions{Prices: v.prices}
	for _, c := range list {
		k.Add(c)
	}
	if len(k.List()) == 0 {
		fmt.Fprintln(v.Out, "0 compactions")
		return
	}
	rows := make([][]string, len(k.List()))
	for i, x := range k.List() {
		var tokens int64
		var sum float64
		cost := ""
		for _, a := range x.Again {
			if tokens += a.Tokens; a.Cost != nil {
				sum += *a.Cost
				cost = money(sum, calls.Estimated)
			}
		}
		trigger := verb.Visible(x.Trigger)
		if x.Inferred {
			trigger = "inferred"
		}
		number := func(n int64) string {
			if n == 0 {
				return "-"
			}
			return strconv.FormatInt(n, 10)
		}
		free, again := "-", number(tokens)
		if x.Free != nil {
			free = fmt.Sprintf("%d (%s)", *x.Free, percent(*x.Free, x.Window.Tokens))
		}
		if tokens > 0 {
			again = "~" + again
		}
		rows[i] = []string{fmt.Sprintf("@c%d", x.Cycle), trigger, number(x.Before), number(x.After), free, strconv.Itoa(len(x.Again)), again, cost, kindList(x.Left)}
	}
	lines := verb.ColumnLines(r, compactionColumns, rows, v.OutWidth)
	fmt.Fprintln(v.Out, lines[0])
	for i, x := range k.List() {
		fmt.Fprintln(v.Out, lines[i+1])
		for _, a := range x.Again {
			what := "the same " + a.Same
			if a.File != "" {
				what += ", " + clipPath(a.File)
			}
			fmt.Fprintf(v.Out, "    @c%d  %s again as %s: %s  %s\n", a.Cycle, verb.Visible(a.ID), verb.Visible(a.Of), verb.Visible(a.Tool), what)
		}
	}
}

// kindList counts the nodes of each kind.
func kindList(list []calls.Kind) string {
	var out []string
	for _, x := range list {
		out = append(out, fmt.Sprintf("%s %d", verb.Visible(strings.TrimSpace(x.What+" "+x.Name)), x.Nodes))
	}
	return strings.Join(out, ", ")
}
