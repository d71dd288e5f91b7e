package format_test

import (
	"fmt"

	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
)

// A selector file keeps its comments; a selector with an error keeps its bytes.
func ExampleSource() {
	r := format.Source("# The last answer\n^seq   .block+assistant:last\n.block[\n", format.Options{})
	fmt.Print(r.Text)
	fmt.Println(r.Diagnostics[0].Message)
	// Output:
	// # The last answer
	// @t0 (^seq *[nodeType='block']+assistant:last)
	// .block[
	// `[` is never closed
}

func ExampleNode() {
	q, _ := parser.ParseSelector("@t0 (*[nodeType='block']) +user [ ttl<=1 ]", parser.Options{})
	fmt.Println(format.Node(q, format.Options{Style: format.Compact}))
	// Output: .block+user[ttl<=1]
}
