package ast_test

import (
	"fmt"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser"
)

// All visits every node of a tree, parents before children.
func ExampleAll() {
	q, _ := parser.ParseSelector("^seq .block+user[ttl<=1], .note+user", parser.Options{})
	for n := range ast.All(q) {
		if tag, ok := n.(*ast.Tag); ok {
			fmt.Println(tag.Name, tag.Start(), tag.End())
		}
	}
	// Output:
	// user 11 16
	// user 31 36
}

func ExampleQuote() {
	fmt.Println("{ title=" + ast.Quote("it's\tnew") + " }")
	// Output: { title='it\'s\tnew' }
}
