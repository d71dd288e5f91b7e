package pactkit

import (
	"context"
	"sync"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
)

// Live is a live tree whose history is kept in a store, see [Attach]. It is a [Tree] whose commits
// are durable.
type Live struct {
	*Tree
	kept *store.Live
	turn sync.Mutex // held by all that commits or reloads, before the locks of both
}

// Attach returns a live tree of a history of a store: one that other processes
// may be attached to as well. A history that does not exist begins with the first
// commit. See [store.Attach] for what it costs.
//
//	s, err := store.Open(ctx, "postgres://agents@db/agents")
//	live, err := pactkit.Attach(ctx, s, "session-17", engine.Options{})
//	_, err = live.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "user", Content: engine.Text("Hello")})
//	_, err = live.Commit(ctx) // durable when it returns
func Attach(ctx context.Context, s store.Store, id string, o engine.Options) (*Live, error) {
	kept, err := store.Attach(ctx, s, id, o)
	if err != nil {
		return nil, err
	}
	return &Live{Tree: FromContext(kept.Context()), kept: kept}, nil
}

// Commit seals the working state, and returns once that is durable. If another
// process committed first, the error has the code [store.ErrConflict], and the
// working state is as before: see [Live.Reload] and [Live.Update].
func (l *Live) Commit(ctx context.Context) (*engine.Snapshot, error) {
	defer l.lock()()
	return l.kept.Commit(ctx)
}

// Step ends the cycle without sealing, and returns once that is durable. See [engine.Context.Step].
func (l *Live) Step(ctx context.Context) (*engine.Snapshot, error) {
	defer l.lock()()
	return l.kept.Step(ctx)
}

// Checkpoint makes the working state durable without a commit.
func (l *Live) Checkpoint(ctx context.Context) error {
	defer l.lock()()
	return l.kept.Checkpoint(ctx)
}

// Reload brings the tree to the state in the store. Uncommitted changes are discarded.
func (l *Live) Reload(ctx context.Context) error {
	defer l.lock()()
	return l.kept.Reload(ctx)
}

// lock excludes all other uses of the tree and the store.
func (l *Live) lock() (unlock func()) {
	l.turn.Lock()
	l.mu.Lock()
	return func() {
		l.mu.Unlock()
		l.turn.Unlock()
	}
}

// Update runs f, which changes the tree, and commits. If another process committed first, it
// reloads and runs f again: f may run several times, each time on the state that its changes will
// apply to. If there is an error, uncommitted changes are discarded. f must not commit or reload.
// See [store.Live.Update].
func (l *Live) Update(ctx context.Context, f func(*Tree) error) (*engine.Snapshot, error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	return l.kept.Update(ctx, func(*engine.Context) error { return f(l.Tree) })
}

// Version returns the version of the history that the tree is based on.
func (l *Live) Version() store.Version { return l.kept.Version() }
