package engine

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Code names a kind of failure. Codes are stable, so scripts and tests may compare them. A Code is
// itself an error:
//
//	errors.Is(err, engine.ErrSealed)
//
// reports whether an error of this package has a code.
type Code string

// Failures of reading.
const (
	ErrFileSyntax      Code = "E_FILE_SYNTAX"       // not JSON, or a duplicate member
	ErrFileEncoding    Code = "E_FILE_ENCODING"     // invalid UTF-8 or an unpaired surrogate
	ErrFileLimit       Code = "E_FILE_LIMIT"        // larger than the limit of the reader
	ErrMemory          Code = "E_MEMORY"            // more memory is needed than the process may use
	ErrFileShape       Code = "E_FILE_SHAPE"        // neither a snapshot, nor a history, nor a log of a known kind
	ErrFileVersion     Code = "E_FILE_VERSION"      // strict reading: a spec_version of an unknown edition
	ErrFileEdition     Code = "E_FILE_EDITION"      // a note: there is no spec_version, and the types are of edition 0.1
	ErrHeaderType      Code = "E_HEADER_TYPE"       // a header of the wrong JSON type
	ErrNodeIDMissing   Code = "E_NODE_ID_MISSING"   // a node that needs an id does not have one
	ErrNodeIDDuplicate Code = "E_NODE_ID_DUPLICATE" // one id on two nodes
	ErrTreeDepth       Code = "E_TREE_DEPTH"        // nested deeper than allowed
	ErrInvariant       Code = "E_INVARIANT"         // strict reading: an invariant is violated
)

// ErrNamespace is only ever a warning, see [Draft.Warnings] and [Timeline.Namespaces].
const ErrNamespace Code = "E_NAMESPACE" // a custom member without a namespace

// Failures of mutations and commits.
const (
	ErrInvalidParent      Code = "E_INVALID_PARENT"            // the parent cannot take this node
	ErrParentNotContainer Code = "E_PARENT_NOT_CONTAINER"      // the parent is a block
	ErrCycleDetected      Code = "E_CYCLE_DETECTED"            // a node would be inside itself
	ErrPlacement          Code = "E_PLACEMENT"                 // the node must not be put there or changed this way
	ErrSealed             Code = "E_SEALED"                    // the core of a sealed segment would change
	ErrForbiddenRegion    Code = "E_FORBIDDEN_REGION"          // ^sys without Options.System
	ErrOverlap            Code = "E_OVERLAP_WOULD_VIOLATE_ODI" // an older node with the key would not be deeper
	ErrNoRoom             Code = "E_NO_ROOM"                   // no instant left between two segments, or neither offset nor instant between two siblings
	ErrAmbiguousKey       Code = "E_AMBIGUOUS_KEY"             // several live nodes have the key
	ErrNotFound           Code = "E_NOT_FOUND"                 // no such node, position or reference
	ErrReferenced         Code = "E_REFERENCED"                // a live node still refers to the target
)

// ErrSnapshotUnknown means that an address names no snapshot.
const ErrSnapshotUnknown Code = "E_SNAPSHOT_UNKNOWN"

// Error returns the code itself.
func (c Code) Error() string { return string(c) }

// Error is a failure with its location. Fields that do not apply are zero.
type Error struct {
	Code Code
	File string // as it was given to the reader
	Path string // JSON path of the offending value, such as $.root.children[2].ttl
	Line int    // from 1
	Msg  string // one plain sentence, without the location
}

// Error returns file:line: path: message [code].
func (e *Error) Error() string {
	where := ""
	if e.File != "" {
		where = e.File + ":"
	}
	if e.Line > 0 {
		where += strconv.Itoa(e.Line) + ":"
	}
	if where != "" {
		where += " "
	}
	if e.Path != "" {
		where += shorten(e.Path) + ": "
	}
	return where + e.Msg + " [" + string(e.Code) + "]"
}

// shorten removes the middle of a path that is too long for a message.
func shorten(path string) string {
	const most, ends = 400, 160
	if len(path) <= most {
		return path
	}
	return strings.ToValidUTF8(path[:ends], "") + " … " + strings.ToValidUTF8(path[len(path)-ends:], "")
}

// Unwrap returns the code, so errors.Is compares codes.
func (e *Error) Unwrap() error { return e.Code }

func fail(code Code, format string, args ...any) error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// CodeInfo explains a code.
type CodeInfo struct {
	Code Code
	Doc  string // when it occurs and what to do, in full sentences
}

// codes documents every code, in the order of their declarations.
var codes = []CodeInfo{
	{ErrFileSyntax, "A file is not JSON from some point on, ends in the middle of a value, has a duplicate member in an object, or is compressed and damaged."},
	{ErrFileEncoding, "A text is not UTF-8, or has an unpaired surrogate."},
	{ErrFileLimit, "A file is larger than the limit MaxBytes, 512 MiB by default. Raise it (--max-bytes), or cut the file into several, oldest snapshots first."},
	{ErrMemory, "Reading needs more memory than the process may use, by default half of what the machine or the container has. Raise the limit (--max-memory), or read a smaller file."},
	{ErrFileShape, `A file is neither a snapshot ({"root": …}), nor a history ({"snapshots": […]}), nor a log of a known kind; or a part of it has a form that its kind does not have, such as snapshots that are not ordered oldest first. 'pactkit doctor FILE' says what the file looks like, and what marks each kind that can be read.`},
	{ErrFileVersion, "Strict reading: spec_version names an unknown edition; PACT/1.0 and PACT/0.1 are known. Lenient reading reports it as a warning and reads the file as edition 1.0, which may be wrong."},
	{ErrFileEdition, "A note, never an error: the file has no spec_version, but some node has a type of edition 0.1 (mt, mc, cb) and none has one of edition 1.0 (seg, cont, block), so the file is read as edition 0.1."},
	{ErrHeaderType, "A header does not have the type that the specification requires, such as an offset that is not a number. A custom member cannot have the name of a header."},
	{ErrNodeIDMissing, `A node has no "id". Only the root and the regions may be without one.`},
	{ErrNodeIDDuplicate, "Two nodes of one snapshot have the same id, or the id of a new node is taken."},
	{ErrTreeDepth, "Nodes, or the content of one, are nested deeper than the limit MaxDepth, 1,000 levels by default. Raise it with --max-depth."},
	{ErrInvariant, "Strict reading: an invariant of the specification is violated; the message begins with its name. Lenient reading reports it as a warning."},
	{ErrNamespace, "The name of a custom member has no namespace, such as data_ or acme: (PACT 0.1, 02 §3.5). It is a warning, also in strict mode: rename the member."},
	{ErrInvalidParent, "A node cannot be a child of the given parent."},
	{ErrParentNotContainer, "The given parent is a block, which cannot have children."},
	{ErrCycleDetected, "A node would be inside itself, or refer to itself."},
	{ErrPlacement, "A node of this type must not be in this position, or must not be moved or replaced in this way."},
	{ErrSealed, "The core of a sealed segment cannot change. Attach to its pre- or post-context, or replace it with an overlay."},
	{ErrForbiddenRegion, "^sys can be changed only with the option System: engine.Options.System in Go, --system on the command line. The first insertion of most programs is a system prompt."},
	{ErrOverlap, "An older node with the same key would not be strictly deeper than the new one, and cannot be moved out of the way."},
	{ErrNoRoom, "There is no instant left between two segments, no offset and no instant between two siblings, or no created_at_ns or creation_index after the last one. To put a node between two siblings anyway, insert it at the end, then move those that belong after it to the end."},
	{ErrAmbiguousKey, "Several nodes have the key that should name one."},
	{ErrNotFound, "No node, position, reference or record has that name."},
	{ErrReferenced, "A node cannot be removed while a live node refers to it, or something holds it."},
	{ErrSnapshotUnknown, "An address names no snapshot of the timeline."},
}

// Codes yields every code with its explanation.
func Codes() iter.Seq[CodeInfo] { return slices.Values(codes) }
