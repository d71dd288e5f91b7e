package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/fileuri"
)

// maxLenses bounds the lenses of a document.
const maxLenses = 5000

// nodeLens is the data of a lens for a node of a fixture, which a client sends back to resolve the
// lens.
type nodeLens struct {
	URI string `json:"uri"`
	ID  string `json:"id"`
}

// nodeLenses returns the lenses of the nodes of a fixture: each at the first node with its id, at
// most one per line.
func (d *document) nodeLenses() []protocol.CodeLens {
	list := []protocol.CodeLens{}
	seen := map[string]bool{}
	last := -1
	for id, at := range d.nodeIDs() {
		line, _ := d.lines.Line(at.Start)
		if line == last || seen[id] {
			continue
		}
		seen[id], last = true, line
		if list = append(list, protocol.CodeLens{Range: d.rangeOf(at), Data: nodeLens{d.uri, id}}); len(list) == maxLenses {
			break
		}
	}
	return list
}

// resolveLens answers codeLens/resolve. The lens of a node shows how many selectors of the
// workspace select the node. All other lenses are complete already.
func (s *server) resolveLens(ctx context.Context, v *view, p *map[string]json.RawMessage) (any, error) {
	lens := *p
	var data nodeLens
	var at protocol.Range
	if json.Unmarshal(lens["data"], &data) != nil || data.ID == "" || json.Unmarshal(lens["range"], &at) != nil {
		return lens, nil
	}
	counts, err := s.matches.of(ctx, s, v, fileuri.Path(data.URI))
	if err != nil {
		return nil, err
	}
	title := "matched by " + plural(counts[data.ID], "selector")
	if counts[data.ID] == 0 {
		title = "matched by no selector"
	}
	lens["command"], err = json.Marshal(protocol.Command{Title: title, Command: lookupCommand, Arguments: []any{data.URI, at}})
	return lens, err
}

// matchCounts counts the selectors of the workspace that select each node of each fixture.
type matchCounts struct {
	mu       sync.Mutex
	snapshot int64                     // the counts belong to it
	changes  int64                     // number of changes of the workspace before the counting
	fixtures map[string]map[string]int // by path and id
}

// of returns how many selectors select each node of a fixture. It counts once for each state of the
// workspace.
func (m *matchCounts) of(ctx context.Context, s *server, v *view, path string) (map[string]int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sn, changes := v.snapshot, s.refresh.count()
	if m.snapshot != sn.number || m.changes != changes {
		m.snapshot, m.changes, m.fixtures = sn.number, changes, map[string]map[string]int{}
	}
	if counts, ok := m.fixtures[path]; ok {
		return counts, nil
	}
	x, err := sn.facts.Fixture(ctx, path)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	answers := map[string]map[string]bool{} // by text: the same selector may occur often
	for d := range s.files(ctx, v, scanTitle) {
		a := d.analyze(ctx, sn)
		for sel := range a.all(ctx) {
			if sel.Bad || a.doubtful(sel) {
				continue
			}
			ids, known := answers[sel.Text]
			if !known {
				ids = selected(ctx, a.plan(sel), x.Timeline)
				answers[sel.Text] = ids
			}
			for id := range maps.Keys(ids) {
				counts[id]++
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.fixtures[path] = counts
	return counts, nil
}

// selected returns the ids of the nodes that a plan selects in a history.
func selected(ctx context.Context, plan *eval.Plan, t *engine.Timeline) map[string]bool {
	if plan == nil {
		return nil
	}
	res, err := plan.Select(ctx, t, eval.Options{})
	if err != nil {
		return nil // the history does not have the queried snapshot
	}
	ids := map[string]bool{}
	for _, n := range res.Nodes {
		ids[n.ID()] = true
	}
	return ids
}
