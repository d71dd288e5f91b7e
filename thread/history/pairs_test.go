package history_test

import (
	"testing"
)

// TestHalfPairs checks that a call without its result, or a result without its call, is rendered as
// it was sent (T27).
func TestHalfPairs(t *testing.T) {
	for _, r := range record(t, "made.jsonl", []byte(`{"model":"m","messages":[{"role":"user","content":"go"},{"role":"tool","tool_call_id":"gone","content":"late"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"wait"}]}
{"model":"m","contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}}]}]}
{"model":"m","input":"a text"}
{"model":"m","input":[{"role":"user","content":"a text"},{"type":"reasoning","summary":[]},{"type":"function_call_output","call_id":"gone","output":"x"}]}
{"model":"m","max_tokens":1,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"gone","content":"x"},{"type":"text","text":""}]},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"tool_use","id":"c","name":"f","input":{}}]}]}
`)) {
		r.check(t, "half pairs")
	}
}
