// Agent is an agent in 60 lines. A store keeps its context, and a policy keeps the context in the
// window of the model.
//
//	agent SESSION QUESTION   ask
//	agent SESSION            continue an interrupted turn
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/policy"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread"
)

const rules = `{"window": 300, "keep-last": 1, "step": [{"clear": ".block+tool"}, {"drop": ".block"}]}`

func main() {
	ctx := context.Background()
	p := must(must(policy.Parse([]byte(rules))).Compile(policy.Options{}))
	live := must(pactkit.Attach(ctx, must(store.Open(ctx, "file:sessions")), os.Args[1], engine.Options{Policy: p}))
	insert := func(d engine.Draft) {
		must(live.Insert(ctx, "(d0,0, end)", d))
		must(0, live.Checkpoint(ctx))
	}
	if len(os.Args) > 2 {
		insert(engine.Draft{Role: "user", Content: engine.Text(os.Args[2])})
	}
	for {
		head := must(live.Select(ctx, "^ah .block"))
		if len(head) == 0 {
			return
		}
		last := head[len(head)-1]
		if kind, _ := last.Kind(); kind == "call" {
			insert(tool(last))
			continue
		}
		live.Engine().Describe(engine.CommitInfo{Call: &engine.Call{Model: "scripted"}})
		sent := must(live.Step(ctx)) // the policy applies; what is sent is durable
		for _, why := range sent.Info().Causes {
			fmt.Printf("(%s: %s by %s)\n", why.ID, why.Cause, why.Rule)
		}
		request := must(thread.Render(sent, thread.Anthropic, thread.RenderOptions{}))
		reply := model(request.JSON)
		insert(reply)
		if reply.Kind != "call" {
			fmt.Println(reply.Content)
			must(live.Commit(ctx))
			return
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
