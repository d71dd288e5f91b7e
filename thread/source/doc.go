// Package source reads files that record model calls. Each call becomes a [series.Request]: the
// messages that were sent, and what came back. So does each event that the source states.
//
// Each kind of source has its own files: requests.go, inspect.go, codex*.go, atif.go, otel*.go,
// geminicli.go, opencode*.go, sweagent.go and claude*.go. They share source.go, lines.go, value.go
// and message.go. What becomes of each kind of record is in a table, where there are many (decision
// C8, [Records]).
//
// [Read] recognizes the kind of a file from its content. Files are streamed if their kind allows
// it: one line, document or member of an archive is in memory at a time, together with the distinct
// messages and what could not be read since the latest request. Nothing is invented: what cannot be
// read is reported with its file, line and path, and kept with a request, see [series.Kept].
package source
