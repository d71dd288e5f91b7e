package config

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// TestAddToList adds a word to the known tags, twice: the file stays valid, and its list has the
// words after those it had.
func TestAddToList(t *testing.T) {
	for src, had := range map[string][]string{
		"":                                    nil,
		"fixtures = 'x'":                      nil,
		"# [known]\nfixtures = \"[known]\"\n": nil,
		"[known]":                             nil,
		"[known] # tags = [\n":                nil,
		"[ known ]\r\ntypes = [\"]\"]\r\n":    nil,
		"[\"known\"]\n[lint]\n":               nil,
		"[lint]\noff = []\n[known]\ntags = ['a'] # ]\n":          {"a"},
		"[known]\ntypes = []\ntags = []":                         {},
		"[known]\ntags = [ # none\n]\n":                          {},
		"known.tags = [\"a\", ]":                                 {"a"},
		"known . \"tags\" = [ \"a\" # not \"b\"\n, # nor 'c'\n]": {"a"},
		"[known]\ntags = [\n  \"a\", # why\n  '#', # ]\n]":       {"a", "#"},
		"[known]\ntags = [\"a\\\"]\", '\\']\n":                   {"a\"]", "\\"},
		"[known]\ntags = [\"\"\"\na\"]\"\"\"]\n":                 {"a\"]"},
		"known = { types = [], tags = [\"}\"] }":                 {"}"},
		"known.types = ['x']\n[lint]\noff = []\n":                nil,
		"root = true\nknown = { types = ['x'] }\n[lint]\n":       nil,
		"known = {}\n": nil,
	} {
		text := src
		for _, word := range []string{"one", `"\`} {
			had = append(had, word)
			edit, ok := AddToList(text, "known.tags", word)
			if !ok {
				t.Errorf("%q: no edit", text)
			}
			if text, ok = diag.Apply(text, []diag.Edit{edit}); !ok {
				t.Fatalf("%q: %v", src, edit)
			}
		}
		doc, problems := readDocument("x", "/", text)
		if got := doc.settings["known.tags"].data; len(problems) > 0 || !cmp.Equal(got, any(had)) {
			t.Errorf("%q becomes %q: %v, %v", src, text, got, problems)
		}
	}
	if edit, ok := AddToList("known.tags = 'a'", "known.tags", "one"); ok {
		t.Errorf("a text gets %v", edit)
	}
}

// TestStrings lists the strings of a file: not its keys and comments, and nothing after an error.
func TestStrings(t *testing.T) {
	const src = "a = 'x' # 'y'\n[t]\n\"k\" = [\"\\u0041\", {n = \"\"\"\nz\"\"\"}, [3, 'deep']]\n[[u]]\nb = 'last'\n[t.v]\nc = \"é\"\nd = 'open\ne = 'no'"
	var got []string
	for at, text := range Strings(src) {
		got = append(got, at.Text(src)+" "+text)
	}
	want := []string{"'x' x", `"\u0041" A`, "\"\"\"\nz\"\"\" z", "'deep' deep", "'last' last", `"é" é`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// FuzzEdits edits texts that need not be TOML: nothing panics, literals are in order, and a
// valid file stays valid.
func FuzzEdits(f *testing.F) {
	f.Add("known.tags = [\"a\", ]\n[lint]\n")
	f.Add("[known] # x\ntags = [ # y\n'z']")
	f.Add("[[overrides]]\npaths = []\nknown = {tags = []}")
	f.Fuzz(func(t *testing.T, src string) {
		last := ast.Span{}
		for at := range Strings(src) {
			if at.Start < last.End || at.End > len(src) || at.Len() < 2 {
				t.Fatalf("%q: %v after %v", src, at, last)
			}
			last = at
		}
		_, problems := readDocument("x", "/", src)
		edit, ok := AddToList(src, "known.tags", "word")
		if !ok {
			return
		}
		text, ok := diag.Apply(src, []diag.Edit{edit})
		if !ok {
			t.Fatalf("%q: %v", src, edit)
		}
		if len(problems) > 0 {
			return
		}
		doc, problems := readDocument("x", "/", text)
		list, _ := doc.settings["known.tags"].data.([]string)
		if len(problems) > 0 || !slices.Contains(list, "word") {
			t.Errorf("%q becomes %q: %v", src, text, problems)
		}
	})
}
