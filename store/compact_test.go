package store

import (
	"errors"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// testCompact compacts random histories to every length. The kept part is unchanged, and an
// attached context continues exactly like one whose history was not compacted.
func testCompact(t *testing.T, s Store) {
	ctx := t.Context()
	for seed := range uint64(4) {
		for keep := range 6 {
			id := fmt.Sprint(seed, " ", keep)
			c := gentest.Grow(t, gentest.Rand(seed), 5, 60)
			whole, err := engine.Resume(c.History(), still)
			if err != nil {
				t.Fatal(err)
			}
			head := journal.NewHead(journal.About{ID: id})
			var after Version
			for snap := range c.History().Sealed() { // one append per commit, like Attach
				frames, next, err := head.Snapshot(snap)
				if err == nil {
					after, err = s.Append(ctx, id, after, frames...)
				}
				if err != nil {
					t.Fatal(err)
				}
				head = next
			}
			l := attach(t, s, id)
			done, err := Compact(ctx, s, id, keep)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Reload(ctx); err != nil { // what it has read has not changed
				t.Fatal(err)
			}
			again := attach(t, s, id)
			if again.Version() != after {
				t.Errorf("the head of %s is another", id)
			}
			if n := again.Context().Timeline().Recorded().Len(); n > keep+1 {
				t.Errorf("%d snapshots are left of %s", n, id)
			} else if was := whole.Timeline().Recorded().Len(); n+len(done.Cycles) != was || done.Head != after {
				t.Errorf("of %d snapshots, %d are left; it says that it left out %v", was, n, done.Cycles)
			}
			wantNewest(t, id, whole.Timeline(), again.Context().Timeline())
			if _, err := l.Commit(ctx); err != nil {
				t.Fatal(err)
			}
			wantNewest(t, id, l.Context().Timeline(), attach(t, s, id).Context().Timeline())
		}
	}
}

// wantNewest compares the remaining snapshots with the original ones.
func wantNewest(t *testing.T, id string, whole, rest *engine.Timeline) {
	t.Helper()
	whole, rest = whole.Recorded(), rest.Recorded()
	for back, got := range rest.All() {
		if diff := gocmp.Diff(string(whole.At(back).AppendJSON(nil)), string(got.AppendJSON(nil))); diff != "" {
			t.Fatalf("%s, cycle %d: -was +is\n%s", id, got.Cycle(), diff)
		}
	}
}

// testCompactSteps compacts a history of steps, also in the middle of a turn.
func testCompactSteps(t *testing.T, s Store) {
	ctx := t.Context()
	l := attach(t, s, "a")
	for i := range 12 {
		say(t, l.Context(), fmt.Sprint(i))
		end := l.Step
		if i%4 == 3 {
			end = l.Commit
		}
		if _, err := end(ctx); err != nil {
			t.Fatal(err)
		}
	}
	want := string(l.Context().Working().AppendJSON(nil))
	for _, keep := range []int{20, 5, 4, 1, 0, -1} {
		if _, err := Compact(ctx, s, "a", keep); err != nil {
			t.Fatal(err)
		}
		again := attach(t, s, "a")
		if n := again.Context().Timeline().Recorded().Len(); n != min(12, max(keep, 0)+1) {
			t.Errorf("keep %d: %d snapshots", keep, n)
		}
		if diff := gocmp.Diff(want, string(again.Context().Working().AppendJSON(nil))); diff != "" {
			t.Errorf("keep %d: %s", keep, diff)
		}
	}
	say(t, l.Context(), "more")
	if _, err := l.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	wantNewest(t, "a", l.Context().Timeline(), attach(t, s, "a").Context().Timeline())
	if _, err := Compact(ctx, s, "none", 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("error %v", err)
	}
}
