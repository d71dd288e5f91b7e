package history_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// caseFiles returns the files of a test case of package source, in groups.
func caseFiles(t testing.TB, name string) [][]source.File {
	t.Helper()
	var files []source.File
	for c := range testkit.Load(t, "../../testdata/source/"+name+".txtar") {
		for _, f := range c.Archive.Files {
			if !strings.HasPrefix(f.Name, "want") {
				files = append(files, source.Bytes(f.Name, f.Data))
			}
		}
	}
	groups, err := source.Group(t.Context(), files, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return groups
}

// TestAgents checks that the histories of an agent and of its session refer to each other, and that
// the cycles of both count the calls of all files.
func TestAgents(t *testing.T) {
	got := map[string]string{}
	for _, files := range caseFiles(t, "claude-agent") {
		for h, err := range history.Files(t.Context(), files, source.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for s := range h.Timeline.Sealed() {
				call := s.Info().Call
				if call == nil { // the last answer
					continue
				}
				fmt.Fprintf(&b, "c%d %s:%d %v", s.Cycle(), call.File, call.Number, call.Starts)
				if by := call.By; by != nil {
					fmt.Fprintf(&b, " by c%d of %s, %s", by.Cycle, by.History, by.Call)
				}
				b.WriteString("\n")
			}
			got[h.Name] = b.String()
		}
	}
	want := map[string]string{
		"session test-session-004": "c1 in.jsonl:0 [{toolu_task_001 agent atest01}]\nc2 in.jsonl:1 []\n",
		"agent atest01":            "c3 agent-atest01.jsonl:0 [] by c1 of session test-session-004, toolu_task_001\nc4 agent-atest01.jsonl:1 []\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCompacted checks that the messages before the boundary of a compaction are gone after it, and
// that the summary replaces them.
func TestCompacted(t *testing.T) {
	for _, files := range caseFiles(t, "claude-session-compacted") {
		for h, err := range history.Files(t.Context(), files, source.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			last := h.Timeline.At(0)
			for _, id := range []string{"compact-001", "compact-002"} {
				if n, ok := last.Find(id); ok {
					t.Errorf("%s is still there: %v", n.ID(), n)
				}
			}
			if _, ok := last.Find("compact-004"); !ok {
				t.Error("the summary is not there")
			}
			s, _ := h.Timeline.OfCycle(3) // after the answer, which left, too
			want := []engine.Cause{{ID: "compact-001", Cause: "compacted", By: "compact-004"}, {ID: "compact-002", Cause: "compacted", By: "compact-004"}}
			if diff := cmp.Diff(want, s.Info().Causes); diff != "" {
				t.Error(diff)
			}
		}
	}
}

// TestKept checks that a history keeps malformed parts of its source and what was recorded after
// the last call, and that no call was sent either.
func TestKept(t *testing.T) {
	for _, files := range caseFiles(t, "claude-after") {
		for h, err := range history.Files(t.Context(), files, source.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for s := range h.Timeline.Sealed() {
				out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{})
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "c%d %s\n", s.Cycle(), out.JSON)
				for n := range s.All() {
					if n.Type() == "cont:record" {
						fmt.Fprintf(&b, "%s %s %s:%s %s\n", n.ID(), n.Header("kind"), n.Header("file"), n.Header("line"), n.Content())
					}
				}
			}
			want := `c1 [{"role":"user","content":"One."}]
cont:2 "malformed" "in.jsonl":2 "{\"type\":\"user\",\"uuid\":\"half"
cont:3 "malformed" "in.jsonl":4 {"message":7,"type":"user","uuid":"x1"}
c2 [{"role":"user","content":"One."},{"role":"assistant","content":"Uno."},{"role":"user","content":"Two."}]
cont:2 "malformed" "in.jsonl":2 "{\"type\":\"user\",\"uuid\":\"half"
cont:3 "malformed" "in.jsonl":4 {"message":7,"type":"user","uuid":"x1"}
cont:5 "malformed" "in.jsonl":9 [1,2]
cont:6 "unsent" "in.jsonl":7 "A branch without an answer."
c3 [{"role":"user","content":"One."},{"role":"assistant","content":"Uno."},{"role":"user","content":"Two."},` +
				`{"role":"assistant","content":"Dos."},{"role":"user","content":"Three."}]
cont:2 "malformed" "in.jsonl":2 "{\"type\":\"user\",\"uuid\":\"half"
cont:3 "malformed" "in.jsonl":4 {"message":7,"type":"user","uuid":"x1"}
cont:5 "malformed" "in.jsonl":9 [1,2]
cont:6 "unsent" "in.jsonl":7 "A branch without an answer."
`
			if diff := cmp.Diff(want, b.String()); diff != "" {
				t.Error(diff)
			}
			checkRecording(t, h.Timeline)
		}
	}
}

// TestAfter checks that the last snapshot has what was recorded after the last answer, and that the
// turn is not finished.
func TestAfter(t *testing.T) {
	files := map[string]string{
		"rollout.jsonl": `{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"unanswered"}]}}
`,
		"trajectory.json": `{"schema_version":"ATIF-v1.4","session_id":"s","agent":{"name":"x","version":"1"},"steps":[
{"step_id":1,"source":"user","message":"a"},
{"step_id":2,"source":"agent","message":"b"},
{"step_id":3,"source":"user","message":"unanswered"}]}`,
	}
	for name, text := range files {
		list, err := readAll(t, source.Bytes(name, []byte(text)), source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for s := range list[0].Timeline.Sealed() {
			out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var messages []struct{ Role string }
			if err := json.Unmarshal(out.JSON, &messages); err != nil {
				t.Fatalf("%v: %s", err, out.JSON)
			}
			got = append(got, fmt.Sprintf("c%d %d", s.Cycle(), len(messages)))
			if head, _ := s.Region(engine.RegionHead); s.Cycle() == 2 && (!strings.Contains(string(out.JSON), "unanswered") || len(slices.Collect(head.Children())) == 0) {
				t.Errorf("%s: the last snapshot is %s", name, out.JSON)
			}
		}
		if diff := cmp.Diff([]string{"c1 1", "c2 3"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestAbout checks that nodes keep what the source records about a message but was not sent.
func TestAbout(t *testing.T) {
	want := map[string]string{
		"agent-001": `message_id= timestamp="2026-01-31T13:00:00.000Z" usage= uuid="agent-001"`,
		"agent-002": `message_id="msg_assistant_030" timestamp="2026-01-31T13:00:01.000Z" usage={"input_tokens":100,"output_tokens":30} uuid="agent-002"`,
	}
	got := map[string]string{}
	for _, files := range caseFiles(t, "claude-agent") {
		for h, err := range history.Files(t.Context(), files, source.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			for s := range h.Timeline.Sealed() {
				for n := range s.All() {
					if want[n.ID()] != "" {
						got[n.ID()] = fmt.Sprintf("message_id=%s timestamp=%s usage=%s uuid=%s", n.Header("message_id"), n.Header("timestamp"), n.Header("usage"), n.Header("uuid"))
					}
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
