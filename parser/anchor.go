package parser

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// anchor reads the anchor of a step. If the step begins with a tag or a filter, the anchor is an
// implied star, and the tag or filter is read later, as a qualifier.
func (b *builder) anchor(s, before *ast.Step) {
	kind, at := b.kind(), b.span(b.at)
	if !verbatim.Has(kind) { // few kinds
		at = b.core(b.at)
	}
	text := at.Text(b.text)
	s.Extent = at.Extent()
	switch kind {
	case ll1.TokDepth, ll1.TokDepthDecimal:
		b.depth(s)
		return
	case ll1.TokTag, ll1.TokLbrace, ll1.TokLbrack:
		at.End = at.Start
		s.Extent = at.Extent()
		s.Anchor = b.nodes.star(at, true)
		return
	case ll1.TokDepthCall:
		b.depthCall(s)
		return
	case ll1.TokNthCall, ll1.TokDepthPseudo, ll1.TokLateNth, ll1.TokLateDepth:
		b.pseudoCall(s, before)
		return
	}
	b.at++
	switch kind {
	case ll1.TokType:
		s.Anchor = b.typeAnchor(text[1:], at)
	case ll1.TokRegion:
		b.region(s, text, at)
	case ll1.TokStar:
		s.Anchor = b.nodes.star(at, false)
	case ll1.TokKey, ll1.TokQuotedKey:
		s.Anchor = b.key(text, at)
	case ll1.TokColonName, ll1.TokLateName:
		b.zoneAnchor(s, before, text, at)
	case ll1.TokStarSign:
		b.starSign(s, text, at)
	case ll1.TokContAt:
		b.contAt(s, text, at)
	case ll1.TokInt:
		b.placeholders, s.Anchor = true, &word{Bad: ast.Bad{Extent: at.Extent()}, text: text, number: true}
	default: // NAME
		b.ident(text, at)
		if text == "depth" && b.callApart(at) {
			b.suppress(at.Start)
		}
		b.placeholders, s.Anchor = true, &word{Bad: ast.Bad{Extent: at.Extent()}, text: text}
	}
}

// call is a word with arguments in parentheses, such as `:nth(1)`.
type call struct {
	kind   ll1.Kind // of the word and its parenthesis, one token
	at     ast.Span // the opening token only, if it is never closed
	args   []int    // the tokens between; valid until the next call is read
	closed bool     // otherwise the error has been reported
}

// call reads a name with its arguments.
func (b *builder) call() call {
	c := call{kind: b.kind(), at: b.core(b.at)}
	b.args = b.args[:0]
	for b.at++; ll1.FirstArgument.Has(b.kind()); b.at++ {
		if b.kind() != ll1.TokDesc {
			b.args = append(b.args, b.at)
		}
	}
	c.closed, c.args = b.closes(ll1.TokRparen, &c.at), b.args
	return c
}

// pseudoCall reads `:nth(…)` or `:depth(…)`. At the start of a step, `:nth(…)` is an error and
// `:depth(…)` is the anchor.
func (b *builder) pseudoCall(s, before *ast.Step) {
	c := b.call()
	cover(s, c.at.End)
	start := s.Anchor == nil
	if start {
		s.Anchor = &ast.Bad{Extent: c.at.Extent()}
	}
	switch {
	case !c.closed: // reported
	case c.kind == ll1.TokDepthPseudo || c.kind == ll1.TokLateDepth:
		if start {
			s.Anchor = b.nodes.star(ast.Span{Start: c.at.Start, End: c.at.Start}, true)
		}
		b.depthPseudo(s, before, c)
	case start:
		b.detached(s, before, c.at)
	default:
		b.nth(s, c)
	}
}

// zoneAnchor reads ':name' at the start of a step.
func (b *builder) zoneAnchor(s, before *ast.Step, text string, at ast.Span) {
	if z := slices.Index(zones, text[1:]); z >= 0 {
		s.Anchor = &ast.Zone{Extent: at.Extent(), Name: ast.ZoneName(z)}
		return
	}
	s.Anchor = &ast.Bad{Extent: at.Extent()}
	if vocab.Lookup(vocab.Pseudo, text[1:]) != nil {
		b.detached(s, before, at)
		return
	}
	b.unknown(vocab.Zone, at, "is not a zone; the zones are `:pre`, `:core` and `:post`")
}

// detached reports a pseudo that does not directly follow the step it qualifies.
func (b *builder) detached(s, before *ast.Step, at ast.Span) {
	written := excerpt(at.Text(b.src))
	hint, fix := "write `*"+written+"`", insert("write `*` before it", at.Start, "*")
	if before != nil && s.Combinator == ast.Descendant {
		hint = "write `" + excerpt(before.Text(b.src)+at.Text(b.src)) + "`"
		fix = replace("remove the blank", ast.Span{Start: before.End(), End: at.Start}, "")
	}
	b.refuse(at, "`"+written+"` must directly follow the step it qualifies", hint, fix)
}

// zones and regions are the names of the zones and regions.
var (
	zones   = []string{ast.Pre: "pre", ast.Core: "core", ast.Post: "post"}
	regions = []string{ast.Root: "root", ast.Sys: "sys", ast.Seq: "seq", ast.Head: "ah"}
)

func (b *builder) region(s *ast.Step, text string, at ast.Span) {
	r := slices.Index(regions, text[1:])
	if r < 0 {
		b.unknown(vocab.Region, at, "is not a region; the regions are `^sys`, `^seq`, `^ah` and `^root`")
		s.Anchor = &ast.Bad{Extent: at.Extent()}
		return
	}
	s.Anchor = b.nodes.region(at, ast.RegionName(r))
}

// typeAnchor makes the anchor for '.name'; a suffix after a colon is read with the qualifiers.
func (b *builder) typeAnchor(name string, at ast.Span) ast.Anchor {
	b.ident(name, at)
	if len(name) <= longestShort {
		if r := slices.Index(regions, name); r >= 0 {
			return b.nodes.region(at, ast.RegionName(r))
		}
		if t := vocab.Lookup(vocab.Type, name); t != nil && t.Name != name {
			name, b.oldSpelling = t.Name, true
		}
	}
	n := b.nodes.types.New()
	n.Extent, n.Name = at.Extent(), name
	return n
}

// longestShort is the length of the longest name of a region, or of a type in edition 0.1. Most
// names of types are longer, so they need not be looked up.
const longestShort = 4

// oldTypeName reports whether only edition 0.1 has a type of that name.
func oldTypeName(name string) bool {
	t := vocab.Lookup(vocab.Type, name)
	return t != nil && t.Name != name
}

// starSign reads the legacy `*@+` and `*@-`.
func (b *builder) starSign(s *ast.Step, text string, at ast.Span) {
	op := map[byte]ast.Op{'+': ast.OpGt, '-': ast.OpLt}[text[len("*@")]]
	s.Anchor = &ast.Any{Extent: ast.Span{Start: at.Start, End: at.Start + 1}.Extent()}
	b.add(s, offsetFilter(op, 0, ast.Span{Start: at.Start + 1, End: at.End}))
	b.legacy(ast.LegacyStarSign, at, "*[offset"+op.String()+"0]")
}

func offsetFilter(op ast.Op, n int64, at ast.Span) *ast.Filter {
	return &ast.Filter{Extent: at.Extent(), Form: ast.Brackets, Props: []ast.Prop{numberTest("offset", op, at, n)}}
}

// contAt reports `c@N`, which older revisions used in two ways.
func (b *builder) contAt(s *ast.Step, text string, at ast.Span) {
	n := strings.TrimLeft(text[2:], "+")
	b.refuseAs(diag.SelectorLegacy, at,
		"`"+text+"` has two readings: the child at offset "+n+" of a segment, or of the active head",
		"write the coordinate that is meant: `(d1,"+n+")` or `(d0,"+n+")`")
	s.Anchor = &ast.Bad{Extent: at.Extent()}
}

// key reads `#name` or `#'name'`; parts after a colon are read with the qualifiers.
func (b *builder) key(text string, at ast.Span) *ast.Key {
	k := b.nodes.keys.New()
	k.Extent = at.Extent()
	if text[1] == '\'' || text[1] == '"' {
		k.Name = b.unquote(text[1:], ast.Span{Start: at.Start + 1, End: at.End})
	} else {
		b.ident(text[1:], at)
		k.Name, k.ID = text[1:], b.edition01()
	}
	return k
}

// ident reports names that end in a hyphen. The text may hold several, separated by dots.
func (b *builder) ident(text string, at ast.Span) {
	if b.hyphens && (strings.HasSuffix(text, "-") || strings.Contains(text, "-.")) {
		b.errorf(at, "a name must not end in `-`")
	}
}
