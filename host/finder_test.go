package host

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/testkit"
)

// seen is all that a caller can see of a region.
type seen struct {
	Span  ast.Span
	Text  string
	Form  Form
	Kind  Kind
	Fixed string
	Hosts []ast.Span // where each byte of the text stands
	Edit  string     // what a new text makes of the file
}

func look(src string, f File) (regions []seen, found []diag.Diagnostic, comments []ast.Span) {
	for i := range f.Regions {
		r := &f.Regions[i]
		s := seen{Span: r.Span, Text: r.Text, Form: r.Form, Kind: r.Kind, Fixed: r.Fixed}
		for at := range len(r.Text) {
			s.Hosts = append(s.Hosts, r.Host(ast.Span{Start: at, End: at + 1}))
		}
		if edits, err := r.Replace("^sys 'x' \"y\""); err != nil {
			s.Edit = err.Error()
		} else {
			s.Edit, _ = diag.Apply(src, edits)
		}
		regions = append(regions, s)
	}
	return regions, f.Diagnostics, f.Comments
}

// compare holds a version that a Finder reads against what its host finds.
func compare(t *testing.T, f *Finder, h Host, src string, m *Markers) {
	t.Helper()
	whole, found, comments := look(src, h.Find(src, m))
	parts, foundParts, commentsParts := look(src, f.Find(h, src, m))
	if d := cmp.Diff(whole, parts) + cmp.Diff(found, foundParts) + cmp.Diff(comments, commentsParts); d != "" {
		t.Fatalf("%s\n(-host +finder):\n%s", src, d)
	}
}

// snippets change what the tokens after them mean, or what the selectors of a program mean.
var snippets = []string{
	"", "", "", "x", " ", "\n", "\n\n", "\n\nx", "\r\n\r\nvar", "`", "\"", "'", "\"\"\"", "{", "}", "(", ")", "[", "]", "/*", "*/", "//", "#", "\\",
	"${", "<a>", "/", "+", ".", "// pact\n", "# pact\n", "/* pact */ \"^sys\"", "// pactkit:ignore all -- x\n", "\nimport pact\n",
	"\nimport \"pactkit\"\n", "\npackage pact\n", "\n\nfunc f() {\n\tctx.Select(ctx, \".a\")\n}\n", "\n\ndef f():\n    ctx.select('.b')\n",
	"\n\n// doc\nfunc g() {}\n", "\n\n// pact\n+ \"^sys\"\n", "\n\n/* a\n\nb */\nvar y\n", "\n\n# doc\n@x\ndef g(): pass\n", "\n\n",
	"\n\nfunction f() { ctx.select(`.c`) }\n", "pact`.d > .e`", "\ufeff", "func", "r#\"", "\"#",
}

// TestFinder edits programs at random offsets: what is found in them in parts is what their hosts find.
func TestFinder(t *testing.T) {
	sources := map[string][]string{}
	for c := range testkit.Load(t, "../testdata/host/*.txtar") {
		ext := filepath.Ext(c.In.Name)
		sources[ext] = append(sources[ext], unescape(c.Source()))
	}
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	for _, ext := range []string{".go", ".py", ".ts", ".js", ".rs"} {
		t.Run(ext, func(t *testing.T) {
			t.Parallel()
			h, random := For("x"+ext), rand.New(rand.NewPCG(1, uint64(len(ext))))
			read, segments := 0, 0
			for range rounds {
				list := sources[ext]
				var b strings.Builder
				for range 1 + random.IntN(4) {
					fmt.Fprintf(&b, "%s\n\nvar x%d\n\n", list[random.IntN(len(list))], random.IntN(9))
				}
				src := b.String()
				f := &Finder{size: 1 + random.IntN(60)}
				m := defaultMarkers()
				if random.IntN(4) == 0 {
					m = m.everywhere()
				}
				for range 12 {
					compare(t, f, h, src, m)
					read, segments = read+1, segments+len(f.segments)
					from := random.IntN(len(src) + 1)
					to := min(len(src), from+random.IntN(8)*random.IntN(8))
					src = src[:from] + snippets[random.IntN(len(snippets))] + src[to:]
				}
			}
			if segments < read {
				t.Errorf("%d versions had %d segments: nothing was read in parts", read, segments)
			}
		})
	}
}

// TestFinderReadsParts counts what an edit of a large program costs.
func TestFinderReadsParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("package x\n\nimport \"github.com/pactkit/pactkit\"\n\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "func f%d() {\n\t_ = t.Select(ctx, \"^sys .x%d\")\n}\n\n", i, i)
	}
	src := b.String()
	var f Finder
	first := f.Find(goLanguage, src, nil)
	kept := map[*Region]bool{}
	for i := range f.segments {
		for k := range f.segments[i].file.Regions {
			kept[&f.segments[i].file.Regions[k]] = true
		}
	}
	at := len(src) / 2
	again := f.Find(goLanguage, src[:at]+"x"+src[at:], nil)
	read := 0
	for i := range f.segments {
		for k := range f.segments[i].file.Regions {
			if !kept[&f.segments[i].file.Regions[k]] {
				read++
			}
		}
	}
	if len(first.Regions) != 2000 || len(again.Regions) < 1999 || read > 200 {
		t.Errorf("%d regions, then %d, of which %d were read again", len(first.Regions), len(again.Regions), read)
	}
}
