package thread

import (
	"github.com/pactkit/pactkit/engine"
)

// shareGPTCall returns the name and the arguments in the value of a function_call.
func shareGPTCall(v engine.Value) (name string, arguments engine.Value, ok bool) {
	s, _ := v.Text()
	call, err := engine.JSON(s)
	if err != nil {
		return "", v, false
	}
	object := valueOf(call)
	in, ok := object.get("arguments")
	tool, hasName := object.get("name")
	if !ok || hasName && !tool.is('"') {
		return "", v, false
	}
	name, _ = tool.text()
	return name, in.json(), true
}

var shareGPTRoles = map[string]string{
	"chatgpt": "assistant", "bing": "assistant", "bard": "assistant", "function_call": "assistant", "observation": "tool",
}

var shareGPTUsual = map[string]string{"system": "system", "user": "human", "assistant": "gpt", "tool": "observation"}

// shareGPT reads one turn of a conversation.
func (b *builder) shareGPT(v *value) error {
	m, err := b.open(v, "from", shareGPTUsual, "value")
	if err != nil {
		return err
	}
	p := &part{kind: "text"}
	if content, ok := v.get("value"); ok {
		p.content = content.json()
	}
	switch {
	case m.from.Role == "function_call":
		p.kind = "call"
		p.name, _, _ = shareGPTCall(p.content)
	case m.role == "tool":
		p.kind = "result"
	}
	m.parts = []*part{p}
	return b.add(m)
}
