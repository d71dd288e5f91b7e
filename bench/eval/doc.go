// Package eval measures selecting from a context tree beside cascadia and goquery (CSS over a tree
// of HTML), gojq (jq over maps), SQLite (indexed tables) and code that a program would have by
// hand: a loop over all nodes, and an index made for exactly this question. All search the same
// trees, and a test checks that all give the same answers.
//
// The answer is what each library returns: pactkit handles of nodes, 24 bytes each; the loop and
// the index by hand, SQLite and gojq ids of 16 bytes, existing or copied; cascadia and goquery
// pointers of 8 bytes. pactkit-into is the same plan writing into a slice of the caller's, which no
// other library can do. BenchmarkCold goes from a text to ids. Plans, statements and matchers are
// prepared beforehand, and pactkit and SQLite may use what they cached about a tree after the first
// queries, as the index by hand has its lists.
package eval
