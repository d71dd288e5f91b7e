// Package engine keeps the context tree of the PACT specification: its nodes,
// their lifecycle, sealed snapshots, history files and differences. It knows
// nothing of selectors.
//
// # Reading
//
// [Load] and [Read] read every form of file into a [Timeline], an immutable
// list of [Snapshot]s. A [Node] is a handle on one node of one snapshot.
//
// # A live context
//
// [New] makes an empty [Context], [Resume] goes on where a timeline ends.
// [Context.Insert], [Context.Replace], [Context.Move] and [Context.Delete]
// change the working state, [Context.Commit] seals it. Given a clock and a
// source of ids, the same calls give the same bytes on every run.
//
// # For searches
//
// A snapshot is a persistent list of [Chunk]s for each [Region]: a chunk holds
// one segment, or a run of subtrees of another region, with its nodes
// numbered in document order and sets of them ([Bits]) by type, tag, key and
// base. [Snapshot.Chunks] passes over parts that a [Filter] rules out;
// [Snapshot.Stretches] and [Sets] do the same with less work for each chunk, and a
// [Pack], made by the second search, with less for 16 of them at once.
// [Snapshot.Find] and [Snapshot.Keyed] go straight to nodes. Snapshots share the
// chunks they have in common; [Diff] looks only at the others.
//
// Everything may be used by any number of goroutines at once. Readers never
// wait for a commit.
//
// Where the specification leaves a choice, docs/reference/engine.md says what
// the engine does and why.
package engine
