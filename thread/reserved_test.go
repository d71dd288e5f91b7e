package thread_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/thread"
)

// TestPrefix checks T22: a member of a log whose name is that of a header, or is derived by
// selectors or written by importers, gets a prefix in the tree, so that it hides nothing, and its
// own name when it is rendered. The prefix is message_ for members outside or in messages, part_
// for parts, function_ for functions, and record_ for the records of Claude Code.
func TestPrefix(t *testing.T) {
	// Names that selectors derive, some headers, and one that is free.
	names := []string{"entered", "left", "cause", "rule", "saved", "depth", "age", "provenance", "call_id", "ttl", "cycle", "priority", "mood"}
	members := func() string {
		var b strings.Builder
		for _, name := range names {
			fmt.Fprintf(&b, ",%q:%q", name, "own "+name)
		}
		return b.String()
	}
	log := `{"model":"m"` + members() + `,"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"a"` + members() + `}]` + members() + `},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"` + members() + `}}]}]}`
	session := `{"type":"user","uuid":"u1","message":{"role":"user","content":"a"}` + members() + `}`
	var got []string
	for text, format := range map[string]thread.Format{log: thread.OpenAI, session: thread.ClaudeCode} {
		logs, err := thread.Import(t.Context(), "log.json", []byte(text), format, thread.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := logs[0].Timeline().At(0)
		for n := range s.All() {
			for name, v := range n.Members() {
				text, _ := v.Text()
				if own, ok := strings.CutPrefix(text, "own "); ok {
					if thread.IsReserved(name) {
						t.Errorf("%s has the member %s of the log, which hides its own", n.ID(), name)
					}
					if prefix, ok := strings.CutSuffix(name, own); ok {
						got = append(got, n.Type()+" "+prefix+" "+own)
					}
				}
			}
		}
		out, err := thread.Render(s, format, thread.RenderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var before, after any
		if err := json.Unmarshal([]byte(text), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.JSON, &after); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	var want []string
	for _, name := range names {
		prefixed := func(prefix string) string {
			if thread.IsReserved(name) {
				return prefix
			}
			return ""
		}
		for _, node := range []string{"cont:log message_", "block message_", "block function_", "block record_"} {
			typ, prefix, _ := strings.Cut(node, " ")
			want = append(want, typ+" "+prefixed(prefix)+" "+name)
		}
		want = append(want, "block part_ "+name) // the name without a prefix is the message's
	}
	slices.Sort(want)
	want = slices.Compact(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if thread.IsReserved("mood") || !thread.IsReserved("entered") || !thread.IsReserved("left") || !thread.IsReserved("cause") {
		t.Error("the names of the life of a node are reserved, and others are not")
	}
}

// TestDerivedReserved checks that a member of a log cannot hide an attribute that selectors derive.
func TestDerivedReserved(t *testing.T) {
	for term := range vocab.All(vocab.Attribute) {
		if term.Derived && !thread.IsReserved(term.Name) {
			t.Errorf("add %s to reserved in importbuild.go", term.Name)
		}
	}
}
