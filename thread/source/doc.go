// Package source reads files that record model calls: each call becomes a [series.Request], the list of messages that
// was sent and what came back.
//
// Each kind of source has its own file: requests.go, inspect.go, codex.go, atif.go; claudecode.go
// with the agents and the segments of compactions in claudeagents.go and claudesegment.go; otel.go
// with the attributes that hold lists in otelnumbered.go. What they share is in source.go, value.go
// and message.go.
//
// [Read] recognizes the kind of a file from its content. Files are streamed if their kind allows
// it; at any time a line, a document or a member of an archive is in memory, together with the
// distinct messages and whatever could not be read since the latest request. Nothing is invented:
// what cannot be read is noted with its file, line and path, and kept with a request, see
// [series.Kept].
package source
