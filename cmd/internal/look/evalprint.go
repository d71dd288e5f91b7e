package look

import (
	"errors"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

// formatOf returns the format in which a result is printed.
func (v *evalVerb) formatOf(r *eval.Result) string {
	switch {
	case v.format.Value != "":
		return v.format.Value
	case v.OutTerm:
		return "table"
	case r.Kind == eval.KindRange:
		return "json"
	}
	return "ids"
}

// print prints a result in the requested format.
func (v *evalVerb) print(t *engine.Timeline, r *eval.Result) error {
	format := v.formatOf(r)
	if r.Kind == eval.KindRange && (format == "ids" || format == "tree") {
		return errors.New("a range gives differences; use --format table, json or jsonl")
	}
	switch format {
	case "ids":
		for _, id := range r.IDs() {
			if v.OutTerm { // a program gets the raw id
				id = verb.Visible(id)
			}
			fmt.Fprintln(v.Out, id)
		}
	case "json":
		_, _ = v.Out.Write(append(r.AppendJSON(nil), '\n')) // the last flush reports errors
	case "jsonl":
		v.printLines(r)
	case "tree":
		v.printTree(t, nodesOf(r))
	default:
		if r.Kind == eval.KindRange {
			v.printRange(r.Range)
		} else {
			return v.printTable(t, nodesOf(r))
		}
	}
	return nil
}

// nodesOf returns the nodes of a result. A range has none.
func nodesOf(r *eval.Result) []engine.Node {
	if r.Kind != eval.KindLatest {
		return r.Nodes
	}
	var nodes []engine.Node
	for _, l := range r.Latest {
		nodes = append(nodes, l.Node)
	}
	return nodes
}

// printLines prints one JSON value per line.
func (v *evalVerb) printLines(r *eval.Result) {
	switch r.Kind {
	case eval.KindRange:
		for _, d := range r.Range.Diffs {
			one := eval.Result{Kind: eval.KindRange, Range: &eval.Range{Query: r.Range.Query, Mode: r.Range.Mode, Snapshots: []eval.Ref{d.From, d.To}, Diffs: []eval.Diff{d}}}
			_, _ = v.Out.Write(append(one.AppendJSON(nil), '\n'))
		}
	case eval.KindLatest:
		for _, l := range r.Latest {
			fmt.Fprintf(v.Out, "{\"snapshot\":%s,\"node\":%s}\n", open.Quoted(l.Snapshot.Label), nodeJSON(l.Node))
		}
	default:
		for _, n := range r.Nodes {
			fmt.Fprintf(v.Out, "%s\n", nodeJSON(n))
		}
	}
}

// nodeJSON writes a node with all members except its children.
func nodeJSON(n engine.Node) string {
	var b strings.Builder
	sep := "{"
	for _, name := range n.Headers() {
		b.WriteString(sep + open.Quoted(name) + ":" + n.Header(name).String())
		sep = ","
	}
	b.WriteString("}")
	return b.String()
}

// printTree prints nodes in their tree: their ancestors, and a star at each node.
func (v *evalVerb) printTree(t *engine.Timeline, nodes []engine.Node) {
	states := open.StateNames(t, nodes)
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	var order []*engine.Snapshot
	groups := map[*engine.Snapshot][]engine.Node{}
	for _, n := range nodes {
		s := n.Snapshot()
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], n)
	}
	for _, s := range order {
		if states != nil {
			fmt.Fprintln(v.Out, r.Paint(verb.Bold, states[s]))
		}
		marked, shown := map[string]bool{}, map[string]bool{}
		for _, n := range groups[s] {
			marked[n.ID()] = true
			for up, ok := n, true; ok && !shown[up.ID()]; up, ok = up.Parent() {
				shown[up.ID()] = true
			}
		}
		v.printBranch(r, s.Root(), 0, marked, shown)
	}
	fmt.Fprintln(v.Out, verb.Count(len(nodes), "node"))
}

func (v *evalVerb) printBranch(r *verb.Reporter, n engine.Node, level int, marked, shown map[string]bool) {
	indent := strings.Repeat("  ", level)
	label := verb.Visible(n.ID())
	if label != verb.Visible(n.Type()) {
		label += "  " + verb.Visible(n.Type())
	}
	if offset := n.Offset(); offset.Cmp(engine.Int(0)) != 0 {
		label += fmt.Sprintf("  offset %s", offset)
	}
	if !marked[n.ID()] {
		fmt.Fprintf(v.Out, "  %s%s\n", indent, label)
	} else {
		used := len(indent) + 2 + displaywidth.String(label) + 2
		line := fmt.Sprintf("%s%s%s  %s", indent, r.Paint("1;32", "* "), r.Paint(verb.Bold, label), open.PreviewOf(n, max(verb.LeastPreview, v.Width()-used)))
		fmt.Fprintln(v.Out, strings.TrimRight(line, " "))
	}
	for child := range n.Children() {
		if shown[child.ID()] {
			v.printBranch(r, child, level+1, marked, shown)
		}
	}
}

// printRange prints the differences of a range as text.
func (v *evalVerb) printRange(rg *eval.Range) {
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	if len(rg.Snapshots) == 0 {
		fmt.Fprintln(v.Out, "no snapshots")
	}
	if len(rg.Diffs) == 0 {
		for _, ref := range rg.Snapshots {
			fmt.Fprintf(v.Out, "%s  cycle %d\n", ref.Label, ref.Cycle)
		}
	}
	unchanged := 0
	for i, d := range rg.Diffs {
		if d.Stats == (eval.Stats{}) && len(d.Added)+len(d.Removed)+len(d.Changed) == 0 {
			unchanged++
			if i+1 == len(rg.Diffs) {
				v.printUnchanged(rg.Diffs[i+1-unchanged:], r)
			}
			continue
		}
		v.printUnchanged(rg.Diffs[i-unchanged:i], r)
		unchanged = 0
		v.printDiff(&d, r)
	}
	if rg.Limits != nil && rg.Limits.Truncated {
		fmt.Fprintln(v.Out, "cut off by --max-changes")
	}
}

// printUnchanged prints a run of empty differences, newest first, as one line.
func (v *evalVerb) printUnchanged(run []eval.Diff, r *verb.Reporter) {
	if len(run) == 0 {
		return
	}
	line := r.Paint(verb.Bold, fmt.Sprintf("%s → %s", run[len(run)-1].To.Label, run[0].From.Label)) + "  no change"
	if len(run) > 1 {
		line += fmt.Sprintf(" in %d steps", len(run))
	}
	fmt.Fprintln(v.Out, line)
}

// printDiff prints one difference.
func (v *evalVerb) printDiff(d *eval.Diff, r *verb.Reporter) {
	fmt.Fprintf(v.Out, "%s  %d added, %d removed, %d changed\n",
		r.Paint(verb.Bold, fmt.Sprintf("%s → %s", d.To.Label, d.From.Label)), d.Stats.Added, d.Stats.Removed, d.Stats.Changed)
	for _, n := range d.Removed {
		fmt.Fprintln(v.Out, "  "+open.RemovedLine(r, n))
	}
	for _, n := range d.Added {
		fmt.Fprintln(v.Out, "  "+open.AddedLine(r, n))
	}
	for _, c := range d.Changed {
		fmt.Fprintln(v.Out, "  "+open.ChangedLine(r, engine.Change{Old: c.Older, New: c.Newer, Fields: c.Fields}))
		if c.Content != nil && c.Content.Diff != "" {
			fmt.Fprintf(v.Out, "      %s\n", strings.ReplaceAll(strings.TrimRight(verb.Sanitize(c.Content.Diff), "\n"), "\n", "\n      "))
		}
	}
}
