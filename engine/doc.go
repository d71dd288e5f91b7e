// Package engine is the context tree of the PACT specification: nodes,
// snapshots, history files and diffs. It knows nothing of selectors.
//
// A [Timeline] is a list of immutable [Snapshot]s. A [Node] is a handle on one
// node of one snapshot. [Load] and [Read] read timelines from files.
//
// Snapshots share what they have in common: a snapshot is a persistent list
// of [Chunk]s, each holding one segment, or a run of subtrees of another
// region, with its nodes in document order. Every value is safe for any number
// of goroutines at once.
package engine
