package pactkit

import (
	"context"
	"maps"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/store"
)

// Subtree names a subtree of another history.
type Subtree struct {
	History string // its name: the id of a history of the same store
	Of      string // a selector of one node of the history, which is the top of the subtree
	At      string // the address of a sealed snapshot, such as @c12; "" follows the newest one
}

// AttachSubtree attaches a subtree of another history at a position, and returns the node that
// refers to it: an empty container, with the other headers of the draft (E91). Queries and
// renderings of the tree find the nodes of the subtree below it; only their own history can change
// them, and what is erased there is gone here. A tree in a store has the histories of that store,
// and any other tree those of [Tree.SetSource].
//
// Without At, the attachment is live: [Tree.Refresh] brings it up to the newest snapshot of the
// other history, until the turn that it is in is sealed. In ^sys it stays live.
func (t *Tree) AttachSubtree(ctx context.Context, pos string, of Subtree, d engine.Draft) (engine.Node, error) {
	if t.source == nil {
		return engine.Node{}, treeError(engine.ErrNotFound, "the tree is not in a store, so there is no history %q to attach", of.History)
	}
	other, err := t.source(ctx, of.History)
	if err != nil {
		return engine.Node{}, err
	}
	if other == nil && store.IsHistory(of.History) {
		return engine.Node{}, treeError(engine.ErrNotFound, "a subtree is attached from a history of the same store; write its id, which is what follows #, instead of an address")
	}
	if other == nil {
		return engine.Node{}, treeError(engine.ErrNotFound, "there is no history %q to attach", of.History)
	}
	ref, err := of.find(ctx, other.Recorded())
	if err != nil {
		return engine.Node{}, err
	}
	refers := ref.Draft(t.Timeline().Edition())
	d.Type = refers.Type
	d.Members = maps.Clone(d.Members)
	if d.Members == nil {
		d.Members = map[string]engine.Value{}
	}
	maps.Copy(d.Members, refers.Members)
	return t.Insert(ctx, pos, d)
}

// find returns the attachment that refers to a subtree.
func (of Subtree) find(ctx context.Context, t *engine.Timeline) (engine.Attachment, error) {
	none := engine.Attachment{}
	address := of.At
	if address == "" {
		address = "@t0"
	}
	s, err := at(t, address)
	if err != nil {
		return none, err
	}
	q, wrong := compiled.Target(of.Of, s.Edition())
	if q == nil {
		return none, &SelectorError{of.Of, wrong}
	}
	nodes, err := runOn(ctx, q, s)
	switch {
	case err != nil:
		return none, err
	case len(nodes) == 0:
		return none, treeError(engine.ErrNotFound, "`%s` selects no node of the history %q", shorten(of.Of), of.History)
	case len(nodes) > 1:
		return none, selectorError(of.Of, diag.SelectorCardinality, "the selector must select one node of the other history: "+list(nodes), "")
	}
	return nodes[0].Attach(of.History, of.At == ""), nil
}

// SetSource gives a tree that is not in a store the histories that attachments refer to. It must be
// called before the tree is used.
func (t *Tree) SetSource(source engine.Source) {
	shows := engine.NewAttacher(source)
	t.source, t.show = source, func(ctx context.Context, timeline *engine.Timeline) (*engine.Timeline, error) {
		shows.Forget() // the source cannot say what has changed
		return shows.Show(ctx, timeline)
	}
}

// Shown returns the timeline that queries and renderings read: that of [Tree.Timeline], with what
// attachments refer to. See [engine.Attacher.Show].
func (t *Tree) Shown(ctx context.Context) (*engine.Timeline, error) {
	return t.Show(ctx, t.Timeline())
}

// Show returns a timeline of the tree with what attachments refer to, such as one that has only the
// working state.
func (t *Tree) Show(ctx context.Context, timeline *engine.Timeline) (*engine.Timeline, error) {
	if t.show == nil {
		return timeline, nil
	}
	return t.show(ctx, timeline)
}

// Refresh brings the live attachments that are not sealed up to date, before a rendering. The next
// commit records which snapshots they show. See [engine.Context.Refresh].
func (t *Tree) Refresh(ctx context.Context) error {
	if t.live == nil {
		return errRecord()
	}
	if t.source == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live.Refresh(ctx, t.source)
}
