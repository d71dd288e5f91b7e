// Package eval compares queries of a context tree with cascadia and goquery (CSS on an HTML tree),
// gojq (jq on maps), SQLite (indexed tables) and handwritten code: a loop over all nodes, and an
// index made for exactly one query. All search the same trees, and a test checks that all give the
// same answers.
//
// The answer is what each library returns: node handles of 24 bytes for pactkit; ids of 16 bytes,
// existing or copied, for the handwritten code, SQLite and gojq; pointers of 8 bytes for cascadia
// and goquery. pactkit-into runs the same plan but appends to a slice of the caller, which no other
// library can do. Plans, statements and matchers are prepared beforehand. pactkit and SQLite may
// use what they cached about a tree during earlier queries, just as the handwritten index has its
// lists. BenchmarkCold instead measures everything from the text of a selector to the ids.
package eval
