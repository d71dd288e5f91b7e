package tokens

import (
	"encoding/json"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// Media returns how many images, sounds and files the content of a node holds as base64.
// [Counter.Node] does not count them: providers count them by pixels or seconds, not as text, with
// rules that differ from model to model.
func Media(n engine.Node) int {
	_, media := textOf(n)
	return media
}

// textOf returns the part of the content of a node that is counted, and the number of media left
// out of it. Providers treat the arguments of a call as text, whatever they contain.
func textOf(n engine.Node) (text string, media int) {
	v := n.Content()
	if text, ok := v.Text(); ok {
		return text, 0
	}
	text = v.String()
	if kind, _ := n.Kind(); kind == "call" || !strings.Contains(text, `;base64,`) && !strings.Contains(text, `"data":"`) {
		return text, 0
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var content any
	if dec.Decode(&content) != nil {
		return text, 0
	}
	content = withoutMedia(content, &media)
	if media == 0 {
		return text, 0
	}
	return string(canonjson.EncodeLine(content)), media
}

// withoutMedia removes the media from a value and counts them: the data of data URLs, and members
// named data of objects that also have a member with its type.
func withoutMedia(v any, media *int) any {
	switch v := v.(type) {
	case string:
		if head, _, ok := strings.Cut(v, ";base64,"); ok && strings.HasPrefix(head, "data:") {
			*media++
			return head
		}
	case []any:
		for i := range v {
			v[i] = withoutMedia(v[i], media)
		}
	case map[string]any:
		for name := range v {
			if _, isText := v[name].(string); isText && name == "data" && isTyped(v) {
				*media++
				v[name] = ""
				continue
			}
			v[name] = withoutMedia(v[name], media)
		}
	}
	return v
}

// isTyped reports whether an object has a member with the type of its data, as in the formats of
// Anthropic and Gemini, and in that of OpenAI for audio.
func isTyped(v map[string]any) bool {
	for _, name := range [...]string{"media_type", "mimeType", "mime_type", "format"} {
		if _, ok := v[name].(string); ok && v["type"] != "text" { // Anthropic has documents of plain text
			return true
		}
	}
	return false
}
