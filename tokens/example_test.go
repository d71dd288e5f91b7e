package tokens_test

import (
	"fmt"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
)

// A policy keeps a context within the tokens of its model.
func Example() {
	counter := tokens.For("gpt-4o-mini")
	fmt.Println(counter.Count("How many tokens are these?"), counter.Exact())

	c, err := engine.New(engine.Options{Policy: &engine.Policy{
		Limits: []engine.Limit{{Tokens: 6}},
		Tokens: counter.Node,
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"an old remark", "a question about refunds"} {
		if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text(text)}); err != nil {
			fmt.Println(err)
			return
		}
	}
	s, err := c.Commit()
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := range s.All() {
		if text, ok := n.Content().Text(); ok {
			fmt.Println(text)
		}
	}
	// Output:
	// 6 true
	// a question about refunds
}
