package tokens_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
)

// TestMedia checks that images and other media in the format of each provider are not counted as
// text, and that everything else is.
func TestMedia(t *testing.T) {
	long := strings.Repeat("iVBORw0KGgo", 1000)
	for _, c := range []struct {
		name, kind, content string
		media               int
	}{
		{"OpenAI chat", "", `{"type":"image_url","image_url":{"url":"data:image/png;base64,LONG"}}`, 1},
		{"OpenAI audio", "", `{"type":"input_audio","input_audio":{"data":"LONG","format":"wav"}}`, 1},
		{"Responses", "", `{"type":"input_image","image_url":"data:image/png;base64,LONG"}`, 1},
		{"Anthropic", "", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"LONG"}}`, 1},
		{"Gemini", "", `{"inlineData":{"mimeType":"image/png","data":"LONG"}}`, 1},
		{"a result with two", "result", `[{"type":"text","text":"here"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"LONG"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"LONG"}}]`, 2},
		{"a document of text", "", `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"LONG"}}`, 0},
		{"an address", "", `{"type":"image_url","image_url":{"url":"https://example.org/LONG"}}`, 0},
		{"arguments of a call", "call", `{"url":"data:image/png;base64,LONG"}`, 0},
		{"a text", "", `"data:image/png;base64,LONG"`, 0},
		{"beside a result of Gemini", "result", `{"a":1}`, 1},
	} {
		v, err := engine.JSON(strings.ReplaceAll(c.content, "LONG", long))
		if err != nil {
			t.Fatal(err)
		}
		ctx, err := engine.New(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		draft := engine.Draft{Kind: c.kind, Content: v}
		if strings.HasPrefix(c.name, "beside") {
			parts, err := engine.JSON(`[{"inlineData":{"mimeType":"image/png","data":"` + long + `"}}]`)
			if err != nil {
				t.Fatal(err)
			}
			draft.Members = map[string]engine.Value{"parts": parts}
		}
		n, err := ctx.Insert(engine.AtDepth(0, 0), draft)
		if err != nil {
			t.Fatal(err)
		}
		if got := tokens.Media(n); got != c.media {
			t.Errorf("%s: %d media, want %d", c.name, got, c.media)
		}
		if got := tokens.For("gpt-4o").Node(n); (got < 100) != (c.media > 0) {
			t.Errorf("%s: %d tokens", c.name, got)
		}
	}
}
