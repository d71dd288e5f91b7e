// Package search runs one selector on many sessions.
//
// A selector that looks at one snapshot needs no history. One strict pass over a log makes a tape:
// the nodes of the newest tree with their positions, roles, kinds and ids, and where their contents
// are. The selector runs on the tape, and only the contents of candidates are decoded. Logs that do
// not fit on a tape, and selectors that compare snapshots, are answered from the history that
// package thread makes; the answers are the same.
package search
