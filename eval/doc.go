// Package eval answers selectors: it turns the tree of a query into a plan and runs the plan over snapshots and
// timelines.
//
//	plan, ds := eval.Compile(query)
//	result, err := plan.Select(ctx, timeline, eval.Options{})
//	fmt.Println(result.IDs())
//
// What a selector means is said in docs/reference/language.md; decision numbers (D3, D7 …) are of that page. What
// depends on data is decided here, what depends on the text alone (the meaning of an unquoted #name, legacy
// forms) was decided by package parser.
//
// A chain of steps runs over one chunk of the tree at a time (see package engine), and passes over those that cannot
// hold what it wants; ids and keys are looked up. A question about many snapshots looks at the chunks that neighbours do
// not share, unless the answer depends on depths, ages, positions among siblings or counts.
//
// Plans are immutable and safe for concurrent use, as timelines and snapshots are. No evaluation changes anything, and
// the same plan on the same timeline gives the same bytes. Time and memory are linear in the nodes looked at, for
// each step of the selector; an evaluation stops soon after its context is done.
package eval
