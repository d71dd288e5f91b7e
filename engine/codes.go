package engine

import (
	"iter"
	"slices"
)

// CodeInfo explains a code.
type CodeInfo struct {
	Code Code
	Doc  string // when it occurs and what to do, in full sentences
}

// codes documents every code, in the order of errors.go.
var codes = []CodeInfo{
	{ErrFileSyntax, "A file is not JSON from some point on, ends in the middle of a value, has one member twice in an object, or is compressed and damaged."},
	{ErrFileEncoding, "A text is not UTF-8, or holds half a surrogate pair."},
	{ErrFileLimit, "A file is larger than the limit MaxBytes, 512 MiB by default. Raise it (--max-bytes), or cut the file into several, oldest snapshots first."},
	{ErrFileShape, `A file is JSON, but neither a snapshot ({"root": …}) nor a history ({"snapshots": […]}), or its snapshots do not stand oldest first.`},
	{ErrFileVersion, "Strict reading: spec_version names an unknown edition; PACT/1.0 and PACT/0.1 are known. Lenient reading reports it as a warning and reads the file as edition 1.0, which may not be what it means."},
	{ErrHeaderType, "A header has another type than the specification gives it, such as an offset that is not a number. Its own names are not for custom members."},
	{ErrNodeIDMissing, `A node has no "id". Only the root and the regions may do without.`},
	{ErrNodeIDDuplicate, "Two nodes of one snapshot have the same id, or the id of a new node is taken."},
	{ErrTreeDepth, "Nodes, or the content of one, are nested deeper than the limit MaxDepth, 1,000 levels by default. Raise it with --max-depth."},
	{ErrInvariant, "Strict reading: an invariant of the specification does not hold; the message begins with its name. Lenient reading reports it as a warning."},
	{ErrInvalidParent, "A node cannot be a child of what it was to be put into."},
	{ErrParentNotContainer, "A node was to be put into a block, which holds no children."},
	{ErrCycleDetected, "A node would lie inside itself, or refer to itself."},
	{ErrPlacement, "A node of this type may not stand in this place, or may not be moved or replaced in this way."},
	{ErrSealed, "The core of a sealed segment does not change. Attach to its pre- or post-context, or replace it by an overlay."},
	{ErrForbiddenRegion, "^sys changes only with the capability System."},
	{ErrOverlap, "A node with the same key lives where it would not lie strictly deeper than the new one, and cannot be moved out of the way."},
	{ErrNoRoom, "There is no instant left between two segments, or no offset between two siblings."},
	{ErrAmbiguousKey, "A key that was to name one node is on several."},
	{ErrNotFound, "No node, place, reference or record has that name."},
	{ErrReferenced, "A node cannot be dropped while something live refers to it, or holds it."},
	{ErrSnapshotUnknown, "An address names no snapshot of the timeline."},
}

// Codes yields every code with its explanation.
func Codes() iter.Seq[CodeInfo] { return slices.Values(codes) }
