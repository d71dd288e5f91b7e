package diag_test

import (
	"fmt"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// Apply makes the edits of a fix.
func ExampleApply() {
	const src = ".block [ttl=1 key='a']"
	_, found := parser.ParseSelector(src, parser.Options{})
	for _, d := range found {
		fixed, _ := diag.Apply(src, d.Fixes[0].Edits)
		fmt.Printf("%s %s: %s\n%s\n", d.Severity, d.Code, d.Message, fixed)
	}
	// Output:
	// error E_SELECTOR_INVALID: tests in brackets are separated by commas
	// .block [ttl=1, key='a']
}
