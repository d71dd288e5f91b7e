// Package eval measures selecting from a context tree beside cascadia and goquery (CSS over a tree of HTML), gojq (jq
// over maps), SQLite (indexed tables) and what a program would do by hand: a loop over all nodes, and an index made for
// the very question. All ask the same trees, and a test proves that all give the same answers.
package eval
