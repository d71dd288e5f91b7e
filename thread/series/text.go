package series

import (
	"maps"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// textNames are the members that contain the text of a message, in the formats of all providers.
var textNames = map[string]bool{
	"content": true, "text": true, "parts": true, "output": true, "response": true, "result": true, "functionResponse": true,
	"function_response": true, "message": true, "thinking": true, "summary": true,
}

// Text returns the text in a value, which is canonical JSON: a string, a message, a part of one, or
// a thought. It returns "" for a value without text.
func Text(value string) string {
	var b strings.Builder
	s := canonjson.Borrow(value)
	defer s.Return()
	_ = appendText(&b, s, strings.HasPrefix(value, `"`), thoughtNames) // the value is canonical JSON
	return b.String()
}

// thoughtNames also has the members of thoughts.
var thoughtNames = with(textNames, "subject", "description", "reasoning", "reasoning_content")

func with(names map[string]bool, more ...string) map[string]bool {
	out := maps.Clone(names)
	for _, name := range more {
		out[name] = true
	}
	return out
}

// text returns the text of a message, without the names and arguments of tool calls.
func (m *Message) text() string {
	var b strings.Builder
	s := canonjson.Borrow(m.Value)
	defer s.Return()
	_ = appendText(&b, s, strings.HasPrefix(m.Value, `"`), textNames) // the value is canonical JSON
	return b.String()
}

// appendText appends the strings in the next value. In an object, only the members with the given
// names count; in says that the value is inside one of them.
func appendText(b *strings.Builder, s *canonjson.Scanner, in bool, names map[string]bool) error {
	switch s.Peek() {
	case '"':
		text, err := s.Text()
		if err == nil && in {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(text)
		}
		return err
	case '{':
		return s.Object(func(name string, _ int) error {
			if names[name] {
				return appendText(b, s, true, names)
			}
			return s.Skip()
		})
	case '[':
		return s.Array(func(int) error { return appendText(b, s, in, names) })
	}
	return s.Skip()
}

// placeholders are words in the texts with which agents replace removed content.
var placeholders = []string{"removed", "cleared", "omitted", "truncated", "elided", "pruned", "expired", "redacted", "compacted"}

// isPlaceholder reports whether the text after is a placeholder for the removed text before.
func isPlaceholder(before, after string) bool {
	if strings.TrimSpace(after) == "" {
		return strings.TrimSpace(before) != ""
	}
	return readsAsPlaceholder(after) && !readsAsPlaceholder(before)
}

func readsAsPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 200 {
		return false
	}
	if end, ok := closing[text[0]]; ok && text[len(text)-1] == end && len(text) < 60 && strings.Contains(text, " ") && !strings.ContainsAny(text, `"{}:`) {
		return true
	}
	return hasWord(text, placeholders)
}

var closing = map[byte]byte{'[': ']', '(': ')', '<': '>'}

// summaries are phrases that occur at the beginning of a summary.
var summaries = []string{"summary", "summarized", "summarised", "compacted", "continued from a previous", "conversation so far", "picking up work from"}

// readsAsSummary reports whether a text introduces itself as the summary of a conversation.
func readsAsSummary(text string) bool {
	return hasWord(text[:min(len(text), 400)], summaries)
}

func hasWord(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
