//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// still has a clock that does not advance, so every home gives the same instants.
var still = engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }}

// turn is a change of a history, and whether that ends a turn.
type turn struct {
	n, drafts  int
	beside     bool // the drafts after the first are inserted beside the core
	drop, seal bool
}

func (u turn) do(t *testing.T, c *engine.Context) {
	t.Helper()
	for i := range u.drafts {
		d := engine.Draft{ID: fmt.Sprintf("n%d-%d", u.n, i), Role: []string{"user", "assistant"}[i%2], Content: engine.Text(fmt.Sprintf("text %d of %d", i, u.n))}
		at := engine.AtDepth(0, 0)
		if u.beside {
			at = engine.AtDepth(0, int64(i))
		}
		must(c.Insert(at, d))(t)
	}
	if u.drop {
		must(c.Delete(engine.ByID(fmt.Sprintf("n%d-0", u.n))))(t)
	}
}

// home keeps histories by name.
type home struct {
	name    string
	turn    func(t *testing.T, id string, u turn)
	fork    func(t *testing.T, base string, cycle int64, id string)
	rewind  func(t *testing.T, id string, cycle int64, keep string)
	read    func(t *testing.T, id string) *engine.Timeline
	address string // for programs; "" if only this process has it
	partial bool   // it keeps only newer snapshots
	cores   bool   // it can only insert into cores
}

// moreHomes are homes that need a tag.
var moreHomes []func(*testing.T) home

// must ends the test after an error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// inMemory keeps contexts. With again, each is written as a document and read after each operation.
func inMemory(name string, again bool) home {
	list := map[string]*engine.Context{}
	h := home{name: name}
	keep := func(t *testing.T, id string, c *engine.Context) {
		if again {
			text := c.History().AppendJSON(nil)
			tl := must(engine.Read(id+".json", bytes.NewReader(text), engine.ReadOptions{}))(t)
			c = must(engine.Resume(tl, still))(t)
		}
		list[id] = c
	}
	h.turn = func(t *testing.T, id string, u turn) {
		if list[id] == nil {
			keep(t, id, must(engine.New(still))(t))
		}
		if u.do(t, list[id]); u.seal {
			must(list[id].Commit())(t)
		}
		keep(t, id, list[id])
	}
	h.fork = func(t *testing.T, base string, cycle int64, id string) {
		keep(t, id, must(list[base].Fork(engine.ForkPoint{History: base, Cycle: cycle}))(t))
	}
	h.rewind = func(t *testing.T, id string, cycle int64, as string) {
		h.fork(t, id, list[id].History().At(1).Cycle(), as)
		h.fork(t, as, cycle, id)
	}
	h.read = func(_ *testing.T, id string) *engine.Timeline { return list[id].History() }
	return h
}

// inStore keeps histories in a store. With reopen, each operation opens it; with compact, each
// commit leaves out older snapshots.
func inStore(name, address string, reopen, compact bool) home {
	var s store.Store
	var lives map[string]*store.Live
	h := home{name: name, address: address, partial: compact}
	open := func(t *testing.T) context.Context {
		if s == nil || reopen {
			if s != nil {
				_ = s.Close()
			}
			s, lives = must(store.Open(t.Context(), address))(t), map[string]*store.Live{}
			t.Cleanup(func() { _ = s.Close() })
		}
		return t.Context()
	}
	h.turn = func(t *testing.T, id string, u turn) {
		if open(t); lives[id] == nil {
			lives[id] = must(store.Attach(t.Context(), s, id, still))(t)
		}
		if u.do(t, lives[id].Context()); !u.seal {
			must(0, lives[id].Checkpoint(t.Context()))(t)
			return
		}
		must(lives[id].Commit(t.Context()))(t)
		if compact {
			must(store.Compact(t.Context(), s, id, 3))(t)
		}
	}
	h.fork = func(t *testing.T, base string, cycle int64, id string) { must(s.Fork(open(t), base, cycle, id))(t) }
	h.rewind = func(t *testing.T, id string, cycle int64, keep string) {
		must(s.Rewind(open(t), id, cycle, keep))(t)
		delete(lives, id)
	}
	h.read = func(t *testing.T, id string) *engine.Timeline {
		d := journal.NewDecoder(id, engine.ReadOptions{Strict: true})
		for f, err := range s.Read(open(t), id, 0, math.MaxInt64) {
			must(0, err)(t)
			must(0, d.Add(f))(t)
		}
		return must(d.Timeline())(t)
	}
	return h
}

// TestHomes runs the same generated operations in every home of a history, and compares all
// snapshots, diffs, selections and exports. PACTKIT_SEEDS is the number of runs.
func TestHomes(t *testing.T) {
	seeds := uint64(2)
	if os.Getenv("PACTKIT_TORTURE") != "" {
		seeds = 400
	}
	if text := os.Getenv("PACTKIT_SEEDS"); text != "" {
		seeds = must(strconv.ParseUint(text, 10, 64))(t)
	}
	worker := lines(t, t.TempDir(), `{"id":"ping %d","log":[],"from":"openai","selectors":[]}`, `"id":"ping %d"`, "worker")
	for seed := range seeds {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { testHomes(t, seed, worker) }) {
			break
		}
	}
}

func testHomes(t *testing.T, seed uint64, worker *victim) {
	homes := []home{
		inMemory("memory", false), inMemory("documents", true),
		inStore("journals", "file:"+filepath.Join(t.TempDir(), "s"), false, false),
		inStore("journals that are reopened", "file:"+filepath.Join(t.TempDir(), "s"), true, false),
		inStore("compacted journals", "file:"+filepath.Join(t.TempDir(), "s"), false, true),
	}
	for _, more := range moreHomes {
		homes = append(homes, more(t))
	}
	beside := seed%2 == 0
	homes = slices.DeleteFunc(homes, func(h home) bool { return h.cores && beside })
	for _, id := range operate(t, seed, homes, beside) {
		want := homes[0].read(t, id)
		selectors := []string{".block", "@t-1 .block", "^ah > .block+user"}
		for i := range uint64(12) {
			selectors = append(selectors, gentest.Selector(gentest.Rand(seed<<8+i), want, ast.Edition10))
		}
		for _, h := range homes[1:] {
			compareHome(t, h.name+", "+id, want, h.read(t, id), selectors, h.partial)
			if h.address != "" {
				compareWorker(t, worker, h, id, want, selectors[:3])
			}
		}
	}
}

// operate runs the operations of a seed in all homes. It returns the names of the histories.
func operate(t *testing.T, seed uint64, homes []home, beside bool) []string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	cycles := map[string][]int64{} // of the snapshots
	open := map[string]bool{}      // has uncommitted changes, which a fork in memory would not get
	each := func(f func(h home)) {
		for _, h := range homes {
			f(h)
		}
	}
	for n := range 24 {
		ids := append(slices.Sorted(maps.Keys(cycles)), fmt.Sprintf("%d/main", seed))
		id := ids[r.IntN(len(ids))]
		of := cycles[id]
		newest := of[max(0, len(of)-2):]
		switch k := r.IntN(10); {
		case k < 7 || len(newest) < 2:
			u := turn{n: n, drafts: 1 + r.IntN(3), beside: beside, seal: k != 0, drop: r.IntN(4) == 0}
			each(func(h home) { h.turn(t, id, u) })
			if open[id] = !u.seal; u.seal {
				cycles[id] = append(of, homes[0].read(t, id).At(1).Cycle())
			}
		default:
			cycle, other := newest[r.IntN(2)], fmt.Sprintf("%d/h%d", seed, n)
			if open[id] {
				continue
			}
			if k == 7 {
				each(func(h home) { h.rewind(t, id, cycle, other) })
				cycles[other] = of
				cycles[id] = of[:slices.Index(of, cycle)+1]
				continue
			}
			each(func(h home) { h.fork(t, id, cycle, other) })
			cycles[other] = of[:slices.Index(of, cycle)+1]
		}
	}
	return slices.Sorted(maps.Keys(cycles))
}

// compareHome compares a history with the expected one. With partial, older snapshots may be
// missing.
func compareHome(t *testing.T, where string, want, got *engine.Timeline, selectors []string, partial bool) {
	t.Helper()
	if got.Len() != want.Len() && !partial {
		t.Errorf("%s: %d states, want %d", where, got.Len(), want.Len())
		return
	}
	for back := range got.Len() {
		a, b := want.At(back), got.At(back)
		if x, y := a.AppendJSON(nil), b.AppendJSON(nil); !bytes.Equal(x, y) {
			t.Errorf("%s: state @t-%d is\n%s\nwant\n%s", where, back, y, x)
			return
		}
		if back > 0 {
			x, y := engine.Diff(a, want.At(back-1)).AppendJSON(nil), engine.Diff(b, got.At(back-1)).AppendJSON(nil)
			if !bytes.Equal(x, y) {
				t.Errorf("%s: the diff from @t-%d is %s, want %s", where, back, y, x)
			}
		}
	}
	if partial {
		return
	}
	if x, y := cutForks(want), cutForks(got); !bytes.Equal(x, y) {
		t.Errorf("%s: the export is\n%s\nwant\n%s", where, y, x)
	}
	if x, y := forksOf(want), forksOf(got); !slices.Equal(x, y) {
		t.Errorf("%s: it was forked at %v, want %v", where, y, x)
	}
	for _, s := range selectors {
		x, wrongX := pactkit.FromTimeline(want).SelectRange(t.Context(), s, eval.Options{})
		y, wrongY := pactkit.FromTimeline(got).SelectRange(t.Context(), s, eval.Options{})
		if (wrongX == nil) != (wrongY == nil) || wrongX == nil && !bytes.Equal(x.AppendJSON(nil), y.AppendJSON(nil)) {
			t.Errorf("%s: %s finds something else: %v, %v", where, s, wrongX, wrongY)
		}
	}
}

var forksMember = regexp.MustCompile(`^\{"forks":\[[^]]*\],?`)

// cutForks returns the export of a history without where it was forked, which is compared by
// itself.
func cutForks(t *engine.Timeline) []byte {
	return forksMember.ReplaceAll(t.AppendJSON(nil), []byte("{"))
}

// forksOf returns where a history was forked, without the points that J14 lets a home omit.
func forksOf(t *engine.Timeline) (list []engine.ForkPoint) {
	for _, p := range t.Forks() {
		list = slices.DeleteFunc(list, func(before engine.ForkPoint) bool { return before.Cycle == p.Cycle })
		list = append(list, p)
	}
	return list
}

// compareWorker asks pactkit worker over its pipe.
func compareWorker(t *testing.T, worker *victim, h home, id string, want *engine.Timeline, selectors []string) {
	t.Helper()
	request := must(json.Marshal(map[string]any{"id": 1, "path": store.JoinAddress(h.address, id), "selectors": selectors}))(t)
	var answer struct {
		Histories []struct{ Answers []struct{ IDs []string } }
	}
	text := worker.ask(t, string(request))
	if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Histories) != 1 {
		t.Errorf("%s, %s: the worker answers %s", h.name, id, text)
		return
	}
	for i, s := range selectors {
		if h.partial && i == 1 {
			continue
		}
		nodes := must(pactkit.FromTimeline(want).Select(t.Context(), s))(t)
		var ids []string
		for _, n := range nodes {
			ids = append(ids, n.ID())
		}
		if got := answer.Histories[0].Answers[i].IDs; !slices.Equal(ids, got) {
			t.Errorf("%s, %s: the worker finds %v for %s, want %v", h.name, id, got, s, ids)
		}
	}
}
