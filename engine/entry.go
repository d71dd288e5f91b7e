package engine

// EntryKind tells what an entry of a history holds.
type EntryKind uint8

// The kinds of entries.
const (
	EntryHistory  EntryKind = iota // what all states have in common; the first entry
	EntrySnapshot                  // a whole tree
	EntryDelta                     // what a commit changed
	EntryWorking                   // a working state
)

// Entry is a part of a history as a journal keeps it. A [Recorder] makes entries,
// and a [Replayer] makes a timeline of them.
type Entry struct {
	Kind  EntryKind
	Cycle int64       // of the snapshot; of a working state the coming one; 0 of a history
	Text  string      // a canonical JSON object
	Info  *CommitInfo // of a commit; nil if nothing is known of it

	Snapshot *Snapshot // what a Recorder made the entry of; nil of a history
}
