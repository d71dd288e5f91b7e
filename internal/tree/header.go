package tree

// Header is the number of a member of nodes that the engine knows.
type Header uint8

// The headers, in the order of their names.
const (
	HeaderCad Header = iota
	HeaderChildren
	HeaderContent
	HeaderContentHash
	HeaderCreatedISO
	HeaderCreatedNS
	HeaderCreationIndex
	HeaderCycle
	HeaderID
	HeaderKey
	HeaderKind
	HeaderNodeType
	HeaderOffset
	HeaderParentID
	HeaderPinned
	HeaderPriority
	HeaderProvenance
	HeaderRefs
	HeaderRemovable
	HeaderRole
	HeaderTag
	HeaderTTL
	NumHeaders
)

// HeaderNames holds the names of the headers. It is sorted.
var HeaderNames = [NumHeaders]string{
	HeaderCad: "cad", HeaderChildren: "children", HeaderContent: "content", HeaderContentHash: "content_hash",
	HeaderCreatedISO: "created_at_iso", HeaderCreatedNS: "created_at_ns", HeaderCreationIndex: "creation_index",
	HeaderCycle: "cycle", HeaderID: "id", HeaderKey: "key", HeaderKind: "kind", HeaderNodeType: "nodeType", HeaderOffset: "offset",
	HeaderParentID: "parent_id", HeaderPinned: "pinned", HeaderPriority: "priority", HeaderProvenance: "provenance",
	HeaderRefs: "refs", HeaderRemovable: "removable", HeaderRole: "role", HeaderTag: "tag", HeaderTTL: "ttl",
}

// HeaderOf returns the header with the given name, and reports whether it exists. It repeats
// HeaderNames, because a switch takes a fifth of the time of a map of them.
func HeaderOf(name string) (Header, bool) {
	switch name {
	case "cad":
		return HeaderCad, true
	case "children":
		return HeaderChildren, true
	case "content":
		return HeaderContent, true
	case "content_hash":
		return HeaderContentHash, true
	case "created_at_iso":
		return HeaderCreatedISO, true
	case "created_at_ns":
		return HeaderCreatedNS, true
	case "creation_index":
		return HeaderCreationIndex, true
	case "cycle":
		return HeaderCycle, true
	case "id":
		return HeaderID, true
	case "key":
		return HeaderKey, true
	case "kind":
		return HeaderKind, true
	case "nodeType":
		return HeaderNodeType, true
	case "offset":
		return HeaderOffset, true
	case "parent_id":
		return HeaderParentID, true
	case "pinned":
		return HeaderPinned, true
	case "priority":
		return HeaderPriority, true
	case "provenance":
		return HeaderProvenance, true
	case "refs":
		return HeaderRefs, true
	case "removable":
		return HeaderRemovable, true
	case "role":
		return HeaderRole, true
	case "tag":
		return HeaderTag, true
	case "ttl":
		return HeaderTTL, true
	}
	return 0, false
}

// HeaderSet is a set of headers.
type HeaderSet uint32

// Has reports whether h is in the set.
func (s HeaderSet) Has(h Header) bool { return s>>h&1 != 0 }

// Add puts h into the set.
func (s *HeaderSet) Add(h Header) { *s |= 1 << h }

// RequiredHeaders are the headers that every export has.
const RequiredHeaders HeaderSet = 1<<HeaderID | 1<<HeaderNodeType | 1<<HeaderParentID | 1<<HeaderOffset | 1<<HeaderTTL |
	1<<HeaderPriority | 1<<HeaderCycle | 1<<HeaderCreatedNS | 1<<HeaderCreatedISO | 1<<HeaderCreationIndex

// NumericHeaders are the headers that hold numbers.
const NumericHeaders HeaderSet = 1<<HeaderCad | 1<<HeaderCreatedNS | 1<<HeaderCreationIndex | 1<<HeaderCycle |
	1<<HeaderOffset | 1<<HeaderPriority | 1<<HeaderTTL
