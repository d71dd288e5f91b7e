// Package journal keeps a history in an append-only file.
//
// A journal is text: one JSON object per line. The first line is a header. Every further line is a
// [Frame]: a whole tree, the changes of a commit, or a working state. Each line ends with a digest
// of the previous digest and the line itself, so the last digest identifies the whole history.
// docs/reference/journal.md describes every byte.
//
// [Head.Append] turns the states of a live context into frames, one for each commit, and a
// [Decoder] turns frames back into a timeline.
package journal
