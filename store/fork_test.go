package store

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// turns commits a number of turns to a history.
func turns(t *testing.T, s Store, id string, n int) *Live {
	t.Helper()
	l := attach(t, s, id)
	for range n {
		say(t, l.Context(), fmt.Sprintf("%s says %d", id, l.Version().Cycle))
		if _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func framesOf(t *testing.T, s Store, id string) []Frame {
	t.Helper()
	list, err := collect(s.Read(t.Context(), id, 0, math.MaxInt64))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func fork(t *testing.T, s Store, base string, cycle int64, id string) Version {
	t.Helper()
	v, err := s.Fork(t.Context(), base, cycle, id)
	if err != nil {
		t.Fatal(err)
	}
	wantHead(t, s, id, v)
	return v
}

// testFork forks a history at each of its cycles, and the forks. Whatever happens to the base, the
// forks have the same frames and versions.
func testFork(t *testing.T, s Store) {
	ctx := t.Context()
	l := turns(t, s, "base", 8)
	hold := l.Context().Working().Root().ID()
	if err := l.Context().Hold(hold); err != nil {
		t.Fatal(err)
	}
	turns := func(n int) {
		for range n {
			say(t, l.Context(), "more")
			if _, err := l.Commit(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	turns(4) // each with a frame of its working state
	base := framesOf(t, s, "base")
	want := map[string][]Frame{}
	for cycle := int64(1); cycle <= 12; cycle++ {
		id := fmt.Sprint("fork/", cycle)
		v := fork(t, s, "base", cycle, id)
		end := 1 + slices.IndexFunc(base, func(f Frame) bool { return f.IsSealed() && f.Cycle == cycle })
		if !base[end-1].End {
			end++
		}
		got := framesOf(t, s, id)
		if diff := gocmp.Diff(base[:end], got[:len(got)-1]); diff != "" || got[end].Kind != journal.Fork || got[end].Version() != v {
			t.Fatalf("%s: -want +got\n%s", id, diff)
		}
		f := attach(t, s, id)
		if want := []engine.ForkPoint{{History: "base", Cycle: cycle}}; !slices.Equal(f.Context().History().Forks(), want) {
			t.Errorf("%s is from %v", id, f.Context().History().Forks())
		}
		if cycle%3 == 0 {
			say(t, f.Context(), "of the fork")
			if _, err := f.Commit(ctx); err != nil {
				t.Fatal(err)
			}
			fork(t, s, id, Newest, id+"/newest")
			fork(t, s, id, cycle+1, id+"/own")
			fork(t, s, id, cycle, id+"/same")
			fork(t, s, id, 1, id+"/before")
		}
	}
	for i, err := range s.List(ctx, "fork/") {
		if err != nil || i.Err != nil {
			t.Fatal(err, i.Err)
		}
		want[i.ID] = framesOf(t, s, i.ID)
		if i.Head != want[i.ID][len(want[i.ID])-1].Version() || i.Bytes > 3000 {
			t.Errorf("%s is listed with %d bytes at %v", i.ID, i.Bytes, i.Head)
		}
	}
	check := func(what string) {
		t.Helper()
		for _, id := range slices.Sorted(maps.Keys(want)) {
			list, err := collect(s.Read(ctx, id, 0, math.MaxInt64))
			if diff := gocmp.Diff(want[id], list); err != nil || diff != "" {
				t.Fatalf("%s: %s: %v -want +got\n%s", what, id, err, diff)
			}
			half := want[id][len(want[id])/2]
			wantFrames(t, append([]Frame(nil), want[id][len(want[id])/2+1:]...), s.Since(ctx, id, half.Version()))
			attach(t, s, id)
		}
	}
	_, err := s.Fork(ctx, "base", 3, "fork/3")
	wantCode(t, ErrConflict, err)
	_, err = s.Fork(ctx, "base", 3, "base")
	wantCode(t, ErrConflict, err)
	_, err = s.Fork(ctx, "nobody", 3, "x")
	wantCode(t, ErrNotFound, err)
	_, err = s.Fork(ctx, "base", 3, "")
	wantCode(t, ErrID, err)
	for _, cycle := range []int64{0, 13, 99, -2, math.MinInt64} {
		if _, err := s.Fork(ctx, "base", cycle, "x"); !errors.Is(err, engine.ErrSnapshotUnknown) {
			t.Errorf("a fork at cycle %d: %v", cycle, err)
		}
	}
	turns(2)
	check("the base grew")
	if _, err := Compact(ctx, s, "base", 3); err != nil {
		t.Fatal(err)
	}
	check("the base was compacted")
	fork(t, s, "base", 13, "fork/13")
	want["fork/13"] = framesOf(t, s, "fork/13")
	if err := s.Delete(ctx, "base"); err != nil {
		t.Fatal(err)
	}
	check("the base was deleted")
	for _, id := range []string{"fork/12", "fork/6", "fork/6/newest", "fork/1", "fork/9"} {
		if err := s.Delete(ctx, id); err != nil {
			t.Fatal(err)
		}
		delete(want, id)
		check(id + " was deleted")
	}
	if _, err := Compact(ctx, s, "fork/3", 0); err != nil {
		t.Fatal(err)
	}
	want["fork/3"] = framesOf(t, s, "fork/3")
	check("a fork was compacted")
	if got := attach(t, s, "fork/3").Context().History().Forks(); len(got) != 1 {
		t.Errorf("the compacted fork is from %v", got)
	}
}

// testForkHolds shows that a hold stays with the base (E75), also one that a checkpoint stored, and
// however the base goes on.
func testForkHolds(t *testing.T, s Store) {
	ctx := t.Context()
	l := attach(t, s, "held")
	n, err := l.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: "kept", Content: engine.Text("kept"), TTL: new(int64(1))})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Context().Hold(n.ID()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the node would have expired
		if _, err := l.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Checkpoint(ctx); err != nil {
		t.Fatal(err)
	}
	fork(t, s, "held", 2, "free")
	for id, want := range map[string]bool{"held": true, "free": false} {
		again := attach(t, s, id)
		if _, ok := again.Context().Working().Find("kept"); !ok {
			t.Fatalf("%s begins without the node", id)
		}
		snap, err := again.Commit(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := snap.Find("kept"); ok != want {
			t.Errorf("after a commit, %s has the node: %t", id, ok)
		}
	}
}

// testForkCost forks a long history at many cycles.
func testForkCost(t *testing.T, s Store) {
	const cycles = 10_000
	all := firstAppend("long")
	for len(all) <= cycles {
		all = append(all, delta(all[len(all)-1].Version(), strings.Repeat("x", 300)))
	}
	if _, err := s.Append(t.Context(), "long", Version{}, all...); err != nil {
		t.Fatal(err)
	}
	var took []time.Duration
	for i := range 50 {
		cycle := int64(i*cycles/50 + 1)
		begun := time.Now()
		fork(t, s, "long", cycle, fmt.Sprint("fork ", i))
		took = append(took, time.Since(begun))
	}
	for i, err := range s.List(t.Context(), "fork ") {
		if err != nil || i.Bytes >= 1000 {
			t.Fatalf("%s has %d bytes, %v", i.ID, i.Bytes, err)
		}
	}
	slices.Sort(took)
	t.Logf("a fork of %d cycles takes %v, at most %v", cycles, took[len(took)/2], took[len(took)-1])
}

// testForkErase erases nodes of a base, of a fork, and of a sibling whose base was deleted.
func testForkErase(t *testing.T, s Store) {
	ctx := t.Context()
	holders := func(text string) (ids []string) {
		for i, err := range s.List(ctx, "") {
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range framesOf(t, s, i.ID) {
				if strings.Contains(f.Body, text) {
					ids = append(ids, i.ID)
					break
				}
			}
			attach(t, s, i.ID)
		}
		return ids
	}
	insert := func(id string, nodes ...string) *Live {
		l := attach(t, s, id)
		for _, n := range nodes {
			d := engine.Draft{ID: n, Content: engine.Text(fmt.Sprintf("SECRET %s in %s", n, id))}
			if _, err := l.Context().Insert(engine.AtDepth(0, 0), d); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Commit(ctx); err != nil {
				t.Fatal(err)
			}
		}
		return l
	}
	insert("base", "a", "b", "c", "d")
	fork(t, s, "base", 2, "one")
	fork(t, s, "base", 4, "two")
	fork(t, s, "two", Newest, "three")
	insert("one", "c", "x") // another node c
	insert("three", "y")
	fork(t, s, "three", Newest, "four")
	want := func(text string, ids ...string) {
		t.Helper()
		if diff := gocmp.Diff(ids, holders(text)); diff != "" {
			t.Errorf("histories with %q: -want +got\n%s", text, diff)
		}
	}
	erase := func(id, node string, related ...string) {
		t.Helper()
		plan, err := PlanErase(ctx, s, id, node)
		if err != nil {
			t.Fatal(err)
		}
		done, err := Erase(ctx, s, id, node)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(related, done.Related) + gocmp.Diff(related, plan.Related); diff != "" {
			t.Errorf("%s of %s: -want +got\n%s", node, id, diff)
		}
	}
	erase("base", "c", "four", "three", "two")
	want("SECRET c in base")
	want("SECRET c in one", "one")
	want("SECRET a", "base", "four", "one", "three", "two")
	erase("one", "a", "base", "four", "three", "two") // from a fork
	want("SECRET a")
	erase("three", "y", "four")
	want("SECRET y")
	if err := errors.Join(s.Delete(ctx, "base"), s.Delete(ctx, "two")); err != nil {
		t.Fatal(err)
	}
	want("SECRET b", "four", "one", "three")
	erase("four", "b", "one", "three") // of siblings without their base
	want("SECRET b")
	want("SECRET d", "four", "three")
	for _, id := range []string{"four", "three"} {
		if n := len(attach(t, s, id).Context().History().Forks()); n == 0 {
			t.Errorf("%s has forgotten where it is from", id)
		}
	}
}

// testForkRandom compares a store with a model that has a list of frames for each history.
func testForkRandom(t *testing.T, s Store) {
	ctx := t.Context()
	walks := 12
	if testing.Short() {
		walks = 3
	}
	for seed := range walks {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		model := map[string][]Frame{}
		name := func() string { return fmt.Sprintf("%d/%d", seed, r.IntN(7)) }
		any := func() string {
			if ids := slices.Sorted(maps.Keys(model)); len(ids) > 0 {
				return ids[r.IntN(len(ids))]
			}
			return name()
		}
		var trace []string
		for range 60 {
			id, other, cycle, keep := any(), name(), int64(r.IntN(12)+1), r.IntN(4)
			if r.IntN(4) == 0 {
				cycle = Newest
			}
			var err, want error
			switch k := r.IntN(12); {
			case k < 4:
				trace = append(trace, "commit "+id)
				if r.IntN(8) == 0 {
					id = other
				}
				l := attach(t, s, id)
				say(t, l.Context(), fmt.Sprint(seed, len(trace)))
				if err = l.Checkpoint(ctx); r.IntN(3) > 0 && err == nil {
					_, err = l.Commit(ctx)
				}
				model[id] = framesOf(t, s, id)
			case k < 8:
				trace = append(trace, fmt.Sprint("fork ", id, " ", cycle, " ", other))
				forked := modelFork(model[id], id, cycle, other)
				switch _, err = s.Fork(ctx, id, cycle, other); {
				case model[id] == nil:
					want = ErrNotFound
				case forked == nil:
					want = engine.ErrSnapshotUnknown
				case model[other] != nil:
					want = ErrConflict
				default:
					model[other] = forked
				}
			case k < 10:
				trace = append(trace, "delete "+id)
				if err = s.Delete(ctx, id); model[id] == nil {
					want = ErrNotFound
				}
				delete(model, id)
			case k < 11:
				trace = append(trace, fmt.Sprint("rewind ", id, " ", cycle, " ", other))
				kept := modelFork(model[id], id, Newest, other)
				rewound := modelFork(kept, other, cycle, id)
				if cycle == Newest {
					continue
				}
				switch _, err = s.Rewind(ctx, id, cycle, other); {
				case model[id] == nil:
					want = ErrNotFound
				case kept == nil || rewound == nil:
					want = engine.ErrSnapshotUnknown
				case model[other] != nil:
					want = ErrConflict
				default:
					model[id], model[other] = rewound, kept
				}
			default:
				trace = append(trace, fmt.Sprint("compact ", id, " ", keep))
				if model[id] == nil {
					continue
				}
				upTo, short, wrong := journal.Compact(yieldAll(model[id]), keep)
				if wrong != nil {
					t.Fatal(wrong)
				}
				if _, err = Compact(ctx, s, id, keep); len(short) > 0 {
					at := slices.IndexFunc(model[id], func(f Frame) bool { return f.Version() == upTo })
					model[id] = append(short, model[id][at+1:]...)
				}
			}
			if !errors.Is(err, want) || want == nil && err != nil {
				t.Fatalf("seed %d: %v, want %v\n%s", seed, err, want, strings.Join(trace, "\n"))
			}
			for id, want := range model {
				got, err := collect(s.Read(ctx, id, 0, math.MaxInt64))
				if diff := gocmp.Diff(want, got); err != nil || diff != "" {
					t.Fatalf("seed %d: %s: %v -want +got\n%s\n%s", seed, id, err, diff, strings.Join(trace, "\n"))
				}
			}
		}
		list, err := collect(s.List(ctx, fmt.Sprint(seed, "/")))
		if err != nil || len(list) != len(model) {
			t.Errorf("%d histories are listed, want %d; %v", len(list), len(model), err)
		}
	}
}

func yieldAll(list []Frame) func(func(Frame, error) bool) {
	return func(yield func(Frame, error) bool) {
		for _, f := range list {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// modelFork returns the frames of a fork, or nil if the base lacks the snapshot.
func modelFork(base []Frame, id string, cycle int64, fork string) []Frame {
	end, at := 0, int64(0)
	for i, f := range base {
		if f.IsSealed() && (cycle == Newest || f.Cycle == cycle) {
			end, at = i+1, f.Cycle
			for ; !base[end-1].End; end++ {
			}
		}
	}
	if end == 0 {
		return nil
	}
	if cycle == Newest {
		end = len(base)
	}
	frame := journal.NewFork(base[end-1].Version(), engine.ForkPoint{History: id, Cycle: at}, false, fork)
	return append(slices.Clone(base[:end]), frame)
}

// testForkRace lets goroutines fork, append to, compact and delete the same histories. Each fork is
// whole at any time, and has the beginning of a history that was there.
func testForkRace(t *testing.T, s Store) {
	ctx := t.Context()
	turns(t, s, "h0", 5)
	allowed := []error{ErrConflict, ErrNotFound, ErrChanged, engine.ErrSnapshotUnknown}
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 9))
			for range 40 {
				id, other := fmt.Sprint("h", r.IntN(5)), fmt.Sprint("h", r.IntN(5))
				var err error
				switch r.IntN(9) {
				case 8:
					_, err = s.Rewind(ctx, id, int64(r.IntN(5)+1), other)
				case 0, 1, 2:
					_, err = s.Fork(ctx, id, cmp.Or(int64(r.IntN(6)), Newest), other)
				case 3:
					if id != "h0" {
						err = s.Delete(ctx, id)
					}
				case 4:
					_, err = Compact(ctx, s, id, 1+r.IntN(4))
				case 5:
					_, err = collect(s.Read(ctx, id, 0, math.MaxInt64))
				default:
					var l *Live
					if l, err = Attach(ctx, s, id, still); err == nil {
						_, err = l.Commit(ctx)
					}
				}
				if err != nil && !slices.ContainsFunc(allowed, func(e error) bool { return errors.Is(err, e) }) {
					t.Errorf("%s, %s: %v", id, other, err)
					return
				}
			}
		})
	}
	wg.Wait()
	for i, err := range s.List(ctx, "") {
		if err != nil || i.Err != nil {
			t.Fatal(err, i.Err)
		}
		attach(t, s, i.ID)
	}
}
