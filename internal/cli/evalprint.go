package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

// formatOf returns the format in which a result is printed.
func (v *evalVerb) formatOf(r *eval.Result) string {
	switch {
	case v.format.value != "":
		return v.format.value
	case v.outTerm:
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
			if v.outTerm { // a program gets the raw id
				id = visible(id)
			}
			fmt.Fprintln(v.out, id)
		}
	case "json":
		_, _ = v.out.Write(append(r.AppendJSON(nil), '\n')) // the last flush reports errors
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
			_, _ = v.out.Write(append(one.AppendJSON(nil), '\n'))
		}
	case eval.KindLatest:
		for _, l := range r.Latest {
			fmt.Fprintf(v.out, "{\"snapshot\":%s,\"node\":%s}\n", quoted(l.Snapshot.Label), nodeJSON(l.Node))
		}
	default:
		for _, n := range r.Nodes {
			fmt.Fprintf(v.out, "%s\n", nodeJSON(n))
		}
	}
}

// nodeJSON writes a node with all members except its children.
func nodeJSON(n engine.Node) string {
	var b strings.Builder
	sep := "{"
	for _, name := range n.Headers() {
		b.WriteString(sep + quoted(name) + ":" + n.Header(name).String())
		sep = ","
	}
	b.WriteString("}")
	return b.String()
}

// stateNames returns the addresses of the states that nodes come from. It returns nil if all come
// from the newest.
func stateNames(t *engine.Timeline, nodes []engine.Node) map[*engine.Snapshot]string {
	names := map[*engine.Snapshot]string{}
	for _, n := range nodes {
		names[n.Snapshot()] = ""
	}
	if len(names) == 0 || len(names) == 1 && nodes[0].Snapshot() == t.At(0) {
		return nil
	}
	for back, s := range t.All() {
		if _, ok := names[s]; ok {
			names[s] = address(back)
		}
	}
	return names
}

// address returns the address of the state a number of steps back.
func address(back int) string {
	if back == 0 {
		return "@t0"
	}
	return fmt.Sprintf("@t-%d", back)
}

// width returns the width of the terminal, or the usual one.
func (s *session) width() int {
	if s.outWidth > 0 {
		return s.outWidth
	}
	return plainWidth
}

// printTree prints nodes in their tree: their ancestors, and a star at each node.
func (v *evalVerb) printTree(t *engine.Timeline, nodes []engine.Node) {
	states := stateNames(t, nodes)
	r := newReporter(v.out, "", "", v.paints)
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
			fmt.Fprintln(v.out, r.paint(bold, states[s]))
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
	fmt.Fprintln(v.out, count(len(nodes), "node"))
}

func (v *evalVerb) printBranch(r *reporter, n engine.Node, level int, marked, shown map[string]bool) {
	indent := strings.Repeat("  ", level)
	label := visible(n.ID())
	if label != visible(n.Type()) {
		label += "  " + visible(n.Type())
	}
	if offset := n.Offset(); offset.Cmp(engine.Int(0)) != 0 {
		label += fmt.Sprintf("  offset %s", offset)
	}
	if !marked[n.ID()] {
		fmt.Fprintf(v.out, "  %s%s\n", indent, label)
	} else {
		used := len(indent) + 2 + displaywidth.String(label) + 2
		line := fmt.Sprintf("%s%s%s  %s", indent, r.paint("1;32", "* "), r.paint(bold, label), previewOf(n, max(leastPreview, v.width()-used)))
		fmt.Fprintln(v.out, strings.TrimRight(line, " "))
	}
	for child := range n.Children() {
		if shown[child.ID()] {
			v.printBranch(r, child, level+1, marked, shown)
		}
	}
}

// printRange prints the differences of a range as text.
func (v *evalVerb) printRange(rg *eval.Range) {
	r := newReporter(v.out, "", "", v.paints)
	if len(rg.Snapshots) == 0 {
		fmt.Fprintln(v.out, "no snapshots")
	}
	if len(rg.Diffs) == 0 {
		for _, ref := range rg.Snapshots {
			fmt.Fprintf(v.out, "%s  cycle %d\n", ref.Label, ref.Cycle)
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
		fmt.Fprintln(v.out, "cut off by --max-changes")
	}
}

// printUnchanged prints a run of empty differences, newest first, as one line.
func (v *evalVerb) printUnchanged(run []eval.Diff, r *reporter) {
	if len(run) == 0 {
		return
	}
	line := r.paint(bold, fmt.Sprintf("%s → %s", run[len(run)-1].To.Label, run[0].From.Label)) + "  no change"
	if len(run) > 1 {
		line += fmt.Sprintf(" in %d steps", len(run))
	}
	fmt.Fprintln(v.out, line)
}

// printDiff prints one difference.
func (v *evalVerb) printDiff(d *eval.Diff, r *reporter) {
	fmt.Fprintf(v.out, "%s  %d added, %d removed, %d changed\n",
		r.paint(bold, fmt.Sprintf("%s → %s", d.To.Label, d.From.Label)), d.Stats.Added, d.Stats.Removed, d.Stats.Changed)
	for _, n := range d.Removed {
		fmt.Fprintln(v.out, "  "+removedLine(r, n))
	}
	for _, n := range d.Added {
		fmt.Fprintln(v.out, "  "+addedLine(r, n))
	}
	for _, c := range d.Changed {
		fmt.Fprintln(v.out, "  "+changedLine(r, engine.Change{Old: c.Older, New: c.Newer, Fields: c.Fields}))
		if c.Content != nil && c.Content.Diff != "" {
			fmt.Fprintf(v.out, "      %s\n", strings.ReplaceAll(strings.TrimRight(sanitize(c.Content.Diff), "\n"), "\n", "\n      "))
		}
	}
}
