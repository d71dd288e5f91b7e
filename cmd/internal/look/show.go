package look

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/opaque"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
	"github.com/pactkit/pactkit/thread"
)

const showLong = `Print what the model saw at a call: its messages in order, with the ids of their nodes, as text.

The call is given by its address, such as @c17 or @t-1, as 'pactkit log' prints it; the default is the newest state. Or it
is given by a node, with an id or a selector: then it is the call that the model answered with that node, or the first one
that was sent it. If a selector matches several nodes, the last one counts. A state that no call was sent, such as that after
an answer or a compaction, has an address, too: show prints what the next call would have been sent.

--results lists instead the results of tools that the call was sent: when each entered, its age in calls, its size, and the
later result of the same tool with the same arguments that supersedes it.

--to prints the request in the format of a provider, as 'pactkit render' does. --stat adds what fills the window, as a tree:
the system prompt, the tools of each MCP server, messages by role, calls and results by tool and file, reminders that the
client adds, thinking, images, and what the log does not record. With a price of the model, each has a cost.

` + open.SessionForms + ` Without a FILE it is last.

Exit codes: 0 done; 1 the selector has errors, or content is missing in the thread of --to; 2 the file cannot be read, or has
no such call.`

const showExample = `  pactkit show refund.jsonl @c10                       what the model saw at a call
  pactkit show refund.jsonl "{name='send_refund'}"     … when it called that tool
  pactkit show refund.jsonl @c7 --results              which results of tools are old, or superseded
  pactkit show run.eval#1 @c3 --to anthropic           as a request`

// showVerb prints what a call was sent.
type showVerb struct {
	*verb.Run
	logs  open.SessionFlags
	to    verb.EnumFlag
	stat  bool
	lines int
	// results: list the results of tools, and nothing else
	results bool
	files   verb.FileFlags
	prices  prices.Table
	windows prices.Windows
}

// Show returns the verb show.
func Show(r *verb.Run) *cobra.Command {
	v := &showVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "show [FILE] [@c17|NODE]",
		Short:   "Print what the model saw at a call",
		Long:    showLong,
		Example: showExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 2:
				return errors.New("name a file, and a call, such as @c17; 'pactkit log FILE' lists them")
			case v.to.Value != "" && (v.stat || v.lines > 0 || v.results):
				return errors.New("--to prints the request and nothing else; leave the other flags out")
			case v.results && (v.stat || v.lines > 0):
				return errors.New("--results is a table of its own; leave --stat and --lines out")
			case v.lines < 0:
				return errors.New("--lines must not be negative")
			}
			return nil
		},
		ValidArgsFunction: open.CompleteSessions(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, which := recent.Last, "@t0"
			if len(args) > 0 && strings.HasPrefix(args[0], "@") {
				args = append([]string{file}, args...)
			}
			if len(args) > 0 {
				file = args[0]
			}
			if len(args) > 1 {
				which = args[1]
			}
			return v.run(cmd.Context(), file, which)
		},
	}
	verb.AddEnum(cmd, &v.to, "to", threadFormats(thread.Format.Renders), "print the request in the `FORMAT` of a provider")
	cmd.Flags().BoolVar(&v.stat, "stat", false, "add what fills the window: tokens by role, tool and file")
	cmd.Flags().BoolVar(&v.results, "results", false, "list the results of tools: their age, size, and what supersedes them")
	cmd.Flags().IntVar(&v.lines, "lines", 0, "print `N` lines of each message at most")
	v.logs.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *showVerb) run(ctx context.Context, arg, which string) error {
	cfg, err := (&open.SelectorFlags{Files: v.files}).Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	v.prices, v.windows = cfg.Prices(), cfg.Windows()
	x := open.OneSession(ctx, v.Run, arg, &v.logs)
	if x == nil {
		return nil
	}
	snap, err := v.snapshot(ctx, arg, x, which)
	if err != nil || snap == nil {
		return err
	}
	if v.to.Value != "" {
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
	var at open.InstantFlag
	err := at.Set(which)
	switch {
	case err == nil:
		snap, err := compiled.Instant(x.Timeline, at.At)
		if err != nil {
			v.Fail("%s: %s", verb.Shown(arg), err)
			v.Hint("'pactkit log %s' lists the calls", verb.Shown(arg))
			return nil, nil
		}
		return snap, nil
	case strings.HasPrefix(which, "@") && !strings.Contains(which, " "):
		return nil, fmt.Errorf("invalid address %q: %w", which, err)
	}
	ids := open.FindNode(ctx, v.Run, arg, x.Timeline, which)
	if len(ids) == 0 {
		return nil, nil
	}
	id := ids[len(ids)-1]
	if len(ids) > 1 {
		v.Note("%s match; this is about the last one, %s", verb.Count(len(ids), "node"), verb.Visible(id))
	}
	l, ok, err := calls.Trace(ctx, x.Timeline, id, calls.Options{})
	if err != nil {
		v.Interrupt("interrupted")
		return nil, nil
	}
	if !ok {
		v.Fail("%s: no call was sent the node %s, and the model did not answer with it", verb.Shown(arg), verb.Visible(id))
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
	format, err := thread.ParseFormat(v.to.Value)
	if err != nil {
		return err
	}
	return writeThread(v.Run, arg, snap, format, thread.RenderOptions{Pretty: true})
}

// print prints the messages of a state.
func (v *showVerb) print(ctx context.Context, x *sessions.Session, snap *engine.Snapshot) {
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	c, missing, err := v.call(ctx, x, snap)
	if err != nil {
		v.Interrupt("interrupted")
		return
	}
	fmt.Fprintln(v.Out, r.Paint(verb.Bold, strings.Join(showTitle(x, snap, c), "  ")))
	if len(missing) > 0 {
		fmt.Fprintln(v.Out, "not in this log: "+verb.Visible(enumerated(missing)))
	}
	if v.stat && c != nil {
		printShares(v.Run, c.Tokens.Shares, c.Tokens.In)
	}
	redacted, standIns := map[string]bool{}, snap.StandIns()
	for n := range snap.All() {
		if n.UserType() == "redaction" && n.Base() == engine.BaseBlock {
			for _, id := range n.Refs() {
				redacted[id] = true
			}
		}
	}
	unsent := map[string][]engine.Node{} // by what follows them in the log
	for n := range snap.All() {
		if up, ok := n.Parent(); ok && redacted[up.ID()] {
			redacted[n.ID()] = true
		}
		region, below := n.Region()
		switch {
		case !below || region == engine.RegionRest || n.UserType() == "redaction" && n.Base() == engine.BaseBlock:
		case n.Base() == engine.BaseBlock:
			v.printUnsent(r, unsent[n.ID()])
			m, isShown := standIns[n.ID()]
			switch {
			case isShown:
				v.printMessage(r, n, m, "  ("+open.BecauseOf(calls.ReasonOf(x.Timeline, n, m).Departure())+")")
			case redacted[n.ID()]:
				v.printMessage(r, n, m, "")
			default:
				v.printMessage(r, n, n, "")
			}
		case n.Base() == engine.BaseCont && n.UserType() == "log":
			v.printSettings(r, n)
		default:
			if x, ok := calls.RecordOf(n); ok && (x.Before != "" || n.Cycle().Cmp(engine.Int(snap.Cycle())) == 0) {
				unsent[x.Before] = append(unsent[x.Before], n)
			}
		}
	}
	v.printUnsent(r, unsent[""])
}

// printUnsent prints what the log has and no call was sent.
func (v *showVerb) printUnsent(r *verb.Reporter, list []engine.Node) {
	for _, n := range list {
		at := ""
		if x, _ := calls.RecordOf(n); x.Before == "" {
			at = "  " + placeText(&x)
		}
		fmt.Fprintf(v.Out, "\n%s  %s%s\n", r.Paint("36", "not sent"), verb.Visible(n.ID()), at)
		v.printContent(n)
	}
}

// showTitle prints the call that a state belongs to.
func showTitle(x *sessions.Session, snap *engine.Snapshot, c *calls.Call) []string {
	title := []string{fmt.Sprintf("@c%d", snap.Cycle()), verb.Shown(x.Address())}
	switch {
	case c == nil && snap.Working():
		return append(title, "the working state")
	case c == nil:
		return append(title, "after the last answer; no call was sent this")
	case c.Event != nil && c.Event.Kind == "answer":
		return append(title, "after an answer; no call was sent this")
	case c.Event != nil:
		return append(title, "after "+eventCell(c)+"; no call was sent this")
	}
	for _, part := range []string{verb.Visible(c.Model), shortTime(c.Time), sourceText(c.Source)} {
		if part != "" {
			title = append(title, part)
		}
	}
	size := verb.Count(c.Messages, "message")
	if c.Tokens.Label != calls.Unknown {
		size += ", " + tokenCell(&c.Tokens.In, c.Tokens.Label) + " tokens"
		if c.Window != nil {
			size += fmt.Sprintf(", %s of the window of %d", windowCell(c), c.Window.Tokens)
		}
	}
	if title = append(title, size); c.Side != nil {
		title = append(title, fmt.Sprintf("beside the conversation of @c%d", c.Side.Of))
	}
	if c.Failed != "" {
		title = append(title, "failed: "+verb.Visible(c.Failed))
	}
	if c.FromCache {
		title = append(title, fromCache)
	}
	if c.Source != nil && !c.Recorded {
		title = append(title, "inferred from the log")
	}
	return title
}

// call finds the record of a call, or nil if no call was sent this state. It also returns what the
// log does not record of the call, or of the one before the state.
func (v *showVerb) call(ctx context.Context, x *sessions.Session, snap *engine.Snapshot) (c *calls.Call, missing []string, err error) {
	for c, err := range calls.Of(ctx, x.Timeline, calls.Options{NoTokens: !v.stat, Shares: v.stat, SharesOf: snap, Cache: v.stat, States: true, Prices: v.prices, Windows: v.windows}) {
		if err != nil {
			return nil, nil, err
		}
		if c.Event == nil {
			missing = c.Missing
		}
		if c.Snapshot == snap {
			return c, missing, nil
		}
	}
	return nil, missing, nil
}

// printMessage prints a block: its speaker, its id, a note, and the text of the node that is shown
// in its place. That is zero if the block is redacted.
func (v *showVerb) printMessage(r *verb.Reporter, n, shown engine.Node, note string) {
	role, _ := n.Role()
	kind, _ := n.Kind()
	if kind == "text" {
		kind = ""
	}
	head := strings.Join(strings.Fields(strings.Join([]string{role, kind, calls.ToolOf(n)}, " ")), " ")
	if head == "" {
		head = n.Type()
	}
	fmt.Fprintf(v.Out, "\n%s  %s%s\n", r.Paint("36", verb.Visible(head)), verb.Visible(n.ID()), note)
	if shown.IsZero() {
		fmt.Fprintln(v.Out, "  (redacted)")
		return
	}
	v.printContent(shown)
}

// printContent prints the content of a node, and leaves out binary data.
func (v *showVerb) printContent(n engine.Node) {
	text, ok := n.Content().Text()
	if !ok {
		text, _ = opaque.Strip(n.Content().String(), opaque.Size)
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
		b := append(v.Out.AvailableBuffer(), "  "...)
		b = bytes.TrimRight(verb.AppendVisible(b, strings.TrimSuffix(line, "\r")), " ")
		v.Out.Write(append(b, '\n'))
	}
	if v.lines > 0 && n > v.lines {
		fmt.Fprintf(v.Out, "  … and %s more\n", verb.Count(n-v.lines, "line"))
	}
}

// printSettings prints the settings beside the messages; of tools, their names.
func (v *showVerb) printSettings(r *verb.Reporter, n engine.Node) {
	fmt.Fprintf(v.Out, "\n%s  %s\n", r.Paint("36", "request"), verb.Visible(n.ID()))
	for name, value := range n.Members() {
		if names := calls.ToolNames(name, value.String()); names != nil {
			fmt.Fprintf(v.Out, "  %s: %s\n", verb.Visible(name), verb.Visible(strings.Join(names, ", ")))
			continue
		}
		fmt.Fprintln(v.Out, "  "+verb.Clip(verb.Visible(name)+": "+open.ShortValue(value, v.Width()), v.Width()-2))
	}
}
