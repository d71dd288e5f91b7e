package host

import (
	"slices"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// Grade says how sure it is that a string is a selector of PACT, and with that what may be done
// with it (decision H2).
type Grade uint8

// The grades.
const (
	Proven   Grade = iota // it is checked, corrected and formatted
	Likely                // it is checked at the usual levels, and edited only if the user asks for that edit
	Unproven              // it is not checked and never edited: at most one finding says that it looks like a selector
)

var gradeNames = [...]string{Proven: "proven", Likely: "likely", Unproven: "unproven"}

func (g Grade) String() string { return gradeNames[g] }

// Proof is what shows that a string is a selector of PACT, or why nothing shows it.
type Proof uint8

// The proofs, the best first. [Region.Because] says more about one of them.
const (
	BySelectorFile Proof = iota
	ByFence
	ByComment
	ByTag
	ByPattern
	ByFunction
	ByReceiver
	BySyntax
	ByImport
	NoImport
	OtherLibrary
	OtherLanguage
)

// proofs is the one table of what each proof permits.
var proofs = [...]struct {
	grade Grade
	text  string
}{
	BySelectorFile: {Proven, "it is in a file of selectors"},
	ByFence:        {Proven, "it is in a code block of selectors"},
	ByComment:      {Proven, "a comment marks it"},
	ByTag:          {Proven, "a tag marks it"},
	ByPattern:      {Proven, "a pattern of the configuration names it"},
	ByFunction:     {Proven, "it is an argument of a function of PACT"},
	ByReceiver:     {Proven, "the receiver of the call comes from PACT"},
	BySyntax:       {Proven, "it has syntax that only PACT has"},
	ByImport:       {Likely, "the file imports PACT and no other selector library, but nothing shows where the receiver comes from"},
	NoImport:       {Unproven, "the file does not import PACT, and nothing else shows that this is a selector of PACT"},
	OtherLibrary:   {Unproven, "the file uses another selector library, or Pact for contract tests, and nothing shows that the receiver comes from PACT"},
	OtherLanguage:  {Unproven, "it cannot be read as a selector of PACT"},
}

// Grade returns what the proof permits.
func (p Proof) Grade() Grade { return proofs[p].grade }

func (p Proof) String() string { return proofs[p].text }

// Grade returns how sure it is that the region is a selector of PACT.
func (r *Region) Grade() Grade { return r.Proof.Grade() }

// claim is how a marker names a string.
type claim struct {
	form    Form
	untyped bool  // by a name that other libraries have too
	proof   Proof // of one that is not untyped
	// optional says that the string is only of interest if its receiver or function is of PACT or,
	// with likely, if it is likely.
	optional, likely bool
	// bare says that the marker is one common word.
	bare bool
	// whole says that a string that cannot be read is left alone.
	whole bool
	// callee is the offset of the name of the call, or -1.
	callee int
}

// marked is the claim of a marker that is a proof by itself.
func marked(p Proof) claim { return claim{proof: p, callee: -1} }

// evidence is what the imports of a program show.
type evidence struct {
	ours     bool // it imports PACT
	others   bool // it uses another selector library
	contract bool // it imports Pact, the library for contract tests, and so uses the word pact for that
}

func (e evidence) or(x evidence) evidence {
	return evidence{e.ours || x.ours, e.others || x.others, e.contract || x.contract}
}

// grade decides how sure each region of a file is, once its receivers are known. It copies what it
// changes.
func (f *File) grade(e evidence) {
	f.Regions = slices.Clone(f.Regions)
	kept := f.Regions[:0]
	known := false // there is a selector that may be edited
	for i := range f.Regions {
		r := &f.Regions[i]
		if r.claim.untyped && r.Proof != ByFunction && r.Proof != ByReceiver {
			r.Proof = r.proofBy(e)
		} else if r.claim.bare && (e.contract || !beginsSelector(r.Text)) {
			r.Proof = r.proofBy(e)
		} else if r.claim.whole && !r.IsWhole() {
			r.Proof = OtherLanguage
		}
		g := r.Grade()
		if r.claim.optional && r.Proof != ByFunction && r.Proof != ByReceiver && !(g == Likely && r.claim.likely) {
			continue
		}
		known = known || g != Unproven && r.Kind != Holed
		kept = append(kept, *r)
	}
	f.Regions = kept
	if e.ours && !e.others {
		f.Diagnostics = append(slices.Clip(f.Diagnostics), f.unsure...)
	}
	f.unsure = nil
	if known {
		return
	}
	f.Diagnostics = slices.Clone(f.Diagnostics)
	for i := range f.Diagnostics {
		if d := &f.Diagnostics[i]; d.Code == Unreadable {
			d.Severity = diag.Info
		}
	}
}

// proofBy returns what the text of a region, and the imports of its file, prove. In a file that
// uses another selector library the text proves nothing, whatever it looks like.
func (r *Region) proofBy(e evidence) Proof {
	if e.others {
		return OtherLibrary
	}
	unique, ours := hasOwnSyntax(r.Text), e.ours && r.claim.callee >= 0
	if r.Kind == Holed {
		if unique || ours {
			return ByImport
		}
		return NoImport
	}
	switch whole := (unique || ours) && r.IsWhole(); {
	case unique && whole:
		return BySyntax
	case ours && (unique || whole):
		return ByImport
	case ours:
		return OtherLanguage
	}
	return NoImport
}

// IsWhole reports whether the text can be read as a selector, or as a position, without an error.
func (r *Region) IsWhole() bool {
	if r.Form == Position {
		p, found := parser.ParsePosition(r.Text, parser.Options{})
		return p != nil && !diag.HasErrors(found)
	}
	_, found := parser.ParseSelector(r.Text, parser.Options{Mutation: r.Form == Target})
	return !diag.HasErrors(found)
}

// IsUnfinished reports whether nothing but an error keeps the text from being a proof: it has
// syntax that only PACT has. That is so while a selector is being typed.
func (r *Region) IsUnfinished() bool { return r.Proof == NoImport && hasOwnSyntax(r.Text) }

// prove resolves the receivers and functions of the calls that name regions of a program.
func (f *codeFinder) prove(top func() *scope) {
	var o *origins
	for i := range f.file.Regions {
		r := &f.file.Regions[i]
		if !r.claim.untyped || r.claim.callee < 0 {
			continue
		}
		if o == nil {
			o = newOrigins(top())
		}
		p, about, because := o.call(r.claim.callee, r.claim.optional && !r.claim.likely)
		r.Because, r.Evidence = because, about
		if p != NoImport {
			r.Proof = p
		}
	}
}

// finish grades the regions of a file, after it has been searched. e returns the evidence of a
// program, top its tokens.
func (f *codeFinder) finish(e func() evidence, top func() *scope) {
	asks := len(f.file.unsure) > 0 || slices.ContainsFunc(f.file.Regions, func(r Region) bool { return r.claim.untyped || r.claim.bare })
	if e != nil && len(f.imports) > 0 && (asks || f.markers.inDocument) {
		f.file.imports = e()
	}
	if f.file.imports.ours && f.api != nil && asks {
		f.prove(top)
	}
	if !f.markers.inDocument {
		f.file.grade(f.file.imports)
	}
}
