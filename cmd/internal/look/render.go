package look

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/thread"
)

const renderLong = `Print a snapshot of a history as the thread of messages that a provider is sent.

pact is the thread of the specification, as compact JSON without a newline; --pretty indents it and adds a newline. The
other formats are indented JSON with a final newline; langchain, pydantic-ai, ai-sdk and ai-sdk-ui are lists that the
loaders of these frameworks take. Members that a format cannot express are reported on standard error, and stay in the
history. If content is missing in the thread, such as the result of a call that is gone, the exit code is 1.
docs/reference/thread.md describes the mapping.

With --prefix, render prints instead how much of the thread is the same as in the previous state, which a provider can take
from its prompt cache, and the node and the event at which they differ.

` + open.HistoryForms + `

Exit codes: 0 done; 1 done, but content of the snapshot is missing in the thread; 2 the history cannot be read, or there is no such snapshot.`

const renderExample = `  pactkit render agent.json --to openai                 the newest state
  pactkit render agent.json --to anthropic --at @t-1    the state before
  pactkit render agent.json --to openai --prefix        what a prompt cache can use again`

// renderVerb prints threads.
type renderVerb struct {
	*verb.Run
	history open.HistoryFlags
	files   verb.FileFlags
	to      verb.EnumFlag
	at      open.InstantFlag
	edition verb.EnumFlag
	pretty  bool
	prefix  bool
	json    bool
}

// Render returns the verb render.
func Render(r *verb.Run) *cobra.Command {
	v := &renderVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "render [FILE] --to FORMAT [--at @t-1]",
		Short:   "Print a snapshot as the thread a provider is sent",
		Long:    renderLong,
		Example: renderExample,
		Args: func(_ *cobra.Command, args []string) error {
			rest, err := v.history.Take(args, 0)
			switch {
			case err != nil || len(rest) > 0:
				return errors.New("name one history; several files make one history with -f")
			case v.to.Value == "":
				return fmt.Errorf("no format given; --to is one of %s", v.to.Type())
			case v.json && !v.prefix:
				return errors.New("--json requires --prefix")
			case v.pretty && v.prefix:
				return errors.New("--pretty and --prefix cannot be combined")
			}
			return open.CheckStdin(v.history.From...)
		},
		ValidArgsFunction: v.history.CompleteAfter(0),
		RunE:              func(cmd *cobra.Command, _ []string) error { return v.run(cmd.Context()) },
	}
	v.history.AddFrom(cmd)
	verb.AddEnum(cmd, &v.to, "to", threadFormats(thread.Format.Renders), "the `FORMAT` of the thread")
	open.AddAt(cmd, &v.at)
	verb.AddEnum(cmd, &v.edition, "edition", []string{ast.Edition10.String(), ast.Edition01.String()}, "the edition that the units of pact are written in (default that of the history)")
	cmd.Flags().BoolVar(&v.pretty, "pretty", false, "indent the thread of pact, and end it with a newline")
	cmd.Flags().BoolVar(&v.prefix, "prefix", false, "print how much of the thread is the same as in the previous state")
	cmd.Flags().BoolVar(&v.json, "json", false, "print what --prefix finds as JSON (docs/schemas/prefix.json)")
	v.history.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *renderVerb) run(ctx context.Context) error {
	format, err := thread.ParseFormat(v.to.Value)
	if err != nil {
		return err
	}
	o := thread.RenderOptions{Pretty: v.pretty || format != thread.Pact}
	switch v.edition.Value {
	case ast.Edition10.String():
		o.Edition = new(engine.Edition10)
	case ast.Edition01.String():
		o.Edition = new(engine.Edition01)
	}
	if err := open.Source(v.Run, &v.history, &v.files); err != nil || len(v.history.From) == 0 {
		return err
	}
	t := open.From(ctx, v.Run, &v.history)
	if t == nil {
		return nil
	}
	snap, err := compiled.Instant(t, v.at.At)
	if err != nil {
		v.Fail("%s: %s", v.history.Name(), err)
		return nil
	}
	if v.prefix {
		v.reportPrefix(v.history.Name(), t, snap, format, o)
		return nil
	}
	return writeThread(v.Run, v.history.Name(), snap, format, o)
}

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
		v.Fail("%s: %s", name, verb.Visible(err.Error()))
		return
	}
	if v.json {
		v.PrintJSON(r)
		return
	}
	fmt.Fprintln(v.Out, verb.Visible(r.Message))
	for _, side := range []struct{ at, node, text string }{{open.Address(back + 1), r.OlderNode, r.OlderText}, {open.Address(back), r.NewerNode, r.NewerText}} {
		if side.node == "" && side.text == "" {
			continue
		}
		fmt.Fprintf(v.Out, "  %-6s %s  %s\n", side.at, verb.Visible(side.node), verb.Clip(verb.Visible(strings.Join(strings.Fields(side.text), " ")), v.Width()-24))
	}
}
