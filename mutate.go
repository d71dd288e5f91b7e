package pactkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
)

// Insert makes a node, with its children, at an insertion position, such as
//
//	(d0,0, end)      at the end of the core of the active head
//	(d0, )           before everything in the head, as its pre-context
//	(d1, end)        after everything in the newest sealed turn
//	(#plan, +2)      after the second child of the node with the key plan
//
// and returns it. The container must be exactly one node. If it does not exist, or has fewer
// children, the error has the code [engine.ErrNotFound]; with a ? after the position, nothing
// happens, and the returned node is zero.
//
// A position becomes an offset, the one nearest to 0 that puts the node between its neighbors (F4),
// or, if there is none, an instant between theirs (E49). If there is none of either, the error has
// the code [engine.ErrNoRoom].
func (t *Tree) Insert(ctx context.Context, pos string, d engine.Draft) (engine.Node, error) {
	return t.change(func(s *engine.Snapshot) (engine.Node, error) {
		target, found, err := t.findPosition(ctx, s, pos, engine.Node{})
		if err != nil || !found {
			return engine.Node{}, err
		}
		return t.live.Insert(target, d)
	})
}

// Replace gives the selected node new content and headers, see [engine.Context.Replace].
//
// Here, and for Move and Delete, the selector is run on the working state and must select exactly
// one node. If it selects none, the error has the code [engine.ErrNotFound]; with a ? after the
// selector, nothing happens, and the returned node is zero. If it selects several, the code is
// [engine.ErrAmbiguousKey] for a selector that is a key, else [diag.SelectorCardinality]. The key
// of a node and its overlays selects the newest of them.
func (t *Tree) Replace(ctx context.Context, selector string, d engine.Draft) (engine.Node, error) {
	return t.onTarget(ctx, selector, func(_ *engine.Snapshot, n engine.Node) (engine.Node, error) {
		return t.live.Replace(engine.ByID(n.ID()), d)
	})
}

// Move moves the selected node, with everything below it, to an insertion position, see
// [engine.Context.Move]. For the position, a child that is moved within its container still counts
// at its old place. A moved node keeps its instant, so between two neighbors of one offset there
// may be no room: move those that belong after it to the end, too.
func (t *Tree) Move(ctx context.Context, selector, pos string) (engine.Node, error) {
	return t.onTarget(ctx, selector, func(s *engine.Snapshot, n engine.Node) (engine.Node, error) {
		target, found, err := t.findPosition(ctx, s, pos, n)
		if err != nil || !found {
			return engine.Node{}, err
		}
		return t.live.Move(engine.ByID(n.ID()), target)
	})
}

// Delete removes the selected node, see [engine.Context.Delete]: a sealed node stays, and the
// redaction that refers to it is returned.
func (t *Tree) Delete(ctx context.Context, selector string) (engine.Node, error) {
	return t.onTarget(ctx, selector, func(_ *engine.Snapshot, n engine.Node) (engine.Node, error) {
		return t.live.Delete(engine.ByID(n.ID()))
	})
}

// Pin sets whether the selected node is exempt from expiry and pruning, see [engine.Context.Pin].
func (t *Tree) Pin(ctx context.Context, selector string, pinned bool) (engine.Node, error) {
	return t.onTarget(ctx, selector, func(_ *engine.Snapshot, n engine.Node) (engine.Node, error) {
		return t.live.Pin(engine.ByID(n.ID()), pinned)
	})
}

// Commit seals the working state, see [engine.Context.Commit].
func (t *Tree) Commit() (*engine.Snapshot, error) { return t.endCycle((*engine.Context).Commit) }

// Step ends the cycle without sealing, see [engine.Context.Step].
func (t *Tree) Step() (*engine.Snapshot, error) { return t.endCycle((*engine.Context).Step) }

func (t *Tree) endCycle(end func(*engine.Context) (*engine.Snapshot, error)) (*engine.Snapshot, error) {
	if t.live == nil {
		return nil, errRecord()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return end(t.live)
}

func errRecord() error {
	return treeError(engine.ErrSealed, "a recorded history does not change; Resume returns a live tree that continues it")
}

// change runs a mutation atomically: nothing happens between the state it sees and its change.
func (t *Tree) change(f func(*engine.Snapshot) (engine.Node, error)) (engine.Node, error) {
	if t.live == nil {
		return engine.Node{}, errRecord()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return f(t.live.Working())
}

// onTarget runs f on the node that a selector selects. An optional selector may select no node;
// then f is not called.
func (t *Tree) onTarget(ctx context.Context, selector string, f func(*engine.Snapshot, engine.Node) (engine.Node, error)) (engine.Node, error) {
	return t.change(func(s *engine.Snapshot) (engine.Node, error) {
		q, wrong := compiled.Target(selector, t.Timeline().Edition())
		if q == nil {
			return engine.Node{}, &SelectorError{selector, wrong}
		}
		if !q.Now {
			return engine.Node{}, selectorError(selector, diag.SelectorInvalid, "a mutation changes the working state, not another time",
				"leave the time out, or write @t0")
		}
		n, err := t.exactlyOne(ctx, s, q)
		if err != nil || n.IsZero() {
			return engine.Node{}, err
		}
		return f(s, n)
	})
}

// exactlyOne runs a query that must select one node of the working state, or none if it is
// optional. A key on a node and its overlays selects the newest of them.
func (t *Tree) exactlyOne(ctx context.Context, s *engine.Snapshot, q *compiled.Query) (engine.Node, error) {
	nodes, err := runOn(ctx, q, s)
	switch {
	case err != nil:
		return engine.Node{}, err
	case len(nodes) == 1:
		return nodes[0], nil
	case len(nodes) == 0 && q.Optional:
		return engine.Node{}, nil
	case len(nodes) == 0 && t.isAttached(ctx, q):
		return engine.Node{}, treeError(engine.ErrSealed, "`%s` selects a node of an attachment, which only its own history can change", shorten(q.Text))
	case len(nodes) == 0:
		return engine.Node{}, treeError(engine.ErrNotFound, "`%s` selects no node", shorten(q.Text))
	case q.Key != "":
		n, err := t.live.Resolve(engine.ByKey(q.Key))
		if err == nil {
			if same, ok := s.Find(n.ID()); ok {
				n = same // only nodes of one snapshot can be compared
			}
		}
		return n, err
	}
	return engine.Node{}, selectorError(q.Text, diag.SelectorCardinality,
		fmt.Sprintf("the selector must select one node, and it selects %d: %s", len(nodes), list(nodes)), "")
}

// isAttached reports whether a query that selects nothing in the working state selects something in
// its attachments.
func (t *Tree) isAttached(ctx context.Context, q *compiled.Query) bool {
	timeline, err := t.Shown(ctx)
	if err != nil || timeline.Working() == nil {
		return false
	}
	nodes, err := runOn(ctx, q, timeline.Working())
	return err == nil && len(nodes) > 0
}

// list names the first nodes of a list.
func list(nodes []engine.Node) string {
	const most = 5
	var ids []string
	for _, n := range nodes[:min(len(nodes), most)] {
		ids = append(ids, n.ID())
	}
	text := strings.Join(ids, ", ")
	if len(nodes) > most {
		text += " …"
	}
	return text
}
