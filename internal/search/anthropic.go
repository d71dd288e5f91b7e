package search

import (
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// anthropicMember reads a member of an Anthropic message.
func (c *chatTape) anthropicMember(name string, _ int) (err error) {
	m, s := &c.msg, &c.scanner
	switch name {
	case "role":
		m.role, err = s.Text()
	case "content":
		err = c.anthropicContent()
	case "id", "name", "timestamp", "created_at", "create_time", "createTime":
		m.irregular = true
		err = s.Skip()
	default:
		err = s.Skip()
	}
	return err
}

// anthropicContent reads the content of an Anthropic message.
func (c *chatTape) anthropicContent() (err error) {
	m, s := &c.msg, &c.scanner
	if s.Peek() != '[' {
		m.content, err = c.scanner.Value()
		return err
	}
	m.isList = true
	start := s.Offset()
	err = c.array(c.anthropicPart)
	m.content = text{Raw: s.Since(start), Form: other}
	return err
}

// The members of an Anthropic content block that are read. Those from functionCall on make it
// irregular.
var partNames = canonjson.Names{
	"type", "text", "id", "name", "input", "tool_use_id", "content",
	"functionCall", "function_call", "functionResponse", "function_response",
}

const (
	partType = iota
	partText
	partID
	partName
	partInput
	partToolUse
	partContent
	partOdd
)

// anthropicPart reads an Anthropic content block.
func (c *chatTape) anthropicPart(int) error {
	m, s := &c.msg, &c.scanner
	if s.Peek() != '{' {
		v, err := c.scanner.Value()
		m.parts = append(m.parts, part{kind: "other", content: v})
		return err
	}
	var got [partOdd]text
	start := s.Offset()
	err := c.pick(&partNames, got[:], func(int) error {
		m.irregular = true
		return s.Skip()
	})
	if err != nil {
		return err
	}
	k, _ := got[partType].Text()
	p := part{kind: k}
	m.irregular = m.irregular || k == "tool_call" || k == "tool_call_response"
	switch {
	case k == "tool_use":
		p = part{kind: "call", content: got[partInput], role: "assistant", call: got[partID].Raw}
		if got[partName].Form.IsString() && got[partName].Raw != "" {
			p.name = got[partName]
		}
		m.irregular = m.irregular || got[partID].Form != plain || !isPlainID(got[partID].Raw)
	case k == "tool_result":
		p = part{kind: "result", content: got[partContent], role: "tool", call: got[partToolUse].Raw}
		m.irregular = m.irregular || got[partToolUse].Form != plain || got[partToolUse].Raw == ""
	case k == "text" && got[partText].Form.IsString():
		p.content = got[partText]
		m.irregular = m.irregular || got[partName].Form != absent
	default:
		m.oddText = m.oddText || k == "text"
		p = keepWhole(k, s.Since(start))
	}
	m.parts = append(m.parts, p)
	return nil
}

// system reads the system prompt beside the messages, which comes before them in the tree.
func (c *chatTape) system(isLate bool) error {
	m := &c.msg
	*m = message{parts: m.parts[:0], calls: m.calls[:0]}
	if err := c.anthropicContent(); err != nil {
		return err
	}
	isText := m.content.Form.IsString()
	if m.irregular || !isText && len(m.parts) == 0 || slices.ContainsFunc(m.parts, func(p part) bool { return p.kind == "call" }) {
		return errIrregular
	}
	if isText {
		m.parts = append(m.parts, part{kind: "text", content: m.content})
	}
	at := len(c.flat)
	if isLate {
		at = 0
	}
	for i := range m.parts {
		n := c.partNode(&m.parts[i], "system")
		n.from = 1
		c.flat = slices.Insert(c.flat, at+i, n)
	}
	return nil
}
