package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/calls"
)

const traceLong = `Show the life of a node: where it came from, when it changed, when and why it left, which calls were sent it, what has
replaced it, and what refers to it.

NODE is an id, or a selector that matches one node in the newest state in which it matches any. A cause with a question
mark is inferred from the requests; the others are stated in the log. Line numbers are those of the calls in their log.

` + sessionForms + `

Exit codes: 0 done; 1 the selector has errors; 2 the file cannot be read, or no state ever had such a node, or several did.`

const traceExample = `  pactkit trace refund.jsonl toolu_05
  pactkit trace refund.jsonl ".block+tool{content~'Refund policy'}"
  pactkit trace refund.jsonl block:3 --json`

// traceVerb shows the life of a node.
type traceVerb struct {
	*session
	logs sessionFlags
	json bool
}

func (s *session) traceCommand() *cobra.Command {
	v := &traceVerb{session: s}
	cmd := &cobra.Command{
		Use:     "trace FILE NODE",
		Short:   "Show when a node entered, changed and left, and why",
		Long:    traceLong,
		Example: traceExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name a file and a node: its id, or a selector in quotes")
			}
			return nil
		},
		ValidArgsFunction: completeHistories(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args[0], args[1])
			return nil
		},
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "print an object (docs/schemas/trace.json)")
	v.logs.add(cmd)
	return cmd
}

// mostNamed is how many nodes an error names.
const mostNamed = 5

func (v *traceVerb) run(ctx context.Context, arg, node string) {
	x := v.oneSession(ctx, arg, &v.logs)
	if x == nil {
		return
	}
	ids := v.findNode(ctx, arg, x.Timeline, node)
	switch {
	case len(ids) == 0:
		return
	case len(ids) > 1:
		v.fail("%s: %s match %s; name one of %s", shown(arg), count(len(ids), "node"), visible(node), someOf(ids))
		return
	}
	l, ok, err := calls.Trace(ctx, x.Timeline, ids[0], calls.Options{History: x.Address()})
	switch {
	case err != nil:
		v.interrupt("interrupted")
	case !ok:
		v.fail("%s: no call was sent the node %s, and the model did not answer with it", shown(arg), visible(ids[0]))
	case v.json:
		v.printJSON(l)
	default:
		v.print(l)
	}
}

// someOf lists a few ids.
func someOf(ids []string) string {
	text := visible(strings.Join(ids[:min(len(ids), mostNamed)], " "))
	if len(ids) > mostNamed {
		text += " …"
	}
	return text
}

func (v *traceVerb) print(l *calls.Life) {
	r := newReporter(v.out, "", "", v.paints)
	kind := strings.Join(strings.Fields(strings.Join([]string{l.Type, l.Role, l.Kind, l.Name}, " ")), " ")
	fmt.Fprintln(v.out, strings.TrimRight(r.paint(bold, visible(l.ID))+"  "+visible(kind), " "))
	if text := strings.Join(strings.Fields(l.Content), " "); text != "" {
		fmt.Fprintln(v.out, "  "+clip(visible(text), v.width()-2))
	}
	var rows [][]string
	for _, e := range l.Events {
		rows = append(rows, []string{fmt.Sprintf("@c%d", e.Cycle), sourceText(e.Source), eventText(l, e)})
	}
	columns := []column{{name: "CYCLE", style: "33"}, {name: "SOURCE"}, {name: "WHAT"}}
	for _, line := range columnLines(r, columns, rows, v.outWidth) {
		fmt.Fprintln(v.out, line)
	}
	fmt.Fprintln(v.out, "sent in "+spansText(l.Seen))
	if len(l.Stand) > 0 {
		fmt.Fprintln(v.out, "stands for it: "+visible(strings.Join(l.Stand, ", then ")))
	}
	if len(l.StandFor) > 0 {
		fmt.Fprintf(v.out, "stands for %s: %s\n", count(len(l.StandFor), "node"), someOf(l.StandFor))
	}
	for _, x := range l.Refer {
		fmt.Fprintf(v.out, "referred to by %s (%s)\n", visible(x.ID), visible(x.How))
	}
	fmt.Fprintln(v.out, map[calls.Presence]string{
		calls.Present: "it is in the newest state", calls.Gone: "it is not in the newest state", calls.Unsent: "no call was sent it",
	}[l.Now])
}

// sourceText is where a call is recorded.
func sourceText(src *calls.Source) string {
	if src == nil {
		return ""
	}
	text := visible(src.File)
	if src.Line > 0 {
		text += fmt.Sprintf(":%d", src.Line)
	}
	if src.Sample != "" {
		text += " sample " + visible(src.Sample)
	}
	return fmt.Sprintf("%s call %d", text, src.Call)
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
	}
	return e.What + ": " + becauseOf(calls.Departure{ID: l.ID, Cause: e.Cause, By: e.By, Inferred: e.Inferred})
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
	return fmt.Sprintf("%s: %s", count(total, "call"), strings.Join(parts, ", "))
}
