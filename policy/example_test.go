package policy_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/policy"
)

// A policy clears the oldest results when the context exceeds its window.
func Example() {
	p, err := policy.Parse([]byte(`{"window": 100, "keep-last": 1, "step": [{"clear": ".block+tool"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	compiled, err := p.Compile(policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c, err := engine.New(engine.Options{Policy: compiled})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		result := engine.Draft{Role: "tool", Content: engine.Text(strings.Repeat("a line of a file\n", 15))}
		if _, err := c.Insert(engine.AtDepth(0, 0), result); err != nil {
			log.Fatal(err)
		}
		if _, err := c.Commit(); err != nil {
			log.Fatal(err)
		}
	}
	for _, why := range c.Timeline().At(1).Info().Causes {
		fmt.Println(why.ID, why.Cause, "by", why.Rule, "saved", why.Saved)
	}
	// Output: block:2 cleared by clear .block+tool saved 80
}
