package engine

import "github.com/pactkit/pactkit/internal/tree"

// Region is a part of the tree below ^root.
type Region = tree.Region

// The regions, in document order.
const (
	RegionSys  = tree.RegionSys  // ^sys
	RegionSeq  = tree.RegionSeq  // ^seq
	RegionHead = tree.RegionHead // ^ah
	RegionRest = tree.RegionRest // any other node directly below ^root
)

// Base is the canonical kind a node type belongs to (PACT 1.0, glossary).
type Base = tree.Base

// The bases.
const (
	BaseBlock  = tree.BaseBlock  // block, cb, and every type without another base
	BaseCont   = tree.BaseCont   // cont, mc
	BaseSeg    = tree.BaseSeg    // seg, mt
	BaseRegion = tree.BaseRegion // ^root and the regions, in their places
)
