// Package eval answers selectors: it compiles a query to a plan, and runs the plan over snapshots
// and timelines.
//
//	plan, ds := eval.Compile(query)
//	result, err := plan.Select(ctx, timeline, eval.Options{})
//	fmt.Println(result.IDs())
//
// The language reference, docs/reference/language.md, defines what a selector means; decision
// numbers (D3, D7 …) refer to it. Package parser resolves what depends on the text alone, such as
// the meaning of an unquoted #name; this package resolves what depends on the data.
//
// A chain of steps runs over one view at a time: some chunks of the tree, whose nodes are bits of a
// slice of words. Chunks that cannot hold what the chain requires are skipped; ids and keys are
// looked up. A query over many snapshots visits only the chunks that adjacent snapshots do not
// share, unless the answer depends on depths, ages, positions among siblings or counts.
//
// Plans are immutable and safe for concurrent use, as timelines and snapshots are. An evaluation
// changes nothing, and the same plan on the same timeline gives the same bytes. Time and memory are
// linear in the nodes that are searched, for each step of the selector; an evaluation stops soon
// after its context is done.
package eval
