package engine

import "strings"

// Edition is a revision of the specification. It decides how new nodes are
// spelled (seg, cont, block or mt, mc, cb) and whether a live timeline begins
// with the working state.
type Edition uint8

const (
	Edition1_0 Edition = iota // the default
	Edition0_1
	numEditions
)

// String returns "1.0" or "0.1".
func (e Edition) String() string {
	if e == Edition0_1 {
		return "0.1"
	}
	return "1.0"
}

// SpecVersion returns the spec_version the edition writes.
func (e Edition) SpecVersion() string {
	if e == Edition0_1 {
		return "PACT/0.1.0"
	}
	return "PACT/1.0.0"
}

// editionOf returns the edition that a spec_version names. It reports false for an unknown one, which is read
// as 1.0.
func editionOf(specVersion string) (e Edition, known bool) {
	release := strings.TrimPrefix(specVersion, "PACT/")
	for e := range numEditions {
		if rest, ok := strings.CutPrefix(release, e.String()); ok && (rest == "" || rest[0] == '.') {
			return e, true // a release such as 1.0, or a correction of it such as 1.0.2
		}
	}
	return Edition1_0, false
}

// Base is the canonical kind a node type belongs to (PACT 1.0, glossary).
type Base uint8

const (
	BaseBlock  Base = iota // block, cb, and every type without another base
	BaseCont               // cont, mc
	BaseSeg                // seg, mt
	BaseRegion             // ^root and the regions, in their places
)

// name returns the spelling of a base in an edition.
func (b Base) name(e Edition) string {
	return [...][2]string{BaseBlock: {"block", "cb"}, BaseCont: {"cont", "mc"}, BaseSeg: {"seg", "mt"}}[b][e]
}

func canonicalBase(s string) (Base, bool) {
	switch s {
	case "block", "cb":
		return BaseBlock, true
	case "cont", "mc":
		return BaseCont, true
	case "seg", "mt":
		return BaseSeg, true
	}
	return BaseBlock, false
}

// splitType cuts a node type into its base and its user type: cb:summary is
// the user type summary of base block; a type without a canonical base is,
// whole, a user type of base block.
func splitType(nodeType string) (Base, string) {
	head, user, _ := strings.Cut(nodeType, ":")
	if b, ok := canonicalBase(head); ok {
		return b, user
	}
	return BaseBlock, nodeType
}
