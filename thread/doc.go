// Package thread renders snapshots as the message lists that LLM providers accept, and imports
// provider logs as histories.
//
// [Render] writes an [engine.Snapshot] in a [Format]: the system header, the sealed segments from
// the oldest on, then the active head, each with its pre-context, core and post-context. [Import]
// does the reverse: it replays a log turn by turn, with a snapshot for each turn. Rendering an
// imported log reproduces the log. [Prefix] compares the threads of two snapshots: how much of the
// older one a prompt cache can reuse, and what ended the common prefix.
//
// Nothing is dropped silently. A [Note] reports what a format cannot represent and what was done
// instead; the node keeps the content.
//
// docs/reference/thread.md describes the mapping of every format.
//
// For logs that record what each model call was sent, package source reads them, package series
// compares each call with the previous one, and package history makes histories of them.
//
// # Files
//
// Both directions share format.go, origin.go (what an importer records in order to render the log
// again), value.go, image.go and calls.go (which result belongs to which call).
//
// Rendering is in render.go, which collects the blocks of a snapshot, and in renderpairs.go,
// renderoverlays.go, rendercontent.go and renderwriter.go. Each format has a file of its own, such
// as renderopenai.go.
//
// Importing is in import.go. importtext.go splits a file into JSON texts, importfile.go finds the
// logs in it, importmessages.go and importparts.go read messages, and importbuild.go and
// importcalls.go build the history. Each format has a file of its own, such as importopenai.go.
// nodes.go makes nodes of messages without a history.
//
// prefix.go compares the threads of two snapshots.
package thread
