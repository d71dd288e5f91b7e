package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// TestYAMLPlaces checks the place at the mark in each document.
func TestYAMLPlaces(t *testing.T) {
	for _, x := range []struct{ src, want string }{
		{"ca~ses:", "key  cases"},
		{"cases:\n  - name: a\n    sel~", "key cases sel name"},
		{"cases:\n  - na~", "key cases na"},
		{"cases:\n  - name: a\n  - ~", "key cases "},
		{"cases:\n- name: a\n  to~\n", "key cases to name"},
		{"cases:\n  - left:\n      cause: com~", "value cases.left.cause com"},
		{"cases:\n  - left: {cause: com~", "value cases.left.cause com"},
		{"cases:\n  - left: {cause: compacted, m~ax: 0}", "key cases.left max"},
		{"cases:\n  - cache: {resent: {mi~", "key cases.cache.resent mi"},
		{"cases:\n  - left:\n      cause: [pruned, com~", "value cases.left.cause com"},
		{"cases:\n  - left: {cause: [pruned, com~", "value cases.left.cause com"},
		{"cases:\n  - name: a\nfi~", "key  fi cases"},
		{"strict: tr~ue", "value strict true"},
		{"[x~", "value  x"},
		{"# no~", "none"},
	} {
		offset := strings.IndexByte(x.src, '~')
		src := strings.Replace(x.src, "~", "", 1)
		p, ok := yamlPlace(src, offset)
		got := "none"
		if ok {
			kind := "key"
			if p.IsValue {
				kind = "value"
			}
			got = strings.TrimSuffix(fmt.Sprintf("%s %s %s %s", kind, strings.Join(p.Path, "."), p.Word.Text(src), strings.Join(p.Present, " ")), " ")
			if len(p.Present) == 0 {
				got = fmt.Sprintf("%s %s %s", kind, strings.Join(p.Path, "."), p.Word.Text(src))
			}
		}
		if got != x.want {
			t.Errorf("%q: got %q, want %q", x.src, got, x.want)
		}
	}
}

// FuzzYAMLPlace checks that any text has a place at any offset, and that its word lies in the text.
func FuzzYAMLPlace(f *testing.F) {
	f.Add("a:\n  - b: {c: [d", uint(12))
	f.Fuzz(func(t *testing.T, src string, number uint) {
		offset := int(number % uint(len(src)+1))
		if p, ok := yamlPlace(src, offset); ok && (p.Word.Start < 0 || p.Word.Start > p.Word.End || p.Word.End > len(src)) {
			t.Errorf("%q at %d: %v", src, offset, p.Word)
		}
	})
}
