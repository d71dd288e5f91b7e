package look

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

const traceLong = `Show the life of a node: where it came from, when it changed, when and why it left, which calls were sent it, what has
replaced it, and what refers to it.

NODE is an id, or a selector that matches one node in the newest state in which it matches any. A cause with a question
mark is inferred from the requests; the others are stated in the log. Line numbers are those of the calls in their log. A
node that is only in states between calls, such as an answer before a rewind, was never sent.

` + open.SessionForms + ` Without a FILE it is last.

Exit codes: 0 done; 1 the selector has errors; 2 the file cannot be read, or no state ever had such a node, or several did.`

const traceExample = `  pactkit trace refund.jsonl toolu_05
  pactkit trace refund.jsonl ".block+tool{content~'Refund policy'}"
  pactkit trace refund.jsonl block:3 --json`

// traceVerb shows the life of a node.
type traceVerb struct {
	*verb.Run
	logs open.SessionFlags
	json bool
}

// Trace returns the verb trace.
func Trace(r *verb.Run) *cobra.Command {
	v := &traceVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "trace [FILE] NODE",
		Short:   "Show when a node entered, changed and left, and why",
		Long:    traceLong,
		Example: traceExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return errors.New("name a file and a node: its id, or a selector in quotes")
			}
			return nil
		},
		ValidArgsFunction: open.CompleteHistories(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				args = []string{recent.Last, args[0]}
			}
			v.run(cmd.Context(), args[0], args[1])
			return nil
		},
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "print an object (docs/schemas/trace.json)")
	v.logs.Add(cmd)
	return cmd
}

// mostNamed is how many nodes an error names.
const mostNamed = 5

func (v *traceVerb) run(ctx context.Context, arg, node string) {
	x := open.OneSession(ctx, v.Run, arg, &v.logs)
	if x == nil {
		return
	}
	ids := open.FindNode(ctx, v.Run, arg, x.Timeline, node)
	switch {
	case len(ids) == 0:
		return
	case len(ids) > 1:
		v.Fail("%s: %s match %s; name one of %s", verb.Shown(arg), verb.Count(len(ids), "node"), verb.Visible(node), someOf(ids))
		return
	}
	l, ok, err := calls.Trace(ctx, x.Timeline, ids[0], calls.Options{History: x.Address()})
	switch {
	case err != nil:
		v.Interrupt("interrupted")
	case !ok:
		v.Fail("%s: no call was sent the node %s, and the model did not answer with it", verb.Shown(arg), verb.Visible(ids[0]))
	case v.json:
		v.PrintJSON(l)
	default:
		v.print(l)
	}
}

// someOf lists a few ids.
func someOf(ids []string) string {
	text := verb.Visible(strings.Join(ids[:min(len(ids), mostNamed)], " "))
	if len(ids) > mostNamed {
		text += " …"
	}
	return text
}

func (v *traceVerb) print(l *calls.Life) {
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	kind := strings.Join(strings.Fields(strings.Join([]string{l.Type, l.Role, l.Kind, l.Name}, " ")), " ")
	fmt.Fprintln(v.Out, strings.TrimRight(r.Paint(verb.Bold, verb.Visible(l.ID))+"  "+verb.Visible(kind), " "))
	if text := strings.Join(strings.Fields(l.Content), " "); text != "" {
		fmt.Fprintln(v.Out, "  "+verb.Clip(verb.Visible(text), v.Width()-2))
	}
	var rows [][]string
	for _, e := range l.Events {
		source := sourceText(e.Source)
		if l.Recorded != nil {
			source = placeText(l.Recorded)
		}
		rows = append(rows, []string{fmt.Sprintf("@c%d", e.Cycle), source, eventText(l, e)})
	}
	columns := []verb.Column{{Name: "CYCLE", Style: "33"}, {Name: "SOURCE"}, {Name: "WHAT"}}
	for _, line := range verb.ColumnLines(r, columns, rows, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
	if l.State > 0 && len(l.Seen) == 0 {
		fmt.Fprintln(v.Out, neverSent(l))
	} else {
		fmt.Fprintln(v.Out, "sent in "+spansText(l.Seen))
	}
	if len(l.Stand) > 0 {
		fmt.Fprintln(v.Out, "stands for it: "+verb.Visible(strings.Join(l.Stand, ", then ")))
	}
	if len(l.StandFor) > 0 {
		fmt.Fprintf(v.Out, "stands for %s: %s\n", verb.Count(len(l.StandFor), "node"), someOf(l.StandFor))
	}
	for _, x := range l.Refer {
		fmt.Fprintf(v.Out, "referred to by %s (%s)\n", verb.Visible(x.ID), verb.Visible(x.How))
	}
	fmt.Fprintln(v.Out, map[calls.Presence]string{
		calls.Present: "it is in the newest state", calls.Gone: "it is not in the newest state", calls.Unsent: "no call was sent it",
	}[l.Now])
}

// neverSent says that only states between calls had a node.
func neverSent(l *calls.Life) string {
	if l.AnswerTo > 0 {
		return fmt.Sprintf("answered, never sent again (@c%d)", l.State)
	}
	return fmt.Sprintf("recorded, never sent (@c%d)", l.State)
}

func eventText(l *calls.Life, e calls.Event) string {
	switch e.What {
	case "entered":
		if l.AnswerTo > 0 {
			return fmt.Sprintf("entered: the answer to @c%d", l.AnswerTo)
		}
		return "entered"
	case "answered":
		return "the model answered with it"
	case "returned":
		return "returned"
	case "recorded":
		if l.Recorded.Before != "" {
			return "recorded before " + verb.Visible(l.Recorded.Before) + ": not sent"
		}
		return "recorded: not sent"
	}
	return e.What + ": " + open.BecauseOf(calls.Departure{ID: l.ID, Cause: e.Cause, By: e.By, Inferred: e.Inferred, ByPolicy: e.ByPolicy})
}

func spansText(list []calls.Span) string {
	if len(list) == 0 {
		return "no call"
	}
	total := 0
	var parts []string
	for _, x := range list {
		total += x.Calls
		if x.From == x.To {
			parts = append(parts, fmt.Sprintf("@c%d", x.From))
		} else {
			parts = append(parts, fmt.Sprintf("@c%d to @c%d", x.From, x.To))
		}
	}
	return fmt.Sprintf("%s: %s", verb.Count(total, "call"), strings.Join(parts, ", "))
}
