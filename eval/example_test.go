package eval_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// A query is compiled once and run over any number of timelines.
func ExampleCompile() {
	history, err := engine.Read("log.json", strings.NewReader(`{"root":{"children":[{"nodeType":"^seq","children":[
		{"id":"turn","nodeType":"seg","children":[
			{"id":"question","nodeType":"block","tag":"user","priority":3},
			{"id":"answer","nodeType":"block","tag":"assistant"}]}]}]}}`), engine.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	query, found := parser.ParseSelector("^seq .block+user[priority>2]", parser.Options{})
	plan, wrong := eval.Compile(query)
	if plan == nil {
		log.Fatal(found, wrong)
	}
	result, err := plan.Select(context.Background(), history, eval.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(plan)
	fmt.Println(result.IDs())
	// Output:
	// search ^seq:
	//   1. ^seq
	//   2. below that, nodes of type block, tagged 'user' and with priority > 2
	// [question]
}
