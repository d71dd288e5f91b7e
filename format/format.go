// Package format prints selectors in one of two styles: canonical, in which everything is written out, and
// compact, the shortest spelling of the same selector.
//
// Formatting has two halves. Named passes ([Passes]) rewrite a tree into the shape the style prescribes;
// a printer then writes the tree down and decides nothing. Both halves keep the meaning of a selector: the
// printed text parses to the tree the passes left behind.
//
// The package never guesses: a selector with an error stays as its author wrote it. All functions are
// safe for concurrent use.
package format

import (
	"iter"

	"github.com/pactkit/pactkit/ast"
)

// Style is a way to spell selectors. Every selector has exactly one spelling in each style, and each can be
// made from the other.
type Style uint8

// The styles.
const (
	Canonical Style = iota // @t0 (*[nodeType='block']) { key='k' } [ ttl<=1 ]
	Compact                // .block#k[ttl<=1]
)

var styleNames = [...]string{"canonical", "compact"}

func (s Style) String() string { return styleNames[s] }

// ParseStyle reads "canonical" or "compact".
func ParseStyle(name string) (Style, bool) {
	for s, n := range styleNames {
		if n == name {
			return Style(s), true
		}
	}
	return Canonical, false
}

// Canonicalize returns the tree that the canonical text of q parses to. It leaves q as it is, and the result shares
// nothing with it.
func Canonicalize(q *ast.Query) *ast.Query { return rewrite(q, Canonical) }

// rewrite makes the tree of a style.
func rewrite(q *ast.Query, s Style) *ast.Query {
	d := copyQuery(q)
	defer d.release()
	d.rewrite(s)
	return d.Query.Clone()
}

// Query prints a query that was parsed without an error. It leaves q as it is.
func Query(q *ast.Query, o Options) string {
	d := copyQuery(q)
	defer d.release()
	d.rewrite(o.Style)
	return text(d, o)
}

// A Pass is one named step from what was written to what is printed.
type Pass struct {
	Name string // unique, in kebab case
	Doc  string // what the pass changes, in one sentence
}

// Passes yields the passes of a style in the order in which they run.
func Passes(s Style) iter.Seq[Pass] {
	return func(yield func(Pass) bool) {
		for _, p := range passes {
			if p.in(s) && !yield(p.Pass) {
				return
			}
		}
	}
}

// Trace formats a query and yields every pass that changed its text, with the text it left. The texts in
// between are for reading; only the last one is sure to parse.
func Trace(q *ast.Query, o Options) iter.Seq2[Pass, string] {
	return func(yield func(Pass, string) bool) {
		c := copyQuery(q)
		defer c.release()
		before := text(c, o)
		for _, p := range passes {
			if !p.in(o.Style) {
				continue
			}
			p.fn(c)
			after := text(c, o)
			if after != before && !yield(p.Pass, after) {
				return
			}
			before = after
		}
	}
}

// Position prints an insertion position that was parsed without an error: the container, a comma and the
// slot among its children. A depth stays a depth in either style. It leaves p as it is.
func Position(p *ast.Position, o Options) string {
	d := copyQuery(&ast.Query{Union: []ast.Fragment{{Chains: []ast.Chain{*p.Container}}}})
	defer d.release()
	for _, pass := range passes {
		if pass.container && pass.in(o.Style) {
			pass.fn(d)
		}
	}
	w := printer{style: o.Style, edition: o.Edition}
	w.position(&d.Union[0].Chains[0], p)
	return string(w.b)
}

// text prints a tree as it stands.
func text(d *draft, o Options) string {
	w := printer{style: o.Style, edition: o.Edition, b: d.text[:0]}
	w.query(&d.Query)
	d.text = w.b
	return string(w.b)
}
