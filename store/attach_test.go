package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// still has a clock that does not advance, so all instants come from the history.
var still = engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }}

func attach(t *testing.T, s Store, id string) *Live {
	t.Helper()
	l, err := Attach(t.Context(), s, id, still)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func say(t *testing.T, c *engine.Context, text string) {
	t.Helper()
	if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text(text)}); err != nil {
		t.Fatal(err)
	}
}

func wantSame(t *testing.T, what string, want, got *engine.Context) {
	t.Helper()
	if diff := gocmp.Diff(string(want.AppendJSON(nil)), string(got.AppendJSON(nil))); diff != "" {
		t.Fatalf("%s: -want +got\n%s", what, diff)
	}
}

// testAttach compares an attached context with a plain one after the same operations, and with one
// attached afterwards.
func testAttach(t *testing.T, s Store) {
	plain, err := engine.New(still)
	if err != nil {
		t.Fatal(err)
	}
	l := attach(t, s, "a")
	if _, err := s.Head(t.Context(), "a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("attaching begins a history: %v", err)
	}
	for turn := range 12 {
		for i := range 3 {
			say(t, plain, fmt.Sprint(turn, i))
			say(t, l.Context(), fmt.Sprint(turn, i))
		}
		switch turn % 4 {
		case 3: // only the working state is kept
			if err := l.Checkpoint(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 2:
			want, err := plain.Step()
			if err != nil {
				t.Fatal(err)
			}
			got, err := l.Step(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(string(want.AppendJSON(nil)), string(got.AppendJSON(nil))); diff != "" {
				t.Fatal(diff)
			}
		default:
			if _, err := plain.Commit(); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		wantHead(t, s, "a", l.Version())
		wantSame(t, fmt.Sprint("turn ", turn), plain, l.Context())
		other := attach(t, s, "a")
		wantSame(t, fmt.Sprint("attached after turn ", turn), plain, other.Context())
		if turn%5 == 4 { // another context goes on than the one that wrote
			l = other
		}
	}
	before := l.Version()
	if err := l.Checkpoint(t.Context()); err != nil || l.Version() != before {
		t.Errorf("nothing is new, and yet written: %v", err)
	}
}

// testAttachRandom stores the whole history of a random context, and attaches to it.
func testAttachRandom(t *testing.T, s Store) {
	for seed := range uint64(6) {
		c := gentest.Live(t, gentest.Rand(seed), 60)
		id := fmt.Sprint("random ", seed)
		frames, _, err := journal.NewHead(journal.About{ID: id}).Append(c.History())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), id, Version{}, frames...); err != nil {
			t.Fatal(err)
		}
		l := attach(t, s, id)
		wantSame(t, id, c, l.Context())
		say(t, l.Context(), "more")
		if _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantSame(t, id, l.Context(), attach(t, s, id).Context())
	}
}

// testLostRace lets two contexts commit from the same state.
func testLostRace(t *testing.T, s Store) {
	a, b := attach(t, s, "a"), attach(t, s, "a")
	commit := func(l *Live) *engine.Snapshot {
		t.Helper()
		snap, err := l.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return snap
	}
	for turn := range 4 { // in turn 0 they race for the beginning
		a, b = b, a
		say(t, a.Context(), "a")
		say(t, b.Context(), "b")
		before, at := string(b.Context().AppendJSON(nil)), b.Version()
		commit(a)
		for range 2 {
			_, err := b.Commit(t.Context())
			wantCode(t, ErrConflict, err)
			wantCode(t, ErrConflict, b.Checkpoint(t.Context()))
		}
		if diff := gocmp.Diff(before, string(b.Context().AppendJSON(nil))); diff != "" || b.Version() != at {
			t.Fatalf("turn %d: what was lost changed the context:\n%s", turn, diff)
		}
		context := b.Context()
		if err := b.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantSame(t, "reloaded", a.Context(), b.Context())
		if b.Context() != context {
			t.Error("another context")
		}
		say(t, b.Context(), "b")
		commit(b)
		if err := a.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantSame(t, "reloaded in turn", b.Context(), a.Context())
	}
}

// testUpdate lets contexts append turns to one history concurrently; each turn must be there once.
func testUpdate(t *testing.T, s Store) {
	const writers, each = 4, 6
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			l, err := Attach(t.Context(), s, "a", still)
			for i := 0; i < each && err == nil; i++ {
				_, err = l.Update(t.Context(), func(c *engine.Context) error {
					_, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text(fmt.Sprintf("<%d-%d>", w, i))})
					return err
				})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	l := attach(t, s, "a")
	if n := l.Context().Timeline().Len(); n != writers*each+1 {
		t.Errorf("%d states", n)
	}
	text := string(l.Context().Working().AppendJSON(nil))
	for w := range writers {
		for i := range each {
			if n := strings.Count(text, fmt.Sprintf("<%d-%d>", w, i)); n != 1 {
				t.Errorf("turn %d of writer %d is there %d times", i, w, n)
			}
		}
	}
	refused := errors.New("refused")
	before := string(l.Context().AppendJSON(nil))
	_, err := l.Update(t.Context(), func(c *engine.Context) error {
		say(t, c, "not to stay")
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	l.store = failing{s, false}
	_, err = l.Update(t.Context(), func(c *engine.Context) error {
		say(t, c, "not to stay")
		return nil
	})
	wantCode(t, ErrUnknown, err)
	if diff := gocmp.Diff(before, string(l.Context().AppendJSON(nil))); diff != "" {
		t.Errorf("an update that failed left something: %s", diff)
	}

	// The same with a history that does not exist yet.
	fresh := attach(t, s, "fresh")
	before = string(fresh.Context().AppendJSON(nil))
	_, err = fresh.Update(t.Context(), func(c *engine.Context) error {
		say(t, c, "not to stay")
		return refused
	})
	if diff := gocmp.Diff(before, string(fresh.Context().AppendJSON(nil))); diff != "" || !errors.Is(err, refused) {
		t.Errorf("%v: %s", err, diff)
	}

	// Updates of one context by several goroutines, and reloads in between, do not mix.
	var group sync.WaitGroup
	for i := range 3 {
		group.Go(func() {
			for n := range 5 {
				_, err := fresh.Update(t.Context(), func(c *engine.Context) error {
					for part := range 2 {
						if _, err := c.Insert(engine.AtDepth(0, int64(part)), engine.Draft{Content: engine.Text(fmt.Sprint(i, n))}); err != nil {
							return err
						}
					}
					return nil
				})
				if err == nil {
					err = fresh.Reload(t.Context())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for depth := range fresh.Context().Working().Segments() {
		seg, _ := fresh.Context().Working().Segment(depth + 1)
		texts := map[string]int{}
		for core := range seg.Children() {
			for n := range core.Children() {
				text, _ := n.Content().Text()
				texts[text]++
			}
		}
		if len(texts) != 1 {
			t.Errorf("a turn has %v", texts)
		}
	}
}

// failing is a store whose appends fail, before they are done or afterwards.
type failing struct {
	Store
	arrives bool
}

func (f failing) Append(ctx context.Context, id string, after Version, frames ...Frame) (Version, error) {
	if f.arrives {
		if _, err := f.Store.Append(ctx, id, after, frames...); err != nil {
			return Version{}, err
		}
	}
	return Version{}, &Error{Code: ErrUnknown, ID: id, Msg: "it broke"}
}

// testUnknown loses the answer to a commit. The context is unchanged, and Reload shows the outcome.
func testUnknown(t *testing.T, s Store) {
	l := attach(t, s, "a")
	say(t, l.Context(), "first")
	if _, err := l.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, arrives := range []bool{false, true} {
		say(t, l.Context(), "second")
		before := string(l.Context().AppendJSON(nil))
		l.store = failing{s, arrives}
		_, err := l.Commit(t.Context())
		wantCode(t, ErrUnknown, err)
		if diff := gocmp.Diff(before, string(l.Context().AppendJSON(nil))); diff != "" {
			t.Fatal(diff)
		}
		l.store = s
		if arrives {
			_, err := l.Commit(t.Context())
			wantCode(t, ErrConflict, err)
			if err := l.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
		} else if _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.Context().Timeline().Len(); n != 4 {
		t.Errorf("%d states, want three commits and the working state", n)
	}
	wantSame(t, "attached", l.Context(), attach(t, s, "a").Context())
}

// testGone reloads a history that was deleted, and one that was begun again.
func testGone(t *testing.T, s Store) {
	a, b := attach(t, s, "a"), attach(t, s, "a")
	say(t, a.Context(), "a")
	if _, err := a.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, ErrNotFound, b.Reload(t.Context()))
	say(t, b.Context(), "b")
	_, err := b.Commit(t.Context())
	wantCode(t, ErrConflict, err)
	c := attach(t, s, "a")
	say(t, c.Context(), "another history")
	if _, err := c.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantSame(t, "begun anew", c.Context(), b.Context())
}

// testClock commits while the clock goes back or stands still. Instants increase nevertheless, also
// in the next context.
func testClock(t *testing.T, s Store) {
	now := time.Unix(1_000_000, 0)
	back := engine.Options{Clock: func() time.Time {
		now = now.Add(-time.Hour)
		return now
	}}
	last := int64(0)
	for turn := range 6 {
		l, err := Attach(t.Context(), s, "a", back)
		if err != nil {
			t.Fatal(err)
		}
		say(t, l.Context(), fmt.Sprint(turn))
		snap, err := l.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		newest, ok := snap.Segment(1)
		if !ok {
			t.Fatal("the commit sealed nothing")
		}
		for n := range newest.Children() {
			at, _ := n.CreatedNS().Int64()
			if at <= last {
				t.Errorf("turn %d: a node of instant %d after one of %d", turn, at, last)
			}
			last = at
		}
		wantSame(t, fmt.Sprint("turn ", turn), l.Context(), attach(t, s, "a").Context())
	}
}
