package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines returns a document of 2,000 lines, each made from a format and a number, whose lines are
// edited one after the other.
func lines(uri, language, format string, character int) document {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, format, i%50, i%9+1)
	}
	return document{uri, language, b.String(), func(i int) int { return i * 37 % 2000 }, character}
}

// selectors returns a file of 2,000 selectors, 80 KB, without problems.
func selectors() document {
	return lines("file:///bench/a.pactsel", "pact-selector", "^seq .seg > .block+x%02d[ttl<=%d]{kind='user'}\n", 12)
}

// style returns a style sheet of 2,000 rules, 80 KB, without problems.
func style() document {
	return lines("file:///bench/a.css", "css", "div > .seg .block-x%02d { margin: %dpx; }\n", 8)
}

// uglySelectors returns a file of 2,000 selectors with 4,544 diagnostics, and a folder with two
// fixtures for it.
func uglySelectors(b *testing.B) (folder string, d document) {
	folder = b.TempDir()
	write(b, folder, ".pactkit.toml", "fixtures = [\"f0.json\", \"f1.json\"]\n")
	for f := range 2 {
		var nodes []string
		for i := range 400 {
			nodes = append(nodes, fmt.Sprintf(`{"id":"s%d","children":[{"id":"c%d","nodeType":"cont","children":[{"id":"b%d","nodeType":"block","tag":["t%d"]}]}]}`, i, i, i, i%9))
		}
		write(b, folder, fmt.Sprintf("f%d.json", f), `{"root":{"nodeType":"^root","children":[{"nodeType":"^sys"},{"nodeType":"^seq","children":[`+
			strings.Join(nodes, ",")+`]},{"nodeType":"^ah"}]}}`)
	}
	return folder, lines("file://"+folder+"/a.pactsel", "pact-selector", "^seq .mt > .cb+tag%02d[ttl<=%d] .x{kind='x'}\n", 12)
}

// uglyStyle returns a style sheet of 2,000 rules with two or more diagnostics each.
func uglyStyle() document {
	return lines("file:///bench/a.css", "css", "div > .seg .x%02d { margn: %dpx; colr: red; }\n", 8)
}

// program returns a Go program of 5,000 lines with 200 selectors, and its folder, which is a
// separate module.
func program(b *testing.B) (folder string, d document) {
	folder = b.TempDir()
	write(b, folder, "go.mod", "module example.org/pact\n\ngo 1.26\n")
	var t strings.Builder
	t.WriteString("package pact\n\nimport \"fmt\"\n\ntype tree struct{}\n\nfunc (tree) Select(selector string) int { return len(selector) }\n\n")
	for i := range 200 {
		fmt.Fprintf(&t, "// f%d selects, and adds up.\nfunc f%d(t tree, n int) int {\n\tsum := t.Select(\"^seq .seg > .block+user[ttl<=%d]\")\n", i, i, i%9)
		for k := range 18 {
			fmt.Fprintf(&t, "\tsum += n*%d + len(fmt.Sprint(\"a text of some length\", sum, n))\n", k)
		}
		t.WriteString("\n\treturn sum\n}\n\n")
	}
	write(b, folder, "a.go", t.String())
	// Edits only lengthen a number in an addition, which changes no type or name.
	return folder, document{"file://" + folder + "/a.go", "go", t.String(), func(i int) int { return 13 + i*37%190*24 }, 11}
}

func write(b *testing.B, folder, name, text string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// largeFiles describes a file of each kind. It begins with head and repeats part, which has 24
// lines and one selector, up to 9.9 MB. From part 201 on, unmarked replaces marked, so that nothing
// marks the string as a selector. Edits insert text at column character of line 14 of a part.
var largeFiles = map[string]struct {
	name, head, part, marked, unmarked string
	character                          int
}{
	"java": {"A.java", "package pact;\n\nclass A {\n", "  // f selects, and adds up.\n  int f(Context ctx, int n) {\n    int sum = ctx.select(\"^seq > .block\");\n" +
		strings.Repeat("    sum += n * 17 + \"a text of some length\".length();\n", 18) + "    return sum;\n  }\n\n", "ctx.select(", "ctx.choose(", 15},
	"ruby": {"a.rb", "require \"pact\"\n\nclass A\n", "  # f selects, and adds up.\n  def f(ctx, n)\n    sum = ctx.select(\"^seq > .block\")\n" +
		strings.Repeat("    sum += n * 17 + \"a text of some length\".size\n", 18) + "    sum\n  end\n\n", "ctx.select(", "ctx.choose(", 15},
	"json": {"a.json", "{\n  \"pact\": 1,\n  \"list\": [\n", "    {\n      \"selector\": \"^seq > .block\",\n" + strings.Repeat("      \"name\": \"a text of some length\",\n", 20) +
		"      \"last\": 1\n    },\n", "\"selector\"", "\"selected\"", 18},
	"yaml":     {"a.yaml", "pact: 1\nlist:\n", "  - selector: ^seq > .block\n" + strings.Repeat("    name: a text of some length\n", 23), "selector:", "selected:", 12},
	"toml":     {"a.toml", "pact = 1\n\n", "[[list]]\nselector = \"^seq > .block\"\n" + strings.Repeat("name = \"a text of some length\"\n", 21) + "\n", "selector", "selected", 12},
	"markdown": {"a.md", "# PACT\n\n", "## A chapter\n\n```pact\n^seq > .block\n```\n\n" + strings.Repeat("A line of text of some length, in a paragraph.\n", 17) + "\n", "```pact", "```text", 12},
}

// large returns a file of 9.9 MB with 200 selectors, and its folder.
func large(b *testing.B, kind string) (folder string, d document) {
	const lines = 24
	if kind == "go" {
		folder, d = program(b)
		filler := d.text[strings.Index(d.text, "// f0 "):]
		filler = strings.ReplaceAll(filler, "t.Select(", "t.Choose(")
		d.text += strings.Repeat(filler, (largeFile-len(d.text))/len(filler))
	} else {
		f := largeFiles[kind]
		folder = b.TempDir()
		text := f.head + strings.Repeat(f.part, 200)
		text += strings.Repeat(strings.ReplaceAll(f.part, f.marked, f.unmarked), (largeFile-len(text))/len(f.part))
		d = document{"file://" + filepath.Join(folder, f.name), kind, text, nil, f.character}
	}
	count := strings.Count(d.text, "\n")
	d.line = func(i int) int { return 13 + i*37%(count/lines-10)*lines }
	return folder, d
}

// workspace writes n files, of which one in five contains selectors, and returns their folder.
func workspace(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		name, text := fmt.Sprintf("f%d.go", i), "package x\n\nfunc f() string { return \"nothing\" }\n"
		switch i % 10 {
		case 0:
			name, text = fmt.Sprintf("f%d.pactsel", i), ".cb+user\n^seq .seg\n"
		case 1:
			text = "package x\n\nimport \"github.com/pactkit/pactkit\"\n\nfunc f(ctx *pactkit.Tree) { ctx.Select(nil, \".cb+user\") }\n"
		}
		folder := filepath.Join(dir, fmt.Sprint(i/100))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		write(b, folder, name, text)
	}
	return dir
}
