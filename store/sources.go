package store

import (
	"context"
	"errors"
	"sync"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// sources reads the histories of a store that attachments of another one refer to, and later what
// is new in them.
type sources struct {
	store Store

	mu   sync.Mutex
	list map[string]*source
	lost bool // something that was read is gone, and changed has not said so
}

// source is a history that attachments refer to.
type source struct {
	reader
	was *journal.Decoder // what read it last; nil if it did not exist
}

func newSources(s Store) *sources { return &sources{store: s, list: map[string]*source{}} }

// read is the [engine.Source] of the store.
func (s *sources) read(ctx context.Context, id string) (*engine.Timeline, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.list[id]
	again := one != nil
	if !again {
		one = &source{reader: reader{store: s.store, id: id}}
		s.list[id] = one
	}
	t, err := one.newest(ctx)
	s.lost = s.lost || again && one.reader.read != one.was
	one.was = one.reader.read
	switch {
	case errors.Is(err, ErrID):
		delete(s.list, id)
		return nil, nil
	case errors.Is(err, ErrNotFound):
		return nil, nil
	}
	return t, err
}

// changed reports whether a history that was read has been compacted, erased, deleted or begun
// since the last call.
func (s *sources) changed(ctx context.Context) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := s.lost
	for _, one := range s.list {
		if _, err := one.newest(ctx); err != nil && !errors.Is(err, ErrNotFound) {
			return true, err
		}
		if one.reader.read != one.was {
			one.was, changed = one.reader.read, true
		}
	}
	s.lost = false
	return changed, nil
}

// Shown returns the timeline of the context, with what its attachments refer to: see
// [engine.Attacher.Show]. An attachment refers to a history of the same store by its id. What is
// erased there is not shown any more. If the context has attachments, the cost depends on what is
// new in the other histories, and on the parts of the tree that have one.
func (l *Live) Shown(ctx context.Context) (*engine.Timeline, error) {
	return l.Show(ctx, l.context.Timeline())
}

// Show is [Live.Shown] of any timeline of the context, such as one that has only its working state.
func (l *Live) Show(ctx context.Context, t *engine.Timeline) (*engine.Timeline, error) {
	changed, err := l.sources.changed(ctx)
	if changed || err != nil {
		l.attached.Forget()
	}
	if err != nil {
		return nil, err
	}
	return l.attached.Show(ctx, t)
}

// Source returns the other histories of the store, for [engine.Context.Refresh].
func (l *Live) Source() engine.Source { return l.sources.read }

// Source returns the [engine.Source] of a store, which reads each history once.
func Source(s Store) engine.Source { return newSources(s).read }
