package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
)

// resumed returns a context that continues a file. Its clock does not advance.
func resumed(t *testing.T, text string) *engine.Context {
	t.Helper()
	c, err := engine.Resume(timelineOf(t, text), engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// replayed records the history of a context before and after f, and returns the replayed history.
func replayed(t *testing.T, c *engine.Context, f func()) *engine.Timeline {
	t.Helper()
	older, rc, err := engine.Recorder{}.Record(c.History())
	if err != nil {
		t.Fatal(err)
	}
	f()
	newer, _, err := rc.Record(c.History())
	if err != nil {
		t.Fatal(err)
	}
	rp := engine.NewReplayer("journal", engine.ReadOptions{})
	for i, e := range slices.Concat(older, newer) {
		if err := rp.Add(e, i+1, "$"); err != nil {
			t.Fatal(err)
		}
	}
	tl, err := rp.Timeline()
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// TestReplayIncomplete changes nodes whose headers were missing or null in the file. Replaying
// their journal gives the same bytes.
func TestReplayIncomplete(t *testing.T) {
	for _, offset := range []string{"", `,"offset":null`} {
		t.Run("move"+offset, func(t *testing.T) {
			c := resumed(t, regions("", `{"id":"p","nodeType":"cont","offset":1},{"id":"x"`+offset+`}`))
			got := replayed(t, c, func() {
				if _, err := c.Move(engine.ByID("x"), engine.Under("p", 3)); err != nil {
					t.Fatal(err)
				}
				engineCommit(t, c)
			})
			if diff := cmp.Diff(string(c.AppendJSON(nil)), string(got.AppendJSON(nil))); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("orphan", func(t *testing.T) {
		// The container of the marker expires, so the marker moves up, to an offset outside the
		// core.
		c := resumed(t, regions(goodSegment[:len(goodSegment)-2]+
			`,{"id":"box","nodeType":"cont","offset":1,"ttl":1,"children":[{"id":"m","nodeType":"redaction","refs":["b1"]}]}]}`, ""))
		got := replayed(t, c, func() { engineCommit(t, c) })
		if diff := cmp.Diff(string(c.AppendJSON(nil)), string(got.AppendJSON(nil))); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("marker", func(t *testing.T) {
		c := resumed(t, regions("", `{"id":"x"},{"id":"m","nodeType":"redaction","refs":["x"],"offset":1}`))
		got := replayed(t, c, func() {
			if _, err := c.Replace(engine.ByID("x"), engine.Draft{TTL: new(int64(5))}); err != nil {
				t.Fatal(err)
			}
			engineCommit(t, c)
		})
		if diff := cmp.Diff(string(c.AppendJSON(nil)), string(got.AppendJSON(nil))); diff != "" {
			t.Error(diff)
		}
	})
}

// TestResumeSegmentOffset refuses to continue a sequence to which segments at offset 0 cannot be
// appended.
func TestResumeSegmentOffset(t *testing.T) {
	tl := timelineOf(t, regions(strings.Replace(goodSegment, `"seg"`, `"seg","offset":5`, 1), ""))
	_, err := engine.Resume(tl, engine.Options{})
	wantCode(t, "a segment at offset 5", err, engine.ErrInvariant, 0)
}

// TestReplaceKeepsISO checks that a replaced node without created_at_iso does not get one.
func TestReplaceKeepsISO(t *testing.T) {
	c := resumed(t, regions("", `{"id":"x"},{"id":"y","created_at_iso":null},{"id":"z","created_at_iso":"then"}`))
	for id, want := range map[string]string{"x": "null", "y": "null", "z": `"then"`} {
		n, err := c.Replace(engine.ByID(id), engine.Draft{Content: engine.Text("new")})
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Header("created_at_iso").String(); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}

// TestEraseOverlays erases a node with its overlays, and their overlays.
func TestEraseOverlays(t *testing.T) {
	c := resumed(t, regions(strings.Replace(goodSegment, `"b1"`, `"b1","key":"k"`, 1), ""))
	for _, d := range []engine.Draft{
		{ID: "other", Content: engine.Text("other")},
		{ID: "overlay", Key: "k", Content: engine.Text("secret 2")},
		{ID: "first", Refs: []string{"b1"}, Content: engine.Text("secret 3")},
		{ID: "second", Refs: []string{"first"}, Content: engine.Text("secret 4")},
		{ID: "beside", Refs: []string{"other", "b1"}, Content: engine.Text("stays")},
	} {
		var err error
		if d.Key != "" {
			_, err = c.Replace(engine.ByID("b1"), d)
		} else {
			_, err = c.Insert(engine.AtDepth(0, 1), d)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	next, also, err := c.History().Erase("b1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"first", "overlay", "second"}, also); diff != "" {
		t.Error(diff)
	}
	for n := range next.At(0).All() {
		if keeps := n.ID() == "other" || n.ID() == "beside"; keeps == n.Content().IsZero() && n.Base() == engine.BaseBlock {
			t.Errorf("%s has the content %s", n.ID(), n.Content())
		}
	}
}

// TestUnderNothing checks that an empty id names no parent.
func TestUnderNothing(t *testing.T) {
	c := resumed(t, regions("", `{"id":"x"}`))
	_, err := c.Insert(engine.Under("", 0), engine.Draft{})
	wantCode(t, "insert", err, engine.ErrNotFound, 0)
	_, err = c.Move(engine.ByID("x"), engine.Under("", 1))
	wantCode(t, "move", err, engine.ErrNotFound, 0)
}

// TestUnlimitedDepth reads a history with a working state without a limit on depth.
func TestUnlimitedDepth(t *testing.T) {
	text := `{"snapshots":[` + regions("", "") + `],"working":` + regions("", `{"id":"x"}`) + `}`
	if _, err := engine.Read("in.json", strings.NewReader(text), engine.ReadOptions{MaxDepth: math.MaxInt}); err != nil {
		t.Error(err)
	}
}

// TestFolderEditions checks that each file of a folder has its own edition, as each line of a
// .jsonl file has.
func TestFolderEditions(t *testing.T) {
	file := func(head string) string { return `{` + head + strings.TrimPrefix(regions("", `{"id":"x"}`), "{") }
	older, newer := file(`"spec_version":"PACT/0.1","cycle":1,`), file(`"cycle":2,`)
	lines, err := engine.Read("in.jsonl", strings.NewReader(older+"\n"+newer), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	folder, err := engine.LoadDir(fstest.MapFS{"1.json": {Data: []byte(older)}, "2.json": {Data: []byte(newer)}}, "dir", engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(lines.AppendJSONL(nil)), string(folder.AppendJSONL(nil))); diff != "" {
		t.Error(diff)
	}
}

// TestUnpackErrors checks that the error of a reader is not taken for damage.
func TestUnpackErrors(t *testing.T) {
	broken := errors.New("broken")
	text := []byte(regions(goodSegment, ""))
	var gz, zst bytes.Buffer
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{gzip.NewWriter(&gz), z} {
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{"in.json": text, "in.json.gz": gz.Bytes(), "in.json.zst": zst.Bytes()} {
		for _, n := range []int{0, 5, 40} {
			for _, want := range []error{broken, io.ErrUnexpectedEOF} {
				r := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(want))
				if _, err := engine.Read(name, r, engine.ReadOptions{}); !errors.Is(err, want) {
					t.Errorf("%s after %d bytes: %v, want %v", name, n, err, want)
				}
			}
			_, err := engine.Read(name, bytes.NewReader(data[:n]), engine.ReadOptions{})
			wantCode(t, fmt.Sprintf("%d bytes of %s", n, name), err, engine.ErrFileSyntax, 0)
		}
	}
}

// TestRefusedCommit checks that the timeline of a refused commit does not change later.
func TestRefusedCommit(t *testing.T) {
	c := resumed(t, regions(goodSegment, ""))
	for range 4 { // until the lists have spare capacity
		engineCommit(t, c)
	}
	for range 3 {
		var refused *engine.Timeline
		if _, err := c.CommitWith(func(tl *engine.Timeline) error { refused = tl; return errors.New("refused") }); err == nil {
			t.Fatal("not refused")
		}
		before := string(refused.AppendJSON(nil))
		if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text("later")}); err != nil {
			t.Fatal(err)
		}
		engineCommit(t, c)
		if diff := cmp.Diff(before, string(refused.AppendJSON(nil))); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestLastIndex checks that no creation index follows the last one.
func TestLastIndex(t *testing.T) {
	text := fmt.Sprintf(`{"resume":{"next_index":%d},"snapshots":[%s],"working":%s}`, int64(math.MaxInt64)-1, regions("", ""), regions("", ""))
	c := resumed(t, text)
	var err error
	for i := 0; i < 3 && err == nil; i++ {
		_, err = c.Insert(engine.AtDepth(0, 1), engine.Draft{})
	}
	wantCode(t, "after the last index", err, engine.ErrNoRoom, 0)
}

// TestDeepReference checks that a deep element of a list does not hide the elements after it.
func TestDeepReference(t *testing.T) {
	deep := strings.Repeat("[", 1500) + strings.Repeat("]", 1500)
	tl, err := engine.Read("in.json", strings.NewReader(regions("", `{"id":"x","tag":[`+deep+`,"t"]}`)), engine.ReadOptions{MaxDepth: 2000})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := tl.At(0).Find("x")
	if tags, _ := x.Tags(); !slices.Equal(tags, []string{"t"}) {
		t.Errorf("tags %q", tags)
	}
}

// TestDocumentMembers checks that a snapshot in a list cannot have the members that distinguish
// documents, and that a history keeps a cycle as an unknown member.
func TestDocumentMembers(t *testing.T) {
	for _, name := range []string{"cadence", "snapshots", "working"} {
		snapshot := `{"` + name + `":[],` + strings.TrimPrefix(regions("", ""), "{")
		for _, in := range []string{"\n" + snapshot, `{"snapshots":[` + snapshot + `]}`, `{"snapshots":[],"working":` + snapshot + `}`} {
			_, err := engine.Read("in.jsonl", strings.NewReader(in), engine.ReadOptions{})
			if in[0] == '{' {
				_, err = engine.Read("in.json", strings.NewReader(in), engine.ReadOptions{})
			}
			wantCode(t, in, err, engine.ErrFileShape, 0)
		}
	}
	tl := timelineOf(t, `{"cycle":7,"snapshots":[`+regions("", "")+`]}`)
	if text := string(tl.AppendJSON(nil)); !strings.HasPrefix(text, `{"cycle":7,`) {
		t.Error(text)
	}
}

// TestPanicUndone checks that a change is undone if a function of the caller panics.
func TestPanicUndone(t *testing.T) {
	count, last := 0, math.MaxInt
	c, err := engine.New(engine.Options{Clock: func() time.Time {
		if count++; count > last {
			panic("clock failure")
		}
		return time.Unix(1, 0)
	}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Insert(engine.AtDepth(0, 1), engine.Draft{ID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	before := string(c.AppendJSON(nil))
	last = count + 2 // the third node gets no instant
	func() {
		defer func() { _ = recover() }()
		_, err := c.Insert(engine.AtDepth(0, 1), engine.Draft{Type: "cont", Children: []engine.Draft{
			{Key: "k", Refs: []string{x.ID()}, Type: "cont", Children: []engine.Draft{{}}},
		}})
		t.Errorf("no panic: %v", err)
	}()
	last = math.MaxInt
	if diff := cmp.Diff(before, string(c.AppendJSON(nil))); diff != "" {
		t.Error(diff)
	}
	_, err = c.Resolve(engine.ByKey("k"))
	wantCode(t, "the key", err, engine.ErrNotFound, 0)
	if _, err := c.Delete(engine.ByID("x")); err != nil {
		t.Errorf("a reference is left: %v", err)
	}
}

// TestResetDropsInfo checks that Reset drops the info for the lost commit.
func TestResetDropsInfo(t *testing.T) {
	c := resumed(t, regions("", ""))
	c.Describe(engine.CommitInfo{Call: &engine.Call{Model: "lost"}})
	if err := c.Reset(c.History()); err != nil {
		t.Fatal(err)
	}
	if info := engineCommit(t, c).Info(); info != nil {
		t.Errorf("info %+v", info)
	}
}

// TestPrunedContainer checks the cause of a container that a policy emptied, and to which only a
// pruned node referred.
func TestPrunedContainer(t *testing.T) {
	c, err := engine.New(engine.Options{Policy: &engine.Policy{Limits: []engine.Limit{{Nodes: 9}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []engine.Draft{
		{ID: "box", Type: "cont", Removable: true, Children: []engine.Draft{{ID: "in", Priority: -2}}},
		{ID: "keeper", Refs: []string{"box"}, Priority: -1},
		{ID: "a"}, {ID: "b"},
	} {
		if _, err := c.Insert(engine.AtDepth(0, 1), d); err != nil {
			t.Fatal(err)
		}
	}
	engineCommit(t, c)
	for _, id := range []string{"c", "d"} {
		if _, err := c.Insert(engine.AtDepth(0, 1), engine.Draft{ID: id, Pinned: true}); err != nil {
			t.Fatal(err)
		}
	}
	causes := map[string]string{}
	for _, cause := range engineCommit(t, c).Info().Causes {
		causes[cause.ID] = cause.Cause
	}
	if diff := cmp.Diff(map[string]string{"in": "pruned", "keeper": "pruned", "box": "pruned"}, causes); diff != "" {
		t.Error(diff)
	}
}

// TestLargeCommits removes many nodes in one commit. Each case takes seconds if the cost is
// quadratic.
func TestLargeCommits(t *testing.T) {
	const many = 20_000
	list := func(node func(i int) string) string {
		var nodes []string
		for i := range many {
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","created_at_ns":%d,"ttl":1%s}`, i, i+1, node(i)))
		}
		return strings.Join(nodes, ",")
	}
	for name, head := range map[string]string{
		"container": `{"id":"box","nodeType":"cont","removable":true,"offset":1,"children":[` + list(func(int) string { return "" }) +
			`,{"id":"stays","offset":1}]}`,
		"containers": `{"id":"box","nodeType":"cont","removable":true,"offset":1,"children":[` + list(func(i int) string {
			return fmt.Sprintf(`,"nodeType":"cont","removable":true,"children":[{"id":"in%d","ttl":1}]`, i)
		}) + `]}`,
		"to older": list(func(i int) string { return fmt.Sprintf(`,"offset":1,"refs":["n%d"]`, max(i-1, 0)) }),
		"to newer": list(func(i int) string { return fmt.Sprintf(`,"offset":1,"refs":["n%d"]`, min(i+1, many-1)) }),
		"one key":  list(func(int) string { return `,"key":"k"` }),
	} {
		t.Run(name, func(t *testing.T) {
			s := engineCommit(t, resumed(t, regions("", head)))
			if n := s.Len(); n > 8 {
				t.Errorf("%d nodes are left", n)
			}
		})
	}
	d, err := engine.ParseDraft([]byte(`{"id":"box","nodeType":"cont","children":[` + list(func(int) string { return "" }) + `]}`))
	if err != nil || len(d.Children) != many || d.Children[1].ID != "n1" {
		t.Errorf("%d children, error %v", len(d.Children), err)
	}
}
