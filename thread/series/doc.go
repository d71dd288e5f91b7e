// Package series follows the requests of a conversation from one model call to the next: which messages stay, which are
// new, which left and why, what changed.
//
// A [Tracker] takes the [Request]s of a source in order and returns a [Call] for each. A call holds
// only the difference from the previous call of its conversation, and [Apply] restores the whole
// list. A message keeps its [Node] from call to call: by the id that the source gives it, else by
// comparing the two lists.
//
// A node that left has a [Cause]. If the source states it, that is the cause; else the cause is
// inferred from the two requests and marked as inferred. If two causes would give the same
// requests, the cause is [Unknown].
//
// A side call was sent the context of a conversation and a prompt of its own, such as that of a summarizer. It is not
// part of the conversation: the call after it is compared with the call before it. Calls that share nothing with the
// conversation begin another one.
package series
