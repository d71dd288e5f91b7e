package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// unknown reports a name after a sigil that is not a word of the kind, and suggests the word that
// was probably meant.
func (r *sourceReader) unknown(k vocab.Kind, at ast.Span, message string) {
	text, name := at.Text(r.text), ast.Span{Start: at.Start + 1, End: at.End}
	message = "`" + excerpt(text) + "` " + message
	t := nearest(k, text[1:])
	if t == nil {
		r.refuse(at, message, "")
		return
	}
	word := text[:1] + t.Name
	r.refuse(at, message, didYouMean(word), replace("write `"+word+"`", name, t.Name))
}

// nearest returns the word that was probably meant: one that people use for it, one with the same
// beginning, or one with almost the same spelling. It returns nil if there is none.
func nearest(k vocab.Kind, name string) *vocab.Term {
	if t := vocab.Lookup(k, regionCalled[name]); t != nil {
		return t
	}
	for t := range vocab.All(k) {
		if len(name) >= 2 && (strings.HasPrefix(name, t.Name) || strings.HasPrefix(t.Name, name)) {
			return t
		}
	}
	return vocab.Nearest(k, name)
}

// regionCalled maps what people call a region to its name.
var regionCalled = map[string]string{
	"head": "ah", "active": "ah", "current": "ah", "active-head": "ah",
	"header": "sys", "history": "seq", "segments": "seq", "turns": "seq",
}

// nearPseudo returns the pseudo that is one edit away from the name after a colon, or "". The name
// may still be that of a type.
func nearPseudo(name string) string {
	for _, k := range []vocab.Kind{vocab.Zone, vocab.Pseudo} {
		if t := vocab.NearestWithin(k, name, 1); t != nil {
			return ":" + t.Name
		}
	}
	return ""
}

// write returns a fix that replaces a part of the source with a word.
func write(word string, at ast.Span) diag.Fix { return replace("write `"+word+"`", at, word) }

// didYouMean returns a hint that suggests a word; without a word it is empty.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean `" + word + "`?"
}
