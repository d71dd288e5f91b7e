package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// suggest adds to d the word of a kind that was probably meant. Name covers the name without its sigil.
func (r *reader) suggest(d *diag.Diagnostic, k vocab.Kind, sigil string, name ast.Span) {
	t := nearest(k, name.Text(r.text))
	if t == nil {
		return
	}
	d.Hint = "did you mean `" + sigil + t.Name + "`?"
	d.Fixes = append(d.Fixes, diag.Fix{
		Title: "write `" + sigil + t.Name + "`", Edits: []diag.Edit{{Span: name, Text: t.Name}},
	})
}

// nearest finds the word that was probably meant: one that people call by that name, one with the same beginning, or one
// with almost the same spelling.
func nearest(k vocab.Kind, name string) *vocab.Term {
	if k == vocab.Region {
		if t := vocab.Lookup(k, regionCalled(name)); t != nil {
			return t
		}
	}
	for t := range vocab.All(k) {
		if len(name) >= 2 && (strings.HasPrefix(name, t.Name) || strings.HasPrefix(t.Name, name)) {
			return t
		}
	}
	return vocab.Nearest(k, name)
}

// regionCalled maps what people call a region in prose to its name.
func regionCalled(name string) string {
	switch name {
	case "head", "active", "current", "active-head":
		return "ah"
	case "header":
		return "sys"
	case "history", "segments", "turns":
		return "seq"
	}
	return ""
}

// nearPseudo returns the pseudo that is one edit away from a suffix, or "". The suffix may still be the name of a type.
func nearPseudo(name string) string {
	for _, k := range []vocab.Kind{vocab.Zone, vocab.Pseudo} {
		if t := vocab.NearestWithin(k, name, 1); t != nil {
			return ":" + t.Name
		}
	}
	return ""
}

// pseudoFix replaces a suffix by a pseudo.
func pseudoFix(pseudo string, at ast.Span) diag.Fix {
	return diag.Fix{Title: "write `" + pseudo + "`", Edits: []diag.Edit{{Span: at, Text: pseudo}}}
}

// didYouMean makes a hint of a word, unless it is empty.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean `" + word + "`?"
}
