// Package source reads files that record model calls: each call becomes a [series.Request], the list of messages that
// was sent and what came back.
//
// [Read] recognizes the kind of a file from its content. Files are read as a stream where their kind allows it; what is
// in memory at once is a line, a document or a member of an archive, and the distinct messages. Nothing is invented: what
// cannot be read is noted with its file, line and path, and kept with the request it was found before, see [series.Kept].
package source
