package lint_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// answer returns what a selector selects on a timeline, as text. It returns false if the selector
// does not parse.
func answer(t *testing.T, src string, e ast.Edition, tl *engine.Timeline) (string, bool) {
	t.Helper()
	q, ds := parser.ParseSelector(src, parser.Options{Edition: e})
	if diag.HasErrors(ds) {
		return "", false
	}
	p, _ := eval.Compile(q)
	if p == nil {
		return "", false
	}
	res, err := p.Select(context.Background(), tl, eval.Options{})
	if err != nil {
		if e, ok := errors.AsType[*eval.Error](err); ok {
			return string(e.Diagnostics[0].Code), true
		}
		t.Fatal(err)
	}
	return string(res.AppendJSON(nil)), true
}

// TestSafeFixes runs random selectors on random histories: a safe fix must not change what is
// selected, and a fixed selector needs no second fix.
func TestSafeFixes(t *testing.T) {
	seeds := 400
	if testing.Short() {
		seeds = 40
	}
	fixed, changed := 0, 0
	for seed := range seeds {
		r := gentest.Rand(uint64(seed))
		tl := gentest.Timeline(t, r, 5+seed%40)
		for range 30 {
			e := tl.Edition()
			if r.IntN(4) == 0 {
				e = ast.Edition01 - e // the fix must hold for data of the other edition too
			}
			checkSafe(t, gentest.Selector(r, tl, e), e, tl, &fixed, &changed)
		}
	}
	t.Logf("%d selectors, %d with safe fixes", fixed, changed)
	if changed < fixed/20 {
		t.Errorf("only %d of %d selectors had a safe fix", changed, fixed)
	}
}

// never lists the rules that claim that no node passes a step.
var never = []string{
	"correctness/contradictory-filters", "correctness/impossible-step", "correctness/limit-zero", "correctness/null-order",
}

// TestNeverFound checks the rules that claim that nothing is found against what is found.
func TestNeverFound(t *testing.T) {
	seeds := 400
	if testing.Short() {
		seeds = 40
	}
	said := map[string]int{}
	for seed := range seeds {
		r := gentest.Rand(uint64(seed + 7000))
		tl := gentest.Timeline(t, r, 5+seed%40)
		e := tl.Edition()
		for range 60 {
			src := gentest.Selector(r, tl, e)
			if r.IntN(3) == 0 { // the same step, checked again
				src += [...]string{":pre", ":post", "[ephemeral]", "[sticky]", "[ttl=0]", "[cad=null]", "[offset>0]", "{key=null}", " d1", " > ^ah", ":nth(2)"}[r.IntN(11)]
			}
			res := lint.CheckSelector(t.Context(), src, lint.Options{Edition: e})
			q := res.Selectors[0].Query
			if res.Selectors[0].Bad || len(q.Union) != 1 || len(q.Union[0].Chains) != 1 || q.Time != nil && q.Time.Kind != ast.TimeAt {
				continue
			}
			for _, f := range res.Findings {
				if !slices.Contains(never, f.Rule.ID) {
					continue
				}
				said[f.Rule.ID]++
				if got, ok := answer(t, src, e, tl); ok && got != "[]" && got[0] == '[' {
					t.Errorf("%q in edition %s gives %s, though %s: %s", src, e, got, f.Rule.ID, f.Message)
				}
			}
		}
	}
	t.Log(said)
	for _, id := range never[:2] {
		if said[id] < seeds/4 {
			t.Errorf("%s was said only %d times", id, said[id])
		}
	}
}

func checkSafe(t *testing.T, src string, e ast.Edition, tl *engine.Timeline, all, changed *int) {
	t.Helper()
	before, ok := answer(t, src, e, tl)
	if !ok {
		return
	}
	*all++
	o := lint.Options{Edition: e}
	f := lint.FixSelector(t.Context(), src, o, false)
	if f.Text == src {
		return
	}
	*changed++
	after, ok := answer(t, f.Text, e, tl)
	if !ok {
		t.Errorf("%q became %q, which does not parse", src, f.Text)
	} else if after != before {
		t.Errorf("%q became %q in edition %s\nbefore %s\nafter  %s\n%s", src, f.Text, e, before, after, applied(f))
	}
	if again := lint.FixSelector(t.Context(), f.Text, o, false); again.Text != f.Text {
		t.Errorf("%q became %q, then %q", src, f.Text, again.Text)
	}
}

func applied(f lint.Fixed) string {
	var out strings.Builder
	for _, d := range f.Applied {
		out.WriteString(d.Rule.ID + ": " + d.Message + "\n")
	}
	return out.String()
}

// FuzzFix applies all fixes to any source: there is no panic, no selector breaks, and a second run
// changes nothing.
func FuzzFix(f *testing.F) {
	f.Add(".mt > .cb:summary{ttl<=1, ttl<=1} @order=pre\n^root .block:first{x=1}\n# c\n.a, .a, .a{x=1}", true)
	f.Add("@t-5..-1 (d1, seg, cont[offset=0], *:block), d2\n?? {a='b'}\nwithin(d1) ?? {a}", false)
	f.Add("d1, d2\n.a @t0\n.a @limit=1 .b\n.block (a=1)\n.b :first\n", true)
	f.Fuzz(func(t *testing.T, src string, unsafe bool) {
		if len(src) > 1000 { // a longer one may need more rounds than it gets
			return
		}
		laws(t, src, lint.Options{Facts: knownWords{}}, fileEntry, unsafe)
	})
}
