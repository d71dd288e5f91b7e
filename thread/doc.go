// Package thread renders snapshots as the message lists that LLM providers accept, and imports the
// logs of providers as histories.
//
// [Render] writes an [engine.Snapshot] in a [Format]: the system header, the sealed segments from
// the oldest on, then the active head, each with its pre-context, core and post-context. [Import]
// does the reverse: it replays a log turn by turn, with a snapshot for each turn. Rendering an
// imported log gives the log again. [Prefix] compares the threads of two snapshots: how much of it
// a prompt cache can reuse, and what ended the common part.
//
// Nothing is dropped silently. A [Note] reports what a format cannot hold and what was done
// instead; the node keeps the content.
//
// docs/reference/thread.md describes the mapping of every format.
//
// Logs that record what each model call was sent are read by package source, compared from call to call by package series, and
// made histories of by package history.
//
// # Files
//
// The two directions share format.go, origin.go (what an importer writes down to render the log again), value.go, image.go and
// calls.go (which result answers which call).
//
// Rendering is in render.go, which collects the blocks of a snapshot, and in renderpairs.go, renderoverlays.go,
// rendercontent.go and renderwriter.go; render and the name of a format, such as renderopenai.go, is what is particular to it.
//
// Importing is in import.go; importtext.go takes a file apart, importfile.go finds the logs in it, importmessages.go and
// importparts.go read a message, importbuild.go and importcalls.go build the history. import and the name of a format, such as
// importopenai.go, is what is particular to it. nodes.go makes nodes of messages without a history.
//
// prefix.go compares the threads of two snapshots.
package thread
