package cli

import (
	"context"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/parser"
)

// findNode returns the ids of the nodes that an argument names: an id that any state had, or what a
// selector selects in the newest state in which it selects anything, or in the one that it names.
// It reports an error and returns none.
func (s *session) findNode(ctx context.Context, name string, t *engine.Timeline, arg string) []string {
	if calls.HasID(t, arg) {
		return []string{arg}
	}
	if !strings.ContainsAny(arg, " .#{[+>*(@^") { // every selector has one of these
		s.fail("%s: no node ever had the id %q", shown(name), visible(arg))
		if near := nearest.Word(arg, calls.IDs(t)); near != "" {
			s.hint("did you mean %q?", visible(near))
		}
		return nil
	}
	edition := editionOf("", nil, t)
	q, plan, found := prepare.Compile(arg, parser.Options{Edition: edition})
	if plan == nil {
		s.reportFound(arg, found)
		return nil
	}
	if q.Time != nil && q.Time.Kind != ast.TimeAt {
		s.fail("a range does not name a node; leave out the time, or name one state")
		return nil
	}
	s.reportSelector("", arg, append(found, wordFacts(nil, t).Unknown(ctx, arg, edition)...))
	var snaps []*engine.Snapshot
	if q.Time != nil {
		snap, err := prepare.Instant(t, q.Time.From)
		if err != nil {
			s.fail("%s: %s", shown(name), err)
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
			s.failEval(arg, err)
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
	s.fail("%s: no state has a node that %s selects", shown(name), visible(arg))
	return nil
}
