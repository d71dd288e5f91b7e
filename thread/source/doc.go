// Package source reads files that record model calls. Each call becomes a [series.Request]: the
// messages that were sent, and what came back. So does each event that the source states.
//
// The table of kinds in source.go names the reader of each, which has files of its own. They share
// lines.go, value.go and message.go; framework.go is common to the messages of frameworks, and
// transcript.go to all that record messages and not requests. What becomes of the kinds of records
// is in the tables of records.go (decision C8, [Records]).
//
// [Read] recognizes the kind of a file from its content. Files are streamed if their kind allows
// it: one line, document or member of an archive is in memory at a time, together with the distinct
// messages and what could not be read since the latest request. Nothing is invented: what cannot be
// read is reported with its file, line and path, and kept with a request, see [series.Kept].
package source
