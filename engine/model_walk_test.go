package engine_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
)

// walker draws random steps from a source of bytes.
type walker struct {
	pick func(n int) int
	ids  int
}

var modelKeys = []string{"a", "b", "goal", "note"}

func (w *walker) draft(m *model) engine.Draft {
	w.ids++
	d := engine.Draft{ID: fmt.Sprintf("n%d", w.ids)}
	switch w.pick(12) {
	case 0, 1:
		d.Type = "cont"
		d.Removable = w.pick(2) == 0
	case 2:
		d.Type = "block:summary"
	case 3:
		d.Type = "note"
	case 4:
		d.Type, d.Refs = "redaction", []string{w.anyID(m)}
	}
	if w.pick(3) == 0 {
		d.Key = modelKeys[w.pick(len(modelKeys))]
		if w.pick(3) == 0 {
			d.Cad = new(int64(w.pick(3) + 1))
		}
	}
	if w.pick(2) == 0 {
		d.TTL = new(int64(w.pick(4)))
	}
	if w.pick(2) == 0 {
		d.Content = engine.Text(strings.Repeat("x", w.pick(20)))
	}
	d.Priority = int64(w.pick(3))
	d.Pinned = w.pick(12) == 0
	switch {
	case d.Refs != nil:
	case w.pick(6) == 0:
		d.Refs = []string{w.anyID(m)}
	case d.Key != "" && w.pick(2) == 0: // as an overlay does, but perhaps elsewhere
		for _, n := range m.root.all() {
			if n.key == d.Key {
				d.Refs = []string{n.id}
			}
		}
	}
	return d
}

func (w *walker) anyID(m *model) string {
	list := m.root.all()
	if w.pick(30) == 0 {
		return "nowhere"
	}
	return list[w.pick(len(list))].id
}

func (w *walker) step(m *model) op {
	o := op{target: w.anyID(m), depth: w.pick(5) - 1, offset: int64(w.pick(4) - 1)}
	if w.pick(3) == 0 {
		o.parent = w.anyID(m)
	}
	if w.pick(6) == 0 {
		o.key = modelKeys[w.pick(len(modelKeys))]
	}
	switch k := w.pick(20); {
	case k < 8:
		o.kind, o.draft = "insert", w.draft(m)
		switch w.pick(8) {
		case 0, 1, 2:
			o.parent, o.depth = "", 0
		case 3:
			o.parent, o.inCore = "", true
		case 4, 5:
			o.parent, o.before = "", w.anyID(m)
		}
	case k < 10:
		o.kind, o.draft = "replace", w.draft(m)
		o.draft.ID = ""
		o.draft.Offset = int64(w.pick(4) - 1)
	case k < 12:
		o.kind = "move"
		switch w.pick(12) {
		case 0:
			o.parent, o.inCore = "", true
		case 1:
			o.parent, o.before = "", w.anyID(m)
		}
	case k < 14:
		o.kind = "delete"
	case k < 15:
		o.kind = []string{"hold", "release", "stop", "seal"}[w.pick(4)]
	case k < 17:
		o.kind = "step"
		if o.before == "" && m.steps != nil && w.pick(4) == 0 {
			o.kind = "shrink"
		}
	default:
		o.kind = "commit"
	}
	o.side = (o.kind == "commit" || o.kind == "step") && w.pick(4) == 0
	return o
}

func (m *model) apply(o op) engine.Code {
	switch o.kind {
	case "insert":
		return m.insert(o)
	case "replace":
		return m.replace(o)
	case "move":
		return m.move(o)
	case "delete":
		return m.delete(o)
	case "hold":
		if m.find(o.target) == nil {
			return engine.ErrNotFound
		}
		m.holds[o.target]++
	case "release":
		if m.holds[o.target] == 0 {
			return engine.ErrNotFound
		}
		m.holds[o.target]--
	case "stop":
		key := cmp.Or(o.key, "a")
		if _, ok := m.cadence[key]; !ok {
			return engine.ErrNotFound
		}
		delete(m.cadence, key)
		delete(m.due, key)
	case "commit", "step":
		m.commit(o.kind == "commit", 0)
	case "shrink":
		m.commit(false, o.depth+2)
	case "seal":
		m.seal()
		m.instances()
	}
	return ""
}

func applyEngine(c *engine.Context, o op) error {
	pos := engine.AtDepth(o.depth, o.offset)
	switch {
	case o.before != "":
		pos = engine.Before(o.before)
	case o.inCore:
		pos = engine.InCore(o.offset)
	case o.parent != "":
		pos = engine.Under(o.parent, o.offset)
	}
	target := engine.ByID(o.target)
	if o.key != "" {
		target = engine.ByKey(o.key)
	}
	var err error
	switch o.kind {
	case "insert":
		_, err = c.Insert(pos, o.draft)
	case "replace":
		_, err = c.Replace(target, o.draft)
	case "move":
		_, err = c.Move(target, pos)
	case "delete":
		_, err = c.Delete(target)
	case "hold":
		err = c.Hold(o.target)
	case "release":
		err = c.Release(o.target)
	case "stop":
		err = c.StopCadence(cmp.Or(o.key, "a"))
	case "commit":
		describeSide(c, o)
		_, err = c.Commit()
	case "step":
		describeSide(c, o)
		_, err = c.Step()
	case "shrink":
		_, err = c.Shrink(o.depth + 2)
	case "seal":
		err = c.Seal()
	}
	return err
}

func describeSide(c *engine.Context, o op) {
	if o.side {
		c.Describe(engine.CommitInfo{Side: &engine.Side{Of: 1, Kind: "title"}})
	}
}

// checkTimeline compares the states of all addresses, and the causes in the newest snapshot, with
// the model.
func (m *model) checkTimeline(t *engine.Timeline) error {
	counted := m.cycles[false]
	if len(counted) == 0 { // side calls count as long as there are no other calls
		counted = m.cycles[true]
	}
	working := 1 // which edition 0.1 does not count
	if m.edition == engine.Edition01 {
		working = 0
	}
	if t.Len() != len(counted)+working {
		return fmt.Errorf("%d states, want %d and %d working", t.Len(), len(counted), working)
	}
	for i, cycle := range counted {
		back := len(counted) + working - 1 - i
		if s := t.At(back); s.Cycle() != cycle {
			return fmt.Errorf("@t-%d is of cycle %d, want %d", back, s.Cycle(), cycle)
		}
	}
	snap, back := t.OfCycle(m.cycle)
	if at := slices.Index(counted, m.cycle); snap.Cycle() != m.cycle || at >= 0 && back != len(counted)+working-1-at || at < 0 && back != -1 {
		return fmt.Errorf("cycle %d lies %d back", m.cycle, back)
	}
	got := map[string]string{}
	if info := snap.Info(); info != nil {
		for _, c := range info.Causes {
			got[c.ID] = c.Cause
		}
	}
	if !maps.Equal(got, m.causes) {
		return fmt.Errorf("causes %v, want %v", got, m.causes)
	}
	return nil
}

// walk runs steps on both, and compares everything after each.
func walk(t *testing.T, w *walker, edition engine.Edition, steps int, policy *engine.Policy, rules ...mstep) {
	t.Helper()
	m := newModel(edition)
	if len(rules) > 0 {
		policy = withSteps(*policy, rules)
	}
	m.policy, m.steps = policy, rules
	opts := engine.Options{
		Clock:  func() time.Time { return time.Unix(0, m.clock) },
		System: true, Policy: policy, Edition: edition,
	}
	ctx, err := engine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	kept := newKeeper()
	var trace []op
	var last *flat
	var branch branches
	before := ctx.Working().AppendJSON(nil)
	for i := range steps {
		o := w.step(m)
		trace = append(trace, o)
		m.clock += 16 // nodes of one step are a nanosecond apart
		saved := m.clone()
		err := applyEngine(ctx, o)
		code := m.apply(o)
		problem := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("step %d: %s\n%+v", i, fmt.Sprintf(format, args...), trace[max(0, len(trace)-6):])
		}
		if code != "" {
			m = saved
			e, _ := err.(*engine.Error)
			if e == nil || e.Code != code {
				problem("error %v, want %s", err, code)
			}
			if after := ctx.Working().AppendJSON(nil); !bytes.Equal(before, after) {
				problem("a failed step changed the tree")
			}
			continue
		}
		if err != nil {
			problem("error %v, want none", err)
		}
		if o.kind == "commit" || o.kind == "step" || o.kind == "shrink" {
			m.cycles[o.side] = append(m.cycles[o.side], m.cycle)
			if err := m.checkTimeline(ctx.Timeline()); err != nil {
				problem("%v", err)
			}
			clear(m.causes)
			snap, _ := ctx.Timeline().OfCycle(m.cycle)
			want := m.export(m.cycle, m.cycle)
			if got := snap.AppendJSON(nil); !bytes.Equal(got, want) {
				problem("snapshot%s", firstDifference(got, want))
			}
			if bad := snap.Validate(); len(bad) > 0 {
				problem("broken invariant: %v", bad[0])
			}
			if info := snap.Info(); info != nil && info.Policy != nil && info.Policy.After != int64(m.total()) {
				problem("the policy counts %d tokens, and the tree has %d", info.Policy.After, m.total())
			}
			newest := m.flatten(m.cycle)
			if last != nil {
				before, _ := ctx.Timeline().OfCycle(m.cycle - 1)
				got := engine.Diff(before, snap).AppendJSON(nil)
				if want := last.diff(newest); string(got) != want {
					problem("diff\n got %s\nwant %s", got, want)
				}
			}
			branch.points = append(branch.points, branchOf(m, newest, o.kind == "commit"))
			last = newest
			m.startCycle(o.kind == "commit")
			kept.append(t, ctx)
		}
		if w.pick(8) == 0 { // an interrupted and resumed run gives the same bytes
			if i%2 == 0 {
				ctx = saveAndResume(t, ctx, opts)
				kept = newKeeper()
			} else {
				ctx, kept = kept.resume(t, ctx, opts)
			}
			branch.points = nil // it may not be recorded when cadences changed
		}
		if w.pick(40) == 0 && len(branch.points) > 0 { // from here on, the fork is compared with the model
			last, ctx = branch.fork(t, w, &m, ctx)
			kept = newKeeper()
		}
		if w.pick(40) == 0 {
			id := w.anyID(m)
			if err := m.checkErase(t, ctx, id); m.find(id) != nil && err != nil {
				problem("erase %s: %v", id, err)
			}
		}
		got, want := ctx.Working().AppendJSON(nil), m.export(m.cycle, m.cycle-1)
		if !bytes.Equal(got, want) {
			problem("working state%s", firstDifference(got, want))
		}
		before = got
		for _, n := range m.root.all() {
			if h, ok := ctx.Working().Find(n.id); !ok || h.ID() != n.id {
				problem("the node %s is not found by its id", n.id)
			}
		}
	}
}

// firstDifference returns the first difference of two texts.
func firstDifference(got, want []byte) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-200)
	return fmt.Sprintf(" at byte %d\n got …%s\nwant …%s", i, got[from:min(len(got), i+300)], want[from:min(len(want), i+300)])
}

// saveAndResume continues with a context that is read from what the old one saved.
func saveAndResume(t *testing.T, old *engine.Context, opts engine.Options) *engine.Context {
	t.Helper()
	saved := old.AppendJSON(nil)
	tl, err := engine.Read("saved.json", bytes.NewReader(saved), engine.ReadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := engine.Resume(tl, opts)
	if err != nil {
		t.Fatal(err)
	}
	if again := ctx.AppendJSON(nil); !bytes.Equal(saved, again) {
		t.Fatalf("resumed state%s", firstDifference(again, saved))
	}
	return ctx
}

// modelPolicies returns the policies of the walks, and the steps of those that have any.
func modelPolicies() (policies []*engine.Policy, rules map[int][]mstep) {
	pairs := func(n engine.Node) (string, bool) {
		text, _ := n.Content().Text()
		return pairOf(text)
	}
	policies = []*engine.Policy{
		nil,
		{Limits: []engine.Limit{{Nodes: 25}}, KeepSegments: 1},
		{Limits: []engine.Limit{{Scope: engine.ScopeSegment, Nodes: 5}, {Scope: engine.ScopeRegion, Region: engine.RegionSys, Tokens: 8}}},
		{Limits: []engine.Limit{{Tokens: 40}, {Scope: engine.ScopeSegment, Nodes: 4}}, KeepSegments: 1, Pair: pairs},
		{Limits: []engine.Limit{{Nodes: 12}, {Scope: engine.ScopeRegion, Region: engine.RegionHead, Nodes: 3}}},
		{Limits: []engine.Limit{{Scope: engine.ScopeRegion, Region: engine.RegionSeq, Nodes: 6}, {Scope: engine.ScopeRegion, Region: engine.RegionHead, Nodes: 2}}, KeepSegments: 2},
		{Budget: 30},
		{Budget: 20, MinGain: 6, KeepSegments: 1, Limits: []engine.Limit{{Nodes: 30}}, Pair: pairs},
		{Budget: 25, Pair: pairs},
	}
	rules = map[int][]mstep{
		6: {{"show", 6, 2}, {"drop", 1, 0}},
		7: {{"show", 12, 6}, {"show", 8, 1}, {"summarize", 3, 5}, {"drop", 0, 0}},
		8: {{"summarize", 4, 3}, {"show", 5, 4}},
	}
	return policies, rules
}

// TestModel compares the engine with the model over random steps.
func TestModel(t *testing.T) {
	policies, rules := modelPolicies()
	runs, steps := 300, 100
	if testing.Short() {
		runs = 20
	}
	if more := os.Getenv("PACTKIT_SEEDS"); more != "" {
		n, err := strconv.ParseUint(more, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		runs = int(n)
	}
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			walk(t, &walker{pick: r.IntN}, modelEditions[seed/len(policies)%2], steps, policies[seed%len(policies)], rules[seed%len(policies)]...)
		})
	}
}

var modelEditions = [...]engine.Edition{engine.Edition10, engine.Edition01}

// FuzzModel lets the fuzzer choose the steps. Its walks are short, so it can try many. TestModel
// tests long ones.
func FuzzModel(f *testing.F) {
	gentest.AddBytes(f, 120)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 180 {
			policies, rules := modelPolicies()
			w := &walker{pick: gentest.Picker(data)}
			i := w.pick(len(policies))
			walk(t, w, modelEditions[w.pick(2)], len(data)/12, policies[i], rules[i]...)
		}
	})
}
