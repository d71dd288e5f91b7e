package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/pactkit/pactkit/engine"
)

// FuzzRead checks that reading never panics, and that valid files survive a round trip.
func FuzzRead(f *testing.F) {
	fixtures, err := filepath.Glob("../testdata/fixtures/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range fixtures {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(regions(goodSegment, `{"id":"x","ttl":1e0,"offset":-1.5,"tag":["a",1],"refs":"x","content":{"b":[1,null],"a":"\ud83d\ude00"}}`)))
	f.Add([]byte(`{"cadence":[{"core":true,"every":2,"first":1,"key":"k","node":[{"id":"x","ttl":1}]}],"snapshots":[{"root":{}},{"root":{}}],"working":{"root":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tl, err := engine.Read("f.json", bytes.NewReader(data), engine.ReadOptions{})
		if err != nil {
			if e, ok := err.(*engine.Error); !ok || e.Line < 1 || e.Path == "" || !utf8.ValidString(e.Error()) {
				t.Fatalf("an error without its place: %v", err)
			}
			return
		}
		first := tl.AppendJSON(nil)
		again, err := engine.Read("again.json", bytes.NewReader(first), engine.ReadOptions{})
		if err != nil {
			t.Fatalf("reading an export: %v\n%s", err, first)
		}
		if second := again.AppendJSON(nil); !bytes.Equal(first, second) {
			t.Fatalf("a round trip changes bytes:\n%s\n%s", first, second)
		}
		for _, s := range tl.All() {
			s.AppendReference(nil)
			for n := range s.All() {
				if m, ok := s.Find(n.ID()); !ok || m != n {
					t.Fatalf("%q is not found", n.ID())
				}
			}
			if d := engine.Diff(s, s); len(d.Added)+len(d.Removed)+len(d.Changed) > 0 {
				t.Fatal("a snapshot differs from itself")
			}
		}
		for back := 1; back < tl.Len(); back++ {
			older, newer := tl.At(back), tl.At(back-1)
			got := string(engine.Diff(older, newer).AppendJSON(nil))
			if want := string(engine.DiffNodes(slicesOf(older), slicesOf(newer)).AppendJSON(nil)); got != want {
				t.Fatalf("the quick diff gives\n%s, the slow one\n%s", got, want)
			}
		}
		if c, err := engine.Resume(tl, engine.Options{}); err == nil {
			if _, err := c.Commit(); err == nil {
				if bad := c.Timeline().At(0).Validate(); len(bad) > 0 {
					t.Fatalf("a commit broke an invariant: %v", bad[0])
				}
			}
		}
	})
}

func slicesOf(s *engine.Snapshot) []engine.Node {
	var out []engine.Node
	for n := range s.All() {
		out = append(out, n)
	}
	return out
}

// FuzzNumber checks the order of numbers against their exact values.
func FuzzNumber(f *testing.F) {
	f.Add("1", "1.0")
	f.Add("-0", "0e9")
	f.Add("1e400", "9999999999999999999999")
	f.Add("0.1", "1e-1")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok := engine.ParseNumber(a)
		y, okY := engine.ParseNumber(b)
		if !ok || !okY || len(a) > 40 || len(b) > 40 {
			return
		}
		if x.Cmp(y) != -y.Cmp(x) || x.Cmp(x) != 0 {
			t.Fatalf("%s and %s are not ordered", a, b)
		}
		if r, okR := ratOf(a); okR {
			if s, okS := ratOf(b); okS && r.Cmp(s) != x.Cmp(y) {
				t.Fatalf("%s and %s compare as %d", a, b, x.Cmp(y))
			}
		}
	})
}
