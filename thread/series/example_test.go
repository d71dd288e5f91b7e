package series_test

import (
	"fmt"

	"github.com/pactkit/pactkit/thread/series"
)

// A result that was cleared keeps its node; the oldest messages are gone.
func Example() {
	message := func(role series.Role, value string) *series.Message { return &series.Message{Role: role, Value: value} }
	prompt := message(series.User, `{"content":"Is flight 12 late?","role":"user"}`)
	call := message(series.Assistant, `{"role":"assistant","tool_calls":[{"id":"call_1"}]}`)
	result := &series.Message{Role: series.Tool, Answers: []string{"call_1"}, Value: `{"content":"Flight 12 is on time.","role":"tool","tool_call_id":"call_1"}`}
	cleared := &series.Message{Role: series.Tool, Answers: []string{"call_1"}, Value: `{"content":"[cleared]","role":"tool","tool_call_id":"call_1"}`}
	answer := message(series.Assistant, `{"content":"It is on time.","role":"assistant"}`)
	next := message(series.User, `{"content":"And flight 14?","role":"user"}`)

	var tracker series.Tracker
	for i, request := range [][]*series.Message{
		{prompt, call, result},
		{prompt, call, cleared, answer, next},
		{cleared, answer, next},
	} {
		calls, err := tracker.Add(&series.Request{Messages: request, Origin: series.Origin{Call: i}})
		if err != nil {
			fmt.Println(err)
			return
		}
		if i == 2 {
			calls = append(calls, tracker.Flush()...)
		}
		for _, c := range calls {
			fmt.Printf("call %d: %d messages\n", c.Origin.Call, c.Length)
			for _, ch := range c.Changed {
				fmt.Printf("  %s changed: %s\n", ch.ID, ch.Reason)
			}
			for _, d := range c.Left {
				fmt.Printf("  %s left: %s\n", d.ID, d.Reason)
			}
		}
	}
	// Output:
	// call 0: 3 messages
	// call 1: 5 messages
	//   message:3 changed: cleared
	// call 2: 3 messages
	//   message:1 left: trimmed
	//   message:2 left: trimmed
}
