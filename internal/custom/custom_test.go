package custom

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// TestPatterns compares what a rule finds in a selector, and what its fix writes.
func TestPatterns(t *testing.T) {
	none := "-" // no fix
	for _, x := range []struct {
		forbid, use, selector string
		found                 []string
		fixed                 string
	}{
		{"+old", "+new", ".block+old+x .seg{tag='old'}", []string{"+old", "tag='old'"}, ".block+new+x .seg{tag='new'}"},
		{"+old", "+new", "{tag in ['a','old'], content='old'}", []string{"'old'"}, "{tag in ['a','new'], content='old'}"},
		{"+old", "", ".block+old +x", []string{"+old"}, ".block +x"},
		{"+old", "", ".block{tag='old'}", []string{"tag='old'"}, ".block"},
		{"+old", "", ".block{a=1, tag='old'}", []string{"tag='old'"}, ".block{a=1}"},
		{"+old", "", ".block{tag='old', a=1}", []string{"tag='old'"}, ".block{a=1}"},
		{"+old", "{state='old'}", ".block+old", []string{"+old"}, ".block{state='old'}"},
		{"{state='old'}", "+old", ".block{state='old'}", []string{"state='old'"}, ".block+old"},
		{"{state='old'}", "+old", ".block{state='old', b=1}", []string{"state='old'"}, none},
		{"{state='old'}", "{state='new'}", ".block{state='old', b=1}", []string{"state='old'"}, ".block{state='new', b=1}"},
		{".block+old", ".block+new", ".block+x+old", []string{".block+x+old"}, ".block+x+new"},
		{".block+old", ".block+new", ".seg+old", nil, none},
		{".block+old", ".block+a+b", ".block+old:first", []string{".block+old"}, ".block+a:first+b"},
		{"{tag~'^tmp-'}", "", "+tmp-1, .block+x+tmp-2", []string{"+tmp-1", "+tmp-2"}, none},
		{"{tag in ['a','b']}", "+c", "+b", []string{"+b"}, "+c"},
		{"{content}", "", ".block{content~'x'}, {content='y', a=1}", []string{"content~'x'", "content='y'"}, ".block, {a=1}"},
		{"#k", "#n", "#k, {key='k'}", []string{"#k", "key='k'"}, "#n, {key='n'}"},
		{".seg > .block", ".seg > .note", ".seg > .block, .seg .block", []string{".seg > .block"}, ".seg > .note, .seg .block"},
		{".seg > .block", ".seg .block", "^seq .seg>.block:last", []string{".seg>.block"}, "^seq .seg .block:last"},
		{".seg > .block+x", ".seg .block+y", ".seg > .block+x", []string{".seg > .block+x"}, ".seg .block+y"},
		{".seg > *+x", ".seg *+x", ".seg > +x", []string{".seg > +x"}, none},
		{".seg > .block", ".seg .block", "(.seg) > .block", []string{".seg) > .block"}, none},
		{"^sys", "^ah", "d-1 .block", []string{"d-1"}, "^ah .block"},
		{"d0 > .block", "d1 > .block", "^ah > .block", []string{"^ah > .block"}, "d1 > .block"},
		{"d1", "d2", ".seg:depth(1) .block", []string{".seg:depth(1)"}, "d2 .block"},
		{".seg .block", ".seg .note", ".seg > .x .block", []string{".seg > .x .block"}, ".seg > .x .note"},
		{".a > .b .c > .d", "", ".a > .b > .c .c > .d", []string{".a > .b > .c .c > .d"}, none},
		{".a > .b .c > .d", "", ".a > .b .c .d", nil, none},
		{"*:first", "*:last", ".block:first", []string{":first"}, ".block:last"},
		{"^seq", "^ah", "^seq .block", []string{"^seq"}, "^ah .block"},
		{".a", ".b", "(.seg .a)+x", []string{".a"}, "(.seg .b)+x"},
		{"@history", "@t0", "@t0..@t-* .block", []string{"@t0..@t-*"}, "@t0 .block"},
		{"@history", "@t0", "@t0..@t-5 .block", nil, none},
		{"@t0", "@t-1", ".block", []string{".block"}, "@t-1 .block"},
		{"@*", "", "@* .block", []string{"@*"}, ".block"},
		{"@limit", "", ".block @limit=3 @unique", []string{"@limit=3"}, ".block @unique"},
		{"@limit=3", "@limit=5", ".block @limit=4", nil, none},
		{"@limit=3", "@limit=5", ".block @limit=3", []string{"@limit=3"}, ".block @limit=5"},
		{"@history @limit=3", "@history @limit=5", "@history .block @limit=3", []string{"@history .block @limit=3"}, "@history .block @limit=5"},
		{".block @limit", "", ".block @limit=3", []string{".block"}, none},
		{"{tag~'^tmp-'}", "", ".block+tmp-1+x+tmp-2", []string{"+tmp-1", "+tmp-2"}, ".block+x"},
		{"{priority}", "", ".block{priority>1, priority<5}", []string{"priority>1", "priority<5"}, ".block"},
		{"{tag}", "", ".block{tag in ['a','b']}+c", []string{"tag in ['a','b']"}, ".block+c"},
		{".block+old", ".block+new", ".block+old .x .block{tag in ['old','old']}", []string{".block+old", ".block{tag in ['old'", ".block{tag in ['old','old'"},
			".block+new .x .block{tag in ['new','new']}"},
		{"+old", "", ".block{tag in ['old', 'b']}", []string{"'old'"}, ".block{tag in ['old', 'b']}"},
		{"+old", "", ".block{tag in ['old']}, {tag in ['old'], a=1}", []string{"'old'", "'old'"}, ".block, {a=1}"},
		{"{tag~'^t'}", "", ".block{tag in ['t1','t2','t3']}", []string{"'t1'", "'t2'", "'t3'"}, none},
		{".block", "", ".seg .block+old", []string{".block"}, ".seg *+old"},
		{".block", "", ".seg .block:first, (.seg .block)+x", []string{".block", ".block"}, ".seg *:first, (.seg *)+x"},
		{"#k", "", ".seg > #k+x{a=1}", []string{"#k"}, ".seg > *+x{a=1}"},
		{".block+old", "", ".seg .block+old", []string{".block+old"}, ".seg .block+old"},
		{".x", "", ".x .seg .x .block, .seg .x", []string{".x", ".x", ".x"}, ".seg .block, .seg .x"},
		{".block", "", ".seg > .block:first", []string{".block"}, ".seg > *:first"},
		{".seg .block", ".seg *", ".seg .block, .seg .block+x", []string{".seg .block", ".seg .block"}, ".seg *, .seg *+x"},
		{"+old", "", ".seg > +old+x", []string{"+old"}, ".seg > *+x"},
		{".block+old", "+new", ".seg .block:first+old", []string{".block:first+old"}, ".seg *:first+new"},
		{".block", "+new", ".seg .block", []string{".block"}, ".seg *+new"},
		{"#k", "+new", ".seg #k", []string{"#k"}, ".seg *+new"},
		{"+old", ".note", ".seg +old", []string{"+old"}, ".seg +old"},
		{"+old", ".note", ".seg > +old", []string{"+old"}, ".seg > .note"},
		{".block", ".note+x @limit=3", ".block", []string{".block"}, ".note+x @limit=3"},
		{".block @limit", ".note+x @unique", ".block @limit=3", []string{".block"}, ".note+x @unique"},
	} {
		d := Rule{Name: "r", Forbid: []string{x.forbid}}
		if x.fixed != none {
			d.Use = &x.use
		}
		r, err := Compile(d)
		if err != nil {
			t.Errorf("%s → %s: %v", x.forbid, x.use, err)
			continue
		}
		e := Example{Selector: x.selector, Found: append([]string{}, x.found...)}
		if x.fixed != none {
			e.Fixed = &x.fixed
		}
		d.Bad = []Example{e}
		for _, o := range Test(t.Context(), d, r) {
			if diff := cmp.Diff(o.Want, o.Got); diff != "" || o.Err != nil {
				t.Errorf("%s → %s: %v\n%s", x.forbid, x.use, o.Err, diff)
			}
		}
	}
}

// TestRequired checks the conditions of a rule, and what it adds.
func TestRequired(t *testing.T) {
	use, limited, now := "@limit=9", "@history .block @limit=9", "@t-1 .block @limit=9"
	d := Rule{Name: "r", Require: []string{"@limit", "@first"}, When: []string{"@history", "@t-1"}, Unless: []string{"+x"}, Use: &use,
		Bad:  []Example{{Selector: "@history .block", Found: []string{"@history .block"}, Fixed: &limited}, {Selector: "@t-1 .block", Fixed: &now}},
		Good: []Example{{Selector: ".block"}, {Selector: "@history .block @limit=1"}, {Selector: "@history .block @first"}, {Selector: "@history .block+x"}},
	}
	checkExamples(t, d)
}

// checkExamples compiles a rule, and checks that all its examples pass.
func checkExamples(t *testing.T, d Rule) {
	t.Helper()
	r, err := Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range Test(t.Context(), d, r) {
		if !o.Passed {
			t.Errorf("%s: want %q, got %q %v", o.Name, o.Want, o.Got, o.Err)
		}
	}
}

// TestMistakes checks what is reported about a declaration.
func TestMistakes(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, x := range []struct {
		rule Rule
		want string
	}{
		{Rule{Name: "A", Forbid: []string{"+x"}}, "the name of a rule has small letters"},
		{Rule{Name: "a"}, "either forbid or require"},
		{Rule{Name: "a", Forbid: []string{"+x"}, Require: []string{"+x"}}, "either forbid or require"},
		{Rule{Name: "a", Forbid: []string{"+x", ".block >"}}, "forbid: expected a step"},
		{Rule{Name: "a", Forbid: []string{"@order=priority"}}, "forbid: `@order` needs one of pre"},
		{Rule{Name: "a", Forbid: []string{" "}}, "must not be empty"},
		{Rule{Name: "a", Forbid: []string{"+x, +y"}}, "no alternatives"},
		{Rule{Name: "a", Forbid: []string{"{tag~'('}"}}, "forbid: "},
		{Rule{Name: "a", Forbid: []string{"+x"}, Use: text(".a .b")}, "as many steps"},
		{Rule{Name: "a", Forbid: []string{"@limit"}, Use: text("@limit")}, "use: "},
		{Rule{Name: "a", Forbid: []string{"+x"}, Use: text("+x+y")}, "use: the rule forbids it"},
		{Rule{Name: "a", Forbid: []string{"+w", "+x"}, Use: text("+x")}, `the pattern "+x" occurs in it`},
		{Rule{Name: "a", Forbid: []string{"{tag~'^t-'}"}, Use: text("+t-x"), When: []string{"@history"}}, "the rule forbids it"},
		{Rule{Name: "a", Forbid: []string{"@history @limit"}, Use: text("@history @limit=3")}, "the rule forbids it"},
		{Rule{Name: "a", Require: []string{"@limit"}, Use: text(".a")}, "a time or controls"},
		{Rule{Name: "a", Require: []string{"@limt"}}, "require: unknown control `@limt`; did you mean `@limit`?"},
		{Rule{Name: "a", Forbid: []string{".a @limt=3"}}, "did you mean `@limit`?"},
		{Rule{Name: "a", Forbid: []string{"@histroy"}}, "did you mean `@history`?"},
		{Rule{Name: "a", Require: []string{"@limit"}, Use: text("")}, "a time or controls"},
	} {
		if _, err := Compile(x.rule); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: got %v, want %q", x.rule, err, x.want)
		}
	}
}

// TestUnlessFixed checks a fix after which the rule no longer applies.
func TestUnlessFixed(t *testing.T) {
	use, fixed := ".block+user", ".block+x+user"
	d := Rule{Name: "r", Forbid: []string{".block"}, Unless: []string{"+user"}, Use: &use, Bad: []Example{{Selector: ".block+x", Fixed: &fixed}}}
	checkExamples(t, d)
}

// TestSelf checks a law: a selector occurs in itself, and its pattern finds its canonical form.
func TestSelf(t *testing.T) {
	n := 0
	for r := range lint.Rules() {
		p := r.Page()
		for _, src := range append(p.Bad, p.Good...) {
			f, _ := parser.Parse(src, parser.Options{})
			for _, s := range f.Selectors {
				text := s.Span.Text(src)
				pattern, err := parsePattern(text, false)
				if s.Bad || err != nil {
					continue
				}
				n++
				if q, _ := parser.ParseSelector(text, parser.Options{}); len(pattern.matches(q)) == 0 {
					t.Errorf("%s does not occur in itself", text)
				}
				for _, m := range pattern.matches(s.Query) {
					if !s.Contains(m.span) || m.span == (ast.Span{}) {
						t.Errorf("%s: a match at %v", text, m.span)
					}
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d selectors", n)
	}
}

// TestWrongFix checks that a finding has no fix that makes a wrong selector.
func TestWrongFix(t *testing.T) {
	nothing := ""
	r, err := Compile(Rule{Name: "a", Forbid: []string{"+old"}, Use: &nothing})
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]int{"+old": 0, ".block+old": 1} {
		found := lint.CheckSelector(t.Context(), selector, lint.Options{Rules: []*lint.Rule{r}}).Findings
		if len(found) != 1 || len(found[0].Fixes) != want {
			t.Errorf("%s: %v", selector, found)
		}
	}
}
