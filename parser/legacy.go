package parser

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// legacy records a form of an older revision.
func (b *builder) legacy(form ast.LegacyForm, at ast.Span, modern string) {
	b.legacies = append(b.legacies, legacy{Legacy: ast.Legacy{Span: at, Form: form, Modern: modern}})
}

// legacyID records an unquoted key token that holds a colon, which is an id (decision D6).
func (b *builder) legacyID(k *ast.Key, star string) {
	if k.ID && !b.edition01() {
		b.legacy(ast.LegacyIDToken, k.Bounds(), star+"{ id="+ast.Quote(k.Name)+" }")
	}
}

// unrecord drops the records in parts of the source, given in order, that are rejected or belong to
// a larger form. Nothing after the first part was recorded before it, so it searches from the end.
func (b *builder) unrecord(parts ...ast.Span) {
	if len(parts) == 0 {
		return
	}
	from := b.recordsFrom(parts[0].Start)
	kept := slices.DeleteFunc(b.legacies[from:], func(l legacy) bool {
		i := sort.Search(len(parts), func(i int) bool { return parts[i].End >= l.End })
		return i < len(parts) && parts[i].Contains(l.Span)
	})
	b.legacies = b.legacies[:from+len(kept)]
}

// recordsFrom returns the index of the first of the last records that begin at an offset or later.
func (b *builder) recordsFrom(offset int) int {
	i := len(b.legacies)
	for i > 0 && b.legacies[i-1].Start >= offset {
		i--
	}
	return i
}

// legacyPosition records a form whose modern text contains a depth.
func (b *builder) legacyPosition(form ast.LegacyForm, at ast.Span, modern string) {
	b.legacy(form, at, modern)
	b.legacies[len(b.legacies)-1].position = true
}

// edition01 reports whether the source is of edition 0.1, where its own forms are not legacy.
func (b *builder) edition01() bool { return b.Edition == ast.Edition01 }

// legacyStep records the types and keys of a step that use an older spelling.
func (b *builder) legacyStep(s *ast.Step) {
	b.oldSpelling = false
	switch a := s.Anchor.(type) {
	case *ast.Type:
		written := strings.TrimPrefix(a.Text(b.text), ".")
		if a.Name != written && !b.edition01() && oldTypeName(written) {
			b.legacy(ast.LegacyTypeName, a.Bounds(), "."+a.Name)
		}
		b.dropBeforeGroup(a)
	case *ast.Key:
		star := ""
		if s.Combinator == ast.Descendant {
			star = "*" // a filter after a blank would qualify the step before
		}
		b.legacyID(a, star)
	}
	for _, q := range s.Qualifiers {
		if k, ok := q.(*ast.Key); ok {
			b.legacyID(k, "")
		}
	}
}

// dropBeforeGroup drops the modern text of a type if it is a filter and a group follows: only a
// type token can have a group.
func (b *builder) dropBeforeGroup(t *ast.Type) {
	if t.End() >= len(b.text) || b.text[t.End()] != '(' {
		return
	}
	for i := b.recordsFrom(t.Start()); i < len(b.legacies); i++ {
		if l := &b.legacies[i]; l.Span == t.Bounds() && strings.HasPrefix(l.Modern, "*") {
			l.Modern = ""
		}
	}
}

// legacyTypeValue records a value of nodeType that uses an older spelling. The value itself stays
// as it was written.
func (b *builder) legacyTypeValue(v *ast.Value) {
	if v.Kind != ast.String {
		return
	}
	base, _, namespaced := strings.Cut(v.Text, ":")
	t := vocab.Lookup(vocab.Type, base)
	switch {
	case t == nil, b.edition01() && (!namespaced || oldTypeName(base)):
	case namespaced:
		b.legacy(ast.LegacyTypeBase, v.Bounds(), ast.Quote(vocab.CanonicalType(v.Text)))
	case oldTypeName(base):
		b.legacy(ast.LegacyTypeName, v.Bounds(), ast.Quote(t.Name))
	}
}

// legacyRole records tests of the header role, which tags replace in edition 1.0.
func (b *builder) legacyRole(f *ast.Filter) {
	for i := range f.Props {
		p := &f.Props[i]
		if p.Name != "role" || b.edition01() {
			continue
		}
		modern := ""
		at := p.Bounds()
		if len(f.Props) == 1 && p.Op == ast.OpEq && p.Values[0].Kind == ast.String && ast.IsName(p.Values[0].Text) {
			modern, at = "+"+p.Values[0].Text, f.Bounds()
		}
		b.legacy(ast.LegacyRole, at, modern)
	}
}

// reportLegacy reports the legacy forms and puts them into the tree.
func (b *builder) reportLegacy() {
	slices.SortStableFunc(b.legacies, func(x, y legacy) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	legacies := b.nodes.legacies.List(len(b.legacies))
	b.tailNode().Legacy = legacies
	severity := diag.Warning
	if b.NoLegacy {
		severity = diag.Error
	}
	for i, l := range b.legacies {
		written := strings.TrimSpace(l.Text(b.src))
		d := diag.Diagnostic{
			Code: diag.SelectorLegacy, Severity: severity, Span: l.Span,
			Message: "`" + excerpt(written) + "` is a form of an older revision",
		}
		if b.edition01() && l.Form == ast.LegacyDepthPseudo {
			d.Message = "`" + excerpt(written) + "` is not a form of edition 0.1, where depths count from 1"
		}
		pseudo := ""
		if l.Form == ast.LegacyTypeBase && written[0] == '.' {
			_, suffix, _ := strings.Cut(written, ":")
			if pseudo = nearPseudo(suffix); pseudo != "" {
				d.Hint = didYouMean(pseudo)
				d.Fixes = []diag.Fix{write(pseudo, ast.Span{Start: l.End - len(suffix) - 1, End: l.End})}
			}
		}
		edits := []diag.Edit{{Span: l.Span, Text: l.Modern}}
		switch {
		case l.Modern == "":
		case l.position && len(b.query.Union) > 1:
			edits, l.Modern = b.inUnion(l)
		case l.Form == ast.LegacyDepthPseudo && l.Start > 0 && strings.IndexByte("d^", l.Modern[0]) >= 0 &&
			strings.IndexByte(" \t\r\n(>,?", b.src[l.Start-1]) < 0:
			edits[0].Text = " " + l.Modern // it directly follows a time
		}
		title := ""
		switch {
		case l.Form == ast.LegacySearch:
			title = "remove `" + excerpt(written) + "`"
		case len(edits) > 1:
			title = "write `" + excerpt(edits[1].Text) + "` and parentheses around the chain"
		case l.Modern != "":
			title = "write `" + excerpt(l.Modern) + "`"
		}
		if title != "" {
			fix := diag.Fix{Title: title, Safe: l.Form != ast.LegacyRole && pseudo == "", Edits: edits}
			d.Fixes = append(d.Fixes, fix) // after the fix of a typo, which is more likely
			d.Hint = cmp.Or(d.Hint, title)
		} else if l.Form == ast.LegacyRole {
			d.Hint = "in edition 1.0 roles are tags, as in `+user`"
		}
		legacies[i] = l.Legacy
		b.report(d)
	}
}

// inUnion returns the edits that replace a form in a union with a modern text that contains a
// depth: the whole chain must then be in parentheses. It also returns the text, if that alone
// replaces the form.
func (b *builder) inUnion(l legacy) (edits []diag.Edit, modern string) {
	chain := b.chainAround(l.Span)
	if chain == nil {
		return nil, ""
	}
	if len(chain.Steps) == 1 {
		step := chain.Steps[0]
		switch a := step.Anchor.(type) {
		case *ast.Group:
			if a.Bounds() != l.Span { // the form is inside the parentheses
				return []diag.Edit{{Span: l.Span, Text: l.Modern}}, l.Modern
			}
			if modern = l.Modern; len(a.Chain.Steps) > 1 || modern[0] != '(' {
				modern = "(" + modern + ")"
			}
		case *ast.Coordinates:
			modern = l.Modern
		case *ast.Depth:
			depth := depthText(*a)
			modern = "(" + depth + ")" + strings.TrimPrefix(l.Modern, depth)
		}
		return []diag.Edit{{Span: l.Span, Text: modern}}, modern
	}
	return parenthesize(chain.Bounds(), diag.Edit{Span: l.Span, Text: l.Modern}), ""
}

// chainAround finds the chain of the union in which a span lies.
func (b *builder) chainAround(at ast.Span) *ast.Chain {
	union := b.query.Union
	i := sort.Search(len(union), func(i int) bool { return union[i].End() >= at.End })
	if i == len(union) {
		return nil
	}
	chains := union[i].Chains
	i = sort.Search(len(chains), func(i int) bool { return chains[i].End() >= at.End })
	if i == len(chains) || !chains[i].Bounds().Contains(at) {
		return nil
	}
	return &chains[i]
}
