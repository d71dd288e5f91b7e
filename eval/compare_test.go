package eval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// realAnswer returns the answer of the evaluator.
func realAnswer(q *ast.Query, t *engine.Timeline, o eval.Options) answer {
	plan, ds := eval.Compile(q)
	if diag.HasErrors(ds) {
		return answer{err: ds[0].Code}
	}
	r, err := plan.Select(context.Background(), t, o)
	if failed := (*eval.Error)(nil); errors.As(err, &failed) {
		return answer{err: failed.Diagnostics[0].Code}
	}
	if err != nil {
		return answer{err: diag.Code(err.Error())}
	}
	a := answer{value: decode(r.AppendJSON(nil)), clipped: len(r.Warnings) > 0}
	for _, c := range r.Controls {
		a.controls = append(a.controls, ast.Control{Name: c.Name, Value: c.Value, HasValue: c.HasValue})
	}
	if doc, ok := a.value.(map[string]any); ok { // reported by clipped
		delete(doc, "warnings")
	}
	return a
}

func (a answer) String() string {
	if a.err != "" {
		return string(a.err)
	}
	text, _ := json.Marshal(a.value)
	var out strings.Builder
	out.WriteString(string(text))
	if a.clipped {
		out.WriteString(" (clipped)")
	}
	for _, c := range a.controls {
		out.WriteString(" @" + c.Name + "=" + c.Value)
	}
	return out.String()
}

func (a answer) empty() bool {
	switch v := a.value.(type) {
	case []any:
		return len(v) == 0
	case map[string]any: // a range in which nothing was found
		return !bytes.Contains([]byte(a.String()), []byte(`"id":`)) && regexp.MustCompile(`_ids":\["`).FindString(a.String()) == ""
	}
	return true
}

// A triple is a timeline, as a document, with a selector and options.
type triple struct {
	doc   any
	query *ast.Query
	opts  eval.Options
}

func (c triple) timeline() (*engine.Timeline, error) {
	data, err := json.Marshal(c.doc)
	if err != nil {
		return nil, err
	}
	return gentest.Read(data, engine.ReadOptions{})
}

// ofAnswers makes package cmp compare answers whole.
var ofAnswers = cmp.AllowUnexported(answer{}, ast.Extent{})

func sameAnswer(a, b answer) bool { return cmp.Equal(a, b, ofAnswers) }

// differs reports whether the two evaluators give different answers.
func (c triple) differs() bool {
	t, err := c.timeline()
	if err != nil {
		return false
	}
	if _, ds := parser.ParseSelector(format.Node(c.query, format.Options{}), parser.Options{}); diag.HasErrors(ds) {
		return false
	}
	return !sameAnswer(realAnswer(c.query, t, c.opts), newTimeline(t).selects(c.query, c.opts))
}

// smaller returns the smallest triple it finds for which bad still holds.
func (c triple) smaller(bad func(triple) bool) triple {
	for again := true; again; {
		again = false
		for next := range c.reductions {
			if bad(next) {
				c, again = next, true
				break
			}
		}
	}
	return c
}

// reductions yields triples with one part removed.
func (c triple) reductions(yield func(triple) bool) {
	for i := 0; ; i++ {
		q := c.query.Clone()
		if !dropOne(q, &i) {
			break
		}
		if len(q.Union) > 0 && !yield(triple{c.doc, q, c.opts}) {
			return
		}
	}
	for n := 0; ; n++ {
		left := n
		doc := without(c.doc, &left)
		if left >= 0 {
			return
		}
		if !yield(triple{doc, c.query, c.opts}) {
			return
		}
	}
}

// dropOne removes the i-th optional part of a query. It returns false if there are fewer.
func dropOne(q *ast.Query, i *int) bool {
	k := *i
	hit := func(n int) (int, bool) { // whether the part is among the next n
		if k < n {
			return k, true
		}
		k -= n
		return 0, false
	}
	if at, ok := hit(len(q.Controls())); ok {
		q.Tail.Controls = slices.Delete(q.Tail.Controls, at, at+1)
		return true
	}
	if len(q.Union) > 1 {
		if at, ok := hit(len(q.Union)); ok {
			q.Union = slices.Delete(q.Union, at, at+1)
			return true
		}
	}
	for n := range ast.All(q) {
		switch n := n.(type) {
		case *ast.Fragment:
			if len(n.Chains) > 1 {
				if at, ok := hit(len(n.Chains)); ok {
					n.Chains = slices.Delete(n.Chains, at, at+1)
					return true
				}
			}
		case *ast.Chain:
			if len(n.Steps) > 1 {
				if at, ok := hit(len(n.Steps)); ok {
					n.Steps = slices.Delete(n.Steps, at, at+1)
					n.Steps[0].Combinator = ast.First
					return true
				}
			}
		case *ast.Step:
			if at, ok := hit(len(n.Qualifiers)); ok {
				n.Qualifiers = slices.Delete(n.Qualifiers, at, at+1)
				return true
			}
		case *ast.Filter:
			if len(n.Props) > 1 {
				if at, ok := hit(len(n.Props)); ok {
					n.Props = slices.Delete(n.Props, at, at+1)
					return true
				}
			}
		}
	}
	return false
}

// without copies a document without its n-th part: an element of a list, or an optional member of a
// node. n is negative afterwards if there was such a part.
func without(v any, n *int) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, e := range v {
			if *n--; *n == -1 {
				continue
			}
			out = append(out, without(e, n))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch name {
			case "id", "root", "snapshots", "cycle", "parent_id":
			default:
				if *n--; *n == -1 {
					continue
				}
			}
			out[name] = without(v[name], n)
		}
		return out
	}
	return v
}

// report describes a difference by the smallest triple that shows it.
func report(t *testing.T, c triple) {
	t.Helper()
	whole := format.Node(c.query, format.Options{Style: format.Compact})
	c = c.smaller(triple.differs)
	c.doc = without(c.doc, new(1<<60)) // a copy
	tl, err := c.timeline()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(c.doc)
	t.Errorf("the evaluators differ\nselector %s\nof       %s\noptions  %+v\ntree     %s\neval     %v\nnaive    %v",
		format.Node(c.query, format.Options{Style: format.Compact}), whole, c.opts, text,
		realAnswer(c.query, tl, c.opts), newTimeline(tl).selects(c.query, c.opts))
}

// randomOptions are options of ranges.
func randomOptions(seed uint64, text string) eval.Options {
	r := gentest.Rand(seed)
	o := eval.Options{Text: text}
	if r.IntN(3) == 0 {
		o.IncludeContent = true
		o.ContentMode = []engine.ContentMode{"", engine.ModeUnified, engine.ModeJSONPatch, engine.ModeTokens}[r.IntN(4)]
		if r.IntN(2) == 0 {
			o.ContextLines = new(r.IntN(3))
		}
	}
	for _, name := range []string{"content", "mime", "encoding", "content_hash"} {
		if r.IntN(16) == 0 {
			o.Materialize = append(o.Materialize, name)
		}
	}
	if r.IntN(8) == 0 {
		o.MaxSnapshots = 1 + r.IntN(4)
	}
	if r.IntN(6) == 0 {
		o.MaxChanges = 1 + r.IntN(3)
	}
	return o
}

// TestNaive compares the evaluator with the naive one on random timelines and selectors: many small
// trees, and a few that the engine cuts into several chunks. PACTKIT_SEEDS asks for more trees:
// 5500 make a million triples.
func TestNaive(t *testing.T) {
	var count counts
	seeds, least := uint64(160), int64(30_000)
	if testing.Short() {
		seeds, least = 12, 2_000
	}
	if more := os.Getenv("PACTKIT_SEEDS"); more != "" {
		n, err := strconv.ParseUint(more, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		seeds, least = n, int64(n)*180
	}
	t.Run("random", func(t *testing.T) {
		for part := range uint64(4) {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for i := range seeds {
					seed := part<<32 + i
					compareRandom(t, &count, seed, 5+int(i)%40, 50)
				}
				for i := range uint64(2) {
					seed := part<<32 + 1<<16 + i
					compareRandom(t, &count, seed, 500, 50)
				}
			})
		}
	})
	asked, found := count.asked.Load(), count.found.Load()
	t.Logf("%d triples, %.1f %% of them with a result", asked, 100*float64(found)/float64(asked))
	if count.failed.Load() == 0 && (asked < least || found*10 < asked*4) {
		t.Errorf("%d triples, and only %d with a result, are too few", asked, found)
	}
}

// TestNaiveHistory does the same with long histories of a live context, whose snapshots share most
// of their parts.
func TestNaiveHistory(t *testing.T) {
	var count counts
	seeds := uint64(40)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		r := gentest.Rand(1<<40 + seed)
		tl := gentest.Grow(t, r, 24, 100).Timeline()
		naive := newTimeline(tl)
		for range 12 {
			text := gentest.Selector(r, tl, tl.Edition())
			q, ds := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
			if diag.HasErrors(ds) {
				continue
			}
			q.Time = &ast.Time{Kind: ast.TimeHistory}
			compareQuery(t, &count, text, q, tl, naive, eval.Options{Text: text})
		}
	}
	t.Logf("%d triples, %d of them with a result", count.asked.Load(), count.found.Load())
}

// compareRandom compares the evaluators on the timeline of a seed, which has trees of about size
// nodes.
func compareRandom(t *testing.T, count *counts, seed uint64, size, selectors int) {
	t.Helper()
	r := gentest.Rand(seed)
	tl := gentest.Timeline(t, r, size)
	naive, alone := newTimeline(tl), newTimeline(tl.At(0).Timeline())
	edition := tl.Edition()
	for range selectors {
		text := gentest.Selector(r, tl, edition)
		q, ds := parser.ParseSelector(text, parser.Options{Edition: edition})
		if diag.HasErrors(ds) {
			continue
		}
		o := randomOptions(r.Uint64(), text)
		got := compareQuery(t, count, text, q, tl, naive, o)
		checkForms(t, text, q, tl, edition, o, got)
		checkNodes(t, text, q, tl, naive, alone)
	}
}

// counts of triples.
type counts struct{ asked, found, failed atomic.Int64 }

// compareQuery compares the answers of both evaluators to one triple, and returns the real one.
func compareQuery(
	t *testing.T, count *counts, text string, q *ast.Query, tl *engine.Timeline, naive naiveTimeline, o eval.Options,
) answer {
	t.Helper()
	got := realAnswer(q, tl, o)
	count.asked.Add(1)
	if !got.empty() {
		count.found.Add(1)
	}
	want := naive.selects(q, o)
	if sameAnswer(got, want) {
		return got
	}
	switch c := (triple{decode(tl.AppendJSON(nil)), q, o}); {
	case count.failed.Add(1) > 5:
		t.FailNow()
	case c.differs():
		report(t, c)
	default: // a tree that is read back does not share its parts
		t.Errorf("the evaluators differ on a live history\nselector %s\ntree     %s\neval     %v\nnaive    %v",
			text, tl.AppendJSON(nil), got, want)
	}
	return got
}

// checkNodes checks what a query selects on the newest snapshot by itself, whatever its time and
// controls, and what each step leaves of it. alone is that snapshot without the others.
func checkNodes(t *testing.T, text string, q *ast.Query, tl *engine.Timeline, naive, alone naiveTimeline) {
	t.Helper()
	plan, ds := eval.Compile(q)
	if diag.HasErrors(ds) {
		t.Errorf("%s: %s", text, ds[0].Message)
		return
	}
	nodes, err := plan.Nodes(t.Context(), tl.At(0))
	if err != nil {
		t.Error(err)
	}
	got := []string{}
	for _, n := range nodes {
		got = append(got, n.ID())
	}
	if d := cmp.Diff(names(alone[0].union(q)), got); d != "" {
		t.Errorf("%s: Nodes (-naive +eval):\n%stree %s", text, d, tl.At(0).AppendJSON(nil))
	}
	if q.Time != nil {
		return
	}
	steps, err := plan.Trace(t.Context(), tl)
	if err != nil {
		t.Error(err)
	}
	var traced, want []string
	for _, s := range steps {
		traced = append(traced, fmt.Sprintf("%d.%d.%d: %d %t", s.Fragment, s.Chain, s.Step, s.Count, s.Skipped))
	}
	for f, fragment := range q.Union {
		answered := false
		for c := range fragment.Chains {
			left := naive.counted()[0].steps(&fragment.Chains[c])
			for i, nodes := range left {
				n := len(nodes)
				if answered {
					n = 0
				}
				want = append(want, fmt.Sprintf("%d.%d.%d: %d %t", f, c, i, n, answered))
			}
			answered = answered || len(left[len(left)-1]) > 0
		}
	}
	if d := cmp.Diff(want, traced); d != "" {
		t.Errorf("%s: trace (-naive +eval):\n%stree %s", text, d, tl.At(0).AppendJSON(nil))
	}
}
