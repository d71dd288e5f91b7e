package tree

import (
	"slices"
	"strings"
)

// Region is a part of the tree below ^root.
type Region uint8

const (
	RegionSys  Region = iota // ^sys
	RegionSeq                // ^seq, one segment a chunk, oldest first
	RegionHead               // ^ah
	RegionRest               // any other node directly below ^root
	NumRegions

	RegionTop Region = NumRegions // ^root and the regions themselves
)

// RegionTypes holds the node types of the regions.
var RegionTypes = [...]string{RegionSys: "^sys", RegionSeq: "^seq", RegionHead: "^ah"}

// RegionOf returns the region of a node type; false for any other type.
func RegionOf(nodeType string) (Region, bool) {
	i := slices.Index(RegionTypes[:], nodeType)
	return Region(i), i >= 0
}

// Base is the canonical kind a node type belongs to (PACT 1.0, glossary).
type Base uint8

const (
	BaseBlock  Base = iota // block, cb, and every type without another base
	BaseCont               // cont, mc
	BaseSeg                // seg, mt
	BaseRegion             // ^root and the regions, in their places
)

// CanonicalBase returns the base with a name of either edition.
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

// SplitType cuts a node type into its base and its user type: cb:summary is
// the user type summary of base block; a type without a canonical base is,
// whole, a user type of base block.
func SplitType(nodeType string) (Base, string) {
	head, user, _ := strings.Cut(nodeType, ":")
	if b, ok := CanonicalBase(head); ok {
		return b, user
	}
	return BaseBlock, nodeType
}
