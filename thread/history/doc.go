// Package history turns recorded model calls into histories, with a snapshot for each call that
// shows what was sent.
//
// A [Writer] takes the calls of one conversation, as package series returns them, and returns the
// entries of a history. A journal stores entries, and [engine.Replayer] turns them into a timeline.
// An entry contains the difference from the previous call, so the size of a history is proportional
// to what is new in each call.
//
// The cycle of a snapshot is the number of its call plus one, so cycles count all calls of a source
// from 1. The turn in progress is in ^ah; finished turns are segments. A turn begins with a user
// message that is not a summary. The rest of a request, such as the tools, is in a container in
// ^sys. The last snapshot contains the last answer. [engine.CommitInfo] describes the model call,
// and why nodes left.
package history
