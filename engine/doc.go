// Package engine keeps the context tree of the PACT specification: its nodes,
// their lifecycle, sealed snapshots, history files and differences. It does not know selectors.
//
// # Reading
//
// [Load] and [Read] read files of every form into a [Timeline], an immutable list of [Snapshot]s. A
// [Node] is a handle on one node of one snapshot.
//
// # A live context
//
// [New] makes an empty [Context]; [Resume] continues where a timeline ends.
// [Context.Insert], [Context.Replace], [Context.Move] and [Context.Delete]
// change the working state, [Context.Commit] seals it. Given a clock and a
// source of ids, the same calls give the same bytes on every run.
//
// # Searching
//
// [Snapshot.Find] and [Snapshot.Keyed] look nodes up in an index; [Snapshot.All] yields all nodes.
// Snapshots share the parts that are equal, and [Diff] compares only the rest. Package eval
// searches with selectors.
//
// Everything is safe for concurrent use. Readers never
// wait for a commit.
//
// Where the specification leaves a choice, docs/reference/engine.md says what
// the engine does and why.
package engine
