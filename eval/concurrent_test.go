package eval_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestConcurrent runs one plan in many goroutines, over one timeline and while the context changes.
func TestConcurrent(t *testing.T) {
	r := gentest.Rand(7)
	c := gentest.Live(t, r, 60)
	tl := c.Timeline()
	type asked struct {
		plan *eval.Plan
		want string
	}
	var list []asked
	for len(list) < 30 {
		text := gentest.Selector(r, tl, tl.Edition())
		q, ds := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
		if diag.HasErrors(ds) {
			continue
		}
		plan, _ := eval.Compile(q)
		if res, err := plan.Select(t.Context(), tl, eval.Options{}); err == nil {
			list = append(list, asked{plan, string(res.AppendJSON(nil))})
		}
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for _, a := range slices.Concat(list[g:], list[:g]) {
				res, err := a.plan.Select(t.Context(), tl, eval.Options{})
				if err != nil {
					t.Error(err)
				} else if got := string(res.AppendJSON(nil)); got != a.want {
					t.Errorf("%v: %s, want %s", a.plan, got, a.want)
				}
				// Errors are fine here: the working state moves on, and may have two nodes for one
				// @unique.
				_, _ = a.plan.Select(t.Context(), c.Timeline(), eval.Options{})
			}
		})
	}
	for range 10 {
		if _, err := c.Commit(); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}
