package engine

// EntryKind is the kind of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	EntryHistory  EntryKind = iota // the edition and members of the whole history; the first entry
	EntrySnapshot                  // a whole tree
	EntryDelta                     // the changes of a commit
	EntryWorking                   // a working state
)

// Entry is a part of a history as a journal keeps it. A [Recorder] makes entries,
// and a [Replayer] makes a timeline of them.
type Entry struct {
	Kind  EntryKind
	Cycle int64       // of the snapshot; for a working state the cycle in progress; 0 for EntryHistory
	Text  string      // a canonical JSON object
	Info  *CommitInfo // of a commit; nil if nothing is known of it

	// Version is that of the rules the history's entries are written by, from 1 to
	// [EntryVersion]; 0 stands for 1. Only entries of kind EntryHistory have it.
	Version int

	Snapshot *Snapshot // set by a Recorder: the state that the entry was made of; nil for EntryHistory
}
