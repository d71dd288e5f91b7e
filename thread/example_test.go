package thread_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pactkit/pactkit/thread"
)

func Example() {
	chat := []byte(`[
		{"role": "user", "content": "What is the weather in Ulm?"},
		{"role": "assistant", "content": null, "tool_calls": [
			{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Ulm\"}"}}]},
		{"role": "tool", "tool_call_id": "c1", "content": "rain"},
		{"role": "assistant", "content": "Rain."},
		{"role": "user", "content": "Thanks."}]`)
	logs, err := thread.Import(context.Background(), "chat.json", chat, thread.OpenAI, thread.ImportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	history := logs[0].Timeline()
	fmt.Println(history.Len(), "snapshots")

	firstTurn := history.At(1)
	r, err := thread.Render(firstTurn, thread.Anthropic, thread.RenderOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(r.JSON))
	// Output:
	// 2 snapshots
	// {"messages":[{"role":"user","content":"What is the weather in Ulm?"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"weather","input":{"city":"Ulm"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"rain"}]},{"role":"assistant","content":"Rain."}]}
}

func ExampleRender() {
	// A call whose result is gone gets an empty one, because providers refuse half a pair.
	logs, err := thread.Import(context.Background(), "chat.json", []byte(`[
		{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
		{"role": "user", "content": "go on"}]`), thread.OpenAI, thread.ImportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := thread.Render(logs[0].Timeline().At(0), thread.OpenAIResponses, thread.RenderOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range r.Notes {
		fmt.Println(n.Kind, n)
	}
	// Output:
	// placeholder c1: the call has no result; an empty one is added
}

func ExamplePrefix() {
	logs, err := thread.Import(context.Background(), "chat.json", []byte(`[
		{"role": "user", "content": "one"}, {"role": "assistant", "content": "1"}, {"role": "user", "content": "two"}]`),
		thread.OpenAI, thread.ImportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := thread.Prefix(logs[0].Timeline(), 0, thread.OpenAI, thread.RenderOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Event, r.Node)
	fmt.Println(r.Message)
	// Output:
	// appended block:6
	// 67 of 67 bytes and 2 of 2 units are shared (100.0 %); the thread continues with block:6
}
