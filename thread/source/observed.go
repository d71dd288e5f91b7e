package source

import (
	"slices"
	"strings"
)

// observe reads a call that a platform has observed: what went in and what came out, as the observed
// program gave it. That is a body and an answer of a provider, messages of the GenAI conventions,
// of LangChain or of a provider, or a text. attrs has the rest.
func (x *export) observe(s *span, v value, attrs map[string]value, in, out value) {
	before := s.call
	if s.kind = max(s.kind, spanKindOf(attrs)); s.kind == callSpan {
		list, isBody := sentIn(in)
		switch {
		case isBody:
			attrs["input.value"], attrs["openinference.span.kind"] = withParameters(list, attrs), quoted("LLM")
			if answer := answerIn(out); answer.raw != "" {
				attrs["output.value"] = answer
			}
		case list.raw != "":
			attrs["gen_ai.input.messages"] = list
			if answer := answerIn(out); answer.raw != "" {
				attrs["gen_ai.output.messages"] = asList(answer)
			}
		case !in.missing():
			x.malformed(in, "the input of a call has no messages; it is kept unchanged")
		}
	}
	x.read(s, v, attrs)
	if before != nil && s.call != nil { // a run that was written when it began and when it ended
		s.call.add(before)
	}
}

// withParameters returns a body with the parameters in the attributes that it does not have.
func withParameters(body value, attrs map[string]value) value {
	out := written{}
	for name, v := range attrs {
		if name, ok := strings.CutPrefix(name, "gen_ai.request."); ok && !slices.Contains(listNames[:], name) {
			out[name] = v
		}
	}
	for name, v := range body.members() {
		out[name] = v
	}
	return out.value()
}

func asList(v value) value {
	if v.is('[') {
		return v
	}
	return listOfValues([]value{v})
}

// sentIn returns the body in the input of a call, or its messages in the form of the conventions. It
// returns a missing value if there are none.
func sentIn(in value) (v value, isBody bool) {
	in = inside(in)
	switch {
	case in.is('['):
		list := messagesIn(in)
		if list.raw == "" {
			return value{}, false
		}
		for _, m := range list.elements() {
			if m.get("parts").is('[') && isParts(m.get("parts")) {
				return list, false
			}
		}
		return written{nameOf(list): list}.value(), true
	case in.is('{'):
		for _, name := range listNames {
			list := in.get(name)
			switch {
			case list.is('['):
				if list = messagesIn(list); list.raw == "" {
					return value{}, false
				}
				body := written{}
				for member, w := range in.members() {
					body[member] = w
				}
				body[name] = list
				return body.value(), true
			case list.is('"'):
				return said(list), false
			}
		}
		got := in.pick("prompt", "prompts", "args", "query", "question")
		for _, w := range got {
			for _, text := range w.elements() { // the first of a batch
				w = text
				break
			}
			if w.is('"') {
				return said(w), false
			}
		}
		if in.get("role").is('"') {
			return sentIn(asList(in))
		}
	case in.text() != "":
		return said(in), false
	}
	return value{}, false
}

// said returns the messages of a prompt that is a text.
func said(text value) value {
	return asList(written{"role": quoted("user"), "content": text}.value())
}

// nameOf returns the member of a body that has a list of messages: that of items of the Responses
// API, if it has some, that of Gemini, or messages.
func nameOf(list value) string {
	for _, m := range list.elements() {
		switch {
		case m.get("role").raw == "" && m.get("type").is('"'):
			return "input"
		case m.get("parts").is('['):
			return "contents"
		}
	}
	return "messages"
}

// isParts reports whether a list has parts of the GenAI conventions, and not those of Gemini.
func isParts(list value) bool {
	for _, part := range list.elements() {
		return part.get("type").is('"')
	}
	return false
}

// messagesIn returns a list of messages with those of LangChain in the form of chat APIs, or a
// missing value if an element is no message. Of a batch it is the first list.
func messagesIn(list value) value {
	var out []value
	for i, m := range list.elements() {
		if i == 0 && m.is('[') {
			return messagesIn(m)
		}
		if m = fromLangChain(m); !m.is('{') || !m.get("role").is('"') && !m.get("type").is('"') {
			return value{}
		}
		out = append(out, m)
	}
	return listOfValues(out)
}

// answerIn returns the answer in the output of a call: that of a provider, or messages.
func answerIn(out value) value {
	out = inside(out)
	switch {
	case out.is('"'):
		if out.text() == "" {
			return value{}
		}
		return written{"role": quoted("assistant"), "content": out}.value().asAnswer()
	case out.is('['):
		for _, m := range out.elements() {
			if m.get("toolName").is('"') { // of the Vercel AI SDK
				var calls []value
				for _, call := range out.elements() {
					calls = append(calls, chatCall(call.get("toolCallId"), call.get("toolName"), call.first("input", "args")))
				}
				return written{"role": quoted("assistant"), "content": value{raw: "null"}, "tool_calls": listOfValues(calls)}.value().asAnswer()
			}
			break
		}
		return messagesIn(out)
	case !out.is('{'):
		return value{}
	}
	if formatOfAnswer(out) != "" && out.get("role").raw == "" {
		return out
	}
	for _, w := range out.get("generations").elements() { // the answers to a batch
		for _, g := range w.elements() {
			w = g
			break
		}
		if m := w.get("message"); m.is('{') {
			return fromLangChain(m).asAnswer()
		}
		return answerIn(w.get("text"))
	}
	got := out.pick("message", "messages", "content", "output", "text", "role")
	switch {
	case got[0].is('{'):
		return fromLangChain(got[0]).asAnswer()
	case got[1].is('['):
		return messagesIn(got[1])
	case got[2].get("parts").is('['): // a candidate of Gemini
		return written{"candidates": listOfValues([]value{out})}.value()
	case got[5].raw != "" || got[2].raw != "":
		return fromLangChain(out).asAnswer()
	case got[3].raw != "":
		return answerIn(got[3])
	case got[4].raw != "":
		return answerIn(got[4])
	}
	return value{}
}

// asAnswer returns a message as a list of one, with the role of the model if it has none.
func (v value) asAnswer() value {
	if v.get("role").raw == "" {
		w := written{"role": quoted("assistant")}
		for name, member := range v.members() {
			w[name] = member
		}
		v = w.value()
	}
	return listOfValues([]value{v})
}

// langChainRoles has the roles of messages of LangChain by their types.
var langChainRoles = map[string]string{"human": "user", "ai": "assistant", "system": "system", "developer": "developer", "tool": "tool", "function": "function"}

// fromLangChain returns a message of LangChain in the form of chat APIs, and others unchanged. It
// may be what its constructor was given, or have its members in data.
func fromLangChain(v value) value {
	kind := v.get("type").text()
	if kwargs := v.get("kwargs"); kwargs.is('{') && v.get("id").is('[') {
		for _, name := range v.get("id").elements() {
			kind = name.text()
		}
		v = kwargs
	} else if data := v.get("data"); data.is('{') {
		v = data
	}
	kind = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(kind, "Chunk"), "Message"))
	got := v.pick("role", "content", "tool_calls", "additional_kwargs", "tool_call_id", "name")
	role := got[0]
	if langChainRoles[kind] != "" && !role.is('"') {
		role = quoted(langChainRoles[kind])
	} else if !got[3].is('{') { // of another library
		return withoutDotted(v)
	}
	out := written{"role": role, "content": got[1]}
	if got[1].raw == "" {
		out["content"] = quoted("")
	}
	hasCalls := false // in the content, as Anthropic has them
	for _, part := range got[1].elements() {
		hasCalls = hasCalls || part.get("type").text() == "tool_use"
	}
	var calls []value
	for _, call := range got[2].elements() {
		if call.get("function").is('{') {
			calls = append(calls, call)
		} else {
			calls = append(calls, chatCall(call.get("id"), call.get("name"), call.get("args")))
		}
	}
	switch more := got[3].get("tool_calls"); {
	case hasCalls:
	case len(calls) > 0:
		out["tool_calls"] = listOfValues(calls)
	case more.is('['):
		out["tool_calls"] = more
	}
	if got[4].is('"') {
		out["tool_call_id"] = got[4]
	}
	if got[5].is('"') {
		out["name"] = got[5]
	}
	return out.value()
}

// withoutDotted returns an object without the members that a convention of telemetry adds to
// messages, such as gen_ai.message.index.
func withoutDotted(v value) value {
	if !strings.Contains(v.raw, `"gen_ai.`) {
		return v
	}
	out := written{}
	for name, w := range v.members() {
		if !strings.Contains(name, ".") {
			out[name] = w
		}
	}
	return out.value()
}
