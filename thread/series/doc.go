// Package series compares each model call of a conversation with the previous one: which parts of
// messages are new, which left and why, and which changed.
//
// A [Tracker] takes the [Request]s of a source in order and returns a [Step] for each, and one for
// each state that an answer left and no call was sent (decision C4). A step contains only the
// difference from the previous one of its conversation; [Apply] restores the whole list. A part has
// the same [Node] in every step (C1, C3). It is recognized by its id in the source, otherwise by
// comparing the normal forms (C2) of the two lists.
//
// A node that left has a [Cause]. If the source does not state it, it is inferred from the two
// requests and marked as inferred. If several causes would lead to the same requests, the cause is
// [Unknown].
//
// A side call, such as that of a summarizer, is sent the context of a conversation and a prompt of
// its own. It is not part of the conversation: the call after it is compared with the call before
// it. A call that shares nothing with a conversation begins another one.
package series
