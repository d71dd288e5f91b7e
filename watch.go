package pactkit

import (
	"context"
	"iter"

	"github.com/pactkit/pactkit/engine"
)

// Watched is how the result of a selector changed with a commit.
type Watched struct {
	Snapshot *engine.Snapshot // the newest sealed one
	engine.Changes
}

// Watch yields how the result of a selector changes. The first value has the nodes that it selects
// in the newest sealed snapshot, as added. Each of the following ones has what entered, left and
// changed with a commit or step, or with a reload of a tree in a store. A commit that changes
// nothing yields no value, and commits that come while the caller is busy are reported together.
// The working state does not count, so the selector has no time other than @t0.
//
// The cost of a commit follows what changed, not the size of the tree, for most selectors: see
// [eval.Watcher.Next]. Between commits, Watch waits and costs nothing. It ends with the error of
// ctx, with the first other error, or when the caller breaks off. On a recorded tree, it ends after
// the first value.
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
	return func(yield func(Watched, error) bool) {
		q, err := t.read(selector)
		if err != nil {
			yield(Watched{}, err)
			return
		}
		w, err := q.Plan.Watch()
		for first := true; err == nil; first = false {
			var next <-chan struct{}
			if t.live != nil {
				next = t.live.Committed() // before the timeline is read
			}
			now := t.Timeline()
			var c engine.Changes
			if c, err = w.Next(ctx, now); err != nil {
				break
			}
			some := len(c.Added)+len(c.Removed)+len(c.Changed) > 0
			if (first || some) && !yield(Watched{now.Recorded().At(0), c}, nil) || next == nil {
				return
			}
			select {
			case <-next:
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		yield(Watched{}, located(selector, err))
	}
}
