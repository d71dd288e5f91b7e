package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// The export of a strictly valid file is strictly valid, and so are its later states.
func TestReread(t *testing.T) {
	strict := engine.ReadOptions{Strict: true}
	for _, in := range []string{
		regions(goodSegment, ""),
		regions("", `{"id":"x","created_at_ns":5},{"id":"y","created_at_ns":6}`),
		regions("", `{"id":"x","created_at_ns":5},{"id":"y","created_at_ns":3,"creation_index":2}`),
	} {
		tl, err := engine.Read("in.json", strings.NewReader(in), strict)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = engine.Read("again.json", bytes.NewReader(tl.AppendJSON(nil)), strict); err != nil {
			t.Error("its export:", err)
		}
		c, err := engine.Resume(tl, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		engineCommit(t, c)
		saved, err := engine.Read("saved.json", bytes.NewReader(c.AppendJSON(nil)), strict)
		if err != nil {
			t.Fatal("resumed, committed and saved:", err)
		}
		if _, err := engine.Resume(saved, engine.Options{}); err != nil {
			t.Error("resumed again:", err)
		}
	}
}

// wantCode checks that an error has a code and, unless line is 0, a line.
func wantCode(t *testing.T, what string, err error, code engine.Code, line int) {
	t.Helper()
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || e.Code != code || line > 0 && e.Line != line {
		t.Errorf("%s: got %v, want %s on line %d", what, err, code, line)
	}
}

// The template of a cadence must be a node that could have been inserted.
func TestReadTemplates(t *testing.T) {
	for _, node := range []string{
		`{"id":"a","ttl":-5}`, `{"id":"a","nodeType":"seg"}`, `{"id":"a","nodeType":"^ah"}`,
		`{"id":"a","children":[{"id":"b"}]}`, `{"id":"a","cad":0}`,
	} {
		in := `{"cadence":[{"key":"k","every":1,"first":0,"node":[` + node + `]}],"snapshots":[` + regions("", "") + `]}`
		_, err := engine.Read("x.json", strings.NewReader(in), engine.ReadOptions{})
		wantCode(t, node, err, engine.ErrFileShape, 1)
	}
}

// An instance has its children in canonical order, whatever their order in the file.
func TestTemplateOrder(t *testing.T) {
	node := `{"id":"r","key":"k","nodeType":"cont","children":[{"id":"b","offset":2,"content":"second"},{"id":"a","offset":1,"content":"first"}]}`
	in := `{"cadence":[{"key":"k","every":1,"first":0,"node":[` + node + `]}],"snapshots":[` + regions("", "") + `]}`
	tl, err := engine.Read("x.json", strings.NewReader(in), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Resume(tl, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	engineCommit(t, c)
	instances := c.Working().Keyed("k")
	if len(instances) == 0 {
		t.Fatal("no instance")
	}
	for _, n := range instances {
		var got []string
		for kid := range n.Children() {
			text, _ := kid.Content().Text()
			got = append(got, text)
		}
		if d := cmp.Diff([]string{"first", "second"}, got); d != "" {
			t.Errorf("children of %s (-want +got):\n%s", n.ID(), d)
		}
	}
}

func TestInsertRepeatedSegment(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Insert(engine.AtDepth(1, 0), engine.Draft{Type: "seg", Key: "k", Cad: new(int64(1)), Children: []engine.Draft{{Type: "cont"}}})
	wantCode(t, "a segment with a cadence", err, engine.ErrPlacement, 0)
}

// An error names the line of its element, not that of the previous one.
func TestReadLines(t *testing.T) {
	for _, in := range []string{
		"{\"snapshots\":[{\"root\":{}},\n\n{\"cycle\":5}]}",
		"{\"snapshots\":[\n{\"cycle\":2,\"root\":{}},\n{\"cycle\":1,\"root\":{}}]}",
		"{\"cadence\":[{\"key\":\"k\",\"every\":1,\"first\":1,\"node\":[{\"id\":\"a\"}]},\n\n{\"key\":\"k\",\"every\":1,\"first\":1,\"node\":[{\"id\":\"b\"}]}],\"snapshots\":[]}",
	} {
		_, err := engine.Read("x.json", strings.NewReader(in), engine.ReadOptions{})
		wantCode(t, in, err, engine.ErrFileShape, 3)
	}
}

// A context cannot be resumed if no creation_index is left.
func TestResumeLastIndex(t *testing.T) {
	in := regions("", `{"id":"x","created_at_ns":5,"creation_index":9223372036854775807,"cycle":1}`)
	tl, err := engine.Read("x.json", strings.NewReader(in), engine.ReadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.Resume(tl, engine.Options{})
	wantCode(t, "the last index", err, engine.ErrNoRoom, 0)
}

// A parent_id that does not name the enclosing node is reported and ignored.
func TestReadParent(t *testing.T) {
	for _, nodes := range []string{
		`{"id":"x","parent_id":"y"},{"id":"y","parent_id":"x"}`,
		`{"id":"x","parent_id":"x"}`,
		`{"id":"x","parent_id":"nowhere"}`,
	} {
		in := regions("", nodes)
		_, err := engine.Read("x.json", strings.NewReader(in), engine.ReadOptions{Strict: true})
		wantCode(t, nodes, err, engine.ErrInvariant, 1)
		tl, err := engine.Read("x.json", strings.NewReader(in), engine.ReadOptions{})
		if err != nil || len(tl.Warnings()) == 0 {
			t.Errorf("%s: %v, no warning", nodes, err)
		}
	}
}

// Unpack returns the text of a file as it is.
func TestUnpack(t *testing.T) {
	const text = " {\n\"root\": {}}\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"a.json": "\uFEFF" + text, "a.json.gz": packed.String()} {
		inner, got, err := engine.Unpack(name, strings.NewReader(data), engine.ReadOptions{})
		if inner != "a.json" || got != text || err != nil {
			t.Errorf("%s: got %q, %q, %v", name, inner, got, err)
		}
	}
	if _, _, err := engine.Unpack("a.json", strings.NewReader(text), engine.ReadOptions{MaxBytes: 3}); !errors.Is(err, engine.ErrFileLimit) {
		t.Errorf("got %v", err)
	}
}

// A timeline of one state has only that state, as @t0.
func TestSnapshotTimeline(t *testing.T) {
	c, err := engine.New(steady())
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := c.Commit()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*engine.Snapshot{sealed, c.Working()} {
		alone := s.Timeline()
		if alone.Len() != 1 || alone.At(0) != s || alone.Edition() != s.Edition() || (alone.Working() == s) != s.Working() {
			t.Errorf("cycle %d: %d states, @t0 of cycle %d", s.Cycle(), alone.Len(), alone.At(0).Cycle())
		}
		if got, _ := alone.OfCycle(s.Cycle()); (got == s) == s.Working() {
			t.Errorf("@c%d is found: %t", s.Cycle(), got != nil)
		}
	}
}
