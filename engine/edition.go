package engine

import (
	"strings"

	"github.com/pactkit/pactkit/internal/edition"
)

// Edition is a revision of the specification, the same type as ast.Edition. It
// decides how new nodes are spelled (seg, cont, block or mt, mc, cb) and
// whether a live timeline begins with the working state. Its String is "1.0" or
// "0.1", its SpecVersion the spec_version it writes.
type Edition = edition.Edition

// The editions.
const (
	Edition10 = edition.V10 // 1.0, the default
	Edition01 = edition.V01 // 0.1
)

// editionOf returns the edition that a spec_version names, false for an unknown one.
func editionOf(specVersion string) (Edition, bool) { return edition.OfSpec(specVersion) }

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
