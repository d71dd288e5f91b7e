package thread_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// frameworks has the formats that package source reads back, and its names of them.
var frameworks = map[thread.Format]source.Kind{
	thread.LangChain: source.LangChain, thread.PydanticAI: source.PydanticAI, thread.AISDK: source.AISDK, thread.AISDKUI: source.AISDK,
}

// TestFrameworks checks for random logs that what is rendered for a framework, read back and
// rendered again is the same, and the same for a provider.
func TestFrameworks(t *testing.T) {
	for from := range map[thread.Format]bool{thread.OpenAI: true, thread.Anthropic: true, thread.OpenAIResponses: true, thread.Gemini: true} {
		for seed := range uint64(80) {
			g := &generator{r: rand.New(rand.NewPCG(seed, uint64(from)))}
			log, name := g.log(from)
			logs, err := thread.Import(t.Context(), name, []byte(log), from, thread.ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for f := range frameworks {
				checkFramework(t, logs[0].Timeline().At(0), f)
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d: %s", from, seed, log)
			}
		}
	}
}

// checkFramework renders a snapshot for a framework, and reads it back.
func checkFramework(t *testing.T, s *engine.Snapshot, f thread.Format) {
	t.Helper()
	first := renderOf(t, s, f)
	if bytes.Equal(first, []byte("[]")) {
		return
	}
	again := readBack(t, first, f)
	if again == nil {
		t.Errorf("%s: no history in %s", f, first)
		return
	}
	if d := gocmp.Diff(withoutIDs(t, first), withoutIDs(t, renderOf(t, again, f))); d != "" {
		t.Errorf("%s (-first +again)\n%s", f, d)
	}
}

// readBack returns the last state of messages of a framework.
func readBack(t *testing.T, data []byte, f thread.Format) *engine.Snapshot {
	t.Helper()
	var out *engine.Snapshot
	for h, err := range history.Files(t.Context(), []source.File{source.Bytes("again.json", data)}, source.Options{Kind: frameworks[f]}) {
		if err != nil {
			t.Errorf("%s: %v\n%s", f, err, data)
			return nil
		}
		out = h.Timeline.At(0)
	}
	return out
}

// withoutIDs returns messages without the ids that only those of user interfaces have.
func withoutIDs(t *testing.T, data []byte) []map[string]any {
	t.Helper()
	var list []map[string]any
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		delete(m, "id")
	}
	return list
}

// TestHiddenReasoning renders reasoning whose text the provider does not show. The frameworks
// require a text. The AI SDK sends Anthropic only what has a signature, or what is encrypted;
// Pydantic AI only what names the provider.
func TestHiddenReasoning(t *testing.T) {
	for _, c := range []struct {
		part string
		want map[thread.Format]string
	}{
		{`{"type":"thinking","thinking":"","signature":"c2ln"}`, map[thread.Format]string{
			thread.PydanticAI: `{"content":"","part_kind":"thinking","provider_name":"anthropic","signature":"c2ln"}`,
			thread.AISDK:      `{"providerOptions":{"anthropic":{"signature":"c2ln"}},"text":"","type":"reasoning"}`,
			thread.AISDKUI:    `{"providerMetadata":{"anthropic":{"signature":"c2ln"}},"text":"","type":"reasoning"}`,
			thread.LangChain:  `{"signature":"c2ln","thinking":"","type":"thinking"}`,
		}},
		{`{"type":"redacted_thinking","data":"ZW5j"}`, map[thread.Format]string{
			thread.PydanticAI: `{"content":"","id":"redacted_thinking","part_kind":"thinking","provider_name":"anthropic","signature":"ZW5j"}`,
			thread.AISDK:      `{"providerOptions":{"anthropic":{"redactedData":"ZW5j"}},"text":"","type":"reasoning"}`,
			thread.AISDKUI:    `{"providerMetadata":{"anthropic":{"redactedData":"ZW5j"}},"text":"","type":"reasoning"}`,
			thread.LangChain:  `{"data":"ZW5j","type":"redacted_thinking"}`,
			thread.Anthropic:  `{"data":"ZW5j","type":"redacted_thinking"}`,
		}},
	} {
		log := `[{"role":"assistant","content":[` + c.part + `,{"type":"text","text":"Hi."}]}]`
		logs, err := thread.Import(t.Context(), "log.json", []byte(log), thread.Anthropic, thread.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for f, want := range c.want {
			s := logs[0].Timeline().At(0)
			if got := renderOf(t, s, f); !bytes.Contains(got, []byte(want)) {
				t.Errorf("%s: %s has no %s", f, got, want)
			}
			if _, ok := frameworks[f]; ok {
				checkFramework(t, s, f)
			}
		}
	}
}

// TestDocuments renders documents and recordings of each format for the others.
func TestDocuments(t *testing.T) {
	for from, parts := range map[thread.Format][]string{
		thread.Anthropic: {`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}`},
		thread.OpenAI: {
			`{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}`,
			`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`,
		},
		thread.OpenAIResponses: {`{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}`},
		thread.Gemini:          {`{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}`, `{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}}`},
	} {
		for n, part := range parts {
			text := `{"type":"text","text":"Read."}`
			log := `[{"role":"user","content":[%s,%s]}]`
			switch from {
			case thread.Gemini:
				text, log = `{"text":"Read."}`, `{"contents":[{"role":"user","parts":[%s,%s]}]}`
			case thread.OpenAIResponses:
				text, log = `{"type":"input_text","text":"Read."}`, `{"input":[{"role":"user","content":[%s,%s]}]}`
			}
			logs, err := thread.Import(t.Context(), "log.json", fmt.Appendf(nil, log, text, part), from, thread.ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			s := logs[0].Timeline().At(0)
			for to, want := range map[thread.Format][2]string{
				thread.OpenAI: {
					`"file_data":"data:application/pdf;base64,JVBERi0="`, `{"input_audio":{"data":"UklGRg==","format":"wav"},"type":"input_audio"}`,
				},
				thread.OpenAIResponses: {`"file_data":"data:application/pdf;base64,JVBERi0="`},
				thread.Anthropic:       {`"source":{"data":"JVBERi0=","media_type":"application/pdf","type":"base64"}`},
				thread.Gemini: {
					`{"inlineData":{"data":"JVBERi0=","mimeType":"application/pdf"}}`, `{"inlineData":{"data":"UklGRg==","mimeType":"audio/wav"}}`,
				},
				thread.PydanticAI: {
					`{"data":"JVBERi0=","kind":"binary","media_type":"application/pdf"}`, `{"data":"UklGRg==","kind":"binary","media_type":"audio/wav"}`,
				},
				thread.AISDK: {`"mediaType":"application/pdf"`, `"mediaType":"audio/wav"`},
			} {
				got := renderOf(t, s, to)
				if recording := `UklGRg==`; want[n] == "" && bytes.Contains(got, []byte(recording)) {
					t.Errorf("%s: %s has a recording", from, got)
				}
				if !bytes.Contains(got, []byte(want[n])) {
					t.Errorf("%s to %s: %s has no %s", from, to, got, want[n])
				}
				if _, ok := frameworks[to]; ok {
					checkFramework(t, s, to)
				}
			}
		}
	}
}

// TestFailed renders the result of a call that failed for LangChain and Anthropic, which have a
// mark for it.
func TestFailed(t *testing.T) {
	for kind, log := range map[source.Kind]string{
		source.LangChain: `[{"type":"human","content":"Go.","additional_kwargs":{}},{"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"c"}],"additional_kwargs":{}},` +
			`{"type":"tool","content":"bad","tool_call_id":"c","status":"error","additional_kwargs":{}},{"type":"ai","content":"Done.","additional_kwargs":{}}]`,
		source.Requests: `{"model":"claude-x","max_tokens":9,"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"bad","is_error":true}]}]}`,
	} {
		for h, err := range history.Files(t.Context(), []source.File{source.Bytes("log.json", []byte(log))}, source.Options{Kind: kind}) {
			if err != nil {
				t.Fatal(err)
			}
			s := h.Timeline.At(0)
			for f, want := range map[thread.Format]string{thread.LangChain: `"status":"error"`, thread.Anthropic: `"is_error":true`} {
				if got := renderOf(t, s, f); !bytes.Contains(got, []byte(want)) {
					t.Errorf("%s: %s has no %s", kind, got, want)
				}
			}
			checkFramework(t, s, thread.LangChain)
		}
	}
}
