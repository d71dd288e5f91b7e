// Package source reads files that record model calls. Each call becomes a [series.Request]: the
// messages that were sent, and what came back.
//
// Each kind of source has its own file: requests.go, inspect.go, codex.go (with codexrollout.go,
// codexcalls.go and codexhistory.go), atif.go, otel.go (with otelnumbered.go for attributes that
// form lists), and claudecode.go (with claudeagents.go for agents and claudesegment.go for
// compactions). They share source.go, lines.go, value.go and message.go.
//
// [Read] recognizes the kind of a file from its content. Files are streamed if their kind allows
// it: one line, document or member of an archive is in memory at a time, together with the distinct
// messages and what could not be read since the latest request. Nothing is invented: what cannot be
// read is reported with its file, line and path, and kept with a request, see [series.Kept].
package source
