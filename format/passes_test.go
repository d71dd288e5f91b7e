package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// parse reads a selector that has no error.
func parse(t testing.TB, src string) *ast.Query {
	t.Helper()
	q, ds := parser.ParseSelector(src, parser.Options{Mutation: true})
	if diag.HasErrors(ds) {
		t.Fatalf("%q: %v", src, ds)
	}
	return q
}

// TestPasses runs each pass on a query that needs it, after the passes it relies on, and checks
// that it does its work and nothing else.
func TestPasses(t *testing.T) {
	tests := []struct{ pass, before, after string }{
		{"time", ".a @limit=1 @order=pre", "@t0 .a @limit=1 @order=pre"},
		{"controls", "@t0 .a @limit=1 @order=pre", "@t0 .a @order=pre @limit=1"},
		{"flatten", "@t0 .a > (.b .c)+x", "@t0 .a > .b .c+x"},
		{"expand", "@t0 .a+z+y > ^sys#k", "@t0 *[nodeType='a']+z+y > d-1{key='k'}"},
		{"values", "@t0 *{b=x, a=[2,1]}", "@t0 *{b='x', a in [1, 2]}"},
		{"qualifiers", "@t0 *{b=1}[ttl=1]+x{a=1}[nodeType='T']", "@t0 *[nodeType='T']+x{a=1, b=1}[ttl=1]"},
		{"position", "@t0 *[nodeType='a'] > *:pre+x", "@t0 (*[nodeType='a'] > *:pre) +x"},
		{"short-time", "@t0 .a", ".a"},
		{"short-types", "@t0 *[nodeType='a']+x > *[nodeType='a:b']", "@t0 .a+x > *[nodeType='a:b']"},
		{"short-keys", "@t0 *:pre+x{key='k', a=1}", "@t0 #k:pre+x{a=1}"},
		{"short-regions", "@t0 d-1 > d0 > d1 > d0..d1", "@t0 ^sys > ^ah > d1 > d0..d1"},
		{"short-any", "@t0 *+x > *{a=1} *+y > *:first", "@t0 +x > {a=1} *+y > *:first"},
		{"parentheses", "@t0 (d1 > .a), .b", "@t0 (d1 > .a), .b"},
	}
	for i, test := range tests {
		p := passes[i]
		if p.Name != test.pass {
			t.Fatalf("pass %d is %q, and the test is for %q", i, p.Name, test.pass)
		}
		t.Run(p.Name, func(t *testing.T) {
			o := Options{Style: Canonical}
			if !p.in(Canonical) {
				o.Style = Compact
			}
			q := copyQuery(parse(t, test.before))
			if test.pass == "parentheses" {
				flattenGroups(q)
			}
			p.fn(q)
			if got := text(q, o); got != test.after {
				t.Errorf("got  %s\nwant %s", got, test.after)
			}
			if p.styles == both {
				p.fn(q)
				if got := text(q, o); got != test.after {
					t.Errorf("a second time: %s", got)
				}
			}
		})
	}
	if len(passes) != len(tests) {
		t.Errorf("%d passes, %d tests", len(passes), len(tests))
	}
}

func TestPassNames(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []Style{Canonical, Compact} {
		n := 0
		for p := range Passes(s) {
			seen[p.Name] = true
			n++
			if p.Name == "" || !strings.HasSuffix(p.Doc, ".") || strings.ToLower(p.Name) != p.Name {
				t.Errorf("pass %+v lacks a name or a sentence", p)
			}
		}
		for p := range Passes(s) {
			if p.Name != "time" {
				t.Errorf("the first pass of %v is %q", s, p.Name)
			}
			break
		}
		if n < 7 {
			t.Errorf("%v has %d passes", s, n)
		}
	}
	if len(seen) != len(passes) {
		t.Errorf("%d passes have %d names", len(passes), len(seen))
	}
}

func TestTrace(t *testing.T) {
	for style, want := range map[Style][]string{
		Canonical: {
			"time: @t0 (.a+b) > #k @limit=1",
			"flatten: @t0 .a+b > #k @limit=1",
			"expand: @t0 *[nodeType='a']+b > *{key='k'} @limit=1",
			"position: @t0 (*[nodeType='a']+b > *) { key='k' } @limit=1",
		},
		Compact: {
			"time: @t0 (.a+b) > #k @limit=1",
			"flatten: @t0 .a+b > #k @limit=1",
			"expand: @t0 *[nodeType='a']+b > *{key='k'} @limit=1",
			"short-time: *[nodeType='a']+b > *{key='k'} @limit=1",
			"short-types: .a+b > *{key='k'} @limit=1",
			"short-keys: .a+b > #k @limit=1",
		},
	} {
		q := parse(t, "(.a+b) > #k @limit=1")
		var got []string
		Node(q, Options{Style: style, Trace: func(p Pass, text string) {
			got = append(got, fmt.Sprintf("%s: %s", p.Name, text))
		}})
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%v (-want +got):\n%s", style, d)
		}
	}
	Node(parse(t, "@t0 (*)"), Options{Trace: func(p Pass, text string) {
		if p.Name != "flatten" && p.Name != "position" {
			t.Errorf("%s made %q of a canonical text", p.Name, text)
		}
	}})
}

// TestOptional checks that the question mark of a mutation comes after the last filter.
func TestOptional(t *testing.T) {
	q := parse(t, ".a? @limit=1")
	for style, want := range map[Style]string{
		Canonical: "@t0 (*[nodeType='a']) ? @limit=1",
		Compact:   ".a ? @limit=1",
	} {
		got := Node(q, Options{Style: style})
		if got != want {
			t.Errorf("%v: %q", style, got)
		}
		if again := Node(parse(t, got), Options{Style: style}); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	}
}

func TestStyleNames(t *testing.T) {
	for _, s := range []Style{Canonical, Compact} {
		if got, ok := ParseStyle(s.String()); !ok || got != s {
			t.Errorf("%v reads as %v, %v", s, got, ok)
		}
	}
	if _, ok := ParseStyle("pretty"); ok {
		t.Error("pretty is not a style")
	}
}
