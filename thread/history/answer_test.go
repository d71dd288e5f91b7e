package history_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/thread/history"
)

// TestReadAnswer: the answer of each provider has the messages that the next request repeats, and
// its usage.
func TestReadAnswer(t *testing.T) {
	for _, c := range []struct{ format, text, messages string }{
		{"anthropic", `{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi"}],"usage":{"input_tokens":7,"output_tokens":2}}`,
			`{"content":[{"text":"Hi","type":"text"}],"role":"assistant"}`},
		{"openai", `{"model":"m","choices":[{"message":{"role":"assistant","content":"Hi"}},{"message":{"role":"assistant","content":"Ho"}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`,
			`{"content":"Hi","role":"assistant"}`},
		{"openai-responses", `{"model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}],"usage":{"input_tokens":7,"output_tokens":2}}`,
			`{"content":[{"text":"Hi","type":"output_text"}],"role":"assistant","type":"message"}`},
		{"gemini", `{"modelVersion":"m","candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]}}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2}}`,
			`{"parts":[{"text":"Hi"}],"role":"model"}`},
	} {
		a, err := history.ReadAnswer("answer", c.text, c.format)
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
			continue
		}
		if got := strings.Join(a.Messages, "\n"); got != c.messages || a.Format.String() != c.format {
			t.Errorf("%s: %s", a.Format, got)
		}
		if u := a.Call.Usage; u == nil || u.Input != 7 || u.Output != 2 || a.Call.Model != "m" {
			t.Errorf("%s: %+v of %q", c.format, u, a.Call.Model)
		}
	}
	if a, err := history.ReadAnswer("answer", `{"role":"assistant","content":"Hi"}`, "openai"); err != nil || a.Call.Usage != nil || len(a.Messages) != 1 {
		t.Errorf("a message: %+v, %v", a, err)
	}
	if a, err := history.ReadAnswer("answer", `{"error":{"message":"too long"}}`, "openai"); err != nil || a.Call.Failed == "" || len(a.Messages) != 0 {
		t.Errorf("a refusal: %+v, %v", a, err)
	}
	const cut = `{"output":[],"status":"incomplete","incomplete_details":{"reason":"content_filter"}}`
	if a, err := history.ReadAnswer("answer", cut, "responses"); err != nil || a.Call.Failed != "no answer: content_filter" || len(a.Messages) != 0 {
		t.Errorf("an answer without output: %+v, %v", a, err)
	}
	for _, text := range []string{`{}`, `7`, `{"content":`, "\xff"} {
		if _, err := history.ReadAnswer("answer", text, "openai"); err == nil {
			t.Errorf("%q is an answer", text)
		}
	}
}
