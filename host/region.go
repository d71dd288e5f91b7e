package host

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Form says how the text of a region is parsed.
type Form uint8

// The forms.
const (
	Selector  Form = iota // one selector
	Selectors             // a selector file: comments, and one selector per line
	Position              // an insertion position of a mutation
	Target                // one selector that names the target of a mutation
)

// Kind is what can be done with a region, as far as its string is concerned. [Region.Grade] says
// what may be done.
type Kind uint8

// The kinds.
const (
	Editable Kind = iota // its text can be replaced
	Folded               // its text is known but cannot be replaced: see [Region.Fixed]
	Holed                // parts of its text are unknown; for editors, which complete the text around a hole
)

// Region is a part of a host file that is written in the selector language. Its methods translate
// between the text and the file. It has many fields because half of them say how the file spells
// the text.
type Region struct {
	ast.Span        // in the host file, without the delimiters of a literal
	Text     string // decoded; each hole is one U+FFFC
	Form     Form
	Kind     Kind
	Fixed    string // why a Folded region cannot be replaced: "it is …"
	Proof    Proof  // what shows that it is a selector of PACT, or why nothing does
	Because  string // more about the proof; "" if there is nothing to add
	// Evidence is the part of the file that Because is about; it may be empty.
	Evidence ast.Span

	claim    claim  // how it was found
	src      string // what pieces map to: the file, or the text of outer
	pieces   pieces
	outer    *Region  // the code block that contains the region
	token    ast.Span // of the literal, delimiters included, in src
	spelling speller  // nil: all text can be written as it is
	// reread decodes a changed literal, to check it; nil if that takes the whole file.
	reread func(literal string) (string, bool)
	// quote writes a text of one line as a literal in quotes, for a literal without quotes that
	// cannot hold it; nil for all others.
	quote func(text string) string
	// indent is inserted after every line ending of new text.
	indent string
}

// NewRegion returns a region whose text is a part of a file, unchanged. It is for implementations
// of [Host] in other packages. The part must lie within the file.
func NewRegion(src string, at ast.Span, form Form) Region {
	b := builder{src: src}
	b.copy(at.Start, at.End)
	return Region{Span: at, Text: string(b.text), Form: form, src: src, pieces: b.done(at.Start), token: at}
}

// Host maps a part of the text to the bytes of the file it was decoded from. An empty part stays
// empty.
func (r *Region) Host(s ast.Span) ast.Span {
	at := r.pieces.span(s)
	if r.outer != nil {
		at = r.outer.Host(at)
	}
	return at
}

// Offset maps an offset of the file to the text, and an offset inside an escape to the start of the
// escaped text. It returns false for an offset outside the region.
func (r *Region) Offset(host int) (int, bool) {
	if host < r.Start || host > r.End {
		return 0, false
	}
	return r.offset(host), true
}

func (r *Region) offset(host int) int {
	if r.outer != nil {
		host = r.outer.offset(host)
	}
	return r.pieces.offset(host)
}

// Diagnostic translates a finding about the text to one about the file. It omits fixes whose edits
// the file cannot hold. No fix is safe unless the region is Proven.
func (r *Region) Diagnostic(d diag.Diagnostic) diag.Diagnostic {
	d.Span = r.Host(d.Span)
	if len(d.Fixes) == 0 {
		return d
	}
	fixes := make([]diag.Fix, 0, len(d.Fixes))
	for _, f := range d.Fixes {
		if edits, err := r.Edits(f.Edits); err == nil {
			f.Edits, f.Safe = edits, f.Safe && r.Grade() == Proven
			fixes = append(fixes, f)
		}
	}
	d.Fixes = fixes
	return d
}
