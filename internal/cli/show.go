package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

const showLong = `Print what the model saw at a call: its messages in order, with the ids of their nodes, as text.

The call is given by its address, such as @c17 or @t-1, as 'pactkit log' prints it; the default is the newest state. Or it
is given by a node, with an id or a selector: then it is the call that the model answered with that node, or the first one
that was sent it. If a selector matches several nodes, the last one counts.

--results lists instead the results of tools that the call was sent: when each entered, its age in calls, its size, and the
later result of the same tool with the same arguments that supersedes it.

--to prints the request in the format of a provider, as 'pactkit render' does. --stat adds how many tokens belong to each
role, and to the calls and results of each tool.

` + sessionForms + `

Exit codes: 0 done; 1 the selector has errors, or content is missing in the thread of --to; 2 the file cannot be read, or has
no such call.`

const showExample = `  pactkit show refund.jsonl @c9                        what the model saw at a call
  pactkit show refund.jsonl "{name='send_refund'}"     … when it called that tool
  pactkit show refund.jsonl @c7 --results              which results of tools are old, or superseded
  pactkit show run.eval#1 @c3 --to anthropic           as a request`

// showVerb prints what a call was sent.
type showVerb struct {
	*session
	logs  sessionFlags
	to    enumFlag
	stat  bool
	lines int
	// results: list the results of tools, and nothing else
	results bool
}

func (s *session) showCommand() *cobra.Command {
	v := &showVerb{session: s}
	cmd := &cobra.Command{
		Use:     "show FILE [@c17|NODE]",
		Short:   "Print what the model saw at a call",
		Long:    showLong,
		Example: showExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 || len(args) > 2:
				return errors.New("name a file, and a call, such as @c17; 'pactkit log FILE' lists them")
			case v.to.value != "" && (v.stat || v.lines > 0 || v.results):
				return errors.New("--to prints the request and nothing else; leave the other flags out")
			case v.results && (v.stat || v.lines > 0):
				return errors.New("--results is a table of its own; leave --stat and --lines out")
			case v.lines < 0:
				return errors.New("--lines must not be negative")
			}
			return nil
		},
		ValidArgsFunction: completeSessions(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			which := "@t0"
			if len(args) == 2 {
				which = args[1]
			}
			return v.run(cmd.Context(), args[0], which)
		},
	}
	addEnum(cmd, &v.to, "to", threadFormats(thread.Format.Renders), "print the request in the `FORMAT` of a provider")
	cmd.Flags().BoolVar(&v.stat, "stat", false, "add how many tokens are of each role and tool")
	cmd.Flags().BoolVar(&v.results, "results", false, "list the results of tools: their age, size, and what supersedes them")
	cmd.Flags().IntVar(&v.lines, "lines", 0, "print `N` lines of each message at most")
	v.logs.add(cmd)
	return cmd
}

func (v *showVerb) run(ctx context.Context, arg, which string) error {
	x := v.oneSession(ctx, arg, &v.logs)
	if x == nil {
		return nil
	}
	snap, err := v.snapshot(ctx, arg, x, which)
	if err != nil || snap == nil {
		return err
	}
	if v.to.value != "" {
		return v.render(arg, snap)
	}
	if v.results {
		v.printResults(ctx, x, snap)
	} else {
		v.print(ctx, x, snap)
	}
	return nil
}

// snapshot finds the state that an argument names. It reports an error and returns nil.
func (v *showVerb) snapshot(ctx context.Context, arg string, x *sessions.Session, which string) (*engine.Snapshot, error) {
	var at instantFlag
	err := at.Set(which)
	switch {
	case err == nil:
		snap, err := prepare.Instant(x.Timeline, at.at)
		if err != nil {
			v.fail("%s: %s", shown(arg), err)
			v.hint("'pactkit log %s' lists the calls", shown(arg))
			return nil, nil
		}
		return snap, nil
	case strings.HasPrefix(which, "@") && !strings.Contains(which, " "):
		return nil, fmt.Errorf("invalid address %q: %w", which, err)
	}
	ids := v.findNode(ctx, arg, x.Timeline, which)
	if len(ids) == 0 {
		return nil, nil
	}
	id := ids[len(ids)-1]
	if len(ids) > 1 {
		v.note("%s match; this is about the last one, %s", count(len(ids), "node"), visible(id))
	}
	l, ok, err := calls.Trace(ctx, x.Timeline, id, calls.Options{})
	if err != nil {
		v.interrupt("interrupted")
		return nil, nil
	}
	if !ok {
		v.fail("%s: no call was sent the node %s, and the model did not answer with it", shown(arg), visible(id))
		return nil, nil
	}
	cycle := l.AnswerTo
	if cycle == 0 {
		cycle = l.Events[0].Cycle
	}
	snap, _ := x.Timeline.OfCycle(cycle)
	return snap, nil
}

// render prints the request in a format.
func (v *showVerb) render(arg string, snap *engine.Snapshot) error {
	format, err := thread.ParseFormat(v.to.value)
	if err != nil {
		return err
	}
	r, err := thread.Render(snap, format, thread.RenderOptions{Pretty: true})
	if err != nil {
		return err
	}
	v.writeThread(arg, r)
	return nil
}

// print prints the messages of a state.
func (v *showVerb) print(ctx context.Context, x *sessions.Session, snap *engine.Snapshot) {
	r := newReporter(v.out, "", "", v.paints)
	c, err := v.call(ctx, x, snap)
	if err != nil {
		v.interrupt("interrupted")
		return
	}
	fmt.Fprintln(v.out, r.paint(bold, strings.Join(showTitle(x, snap, c), "  ")))
	if v.stat && c != nil {
		v.printShares(c)
	}
	redacted := map[string]bool{}
	for n := range snap.All() {
		if n.UserType() == "redaction" && n.Base() == engine.BaseBlock {
			for _, id := range n.Refs() {
				redacted[id] = true
			}
		}
	}
	for n := range snap.All() {
		if up, ok := n.Parent(); ok && redacted[up.ID()] {
			redacted[n.ID()] = true
		}
		region, below := n.Region()
		switch {
		case !below || region == engine.RegionRest || n.UserType() == "redaction" && n.Base() == engine.BaseBlock:
		case n.Base() == engine.BaseBlock:
			v.printMessage(r, n, redacted[n.ID()])
		case n.Base() == engine.BaseCont && n.UserType() == "log":
			v.printSettings(r, n)
		}
	}
}

// showTitle prints the call that a state belongs to.
func showTitle(x *sessions.Session, snap *engine.Snapshot, c *calls.Call) []string {
	title := []string{fmt.Sprintf("@c%d", snap.Cycle()), shown(x.Address())}
	switch {
	case c == nil && snap.Working():
		return append(title, "the working state")
	case c == nil:
		return append(title, "after the last answer; no call was sent this")
	}
	for _, part := range []string{visible(c.Model), shortTime(c.Time), sourceText(c.Source)} {
		if part != "" {
			title = append(title, part)
		}
	}
	size := count(c.Messages, "message")
	if c.Tokens.Label == calls.Exact {
		size += fmt.Sprintf(", %d tokens", c.Tokens.In)
	}
	if title = append(title, size); c.Side != nil {
		title = append(title, fmt.Sprintf("beside the conversation of @c%d", c.Side.Of))
	}
	return title
}

// call finds the record of a call, or nil if no call was sent this state.
func (v *showVerb) call(ctx context.Context, x *sessions.Session, snap *engine.Snapshot) (*calls.Call, error) {
	for c, err := range calls.Of(ctx, x.Timeline, calls.Options{NoTokens: !v.stat, Shares: v.stat}) {
		if err != nil || c.Snapshot == snap {
			return c, err
		}
	}
	return nil, nil
}

// printMessage prints a block: its speaker, its id, and its text.
func (v *showVerb) printMessage(r *reporter, n engine.Node, redacted bool) {
	role, _ := n.Role()
	kind, _ := n.Kind()
	if kind == "text" {
		kind = ""
	}
	head := strings.Join(strings.Fields(strings.Join([]string{role, kind, calls.ToolOf(n)}, " ")), " ")
	if head == "" {
		head = n.Type()
	}
	fmt.Fprintf(v.out, "\n%s  %s\n", r.paint("36", visible(head)), visible(n.ID()))
	if redacted {
		fmt.Fprintln(v.out, "  (redacted)")
		return
	}
	text, ok := n.Content().Text()
	if !ok {
		text = n.Content().String()
	}
	v.printText(text)
}

// printText prints the lines of a text, or the first of them.
func (v *showVerb) printText(text string) {
	n := 0
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if n++; v.lines > 0 && n > v.lines {
			continue
		}
		fmt.Fprintln(v.out, strings.TrimRight("  "+visible(strings.TrimSuffix(line, "\r")), " "))
	}
	if v.lines > 0 && n > v.lines {
		fmt.Fprintf(v.out, "  … and %s more\n", count(n-v.lines, "line"))
	}
}

// printSettings prints the settings beside the messages; of tools, their names.
func (v *showVerb) printSettings(r *reporter, n engine.Node) {
	fmt.Fprintf(v.out, "\n%s  %s\n", r.paint("36", "request"), visible(n.ID()))
	for name, value := range n.Members() {
		if names := calls.ToolNames(name, value.String()); names != nil {
			fmt.Fprintf(v.out, "  %s: %s\n", visible(name), visible(strings.Join(names, ", ")))
			continue
		}
		fmt.Fprintln(v.out, "  "+clip(visible(name)+": "+shortValue(value, v.width()), v.width()-2))
	}
}
