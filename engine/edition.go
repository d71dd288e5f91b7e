package engine

import "strings"

// Edition is a revision of the specification. It decides how new nodes are
// spelled (seg, cont, block or mt, mc, cb) and whether a live timeline begins
// with the working state.
type Edition uint8

const (
	Edition1_0 Edition = iota // the default
	Edition0_1
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

// editionOf reads a spec_version; anything that is not 0.1 is 1.0.
func editionOf(specVersion string) Edition {
	if isVersion(specVersion, "PACT/0.1") {
		return Edition0_1
	}
	return Edition1_0
}

// isVersion tells whether a spec_version is a release, such as PACT/1.0, or a correction of it, such as PACT/1.0.2.
func isVersion(specVersion, release string) bool {
	rest, ok := strings.CutPrefix(specVersion, release)
	return ok && (rest == "" || rest[0] == '.')
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
