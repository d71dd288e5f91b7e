package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/sessions"
)

// resultColumns are the columns of the table of results.
var resultColumns = []column{
	{name: "ID"}, {name: "ENTERED", style: "33"}, {name: "AGE", right: true}, {name: "TOKENS", right: true}, {name: "TOOL"},
	{name: "ARGUMENTS"}, {name: "SUPERSEDED BY"},
}

// printResults lists the results of tools that a call was sent.
func (v *showVerb) printResults(ctx context.Context, x *sessions.Session, snap *engine.Snapshot) {
	list, err := calls.Results(ctx, x.Timeline, snap)
	if err != nil {
		v.interrupt("interrupted")
		return
	}
	superseded, tokens := 0, 0
	rows := make([][]string, len(list))
	for i, r := range list {
		entered, age := "-", "-"
		if r.Entered > 0 {
			entered, age = fmt.Sprintf("@c%d", r.Entered), strconv.Itoa(r.Age)
		}
		if r.Superseded != "" {
			superseded++
			tokens += r.Tokens
		}
		rows[i] = []string{
			visible(r.ID), entered, age, "~" + strconv.Itoa(r.Tokens), clip(visible(r.Tool), maxCell), shortValue(r.Arguments, maxCell), visible(r.Superseded),
		}
	}
	if len(rows) == 0 {
		fmt.Fprintln(v.out, "0 results")
		return
	}
	for _, line := range columnLines(newReporter(v.out, "", "", v.paints), resultColumns, rows, v.outWidth) {
		fmt.Fprintln(v.out, line)
	}
	fmt.Fprintf(v.out, "%s, %d superseded, which have ~%d tokens\n", count(len(list), "result"), superseded, tokens)
}
