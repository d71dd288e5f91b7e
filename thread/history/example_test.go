package history_test

import (
	"context"
	"fmt"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// What did the model see at each call?
func ExampleFiles() {
	file := source.Bytes("requests.jsonl", []byte(`{"messages":[{"role":"user","content":"Is flight 12 late?"}]}
{"messages":[{"role":"user","content":"Is flight 12 late?"},{"role":"assistant","content":"No."},{"role":"user","content":"Thanks."}]}
{"messages":[{"role":"user","content":"Summary: flight 12 is on time."},{"role":"user","content":"Thanks."}]}
`))
	for h, err := range history.Files(context.Background(), []source.File{file}, source.Options{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for s := range h.Timeline.Sealed() {
			out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{})
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf("@c%d %s\n", s.Cycle(), out.JSON)
			for _, c := range s.Info().Causes {
				fmt.Printf("  %s %s into %s\n", c.ID, c.Cause, c.By)
			}
		}
	}
	// Output:
	// @c1 {"messages":[{"role":"user","content":"Is flight 12 late?"}]}
	// @c2 {"messages":[{"role":"user","content":"Is flight 12 late?"},{"role":"assistant","content":"No."},{"role":"user","content":"Thanks."}]}
	// @c3 {"messages":[{"role":"user","content":"Summary: flight 12 is on time."},{"role":"user","content":"Thanks."}]}
	//   block:1 compacted into block:4
	//   block:2 compacted into block:4
}
