package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// Placeholders are in a tree only while it is built, because their meaning depends on what
// surrounds them. They embed ast.Bad to be anchors; resolvePlaceholders replaces them.
type (
	// word is a bare name or number: a hop of a legacy position, or a name whose sigil is missing.
	word struct {
		ast.Bad
		text   string
		number bool
		typed  *ast.Type // the T of a hop 'N:T', or nil
	}
	// fallback is `L ?? R` in parentheses.
	fallback struct {
		ast.Bad
		chains []ast.Chain
	}
	// within is the legacy `within(…)`.
	within struct {
		ast.Bad
		chain  *ast.Chain
		modern string
	}
)

// resolvePlaceholders reports the placeholders that have no meaning where they are, and replaces
// them with Bad anchors.
func (b *builder) resolvePlaceholders(c *ast.Chain) {
	for i := range c.Steps {
		s := &c.Steps[i]
		switch a := s.Anchor.(type) {
		case *word:
			b.strayWord(a)
		case *fallback:
			b.refuse(a.Bounds(), "parentheses with `??` inside must be around a whole fragment",
				"each side of `??` has its own qualifiers; leave the parentheses out")
		case *within:
			b.refuse(a.Bounds(), "`within(…)` is no longer part of the language; "+
				"write its content as the first steps of the chain", "")
		default:
			continue
		}
		s.Anchor = &ast.Bad{Extent: s.Anchor.Bounds().Extent()}
	}
}

// strayWord reports a name or number in place of a step.
func (b *builder) strayWord(w *word) {
	if b.isSuppressed(w.Start()) {
		return
	}
	at, word := w.Bounds(), excerpt(w.text)
	switch {
	case w.number:
		b.refuse(at, "a number is not a step",
			"a depth is written `d"+strings.TrimLeft(word, "+")+"`, "+
				"an offset is allowed only in a coordinate such as `(d1,0)`")
	case vocab.Lookup(vocab.Region, w.text) != nil && vocab.Lookup(vocab.Type, w.text) == nil:
		b.refuse(at, "`"+word+"` is not a step; a region begins with `^`", "",
			insert("write `^"+word+"`", at.Start, "^"))
	default:
		b.refuse(at, "`"+word+"` is not a step; a type begins with a dot",
			"write `."+word+"` for a type, `#"+word+"` for a key or `+"+word+"` for a tag",
			insert("write `."+word+"`", at.Start, "."))
	}
}
