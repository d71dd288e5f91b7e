// Package history makes histories of model calls: a snapshot for each call, which shows what was sent.
//
// A [Writer] takes the calls of one conversation, as package series finds them, and gives the entries of a history, which a
// journal keeps and [engine.Replayer] makes a timeline of. An entry holds what differs from the call before, so that a
// history costs what is new in it.
//
// The snapshot of a call is of the cycle after its number, so that cycles count all calls of a source from 1. The turn in
// progress is in ^ah, finished turns are segments. A turn begins with a message of the user's that is not a summary. What
// is beside the messages, such as the tools, is in a container in ^sys. The last snapshot holds the last answer. Why nodes
// left is in [engine.CommitInfo], and so is the model call.
package history
