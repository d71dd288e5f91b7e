package history_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// recorded is the history of one conversation, and its calls.
type recorded struct {
	calls    []*series.Step
	lists    [][]series.Item
	entries  []engine.Entry
	timeline *engine.Timeline
}

// readAll returns the histories in a file, and the error if there is one.
func readAll(t testing.TB, file source.File, o source.Options) ([]history.History, error) {
	var out []history.History
	for h, err := range history.Files(t.Context(), []source.File{file}, o) {
		if err != nil {
			return out, err
		}
		out = append(out, h)
	}
	return out, nil
}

// record makes the histories of a file.
func record(t testing.TB, name string, data []byte) []*recorded {
	t.Helper()
	type key struct {
		sample       string
		conversation int
	}
	writers, out := map[key]*history.Writer{}, map[key]*recorded{}
	latest := map[key][]series.Item{}
	var order []key
	err := source.TrackFiles(t.Context(), []source.File{source.Bytes(name, data)}, source.Options{}, func(c *series.Step) error {
		k := key{c.Origin.Sample, c.Conversation}
		if writers[k] == nil {
			writers[k], out[k] = &history.Writer{}, &recorded{}
			order = append(order, k)
		}
		entries, err := writers[k].Add(t.Context(), c)
		if err != nil {
			return err
		}
		list := series.Apply(latest[k][:len(latest[k]):len(latest[k])], c)
		if c.Side == nil {
			latest[k] = list
		}
		r := out[k]
		r.calls, r.lists, r.entries = append(r.calls, c), append(r.lists, list), append(r.entries, entries...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []*recorded
	for _, k := range order {
		r := out[k]
		rp := engine.NewReplayer(name, engine.ReadOptions{})
		for n, s := range r.entries {
			if err := rp.Add(s, n+1, "$"); err != nil {
				t.Fatalf("%s %v entry %d: %v\n%s", name, k, n, err, s.Text)
			}
		}
		if r.timeline, err = rp.Timeline(); err != nil {
			t.Fatal(err)
		}
		checkRecording(t, r.timeline)
		all = append(all, r)
	}
	return all
}

// checkRecording checks that a recorder and a replayer reproduce the history, including the
// descriptions of its calls.
func checkRecording(t testing.TB, want *engine.Timeline) {
	t.Helper()
	entries, _, err := engine.Recorder{}.Record(want)
	if err != nil {
		t.Fatal(err)
	}
	rp := engine.NewReplayer("again", engine.ReadOptions{})
	for n, s := range entries {
		if err := rp.Add(s, n+1, "$"); err != nil {
			t.Fatal(err)
		}
	}
	got, err := rp.Timeline()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want.AppendJSONL(nil), got.AppendJSONL(nil)) {
		t.Error("a recorded history is another one")
	}
	for s := range want.Sealed() {
		again, _ := got.OfCycle(s.Cycle())
		if diff := cmp.Diff(s.Info(), again.Info()); diff != "" {
			t.Errorf("cycle %d: %s", s.Cycle(), diff)
		}
	}
}

// check checks that the snapshot of each call satisfies all invariants and shows what was sent.
func (r *recorded) check(t testing.TB, where string) (total int) {
	t.Helper()
	for n, c := range r.calls {
		s, _ := r.timeline.OfCycle(c.Cycle)
		if s == nil {
			t.Fatalf("%s call %d: no snapshot", where, n)
		}
		for _, err := range s.Validate() {
			t.Errorf("%s call %d: %v", where, n, err)
		}
		if (s.Info().Side != nil) != (c.Side != nil) || (s.Info().Call == nil) != (c.Event != nil) || (s.Info().Event == nil) != (c.Event == nil) {
			t.Errorf("%s call %d: %v", where, n, s.Info())
		}
		format, err := thread.ParseFormat(c.Format)
		switch {
		case err != nil:
			format = thread.OpenAI
		case format == thread.ClaudeCode:
			format = thread.Anthropic
		}
		out, err := thread.Render(s, format, thread.RenderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want, got := sent(t, c, r.lists[n]), canonical(t, string(out.JSON))
		if c.Format != format.String() { // compared message by message
			if want, got = project(t, want), project(t, got); want == "" {
				want = got
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s call %d: %s", where, n, diff)
		}
		total++
	}
	return total
}

func canonical(t testing.TB, text string) string {
	t.Helper()
	out, err := canonjson.Canonical(text)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// sent returns what a call was sent: a body, or a list.
func sent(t testing.TB, c *series.Step, items []series.Item) string {
	t.Helper()
	var list []string
	for _, i := range items {
		if i.Index() == 0 {
			list = append(list, i.Message().Value)
		}
	}
	text := "[" + strings.Join(list, ",") + "]"
	if len(list) == 1 && list[0][0] == '"' {
		text = list[0]
	}
	if c.List == "" {
		return canonical(t, text)
	}
	text = fmt.Sprintf("{%q:%s", c.List, text)
	for _, s := range c.Request.Settings {
		text += fmt.Sprintf(",%q:%s", s.Name, s.Value)
	}
	return canonical(t, text+"}")
}

// project reduces the messages of a list or a body to role, text, calls and the answered call.
func project(t testing.TB, text string) string {
	t.Helper()
	var body map[string]json.RawMessage
	list := []byte(text)
	if json.Unmarshal(list, &body) == nil {
		for _, name := range [...]string{"messages", "input", "steps"} {
			if v, ok := body[name]; ok {
				list = v
			}
		}
	}
	var in []struct {
		Role       string          `json:"role"`
		Source     string          `json:"source"`
		Message    any             `json:"message"`
		Content    any             `json:"content"`
		ToolCallID string          `json:"tool_call_id"`
		CallID     string          `json:"source_call_id"`
		Parts      json.RawMessage `json:"parts"`
		ToolCalls  []struct {
			ID        string `json:"id"`
			CallID    string `json:"tool_call_id"`
			Function  any    `json:"function"`
			Name      string `json:"function_name"`
			Arguments any    `json:"arguments"`
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(list, &in); err != nil {
		t.Fatalf("%v: %s", err, list)
	}
	var out strings.Builder
	for _, m := range in {
		if m.Parts != nil {
			return "" // of OpenTelemetry, which has no requests
		}
		said := m.Content
		if said == nil {
			said = m.Message
		}
		if parts, ok := said.([]any); ok {
			var texts strings.Builder
			for _, p := range parts {
				if p := p.(map[string]any); p["type"] == "text" {
					texts.WriteString(fmt.Sprint(p["text"]))
				}
			}
			said = texts.String()
		}
		if said == nil {
			said = ""
		}
		role := m.Role
		if role == "" {
			role = map[string]string{"agent": "assistant", "": "tool", "user": "user", "system": "system"}[m.Source]
		}
		if role == "tool" && m.ToolCallID+m.CallID == "" {
			role = "user"
		}
		fmt.Fprintf(&out, "%s %q %s", role, said, m.ToolCallID+m.CallID)
		for _, c := range m.ToolCalls {
			name, args := c.Name, c.Arguments
			if f, ok := c.Function.(map[string]any); ok {
				name = fmt.Sprint(f["name"])
				var v any
				if err := json.Unmarshal(fmt.Append(nil, f["arguments"]), &v); err != nil {
					t.Fatal(err)
				}
				args = v
			} else if c.Function != nil {
				name = fmt.Sprint(c.Function)
			}
			fmt.Fprintf(&out, " %s %s(%v)", c.ID+c.CallID, name, args)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// TestFiles makes histories of recorded files: the test cases of package source, logs of Inspect
// AI, and the files that PACTKIT_RECORDED names.
func TestFiles(t *testing.T) {
	files := []string{"../source/testdata/inspect/edit.eval", "../source/testdata/inspect/trim.eval", "../source/testdata/inspect/summary.eval"}
	for _, pattern := range filepath.SplitList(os.Getenv("PACTKIT_RECORDED")) {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	total := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range record(t, name, data) {
			total += r.check(t, filepath.Base(name))
		}
	}
	t.Logf("%d calls of %d files", total, len(files))
}

// TestRandom makes histories of random conversations in the format of each provider, and checks
// that rendering each call gives its body. PACTKIT_SEEDS is the number of conversations for each
// format.
func TestRandom(t *testing.T) {
	for _, form := range seriestest.Forms() {
		t.Run(form.String(), func(t *testing.T) {
			for seed := range seriestest.Seeds(t, 8) {
				w := &seriestest.Writer{Rand: rand.New(rand.NewPCG(seed, uint64(form))), Form: form, Replies: seed%2 == 0}
				var file strings.Builder
				for _, tr := range w.Series(40) {
					body, response := w.Body(tr)
					if response == "" {
						response = "null"
					}
					fmt.Fprintf(&file, "{\"conversation_id\":\"c\",\"request\":%s,\"response\":%s}\n", body, response)
				}
				for _, r := range record(t, "made.jsonl", []byte(file.String())) {
					r.check(t, fmt.Sprintf("seed %d", seed))
				}
			}
		})
	}
}
