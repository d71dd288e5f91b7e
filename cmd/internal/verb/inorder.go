package verb

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// InOrder works on several items at a time and yields the results in the order of the items. It
// begins no further item after the context is done. When the sequence ends, all work has ended.
func InOrder[T, R any](ctx context.Context, items []T, work func(context.Context, T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		var running sync.WaitGroup
		defer running.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()

		// A slot of the queue is an item in progress. The size bounds the work and the waiting
		// results.
		queue := make(chan chan R, runtime.GOMAXPROCS(0))
		running.Go(func() {
			defer close(queue)
			for _, item := range items {
				result := make(chan R, 1)
				select {
				case <-ctx.Done():
					return
				case queue <- result:
				}
				running.Go(func() { result <- work(ctx, item) })
			}
		})
		for result := range queue {
			if !yield(<-result) {
				return
			}
		}
	}
}
