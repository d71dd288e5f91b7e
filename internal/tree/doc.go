// Package tree keeps snapshots of a context tree in memory: nodes with their
// headers, the parts that snapshots share, and the indexes that searches need.
//
// A [Snapshot] is a persistent list of [Chunk]s for each [Region]. A chunk holds
// one segment, or a run of subtrees of another region, with its nodes numbered in
// document order. [Sequence] is the list: a tree of at most 16 entries a node,
// each with a summary of what is below it, so expiry, differences and searches skip
// parts that do not matter.
//
// [Snapshot.Chunks] yields the chunks that a [Filter] lets through. A search looks at
// a [Run] at a time: the sets of a chunk or, from the second search on, of up to 16
// small chunks side by side. A [PostingList] holds the nodes with a word that few
// nodes have. An [Index] maps ids and keys to locations.
//
// Everything that was published is immutable and may be read by any number of
// goroutines at once. Package engine makes the trees, and package eval searches
// them.
package tree
