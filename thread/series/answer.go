package series

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// loses reports whether messages, which follow those of the latest call, lack a text, a call or a
// result of its answer, or of what was recorded after that.
func (c *conversation) loses(rest []*Message) bool {
	if c.answered || c.request == nil {
		return false
	}
	lacks := func(m *Message) bool { return !m.isIn(rest) }
	return len(c.request.Choices) > 0 || slices.ContainsFunc(c.reply, lacks) || slices.ContainsFunc(c.after, lacks)
}

// isReplied reports whether messages contain the answer to the latest call.
func (c *conversation) isReplied(rest []*Message) bool {
	return len(c.reply) > 0 && c.reply[0].isIn(rest)
}

// isFresh reports whether a message is of the latest answer, or of what was recorded after it.
func (c *conversation) isFresh(m *Message) bool {
	isIt := func(x *Message) bool { return isSame(x, m) }
	return slices.ContainsFunc(c.reply, isIt) || slices.ContainsFunc(c.after, isIt)
}

// isIn reports whether a list contains all calls, results and texts of a message. A client may write
// them differently than the provider did, and in several messages.
func (m *Message) isIn(list []*Message) bool {
	if slices.ContainsFunc(list, func(x *Message) bool { return isSame(x, m) || m.ID != "" && m.ID == x.ID }) {
		return true
	}
	for _, id := range m.Calls {
		if !slices.ContainsFunc(list, func(x *Message) bool { return slices.Contains(x.Calls, id) }) {
			return false
		}
	}
	for _, id := range m.Answers {
		if !slices.ContainsFunc(list, func(x *Message) bool { return slices.Contains(x.Answers, id) }) {
			return false
		}
	}
	if len(m.Answers) > 0 {
		return true
	}
	for _, text := range m.said() {
		if !slices.ContainsFunc(list, func(x *Message) bool { return x.Role == m.Role && x.says(text) }) {
			return false
		}
	}
	return true
}

// says reports whether a message says a text, alone or in a longer one if it is significant.
func (m *Message) says(text string) bool {
	said := m.said()
	return slices.Contains(said, text) || containsText(m, text) || strings.Join(said, "") == text
}

// said returns the texts of a message without its thinking.
func (m *Message) said() []string {
	s := canonjson.NewScanner(m.Value, canonjson.DefaultDepth)
	out, _ := appendSaid(nil, s, false) // the value is canonical JSON
	return out
}

// appendSaid appends the texts in the next value. In an object, only the members that contain text
// count; in says that the value is inside one of them.
func appendSaid(out []string, s *canonjson.Scanner, in bool) ([]string, error) {
	switch s.Peek() {
	case '"':
		text, err := s.Text()
		if text = strings.TrimSpace(text); err == nil && in && text != "" {
			out = append(out, text)
		}
		return out, err
	case '{':
		before, isThinking := len(out), false
		err := s.Object(func(name string, _ int) (err error) {
			switch {
			case name == "type" && s.Peek() == '"':
				var kind string
				kind, err = s.Text()
				isThinking = isThinking || kind == "thinking" || kind == "redacted_thinking" || kind == "reasoning"
			case name == "thought":
				var v string
				v, err = s.Raw()
				isThinking = isThinking || v == "true"
			case textNames[name] && name != "thinking":
				out, err = appendSaid(out, s, true)
			default:
				err = s.Skip()
			}
			return err
		})
		if isThinking {
			out = out[:before]
		}
		return out, err
	case '[':
		err := s.Array(func(int) (err error) {
			out, err = appendSaid(out, s, in)
			return err
		})
		return out, err
	}
	return out, s.Skip()
}
