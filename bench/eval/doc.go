// Package eval measures selecting from a context tree beside cascadia and goquery (CSS over a tree of HTML), gojq (jq
// over maps), SQLite (indexed tables) and what a program would do by hand: a loop over all nodes, and an index made for
// the very question. All ask the same trees, and a test proves that all give the same answers.
//
// What counts as an answer is what each library hands out: pactkit handles on nodes of 24 bytes, the loop and the index
// by hand, SQLite and gojq ids of 16 bytes that are already there or copied, cascadia and goquery pointers of 8.
// pactkit-into is the same plan writing into a slice of the caller's, which no other library has a way to do.
// BenchmarkCold goes from a text to ids. Plans, statements and matchers are made beforehand, and what pactkit and SQLite
// remember of a tree after the first questions is theirs to use, as the index by hand has its lists.
package eval
