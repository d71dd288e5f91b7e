package series

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
)

// Thought is what the model thought before a part of an answer, and no call was sent.
type Thought struct {
	Value string // JSON: as in the source
	With  *Node  // the part; nil if it is in no step
	Line  int    // in the file, from 1; 0 if unknown
}

// thoughts returns what the model thought that a step, whose items are list, is the first to be not
// sent: what the source records beside the parts that enter, and what was in the answer to the
// latest call. The cost depends on the parts that enter.
func (c *conversation) thoughts(step *Step, list []Item) []Thought {
	var out []Thought
	for _, e := range step.Entered {
		if e.Returned {
			continue
		}
		about, line := e.Part.About, e.Part.Line
		if m := e.Message(); m.Parts == nil && e.Index() == 0 {
			about, line = m.About, m.Line
		}
		for _, value := range Beside(about, e.Message().Value) {
			out = append(out, Thought{value, e.Node, line})
		}
	}
	if c.request == nil || c.answered || step.Event != nil {
		return out
	}
	var with *Node
	for _, e := range step.Entered {
		if e.Part.Role == Assistant {
			with = e.Node
			break
		}
	}
	for _, m := range c.reply {
		for _, value := range m.thoughts(c.request.Format) {
			isSent := func(i Item) bool { return i.Part.Role == Assistant && i.repeats(value) }
			if !slices.ContainsFunc(list[step.Same:], isSent) {
				out = append(out, Thought{value, with, cmp.Or(m.Line, c.origin.Line)})
			}
		}
	}
	return out
}

// thoughts returns what the model thought in a message, as far as that can be read.
func (m *Message) thoughts(format string) []string {
	var out []string
	for _, p := range m.split(format) {
		if (p.form.Kind == "thinking" || p.form.Kind == "reasoning") && p.text() != "" {
			out = append(out, p.Value)
		}
	}
	return append(out, thinking(m.Value)...)
}

// repeats reports whether an item or its message has what the model thought.
func (i Item) repeats(thought string) bool {
	if strings.Contains(i.Message().Value, thought) {
		return true
	}
	text := Text(thought)
	return text != "" && strings.Contains(Text(i.Message().Value), text)
}

// Beside returns what the model thought according to what the source records about a message, if
// the message does not have that member, too. Both are JSON.
func Beside(about, message string) []string {
	list := thinking(about)
	if len(list) > 0 && len(thinking(message)) > 0 {
		return nil
	}
	return list
}

// thinking returns the members of an object in canonical JSON that have what the model thought.
func thinking(object string) []string {
	if !strings.HasPrefix(object, "{") || !strings.Contains(object, "thought") && !strings.Contains(object, "thinking") && !strings.Contains(object, "reasoning") {
		return nil
	}
	var out []string
	s := canonjson.Borrow(object)
	defer s.Return()
	_ = s.Object(func(name string, _ int) error {
		value, err := s.Raw()
		if normal.Thinks(name) && value != `""` && value != "[]" && value != "null" && value != "{}" {
			out = append(out, strings.Clone(value))
		}
		return err
	})
	return out
}
