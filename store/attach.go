package store

import (
	"context"
	"errors"
	"iter"
	"math"
	"sync"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// Live is a live context whose commits are stored. It is safe for concurrent use; a commit waits
// for the previous one.
//
// Several processes may attach to one history. Each works on its own state, and the first to commit
// wins. The others get [ErrConflict], keep their working state, and can continue after
// [Live.Reload]; [Live.Update] does all this.
type Live struct {
	reader
	context  *engine.Context
	sources  *sources
	attached *engine.Attacher

	mu   sync.Mutex // held for a commit, a reload or an update
	head journal.Head
	kept *engine.Timeline // the last known state in the store
}

// reader reads a history, and later what is new in it.
type reader struct {
	store Store
	id    string
	read  *journal.Decoder // has the frames that were read; nil if the history was empty
}

// Attach returns a live context for a history in a store. A history that does not exist begins with
// the first commit. The options are those of [engine.New], but an existing history keeps its
// edition.
//
// It reads the whole history.
func Attach(ctx context.Context, s Store, id string, o engine.Options) (*Live, error) {
	hasRules := o.Policy != nil && len(o.Policy.Steps)+len(o.Policy.Limits) > 0
	l := &Live{
		reader: reader{store: s, id: id}, sources: newSources(s), head: journal.NewHead(journal.About{ID: id, Rules: hasRules}),
	}
	l.attached = engine.NewAttacher(l.sources.read)
	t, err := l.advance(ctx)
	switch {
	case errors.Is(err, ErrNotFound):
		if l.context, err = engine.New(o); err == nil {
			l.kept = l.context.History()
		}
	case err == nil:
		l.head, l.kept = l.read.Head(), t
		l.context, err = engine.Resume(t, o)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Context returns the context to change and to query. It is always the same one. What is committed
// with its own methods is stored by the next commit of l.
func (l *Live) Context() *engine.Context { return l.context }

// Version returns the version of the last frame that was read or written.
func (l *Live) Version() Version {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head.Version()
}

// Commit is [engine.Context.Commit]: it ends the cycle and seals the head. When it returns a
// snapshot, the snapshot is durable; readers see it from then on. When it returns an error, nothing
// is committed and the working state is as before: with the code [ErrConflict] another writer was
// first; with [ErrUnknown] the frame may have arrived nevertheless, which [Live.Reload] shows.
//
// Until it returns, changes to the context wait.
func (l *Live) Commit(ctx context.Context) (*engine.Snapshot, error) {
	return l.endCycle(ctx, l.context.CommitWith)
}

// Step is [engine.Context.Step], which ends the cycle without sealing. It is durable like Commit.
func (l *Live) Step(ctx context.Context) (*engine.Snapshot, error) {
	return l.endCycle(ctx, l.context.StepWith)
}

// Shrink is [engine.Context.Shrink], for a call that the provider refused because it was too long.
// It is durable like Commit.
func (l *Live) Shrink(ctx context.Context, by int) (*engine.Snapshot, error) {
	return l.endCycle(ctx, func(keep func(*engine.Timeline) error) (*engine.Snapshot, error) {
		return l.context.ShrinkWith(by, keep)
	})
}

func (l *Live) endCycle(ctx context.Context, end func(func(*engine.Timeline) error) (*engine.Snapshot, error)) (*engine.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end(ctx, end)
}

func (l *Live) end(ctx context.Context, end func(func(*engine.Timeline) error) (*engine.Snapshot, error)) (*engine.Snapshot, error) {
	return end(func(t *engine.Timeline) error { return l.keep(ctx, t) })
}

// Checkpoint stores the working state without a commit, so a crash does not lose it. Its errors are
// those of Commit.
func (l *Live) Checkpoint(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keep(ctx, l.context.History())
}

// keep appends what is new in a timeline to the store.
func (l *Live) keep(ctx context.Context, t *engine.Timeline) error {
	frames, head, err := l.head.Append(t)
	if err != nil || len(frames) == 0 {
		return err
	}
	if _, err := l.store.Append(ctx, l.id, l.head.Version(), frames...); err != nil {
		return err
	}
	l.head, l.kept = head, t
	return nil
}

// Reload brings the context to the state in the store. Uncommitted changes are discarded; before
// the call, [engine.Context.Working] shows them. The cost depends on what was appended since the
// last reload, including own commits, plus a pass over the newest state.
func (l *Live) Reload(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reload(ctx)
}

func (l *Live) reload(ctx context.Context) error {
	t, err := l.newest(ctx)
	if err != nil {
		return err
	}
	l.head, l.kept = l.read.Head(), t
	return l.context.Reset(t)
}

// advance reads what is new in the store.
func (r *reader) advance(ctx context.Context) (*engine.Timeline, error) {
	read := r.read
	var frames iter.Seq2[Frame, error]
	if read == nil {
		read = journal.NewDecoder(r.id, engine.ReadOptions{})
		frames = r.store.Read(ctx, r.id, 0, math.MaxInt64)
	} else {
		frames = r.store.Since(ctx, r.id, read.Head().Version())
	}
	r.read = nil // in case the reading fails
	for f, err := range frames {
		if err == nil {
			err = read.Add(f)
		}
		if err != nil {
			return nil, err
		}
	}
	t, err := read.Timeline()
	if err == nil {
		r.read = read
	}
	return t, err
}

// newest is like advance, but starts over if the history has been compacted, erased or replaced by
// another one with the same id.
func (r *reader) newest(ctx context.Context) (*engine.Timeline, error) {
	t, err := r.advance(ctx)
	if errors.Is(err, ErrChanged) {
		return r.advance(ctx)
	}
	return t, err
}

// Stored returns the state in the store, with the commits of other writers. The context does not
// change. The cost depends on what was appended since the last call or reload, including own
// commits. For a history that has not begun, the error has the code [ErrNotFound].
func (l *Live) Stored(ctx context.Context) (*engine.Timeline, error) {
	t, _, err := l.stored(ctx)
	return t, err
}

func (l *Live) stored(ctx context.Context) (*engine.Timeline, Version, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := l.newest(ctx)
	if err != nil {
		return nil, Version{}, err
	}
	return t, l.read.Head().Version(), nil
}

// Follow yields the state in the store, as [Live.Stored] returns it, now and whenever a frame was
// appended since. Between values, it waits in [Store.Watch]. It ends with the error of ctx, with
// the first other error, or when the caller breaks off.
func (l *Live) Follow(ctx context.Context) iter.Seq2[*engine.Timeline, error] {
	return func(yield func(*engine.Timeline, error) bool) {
		for {
			t, v, err := l.stored(ctx)
			if !yield(t, err) || err != nil {
				return
			}
			for _, err = range l.store.Watch(ctx, l.id, v) {
				break
			}
			if err != nil && !errors.Is(err, ErrChanged) {
				yield(nil, err)
				return
			}
		}
	}
}

// maxConflicts is how many times Update tries.
const maxConflicts = 100

// Update runs f, which changes the context, and commits. If another writer was first, it reloads
// and runs f again, up to 100 times, so f always sees the state to which its changes apply. Update
// is for changes that make sense whatever others have written. It does not retry after
// [ErrUnknown].
//
// Update is atomic: if f or the commit fails, uncommitted changes are discarded. Only one call runs
// at a time, without a commit or a reload in between; f must not call the methods of l itself.
func (l *Live) Update(ctx context.Context, f func(*engine.Context) error) (*engine.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for try := 0; ; try++ {
		err := f(l.context)
		if err == nil {
			var s *engine.Snapshot
			if s, err = l.end(ctx, l.context.CommitWith); err == nil {
				return s, nil
			}
		}
		if errors.Is(err, ErrConflict) && try < maxConflicts && pause(ctx, min(try, 5)) == nil {
			if err = l.reload(ctx); err == nil {
				continue
			}
		}
		return nil, errors.Join(err, l.context.Reset(l.kept))
	}
}
