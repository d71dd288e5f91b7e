package tree

import (
	"slices"
	"strings"
)

// Region is a part of the tree below ^root.
type Region uint8

// The regions, in document order.
const (
	RegionSys  Region = iota // ^sys
	RegionSeq                // ^seq: each segment is a chunk, oldest first
	RegionHead               // ^ah
	RegionRest               // any other child of ^root
	NumRegions

	RegionTop Region = NumRegions // ^root and the regions themselves
)

// RegionTypes holds the node types of the regions.
var RegionTypes = [...]string{RegionSys: "^sys", RegionSeq: "^seq", RegionHead: "^ah"}

// RegionOf returns the region of a node type. For any other type, it returns false.
func RegionOf(nodeType string) (Region, bool) {
	i := slices.Index(RegionTypes[:], nodeType)
	return Region(i), i >= 0
}

// Base is the canonical base of a node type (PACT 1.0, glossary).
type Base uint8

// The bases.
const (
	BaseBlock  Base = iota // block, cb, and every type without another base
	BaseCont               // cont, mc
	BaseSeg                // seg, mt
	BaseRegion             // ^root and the regions
)

// CanonicalBase returns the base with the given name in either edition, and reports whether it
// exists.
func CanonicalBase(s string) (Base, bool) {
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

// SplitType splits a node type into its base and its user type: cb:summary has the base block and
// the user type summary. A type that does not begin with a canonical base has the base block, and
// is itself the user type.
func SplitType(nodeType string) (Base, string) {
	head, user, _ := strings.Cut(nodeType, ":")
	if b, ok := CanonicalBase(head); ok {
		return b, user
	}
	return BaseBlock, nodeType
}
