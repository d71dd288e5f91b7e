package host

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/languages"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// seen is all that a caller can see of a region.
type seen struct {
	Span  ast.Span
	Text  string
	Form  Form
	Kind  Kind
	Fixed string
	Hosts []ast.Span // the offset of each byte of the text
	Edit  string     // the file with a new text
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

// compare compares what a Finder finds in a version with what its host finds.
func compare(t *testing.T, f *Finder, h Host, src string, m *Markers) {
	t.Helper()
	whole, found, comments := look(src, h.Find(src, m))
	parts, foundParts, commentsParts := look(src, f.Find(h, src, m))
	if d := cmp.Diff(whole, parts) + cmp.Diff(found, foundParts) + cmp.Diff(comments, commentsParts); d != "" {
		t.Fatalf("%q\n(-host +finder):\n%s", src, d)
	}
}

// snippets change the meaning of the tokens after them, or of the selectors of a program.
var snippets = []string{
	"", "", "", "x", " ", "\n", "\n\n", "\n\nx", "\r\n\r\nvar", "`", "\"", "'", "\"\"\"", "{", "}", "(", ")", "[", "]", "/*", "*/", "//", "#", "\\",
	"${", "<a>", "/", "+", ".", "// pact\n", "# pact\n", "/* pact */ \"^sys\"", "// pactkit:ignore all -- x\n", "\nimport pact\n",
	"\nimport \"pactkit\"\n", "\npackage pact\n", "\n\nfunc f() {\n\tctx.Select(ctx, \".a\")\n}\n", "\n\ndef f():\n    ctx.select('.b')\n",
	"\n\n// doc\nfunc g() {}\n", "\n\n// pact\n+ \"^sys\"\n", "\n\n/* a\n\nb */\nvar y\n", "\n\n# doc\n@x\ndef g(): pass\n", "\n\n",
	"{\n\n", "}\n\n", "{", "[", "{\n\n  x", ",", ", \"selector\": \"^sys\",", "\"selectors\": [\n \".a\",\n \"^ah\"],\n", "// pact\n[1, 2, \"^sys\"],", "\\u0041",
	"<<~A\n", "\nA\n", "\n\n  def g\n    ctx.select '^sys'\n  end\n", "__END__", "\n\n```pact\n.a\n", "```\n\n", "\n~~~\n", "<!-- pactkit:ignore all -- y -->\n", "<!--\n\n", "-->", "\n> ", "<pre>\n", "</pre>\n\n", "````md\n", "\n\n## H\n\n", "\n\n```go\n// pact\nvar x = \".q\"\n```\n\n", "```py\nimport pact\n```\n\n", "\n---\n", "\n...\n", "\n- ", "  ", "\n  - selector: .b\n", "&x ", "*x", ": ", "\n    k: |\n", "\n? a\n: b\n", "\nk: >-\n  a\n\n  b: c\n", "\n%YAML 1.1\n", "\n[a.b]\nselector = '^sys'\n", "\n# pact\nx = \"^ah\"\n", "\n[[a]]\n", "selectors = [\n'^sys',\n\n'.a' ]\n", "a = {\nb = 1\n", "a.\n", "'''", "=begin\n", "\n\n  @A(\"x\")\n  void f() {\n    ctx.select(\"^ah\");\n\n    g();\n  }\n",
	"\n\nfunction f() { ctx.select(`.c`) }\n", "pact`.d > .e`", "\ufeff", "func", "r#\"", "\"#",
}

// TestFinder edits programs at random offsets, and compares what is found in segments with what the
// hosts find.
func TestFinder(t *testing.T) {
	sources := map[string][]string{}
	for c := range testkit.Load(t, "../testdata/host/*.txtar") {
		ext := filepath.Ext(c.In.Name)
		sources[ext] = append(sources[ext], unescape(c.Source()))
	}
	rounds := 25
	if testing.Short() {
		rounds = 10
	}
	for _, l := range languages.All {
		ext := l.Variants[0].Extensions[0]
		if l.Joint == "" {
			continue
		}
		t.Run(ext, func(t *testing.T) {
			t.Parallel()
			h, random := For("x"+ext), rand.New(rand.NewPCG(1, uint64(len(ext))))
			read, parts := 0, 0
			for range rounds {
				list := sources[ext]
				var b strings.Builder
				for range 1 + random.IntN(4) {
					fmt.Fprintf(&b, l.Joint, list[random.IntN(len(list))], random.IntN(9))
				}
				src := b.String()
				f := &Finder{size: 1 + random.IntN(60)}
				m := defaultMarkers()
				if random.IntN(4) == 0 {
					m = m.everywhere()
				}
				for range 12 {
					compare(t, f, h, src, m)
					if read++; len(f.segments) > 1 {
						parts++
					}
					from := random.IntN(len(src) + 1)
					to := min(len(src), from+random.IntN(8)*random.IntN(8))
					src = src[:from] + snippets[random.IntN(len(snippets))] + src[to:]
				}
			}
			if parts < read/4 {
				t.Errorf("%d of %d versions had segments", parts, read)
			}
		})
	}
}

// TestYAMLWhole compares the values that are found in segments with those that the library finds in
// whole documents.
func TestYAMLWhole(t *testing.T) {
	var sources []string
	for c := range testkit.Load(t, "../testdata/host/*.txtar") {
		if filepath.Ext(c.In.Name) == ".yaml" {
			sources = append(sources, unescape(c.Source()))
		}
	}
	random := rand.New(rand.NewPCG(2, 2))
	m := defaultMarkers().everywhere()
	parts := 0
	for range 600 {
		var b strings.Builder
		for range 1 + random.IntN(3) {
			fmt.Fprintf(&b, yamlFile.Joint, sources[random.IntN(len(sources))], random.IntN(9))
		}
		src := b.String()
		for range random.IntN(3) {
			from := random.IntN(len(src) + 1)
			src = src[:from] + snippets[random.IntN(len(snippets))] + src[from:]
		}
		whole := &yamlDoc{src: src, markers: m, lines: yamlLines(src)}
		if _, ok := whole.read(ast.Span{End: len(src)}); !ok {
			continue
		}
		lines, _ := commentedLines(src, whole.lines, m, "")
		var want []string
		for _, s := range whole.scalars {
			line := whole.line(s.start)
			if !s.key && s.node.ShortTag() == "!!str" {
				if r := s.region(src); (s.match || lines[line] != "") && (r.Len() > 0 || r.Text == "") {
					want = append(want, fmt.Sprintf("%v %q", r.Span, r.Text))
				}
				delete(lines, line)
			}
		}
		f := &Finder{size: 1 + random.IntN(80)}
		found := f.Find(yamlHost{}, src, m)
		var got []string
		for _, r := range found.Regions {
			got = append(got, fmt.Sprintf("%v %q", r.Span, r.Text))
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" || len(found.Diagnostics) > 0 {
			t.Fatalf("%q: %v\n(-library +segments):\n%s", src, found.Diagnostics, d)
		}
		if len(f.segments) > 1 {
			parts++
		}
	}
	if parts < 50 {
		t.Errorf("%d documents were read in parts", parts)
	}
}

// FuzzFinder edits a source once, at an offset, and compares what is found in the new version with
// what the host finds.
func FuzzFinder(f *testing.F) {
	embedding := slices.DeleteFunc(All(), func(h Host) bool { return !h.Embeds() })
	for i, h := range embedding {
		f.Add(uint8(i), uint16(20), uint16(1), uint16(2), "pact: x\nselector: ^sys\n\nfunc f() { ctx.select(\"^ah\") }\n", "{\n\n"+h.Extensions()[0])
	}
	f.Fuzz(func(t *testing.T, which uint8, size, at, length uint16, src, text string) {
		h := embedding[int(which)%len(embedding)]
		finder := &Finder{size: 1 + int(size)%300}
		m := defaultMarkers().everywhere()
		compare(t, finder, h, src, m)
		from := int(at) % (len(src) + 1)
		to := min(len(src), from+int(length)%40)
		compare(t, finder, h, src[:from]+text+src[to:], m)
	})
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
