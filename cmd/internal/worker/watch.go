package worker

import (
	"cmp"
	"context"
	"errors"

	"github.com/pactkit/pactkit/cmd/internal/operation"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/store"
)

// watched says how the result of a selector has changed.
type watched struct {
	First   bool          `json:"first,omitempty"` // everything that is selected is in Added
	Cycle   *int64        `json:"cycle"`
	Added   []rawNode     `json:"added"`
	Removed []rawNode     `json:"removed"`
	Changed []changedNode `json:"changed"`
}

type changedNode struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"`
	Node   rawNode  `json:"node"`
}

// watcher follows a selector from one request to the next.
type watcher struct {
	*eval.Watcher
	selector string
	stored   bool // it follows the history in the store
	began    bool
}

// watch says what has changed since the last request with the same name.
func watch(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	var selector, as string
	var stored bool
	if err := readMembers(op, members.Object{"watch": members.String(&selector), "as": members.String(&as), "stored": members.Bool(&stored)}); err != nil {
		return nil, err
	}
	as = cmp.Or(as, selector)
	w := c.watchers[as]
	if w == nil || w.selector != selector || w.stored != stored {
		plan, found := compiled.Select(selector, c.tree.Timeline().Edition())
		if plan == nil {
			return nil, &eval.Error{Diagnostics: suite.OnlyErrors(found)}
		}
		follows, err := plan.Plan.Watch()
		if err != nil {
			return nil, err
		}
		w = &watcher{Watcher: follows, selector: selector, stored: stored}
	}
	t, err := c.seen(ctx, stored)
	if err != nil {
		return nil, err
	}
	changes, err := w.Next(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &watched{Added: *nodesOf(changes.Added), Removed: *nodesOf(changes.Removed), Changed: []changedNode{}}
	for _, x := range changes.Changed {
		out.Changed = append(out.Changed, changedNode{x.New.ID(), x.Fields, *nodeOf(x.New)})
	}
	if _, newest, ok := t.Recorded().Cycles(); ok {
		out.Cycle, out.First, w.began = &newest, !w.began, true
	}
	if c.watchers == nil {
		c.watchers = map[string]*watcher{}
	}
	c.watchers[as] = w
	return &result{Watched: out}, nil
}

// seen returns the timeline of the context, or the one in the store.
func (c *live) seen(ctx context.Context, stored bool) (*engine.Timeline, error) {
	if !stored {
		return c.tree.Timeline(), nil
	}
	if c.kept == nil {
		return nil, failed(ErrRequest, "leave out stored", "the context is in memory, and has no history in a store")
	}
	t, err := c.kept.Stored(ctx)
	if errors.Is(err, store.ErrNotFound) && c.kept.Version() == (store.Version{}) {
		return c.tree.Timeline(), nil // it has not begun
	}
	return t, err
}

// unwatch ends a watch.
func unwatch(_ *server, _ context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	var as string
	if err := readMembers(op, members.Object{"unwatch": members.String(&as)}); err != nil {
		return nil, err
	}
	delete(c.watchers, as)
	return &result{}, nil
}
