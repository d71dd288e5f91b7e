package corpus

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"github.com/pactkit/pactkit/internal/sessions"
)

// Item is what work made of one session, or what is wrong with a file.
type Item[R any] struct {
	Path  string
	Name  string // of the session in the file
	Value R
	Err   error
}

// Each works on the sessions of arguments, several files at a time, and yields the results in the order of the arguments.
// Files of other kinds in a folder are passed over. Memory is bounded by the largest session times the processors. When the
// sequence ends, all work has ended.
func Each[R any](ctx context.Context, args []string, o sessions.Options, work func(context.Context, sessions.Session) R) iter.Seq[Item[R]] {
	return func(yield func(Item[R]) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		queue := make(chan chan Item[R], runtime.GOMAXPROCS(0)) // its size bounds the work
		running.Go(func() {
			defer close(queue)
			for f, err := range sessions.Files(ctx, args, o) {
				out := make(chan Item[R])
				select {
				case <-ctx.Done():
					return
				case queue <- out:
				}
				running.Go(func() {
					defer close(out)
					eachOf(ctx, f, err, work, out)
				})
			}
		})
		for out := range queue {
			for item := range out {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// eachOf works on the sessions of one file.
func eachOf[R any](ctx context.Context, f sessions.File, err error, work func(context.Context, sessions.Session) R, out chan<- Item[R]) {
	put := func(item Item[R]) bool {
		select {
		case <-ctx.Done():
			return false
		case out <- item:
			return true
		}
	}
	if err != nil {
		put(Item[R]{Path: f.Path, Err: err})
		return
	}
	kind := sessions.Kind("")
	if f.IsFile() {
		if kind, err = f.Kind(ctx); err != nil && !f.IsNamed() && sessions.IsUnknown(err) {
			return
		}
	}
	for s, err := range f.Sessions(ctx, kind) {
		item := Item[R]{Path: s.Path, Name: s.Name, Err: err}
		if err == nil {
			item.Value = work(ctx, s)
		}
		if !put(item) {
			return
		}
	}
}
