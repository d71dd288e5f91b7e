package format

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// TestSourceBytes checks what an archive of text cannot hold: line endings, byte order marks,
// missing newlines, bytes that are not UTF-8. The style is compact.
func TestSourceBytes(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"empty":                         {"", ""},
		"blank lines only":              {"\n \n\t\r\n", ""},
		"byte order mark only":          {"\ufeff", "\ufeff"},
		"byte order mark stays":         {"\ufeff.a   .b\n", "\ufeff.a .b\n"},
		"byte order mark, blank":        {"\ufeff\n\n# c\n", "\ufeff# c\n"},
		"newline added":                 {".a", ".a\n"},
		"newline added after comment":   {"# c", "# c\n"},
		"newline added, CRLF":           {".a\r\n.b", ".a\r\n.b\r\n"},
		"newline added after error":     {".a >", ".a >\n"},
		"newlines dropped":              {".a\n\n\n", ".a\n"},
		"CRLF":                          {".a  .b\r\n\r\n\r\n# c\r\n.c\r\n", ".a .b\r\n\r\n# c\r\n.c\r\n"},
		"lone CR":                       {".a  .b\r.c\r", ".a .b\r.c\r"},
		"mixed endings":                 {".a\r\n.b\n.c\r\n", ".a\r\n.b\n.c\r\n"},
		"blank line has its own":        {".a\n\r\n.b\n", ".a\n\r\n.b\n"},
		"nearest blank line":            {".a\n\n\r\n.b\n", ".a\n\r\n.b\n"},
		"last line of many":             {".a\n  > .b\r\n", ".a > .b\r\n"},
		"comment from inside":           {".a # c\n  > .b\r\n", "# c\r\n.a > .b\r\n"},
		"skipped, with a reason":        {"# pactkit:fmt-skip: aligned\n.a   .b\n", "# pactkit:fmt-skip: aligned\n.a   .b\n"},
		"error keeps its endings":       {".a > >\r\n  > .b\n.c  .d\r\n", ".a > >\r\n  > .b\n.c .d\r\n"},
		"error keeps trailing blanks":   {".a >  \n", ".a >  \n"},
		"not UTF-8 in a selector":       {".a  {x='\xff'}\n.b   .c\n", ".a  {x='\xff'}\n.b .c\n"},
		"not UTF-8 in a comment":        {"#  \xff  \n.a   .b\n", "#  \xff\n.a .b\n"},
		"NUL":                           {".a  \x00\n.b   .c\n", ".a  \x00\n.b .c\n"},
		"unicode blanks are not blanks": {".a\u00a0\n", ".a\u00a0\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Source(test.src, Options{Style: Compact}).Text; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if err := checkLaws(test.src, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSourceUnformatted checks what is reported about selectors with an error.
func TestSourceUnformatted(t *testing.T) {
	const src = ".a\n.b > > .c # x\n.c\n   .d ]\n"
	r := Source(src, Options{Style: Compact})
	var left []string
	for _, s := range r.Unformatted {
		left = append(left, s.Text(src))
	}
	if got := strings.Join(left, "|"); got != ".b > > .c|.d ]" {
		t.Errorf("unformatted: %q", got)
	}
	if !diag.HasErrors(r.Diagnostics) {
		t.Errorf("no error among %v", r.Diagnostics)
	}
}

// TestSourceOverLimit checks that a source that is not read is not changed.
func TestSourceOverLimit(t *testing.T) {
	const src = "\n\n.a   .b\n"
	r := Source(src, Options{Limits: parser.Limits{Bytes: 4}})
	if r.Text != src || len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diag.SelectorLimit {
		t.Errorf("got %q, %v", r.Text, r.Diagnostics)
	}
}

func TestSelector(t *testing.T) {
	for src, want := range map[string]string{
		".a   .b":              ".a .b",
		"\n  .a\n  > .b\n":     ".a > .b",
		".a > > .b":            ".a > > .b",
		".a   .b # comment":    ".a   .b # comment",
		".a   .b ##":           ".a   .b ##",
		".a #\n .b":            ".a #\n .b",
		".a   #b":              ".a #b",
		`.a   {x="# \" # y"}`:  `.a{x='# " # y'}`,
		".a   [age<2]":         ".a   [age<2]",
		"":                     "",
		"@t-1 .a, @t-1 .b @x ": "@t-1 .a, .b @x",
	} {
		r := Source(src, Options{Style: Compact, Form: Selector})
		if r.Text != want {
			t.Errorf("%q: got %q, want %q; %v", src, r.Text, want, r.Diagnostics)
		}
	}
}

// TestVerify checks that every kind of damage is detected.
func TestVerify(t *testing.T) {
	const src = "# one\n.a   .b\n\n.c # two\n.d >\n"
	const formatted = "# one\n.a .b\n\n.c # two\n.d >\n"
	o := Options{Style: Compact}
	if err := Verify(src, formatted, o); err != nil {
		t.Fatal(err)
	}
	for name, after := range map[string]string{
		"other selector":     "# one\n.a > .b\n\n.c # two\n.d >\n",
		"lost comment":       ".a .b\n\n.c # two\n.d >\n",
		"other comment":      "# One\n.a .b\n\n.c # two\n.d >\n",
		"moved comment":      ".a .b\n# one\n\n.c # two\n.d >\n",
		"lost suffix":        "# one\n.a .b\n\n.c\n.d >\n",
		"lost blank line":    "# one\n.a .b\n.c # two\n.d >\n",
		"new blank line":     "# one\n\n.a .b\n\n.c # two\n.d >\n",
		"lost selector":      "# one\n.a .b\n\n.d >\n",
		"lost last":          "# one\n.a .b\n\n.c # two\n",
		"one more":           formatted + ".e\n",
		"changed bad":        "# one\n.a .b\n\n.c # two\n.d > \n",
		"not formatted":      "# one\n.a  .b\n\n.c # two\n.d >\n",
		"other style":        "# one\n@t0 (*[nodeType='a'] *[nodeType='b'])\n\n.c # two\n.d >\n",
		"selector went bad":  "# one\n.a .b\n\n.c > # two\n.d >\n",
		"without final line": strings.TrimSuffix(formatted, "\n"),
	} {
		if Verify(src, after, o) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestVerifyOverLimit checks that no file is replaced by a text that could not be read.
func TestVerifyOverLimit(t *testing.T) {
	const src = ".a > .b > .c\n"
	o := Options{Limits: parser.Limits{Bytes: len(src)}}
	if Verify(src, Source(src, Options{}).Text, o) == nil || Verify(src+src, src, o) == nil {
		t.Error("a text over the limit passes")
	}
}

// TestSourceGrowsOverLimit checks that formatting makes no text that could not be read again.
func TestSourceGrowsOverLimit(t *testing.T) {
	const src = ".a > .b > .c\n.a\n"
	o := Options{Limits: parser.Limits{Bytes: len("@t0 (*[nodeType='a'] > *[nodeType='b'] > *[nodeType='c'])")}}
	r := Source(src, o)
	at := ast.Span{Start: len(src), End: len(src)}
	if r.Text != src || len(r.Diagnostics) > 0 || len(r.Overflow) != 1 || r.Overflow[0].Code != diag.SelectorLimit || r.Overflow[0].Span != at {
		t.Errorf("got %q, %v", r.Text, r)
	}
}

// TestOverflow checks that a selector whose formatted text would be over a limit keeps its bytes
// and is reported at its position, and that the others are formatted.
func TestOverflow(t *testing.T) {
	for name, test := range map[string]struct {
		selector, message string
		limits            parser.Limits
	}{
		"tokens":     {strings.Repeat(".a  ", 3999) + ".a", "too many words; the limit Tokens is 10000", parser.Limits{}},
		"few tokens": {".a", "too many words; the limit Tokens is 8", parser.Limits{Tokens: 8}},
		"nesting":    {".a", "nested too deep; the limit Nesting is 1", parser.Limits{Nesting: 1}},
		"bytes":      {strings.Repeat(".a  ", 99) + ".a", "has 1605 bytes; the limit Bytes is 1000", parser.Limits{Bytes: 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Limits: test.limits}
			check := func(r Result, at int, want string) {
				t.Helper()
				if r.Text != want {
					t.Errorf("the text became %.100q", r.Text)
				}
				if len(r.Diagnostics) > 0 || len(r.Unformatted) > 0 || len(r.Overflow) != 1 {
					t.Fatalf("found: %v, %v, %v", r.Diagnostics, r.Unformatted, r.Overflow)
				}
				d := r.Overflow[0]
				if d.Code != diag.SelectorLimit || d.Severity != diag.Error || d.Span != (ast.Span{Start: at, End: at}) || !strings.HasSuffix(d.Message, test.message) {
					t.Errorf("got %v", d)
				}
			}
			src, want := "*\n  "+test.selector+"  # x\n *\n", "@t0 (*)\n  "+test.selector+"  # x\n@t0 (*)\n"
			check(Source(src, o), 4, want)
			check(Source(want, o), 10, want)
			if err := Verify(src, want, o); err != nil {
				t.Error(err)
			}
			one := o
			one.Form = Selector
			check(Source(" "+test.selector, one), 1, " "+test.selector)
			if kept := "# pactkit:fmt-skip\n" + test.selector + "\n"; len(Source(kept, o).Overflow) > 0 {
				t.Error("what is not to be formatted is reported")
			}
			o.Style = Compact
			if r := Source(src, o); len(r.Overflow) > 0 || !strings.HasPrefix(r.Text, "*\n.a") {
				t.Errorf("compact: %.100q, %v", r.Text, r.Overflow)
			}
		})
	}
	position := "( " + strings.Repeat(".a ", 3000) + ", end)"
	r := Source(position, Options{Form: Position})
	if r.Text != position || len(r.Diagnostics) > 0 || len(r.Overflow) != 1 || r.Overflow[0].Span.Start != 2 {
		t.Errorf("position: %v", r.Overflow)
	}
}

func TestPosition(t *testing.T) {
	for _, test := range []struct{ src, canonical, compact string }{
		{"(d0, )", "(d0, )", "(d0, )"},
		{"( d0 ,0,end )", "(d0,0, end)", "(d0,0, end)"},
		{"(d1..d1, 0, -1, +01)", "(d1,0,-1, +1)", "(d1,0,-1, +1)"},
		{"(d1..d3, -2)?", "(d1..d3, -2) ?", "(d1..d3, -2) ?"},
		{"(d-1, end) ?", "(d-1, end) ?", "(d-1, end) ?"},
		{"(d0, seg, cont[offset=0], )", "(d0,0, )", "(d0,0, )"},
		{"(d1:last:first, end)", "(d1:last:first, end)", "(d1:last:first, end)"},
		{"(d1[ttl=1]+b+a, end)", "(d1+a+b[ttl=1], end)", "(d1+a+b[ttl=1], end)"},
		{"(d1{key=k}, end)", "(d1{key='k'}, end)", "(d1#k, end)"},
		{"(^ah > .cont, end)", "(d0 > *[nodeType='cont'], end)", "(d0 > .cont, end)"},
		{"(d0, 0:cont, end)", "(d0 > *[nodeType='cont'][offset=0], end)", "(d0 > .cont[offset=0], end)"},
		{"(#plan, +1)?", "(*{key='plan'}, +1) ?", "(#plan, +1) ?"},
		{"((d1,0) > .x, )", "((d1,0) > *[nodeType='x'], )", "((d1,0) > .x, )"},
	} {
		for style, want := range map[Style]string{Canonical: test.canonical, Compact: test.compact} {
			p, ds := parser.ParsePosition(test.src, parser.Options{})
			if p == nil {
				t.Errorf("%q: %v", test.src, ds)
				continue
			}
			before := ast.Dump(p)
			got := Node(p, Options{Style: style})
			if got != want {
				t.Errorf("%v of %q: got %q, want %q", style, test.src, got, want)
			}
			if ast.Dump(p) != before {
				t.Errorf("%q: formatting changed the tree", test.src)
			}
			again, ds := parser.ParsePosition(got, parser.Options{})
			if again == nil || len(ds) > 0 {
				t.Errorf("%q does not parse: %v", got, ds)
			} else if twice := Node(again, Options{Style: style}); twice != got {
				t.Errorf("%q becomes %q", got, twice)
			}
		}
	}
}
