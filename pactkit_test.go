package pactkit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/thread"
)

// code returns the code of an error, "" for none.
func code(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*pactkit.SelectorError](err); ok {
		return string(e.Code())
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return string(e.Code)
	}
	t.Errorf("an error without a code: %v", err)
	return "?"
}

// talk is a context with two sealed turns and something in the head.
func talk(t *testing.T) *pactkit.Tree {
	t.Helper()
	c := newContext(t)
	say := func(id string, tags ...string) {
		insert(t, c, "(d0,0, end)", engine.Draft{ID: id, Tags: tags, Content: engine.Text("text of " + id)})
	}
	commit := func() {
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	say("u1", "user")
	insert(t, c, "(d0, end)", engine.Draft{ID: "doc", Key: "doc", TTL: new(int64(2))})
	say("a1", "assistant")
	commit()
	say("u2", "user")
	commit()
	say("u3", "user")
	return c
}

func TestSelect(t *testing.T) {
	c := talk(t)
	for _, test := range []struct{ selector, want, code string }{
		{selector: ".block+user", want: "u1 u2 u3"},
		{selector: "@t-1 .block+user", want: "u1 u2"},
		{selector: "@c1 ^seq .block", want: "u1 a1 doc"},
		{selector: ".nothing"},
		{selector: "@t-9 .block", code: "E_SNAPSHOT_UNKNOWN"},
		{selector: ".seg > > .block", code: "E_SELECTOR_INVALID"},
		{selector: ".block ?", code: "E_SELECTOR_INVALID"},
		{selector: "@t0..@t-1 .block", code: "E_SELECTOR_INVALID"},
		{selector: "@t0,@t-1 .block @mode=latest", code: "E_SELECTOR_INVALID"},
		{selector: "@t-1..@t-2 .block+user @mode=union", want: "u1 u2"},
		{selector: "@* #doc", want: "doc"},
		{selector: ".block @unique", code: "E_SELECTOR_CARDINALITY"},
	} {
		nodes, err := c.Select(t.Context(), test.selector)
		if got := strings.Join(ids(nodes), " "); got != test.want || code(t, err) != test.code {
			t.Errorf("%s: %q, %v; want %q and code %q", test.selector, got, err, test.want, test.code)
		}
	}
}

func TestSelectRange(t *testing.T) {
	c := talk(t)
	r, err := c.SelectRange(t.Context(), "@t0..@t-2 .block+user", eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != eval.KindRange || r.Range.Query != "@t0..@t-2 .block+user" || len(r.Range.Diffs) != 2 {
		t.Fatalf("got %s", r.AppendJSON(nil))
	}
	if got := ids(r.Range.Diffs[0].Added); len(got) != 1 || got[0] != "u3" {
		t.Errorf("added in @t0: %q", got)
	}
	// The result of any other selector is its nodes, with the warnings from parsing it.
	if r, err = c.SelectRange(t.Context(), ".cb", eval.Options{}); err != nil || len(r.Nodes) == 0 || len(r.Warnings) != 1 {
		t.Errorf("a legacy form: %v, %v", r, err)
	}
	if _, err := c.SelectRange(t.Context(), "@t0..@t-2 .block", eval.Options{MaxSnapshots: 2}); code(t, err) != "E_SNAPSHOT_RANGE_LIMIT" {
		t.Errorf("three snapshots, two allowed: %v", err)
	}
}

// TestRangeDiffLatest: the differences, and the error with whatever was found before it (F9).
func TestRangeDiffLatest(t *testing.T) {
	c := talk(t)
	r, err := c.RangeDiffLatest(t.Context(), "@t0..@t-2 .block+user", eval.Options{})
	if err != nil || r.Query != "@t0..@t-2 .block+user" || len(r.Diffs) != 2 || len(r.Errors) > 0 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if r, err = c.RangeDiffLatest(t.Context(), "@t0,@t-1 .cb", eval.Options{}); err != nil || len(r.Diffs) != 1 || len(r.Warnings) != 1 {
		t.Errorf("a pair with a legacy form: %+v, %v", r, err)
	}
	r, err = c.RangeDiffLatest(t.Context(), "@t0..@t-2 .block @unique", eval.Options{})
	if code(t, err) != "E_SELECTOR_CARDINALITY" || r == nil || len(r.Snapshots) != 3 || len(r.Errors) != 1 || !r.Errors[0].Fatal {
		t.Errorf("@unique: %+v, %v", r, err)
	}
	for _, selector := range []string{".block", "@* .block", "@history .block @mode=union", "@history .block @mode=latest", "@t0..@t-2 ("} {
		if r, err := c.RangeDiffLatest(t.Context(), selector, eval.Options{}); code(t, err) != "E_SELECTOR_INVALID" || r != nil {
			t.Errorf("%s: %+v, %v", selector, r, err)
		}
	}
}

func TestDiff(t *testing.T) {
	c := talk(t)
	for _, test := range []struct{ older, newer, selector, want, code string }{
		{older: "@t-2", newer: "@t-1", selector: ".block", want: `{"added":["u2"],"removed":[],"changed":[{"id":"doc","fields":["ttl"]}]}`},
		{older: "@t-1", newer: "@t0", want: `{"added":["cont:5","u3"],"removed":[],"changed":[]}`},
		{older: "@c2", newer: "@c1", selector: ".block+user", want: `{"added":[],"removed":["u2"],"changed":[]}`},
		{older: "@t-1", newer: "@t0", selector: "@t0 .block @limit=1", want: `{"added":[],"removed":[],"changed":[]}`},
		{older: "@t-1", newer: "@t0", selector: "@t-1 .block", code: "E_SELECTOR_INVALID"},
		{older: "@t-1", newer: "@t0", selector: ".block >", code: "E_SELECTOR_INVALID"},
		{older: "@t-1", newer: "@t0", selector: ".block @unique", code: "E_SELECTOR_CARDINALITY"},
		{older: "@t-7", newer: "@t0", code: "E_SNAPSHOT_UNKNOWN"},
		{older: "@t0", newer: "@c7", code: "E_SNAPSHOT_UNKNOWN"},
	} {
		got, err := c.Diff(t.Context(), test.older, test.newer, test.selector)
		if code(t, err) != test.code {
			t.Errorf("%s %s %q: %v, want %s", test.older, test.newer, test.selector, err, test.code)
		} else if err == nil && string(got.AppendJSON(nil)) != test.want {
			t.Errorf("%s %s %q: %s, want %s", test.older, test.newer, test.selector, got.AppendJSON(nil), test.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	c := talk(t)
	for _, test := range []struct {
		address string
		cycle   int64
		code    string
	}{
		{"@t0", 3, ""}, {"@t-1", 2, ""}, {"@c1", 1, ""},
		{"@c3", 0, "E_SNAPSHOT_UNKNOWN"}, {"@t-3", 0, "E_SNAPSHOT_UNKNOWN"},
		{"", 0, "E_SELECTOR_INVALID"}, {"t0", 0, "E_SELECTOR_INVALID"}, {"@t1", 0, "E_SELECTOR_INVALID"}, {"@t-1 .block", 0, "E_SELECTOR_INVALID"},
		{"@t0..@t-1", 0, "E_SELECTOR_INVALID"}, {"@*", 0, "E_SELECTOR_INVALID"}, {"@t0 *,", 0, "E_SELECTOR_INVALID"}, {" @t0", 0, "E_SELECTOR_INVALID"},
	} {
		s, err := c.At(test.address)
		if code(t, err) != test.code || err == nil && s.Cycle() != test.cycle {
			t.Errorf("%q: %v, want cycle %d, code %q", test.address, err, test.cycle, test.code)
		}
	}
}

func TestMutations(t *testing.T) {
	ctx := t.Context()
	replace := func(s string) func(*pactkit.Tree) (engine.Node, error) {
		return func(c *pactkit.Tree) (engine.Node, error) {
			return c.Replace(ctx, s, engine.Draft{Content: engine.Text("new")})
		}
	}
	remove := func(s string) func(*pactkit.Tree) (engine.Node, error) {
		return func(c *pactkit.Tree) (engine.Node, error) { return c.Delete(ctx, s) }
	}
	move := func(s, pos string) func(*pactkit.Tree) (engine.Node, error) {
		return func(c *pactkit.Tree) (engine.Node, error) { return c.Move(ctx, s, pos) }
	}
	put := func(pos string) func(*pactkit.Tree) (engine.Node, error) {
		return func(c *pactkit.Tree) (engine.Node, error) { return c.Insert(ctx, pos, engine.Draft{ID: "new"}) }
	}
	for name, test := range map[string]mutation{
		"replace":                      {do: replace("^ah .block+user"), want: "u3"},
		"replace at a written @t0":     {do: replace("@t0 ^ah .block+user"), want: "u3"},
		"replace in another time":      {do: replace("@t-1 .block+user @limit=1"), code: "E_SELECTOR_INVALID"},
		"replace in a range":           {do: replace("@t0..@t-1 .block"), code: "E_SELECTOR_INVALID"},
		"replace nothing":              {do: replace(".nothing"), code: "E_NOT_FOUND"},
		"replace nothing, perhaps":     {do: replace(".nothing ?"), want: "-"},
		"replace something, perhaps":   {do: replace("^ah .block?"), want: "u3"},
		"replace several":              {do: replace(".block"), code: "E_SELECTOR_CARDINALITY"},
		"replace several, perhaps":     {do: replace(".block ?"), code: "E_SELECTOR_CARDINALITY"},
		"replace by a key of several":  {do: replace("#doc"), code: "E_AMBIGUOUS_KEY"},
		"replace all with a key":       {do: replace("#doc @skip=0"), code: "E_SELECTOR_CARDINALITY"},
		"delete one of several":        {do: remove("^ah .block @limit=1"), want: ""},
		"replace by a broken selector": {do: replace("^ah >"), code: "E_SELECTOR_INVALID"},
		"delete":                       {do: remove("{id='u3'}"), want: ""},
		"delete nothing":               {do: remove("#gone"), code: "E_NOT_FOUND"},
		"delete nothing, perhaps":      {do: remove("#gone?"), want: "-"},
		"delete a region":              {do: remove("^ah"), code: "E_PLACEMENT"},
		"move":                         {do: move("{id='u3'}", "(d0, )"), want: "u3"},
		"move to itself":               {do: move("{id='u3'}", "(d0,0, end)"), want: "u3"},
		"move away":                    {do: move("{id='u3'}", "(d1, end)"), want: ""},
		"move nothing, perhaps":        {do: move("#gone?", "(d0, )"), want: "-"},
		"move nowhere":                 {do: move("{id='u3'}", "(#gone, end)"), code: "E_NOT_FOUND"},
		"move nowhere, perhaps":        {do: move("{id='u3'}", "(#gone, end)?"), want: "-"},
		"move by a broken position":    {do: move("{id='u3'}", "(d0, +0)"), code: "E_SELECTOR_INVALID"},
		"move into itself":             {do: move("^ah > .cont", "(d0,0, end)"), code: "E_CYCLE_DETECTED"},
		"insert":                       {do: put("(d0,0, end)"), want: "u3 new"},
		"insert first":                 {do: put("(d0,0, )"), want: "new u3"},
		"insert before the core":       {do: put("(d0, )"), want: "new u3"},
		"insert below a block":         {do: put("({id='u3'}, end)"), code: "E_PARENT_NOT_CONTAINER"},
		"insert in a sealed core":      {do: put("(d1,0, )"), code: "E_SEALED"},
		"insert deep in a sealed core": {do: put("(.seg .box, +7)"), code: "E_SEALED"},
		"insert beside a sealed core":  {do: put("(d1, end)"), want: "u3"},
		"insert below the root":        {do: put("(^root, end)"), code: "E_INVALID_PARENT"},
		"insert after child 5":         {do: put("(d0,0, +5)"), code: "E_NOT_FOUND"},
		"insert after child 5, maybe":  {do: put("(d0,0, +5) ?"), want: "-"},
		"insert in segment 5":          {do: put("(^seq, -5)"), code: "E_NOT_FOUND"},
		"insert in one of two":         {do: put("(d1..d2, end)"), code: "E_SELECTOR_CARDINALITY"},
		"insert in one of two keys":    {do: put("(#doc, end)"), code: "E_AMBIGUOUS_KEY"},
		"insert in no position":        {do: put("d0"), code: "E_SELECTOR_INVALID"},
		"insert by another clock":      {do: put("(*[age>0], end)"), code: "E_TIME_REQUIRED"},
	} {
		t.Run(name, test.check)
	}
}

// mutation is a change of the tree that [talk] returns, and what it leads to.
type mutation struct {
	do         func(*pactkit.Tree) (engine.Node, error)
	want, code string // selected in the head afterwards; "-" if nothing happened and no node is returned
}

func (m mutation) check(t *testing.T) {
	c := talk(t)
	insert(t, c, "(d1, end)", engine.Draft{ID: "inner", Type: "cont"})
	if _, err := c.Engine().Insert(engine.AtDepth(3, 0), engine.Draft{Type: "cont", Children: []engine.Draft{{Type: "cont:box"}}}); err != nil {
		t.Fatal(err)
	}
	// An older instance of a key lies deeper.
	if _, err := c.Engine().Insert(engine.Under("inner", 0), engine.Draft{Key: "doc"}); err != nil {
		t.Fatal(err)
	}
	before := c.AppendJSON(nil)
	n, err := m.do(c)
	after := c.AppendJSON(nil)
	if got := code(t, err); got != m.code {
		t.Fatalf("%v, want code %q", err, m.code)
	}
	if m.code != "" || m.want == "-" {
		if diff := cmp.Diff(string(before), string(after)); diff != "" || !n.IsZero() {
			t.Errorf("a mutation that failed returned %v and changed:\n%s", n, diff)
		}
		return
	}
	nodes, err := c.Select(t.Context(), "^ah .block")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(ids(nodes), " "); got != m.want {
		t.Errorf("the head holds %q, want %q", got, m.want)
	}
}

// In edition 0.1 the working state has no address, but mutations still select in it.
func TestEdition01(t *testing.T) {
	o := steady()
	o.Edition = engine.Edition01
	c, err := pactkit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	insert(t, c, "(d0,0, end)", engine.Draft{ID: "cb:a"})
	if _, err := c.Select(t.Context(), ".cb"); code(t, err) != "E_SNAPSHOT_UNKNOWN" {
		t.Errorf("nothing is sealed yet: %v", err)
	}
	if n, err := c.Replace(t.Context(), "#cb:a", engine.Draft{Content: engine.Text("x")}); err != nil || n.ID() != "cb:a" {
		t.Errorf("replace: %v", err)
	}
	if _, err := c.Commit(); err != nil {
		t.Fatal(err)
	}
	// #x is an id.
	if nodes, err := c.Select(t.Context(), "#cb:a"); err != nil || len(nodes) != 1 {
		t.Errorf("#cb:a selects %q, %v", ids(nodes), err)
	}
	if r, err := c.SelectRange(t.Context(), ".cb", eval.Options{}); err != nil || len(r.Warnings) > 0 {
		t.Errorf("the words of the edition are not legacy: %v, %v", r, err)
	}
}

func TestRecord(t *testing.T) {
	live := talk(t)
	file := filepath.Join(t.TempDir(), "log.json")
	saved := live.AppendJSON(nil)
	if err := os.WriteFile(file, saved, 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := pactkit.Open(file, engine.ReadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(saved), string(c.AppendJSON(nil))); diff != "" {
		t.Errorf("a history that was opened is not what was saved (-want +got):\n%s", diff)
	}
	a, err := live.Export("@t-1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Export("@t-1")
	if diff := cmp.Diff(string(a), string(b)); err != nil || diff != "" {
		t.Errorf("an export differs: %v\n%s", err, diff)
	}
	_, err = c.Insert(t.Context(), "(d0, end)", engine.Draft{})
	if _, again := c.Commit(); !errors.Is(err, engine.ErrSealed) || !errors.Is(again, engine.ErrSealed) {
		t.Errorf("a record changes: %v, %v", err, again)
	}
	next, err := c.Resume(steady())
	if err != nil {
		t.Fatal(err)
	}
	insert(t, next, "(d0,0, end)", engine.Draft{ID: "a3"})
	if got, _ := next.Select(t.Context(), "^ah .block"); strings.Join(ids(got), " ") != "u3 a3" {
		t.Errorf("the head of a resumed record holds %q", ids(got))
	}
	if diff := cmp.Diff(string(saved), string(c.AppendJSON(nil))); diff != "" {
		t.Errorf("a record changed with the context that goes on from it (-want +got):\n%s", diff)
	}
	if _, err := pactkit.Open(file+"x", engine.ReadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := pactkit.FromTimeline(&engine.Timeline{}).Resume(steady()); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Errorf("a timeline without a state is resumed: %v", err)
	}
}

// A folder holds a snapshot in each file, ordered by cycle.
func TestOpenFolder(t *testing.T) {
	live, dir := talk(t), t.TempDir()
	for i, address := range []string{"@c2", "@c1"} {
		data, err := live.Export(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".json")), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := pactkit.Open(dir, engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]string{"@t0 .block+user": "u1 u2", "@t-1 .block+user": "u1", "@c2 .block+user": "u1 u2"} {
		if nodes, err := c.Select(t.Context(), selector); err != nil || strings.Join(ids(nodes), " ") != want {
			t.Errorf("%s: %q, %v, want %q", selector, ids(nodes), err, want)
		}
	}
}

func TestExportAndThreadOfUnknown(t *testing.T) {
	c := talk(t)
	if _, err := c.Export("@t-9"); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Error(err)
	}
	if _, err := c.Thread("@t-9", thread.Pact, thread.RenderOptions{}); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Error(err)
	}
}

func TestParseAndFormat(t *testing.T) {
	if q, err := pactkit.Parse(".cb", parser.Options{}); err != nil || len(q.Legacy()) != 1 {
		t.Errorf("%v, %v", q, err)
	}
	_, err := pactkit.Parse(".a\n .é > > .block", parser.Options{})
	want := "2:7: expected a step after `>`, found `>` (in `.a .é > > .block`) [E_SELECTOR_INVALID]"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if s, err := pactkit.Format(" .block  +user", format.Options{Style: format.Compact}); s != ".block+user" || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	if s, err := pactkit.Format(".a >", format.Options{}); s != ".a >" || code(t, err) != "E_SELECTOR_INVALID" {
		t.Errorf("%q, %v", s, err)
	}
}

func TestDone(t *testing.T) {
	c := talk(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, selects := c.Select(ctx, ".block")
	_, ranges := c.SelectRange(ctx, "@history .block", eval.Options{})
	_, deletes := c.Delete(ctx, "{id='u3'}")
	_, inserts := c.Insert(ctx, "(#doc, end)", engine.Draft{})
	for i, err := range []error{selects, ranges, deletes, inserts} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// A mutation changes what it selected: no other mutation comes in between.
func TestOneStep(t *testing.T) {
	c := newContext(t)
	const jobs, workers = 120, 6
	for i := range jobs {
		insert(t, c, "(d0,0, end)", engine.Draft{ID: fmt.Sprint("job", i), Tags: []string{"job"}})
	}
	insert(t, c, "(d0, end)", engine.Draft{ID: "done", Key: "done", Type: "cont"})
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				// Every state a reader sees is one between two mutations.
				nodes, err := c.Select(t.Context(), "^ah .block+job")
				if err != nil || len(nodes) != jobs {
					t.Errorf("a reader sees %d jobs, %v", len(nodes), err)
					return
				}
			}
		})
	}
	for range workers {
		writers.Go(func() {
			for range jobs / workers {
				if _, err := c.Move(t.Context(), "(d0,0) .block+job @limit=1", "(#done, end)"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if nodes, err := c.Select(t.Context(), "#done > .block"); err != nil || len(nodes) != jobs {
		t.Errorf("%d of %d jobs were moved: %v", len(nodes), jobs, err)
	}
}

// TestDiffOneTimeline compares adjacent snapshots during commits, each of which adds one node: both
// addresses are resolved on the same timeline.
func TestDiffOneTimeline(t *testing.T) {
	c := newContext(t)
	turn := func() {
		insert(t, c, "(d0,0, end)", engine.Draft{Tags: []string{"turn"}})
		if _, err := c.Commit(); err != nil {
			t.Error(err)
		}
	}
	turn()
	turn()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 500 {
			turn()
		}
	}()
	for !t.Failed() {
		d, err := c.Diff(t.Context(), "@t-2", "@t-1", "+turn")
		if err != nil || len(d.Added) != 1 {
			t.Errorf("%d nodes added by one commit, %v", len(d.Added), err)
		}
		select {
		case <-done:
			return
		default:
		}
	}
	<-done
}

// TestInsertByOverlayKey addresses a container by the key of a node and its overlay: the newest of
// them is meant, as it is for a mutation of the node itself (F3).
func TestInsertByOverlayKey(t *testing.T) {
	ctx, c := t.Context(), newContext(t)
	insert(t, c, "(d0,0, end)", engine.Draft{ID: "first", Key: "k"})
	if _, err := c.Commit(); err != nil {
		t.Fatal(err)
	}
	overlay, err := c.Replace(ctx, "#k", engine.Draft{Content: engine.Text("new")})
	if err != nil || overlay.ID() == "first" {
		t.Fatal(overlay, err)
	}
	if _, err := c.Insert(ctx, "(#k, end)", engine.Draft{}); code(t, err) != "E_PARENT_NOT_CONTAINER" {
		t.Errorf("inserted into an overlay, which is a block: %v", err)
	}
}
