package worker

import (
	"context"
	"errors"
	"maps"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/operation"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/store"
)

// cycleAt returns the cycle of the snapshot at an address.
func (c *live) cycleAt(address string) (int64, error) {
	if i, found := parser.ParseInstant(address); len(found) == 0 && i.Kind == ast.Cycle {
		return i.N, nil
	}
	snap, err := c.tree.At(address)
	if err != nil {
		return 0, err
	}
	if snap.Working() {
		return 0, failed(ErrRequest, "commit it first", "the working state %s is not a snapshot", address)
	}
	return snap.Cycle(), nil
}

// fork opens a fork of a context as another context.
func fork(s *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	var as, to, at string
	if err := readMembers(op, members.Object{"fork": members.String(&as), "to": members.String(&to), "at": members.String(&at)}); err != nil {
		return nil, err
	}
	switch {
	case as == "":
		return nil, failed(ErrRequest, "", "the fork has no name")
	case s.shelf.open[as] != nil:
		return nil, contextError("close it first, or choose another name", "the context %q is open", as)
	case to == "" && c.kept != nil:
		return nil, failed(ErrRequest, "write to, the name of the fork in the store", "the context is in a store, and its fork has no name there")
	case to != "" && c.kept == nil:
		return nil, failed(ErrRequest, "leave out to", "the context is in memory, and its fork has no name in a store")
	case store.IsHistory(to):
		return nil, failed(ErrRequest, "write only its name, which is what follows #", "to is an address, but a fork is in the store of its base")
	}
	cycle := store.Newest
	if at != "" {
		var err error
		if cycle, err = c.cycleAt(at); err != nil {
			return nil, err
		}
	}
	if c.kept != nil && cycle == store.Newest {
		if err := c.checkFresh(ctx); err != nil {
			return nil, err
		}
	}
	next, err := c.fork(ctx, cycle, to)
	if err == nil && next.kept == nil && next.tree == nil {
		next.store.users++
		if err = s.attach(ctx, next, "exist"); err != nil {
			s.leave(next.store)
		}
	}
	if err != nil {
		return nil, err
	}
	s.shelf.open[as] = next
	s.share(next)
	next.count()
	next.format = c.format
	return &result{State: next.state()}, nil
}

// checkFresh returns a conflict if others have committed to the history of a context: a fork of all
// of it would begin with what the caller does not know.
func (c *live) checkFresh(ctx context.Context) error {
	head, err := c.store.Head(ctx, c.id)
	if errors.Is(err, store.ErrNotFound) || err == nil && head == c.kept.Version() {
		return nil // Fork says what is wrong with a history that does not exist
	}
	if err != nil {
		return err
	}
	return &store.Error{Code: store.ErrConflict, Store: store.Redacted(c.store.address), ID: c.id, Msg: "others have committed to the history"}
}

// fork makes a fork of a context. The caller attaches a fork in a store.
func (c *live) fork(ctx context.Context, cycle int64, to string) (*live, error) {
	next := &live{setup: c.setup}
	if c.kept != nil {
		next.store, next.id = c.store, to
		_, err := c.store.Fork(ctx, c.id, cycle, to)
		if errors.Is(err, store.ErrConflict) {
			err = failed(engine.Code(store.ErrConflict), "choose another name", "the history %q exists", to)
		}
		return next, err
	}
	if cycle == store.Newest {
		snap := newest(c.tree.Engine())
		if snap == nil {
			return nil, &engine.Error{Code: engine.ErrSnapshotUnknown, Msg: "there is no snapshot to fork"}
		}
		cycle = snap.Cycle()
	}
	var forked *engine.Context
	var err error
	if after := c.answered[cycle]; after != nil {
		forked, err = engine.Resume(after, c.options)
	} else {
		forked, err = c.tree.Engine().Fork(engine.ForkPoint{Cycle: cycle})
	}
	if err == nil {
		next.tree, next.answered = pactkit.FromContext(forked), maps.Clone(c.answered)
	}
	return next, err
}

// rewind makes a context continue from an earlier snapshot.
func rewind(s *server, ctx context.Context, name string, c *live, op *operation.Operation) (*result, error) {
	var at, keep string
	if err := readMembers(op, members.Object{"rewind": members.String(&at), "keep": members.String(&keep)}); err != nil {
		return nil, err
	}
	cycle, err := c.cycleAt(at)
	if err != nil {
		return nil, err
	}
	if store.IsHistory(keep) {
		return nil, failed(ErrRequest, "write only its name, which is what follows #", "keep is an address, but what is kept is in the store of the history")
	}
	if c.kept == nil {
		if s.shelf.open[keep] != nil {
			return nil, contextError("choose another name", "the context %q is open", keep)
		}
		next, err := c.fork(ctx, cycle, "")
		if err != nil {
			return nil, err
		}
		next.format = c.format
		next.watchers, c.watchers = c.watchers, nil
		s.share(next)
		next.count()
		if s.shelf.open[name] = next; keep != "" {
			s.shelf.open[keep] = c
		}
		return &result{State: next.state(), Keep: keep}, nil
	}
	if keep == "" {
		if err := c.kept.Reload(ctx); err != nil {
			return nil, err
		}
		keep = store.KeptName(c.id, newest(c.tree.Engine()).Cycle())
	}
	if _, err := c.store.Rewind(ctx, c.id, cycle, keep); err != nil {
		return nil, err
	}
	if err := c.kept.Reload(ctx); err != nil {
		return nil, err
	}
	c.count()
	return &result{State: c.state(), Keep: keep}, nil
}
