package eval_test

import (
	"testing"
	"time"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// TestLive checks what @t0 is in a live context (D10): the working state in edition 1.0, the newest
// snapshot in 0.1.
func TestLive(t *testing.T) {
	for _, edition := range []engine.Edition{engine.Edition10, engine.Edition01} {
		t.Run(edition.String(), func(t *testing.T) {
			now := time.Unix(1_700_000_000, 0)
			c, err := engine.New(engine.Options{Edition: edition, Clock: func() time.Time { now = now.Add(time.Second); return now }})
			if err != nil {
				t.Fatal(err)
			}
			insert := func(id string, ttl *int64) {
				t.Helper()
				if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{ID: id, Tags: []string{"user"}, TTL: ttl}); err != nil {
					t.Fatal(err)
				}
			}
			commit := func() {
				t.Helper()
				if _, err := c.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			check := func(text, want string) {
				t.Helper()
				tl := c.Timeline()
				q, _ := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
				got := realAnswer(q, tl, eval.Options{Text: text})
				if naive := newTimeline(tl).selects(q, eval.Options{Text: text}); naive.String() != got.String() {
					t.Errorf("%s: %v, and the naive evaluator %v", text, got, naive)
				}
				if got.String() != want {
					t.Errorf("%s: %v, want %s", text, got, want)
				}
			}
			live := edition == engine.Edition10
			either := func(ifLive, ifNot string) string {
				if live {
					return ifLive
				}
				return ifNot
			}
			insert("a", nil)
			check("+user", either(`["a"]`, "E_SNAPSHOT_UNKNOWN"))
			check("@c1 +user", "E_SNAPSHOT_UNKNOWN")
			insert("b", new(int64(2)))
			commit()
			// Nothing was written since: the working state is what was sealed, shown lifetimes
			// included.
			check("+user", `["a","b"]`)
			check("@t-1 +user", either(`["a","b"]`, "E_SNAPSHOT_UNKNOWN"))
			check("[ttl=2]", `["b"]`)
			if live {
				q, _ := parser.ParseSelector("@t0,@t-1 *", parser.Options{})
				r, err := mustCompile(t, q).Select(t.Context(), c.Timeline(), eval.Options{})
				if err != nil || len(r.Range.Diffs) != 1 || r.Range.Diffs[0].Stats != (eval.Stats{}) {
					t.Errorf("the working state and its snapshot differ: %s, %v", r.AppendJSON(nil), err)
				}
			}
			insert("c", nil)
			check("+user", either(`["a","b","c"]`, `["a","b"]`))
			check("^ah *+user", either(`["c"]`, `[]`))
			check("@c1 +user", `["a","b"]`)
			check("@c2 +user", "E_SNAPSHOT_UNKNOWN")
			check("@* +user", either(`["a","b","c"]`, `["a","b"]`))
			commit()
			check("@t0 [ttl=1]", `["b"]`)
			check("@c1 [ttl=2]", `["b"]`)
			commit()
			check("+user", `["a","c"]`)
			check("@c2..@c3 +user @mode=latest",
				`[{"id":"a","snapshot":"@c3"},{"id":"c","snapshot":"@c3"},{"id":"b","snapshot":"@c2"}]`)
		})
	}
}

func mustCompile(t *testing.T, q *ast.Query) *eval.Plan {
	t.Helper()
	p, ds := eval.Compile(q)
	if len(ds) > 0 {
		t.Fatal(ds[0].Message)
	}
	return p
}
