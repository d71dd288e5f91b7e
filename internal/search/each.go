package search

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/sessions"
)

// Item is the result of the work on one session, or the error about a file.
type Item[R any] struct {
	Path  string
	Name  string // of the session in the file
	Value R
	Err   error
}

// Each works on the sessions of arguments, several at a time, and yields the results in the order
// of the arguments and, in a file, of its sessions. Files of other kinds in a folder are skipped. A
// file with a record on each line is read by all processors; in any other file the next session is
// read during the work on the previous one. Memory is bounded by a few times the largest session
// times the processors. When the sequence ends, all work has ended.
func Each[R any](ctx context.Context, args []string, o sessions.Options, work func(context.Context, sessions.Session) R) iter.Seq[Item[R]] {
	return func(yield func(Item[R]) bool) {
		ctx, cancel := context.WithCancel(ctx)
		workers := budget.Workers(runtime.GOMAXPROCS(0))
		e := &each[R]{work: work, opts: o, slots: make(chan struct{}, workers)}
		defer e.running.Wait()
		defer cancel()
		queue := make(chan results[R], workers-1) // its size bounds the work
		e.running.Go(func() {
			defer close(queue)
			for f, err := range sessions.Files(ctx, args, o) {
				out := make(results[R], workers)
				select {
				case <-ctx.Done():
					return
				case queue <- out:
				}
				e.running.Go(func() {
					defer close(out)
					e.file(ctx, f, err, out)
				})
			}
		})
		for out := range queue {
			isOver := false
			for next := range out {
				p := <-next
				for i := 0; i < len(p.items) && !isOver; i++ {
					if !yield(p.items[i]) {
						return
					}
				}
				isOver = isOver || p.isLast
			}
		}
	}
}

// results receives the results of the parts of a file, in order. Each is sent once.
type results[R any] chan chan partOf[R]

// partOf is the result of some sessions of a file. Everything after the last part is ignored.
type partOf[R any] struct {
	items  []Item[R]
	isLast bool
}

// each is the state of one call of Each.
type each[R any] struct {
	work    func(context.Context, sessions.Session) R
	opts    sessions.Options
	slots   chan struct{} // one for each processor
	running sync.WaitGroup
}

// file works on the sessions of one file.
func (e *each[R]) file(ctx context.Context, f sessions.File, err error, out results[R]) {
	if err != nil {
		e.put(ctx, out, Item[R]{Path: f.Path, Err: err})
		return
	}
	kind := sessions.Kind("")
	if f.IsFile() {
		if kind, err = f.Kind(ctx); err != nil && !f.IsNamed() && sessions.IsUnknown(err) {
			return
		}
		if e.lines(ctx, f, kind, out) {
			return
		}
	}
	for s, err := range f.Sessions(ctx, kind) {
		item := Item[R]{Path: s.Path, Name: s.Name, Err: err}
		if err != nil {
			if !e.put(ctx, out, item) {
				return
			}
			continue
		}
		if !e.start(ctx, out, func() partOf[R] {
			item.Value = e.work(ctx, s)
			return partOf[R]{items: []Item[R]{item}}
		}) {
			return
		}
	}
}

// put hands over a finished item. It returns false if the work is over.
func (e *each[R]) put(ctx context.Context, out results[R], item Item[R]) bool {
	done := make(chan partOf[R], 1)
	done <- partOf[R]{items: []Item[R]{item}}
	return e.send(ctx, out, done)
}

func (e *each[R]) send(ctx context.Context, out results[R], done chan partOf[R]) bool {
	select {
	case <-ctx.Done():
		return false
	case out <- done:
		return true
	}
}

// start waits for a free processor and starts the next part on it. It returns false if the work is
// over.
func (e *each[R]) start(ctx context.Context, out results[R], work func() partOf[R]) bool {
	select {
	case <-ctx.Done():
		return false
	case e.slots <- struct{}{}:
	}
	done := make(chan partOf[R], 1)
	e.running.Go(func() {
		done <- work() // has room
		<-e.slots
	})
	return e.send(ctx, out, done)
}
