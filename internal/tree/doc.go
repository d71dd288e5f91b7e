// Package tree stores snapshots of a context tree in memory: nodes with their headers, the parts
// that snapshots share, and the indexes that searches use.
//
// A [Snapshot] has a persistent list of [Chunk]s for each [Region]. A chunk holds one segment, or
// consecutive subtrees of another region, with the nodes numbered in document order. The list is a
// [Sequence]: a tree with at most 16 entries in each node. Each entry has a summary of what is
// below it, so expiry, differences and searches can skip parts that do not matter.
//
// [Snapshot.Chunks] yields the chunks that a [Filter] selects. A search looks at one [Run] at a
// time: the sets of one chunk or, from the second search on, of up to 16 small chunks. A
// [PostingList] lists the nodes with a word that few nodes have. An [Index] maps ids and keys to
// locations.
//
// Published trees are immutable and safe for concurrent use. Package engine makes trees, and
// package eval searches them.
package tree
