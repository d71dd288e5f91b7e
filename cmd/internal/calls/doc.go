// Package calls lists the model calls of a history: what each was sent, what entered, changed and
// left since the previous call, how many tokens that is, and what ended the prefix that a
// provider's cache could reuse.
//
// A call is a snapshot whose [engine.CommitInfo] records one. In a history that
// records none, each sealed snapshot counts as a call, since the specification
// makes a snapshot the input of its cycle (PACT 1.0, snapshots §2.1).
//
// A state between calls, whose CommitInfo has an Event, is not a call (decision C4); see
// [Options].States.
//
// A side call is compared with the call before it, and so is the call after it.
package calls
