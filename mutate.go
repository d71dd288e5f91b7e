package pactkit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// Insert makes a node, with its children, at an insertion position, such as
//
//	(d0,0, end)      at the end of the core of the active head
//	(d0, )           in front of everything in the head, as its pre-context
//	(d1, end)        behind everything in the newest sealed turn
//	(#plan, +2)      behind the second child of the node with the key plan
//
// and returns it. The container must be exactly one node. When there is none,
// or not that many children, it is an error of code [engine.ErrNotFound];
// with a ? behind the position nothing happens then, and the node returned is
// zero.
//
// A position becomes an offset, the one nearest to 0 that puts the node
// between its neighbours (F4). Where two neighbours share an offset there is
// none, and the error has the code [engine.ErrNoRoom].
func (c *Context) Insert(ctx context.Context, pos string, d engine.Draft) (engine.Node, error) {
	return c.change(func(s *engine.Snapshot) (engine.Node, error) {
		p, err := readPosition(pos, c.Timeline().Edition())
		if err != nil {
			return engine.Node{}, err
		}
		place, found, err := p.find(ctx, s, engine.Node{})
		if err != nil || !found {
			return engine.Node{}, err
		}
		return c.live.Insert(place, d)
	})
}

// Replace gives the node a selector selects new content and headers, see
// [engine.Context.Replace].
//
// Here, and for Move and Delete, the selector looks at the working state and
// must select exactly one node: for none the code is [engine.ErrNotFound],
// unless a ? stands behind the selector, and the node returned is zero; for
// more it is [engine.ErrAmbiguousKey] when the selector is a key, else
// [diag.SelectorCardinality]. A key of a node and its overlays names the newest
// of those.
func (c *Context) Replace(ctx context.Context, selector string, d engine.Draft) (engine.Node, error) {
	return c.change(func(s *engine.Snapshot) (engine.Node, error) {
		n, err := c.target(ctx, s, selector)
		if err != nil || n.IsZero() {
			return engine.Node{}, err
		}
		return c.live.Replace(engine.ByID(n.ID()), d)
	})
}

// Move takes the node a selector selects, with what is below it, to an
// insertion position, see [engine.Context.Move]. A child that is moved within
// its container counts where it was.
func (c *Context) Move(ctx context.Context, selector, pos string) (engine.Node, error) {
	return c.change(func(s *engine.Snapshot) (engine.Node, error) {
		n, err := c.target(ctx, s, selector)
		if err != nil || n.IsZero() {
			return engine.Node{}, err
		}
		p, err := readPosition(pos, c.Timeline().Edition())
		if err != nil {
			return engine.Node{}, err
		}
		place, found, err := p.find(ctx, s, n)
		if err != nil || !found {
			return engine.Node{}, err
		}
		return c.live.Move(engine.ByID(n.ID()), place)
	})
}

// Delete takes the node a selector selects away, see [engine.Context.Delete]:
// what is sealed stays, and the redaction that refers to it is returned.
func (c *Context) Delete(ctx context.Context, selector string) (engine.Node, error) {
	return c.change(func(s *engine.Snapshot) (engine.Node, error) {
		n, err := c.target(ctx, s, selector)
		if err != nil || n.IsZero() {
			return engine.Node{}, err
		}
		return c.live.Delete(engine.ByID(n.ID()))
	})
}

// Commit seals the working state, see [engine.Context.Commit].
func (c *Context) Commit() (*engine.Snapshot, error) {
	if c.live == nil {
		return nil, errRecord()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.Commit()
}

func errRecord() error {
	return treeError(engine.ErrSealed, "a history that was opened does not change: Resume gives a context that goes on where it ends")
}

// change runs a mutation, of which nothing comes between the state it sees and
// what it does.
func (c *Context) change(f func(*engine.Snapshot) (engine.Node, error)) (engine.Node, error) {
	if c.live == nil {
		return engine.Node{}, errRecord()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return f(c.live.Working())
}

// target finds the node a mutation is about, none if there need not be one.
func (c *Context) target(ctx context.Context, s *engine.Snapshot, selector string) (engine.Node, error) {
	q, err := target(selector, c.Timeline().Edition())
	if err != nil {
		return engine.Node{}, err
	}
	if !q.now {
		return engine.Node{}, selectorError(selector, diag.SelectorInvalid, "a mutation changes the working state, not another time",
			"leave the time out, or write @t0")
	}
	n, err := q.one(ctx, selector, s)
	if errors.Is(err, engine.ErrAmbiguousKey) {
		return c.live.Resolve(engine.ByKey(q.key)) // a node and its overlays are one
	}
	return n, err
}

// one runs a query that must select one node, or none if it is optional.
func (q *query) one(ctx context.Context, text string, s *engine.Snapshot) (engine.Node, error) {
	nodes, err := q.on(ctx, text, s)
	switch {
	case err != nil:
		return engine.Node{}, err
	case len(nodes) == 1:
		return nodes[0], nil
	case len(nodes) == 0 && q.optional:
		return engine.Node{}, nil
	case len(nodes) == 0:
		return engine.Node{}, treeError(engine.ErrNotFound, "`%s` selects no node", shorten(text))
	case q.key != "":
		return engine.Node{}, treeError(engine.ErrAmbiguousKey, "the key of `%s` is on %s", shorten(text), list(nodes))
	}
	return engine.Node{}, selectorError(text, diag.SelectorCardinality,
		fmt.Sprintf("one node is wanted, and %d are selected: %s", len(nodes), list(nodes)), "")
}

// list names the first nodes of a list.
func list(nodes []engine.Node) string {
	var b strings.Builder
	for i, n := range nodes[:min(len(nodes), 5)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(n.ID())
	}
	if len(nodes) > 5 {
		b.WriteString(" …")
	}
	return b.String()
}
