package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/lint"
)

// TestPages: every word, rule and code has a page of its own, which the list of its kind leads to.
func TestPages(t *testing.T) {
	out := pages()
	has := func(list, link, name string) {
		t.Helper()
		if !strings.HasPrefix(out[name], "# ") {
			t.Errorf("there is no page %s", name)
		}
		if !strings.Contains(out[list], "]("+link+")") {
			t.Errorf("%s does not lead to %s", list, link)
		}
	}
	words := 0
	for _, k := range kinds {
		for term := range vocab.All(k.kind) {
			words++
			has("words/index.md", fileName(term.ID), "words/"+fileName(term.ID))
		}
	}
	for r := range lint.Rules() {
		has("rules/index.md", r.ID+".md", "rules/"+r.ID+".md")
	}
	codes := 0
	for c := range diag.Codes() {
		codes++
		has("codes/index.md", string(c.Code)+".md", "codes/"+string(c.Code)+".md")
	}
	if own := strings.Count(strings.Join(slices.Collect(maps.Keys(out)), "\n"), "words/"); own != words+1 {
		t.Errorf("%d pages for %d words: two have one name", own, words)
	}
	if len(kinds) != 9 || codes < 10 {
		t.Errorf("%d kinds, %d codes", len(kinds), codes)
	}
}
