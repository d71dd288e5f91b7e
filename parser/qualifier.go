package parser

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// qualify reads the qualifiers of a step.
func (b *builder) qualify(s, before *ast.Step) {
	if s.Qualifiers == nil {
		s.Qualifiers = b.nodes.qualifiers.Room()
	}
	for ll1.FirstQualifier.Has(b.kind()) {
		b.qualifier(s, before)
	}
	if n := len(s.Qualifiers); n > 0 {
		cover(s, s.Qualifiers[n-1].Bounds().End)
	}
	s.Qualifiers = b.nodes.qualifiers.Keep(s.Qualifiers)
}

// add appends a qualifier to a step.
func (b *builder) add(s *ast.Step, q ast.Qualifier) {
	s.Qualifiers = b.nodes.qualifiers.Extend(s.Qualifiers)
	s.Qualifiers[len(s.Qualifiers)-1] = q
}

// qualifier reads one qualifier.
func (b *builder) qualifier(s, before *ast.Step) {
	kind := b.kind()
	switch kind {
	case ll1.TokLbrace, ll1.TokLbrack, ll1.TokLparen:
		b.filter(s)
		return
	case ll1.TokNthCall, ll1.TokDepthPseudo:
		b.pseudoCall(s, before)
		return
	}
	text, at := b.word(b.at)
	b.at++
	switch kind {
	case ll1.TokTag:
		b.ident(text[1:], at)
		n := b.nodes.tags.New()
		n.Extent, n.Name = at.Extent(), text[1:]
		b.add(s, n)
	case ll1.TokKey, ll1.TokQuotedKey:
		b.add(s, b.key(text, at))
	default: // COLON_NAME, COLON_PART
		extended := b.colon(s, text, at)
		for ; b.kind() == ll1.TokType || b.kind() == ll1.TokDotPart; b.at++ {
			text, at = b.word(b.at)
			b.dotted(s, text, at, extended)
		}
		cover(s, at.End)
	}
}

// colon reads ':name' after a step: a zone, a positional pseudo, or more of a type or key. It
// reports whether it has extended the type or key.
func (b *builder) colon(s *ast.Step, text string, at ast.Span) bool {
	name := text[1:]
	k, ok := lastKey(s)
	switch z := slices.Index(zones, name); {
	case z >= 0:
		b.add(s, &ast.Zone{Extent: at.Extent(), Name: ast.ZoneName(z)})
	case name == "first":
		b.positional(s, at, ast.FirstOf, 0)
	case name == "last":
		b.positional(s, at, ast.LastOf, 0)
	case name == "nth" || name == "depth":
		if !b.callApart(at) {
			b.refuse(at, "`"+text+"` needs a number in parentheses", "write `"+text+"(1)`, without a blank")
		}
	case ok:
		b.extendKey(k, at)
		return true
	case len(s.Qualifiers) == 0 && b.extend(s, name, at):
		return true
	default:
		b.refuse(at, "`"+excerpt(text)+"` is not a pseudo", didYouMean(nearPseudo(name)))
	}
	return false
}

// callApart reports a blank between a word that ends at at.End and the parenthesis of its
// arguments. It returns false if there is none.
func (b *builder) callApart(at ast.Span) bool {
	blank := b.span(b.at)
	if blank.Start != at.End || !b.follow(b.at-1, ll1.TokDesc, ll1.TokLparen) {
		return false
	}
	b.suppress(b.core(b.at + 2).Start)
	b.refuse(blank, "the parenthesis must directly follow `"+at.Text(b.src)+"`", "",
		replace("remove the blank", blank, ""))
	return true
}

// extend adds ':name' to the anchor, if the anchor takes one, and reports whether it does.
func (b *builder) extend(s *ast.Step, name string, at ast.Span) bool {
	switch a := s.Anchor.(type) {
	case *ast.Type:
		if !strings.HasPrefix(a.Text(b.text), ".") { // it stands for a legacy :depth()
			return false
		}
		b.typeSuffix(s, a, name, at)
	case *ast.Any:
		if a.Implied || at.Start != a.End() || !ast.IsName(name) {
			return false
		}
		whole := ast.Span{Start: a.Start(), End: at.End}
		if r := slices.Index(regions, name); r >= 0 {
			s.Anchor = b.nodes.region(whole, ast.RegionName(r))
			b.legacy(ast.LegacyStarType, whole, ast.RegionName(r).String())
			return true
		}
		s.Anchor = &ast.Type{Extent: whole.Extent(), Name: vocab.CanonicalType(name)}
		b.legacy(ast.LegacyStarType, whole, typeText(name))
	case *ast.Region: // .ah:note
		base := a.Text(b.text)
		if base[0] != '.' {
			return false
		}
		t := &ast.Type{Extent: a.Extent, Name: base[1:]}
		s.Anchor = t
		b.typeSuffix(s, t, name, at)
	case *word:
		if !a.number || a.typed != nil {
			return false
		}
		a.typed = &ast.Type{Extent: at.Extent(), Name: vocab.CanonicalType(name)}
	case *ast.Bad:
		// reported already
	default:
		return false
	}
	return true
}

// typeSuffix reads '.Base:T'. If Base is a canonical type, the type is T; otherwise it is 'Base:T'.
func (b *builder) typeSuffix(s *ast.Step, t *ast.Type, name string, at ast.Span) {
	b.ident(name, at)
	base := t.Text(b.text)[1:]
	whole := ast.Span{Start: t.Start(), End: at.End}
	full := vocab.CanonicalType(base + ":" + name)
	switch {
	case strings.Contains(base, ":"):
		b.unrecord(t.Bounds())
		b.errorf(at, "a type token has one `:` at most")
		return
	case whole.Len() != len(base)+1+len(name)+1: // the repair skipped something between
		return
	}
	s.Anchor = &ast.Type{Extent: whole.Extent(), Name: full}
	pseudo := nearPseudo(name)
	if pseudo != "" {
		b.tailNode().Doubtful = true
	}
	if b.edition01() && (vocab.Lookup(vocab.Type, base) == nil || oldTypeName(base)) {
		if pseudo != "" {
			b.report(diag.Diagnostic{
				Code: diag.SelectorInvalid, Severity: diag.Hint, Span: at,
				Message: "`:" + excerpt(name) + "` is read as part of the type", Hint: didYouMean(pseudo),
				Fixes: []diag.Fix{write(pseudo, at)},
			})
		}
		return
	}
	b.legacy(ast.LegacyTypeBase, whole, typeText(full))
}

// typeText returns the modern text of a type: '.name', or a filter if the name is not a token.
func typeText(name string) string {
	if !ast.IsName(name) || vocab.Lookup(vocab.Region, name) != nil {
		return "*[nodeType='" + name + "']"
	}
	return "." + vocab.CanonicalType(name)
}

// lastKey returns the key that a ':part' after the step belongs to.
func lastKey(s *ast.Step) (*ast.Key, bool) {
	var last ast.Node = s.Anchor
	if n := len(s.Qualifiers); n > 0 {
		last = s.Qualifiers[n-1]
	}
	k, ok := last.(*ast.Key)
	return k, ok
}

// extendKey adds a part, ':name' or '.name', to an unquoted key. A key with a colon is an id
// (decision D6).
func (b *builder) extendKey(k *ast.Key, at ast.Span) {
	part := at.Text(b.text)
	if written := k.Text(b.text); written[1] == '\'' || written[1] == '"' {
		b.refuse(at, "`"+excerpt(part)+"` is not a pseudo", didYouMean(nearPseudo(part[1:])))
		return
	}
	b.ident(part[1:], at)
	if at.Start != k.End() { // the repair skipped something between
		return
	}
	k.Extent = upTo(k.Extent, at.End)
	k.Name = k.Text(b.text)[1:]
	k.ID, b.oldSpelling = true, true
}

// dotted reads '.name' after a ':part': more of a key, or a step without a blank before it.
func (b *builder) dotted(s *ast.Step, text string, at ast.Span, extended bool) {
	if k, ok := lastKey(s); ok && extended {
		b.extendKey(k, at)
		return
	}
	var fixes []diag.Fix
	if ast.IsName(text[1:]) {
		fixes = append(fixes, insert("insert a blank", at.Start, " "))
	}
	b.refuse(at, "two steps need a blank or `>` between them", "", fixes...)
}

// nth reads ':nth(n)'.
func (b *builder) nth(s *ast.Step, c call) {
	if len(c.args) != 1 || b.tokens[c.args[0]].Kind != ll1.TokInt {
		b.errorf(c.at, "`:nth(…)` takes one whole number, from 1")
		return
	}
	switch n, ok := b.integer(b.word(c.args[0])); {
	case ok && n >= 1:
		b.positional(s, c.at, ast.NthOf, n)
	case ok:
		b.refuse(b.core(c.args[0]), "`:nth(…)` counts from 1", "the last sibling is `:last`")
	}
}

func (b *builder) positional(s *ast.Step, at ast.Span, name ast.PositionalName, n int64) {
	p := b.nodes.positionals.New()
	p.Extent, p.Name, p.N = at.Extent(), name, n
	b.add(s, p)
}
