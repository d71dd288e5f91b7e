package host

import (
	"os"
	"strings"
	"testing"
)

// TestTreeSitterQueries compares the injections of editors/tree-sitter-pactsel with the default
// markers. Those of programs name every call, comment and tag, those of data files every key, and
// that of Markdown the languages of code blocks.
func TestTreeSitterQueries(t *testing.T) {
	read := func(language string) string {
		data, err := os.ReadFile("../editors/tree-sitter-pactsel/queries/" + language + "/injections.scm")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	names := func(language string, words ...string) {
		for _, word := range words {
			if !strings.Contains(read(language), `"`+word+`"`) {
				t.Errorf("the query of %s does not name %q", language, word)
			}
		}
	}
	p := DefaultPatterns()
	for _, language := range []string{"go", "python", "javascript", "typescript", "tsx", "rust", "java", "ruby"} {
		for name := range defaultMarkers().calls {
			names(language, name)
		}
		for _, words := range p.Comments {
			if !strings.Contains(read(language), `(language[=])?`+strings.TrimPrefix(words, "language=")) {
				t.Errorf("the query of %s does not know the comment %q", language, words)
			}
		}
	}
	for _, language := range []string{"javascript", "typescript", "tsx"} {
		names(language, p.Tags...)
	}
	for _, language := range []string{"yaml", "toml"} {
		for _, key := range p.Keys {
			names(language, strings.TrimRight(key, "[]?"))
		}
	}
	for _, fence := range p.Fences {
		if fence != "pactsel" { // the name of the grammar itself
			names("markdown", fence)
		}
	}
}
