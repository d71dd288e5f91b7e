package eval_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// readOutline reads a history in the short form of the cases.
func readOutline(t testing.TB, text string) *engine.Timeline {
	t.Helper()
	data, err := outline(text, "")
	if err != nil {
		t.Fatal(err)
	}
	tl, err := engine.Read("history.json", bytes.NewReader(data), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

func compile(t testing.TB, text string) *eval.Plan {
	t.Helper()
	q, ds := parser.ParseSelector(text, parser.Options{})
	if diag.HasErrors(ds) {
		t.Fatal(text, ds)
	}
	p, ds := eval.Compile(q)
	if p == nil {
		t.Fatal(text, ds)
	}
	return p
}

const family = `
^seq
  s1 seg
    c1 cont
      b1 block tag=user
      b2 block tag=user
  s2 seg
    b3 block key=k
    b4 note offset=1
^ah
  b5 block
`

// TestTrace shows what each step leaves, and how the plan is described.
func TestTrace(t *testing.T) {
	tl := readOutline(t, family)
	for _, c := range []struct{ selector, plan, trace string }{
		{
			"^seq .seg > .cont > .block+user:first",
			`search ^seq, each region as a whole, since siblings are counted:
  1. ^seq
  2. below that, nodes of type seg
  3. children of that: nodes of type cont
  4. children of that: nodes of type block and tagged 'user'; of siblings the first
`,
			"0.0.0 1, 0.0.1 2, 0.0.2 1, 0.0.3 1",
		},
		{
			"(d1 .none) ?? ((d1..d2,0) > [offset>=1, ttl=null]) ?? .note, #k:core",
			`search ^seq at depth 1:
  1. depth 1
  2. below that, nodes of type none
if nothing was found, search ^seq at the depths 1 to 2:
  1. depths 1 to 2, offset 0
  2. children of that: nodes with offset >= 1 and with ttl = null
if nothing was found, search the whole tree:
  1. nodes of type note
then, without what was found before, look up the key 'k':
  1. nodes with the key 'k' and with offset 0
  sorted: the deepest first, then the newest
`,
			"0.0.0 1, 0.0.1 0, 0.1.0 2, 0.1.1 0, 0.2.0 1, 1.0.0 1",
		},
		{".note ?? .block", "search the whole tree:\n  1. nodes of type note\nif nothing was found, search the whole tree:\n  1. nodes of type block\n", "0.0.0 1, 0.1.0 skipped"},
		{"^root, ^sys", "search the whole tree:\n  1. ^root\nthen, without what was found before, search ^sys:\n  1. depth -1\n", "0.0.0 1, 1.0.0 0"},
	} {
		p := compile(t, c.selector)
		if got := p.String(); got != c.plan {
			t.Errorf("%s runs as\n%s", c.selector, got)
		}
		steps, err := p.Trace(context.Background(), tl)
		var got []string
		for _, s := range steps {
			left := fmt.Sprint(s.Count)
			if s.Skipped {
				left = "skipped"
			}
			got = append(got, fmt.Sprintf("%d.%d.%d %s", s.Fragment, s.Chain, s.Step, left))
		}
		if strings.Join(got, ", ") != c.trace || err != nil {
			t.Errorf("%s leaves %s, %v", c.selector, strings.Join(got, ", "), err)
		}
	}
}

// TestTraceUnknown shows that a trace needs a snapshot.
// TestTraceEmpty: of the steps that find nothing, only the first one of a chain is marked.
func TestTraceEmpty(t *testing.T) {
	steps, err := compile(t, ".seg > .none > .block > .block, .none").Trace(t.Context(), readOutline(t, family))
	if err != nil {
		t.Fatal(err)
	}
	var empty []bool
	for _, s := range steps {
		empty = append(empty, s.Empty)
	}
	if want := []bool{false, true, false, false, true}; !slices.Equal(empty, want) {
		t.Errorf("got %v, want %v", empty, want)
	}
}

func TestTraceUnknown(t *testing.T) {
	_, err := compile(t, "@t-7 .block").Trace(context.Background(), readOutline(t, family))
	if failed := (*eval.Error)(nil); !errors.As(err, &failed) || failed.Diagnostics[0].Code != diag.SnapshotUnknown {
		t.Error(err)
	}
}
