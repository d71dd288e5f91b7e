package journal_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// erase erases nodes of a journal and returns the new one, which must be valid, and the ids of the
// other nodes that were erased.
func erase(t *testing.T, data []byte, ids ...string) ([]byte, []string) {
	t.Helper()
	erased, err := journal.Erase(framesOf(data), ids...)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var out []byte
	for _, f := range erased.Frames {
		out = f.AppendLine(out)
	}
	if _, info, err := journal.Verify("erased.journal", bytes.NewReader(out), engine.ReadOptions{}); err != nil || info.Torn != 0 {
		t.Fatalf("%v, %+v\n%s", err, info, out)
	}
	return out, erased.Others
}

// live returns a context to which f was applied.
func live(t *testing.T, f func(insert func(engine.Draft), c *engine.Context)) *engine.Context {
	t.Helper()
	c, err := engine.New(engine.Options{System: true})
	if err != nil {
		t.Fatal(err)
	}
	f(func(d engine.Draft) {
		t.Helper()
		if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
			t.Fatal(err)
		}
	}, c)
	return c
}

// TestEraseWorking erases a node of a journal that has only a working state, which validates.
func TestEraseWorking(t *testing.T) {
	c := live(t, func(insert func(engine.Draft), _ *engine.Context) {
		insert(engine.Draft{ID: "a", Content: engine.Text("secret")})
		insert(engine.Draft{ID: "b", Content: engine.Text("public")})
	})
	out, others := erase(t, write(t, c.History()), "a")
	if bytes.Contains(out, []byte("secret")) || !bytes.Contains(out, []byte("public")) || len(others) > 0 {
		t.Errorf("others %v\n%s", others, out)
	}
}

// TestEraseInstances erases one instance of a cadence: with it go the other instances, and the
// overlays of any of them.
func TestEraseInstances(t *testing.T) {
	var newest string
	c := live(t, func(insert func(engine.Draft), c *engine.Context) {
		insert(engine.Draft{ID: "first", Key: "k", Cad: new(int64(1)), Content: engine.Text("secret 1")})
		commit(t, c)
		if _, err := c.Replace(engine.ByID("first"), engine.Draft{ID: "overlay", Content: engine.Text("secret 2")}); err != nil {
			t.Fatal(err)
		}
		insert(engine.Draft{ID: "copy", Content: engine.Text("secret 2")})
		commit(t, c)
		insert(engine.Draft{ID: "about", Refs: []string{"copy"}, Content: engine.Text("secret 3")})
		insert(engine.Draft{ID: "both", Refs: []string{"copy", "overlay"}, Content: engine.Text("secret 4")})
		insert(engine.Draft{ID: "beside", Refs: []string{"copy", "cont:3"}, Content: engine.Text("public")})
		commit(t, c)
		for n := range c.Working().All() {
			if key, _ := n.Key(); key == "k" {
				newest = n.ID()
			}
		}
	})
	out, others := erase(t, write(t, c.History()), newest)
	if bytes.Contains(out, []byte("secret")) || !bytes.Contains(out, []byte("public")) {
		t.Errorf("others %v\n%s", others, out)
	}
}

func commit(t *testing.T, c *engine.Context) {
	t.Helper()
	if _, err := c.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestEraseClosed compares what is erased from random histories with a slow search, and checks that
// nothing else changes.
func TestEraseClosed(t *testing.T) {
	more := 0
	for seed := range uint64(300) {
		r := gentest.Rand(seed)
		c := gentest.Grow(t, r, int(seed%4), 12) // without a commit in every fourth
		tl := read(t, write(t, c.History()))
		nodes := map[string][]engine.Node{}
		var withContent []string
		for s := range states(tl) {
			for n := range s.All() {
				if nodes[n.ID()] = append(nodes[n.ID()], n); shows(n) {
					withContent = append(withContent, n.ID())
				}
			}
		}
		if len(withContent) == 0 {
			continue
		}
		id := withContent[r.IntN(len(withContent))]
		want, contents := map[string]bool{id: true}, map[string]bool{}
		for before := 0; before < len(want)+len(contents); {
			before = len(want) + len(contents)
			for other, list := range nodes {
				for _, n := range list {
					if want[other] && shows(n) {
						contents[n.Content().String()] = true
					}
					refs := n.Refs()
					if contents[n.Content().String()] || len(refs) > 0 && !slices.ContainsFunc(refs, func(ref string) bool { return !want[ref] }) {
						want[other] = true
					}
				}
			}
		}
		out, others := erase(t, write(t, tl), id)
		delete(want, id)
		// Templates of cadences are erased too, and have ids of their own.
		others = slices.DeleteFunc(others, func(id string) bool { return nodes[id] == nil })
		var ids []string
		for other := range want {
			ids = append(ids, other)
		}
		slices.Sort(ids)
		if diff := cmp.Diff(ids, others); diff != "" {
			t.Fatalf("seed %d, %s: %s", seed, id, diff)
		}
		more += len(ids)
		want[id] = true
		after := map[string]string{}
		for s := range states(read(t, out)) {
			for n := range s.All() {
				after[fmt.Sprint(s.Cycle(), s.Working(), n.ID())] = n.Content().String()
			}
		}
		for s := range states(tl) {
			for n := range s.All() {
				content := n.Content().String()
				if want[n.ID()] {
					content = ""
				}
				if got := after[fmt.Sprint(s.Cycle(), s.Working(), n.ID())]; got != content {
					t.Fatalf("seed %d: %s has the content %s, want %q", seed, n.ID(), got, content)
				}
			}
		}
	}
	if more < 20 {
		t.Errorf("only %d other nodes were erased", more)
	}
}

// states returns every state of a timeline.
func states(tl *engine.Timeline) func(func(*engine.Snapshot) bool) {
	return func(yield func(*engine.Snapshot) bool) {
		for s := range tl.Sealed() {
			if !yield(s) {
				return
			}
		}
		if w := tl.Working(); w != nil {
			yield(w)
		}
	}
}

// shows reports whether a node has content that can be erased.
func shows(n engine.Node) bool {
	text := n.Content().String()
	return text != "" && text != "null" && text != `""`
}
