package open

import (
	"context"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/parser"
)

// FindNode returns the ids of the nodes that an argument names: an id that any state had, or what a
// selector selects in the newest state in which it selects anything, or in the one that it names.
// It reports an error and returns none.
func FindNode(ctx context.Context, r *verb.Run, name string, t *engine.Timeline, arg string) []string {
	if calls.HasID(t, arg) {
		return []string{arg}
	}
	if !strings.ContainsAny(arg, " .#{[+>*(@^") { // every selector has one of these
		r.Fail("%s: no node ever had the id %q", verb.Shown(name), verb.Visible(arg))
		if n := strings.TrimPrefix(arg, "c"); n != "" && strings.Trim(n, "0123456789") == "" {
			r.Hint("the address of a call is @c%s", n)
		} else if near := names.Nearest(arg, calls.IDs(t)); near != "" {
			r.Hint("did you mean %q?", verb.Visible(near))
		}
		return nil
	}
	edition := EditionOf("", nil, t)
	q, plan, found := compiled.Compile(arg, parser.Options{Edition: edition})
	if plan == nil {
		ReportFound(r, arg, found)
		return nil
	}
	if q.Time != nil && q.Time.Kind != ast.TimeAt {
		r.Fail("a range does not name a node; leave out the time, or name one state")
		return nil
	}
	ReportSelector(r, "", arg, append(found, WordFacts(nil, t).Unknown(ctx, arg, edition)...))
	var snaps []*engine.Snapshot
	if q.Time != nil {
		snap, err := compiled.Instant(t, q.Time.From)
		if err != nil {
			r.Fail("%s: %s", verb.Shown(name), err)
			return nil
		}
		snaps = []*engine.Snapshot{snap}
	} else {
		for _, snap := range t.All() {
			snaps = append(snaps, snap)
		}
	}
	for _, snap := range snaps {
		nodes, err := plan.Nodes(ctx, snap)
		if err != nil {
			FailEval(r, arg, err)
			return nil
		}
		if len(nodes) > 0 {
			ids := make([]string, len(nodes))
			for i, n := range nodes {
				ids[i] = n.ID()
			}
			return ids
		}
	}
	r.Fail("%s: no state has a node that %s selects", verb.Shown(name), verb.Visible(arg))
	return nil
}
