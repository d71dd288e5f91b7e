// Package thread turns a snapshot into the list of messages a provider is sent,
// and the logs of providers into histories.
//
// [Render] writes a [engine.Snapshot] in one of the formats of [Format]:
// system first, then the sealed segments from the oldest, then the active
// head; in each of them what stands before the core, the core, what stands
// behind it. [Import] goes the other way and replays a log turn by turn, so
// that every turn is a snapshot. Rendering what was imported gives the log
// again. [Prefix] tells how much of a thread is the same as one turn before,
// which is what prompt caches pay for, and what ended it.
//
// What a format cannot hold is never dropped in silence: [Note] says what, where
// and what was done instead, and the node keeps it.
//
// docs/reference/thread.md says for every format what is kept where.
package thread
