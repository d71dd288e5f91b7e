package host

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/languages"
)

// TestHostile gives the hosts sources that are designed to be slow. The work is linear in the size
// of a source, so these take a fraction of a second; quadratic work would take minutes.
func TestHostile(t *testing.T) {
	size := 1 << 17 // quadratic work would take minutes
	if testing.Short() {
		size = 1 << 14
	}
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, l := range languages.All {
		h := For("x" + l.Variants[0].Extensions[0])
		for _, part := range l.Hostile {
			for _, head := range []string{"# pact\n", "// pact pactkit: selector\n"} {
				src := head + repeat(part)
				f := h.Find(src, typedMarkers())
				for i := range f.Regions {
					if r := &f.Regions[i]; r.Start < 0 || r.End < r.Start || r.End > len(src) {
						t.Fatalf("%s, %q: region %v", h.Name(), part, r.Span)
					}
				}
			}
		}
	}
}

// TestDeepParentheses reads strings in more nested parentheses than the stack has room for.
func TestDeepParentheses(t *testing.T) {
	// A file of 100 MB would exhaust the default stack in the same way.
	defer debug.SetMaxStack(debug.SetMaxStack(8 << 20))
	h := For("x.py")
	for depth, want := range map[int]int{1: 1, maxHoles: 1, 1 << 20: 0} {
		src := "import pactsel\npactsel.grep" + strings.Repeat("(", depth) + "'.block'" + strings.Repeat(")", depth) + "\n"
		if n := len(h.Find(src, nil).Regions); n != want {
			t.Errorf("%d parentheses: %d regions, not %d", depth, n, want)
		}
	}
}

// TestHostileOnce reads sources that are slow because of how they begin or end. Quadratic work
// would take minutes.
func TestHostileOnce(t *testing.T) {
	size := 1 << 19
	if testing.Short() {
		size = 1 << 13
	}
	for name, c := range map[string]struct{ ext, src string }{
		"nested comments": {"rs", "// pact\n" + strings.Repeat("/* ", size) + strings.Repeat("*/", size) + "\n// pact\n\".a\"\n"},
		"holes in lines":  {"rb", "# pact\n<<~A\n" + strings.Repeat("#{a}\n", size/4) + "A\n"},
	} {
		if f := For("x."+c.ext).Find(c.src, nil); len(f.Regions) != 1 || f.Broken() {
			t.Errorf("%s: %d regions, %v", name, len(f.Regions), f.Diagnostics)
		}
	}
}

// TestHostileIndentation reads a block scalar with an explicit indentation that begins with very
// many blanks.
func TestHostileIndentation(t *testing.T) {
	size := 1 << 19
	if testing.Short() {
		size = 1 << 15
	}
	blanks := strings.Repeat(" ", size)
	f := For("x.yaml").Find("# pact\nselector: |1\n"+blanks+".a\n", nil)
	if len(f.Regions) != 1 || f.Regions[0].Text != blanks[1:]+".a\n" {
		t.Errorf("found are %d regions", len(f.Regions))
	}
}

// TestEditsCost counts the bytes that are read again for individual edits of one literal: twice the
// edits in a literal of twice the length cost twice as much.
func TestEditsCost(t *testing.T) {
	for name, c := range map[string]struct{ file, before, after string }{
		"Go":                 {"x.go", "package pact\n\nvar _ = x.Select(c, \"^seq\\x20", "\")\n"},
		"Python":             {"x.py", "import pact\nctx.select('''^seq\\x20", "''')\n"},
		"JSON":               {"x.json", "{\"pact\": 1, \"selector\": \"^seq\\u0020", "\"}\n"},
		"YAML, two quotes":   {"x.yaml", "# pact\nselector: \"^seq\\x20", "\"\n"},
		"YAML, one quote":    {"x.yaml", "# pact\nselector: '^seq ", "'\n"},
		"YAML, plain":        {"x.yaml", "# pact\nselector: ^seq ", ".a\n"},
		"document with code": {"x.md", "PACT\n\n```go\n// pact\nvar _ = x.Select(c, \"^seq\\x20", "\")\n```\n"},
	} {
		cost := func(steps int) int {
			src := c.before + strings.Repeat(".mt ", steps) + c.after
			f := For(c.file).Find(src, nil)
			if len(f.Regions) != 1 || f.Regions[0].Kind != Editable {
				t.Fatalf("%s: %v, %v", name, f.Regions, f.Diagnostics)
			}
			r, n := &f.Regions[0], 0
			if reread := r.reread; reread != nil {
				r.reread = func(literal string) (string, bool) {
					n += len(literal)
					return reread(literal)
				}
			}
			first := strings.Index(r.Text, ".mt")
			for i := range steps {
				at := first + 4*i
				edits, err := r.Edits([]diag.Edit{{Span: ast.Span{Start: at, End: at + 3}, Text: ".seg"}})
				if err != nil || len(edits) != 1 || edits[0].Span.Text(src) != ".mt" || edits[0].Text != ".seg" {
					t.Fatalf("%s: %v, %v", name, edits, err)
				}
			}
			return n
		}
		if some, twice := cost(1000), cost(2000); some == 0 || twice > 2*some+some/10 {
			t.Errorf("%s: 1000 edits read %d bytes, 2000 edits %d", name, some, twice)
		}
	}
}

// TestCheckPart checks that what reading a part of a literal proves is confirmed by reading all of
// it, even for text that no writer would produce.
func TestCheckPart(t *testing.T) {
	words := strings.Repeat("seg block.summary ", 4)
	inner := words + "(a (b) c) { d } $ # e, f: g [h] " + words
	proved := 0
	for file, literals := range map[string][]string{
		"x.go":   {"\"" + inner + "\\x2e\\056" + words + "\"", "`" + inner + "\"'" + words + "`"},
		"x.py":   {"'" + inner + "\\x2e\\56\"" + words + "'", "'''" + inner + "'\"\n" + words + "'''", "r'" + inner + "'"},
		"x.js":   {"'" + inner + "\\x2e\\u{2e}\"" + words + "'", "`" + inner + "'\"" + words + "`"},
		"x.rs":   {"\"" + inner + "\\u{2e}\\\n  " + words + "\"", "r#\"" + inner + "\"'" + words + "\"#"},
		"x.java": {"\"" + inner + "\\u002e\\56" + words + "\""},
		"x.rb":   {"'" + inner + "\\'" + words + "'", "\"" + inner + "\\x2e'" + words + "\"", "%q(" + inner + words + ")", "%(" + inner + words + ")"},
		"x.json": {"\"" + inner + "\\u002e" + words + "\""},
		"x.toml": {"\"" + inner + "\\u002e" + words + "\"", "'" + inner + "\"" + words + "'"},
		"x.yaml": {
			"\"" + inner + "\\x2e\n    " + words + "\"", "'" + inner + "''\n\n    " + words + "'",
			words + "a:b c#d " + words + "\n    " + words + "e", "[\"" + inner + "\", '" + inner + "', " + words + "e]",
		},
	} {
		for _, l := range literals {
			var src string
			switch {
			case strings.HasSuffix(file, "yaml") && l[0] == '[':
				src = "# pact\nselectors: " + l + "\n"
			case strings.HasSuffix(file, "yaml"):
				src = "# pact\nselector: " + l + "\n"
			case strings.HasSuffix(file, "json"):
				src = "{\"pact\": 1, \"selector\": " + l + "}\n"
			case strings.HasSuffix(file, "toml"):
				src = "# pact\nselector = " + l + "\n"
			case strings.HasSuffix(file, "go"):
				src = "package pact\nvar _ = x.Select(c, " + l + ")\n"
			default:
				src = "import pact # import pact\n/* pact */\nctx.select(" + l + ")\n"
			}
			f := For(file).Find(src, typedMarkers())
			if len(f.Regions) == 0 {
				t.Errorf("%s: %q is not found: %v", file, l, f.Diagnostics)
			}
			for i := range f.Regions {
				r := &f.Regions[i]
				if r.Kind != Editable || r.reread == nil {
					t.Errorf("%s: %q cannot be edited: %s", file, l, r.Fixed)
					continue
				}
				for at := 0; at+2 <= len(r.Text); at += 3 {
					for _, nasty := range []string{"", "x", "'", "\"", "`", "\\", "(", ")", "{", "}", "${", "#{", "#", " #", ": ", ", ", "]", "\n", "''", "7"} {
						for size := range 2 {
							inText := []diag.Edit{{Span: ast.Span{Start: at, End: at + size}, Text: nasty}}
							spelled := []diag.Edit{{Span: r.pieces.span(inText[0].Span), Text: nasty}}
							if !r.checkPart(spelled, inText) {
								continue
							}
							proved++
							want, _ := diag.Apply(r.Text, inText)
							if again, err := r.check(spelled, want); err != nil || !slices.Equal(again, spelled) {
								t.Fatalf("%s: %q is proved in %q at %d, which is %q: %v, %v", file, nasty, l, at, r.Text[at:at+size], again, err)
							}
						}
					}
				}
			}
		}
	}
	if proved == 0 {
		t.Error("nothing was proved")
	}
}
