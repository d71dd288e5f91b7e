package journal_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// write returns a timeline as a journal.
func write(t testing.TB, tl *engine.Timeline) []byte {
	t.Helper()
	data, v, err := journal.Append(nil, tl, journal.About{})
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := journal.LineDigest(bytes.TrimSuffix(data, []byte("\n"))[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:]); !ok || got != v.Digest {
		t.Fatalf("the version is %v, the last digest %v", v, got)
	}
	return data
}

// read reads a journal that must be whole.
func read(t testing.TB, data []byte) *engine.Timeline {
	t.Helper()
	tl, info, err := journal.Read("a.journal", bytes.NewReader(data), engine.ReadOptions{})
	if err != nil || info.Torn != 0 || !info.Journal {
		t.Fatalf("%v, %+v\n%s", err, info, data)
	}
	return tl
}

// part shows where two texts begin to differ.
func part(got, want []byte) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-150)
	return fmt.Sprintf("byte %d:\n got …%s\nwant …%s", i, got[from:min(len(got), i+150)], want[from:min(len(want), i+150)])
}

// same compares everything in two timelines.
func same(t testing.TB, got, want *engine.Timeline) {
	t.Helper()
	if got.Len() != want.Len() {
		t.Fatalf("%d states, want %d", got.Len(), want.Len())
	}
	for back, s := range want.All() {
		o := got.At(back)
		if a, b := o.AppendJSON(nil), s.AppendJSON(nil); !bytes.Equal(a, b) {
			t.Fatalf("@t-%d, cycle %d, %s", back, s.Cycle(), part(a, b))
		}
		if diff := cmp.Diff(s.Info(), o.Info()); diff != "" {
			t.Fatalf("@t-%d: what is known of the commit: %s", back, diff)
		}
		if o.Working() != s.Working() || o.Edition() != s.Edition() {
			t.Fatalf("@t-%d: working %t, edition %v", back, o.Working(), o.Edition())
		}
		if a, b := o.AppendReference(nil), s.AppendReference(nil); !bytes.Equal(a, b) {
			t.Fatalf("@t-%d in the reference form, %s", back, part(a, b))
		}
		for n := range s.All() {
			if m, ok := o.Find(n.ID()); !ok || m.ID() != n.ID() {
				t.Fatalf("@t-%d: %q is not found", back, n.ID())
			}
			if key, ok := n.Key(); ok && len(o.Keyed(key)) != len(s.Keyed(key)) {
				t.Fatalf("@t-%d: the key %q is on %d nodes, want %d", back, key, len(o.Keyed(key)), len(s.Keyed(key)))
			}
		}
	}
	for back := 1; back < want.Len(); back++ {
		a := engine.Diff(got.At(back), got.At(back-1)).AppendJSON(nil)
		if b := engine.Diff(want.At(back), want.At(back-1)).AppendJSON(nil); !bytes.Equal(a, b) {
			t.Fatalf("what changed to @t-%d, %s", back-1, part(a, b))
		}
	}
	if a, b := got.AppendJSON(nil), want.AppendJSON(nil); !bytes.Equal(a, b) {
		t.Fatalf("the history, %s", part(a, b))
	}
}

// roundTrip checks that a timeline that is written, read and written again stays the same.
func roundTrip(t testing.TB, tl *engine.Timeline) []byte {
	t.Helper()
	data := write(t, tl)
	again := read(t, data)
	defer func() {
		if t.Failed() && len(data) < 4000 {
			t.Logf("the journal:\n%s", data)
		}
	}()
	same(t, again, tl)
	if _, _, err := journal.Verify("a.journal", bytes.NewReader(data), engine.ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	if second := write(t, again); !bytes.Equal(second, data) {
		t.Fatalf("written again, %s", part(second, data))
	}
	return data
}

func TestRandomHistories(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 50
	}
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := gentest.Rand(uint64(seed))
			roundTrip(t, gentest.Timeline(t, r, 5+seed%60))
		})
	}
}

func TestFiles(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../../testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(path, ".json") {
			return err
		}
		tl, err := engine.Load(path, engine.ReadOptions{})
		if err != nil {
			return nil // not a history
		}
		found++
		t.Run(path, func(t *testing.T) { roundTrip(t, tl) })
		return nil
	})
	if err != nil || found < 6 {
		t.Errorf("%d histories, %v", found, err)
	}
}

// described returns a short session with everything that can be recorded about commits.
func described(t testing.TB) *engine.Context {
	t.Helper()
	at := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	c, err := engine.New(engine.Options{System: true, Clock: func() time.Time { at = at.Add(time.Second); return at }})
	if err != nil {
		t.Fatal(err)
	}
	insert := func(pos engine.Position, d engine.Draft) {
		if _, err := c.Insert(pos, d); err != nil {
			t.Fatal(err)
		}
	}
	end := func(f func() (*engine.Snapshot, error), info engine.CommitInfo) {
		c.Describe(info)
		if _, err := f(); err != nil {
			t.Fatal(err)
		}
	}
	ttl, cad := int64(1), int64(2)
	insert(engine.Under("^sys", 0), engine.Draft{Role: "system", Content: engine.Text("Answer briefly.")})
	insert(engine.AtDepth(0, 0), engine.Draft{Role: "user", Content: engine.Text("What is in the file?")})
	insert(engine.AtDepth(0, -1), engine.Draft{Key: "todo", Cad: &cad, TTL: &ttl, Content: engine.Text("Read the file.")})
	end(c.Step, engine.CommitInfo{Call: &engine.Call{Model: "gpt-4o", Time: "2026-01-01T09:00:10Z", Usage: &engine.Usage{Input: 31, Output: 9, CacheRead: 20}, File: "log.jsonl", Line: 4, Sample: "s/2", Number: 3}})
	insert(engine.AtDepth(0, 0), engine.Draft{Role: "assistant", Content: engine.Text("It is empty.")})
	end(c.Commit, engine.CommitInfo{Causes: []engine.Cause{{ID: "block:4", Cause: "expired", Inferred: true}}})
	insert(engine.AtDepth(0, 0), engine.Draft{Role: "user", Content: engine.Text("Sum it up.")})
	end(c.Commit, engine.CommitInfo{Side: &engine.Side{Of: 2, Kind: "summary"}})
	if err := c.Hold("cont:2"); err != nil {
		t.Fatal(err)
	}
	return c
}

// describeMore ends a cycle with data that the page does not show.
func describeMore(t testing.TB, c *engine.Context) {
	t.Helper()
	c.Describe(engine.CommitInfo{Event: &engine.Event{Kind: "compaction", Trigger: "auto", Before: 9000, After: 70}})
	if _, err := c.Step(); err != nil {
		t.Fatal(err)
	}
	for _, call := range []engine.Call{{}, {
		FromCache: true, Starts: []engine.Start{{Call: "toolu_1", History: "agent a1"}, {History: "agent a2"}},
		By: &engine.StartedBy{History: "session s", Cycle: 2, Call: "toolu_0"}, Window: 258400,
		Usage: &engine.Usage{Input: 9, Output: 8, CacheWrite: 7, CacheWrite1h: 6, Thoughts: 5},
	}, {By: &engine.StartedBy{History: "x", Cycle: 1}}} {
		c.Describe(engine.CommitInfo{Causes: []engine.Cause{{ID: "a", Cause: "compacted", By: "b"}, {ID: "b", Cause: "\"x\"\n"}}, Call: &call})
		if _, err := c.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDescribed checks that what is recorded about commits is kept, and checks the file that
// docs/reference/journal.md shows.
func TestDescribed(t *testing.T) {
	c := described(t)
	data := roundTrip(t, c.History())
	describeMore(t, c)
	roundTrip(t, c.History())
	const path = "../../testdata/journal/example.jsonl"
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(data, want) {
		t.Errorf("%v, %s; PACTKIT_UPDATE=1 go test ./store/journal", err, part(data, want))
	}
}

// TestSchema compares every line of journals with the published schema.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schemas/journal.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(data []byte, want bool) {
		t.Helper()
		for line := range bytes.Lines(data) {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err == nil {
				err = schema.Validate(v)
			}
			if (err == nil) != want {
				t.Fatalf("%v\n%s", err, line)
			}
		}
	}
	c := described(t)
	describeMore(t, c)
	check(write(t, c.History()), true)
	for seed := range uint64(100) {
		check(write(t, gentest.Timeline(t, gentest.Rand(seed), 20)), true)
	}
	for _, wrong := range []string{`{}`, `{"cycle":1,"delta":{},"digest":"x"}`, header, tree, `{"cycle":1,"delta":{"x":1},"digest":"` + strings.Repeat("a", 64) + `"}`} {
		check([]byte(wrong), false)
	}
}

// clock returns a clock that advances by a second with each call.
func clock() func() time.Time {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}
