package pactkit

import (
	"context"
	"iter"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
)

// Watched describes how a commit changed the result of a selector.
type Watched struct {
	Snapshot *engine.Snapshot // the newest sealed one
	engine.Changes
}

// Watch yields the changes of the result of a selector. The first value has all nodes of the result
// in the newest sealed snapshot, as added. Each further value has the nodes that a commit, a step
// or the reload of a tree in a store added, removed or changed. A commit that does not change the
// result yields no value. Commits during the work of the caller are reported together. Watch
// ignores the working state. The selector must not have a time other than @t0.
//
// For most selectors, the cost of a commit depends on the number of changes and not on the size of
// the tree: see [eval.Watcher.Next]. Between commits, Watch waits and costs nothing. It ends with
// the error of ctx, with the first other error, or when the caller breaks off. On a recorded tree,
// it ends after the first value.
//
// The calling goroutine does the work, and any number of goroutines may watch one tree. Commits do
// not wait for them. Between values the caller may change and commit the tree itself.
//
//	for w, err := range tree.Watch(ctx, "^seq .block+tool") {
//		if err != nil {
//			return err
//		}
//		fmt.Println(w.Snapshot.Cycle(), len(w.Added), len(w.Removed), len(w.Changed))
//	}
func (t *Tree) Watch(ctx context.Context, selector string) iter.Seq2[Watched, error] {
	return watch(ctx, t.read, selector, func(yield func(*engine.Timeline, error) bool) {
		for {
			var next <-chan struct{}
			if t.live != nil {
				next = t.live.Committed() // before the timeline is read
			}
			if !yield(t.Timeline(), nil) || next == nil {
				return
			}
			select {
			case <-next:
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			}
		}
	})
}

// WatchStored is [Tree.Watch] of the state in the store: it also yields what other writers commit,
// and the tree does not change. If the history has not begun, the error has the code
// [store.ErrNotFound].
func (l *Live) WatchStored(ctx context.Context, selector string) iter.Seq2[Watched, error] {
	return watch(ctx, l.read, selector, l.kept.Follow(ctx))
}

// watch yields the changes of the result of a selector from one timeline to the next.
func watch(ctx context.Context, read func(string) (*compiled.Query, error), selector string, timelines iter.Seq2[*engine.Timeline, error]) iter.Seq2[Watched, error] {
	return func(yield func(Watched, error) bool) {
		q, err := read(selector)
		if err != nil {
			yield(Watched{}, err)
			return
		}
		w, err := q.Plan.Watch()
		if err != nil {
			yield(Watched{}, located(selector, err))
			return
		}
		first := true
		for now, err := range timelines {
			var c engine.Changes
			if err == nil {
				c, err = w.Next(ctx, now)
			}
			if err != nil {
				yield(Watched{}, located(selector, err))
				return
			}
			some := len(c.Added)+len(c.Removed)+len(c.Changed) > 0
			if (first || some) && !yield(Watched{now.Recorded().At(0), c}, nil) {
				return
			}
			first = false
		}
	}
}
