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
// # Searching
//
// [Snapshot.Find] and [Snapshot.Keyed] go straight to nodes, [Snapshot.All]
// yields every one. Snapshots share what they have in common, and [Diff] looks
// only at the rest. Package eval searches by selectors.
//
// Everything may be used by any number of goroutines at once. Readers never
// wait for a commit.
//
// Where the specification leaves a choice, docs/reference/engine.md says what
// the engine does and why.
package engine
