package pactkit

import (
	"context"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
)

// Live is a live tree whose history is kept in a store, see [Attach]. It is a [Tree] whose commits
// are durable.
type Live struct {
	*Tree
	kept *store.Live
}

// Attach returns a live tree of a history in a store, to which other processes may be attached as
// well. A history that does not exist begins with the first commit. See [store.Attach] for the
// cost.
//
//	s, err := store.Open(ctx, "postgres://agents@db/agents")
//	live, err := pactkit.Attach(ctx, s, "session-17", engine.Options{})
//	draft := engine.Draft{Role: "user", Content: engine.Text("Hello")}
//	_, err = live.Insert(ctx, "(d0,0, end)", draft)
//	_, err = live.Commit(ctx) // durable when it returns
func Attach(ctx context.Context, s store.Store, id string, o engine.Options) (*Live, error) {
	kept, err := store.Attach(ctx, s, id, o)
	if err != nil {
		return nil, err
	}
	return &Live{Tree: treeOf(kept, kept.Context()), kept: kept}, nil
}

// treeOf returns the tree of a context of a store, with the other histories there.
func treeOf(kept *store.Live, c *engine.Context) *Tree {
	return &Tree{live: c, source: kept.Source(), show: kept.Show}
}

// Commit seals the working state, and returns once that is durable. If another
// process committed first, the error has the code [store.ErrConflict], and the
// working state is as before: see [Live.Reload] and [Live.Update].
func (l *Live) Commit(ctx context.Context) (*engine.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Commit(ctx)
}

// Step ends the cycle without sealing, and returns once that is durable. See [engine.Context.Step].
func (l *Live) Step(ctx context.Context) (*engine.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Step(ctx)
}

// Shrink is [engine.Context.Shrink], for a call that the provider refused because it was too long.
// It returns when the result is durable.
func (l *Live) Shrink(ctx context.Context, by int) (*engine.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Shrink(ctx, by)
}

// Checkpoint makes the working state durable without a commit.
func (l *Live) Checkpoint(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Checkpoint(ctx)
}

// Reload brings the tree to the state in the store. Uncommitted changes are discarded.
func (l *Live) Reload(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Reload(ctx)
}

// Stored returns the state in the store, with the commits of other writers. The tree does not
// change. See [store.Live.Stored].
func (l *Live) Stored(ctx context.Context) (*engine.Timeline, error) { return l.kept.Stored(ctx) }

// Update runs f, which changes the tree that it is given, and commits. If another process committed
// first, it reloads and runs f again: f may run several times, each time on the state that its
// changes will apply to. If there is an error, uncommitted changes are discarded, including those
// made before the call. See [store.Live.Update].
//
// Changes by the methods of l wait until Update returns, so f must change only the tree that it is
// given: a change of l, or [Live.Version], would wait forever. f must not commit.
func (l *Live) Update(ctx context.Context, f func(*Tree) error) (*engine.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Update(ctx, func(c *engine.Context) error { return f(treeOf(l.kept, c)) })
}

// Version returns the version of the history that the tree is based on.
func (l *Live) Version() store.Version { return l.kept.Version() }
