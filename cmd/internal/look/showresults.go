package look

import (
	"context"
	"fmt"
	"strconv"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
)

// resultColumns are the columns of the table of results.
var resultColumns = []verb.Column{
	{Name: "ID"}, {Name: "ENTERED", Style: "33"}, {Name: "AGE", Right: true}, {Name: "TOKENS", Right: true}, {Name: "TOOL"},
	{Name: "ARGUMENTS"}, {Name: "SUPERSEDED BY"},
}

// printResults lists the results of tools that a call was sent.
func (v *showVerb) printResults(ctx context.Context, x *sessions.Session, snap *engine.Snapshot) {
	list, err := calls.Results(ctx, x.Timeline, snap)
	if err != nil {
		v.Interrupt("interrupted")
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
			verb.Visible(r.ID), entered, age, "~" + strconv.Itoa(r.Tokens), verb.Clip(verb.Visible(r.Tool), verb.MaxCell), open.ShortValue(r.Arguments, verb.MaxCell), verb.Visible(r.Superseded),
		}
	}
	if len(rows) == 0 {
		fmt.Fprintln(v.Out, "0 results")
		return
	}
	for _, line := range verb.ColumnLines(verb.NewReporter(v.Out, "", "", v.Paints), resultColumns, rows, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
	fmt.Fprintf(v.Out, "%s, %d superseded, which have ~%d tokens\n", verb.Count(len(list), "result"), superseded, tokens)
}
