package eval

import (
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// Options configures how a range or a pair is answered; other queries ignore it.
type Options struct {
	Text           string             // the selector as it was given, which the result repeats as "query"
	IncludeContent bool               // show how content changed
	ContentMode    engine.ContentMode // how to show it; unified by default
	ContextLines   *int               // unchanged lines around a change; nil means 3
	Materialize    []string           // content, mime, encoding, content_hash: members of changed nodes to repeat
	MaxSnapshots   int                // a range over more snapshots is an error; 0 means no limit
	MaxChanges     int                // changes kept of each difference; 0 means no limit
	// Again reports whether @* also lists an older version of a node, besides the next newer one
	// that it lists. If it is nil, @* lists each node once.
	Again func(older, newer engine.Node) bool
}

// Kind tells what a [Result] holds.
type Kind uint8

// The kinds of result.
const (
	KindNodes  Kind = iota // a list of nodes
	KindRange              // differences between snapshots
	KindLatest             // @mode=latest: nodes, each with the newest snapshot that selects it
)

// Result is the answer to a query.
type Result struct {
	Kind     Kind
	Nodes    []engine.Node     // of KindNodes: in order, each id once unless Again says otherwise
	Range    *Range            // of KindRange
	Latest   []Latest          // of KindLatest
	Controls []Control         // those that the language does not know, as written
	Warnings []diag.Diagnostic // such as a range that was clipped; their spans lie in the selector
}

// Control is a control that the language does not know, which is passed on to the caller (decision
// D21).
type Control struct {
	Name, Value string
	HasValue    bool
}

// Latest is a node in the newest snapshot that selects it.
type Latest struct {
	Node     engine.Node
	Snapshot Ref
}

// Range is the RangeDiffLatestResult of the specification (PACT 0.1, 04 §4).
type Range struct {
	Query     string
	Snapshots []Ref // newest first
	Diffs     []Diff
	Mode      Mode // ModePairwise or ModeReduce
	Limits    *Limits
	Warnings  []diag.Diagnostic // those of Result; the specification prints their messages
	Errors    []RangeError      // why there is no answer, or no whole one; see [Plan.Select]
}

// RangeError is an error of a range as the specification prints it.
type RangeError struct {
	Code    diag.Code `json:"code"`
	Message string    `json:"message"`
	Fatal   bool      `json:"fatal"` // there are no differences after it
}

// Mode tells how the snapshots of a range or a pair are combined. It is spelled as in @mode.
type Mode string

// The modes.
const (
	ModePairwise Mode = "pairwise" // each snapshot is compared with the next older one; the default
	ModeReduce   Mode = "reduce"   // the newest is compared with the oldest
	ModeUnion    Mode = "union"    // the nodes of all snapshots
	ModeLatest   Mode = "latest"   // the nodes of all snapshots, each with the newest snapshot that selects it
)

// RefKind tells how an address counts snapshots. It is spelled as in an address.
type RefKind string

// The kinds of references.
const (
	RefSteps RefKind = "t" // steps back from the newest
	RefCycle RefKind = "c" // the cycle a snapshot was sealed in
)

// Ref names a snapshot of a timeline.
type Ref struct {
	Kind  RefKind
	Value int64  // the number after @t or @c
	Label string // such as @t-1
	Cycle int64
}

// Diff compares what a query selects in two snapshots.
type Diff struct {
	From, To Ref           // the newer and the older snapshot
	Added    []engine.Node // selected in From only
	Removed  []engine.Node // selected in To only
	Changed  []Change
	Stats    Stats // before limits are applied
}

// Change is a node that both snapshots select and that differs.
type Change struct {
	Newer, Older engine.Node
	Fields       []string // sorted, see [engine.ChangedFields]
	Content      *engine.ContentDiff
	Materialized []string // members to repeat, sorted
}

// Stats counts the changes of a [Diff].
type Stats struct {
	Added, Removed, Changed int
}

// Limits are the limits that were applied to a range.
type Limits struct {
	MaxSnapshots int  `json:"maxSnapshots,omitempty"`          // 0 means no limit
	MaxChanges   int  `json:"maxChangesPerSnapshot,omitempty"` // likewise
	Truncated    bool `json:"truncated,omitempty"`
}

// Error reports why a query has no answer. The spans lie in its source.
type Error struct {
	Diagnostics []diag.Diagnostic // at least one
}

// Error prints the first finding: its message and code.
func (e *Error) Error() string {
	d := e.Diagnostics[0]
	return d.Message + " [" + string(d.Code) + "]"
}

// fail returns an error with one finding.
func fail(d diag.Diagnostic) error { return &Error{[]diag.Diagnostic{d}} }
