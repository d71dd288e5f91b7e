package thread

import "strings"

// langChainTypes maps roles to the types of messages of LangChain.
var langChainTypes = map[string]string{"system": "system", "user": "human", "assistant": "ai", "tool": "tool"}

// renderLangChain writes messages as messages_to_dict of LangChain does.
func renderLangChain(r *renderer) { r.messages(r.dialog(), r.langChainMessage) }

func (r *renderer) langChainMessage(m *msg) {
	u := m.units[0]
	kind := langChainTypes[m.role]
	defer r.markSingle(m)()
	r.w.open('{')
	r.w.member("type", kind)
	r.w.key("data")
	r.w.open('{')
	calls, parts := callsIn(m)
	switch {
	case isResult(u):
		if list, _ := texts(u.content); len(list) > 1 {
			r.toolResult("content", u)
		} else {
			r.w.member("content", u.output())
		}
		r.w.member("tool_call_id", u.call)
		if u.name != "" {
			r.w.member("name", u.name)
		}
		if u.failed() {
			r.w.member("status", "error")
		}
	case len(parts) == 0:
		r.w.member("content", "")
	default:
		r.content("content", m, parts, r.textPart)
	}
	r.w.member("type", kind)
	if u.from != nil && u.from.Role == "developer" {
		r.w.memberValue("additional_kwargs", constant(`{"__openai_role__":"developer"}`)) // as its integration of OpenAI does
	}
	valid, invalid := callsByForm(calls)
	r.langChainCalls("tool_calls", m, valid)
	r.langChainCalls("invalid_tool_calls", m, invalid)
	r.w.close('}')
	r.w.close('}')
}

// langChainCalls writes a list of calls of a message.
func (r *renderer) langChainCalls(name string, m *msg, calls []*unit) {
	if len(calls) == 0 {
		return
	}
	r.w.key(name)
	r.w.open('[')
	for _, u := range calls {
		end := r.markPart(m, u)
		r.w.open('{')
		r.w.member("name", u.name)
		r.input("args", u)
		r.w.member("id", u.call)
		if !u.isObject() {
			r.w.memberValue("error", null())
		}
		r.w.member("type", strings.TrimSuffix(name, "s"))
		r.w.close('}')
		end()
	}
	r.w.close(']')
}
