// Package history makes histories of model calls: a snapshot for each call, which shows what was sent.
//
// A [Writer] takes the calls of one conversation, as package series finds them, and returns the
// entries of a history, which a journal stores and [engine.Replayer] turns into a timeline. An
// entry holds the difference from the previous call, so the size of a history is proportional to
// what is new in each call.
//
// The cycle of the snapshot of a call is its number plus one, so cycles count all calls of a source from 1. The turn in
// progress is in ^ah, finished turns are segments. A turn begins with a user message that is not a summary. What is
// beside the messages, such as the tools, is in a container in ^sys. The last snapshot holds the last answer. Why nodes
// left is in [engine.CommitInfo], and so is the model call.
package history
