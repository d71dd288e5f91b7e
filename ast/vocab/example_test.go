package vocab_test

import (
	"fmt"

	"github.com/pactkit/pactkit/ast/vocab"
)

func ExampleAll() {
	for t := range vocab.All(vocab.Region) {
		fmt.Println("^" + t.Name)
	}
	// Output:
	// ^root
	// ^sys
	// ^seq
	// ^ah
}

func ExampleLookup() {
	t := vocab.Lookup(vocab.Attribute, "ttl")
	fmt.Println(t.ID, t.Since)
	// Output: attribute.ttl 0.1
}
