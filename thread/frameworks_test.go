package thread_test

import (
	"bytes"
	"encoding/json"
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

// TestDocuments renders documents, which Pydantic AI takes as binary content.
func TestDocuments(t *testing.T) {
	for from, part := range map[thread.Format]string{
		thread.Anthropic: `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}`,
		thread.OpenAI:    `{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}`,
	} {
		log := `[{"role":"user","content":[{"type":"text","text":"Read."},` + part + `]},{"role":"assistant","content":"Yes."}]`
		logs, err := thread.Import(t.Context(), "log.json", []byte(log), from, thread.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := logs[0].Timeline().At(0)
		const want = `["Read.",{"data":"JVBERi0=","kind":"binary","media_type":"application/pdf"}]`
		if got := renderOf(t, s, thread.PydanticAI); !bytes.Contains(got, []byte(want)) {
			t.Errorf("%s: %s has no %s", from, got, want)
		}
		checkFramework(t, s, thread.PydanticAI)
	}
}
