package source

import (
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
)

// observe reads a call that an observability platform recorded. in and out may be a request body
// and an answer of a provider; messages of a provider, of LangChain or of the GenAI conventions; or
// a text. attrs has the other attributes.
func (x *export) observe(s *span, v value, attrs map[string]value, in, out value) {
	before := s.call
	switch isEmpty := out.missing() || len(out.raw) == len("{}"); {
	case in.missing() && s.begun.raw != "": // a run that was written when it began and when it ended
		in, s.begun = s.begun, value{}
	case isEmpty:
		s.begun = value{raw: in.canonical(), doc: &document{file: v.doc.file, line: v.line()}}
	}
	if s.kind = max(s.kind, spanKindOf(attrs)); s.kind == callSpan {
		list, isBody := sentIn(in)
		answer := observedAnswer(out)
		switch {
		case isBody:
			attrs["input.value"], attrs["openinference.span.kind"] = withParameters(list, attrs), quoted("LLM")
			if answer.raw != "" {
				attrs["output.value"] = answer
			}
		case list.raw != "":
			attrs["gen_ai.input.messages"] = list
			if answer.raw != "" {
				attrs["gen_ai.output.messages"] = asList(answer)
			}
		case !in.missing():
			x.malformed(in, "the input of a call has no messages; it is kept unchanged")
		}
		if answer.raw == "" && !out.missing() && len(out.raw) > len("{}") {
			x.malformed(out, "the output of a call has no answer in a known form; it is kept unchanged")
		}
		x.keepBatch(in, out)
	}
	x.read(s, v, attrs)
	if before != nil && s.call != nil {
		s.call.add(before)
	}
}

// keepBatch keeps what was sent and answered in a run of several requests, or with several answers.
// Only the first is read.
func (x *export) keepBatch(in, out value) {
	isSeveral := func(list value) bool {
		for i := range list.elements() {
			if i > 0 {
				return true
			}
		}
		return false
	}
	in, out = inside(in), inside(out)
	several := isSeveral(in.get("prompts")) || isSeveral(out.get("generations"))
	for _, answers := range out.get("generations").elements() {
		several = several || isSeveral(answers)
		break
	}
	for _, list := range append(in.pick(listNames[:]...), in) {
		for _, w := range list.elements() {
			several = several || w.is('[') && isSeveral(list)
			break
		}
	}
	if several {
		x.keepValue("unsent", in)
		x.keepValue("unsent", out)
		x.noteOnce(thread.Kept, "", in, "of runs with several requests or answers only the first is read; they are kept unchanged")
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
	maps.Insert(out, body.members())
	return out.value()
}

func asList(v value) value {
	if v.is('[') {
		return v
	}
	return listOfValues([]value{v})
}

// sentIn returns the body in the input of a call, or its messages in the form of the conventions.
// It returns a missing value if there are none.
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
				maps.Insert(body, in.members())
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

// nameOf returns the member of a body that holds a list of messages: input for items of the
// Responses API, contents for Gemini, else messages.
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

// messagesIn returns a list of messages, with those of LangChain converted to the chat API. If an
// element is not a message, it returns a missing value. For a batch it returns the first list.
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

// observedAnswer returns the answer in the output of a call: that of a provider, or messages.
func observedAnswer(out value) value {
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
		return observedAnswer(w.get("text"))
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
		return observedAnswer(got[3])
	case got[4].raw != "":
		return observedAnswer(got[4])
	}
	return value{}
}

// asAnswer returns a list with one message. The role defaults to assistant.
func (v value) asAnswer() value {
	if v.get("role").raw == "" {
		w := written{"role": quoted("assistant")}
		maps.Insert(w, v.members())
		v = w.value()
	}
	return listOfValues([]value{v})
}

// fromLangChain returns a message of LangChain in the form of chat APIs, and others unchanged.
func fromLangChain(v value) value {
	kind, data := langChainOf(v)
	got := data.pick("role", "content", "additional_kwargs", "tool_call_id", "name")
	role := got[0]
	if name := langChainRoles[kind]; name != "" && !role.is('"') {
		role = quoted(name)
	} else if !got[2].is('{') { // of another library
		return withoutDotted(data)
	}
	about := map[string]value{}
	calls, ids := langChainCalls(data, got[2], about)
	out := written{"role": role, "content": langChainContent(got[1], ids, about)}
	if out["content"].raw == "" {
		out["content"] = quoted("")
	}
	if len(calls) > 0 {
		out["tool_calls"] = listOfValues(calls)
	}
	if got[3].is('"') {
		out["tool_call_id"] = got[3]
	}
	if got[4].is('"') {
		out["name"] = got[4]
	}
	return out.value()
}

// withoutDotted returns an object without the members that telemetry adds to messages, such as
// gen_ai.message.index.
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
