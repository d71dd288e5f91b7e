package thread

import "github.com/pactkit/pactkit/engine"

// Event is what happened to the node that ended a shared prefix.
type Event string

const (
	Inserted Event = "inserted" // a node of the newer cycle
	Cadence  Event = "cadence"  // a new instance that a cadence made
	Sealed   Event = "sealed"   // a node that stood in the head, or at its end, and is followed by a new segment
	Expired  Event = "expired"  // its lifetime was over
	Removed  Event = "removed"  // pruned or deleted; the trees do not tell which
	Replaced Event = "replaced" // other content or headers
	Redacted Event = "redacted" // a redaction marker refers to it
	Shifted  Event = "moved"    // it stands elsewhere
	Reworded Event = "reworded" // the node is the same, what the format makes of it is not
)

// PrefixReport compares the thread of a state with that of the state before.
type PrefixReport struct {
	Format Format `json:"-"`
	// Bytes is the length of what both threads begin with, of Newer and Older
	// bytes each. The closing of a list does not count: the newer thread may go
	// on where the older one ends.
	Bytes int `json:"bytes"`
	Older int `json:"older_bytes"`
	Newer int `json:"newer_bytes"`
	// Units is the number of whole units in the shared prefix.
	Units      int `json:"units"`
	OlderUnits int `json:"older_units"`
	NewerUnits int `json:"newer_units"`
	// Share is the part of the older thread that is reused, in percent.
	Share float64 `json:"share"`
	// Node and Event say what ended the prefix. Event is empty when the threads
	// are equal.
	Node  string `json:"node,omitempty"`
	Event Event  `json:"event,omitempty"`
	// OlderNode and NewerNode are the first units that differ, on each side; empty
	// where the thread has ended.
	OlderNode string `json:"older_node,omitempty"`
	NewerNode string `json:"newer_node,omitempty"`
	// Fields are the members of Node that differ, as [engine.ChangedFields] has them.
	Fields []string `json:"fields,omitempty"`
	// Msg is a sentence for people.
	Msg string `json:"message"`
}

// Prefix compares the thread of the state back steps before the newest with
// that of the one before it. Without such a state it is an error of code
// [engine.ErrSnapshotUnknown].
func Prefix(t *engine.Timeline, back int, f Format, o RenderOptions) (PrefixReport, error) {
	return PrefixReport{}, nil
}
