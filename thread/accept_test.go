package thread_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/thread"
)

// TestAccepted imports random logs, edits them at random, and checks that renderings in other
// formats satisfy what providers check first: that calls and results are paired and in the right
// order. If a rendering does not, there must be a note of kind refused.
func TestAccepted(t *testing.T) {
	for seed := range uint64(400) {
		accepted(t, &generator{r: rand.New(rand.NewPCG(seed, 99))})
	}
}

// FuzzAccepted is TestAccepted with logs and edits that the fuzzer chooses. The logs are short, so
// that it tries many.
func FuzzAccepted(f *testing.F) {
	gentest.AddBytes(f, 40)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 80 {
			accepted(t, &generator{r: picker(gentest.Picker(data)), most: 4})
		}
	})
}

// acceptors check whether a provider accepts a thread.
var acceptors = []struct {
	format thread.Format
	check  func(data []byte) error
}{{thread.OpenAI, acceptOpenAI}, {thread.OpenAIResponses, acceptResponses}, {thread.Anthropic, acceptAnthropic}, {thread.Gemini, acceptGemini}}

func accepted(t *testing.T, g *generator) {
	t.Helper()
	read := slices.DeleteFunc(thread.Formats(), func(f thread.Format) bool { return !f.Imports() })
	from := read[g.r.IntN(len(read))]
	log, name := g.log(from)
	logs, err := thread.Import(t.Context(), name, []byte(log), from, thread.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := logs[0].Context
	edits := g.edit(c)
	for _, a := range acceptors {
		f := a.format
		out := rendered(t, c.Working(), f)
		if f == from || f == thread.Anthropic && from == thread.ClaudeCode {
			continue
		}
		refused := slices.ContainsFunc(out.Notes, func(n thread.Note) bool { return n.Kind == thread.Refused })
		if err := a.check(out.JSON); err != nil && !(refused && errors.Is(err, errExcused)) {
			t.Fatalf("%s refuses: %v\n%s\n%s\nfrom %s: %s", f, err, out.JSON, edits, from, log)
		}
	}
}

// edit changes a history at random and describes the changes.
func (g *generator) edit(c *engine.Context) string {
	var did []string
	for range g.r.IntN(8) {
		var ids []string
		for n := range c.Working().All() {
			if n.Base() == engine.BaseBlock {
				ids = append(ids, n.ID())
			}
		}
		id := ""
		if len(ids) > 0 {
			id = ids[g.r.IntN(len(ids))]
		}
		kind := g.one("", "text", "call", "result")
		d := engine.Draft{Kind: kind, Content: engine.Text(g.one("x", "y", "", "{}"))}
		if kind == "call" || kind == "result" {
			d.Members = map[string]engine.Value{"name": engine.Text("f")}
			if g.r.IntN(3) > 0 {
				d.Members["call_id"] = engine.Text(g.id())
			}
		} else {
			d.Role = g.one("", "user", "assistant", "system", "tool")
		}
		if g.r.IntN(3) == 0 {
			d.TTL = new(int64(g.r.IntN(3)))
		}
		var err error
		what := g.one("insert", "insert", "delete", "replace", "commit")
		switch what {
		case "insert":
			depth := g.r.IntN(c.Working().Segments()+2) - 1
			_, err = c.Insert(engine.AtDepth(depth, int64(g.r.IntN(5)-2)), d)
		case "delete":
			_, err = c.Delete(engine.ByID(id))
		case "replace":
			_, err = c.Replace(engine.ByID(id), d)
		case "commit":
			_, err = c.Commit()
		}
		did = append(did, fmt.Sprintf("%s %s %s %v", what, id, kind, err))
	}
	return strings.Join(did, "\n")
}

// errExcused is an error that is allowed if there is a note of kind refused.
var errExcused = errors.New("as in the tree")

func acceptOpenAI(data []byte) error {
	var messages []struct {
		Role  string
		Call  string                `json:"tool_call_id"`
		Calls []struct{ ID string } `json:"tool_calls"`
	}
	if err := json.Unmarshal(data, &messages); err != nil {
		return err
	}
	var waiting []string
	for i, m := range messages {
		if m.Role == "tool" {
			at := slices.Index(waiting, m.Call)
			if at < 0 {
				return fmt.Errorf("message %d answers no call", i)
			}
			waiting = slices.Delete(waiting, at, at+1)
			continue
		}
		if len(waiting) > 0 {
			return fmt.Errorf("message %d comes before the results of %v", i, waiting)
		}
		for _, c := range m.Calls {
			waiting = append(waiting, c.ID)
		}
	}
	return pending(waiting)
}

func acceptResponses(data []byte) error {
	var items []struct {
		Type string
		Call string `json:"call_id"`
	}
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	var waiting []string
	for i, m := range items {
		switch m.Type {
		case "function_call":
			waiting = append(waiting, m.Call)
		case "function_call_output":
			at := slices.Index(waiting, m.Call)
			if at < 0 {
				return fmt.Errorf("item %d answers no call", i)
			}
			waiting = slices.Delete(waiting, at, at+1)
		}
	}
	return pending(waiting)
}

func acceptAnthropic(data []byte) error {
	var body struct {
		System   any
		Messages []struct {
			Role    string
			Content any
		}
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	var waiting []string
	for i, m := range body.Messages {
		if m.Role != "user" && m.Role != "assistant" || i > 0 && m.Role == body.Messages[i-1].Role && len(waiting) > 0 {
			return fmt.Errorf("message %d has the role %s", i, m.Role)
		}
		parts, _ := m.Content.([]any)
		if s, ok := m.Content.(string); ok && strings.TrimSpace(s) == "" || !ok && len(parts) == 0 {
			return fmt.Errorf("message %d is empty", i)
		}
		previous := ""
		var calls []string
		for _, p := range parts {
			part, _ := p.(map[string]any)
			kind, _ := part["type"].(string)
			switch kind {
			case "tool_result":
				if previous != "" && previous != kind {
					return fmt.Errorf("message %d has a result after %s", i, previous)
				}
				at := slices.Index(waiting, fmt.Sprint(part["tool_use_id"]))
				if at < 0 {
					return fmt.Errorf("message %d answers no call", i)
				}
				waiting = slices.Delete(waiting, at, at+1)
			case "tool_use":
				calls = append(calls, fmt.Sprint(part["id"]))
			default:
				if len(calls) > 0 {
					return fmt.Errorf("message %d has %s after a call", i, kind)
				}
				if s, ok := part["text"].(string); ok && strings.TrimSpace(s) == "" {
					return fmt.Errorf("message %d has an empty text", i)
				}
			}
			previous = kind
		}
		if last := i == len(body.Messages)-1; len(waiting) > 0 && !last {
			return fmt.Errorf("message %d comes before the results of %v", i, waiting)
		}
		waiting = append(waiting, calls...)
	}
	if len(body.Messages) > 0 && body.Messages[0].Role != "user" {
		return fmt.Errorf("%w: the first message is the assistant's", errExcused)
	}
	return pending(waiting)
}

func acceptGemini(data []byte) error {
	var body struct {
		Contents []struct {
			Role  string
			Parts []map[string]any
		}
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	calls := 0
	for i, m := range body.Contents {
		results, next := 0, 0
		if len(m.Parts) == 0 {
			return fmt.Errorf("content %d is empty", i)
		}
		for _, p := range m.Parts {
			if _, ok := p["functionCall"]; ok {
				next++
			}
			if _, ok := p["functionResponse"]; ok {
				results++
			}
			if s, ok := p["text"].(string); ok && strings.TrimSpace(s) == "" {
				return fmt.Errorf("content %d has an empty text", i)
			}
		}
		if last := i == len(body.Contents)-1; results > calls || results < calls && !last {
			return fmt.Errorf("content %d has %d results for %d calls", i, results, calls)
		}
		calls += next - results
	}
	return pending(make([]string, calls))
}

func pending(waiting []string) error {
	if len(waiting) > 0 {
		return fmt.Errorf("%w: %d calls have no result at the end", errExcused, len(waiting))
	}
	return nil
}
