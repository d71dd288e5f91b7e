// Package thread renders snapshots as the message lists that LLM providers accept, and imports the
// logs of providers as histories.
//
// [Render] writes an [engine.Snapshot] in a [Format]: the system header, the sealed segments from
// the oldest on, then the active head, each with its pre-context, core and post-context. [Import]
// does the reverse: it replays a log turn by turn, with a snapshot for each turn. Rendering an
// imported log gives the log again. [Prefix] compares the threads of two snapshots: how much of it
// a prompt cache can use again, and what ended the common part.
//
// Nothing is dropped silently. A [Note] reports what a format cannot hold and what was done
// instead; the node keeps the content.
//
// docs/reference/thread.md describes the mapping of every format.
package thread
