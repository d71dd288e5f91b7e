package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/thread"
)

const renderLong = `Print a snapshot of a history as the thread of messages that a provider is sent.

pact is the thread of the specification, as compact JSON without a newline; --pretty indents it and adds a newline. The
other formats are indented JSON with a final newline. Members that a format cannot express are reported on standard error,
and stay in the history. If content is missing in the thread, such as the result of a call that is gone, the exit code is
1. docs/reference/thread.md describes the mapping.

With --prefix, render prints instead how much of the thread is the same as in the previous state, which a provider can take
from its prompt cache, and the node and the event at which they differ.

` + historyForms + `

Exit codes: 0 done; 1 done, but content of the snapshot is missing in the thread; 2 the history cannot be read, or there is no such snapshot.`

const renderExample = `  pactkit render agent.json --to openai                 the newest state
  pactkit render agent.json --to anthropic --at @t-1    the state before
  pactkit render agent.json --to openai --prefix        what a prompt cache can use again`

// renderVerb prints threads.
type renderVerb struct {
	*session
	history historyFlags
	files   fileFlags
	to      enumFlag
	at      instantFlag
	edition enumFlag
	pretty  bool
	prefix  bool
	json    bool
}

// threadFormats are the names of the formats that can be written, or read.
func threadFormats(able func(thread.Format) bool) []string {
	var names []string
	for _, f := range thread.Formats() {
		if able(f) {
			names = append(names, f.String())
		}
	}
	return names
}

func (s *session) renderCommand() *cobra.Command {
	v := &renderVerb{session: s}
	cmd := &cobra.Command{
		Use:     "render [FILE] --to FORMAT [--at @t-1]",
		Short:   "Print a snapshot as the thread a provider is sent",
		Long:    renderLong,
		Example: renderExample,
		Args: func(_ *cobra.Command, args []string) error {
			rest, err := v.history.take(args, 0)
			switch {
			case err != nil || len(rest) > 0:
				return errors.New("name one history; several files make one history with -f")
			case v.to.value == "":
				return fmt.Errorf("no format given; --to is one of %s", v.to.Type())
			case v.json && !v.prefix:
				return errors.New("--json requires --prefix")
			case v.pretty && v.prefix:
				return errors.New("--pretty and --prefix cannot be combined")
			}
			return checkStdin(v.history.from...)
		},
		ValidArgsFunction: v.history.completeAfter(0),
		RunE:              func(cmd *cobra.Command, _ []string) error { return v.run(cmd.Context()) },
	}
	v.history.addFrom(cmd)
	addEnum(cmd, &v.to, "to", threadFormats(thread.Format.Renders), "the `FORMAT` of the thread")
	addAt(cmd, &v.at)
	addEnum(cmd, &v.edition, "edition", []string{ast.Edition10.String(), ast.Edition01.String()}, "the edition that the units of pact are written in (default that of the history)")
	cmd.Flags().BoolVar(&v.pretty, "pretty", false, "indent the thread of pact, and end it with a newline")
	cmd.Flags().BoolVar(&v.prefix, "prefix", false, "print how much of the thread is the same as in the previous state")
	cmd.Flags().BoolVar(&v.json, "json", false, "print what --prefix finds as JSON (docs/schemas/prefix.json)")
	v.history.add(cmd)
	v.files.addConfig(cmd)
	return cmd
}

func (v *renderVerb) run(ctx context.Context) error {
	format, err := thread.ParseFormat(v.to.value)
	if err != nil {
		return err
	}
	o := thread.RenderOptions{Pretty: v.pretty || format != thread.Pact}
	switch v.edition.value {
	case ast.Edition10.String():
		o.Edition = new(engine.Edition10)
	case ast.Edition01.String():
		o.Edition = new(engine.Edition01)
	}
	if err := v.source(&v.history, &v.files); err != nil || len(v.history.from) == 0 {
		return err
	}
	t := v.openFrom(ctx, &v.history)
	if t == nil {
		return nil
	}
	snap, err := prepare.Instant(t, v.at.at)
	if err != nil {
		v.fail("%s: %s", v.history.name(), err)
		return nil
	}
	if v.prefix {
		v.reportPrefix(v.history.name(), t, snap, format, o)
		return nil
	}
	r, err := thread.Render(snap, format, o)
	if err != nil {
		return err
	}
	v.writeThread(v.history.name(), r)
	return nil
}

// writeThread prints a thread, and reports what does not fit its format.
func (s *session) writeThread(name string, r thread.Rendered) {
	s.reportNotes(name, r.Notes)
	if slices.ContainsFunc(r.Notes, func(n thread.Note) bool { return n.Kind == thread.Lost }) {
		s.find("%s: content is missing in the thread", name)
	}
	_, _ = s.out.Write(r.JSON) // the last flush reports errors
}

// reportNotes reports what does not fit.
func (s *session) reportNotes(name string, notes []thread.Note) {
	var g noteGroups
	g.add(notes)
	s.reportGroups(name, &g)
}

// noteGroups groups notes, so a kind of which a log may have hundreds is reported once.
type noteGroups struct {
	list    []*noteGroup
	byShape map[string]*noteGroup
	broken  bool // a part of the log is
}

type noteGroup struct {
	first thread.Note
	more  int
}

func (g *noteGroups) add(notes []thread.Note) {
	if g.byShape == nil {
		g.byShape = map[string]*noteGroup{}
	}
	for _, n := range notes {
		g.broken = g.broken || n.Kind == thread.Malformed
		shape := string(n.Kind) + indexes.ReplaceAllString(n.Path, "[]") + quotations.ReplaceAllString(n.Msg, "")
		if one := g.byShape[shape]; one != nil {
			one.more++
			continue
		}
		one := &noteGroup{first: n}
		g.byShape[shape] = one
		g.list = append(g.list, one)
	}
}

// addWrong is add for verbs that read a log and do not keep it: notes about mere differences are
// left out.
func (g *noteGroups) addWrong(n thread.Note) {
	if n.Code != "" {
		g.add([]thread.Note{n})
	}
}

func (s *session) reportGroups(name string, groups *noteGroups) {
	for _, g := range groups.list[:min(len(groups.list), maxReported)] {
		text := visible(g.first.String())
		if g.first.File == "" {
			text = shown(name) + ": " + text
		}
		if g.more > 0 {
			text += fmt.Sprintf(" (and %d more of the kind)", g.more)
		}
		if g.first.Code != "" || g.first.Kind == thread.Lost {
			s.warn("%s", text)
		} else {
			s.note("%s", text)
		}
	}
	if left := len(groups.list) - maxReported; left > 0 {
		s.note("%s: and %d more", shown(name), left)
	}
}

// What distinguishes two notes of one kind.
var (
	indexes    = regexp.MustCompile(`\[[0-9]+\]`)
	quotations = regexp.MustCompile(`"[^"]*"|[0-9]+`)
)

// reportPrefix compares the thread of a state with that of the state before.
func (v *renderVerb) reportPrefix(name string, t *engine.Timeline, snap *engine.Snapshot, f thread.Format, o thread.RenderOptions) {
	back := 0
	for b, s := range t.All() {
		if s == snap {
			back = b
		}
	}
	r, err := thread.Prefix(t, back, f, o)
	if err != nil {
		v.fail("%s: %s", name, visible(err.Error()))
		return
	}
	if v.json {
		v.printJSON(r)
		return
	}
	fmt.Fprintln(v.out, visible(r.Message))
	for _, side := range []struct{ at, node, text string }{{address(back + 1), r.OlderNode, r.OlderText}, {address(back), r.NewerNode, r.NewerText}} {
		if side.node == "" && side.text == "" {
			continue
		}
		fmt.Fprintf(v.out, "  %-6s %s  %s\n", side.at, visible(side.node), clip(visible(strings.Join(strings.Fields(side.text), " ")), v.width()-24))
	}
}
