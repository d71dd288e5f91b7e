package look

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/parser"
)

const diffLong = `Show what changed from one state to another, node by node.

The states are the newest of two histories, or two addresses of one, named by FILE or -f. Nodes are compared by their
ids. Added and changed nodes come in the order of the second state, removed ones in that of the first. With --select, only
the nodes that the selector selects are compared; it is applied to each state, and is written without a time.

Two runs, whose nodes were numbered independently of each other, are aligned instead: nodes with the same content in the
same order match. Then diff prints how many calls were sent the same, where the runs diverge, which nodes only one of them
had, and which left in only one of them (docs/schemas/runs.json).

On a terminal the changes are lines: + added, - removed, ~ changed. Elsewhere they are JSON in the form of the
specification, {"added":[…],"removed":[…],"changed":[{"id":…,"fields":[…]}]}, and a newline (docs/schemas/diff.json).
--detail adds changes of the structure: children by parent, changed parents and offsets, and content that was removed in
one place and added in another.

With --fidelity, SESSION is the log of an agent and RECORDING has what it really sent: bodies of requests, a trace bundle, or a
recording of 'pactkit record'. For each call that both have, diff prints which parts of the request the log lacks or has
wrongly, and how many calls are equal: all messages are, part by part, as the provider sees them. The system prompt, the tools
and the other settings are counted apart, because many logs never have them (docs/schemas/fidelity.json). A placeholder of
record --redact stands for any text.

` + open.SessionForms + `

Exit codes: 0 done, whether something changed or not; 1 the selector has errors, or with --fidelity a call differs or only one
side has an answered one; 2 a history cannot be read, or has no such address.`

const diffExample = `  pactkit diff agent.json @t-1 @t0 --detail
  pactkit diff agent.json later.json
  pactkit diff refund.jsonl kept.jsonl --format text    where two runs diverge
  pactkit diff agent.json @t-5 @t0 --select '.block+tool' --format json
  pactkit diff --fidelity session.jsonl kept.jsonl     does the log say what was sent?`

// diffVerb compares two states.
type diffVerb struct {
	*verb.Run
	history   open.SessionFlags
	files     []string // two histories, or none
	addresses [2]open.InstantFlag
	selector  open.SelectorFlags
	format    verb.EnumFlag
	text      string
	detail    bool
	json      bool
	fidelity  bool
}

// Diff returns the verb diff.
func Diff(r *verb.Run) *cobra.Command {
	v := &diffVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "diff A B | diff [FILE] @t-1 @t0 | diff --fidelity SESSION RECORDING",
		Short:   "Show what changed between two states",
		Long:    diffLong,
		Example: diffExample,
		Args:    func(_ *cobra.Command, args []string) error { return v.readArgs(args) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 && strings.HasPrefix(word, "@") || len(args) == 2 {
				return open.Instants, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
			}
			return open.CompleteHistories(2)(cmd, args, word)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return v.run(cmd.Context()) },
	}
	v.history.AddFrom(cmd)
	cmd.Flags().StringVar(&v.text, "select", "", "compare only what the `SELECTOR` selects")
	cmd.Flags().BoolVar(&v.detail, "detail", false, "add changes of the structure")
	cmd.Flags().BoolVar(&v.fidelity, "fidelity", false, "compare what a log says of each call with what was sent")
	cmd.Flags().BoolVar(&v.json, "json", false, "the same as --format json")
	verb.AddEnum(cmd, &v.format, "format", []string{"text", "json"}, "how to print the changes (default text on a terminal, else json)")
	v.selector.Add(cmd)
	v.history.Add(cmd)
	return cmd
}

// readArgs distinguishes two files from two addresses.
func (v *diffVerb) readArgs(args []string) error {
	isAddress := func(arg string) bool { return strings.HasPrefix(arg, "@") }
	n := len(args)
	if v.fidelity {
		if n != 2 || len(v.history.From) > 0 || isAddress(args[0]) || isAddress(args[1]) || v.text != "" || v.detail {
			return errors.New("diff --fidelity compares the log of a session with a recording of it; name the two")
		}
		v.files = args
		return nil
	}
	if n == 2 && len(v.history.From) == 0 && !isAddress(args[0]) && !isAddress(args[1]) {
		v.files = args
		return open.CheckStdin(args...)
	}
	if n == 1 && isAddress(args[0]) || n == 2 && isAddress(args[0]) != isAddress(args[1]) {
		return errors.New("diff compares two addresses; name the second one")
	}
	if n == 3 && len(v.history.From) == 0 {
		v.history.From, args = args[:1], args[1:]
	}
	if len(args) != 2 {
		return errors.New("diff compares two histories, or two addresses of one")
	}
	for i := range v.addresses {
		if err := v.addresses[i].Set(args[i]); err != nil {
			return fmt.Errorf("invalid address %q: %w", args[i], err)
		}
	}
	return open.CheckStdin(v.history.From...)
}

func (v *diffVerb) run(ctx context.Context) error {
	if v.json {
		v.format.Value = "json"
	}
	cfg, err := v.selector.Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	if v.fidelity {
		return v.diffFidelity(ctx)
	}
	older, newer, ok, err := v.states(ctx, cfg)
	if err != nil || !ok {
		return err
	}
	changes, ok := v.compare(ctx, cfg, older, newer)
	switch {
	case !ok:
	case v.format.Value == "text" || v.format.Value == "" && v.OutTerm:
		v.print(changes)
	default:
		_, _ = v.Out.Write(append(v.appendJSON(nil, changes), '\n')) // the last flush reports errors
	}
	return nil
}

// states reads the two states to compare.
func (v *diffVerb) states(ctx context.Context, cfg *config.Config) (older, newer *engine.Snapshot, ok bool, err error) {
	if len(v.files) == 2 {
		a, b := open.OneSession(ctx, v.Run, v.files[0], &v.history), open.OneSession(ctx, v.Run, v.files[1], &v.history)
		if a == nil || b == nil || v.newest(v.files[0], a.Timeline) == nil || v.newest(v.files[1], b.Timeline) == nil {
			return nil, nil, false, nil
		}
		switch {
		case comparable(a.Timeline, b.Timeline):
			return a.Timeline.At(0), b.Timeline.At(0), true, nil
		case v.text != "" || v.detail:
			return nil, nil, false, errors.New("--select and --detail are for two states of one history; these are two runs, which are aligned")
		}
		v.diffRuns(ctx, a, b)
		return nil, nil, false, nil
	}
	if err := v.history.OrFixture(cfg); err != nil {
		return nil, nil, false, err
	}
	t := open.From(ctx, v.Run, &v.history.HistoryFlags)
	if t == nil {
		return nil, nil, false, nil
	}
	var found [2]*engine.Snapshot
	for i, address := range v.addresses {
		snap, err := compiled.Instant(t, address.At)
		if err != nil {
			v.Fail("%s: %s", v.history.Name(), err)
		}
		found[i] = snap
	}
	return found[0], found[1], found[0] != nil && found[1] != nil, nil
}

// newest returns the newest state of a history. If the history is empty, it reports an error and
// returns nil.
func (v *diffVerb) newest(name string, t *engine.Timeline) *engine.Snapshot {
	snap, err := compiled.Instant(t, ast.Instant{})
	if err != nil {
		v.Fail("%s: %s", verb.Shown(name), err)
	}
	return snap
}

// comparable reports whether the same id refers to the same node in both files: because one file
// continues the history of the other, or because the engine numbered none of the nodes (decision
// V1).
func comparable(a, b *engine.Timeline) bool {
	if descends(a, b) || descends(b, a) {
		return true
	}
	for _, t := range []*engine.Timeline{a, b} {
		for n := range t.At(0).All() {
			if numbered.MatchString(n.ID()) {
				return false
			}
		}
	}
	return true
}

// numbered matches the ids that the engine gives.
var numbered = regexp.MustCompile(`:[0-9]+$`)

// descends reports whether later continues earlier: whether it holds the newest sealed snapshot of
// earlier.
func descends(later, earlier *engine.Timeline) bool {
	var newest *engine.Snapshot
	for s := range earlier.Sealed() {
		newest = s
	}
	if newest == nil {
		return false
	}
	same, _ := later.OfCycle(newest.Cycle())
	return same != nil && bytes.Equal(same.AppendJSON(nil), newest.AppendJSON(nil))
}

// compare finds the changes. It returns false if the selector has errors.
func (v *diffVerb) compare(ctx context.Context, cfg *config.Config, older, newer *engine.Snapshot) (engine.Changes, bool) {
	if v.text == "" {
		return engine.Diff(older, newer), true
	}
	edition := open.EditionOf(v.selector.Edition.Value, cfg, newer.Timeline())
	q, plan := open.PlanOf(v.Run, v.text, parser.Options{Edition: edition, NoLegacy: v.selector.NoLegacy})
	if plan == nil {
		return engine.Changes{}, false
	}
	if q.Time != nil || len(q.Controls()) > 0 {
		const what = "a selector to compare by has no time and no controls: the addresses say what is compared"
		open.ReportFound(v.Run, v.text, []diag.Diagnostic{{Code: diag.SelectorInvalid, Span: q.Bounds(), Message: what}})
		return engine.Changes{}, false
	}
	words := open.WordFacts(cfg, newer.Timeline(), older.Timeline())
	open.ReportSelector(v.Run, "", v.text, words.Unknown(ctx, v.text, edition))
	var sets [2][]engine.Node
	for i, snap := range [2]*engine.Snapshot{older, newer} {
		nodes, err := plan.Nodes(ctx, snap)
		if err != nil {
			open.FailEval(v.Run, v.text, err)
			return engine.Changes{}, false
		}
		sets[i] = nodes
	}
	return engine.DiffNodes(sets[0], sets[1]), true
}

// appendJSON appends the changes in the form of the specification. --detail adds members.
func (v *diffVerb) appendJSON(dst []byte, c engine.Changes) []byte {
	dst = c.AppendJSON(dst)
	if !v.detail {
		return dst
	}
	d := c.Details()
	v.warnCollisions(d)
	dst = dst[:len(dst)-1]
	families := func(name string, list []engine.Family) {
		dst = appendMember(dst, name, list, func(dst []byte, f engine.Family) []byte {
			dst = append(append(dst, `{"parent":`...), open.Quoted(f.Parent)...)
			dst = appendMember(dst, "children", f.Children, func(dst []byte, id string) []byte { return append(dst, open.Quoted(id)...) })
			return append(dst, '}')
		})
	}
	changes := func(name, from, to string, list []engine.Change, id bool, value func(engine.Node) string) {
		dst = appendMember(dst, name, list, func(dst []byte, ch engine.Change) []byte {
			dst = append(dst, '{')
			if id {
				dst = append(append(append(dst, `"id":`...), open.Quoted(ch.New.ID())...), ',')
			}
			return fmt.Appendf(dst, `%q:%s,%q:%s}`, from, value(ch.Old), to, value(ch.New))
		})
	}
	families("children_added", d.ChildrenAdded)
	families("children_removed", d.ChildrenRemoved)
	changes("parent_changed", "previous_parent_id", "new_parent_id", d.ParentChanged, true, func(n engine.Node) string { return n.Header("parent_id").String() })
	changes("offset_changed", "previous_offset", "new_offset", d.OffsetChanged, true, func(n engine.Node) string { return n.Offset().String() })
	changes("moved", "removed", "added", d.Moved, false, func(n engine.Node) string { return open.Quoted(n.ID()) })
	return append(dst, '}')
}

// appendMember appends a member that holds a list.
func appendMember[T any](dst []byte, name string, list []T, item func([]byte, T) []byte) []byte {
	dst = append(append(dst, ','), open.Quoted(name)...)
	dst = append(dst, ":["...)
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = item(dst, x)
	}
	return append(dst, ']')
}

// print shows the changes to people.
func (v *diffVerb) print(c engine.Changes) {
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	for _, n := range c.Removed {
		fmt.Fprintln(v.Out, open.RemovedLine(r, n))
	}
	for _, n := range c.Added {
		fmt.Fprintln(v.Out, open.AddedLine(r, n))
	}
	for _, ch := range c.Changed {
		fmt.Fprintln(v.Out, open.ChangedLine(r, ch))
	}
	if v.detail {
		d := c.Details()
		v.warnCollisions(d)
		v.printDetails(d)
	}
	fmt.Fprintf(v.Out, "%d added, %d removed, %d changed\n", len(c.Added), len(c.Removed), len(c.Changed))
}

// warnCollisions warns that nodes with different contents have one content hash (decision E70).
func (v *diffVerb) warnCollisions(d engine.Details) {
	for _, ch := range d.Collisions {
		v.Warn("%s and %s have different contents and the same content_hash, %s", verb.Visible(ch.Old.ID()), verb.Visible(ch.New.ID()), verb.Visible(ch.New.ContentHash()))
	}
}

func (v *diffVerb) printDetails(d engine.Details) {
	families := func(what string, list []engine.Family) {
		for _, f := range list {
			ids := make([]string, len(f.Children))
			for i, id := range f.Children {
				ids[i] = verb.Visible(id)
			}
			fmt.Fprintf(v.Out, "%s %s: %s\n", verb.Visible(f.Parent), what, strings.Join(ids, " "))
		}
	}
	families("lost", d.ChildrenRemoved)
	families("gained", d.ChildrenAdded)
	for _, ch := range d.Moved {
		fmt.Fprintf(v.Out, "%s holds what %s held\n", verb.Visible(ch.New.ID()), verb.Visible(ch.Old.ID()))
	}
}
