// Package format prints selectors in one of two styles: canonical, in which everything is written
// out, and compact, the shortest spelling of the same selector. [Source] formats text, [Node]
// prints a tree.
//
// Formatting has two halves. Named passes ([Passes]) rewrite a tree into the form of the style.
// Then a printer writes the tree without any decisions of its own. Both halves keep the meaning of
// a selector: the printed text parses to the tree that the passes produce.
//
// The package never guesses: a selector with an error, or with a suspected typo, stays as its
// author wrote it. All functions are safe for concurrent use.
package format

import (
	"iter"

	"github.com/pactkit/pactkit/ast"
)

// Style is a way to spell selectors. Every selector has exactly one spelling in each style, and
// either spelling can be made from the other.
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

// Node prints a query or an insertion position that was parsed without an error. A position is its
// container, a comma and the slot among its children; a depth in it stays a depth in either style.
// Node does not modify n.
func Node[N *ast.Query | *ast.Position](n N, o Options) string {
	if p, ok := any(n).(*ast.Position); ok {
		return position(p, o)
	}
	return query(any(n).(*ast.Query), o)
}

// query prints a query.
func query(q *ast.Query, o Options) string {
	d := copyQuery(q)
	defer d.release()
	if o.Trace != nil {
		d.trace(o)
	} else {
		d.rewrite(o.Style)
	}
	return text(d, o)
}

// position prints an insertion position.
func position(p *ast.Position, o Options) string {
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

// Canonicalize returns the tree that the canonical text of q parses to. Two queries mean the same
// if their canonical trees are equal. It does not modify q, and the result shares nothing with q.
func Canonicalize(q *ast.Query) *ast.Query { return rewrite(q, Canonical) }

// rewrite makes the tree of a style.
func rewrite(q *ast.Query, s Style) *ast.Query {
	d := copyQuery(q)
	defer d.release()
	d.rewrite(s)
	return d.Query.Clone()
}

// A Pass is one named step from what was written to what is printed.
type Pass struct {
	Name string // unique, in kebab case
	Doc  string // what the pass changes, in one sentence
}

// Passes yields the passes of a style in the order in which they run. It is for documentation, and
// for programs that show what [Options.Trace] reports.
func Passes(s Style) iter.Seq[Pass] {
	return func(yield func(Pass) bool) {
		for _, p := range passes {
			if p.in(s) && !yield(p.Pass) {
				return
			}
		}
	}
}

// trace runs the passes of a style and calls o.Trace for each one that changes the text.
func (d *draft) trace(o Options) {
	before := text(d, o)
	for _, p := range passes {
		if !p.in(o.Style) {
			continue
		}
		p.fn(d)
		if after := text(d, o); after != before {
			o.Trace(p.Pass, after)
			before = after
		}
	}
}

// text prints a tree without changing it.
func text(d *draft, o Options) string {
	w := printer{style: o.Style, edition: o.Edition, b: d.text[:0]}
	w.query(&d.Query)
	d.text = w.b
	return string(w.b)
}
