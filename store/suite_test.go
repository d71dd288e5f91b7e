package store

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/store/journal"
)

// testStore checks the contract of every kind of store. open returns a new empty store each time.
func testStore(t *testing.T, open func(*testing.T) Store) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, Store)
	}{
		{"append", testAppend}, {"conflicts", testConflicts}, {"race", testRace}, {"ids", testIDs}, {"bad ids", testBadIDs}, {"bad frames", testBadFrames},
		{"ranges", testRanges}, {"since", testSince}, {"replace", testReplace}, {"delete", testDelete}, {"watch", testWatch},
		{"large", testLarge}, {"copy", testCopy}, {"canceled", testCanceled}, {"attach", testAttach}, {"attach random", testAttachRandom}, {"lost race", testLostRace}, {"update", testUpdate}, {"clock", testClock}, {"unknown", testUnknown}, {"gone", testGone}, {"compact", testCompact}, {"compact steps", testCompactSteps}, {"erase", testErase}, {"attachments", testAttachments}, {"fork", testFork}, {"fork holds", testForkHolds}, {"fork cost", testForkCost}, {"fork erase", testForkErase}, {"fork random", testForkRandom}, {"fork race", testForkRace}, {"stopped", testStopped}, {"closed", testClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			c.run(t, s)
		})
	}
}

func testAppend(t *testing.T, s Store) {
	all := grow(t, s, "a", 5)
	wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
	wantHead(t, s, "a", all[len(all)-1].Version())
	bytes := 0
	for _, f := range all {
		bytes += len(f.AppendLine(nil))
	}
	list, err := collect(s.List(t.Context(), ""))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if i := list[0]; i.ID != "a" || i.Head != all[len(all)-1].Version() || i.Bytes != int64(bytes) || time.Since(i.Changed).Abs() > time.Hour {
		t.Errorf("listed as %+v, with %d bytes", i, bytes)
	}
	_, err = collect(s.Read(t.Context(), "b", 0, 1))
	wantCode(t, ErrNotFound, err)
	_, err = s.Head(t.Context(), "b")
	wantCode(t, ErrNotFound, err)
}

func testConflicts(t *testing.T, s Store) {
	ctx := t.Context()
	all := grow(t, s, "a", 2)
	head := all[3].Version()
	_, err := s.Append(ctx, "a", Version{}, firstAppend("again")...)
	wantCode(t, ErrConflict, err)
	_, err = s.Append(ctx, "a", all[2].Version(), delta(all[2].Version(), "late"))
	wantCode(t, ErrConflict, err)
	other := Version{Cycle: head.Cycle, Digest: journal.Chain(head.Digest, "x")}
	_, err = s.Append(ctx, "a", other, delta(other, "of another history"))
	wantCode(t, ErrConflict, err)
	_, err = s.Append(ctx, "b", head, delta(head, "of no history"))
	wantCode(t, ErrConflict, err)
	wantFrames(t, all, s.Read(ctx, "a", 0, math.MaxInt64))
	_, err = s.Head(ctx, "b")
	wantCode(t, ErrNotFound, err)
}

// testRace lets goroutines race for one history, including its beginning. Identical frames of two
// goroutines are two appends, and only one of them wins.
func testRace(t *testing.T, s Store) {
	const writers, each = 8, 15
	var wg sync.WaitGroup
	var mu sync.Mutex
	var won []Frame
	for range writers {
		wg.Go(func() {
			for n := 0; n < each; {
				head, err := s.Head(t.Context(), "a")
				next := []Frame{delta(head, "the same")}
				if errors.Is(err, ErrNotFound) {
					next = firstAppend("race")
				} else if err != nil {
					t.Error(err)
					return
				}
				switch _, err := s.Append(t.Context(), "a", head, next...); {
				case err == nil:
					n++
					mu.Lock()
					won = append(won, next...)
					mu.Unlock()
				case !errors.Is(err, ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	slices.SortFunc(won, func(a, b Frame) int { return cmp.Compare(a.Cycle, b.Cycle) })
	if len(won) != writers*each+1 {
		t.Errorf("%d frames were acknowledged, want %d", len(won), writers*each+1)
	}
	wantFrames(t, won, s.Read(t.Context(), "a", 0, math.MaxInt64))
}

func testIDs(t *testing.T, s Store) {
	want := map[string][]Frame{}
	for _, id := range unusualIDs {
		want[id] = grow(t, s, id, 1)
	}
	for id, frames := range want {
		wantFrames(t, frames, s.Read(t.Context(), id, 0, math.MaxInt64))
	}
	sorted := slices.Clone(unusualIDs)
	slices.SortFunc(sorted, func(a, b string) int { return strings.Compare(sortKey(a), sortKey(b)) })
	for _, prefix := range []string{"", "a", "a/", "A", "%", "日", "none", strings.Repeat("x", 512), strings.Repeat("x", 513), strings.Repeat("長", 3500), "\x00"} {
		var ids []string
		for i, err := range s.List(t.Context(), prefix) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, i.ID)
			if i.Head != want[i.ID][2].Version() {
				t.Errorf("%q is listed at %v", i.ID, i.Head)
			}
		}
		expect := slices.DeleteFunc(slices.Clone(sorted), func(id string) bool { return !strings.HasPrefix(id, prefix) })
		if diff := gocmp.Diff(expect, ids); diff != "" && len(expect)+len(ids) > 0 {
			t.Errorf("prefix %.20q: -want +got\n%s", prefix, diff)
		}
	}
}

func testBadIDs(t *testing.T, s Store) {
	for _, id := range []string{"", "\xff", "a\xc3", strings.Repeat("x", maxID+1)} {
		_, err := s.Append(t.Context(), id, Version{}, firstAppend("x")...)
		wantCode(t, ErrID, err)
		_, err = s.Head(t.Context(), id)
		wantCode(t, ErrID, err)
		_, err = collect(s.Read(t.Context(), id, 0, 0))
		wantCode(t, ErrID, err)
		_, err = collect(s.Since(t.Context(), id, Version{}))
		wantCode(t, ErrID, err)
		_, err = collect(s.Watch(t.Context(), id, Version{}))
		wantCode(t, ErrID, err)
		_, err = s.Replace(t.Context(), id, Version{}, firstAppend("x")...)
		wantCode(t, ErrID, err)
		wantCode(t, ErrID, s.Delete(t.Context(), id))
	}
}

func testBadFrames(t *testing.T, s Store) {
	all := grow(t, s, "a", 1)
	head := all[2].Version()
	first, other := frame(head, journal.Delta, 3, false, "x"), firstAppend("x")
	wrong := delta(head, "x")
	wrong.Body = strings.Replace(wrong.Body, "x", "y", 1)
	foreign := Frame{Kind: journal.Delta, Cycle: 3, End: true, Digest: journal.Chain(head.Digest, "{\x7f}"), Body: "{\x7f}"}
	bad := [][]Frame{
		{}, {first}, {wrong}, {delta(head, "x"), delta(head, "x")}, {frame(head, journal.Delta, 1, true, "back")}, {frame(head, journal.Header, 3, true, "again")},
		{delta(head, "x"), delta(delta(head, "x").Version(), "an end before the end")}, {foreign},
	}
	for _, list := range bad {
		_, err := s.Append(t.Context(), "a", head, list...)
		wantCode(t, ErrFrames, err)
	}
	for _, list := range [][]Frame{{other[0]}, other[1:], {other[1], other[0]}, {delta(Version{}, "x"), other[1]}} {
		_, err := s.Append(t.Context(), "b", Version{}, list...)
		wantCode(t, ErrFrames, err)
	}
	wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
	if list, err := collect(s.List(t.Context(), "b")); len(list) > 0 || err != nil {
		t.Errorf("listed: %v, %v", list, err)
	}
}

func testRanges(t *testing.T, s Store) {
	all := firstAppend("ranges")
	for cycle := int64(2); cycle <= 9; cycle++ {
		kind := journal.Delta
		if cycle == 4 || cycle == 7 {
			kind = journal.Snapshot
		}
		all = append(all, frame(all[len(all)-1].Version(), kind, cycle, true, "x"))
	}
	if _, err := s.Append(t.Context(), "a", Version{}, all...); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, first, last int64 }{
		{0, 99, 1, 9}, {1, 9, 1, 9}, {3, 9, 1, 9}, {4, 4, 4, 4}, {5, 8, 4, 8}, {7, 7, 7, 7}, {9, 9, 7, 9}, {99, 99, 7, 9}, {-5, 2, 1, 2}, {9, 3, 9, 8},
	} {
		want := []Frame{all[0]}
		if c.first <= c.last {
			want = append(want, all[c.first:c.last+1]...)
		}
		wantFrames(t, want, s.Read(t.Context(), "a", c.from, c.to))
	}
}

func testSince(t *testing.T, s Store) {
	all := grow(t, s, "a", 5)
	wantFrames(t, all, s.Since(t.Context(), "a", Version{}))
	for i := range all {
		var rest []Frame
		rest = append(rest, all[i+1:]...)
		wantFrames(t, rest, s.Since(t.Context(), "a", all[i].Version()))
	}
	_, err := collect(s.Since(t.Context(), "a", delta(all[3].Version(), "of a loser").Version()))
	wantCode(t, ErrChanged, err)
	_, err = collect(s.Since(t.Context(), "b", all[3].Version()))
	wantCode(t, ErrNotFound, err)
}

// compacted returns frames that replace a history up to one of its frames.
func compacted(upTo Frame) []Frame {
	header := frame(Version{}, journal.Header, 0, false, "compacted")
	tree := frame(Version{}, journal.Snapshot, upTo.Cycle, true, "all")
	tree.Digest = upTo.Digest
	return []Frame{header, tree}
}

func testReplace(t *testing.T, s Store) {
	ctx := t.Context()
	all := grow(t, s, "a", 6)
	grow(t, s, "b", 1)
	head := all[7].Version()
	short := compacted(all[4])
	got, err := s.Replace(ctx, "a", all[4].Version(), short...)
	if err != nil || got != head {
		t.Fatal(got, err)
	}
	all = append(short, all[5:]...)
	wantFrames(t, all, s.Read(ctx, "a", 0, math.MaxInt64))
	wantFrames(t, all[2:], s.Since(ctx, "a", all[1].Version()))
	wantFrames(t, all, s.Since(ctx, "a", Version{}))

	_, err = s.Replace(ctx, "a", all[2].Version(), compacted(all[3])...)
	wantCode(t, ErrConflict, err)
	_, err = s.Replace(ctx, "a", Version{Cycle: 2}, compacted(all[3])...)
	wantCode(t, ErrChanged, err)
	_, err = s.Replace(ctx, "a", all[2].Version(), all[2])
	wantCode(t, ErrFrames, err)
	_, err = s.Replace(ctx, "c", all[2].Version(), short...)
	wantCode(t, ErrNotFound, err)
	wantFrames(t, all, s.Read(ctx, "a", 0, math.MaxInt64))

	f := delta(head, "after")
	if _, err := s.Append(ctx, "a", head, f); err != nil {
		t.Fatal(err)
	}
	// Replace the whole history, with more frames and different digests.
	fresh := firstAppend("fresh")
	for range 12 {
		fresh = append(fresh, delta(fresh[len(fresh)-1].Version(), "fresh"))
	}
	got, err = s.Replace(ctx, "a", f.Version(), fresh...)
	if want := fresh[len(fresh)-1].Version(); err != nil || got != want {
		t.Fatalf("%v, %v; want %v", got, err, want)
	}
	f = delta(got, "more")
	if _, err := s.Append(ctx, "a", got, f); err != nil {
		t.Fatal(err)
	}
	wantFrames(t, append(fresh, f), s.Read(ctx, "a", 0, math.MaxInt64))
	bytes := lineLen(f)
	for _, f := range fresh {
		bytes += lineLen(f)
	}
	list, err := collect(s.List(ctx, "a"))
	if err != nil || len(list) != 1 || list[0].Bytes != bytes || list[0].Head != f.Version() {
		t.Errorf("listed as %+v, %v; want %d bytes", list, err, bytes)
	}
}

func testDelete(t *testing.T, s Store) {
	all := grow(t, s, "a", 3)
	kept := grow(t, s, "a/b", 3)
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Head(t.Context(), "a")
	wantCode(t, ErrNotFound, err)
	wantCode(t, ErrNotFound, s.Delete(t.Context(), "a"))
	_, err = s.Append(t.Context(), "a", all[4].Version(), delta(all[4].Version(), "x"))
	wantCode(t, ErrConflict, err)
	wantFrames(t, kept, s.Read(t.Context(), "a/b", 0, math.MaxInt64))
	again := grow(t, s, "a", 1)
	wantFrames(t, again, s.Read(t.Context(), "a", 0, math.MaxInt64))
}

func testWatch(t *testing.T, s Store) {
	all := grow(t, s, "a", 1)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	seen := all[:1:1]
	for f, err := range s.Watch(ctx, "a", all[0].Version()) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, f)
		if len(seen) == 8 {
			break
		}
		if len(seen) == len(all) {
			next := delta(f.Version(), "more")
			all = append(all, next)
			go func() {
				if _, err := s.Append(ctx, "a", f.Version(), next); err != nil {
					t.Error(err)
				}
			}()
		}
	}
	if diff := gocmp.Diff(all, seen); diff != "" {
		t.Errorf("-appended +seen\n%s", diff)
	}

	// It ends when the context is done, or the history is deleted.
	head := all[len(all)-1].Version()
	short, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if _, err := collect(s.Watch(short, "a", head)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v at the end of the time", err)
	}
	go func() {
		if err := s.Delete(ctx, "a"); err != nil {
			t.Error(err)
		}
	}()
	_, err := collect(s.Watch(ctx, "a", head))
	wantCode(t, ErrNotFound, err)
}

// testLarge appends frames that PostgreSQL stores in several rows, and more than fit into one
// statement.
func testLarge(t *testing.T, s Store) {
	all := firstAppend("large")
	v, err := s.Append(t.Context(), "a", Version{}, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, sizes := range [][]int{{maxPart}, {2*maxPart - 20, 3, 2 * maxPart}, {9 * maxPart}, {3, 3 << 20, 2 << 20, 3, 5 << 20}, {100 << 10, 1}} {
		var list []Frame
		for i, n := range sizes {
			list = append(list, frame(v, journal.Delta, v.Cycle+1, i == len(sizes)-1, strings.Repeat([]string{"a", "é", "日", "😀", "b"}[i], n)))
			v = list[i].Version()
		}
		if _, err := s.Append(t.Context(), "a", all[len(all)-1].Version(), list...); err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
	_, err = s.Append(t.Context(), "a", all[2].Version(), all[3:6]...)
	wantCode(t, ErrConflict, err)
	wantFrames(t, all[7:], s.Since(t.Context(), "a", all[6].Version()))
}

// testCopy begins a history with all frames of another.
func testCopy(t *testing.T, s Store) {
	all := grow(t, s, "a", 100)
	if _, err := s.Append(t.Context(), "b", Version{}, all...); err != nil {
		t.Fatal(err)
	}
	wantFrames(t, all, s.Read(t.Context(), "b", 0, math.MaxInt64))
}

func testCanceled(t *testing.T, s Store) {
	all := grow(t, s, "a", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	head := all[2].Version()
	_, err := s.Append(ctx, "a", head, delta(head, "x"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("appended with error %v", err)
	}
	for _, seq := range []iter.Seq2[Frame, error]{s.Read(ctx, "a", 0, 9), s.Since(ctx, "a", Version{}), s.Watch(ctx, "a", head)} {
		if _, err := collect(seq); !errors.Is(err, context.Canceled) {
			t.Errorf("read with error %v", err)
		}
	}
	wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
}

// testStopped leaves iterators early, and uses the store within them.
func testStopped(t *testing.T, s Store) {
	all := grow(t, s, "a", 3)
	grow(t, s, "b", 1)
	for f := range s.Read(t.Context(), "a", 0, 9) {
		if f.Kind == journal.Snapshot {
			break
		}
	}
	for i, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		for range s.Since(t.Context(), i.ID, Version{}) {
			wantHead(t, s, "a", all[4].Version())
			break
		}
		break
	}
}

func testClosed(t *testing.T, s Store) {
	all := grow(t, s, "a", 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	head := all[2].Version()
	_, err := s.Append(t.Context(), "a", head, delta(head, "x"))
	wantCode(t, ErrClosed, err)
	_, err = s.Head(t.Context(), "a")
	wantCode(t, ErrClosed, err)
	_, err = collect(s.Read(t.Context(), "a", 0, 9))
	wantCode(t, ErrClosed, err)
	_, err = collect(s.List(t.Context(), ""))
	wantCode(t, ErrClosed, err)
}
