package eval

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// newRange returns the answer to a range or a pair, without the differences.
func (o Options) newRange(list []state, warnings []diag.Diagnostic) *Range {
	out := &Range{Query: o.Text, Mode: ModePairwise, Warnings: warnings}
	if o.MaxSnapshots > 0 || o.MaxChanges > 0 {
		out.Limits = &Limits{MaxSnapshots: o.MaxSnapshots, MaxChanges: o.MaxChanges}
	}
	for _, st := range list {
		out.Snapshots = append(out.Snapshots, st.ref)
	}
	return out
}

// compare answers a range or a pair: the differences between the results for each snapshot and the
// next older one or, with @mode=reduce, for the newest and the oldest. With an error it returns the
// differences found before.
func (r run) compare(ctx context.Context, list []state, o Options, warnings []diag.Diagnostic) (*Range, error) {
	out := o.newRange(list, warnings)
	if r.mode == ModeReduce {
		out.Mode = r.mode
		if len(list) > 2 {
			list = []state{list[0], list[len(list)-1]}
		}
	}
	if len(list) == 1 { // nothing to compare, but @unique applies
		_, err := r.controlled(ctx, list[0].snap)
		return out, err
	}
	known := results{run: r}
	for i := 1; i < len(list); i++ {
		newer, older := list[i-1], list[i]
		in, gone, err := known.pair(ctx, newer, older)
		if err != nil {
			return out, err
		}
		d, err := o.diff(ctx, newer, older, in, gone)
		if err != nil {
			return out, err
		}
		out.Diffs = append(out.Diffs, d)
		if o.MaxChanges > 0 && d.Stats.Added+d.Stats.Removed+d.Stats.Changed > o.MaxChanges {
			out.Limits.Truncated = true
		}
	}
	return out, nil
}

// diff compares two results.
func (o Options) diff(ctx context.Context, newer, older state, in, out []engine.Node) (Diff, error) {
	changes := engine.DiffNodes(out, in)
	d := Diff{From: newer.ref, To: older.ref, Added: changes.Added, Removed: changes.Removed}
	d.Stats = Stats{len(changes.Added), len(changes.Removed), len(changes.Changed)}
	if room := o.MaxChanges; room > 0 {
		d.Added = d.Added[:min(room, len(d.Added))]
		room -= len(d.Added)
		d.Removed = d.Removed[:min(room, len(d.Removed))]
		room -= len(d.Removed)
		changes.Changed = changes.Changed[:min(room, len(changes.Changed))]
	}
	for _, c := range changes.Changed {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		change := Change{Newer: c.New, Older: c.Old, Fields: c.Fields}
		if o.IncludeContent && slices.Contains(c.Fields, "content_hash") {
			content, err := engine.DiffContent(c.Old, c.New, engine.ContentOptions{
				Mode: o.ContentMode, Context: o.ContextLines, Older: older.ref.Label, Newer: newer.ref.Label,
			})
			if err != nil {
				return d, err
			}
			change.Content = &content
		}
		change.Materialized = slices.Compact(slices.Sorted(slices.Values(o.Materialize)))
		d.Changed = append(d.Changed, change)
	}
	return d, nil
}
