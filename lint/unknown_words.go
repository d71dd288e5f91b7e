package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// unknownAttribute finds attributes that are neither in the language nor known from the trees. A
// custom attribute is allowed, but one whose name is close to another name is usually a typo.
func unknownAttribute(p *pass) {
	for t := range p.props() {
		if !t.Flag && vocab.Lookup(vocab.Attribute, t.Name) == nil {
			at := ast.Span{Start: t.Start(), End: t.Start() + len(t.Name)}
			p.unknown(AttributeWord, vocab.Attribute, at, at, t.Name, "attribute")
		}
	}
}

// unknownControl finds controls that the language does not have. They are passed on to the caller.
func unknownControl(p *pass) {
	for _, c := range p.Query.Controls() {
		if vocab.Lookup(vocab.Control, c.Name) != nil {
			continue
		}
		word := ast.Span{Start: c.Start() + 1, End: c.Start() + 1 + len(c.Name)}
		at := ast.Span{Start: c.Start(), End: word.End}
		if known, sure := p.known(ControlWord, c.Name); !known && !sure && vocab.Nearest(vocab.Control, c.Name) == nil {
			p.report(c.Bounds(), "`@"+c.Name+"` is not a control of the language; it is passed on to the caller", "")
		} else {
			p.unknown(ControlWord, vocab.Control, at, word, c.Name, "control")
		}
	}
}

// known asks the facts, if there are any.
func (p *pass) known(kind WordKind, name string) (known, sure bool) {
	if p.opts.Facts == nil {
		return false, false
	}
	return p.opts.Facts.Known(kind, name)
}

// unknown reports a word that the language does not have, unless the trees are known to have it. If
// the words of the trees are unknown, only a word close to one of the language is reported.
func (p *pass) unknown(kind WordKind, terms vocab.Kind, at, word ast.Span, name, what string) {
	known, sure := p.known(kind, name)
	if known {
		return
	}
	near := ""
	if t := vocab.Nearest(terms, name); t != nil {
		near = t.Name
	}
	if !sure && near == "" {
		return
	}
	if sure {
		near = cmp.Or(p.opts.Facts.Near(kind, name), near)
	}
	p.suggest(at, word, name, near, what)
}

// suggest reports an unknown word, with the word that was probably meant. at is the word with its
// sigil or quotes, since that is where a cursor may be; word is what the fix replaces.
func (p *pass) suggest(at, word ast.Span, name, near, what string) {
	if near == "" {
		p.reportWord(at, name, what)
		return
	}
	p.report(at, "unknown "+what+" `"+name+"`", "did you mean `"+near+"`?", diag.Fix{
		Title: "write `" + near + "`", Edits: []diag.Edit{{Span: word, Text: near}},
	})
}

// reportWord reports an unknown word that is not close to a known one, unless trees may have other
// words.
func (p *pass) reportWord(at ast.Span, name, what string) {
	if !p.opts.Open {
		p.report(at, "no tree is known to have the "+what+" `"+name+"`", "")
	}
}

// unknownType, unknownTag and unknownKey find words that no fixture and no configuration has.
func unknownType(p *pass) {
	for n := range ast.All(p.Query) {
		switch n := n.(type) {
		case *ast.Type:
			p.unknownWord(TypeWord, n.Bounds(), n.Name, "type")
		case *ast.Prop:
			p.unknownValues(n, "nodeType", TypeWord, "type")
		}
	}
}

func unknownTag(p *pass) {
	for n := range ast.All(p.Query) {
		switch n := n.(type) {
		case *ast.Tag:
			p.unknownWord(TagWord, n.Bounds(), n.Name, "tag")
		case *ast.Prop:
			p.unknownValues(n, "tag", TagWord, "tag")
		}
	}
}

func unknownKey(p *pass) {
	for n := range ast.All(p.Query) {
		switch n := n.(type) {
		case *ast.Key:
			if _, reported := p.mistakenKey(n); !n.ID && !reported {
				p.unknownWord(KeyWord, n.Bounds(), n.Name, "key")
			}
		case *ast.Prop:
			p.unknownValues(n, "key", KeyWord, "key")
		}
	}
}

func (p *pass) unknownValues(t *ast.Prop, name string, kind WordKind, what string) {
	if t.Name != name || !lists(t) {
		return
	}
	for _, v := range t.Values {
		if v.Kind == ast.String {
			p.unknownWord(kind, v.Bounds(), v.Text, what)
		}
	}
}

// unknownWord reports a type, tag or key that no tree is known to have. The fix keeps the sigil or
// the quotes.
func (p *pass) unknownWord(kind WordKind, at ast.Span, name, what string) {
	if known, sure := p.known(kind, name); known || !sure || kind == TypeWord && p.knownType(name) {
		return
	}
	text, word := p.text(at), at
	if n := len(text) - len(name); n >= 0 && text[n:] == name {
		word.Start += n // after the sigil
	} else if n >= 2 && text[1:1+len(name)] == name {
		word = ast.Span{Start: at.Start + 1, End: at.Start + 1 + len(name)} // inside the quotes
	} else {
		p.reportWord(at, name, what)
		return
	}
	p.suggest(at, word, name, p.opts.Facts.Near(kind, name), what)
}

// maxParts limits the time to find out what a type with many dots consists of.
const maxParts = 32

// knownType reports whether a type is one of the language or of the trees, or several of them
// joined by dots: `.block.summary` selects nodes of both types. The name of a type may itself have
// dots.
func (p *pass) knownType(name string) bool {
	isType := func(name string) bool {
		known, _ := p.known(TypeWord, name)
		return known || vocab.Lookup(vocab.Type, name) != nil
	}
	if strings.Count(name, ".") >= maxParts {
		return isType(name)
	}
	starts := []int{0} // where a type may begin, because known types end before it
	end := -1
	for part := range strings.SplitSeq(name, ".") {
		end += 1 + len(part)
		if slices.ContainsFunc(starts, func(start int) bool { return isType(name[start:end]) }) {
			starts = append(starts, end+1)
		}
	}
	return starts[len(starts)-1] == len(name)+1
}
