package inspect

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

// TestThreads assembles threads from their differences, as the page does, and compares each with
// the rendering of its call.
func TestThreads(t *testing.T) {
	runs, renders := 0, 0
	for one, err := range sessions.All(t.Context(), []string{logs, "../../../testdata/logs", "../../../testdata/fixtures", "../../../thread/testdata", "../../../thread/source/testdata"}, sessions.Options{}) {
		if err != nil {
			continue // files of other tests
		}
		h, err := Known{}.read(t.Context(), one.Timeline, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs++
		renders += compareThreads(t, one.Address(), h)
	}
	if runs < 20 || renders < 100 {
		t.Errorf("%d sessions with %d calls", runs, renders)
	}
}

func compareThreads(t *testing.T, name string, h *history) int {
	t.Helper()
	long := &texts{number: map[string]int{}}
	got := newThreads(long.refer)
	at := 0
	for s := range steps.NewMaker().Steps(h.History, 0) {
		if err := got.add(t.Context(), h.States[at], s); err != nil {
			t.Fatal(err)
		}
		at++
	}
	if err := got.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	long.flush()
	refs := &packed{Texts: long.first}
	refs.addTexts(t, long.blobs)
	for i, p := range got.parts {
		got.parts[i] = refs.resolve(p)
	}
	var messages []json.RawMessage
	var rest map[string]json.RawMessage
	for i, s := range got.out {
		messages = messages[:s.Same:s.Same]
		for _, run := range s.Add {
			messages = append(messages, got.parts[run[0]:run[0]+run[1]]...)
		}
		if s.Rest != nil {
			rest = map[string]json.RawMessage{}
			for name, part := range s.Rest {
				rest[name] = got.parts[part]
			}
		}
		want := rendering(t, h.States[i])
		if diff := cmp.Diff(want.messages, messages); diff != "" {
			t.Errorf("%s: call %d (-want +got):\n%s", name, i+1, diff)
		}
		if diff := cmp.Diff(want.rest, rest); diff != "" {
			t.Errorf("%s: request %d (-want +got):\n%s", name, i+1, diff)
		}
	}
	return len(got.out)
}

func rendering(t *testing.T, s *engine.Snapshot) *rendered {
	t.Helper()
	out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := split(out.JSON)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestThreadsGrow doubles the length of a session, and checks that the threads double too.
func TestThreadsGrow(t *testing.T) {
	for _, c := range []struct {
		name string
		log  func(calls int) string
		once bool // no message is sent in two versions
	}{
		{"each call adds to the call before", growing, true},
		{"each call changes an old message", changing, false},
	} {
		size := func(calls int) int {
			name := filepath.Join(t.TempDir(), "x.jsonl")
			if err := os.WriteFile(name, []byte(c.log(calls)), 0o600); err != nil {
				t.Fatal(err)
			}
			src, err := Open(t.Context(), []string{name}, sessions.Options{}, Known{})
			if err != nil {
				t.Fatal(err)
			}
			h, err := src.whole(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			blobs, err := src.pack(t.Context(), h)
			if err != nil {
				t.Fatal(err)
			}
			data := readBlobs(t, blobs)
			added := 0
			for _, s := range data.Threads {
				for _, run := range s.Add {
					added += run[1]
				}
			}
			last := rendering(t, h.States[len(h.States)-1])
			if n := compareThreads(t, name, h); n < calls || c.once && added != len(last.messages) {
				t.Errorf("%s: %d calls have %d states, with %d messages in their differences", c.name, calls, n, added)
			}
			text, err := json.Marshal([]any{data.Parts, data.Threads})
			if err != nil {
				t.Fatal(err)
			}
			return len(text)
		}
		if short, long := size(20), size(40); long > 5*short/2 {
			t.Errorf("%s: %d bytes for 20 calls, %d for 40", c.name, short, long)
		}
	}
}

// growing returns a session file in which an agent searches once a call.
func growing(calls int) string {
	var b strings.Builder
	b.WriteString(`{"sessionId":"s","uuid":"u0","parentUuid":null,"timestamp":"2026-01-01T00:00:00Z","type":"user","message":{"role":"user","content":"find it"}}` + "\n")
	for n := range calls {
		fmt.Fprintf(&b, `{"sessionId":"s","uuid":"a%d","parentUuid":%q,"timestamp":"2026-01-01T00:00:00Z","type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"search","input":{}}]}}`+"\n", n, fmt.Sprintf("u%d", n), n, n)
		fmt.Fprintf(&b, `{"sessionId":"s","uuid":"u%d","parentUuid":"a%d","timestamp":"2026-01-01T00:00:00Z","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"found"}]}}`+"\n", n+1, n, n)
	}
	return b.String()
}

// changing returns requests that each say in their second message how many searches follow, and
// have all results.
func changing(calls int) string {
	var b strings.Builder
	for n := range calls {
		fmt.Fprintf(&b, `{"model":"m","messages":[{"role":"user","content":"find it"},{"role":"assistant","content":"%d searches so far"}`, n)
		for i := range n {
			fmt.Fprintf(&b, `,{"role":"assistant","tool_calls":[{"id":"t%d","type":"function","function":{"name":"search","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t%d","content":"%d results"}`, i, i, i)
		}
		b.WriteString("]}\n")
	}
	return b.String()
}
