package eval

import (
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestIncremental checks that a query over many snapshots has the same answer whether only unshared
// chunks are searched or everything is.
func TestIncremental(t *testing.T) {
	local, changed := 0, 0
	for seed := range uint64(180) {
		r := gentest.Rand(seed)
		tl := gentest.Live(t, r, 40).Timeline()
		for range 20 {
			text := gentest.Selector(r, tl, tl.Edition())
			q, ds := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
			if diag.HasErrors(ds) {
				continue
			}
			q.Time, q.Tail = nil, nil
			for _, frame := range []string{"@history * @mode=pairwise", "@history * @mode=union", "@history * @mode=latest", "@history * @mode=reduce", "@* *"} {
				framed, _ := parser.ParseSelector(frame, parser.Options{})
				framed.Union = q.Union
				plan, ds := Compile(framed)
				if plan == nil {
					t.Fatal(text, ds)
				}
				if !plan.local {
					break
				}
				local++
				whole := *plan
				whole.local = false
				got, want := answer(t, plan, tl), answer(t, &whole, tl)
				if got != want {
					t.Errorf("%s, framed by %s:\n%s, want\n%s", text, frame, got, want)
				}
				if len(want) > 1000 {
					changed++
				}
			}
		}
	}
	if local < 1000 || changed < 500 {
		t.Errorf("%d questions, of which %d have long answers, prove little", local, changed)
	}
}

func answer(t *testing.T, p *Plan, tl *engine.Timeline) string {
	t.Helper()
	r, err := p.Select(t.Context(), tl, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.AppendJSON(nil))
}
