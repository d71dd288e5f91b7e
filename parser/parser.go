package parser

import (
	"math"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Options configures how a source is read. The zero value reads edition 1.0 with the default
// limits.
type Options struct {
	Edition  ast.Edition
	NoLegacy bool // report legacy forms as errors instead of warnings
	Mutation bool // the selector names the target of a mutation: a trailing '?' is allowed
	Limits   Limits
}

// Limits bounds what is read. A field that is zero or negative means its default.
type Limits struct {
	Bytes     int // of a source; default 1 MiB, at most 2 GiB - 1
	Nesting   int // open brackets; default 64, at most 10,000
	Tokens    int // of one selector, without blanks; default 10,000, at most 1 Gi - 1
	Fragments int // of a union; default 100
	Selectors int // of a file; default 100,000
	Errors    int // diagnostics kept for one source; default 100,000
}

// DefaultLimits returns the limits that apply where a field of [Limits] is zero.
func DefaultLimits() Limits {
	return Limits{Bytes: 1 << 20, Nesting: 64, Tokens: 10_000, Fragments: 100, Selectors: 100_000, Errors: 100_000}
}

// maxNesting caps Limits.Nesting, because the parser recurses.
const maxNesting = 10_000

// fillIn sets the fields that are not positive to their defaults, and caps the others.
func (l *Limits) fillIn() {
	or := func(v *int, standard, limit int) {
		if *v <= 0 {
			*v = standard
		}
		*v = min(*v, limit)
	}
	d := DefaultLimits()
	or(&l.Bytes, d.Bytes, math.MaxInt32)
	or(&l.Nesting, d.Nesting, maxNesting)
	or(&l.Tokens, d.Tokens, math.MaxInt32/2)
	or(&l.Fragments, d.Fragments, math.MaxInt)
	or(&l.Selectors, d.Selectors, math.MaxInt)
	or(&l.Errors, d.Errors, math.MaxInt)
}

// Parse reads a selector file: one selector per line, with continuation lines and comments. The
// file is never nil. It holds selectors with errors too, marked Bad. If the source exceeds
// Limits.Bytes, the file has no selectors; what follows the first Limits.Selectors selectors is one
// Bad selector.
func Parse(src string, o Options) (*ast.File, []diag.Diagnostic) {
	b := newBuilder(src, &o)
	file := &ast.File{Span: ast.Span{Start: 0, End: len(src)}, Lines: ast.NewLines(src)}
	if b.admit() {
		file.After = split(b.text, src, b.start, file.Lines, func(e entry) bool {
			read, within := b.selector, len(file.Selectors) < b.Limits.Selectors
			if !within {
				read = b.remainder
			}
			file.Selectors = append(file.Selectors, read(e))
			return within
		})
	}
	return file, b.finish()
}

// ParseSelector reads a source that holds one selector, on any number of lines, and comments. The
// query is never nil; an anchor that could not be read is an [ast.Bad].
func ParseSelector(src string, o Options) (*ast.Query, []diag.Diagnostic) {
	b := newBuilder(src, &o)
	if !b.admit() {
		return emptyQuery(ast.Span{}), b.finish()
	}
	q := b.read(ast.Span{Start: b.start, End: len(src)})
	return q, b.finish()
}

// ParsePosition reads an insertion position, such as "(d0, end)" or "(d1, 0, +2)?", for a mutation.
// The position is nil if there is an error.
func ParsePosition(src string, o Options) (*ast.Position, []diag.Diagnostic) {
	b := newBuilder(src, &o)
	if b.insertion = true; b.admit() {
		b.read(ast.Span{Start: b.start, End: len(src)})
	}
	p := b.position
	ds := b.finish()
	if diag.HasErrors(ds) {
		p = nil
	}
	return p, ds
}

// emptyQuery returns the tree of a selector that could not be read at all.
func emptyQuery(at ast.Span) *ast.Query {
	e := at.Extent()
	step := ast.Step{Extent: e, Anchor: &ast.Bad{Extent: e}}
	chain := ast.Chain{Extent: e, Steps: []ast.Step{step}}
	return &ast.Query{Extent: e, Union: []ast.Fragment{{Extent: e, Chains: []ast.Chain{chain}}}}
}
