// Package history turns recorded model calls into histories, with a snapshot for each call that
// shows what was sent, and one for each state that no call was sent (decision C4).
//
// A [Writer] takes the steps of one conversation, as package series returns them, and returns the
// entries of a history. A journal stores entries, and [engine.Replayer] turns them into a timeline.
// An entry contains the difference from the previous step, so the size of a history is proportional
// to what is new in each step.
//
// Cycles count the calls and states of a source from 1. The turn in progress is in ^ah; finished
// turns are segments. A turn begins with a user message that is not a summary (C12). The rest of a
// request, such as the tools, is in a container in ^sys. [engine.CommitInfo] describes the model
// call or the event, and why nodes left.
package history
