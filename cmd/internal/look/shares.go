package look

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/search"
)

// mostShares limits how many shares of a share are printed. The others are summed.
const mostShares = 10

// printShares prints shares as a tree with a bar for each of them. whole is the number of tokens
// that they are parts of.
func printShares(r *verb.Run, list []calls.Share, whole int64) {
	var rows [][]string
	add := func(depth int, name string, x *calls.Share) {
		part := float64(x.Tokens) / float64(max(whole, 1))
		nodes, cost := "", ""
		if x.Nodes > 0 {
			nodes = verb.Count(x.Nodes, "node")
		}
		if x.Cost != nil {
			cost = money(*x.Cost, calls.Estimated)
		}
		rows = append(rows, []string{
			"", strings.Repeat("  ", depth) + name, gradeMark(x.Label) + strconv.FormatInt(x.Tokens, 10),
			fmt.Sprintf("%.0f %%", 100*part), cost, nodes, strings.Repeat("#", max(int(20*part+0.5), 0)),
		})
	}
	var walk func(depth int, list []calls.Share)
	walk = func(depth int, list []calls.Share) {
		for i := range list {
			if i == mostShares && len(list) > mostShares+1 {
				left := calls.Share{Label: calls.Counted}
				for _, x := range list[i:] {
					left.Nodes, left.Tokens = left.Nodes+x.Nodes, left.Tokens+x.Tokens
				}
				add(depth, fmt.Sprintf("%d more", len(list)-i), &left)
				return
			}
			add(depth, shareName(&list[i]), &list[i])
			walk(depth+1, list[i].Shares)
		}
	}
	walk(0, list)
	columns := []verb.Column{{}, {}, {Right: true}, {Right: true}, {Right: true}, {Right: true}, {}}
	for _, line := range verb.ColumnLines(verb.NewReporter(r.Out, "", "", false), columns, rows, r.Width())[1:] {
		fmt.Fprintln(r.Out, "    "+line)
	}
}

// shareName returns the name of a share, cut if it is long.
func shareName(x *calls.Share) string {
	if x.What == "file" {
		return clipPath(x.Name)
	}
	return verb.Clip(verb.Visible(x.Title()), 2*verb.MaxCell)
}

// clipPath leaves out the beginning of a long path.
func clipPath(path string) string {
	text := []rune(verb.Visible(path))
	if n := len(text) - verb.MaxCell; n > 0 {
		return "…" + string(text[n+1:])
	}
	return string(text)
}

// printSessionShares prints what the calls of each session were sent, and those of all.
func (v *statsVerb) printSessionShares(rows []stats.Session, total *stats.Session) {
	for i := range rows {
		x := &rows[i]
		name := (&search.Outcome{Path: x.File, Name: x.Name}).Address()
		fmt.Fprintf(v.Out, "\n%s\n", verb.Visible(name))
		printShares(v.Run, x.Shares, x.Tokens.In)
	}
	if len(rows) > 1 {
		fmt.Fprintf(v.Out, "\n%s\n", verb.Count(len(rows), "session"))
		printShares(v.Run, total.Shares, total.Tokens.In)
	}
}
