package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
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

// TestStates checks where messages are in states (C12): an answer seals the turn unless a call
// waits for its result, a compaction and a clear seal nothing, and a rewind or rollback opens its
// turn again.
func TestStates(t *testing.T) {
	for name, want := range map[string][]string{
		"claude-branches": {
			"@c1 call: sys now Both.",
			"@c2 call: sys now Both.   one two",
			"@c3 call: sys turn Both.   one two Done. now Now this.",
			"@c4 answer: sys turn Both.   one two Done. turn Now this. This. now",
			"@c5 rewind: sys now Both.   one two Done.",
			"@c6 call: sys turn Both.   one two Done. now Rather that.",
			"@c8 answer: sys turn Both.   one two Done. turn Rather that. That. now",
			"@c9 clear: sys now <command-name>/clear</command-name>\n<command-args></command-args>\n",
			"@c10 call: sys now <command-name>/clear</command-name>\n<command-args></command-args>\n Something else.",
			"@c11 answer: sys turn <command-name>/clear</command-name>\n<command-args></command-args>\n Something else. Yes? now",
			"@c7 call: sys now A task.",
			"@c12 answer: sys turn A task. Working. now",
		},
		"codex": {
			"@c1 call: sys You are Codex. now <environment_context>cwd</environment_context> List the files.",
			"@c2 call: sys You are Codex. now <environment_context>cwd</environment_context> List the files.  {} a b",
			"@c3 answer: sys You are Codex. turn <environment_context>cwd</environment_context> List the files.  {} a b a and b. now",
			"@c4 compaction: sys You are Codex. turn List the files. now Another agent said: Listed a and b.",
			"@c5 call: sys You are Codex. turn List the files. now Another agent said: Listed a and b. And c?",
			"@c6 answer: sys You are Codex. turn List the files. turn Another agent said: Listed a and b. And c? No c. now",
			"@c7 rollback: sys You are Codex. turn List the files. now Another agent said: Listed a and b.",
			"@c8 call: sys You are Codex. turn List the files. now Another agent said: Listed a and b. And d?",
			"@c9 answer: sys You are Codex. turn List the files. turn Another agent said: Listed a and b. And d? No d. now",
			"@c10 compaction: sys You are Codex. turn List the files. turn And d? now Nothing but a and b.",
			"@c11 call: sys You are Codex. turn List the files. turn And d? now Nothing but a and b.",
			"@c12 answer: sys You are Codex. turn List the files. turn And d? turn Nothing but a and b. Ready. now",
		},
	} {
		var got []string
		for _, files := range caseFiles(t, name) {
			for h, err := range history.Files(t.Context(), files, source.Options{}) {
				if err != nil {
					t.Fatal(err)
				}
				for s := range h.Timeline.Sealed() {
					kind := "call"
					if e := s.Info().Event; e != nil {
						kind = e.Kind
					}
					got = append(got, fmt.Sprintf("@c%d %s: %s", s.Cycle(), kind, outline(s)))
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
