package thread_test

import (
	"testing"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// TestSelectable checks that selectors find what the documentation of importers says.
func TestSelectable(t *testing.T) {
	log := []byte(`[
		{"role":"system","content":"s"},
		{"role":"user","content":"u"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"call_x","type":"function","function":{"name":"book","arguments":"{\"cabin\":\"economy\",\"bags\":2,\"paid\":true,\"to\":{\"city\":\"Ulm\"}}"}}]},
		{"role":"tool","tool_call_id":"call_x","name":"book","content":"done"},
		{"role":"assistant","content":"a"},
		{"role":"user","content":"u2"}
	]`)
	for selector, want := range map[string]int{
		"^sys .block+system":            1,
		".block+user":                   2,
		".block+tool":                   1,
		".block{kind='call'}":           1,
		".block{name='book'}":           2,
		".block{arg_cabin='economy'}":   1,
		".block{arg_bags=2}":            1,
		".block{call_id='call_x'}":      2,
		".block{arg_to='x'}":            0,
		"#call_x":                       1,
		"d1 .block":                     1,
		"d2 .block{role='assistant'}":   2,
		".block{content~'bags'}":        1,
		".block{created_at_iso~'1970'}": 6,
	} {
		logs, err := thread.Import(t.Context(), "log.json", log, thread.OpenAI, thread.ImportOptions{Edition: engine.Edition10})
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := pactkit.FromContext(logs[0].Context).Select(t.Context(), selector)
		if err != nil || len(nodes) != want {
			t.Errorf("%s: %d nodes, want %d, %v", selector, len(nodes), want, err)
		}
	}
}
