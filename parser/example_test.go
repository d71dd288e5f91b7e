package parser_test

import (
	"fmt"

	"github.com/pactkit/pactkit/parser"
)

func ExampleParseSelector() {
	q, found := parser.ParseSelector("^seq .mt:depth(1) > .block+user", parser.Options{})
	fmt.Println(len(q.Union[0].Chains[0].Steps), "steps")
	for _, d := range found {
		fmt.Println(d.Message, "-", d.Hint)
	}
	// Output:
	// 2 steps
	// `^seq .mt:depth(1)` is a form of an older revision - write `d1`
}

func ExampleParsePosition() {
	p, _ := parser.ParsePosition("(d1, 0, end)?", parser.Options{})
	fmt.Println(p.Slot, p.Optional)
	// Output: end true
}
