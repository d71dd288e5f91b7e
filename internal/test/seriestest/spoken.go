package seriestest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Spoken writes the content of a message as text, the same for every provider: a line for its text,
// and one for each call and result.
func Spoken(t testing.TB, text string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	arguments := func(v any) any {
		var out any
		if s, ok := v.(string); ok && json.Unmarshal([]byte(s), &out) == nil {
			return out
		}
		return v
	}
	content := m["content"]
	if m["parts"] != nil {
		content = m["parts"]
	}
	role := fmt.Sprint(m["role"])
	switch {
	case m["type"] == "function_call":
		return fmt.Sprintf("call %v %v %v\n", m["call_id"], m["name"], arguments(m["arguments"]))
	case m["type"] == "function_call_output":
		return fmt.Sprintf("result %v %v\n", m["call_id"], m["output"])
	case role == "tool" && m["parts"] == nil:
		return fmt.Sprintf("result %v %v\n", m["tool_call_id"], content)
	}
	list, ok := content.([]any)
	if !ok {
		list = []any{}
		if content != nil && content != "" {
			list = append(list, map[string]any{"type": "text", "text": content})
		}
	}
	for _, part := range list {
		p := part.(map[string]any)
		switch p["type"] {
		case "text", "input_text", "output_text":
			said := p["text"]
			if said == nil {
				said = p["content"]
			}
			fmt.Fprintf(&b, "%s: %v\n", role, said)
		case "tool_use":
			fmt.Fprintf(&b, "call %v %v %v\n", p["id"], p["name"], p["input"])
		case "tool_call":
			fmt.Fprintf(&b, "call %v %v %v\n", p["id"], p["name"], arguments(p["arguments"]))
		case "tool_result":
			fmt.Fprintf(&b, "result %v %v\n", p["tool_use_id"], p["content"])
		case "tool_call_response":
			fmt.Fprintf(&b, "result %v %v\n", p["id"], p["response"])
		default:
			fmt.Fprintf(&b, "%s: %v\n", role, p)
		}
	}
	calls, _ := m["tool_calls"].([]any)
	for _, call := range calls {
		c := call.(map[string]any)
		f := c["function"].(map[string]any)
		fmt.Fprintf(&b, "call %v %v %v\n", c["id"], f["name"], arguments(f["arguments"]))
	}
	return b.String()
}
