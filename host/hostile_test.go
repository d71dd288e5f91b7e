package host

import (
	"strings"
	"testing"
)

// TestHostile gives the hosts sources that are made to be slow. Work grows with the size of a source, so that
// these take a fraction of a second; work that grew with its square would take minutes.
func TestHostile(t *testing.T) {
	size := 1 << 17 // work that grew with the square of it would not end
	if testing.Short() {
		size = 1 << 14
	}
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for ext, parts := range map[string][]string{
		"go":   {"x.Select(", "x.Select(`a`+", "// pact\n", "/*pact*/\"\"", "x.Select[", "([{", "\"", "`", "x.Select<"},
		"py":   {"f'{", "f\"{x!r:{", "ctx.select(", "('a' ", "# pact\n", "'''", "f'''{", "\\\n", "ctx.select(x,"},
		"js":   {"`${", "<a>{", "<a b=<a ", "<a ", "/", "`${(", "{(", "}", "x.select(", "pact`", "/[", "a<b,", "<>"},
		"ts":   {"`${{", "x.select<", "/*", "((", "x.select`${"},
		"rs":   {"/*", "r#", "r#\"", "'", "b'", "x.select!(", "\"\\"},
		"java": {"\"\"\"\n", "'", "\\u", "x.<T>select(", "<", "\"\"\"\n  a\\\n"},
		"rb":   {"x.select ", "\"#{", "<<~A,", "<<~A\n", "%q(", "?", ":\"", "=begin\n", "/", "x.select <<~A\n #{", "$'", "#@"},
		"json": {"{\"selector\":", "[", "{\"a\":[", "\"\\u", "/*pact*/\"\"", "]", "{"},
		"yaml": {"- ", "a:\n", "[", "selector: a\n", "# pactkit: x\n", "? ", "- >\n", "'", "\"\\\n", "&a ", "{a: "},
		"toml": {"a.", "[", "selector=[", "{selector=", "'''", "[a.b]\n", "=", "\n\"", "a=\"\"\"\\\n"},
		"md":   {"```pact\n", "> ", "- ```pact\n", "<!-- pactkit: -->\n", "````md\n", "```pact\n.a\n```\n", "\t", "~~~go\n", "- ", "1. ", "* a\n", "  > - "},
	} {
		h := For("x." + ext)
		for _, part := range parts {
			for _, head := range []string{"# pact\n", "// pact pactkit: selector\n"} {
				src := head + repeat(part)
				f := h.Find(src, nil)
				for i := range f.Regions {
					if r := &f.Regions[i]; r.Start < 0 || r.End < r.Start || r.End > len(src) {
						t.Fatalf("%s, %q: region %v", h.Name(), part, r.Span)
					}
				}
			}
		}
	}
}

// TestHostileIndentation reads a block scalar that names its indentation and begins with very many blanks.
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
