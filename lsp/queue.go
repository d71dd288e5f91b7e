package lsp

import (
	"iter"
	"sync"
)

// queue is an unbounded list of functions to run in order. It is unbounded because the read loop
// must never wait: a cancellation would wait with it.
type queue struct {
	mu     sync.Mutex
	more   sync.Cond
	items  []func()
	closed bool
}

func (q *queue) init() { q.more.L = &q.mu }

func (q *queue) put(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, f)
	q.more.Signal()
}

// close ends the sequence once it is empty.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.more.Signal()
}

// all yields the functions in order, until the queue is closed and empty.
func (q *queue) all() iter.Seq[func()] {
	return func(yield func(func()) bool) {
		for {
			q.mu.Lock()
			for len(q.items) == 0 && !q.closed {
				q.more.Wait()
			}
			if len(q.items) == 0 {
				q.mu.Unlock()
				return
			}
			items := q.items
			q.items = nil
			q.mu.Unlock()
			for _, f := range items {
				if !yield(f) {
					return
				}
			}
		}
	}
}
