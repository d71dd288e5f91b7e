package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// outline describes where the texts of a snapshot are: system messages, then the finished turns
// from the oldest, then the turn in progress.
func outline(s *engine.Snapshot) string {
	var out []string
	for n := range s.All() {
		name := map[string]string{"^sys": "sys", "^ah": "now", "seg": "turn"}[n.Type()]
		switch {
		case name != "":
			out = append(out, name)
		case n.Base() == engine.BaseBlock:
			text, _ := n.Content().Text()
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// TestTurns checks where messages are after each call.
func TestTurns(t *testing.T) {
	message := func(text string) string {
		role := map[byte]string{'s': "system", 'u': "user", 'a': "assistant", 'z': "user"}[text[0]]
		if text[0] == 'z' {
			return fmt.Sprintf(`{"role":%q,"content":"Summary of it: %s"}`, role, text)
		}
		return fmt.Sprintf(`{"role":%q,"content":%q}`, role, text)
	}
	var file strings.Builder
	var want []string
	add := func(sent, tree string, tools bool) {
		var list []string
		for text := range strings.FieldsSeq(sent) {
			list = append(list, message(text))
		}
		suffix := ""
		if tools {
			suffix = `,"tools":[{"type":"function","function":{"name":"f"}}]`
		}
		fmt.Fprintf(&file, "{\"conversation_id\":\"c\",\"request\":{\"messages\":[%s]%s}}\n", strings.Join(list, ","), suffix)
		want = append(want, strings.ReplaceAll(tree, "z1", "Summary of it: z1"))
	}
	add("s1 u1", "sys s1 now u1", true)
	add("s1 u1 a1 a2", "sys s1 now u1 a1 a2", true)
	add("s1 u1 a1 a2 u2", "sys s1 turn u1 a1 a2 now u2", true)
	add("s1 u1 a1 a2 u2 a3 u3", "sys s1 turn u1 a1 a2 turn u2 a3 now u3", true)
	// A side call, which has no tools: the next call continues from the call before it.
	add("s1 u1 a1 a2 u2 a3 u3 a4 u9", "sys s1 turn u1 a1 a2 turn u2 a3 turn u3 a4 now u9", false)
	add("s1 u1 a1 a2 u2 a3 u3 a4 u4", "sys s1 turn u1 a1 a2 turn u2 a3 turn u3 a4 now u4", true)
	// The conversation is rewound: the second turn is open again.
	add("s1 u1 a1 a2 u2 a3 a5", "sys s1 turn u1 a1 a2 now u2 a3 a5", true)
	add("s1 u1 a1 a2 u2 a3 a5 u5", "sys s1 turn u1 a1 a2 turn u2 a3 a5 now u5", true)
	// The first turn is cut off, with its segment.
	add("s1 u2 a3 a5 u5 a6 u6", "sys s1 turn u2 a3 a5 turn u5 a6 now u6", true)
	// A summary does not begin a turn.
	add("s1 u2 z1 a6 u6 a7 u7", "sys s1 turn u2 z1 a6 turn u6 a7 now u7", true)
	for _, r := range record(t, "made.jsonl", []byte(file.String())) {
		r.check(t, "turns")
		var got []string
		for s := range r.timeline.Sealed() {
			got = append(got, outline(s))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		side, _ := r.timeline.OfCycle(5)
		if info := side.Info(); info.Side == nil || info.Side.Of != 4 {
			t.Errorf("cycle 5 is a side call of cycle 4: %v", info.Side)
		}
		if causes := r.timeline.At(0).Info().Causes; len(causes) != 3 || causes[0].Cause != "compacted" || causes[0].By == "" {
			t.Errorf("the causes of the last call: %v", causes)
		}
	}
}

// TestTurnsOfPersons checks that turns begin with what a person wrote, where the source says it:
// what the client adds belongs to the prompt that follows it, and a summary to the turn that it
// interrupts.
func TestTurnsOfPersons(t *testing.T) {
	user := func(id, parent, content, more string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"sessionId":"s","message":{"role":"user","content":%s}%s}`+"\n", id, parent, content, more)
	}
	answer := func(id, parent, content string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%q,"sessionId":"s","message":{"id":%[1]q,"role":"assistant","model":"m","content":[%[3]s]}}`+"\n", id, parent, content)
	}
	text := func(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }
	call := `{"type":"tool_use","id":"t","name":"Bash","input":{}}`
	result := `[{"type":"tool_result","tool_use_id":"t","content":"out"}]`
	boundary := func(id, last string) string {
		return fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","uuid":%q,"parentUuid":null,"logicalParentUuid":%q,"sessionId":"s","compactMetadata":{"trigger":"auto"}}`+"\n", id, last)
	}
	for _, c := range []struct{ name, log, want string }{
		{"echoes before a prompt", user("k", "", `"<command-name>/mcp</command-name>"`, "") + user("u", "k", `"one"`, "") + answer("a", "u", text("1")),
			"sys turn <command-name>/mcp</command-name>\n one 1 now"},
		{"an interrupt", user("u", "", `"one"`, "") + answer("a", "u", call) + user("r", "a", result, "") + user("i", "r", `[{"type":"text","text":"[Request interrupted by user]"}]`, "") +
			user("v", "i", `"two"`, "") + answer("b", "v", text("2")),
			"sys turn one  out [Request interrupted by user]\n turn two 2 now"},
		{"a summary within a turn", user("u", "", `"one"`, "") + answer("a", "u", call) + user("r", "a", result, "") + boundary("c", "r") + user("z", "c", `"short"`, `,"isCompactSummary":true`) +
			answer("b", "z", text("done")) + user("v", "b", `"two"`, "") + answer("d", "v", text("2")),
			"sys turn short done turn two 2 now"},
		{"a summary after a turn", user("u", "", `"one"`, "") + answer("a", "u", text("1")) + boundary("c", "a") + user("z", "c", `"short"`, `,"isCompactSummary":true`) +
			user("v", "z", `"two"`, "") + answer("d", "v", text("2")),
			"sys turn short\n two 2 now"},
	} {
		for _, r := range record(t, c.name+".jsonl", []byte(c.log)) {
			r.check(t, c.name)
			if diff := cmp.Diff(c.want, outline(r.timeline.At(0))); diff != "" {
				t.Errorf("%s: %s", c.name, diff)
			}
		}
	}
}
