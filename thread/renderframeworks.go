package thread

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// dialog returns the messages of a thread for a framework. An empty text beside calls is left out,
// because the forms of frameworks do not tell it from none; calls are last. Results have the names
// of their calls.
func (r *renderer) dialog() []*msg {
	msgs := r.chat()
	names := map[string]string{}
	for _, m := range msgs {
		calls, parts := callsIn(m)
		if r.format == LangChain { // in which calls with invalid arguments are in a list after the others
			valid, invalid := callsByForm(calls)
			calls = append(valid, invalid...)
		}
		if len(calls) > 0 {
			m.units = append(slices.DeleteFunc(parts, func(u *unit) bool { return isText(u) && u.text() == "" }), calls...)
		}
		for _, u := range m.units {
			if isCall(u) {
				names[u.call] = u.name
			} else if isResult(u) {
				u.name = names[u.call]
			}
		}
	}
	return msgs
}

// callsByForm returns the calls whose arguments are objects, and the others.
func callsByForm(calls []*unit) (valid, invalid []*unit) {
	for _, u := range calls {
		if u.isObject() {
			valid = append(valid, u)
		} else {
			invalid = append(invalid, u)
		}
	}
	return valid, invalid
}

// callsIn returns the calls of a message, and its other parts.
func callsIn(m *msg) (calls, parts []*unit) {
	for _, u := range m.units {
		if isCall(u) {
			calls = append(calls, u)
		} else {
			parts = append(parts, u)
		}
	}
	return calls, parts
}

// markPart marks a unit that is one of several in its message.
func (r *renderer) markPart(m *msg, u *unit) func() {
	if len(m.units) == 1 {
		return func() {}
	}
	return r.mark(u)
}

// isObject reports whether the arguments of a call are a JSON object, or missing.
func (u *unit) isObject() bool {
	s, ok := u.content.Text()
	if !ok {
		return u.content.IsZero() || u.content.IsNull() || strings.HasPrefix(u.content.String(), "{")
	}
	v, err := engine.JSON([]byte(s))
	return strings.TrimSpace(s) == "" || err == nil && strings.HasPrefix(v.String(), "{")
}

// input writes the arguments of a call: an object, or what the model wrote instead, as a text.
func (r *renderer) input(name string, u *unit) {
	if u.isObject() {
		r.w.memberValue(name, r.arguments(u))
	} else {
		r.w.member(name, u.written())
	}
}

// failed reports whether the log says of a result that the call failed.
func (u *unit) failed() bool {
	if u.node.IsZero() || !u.intact() {
		return false
	}
	status, _ := u.node.Header("status").Text()
	return status == "error" || u.node.Header("is_error").String() == "true"
}

// written returns the arguments of a call as the model wrote them.
func (u *unit) written() string {
	if s, ok := u.content.Text(); ok {
		return s
	}
	return u.content.String()
}

// partOf returns a part that was kept whole in the form of a framework, if it has one for it.
func partOf(f Format, u *unit) (engine.Value, bool) {
	part := valueOf(u.content)
	kind := textOf(part, "type")
	if kind == "" || textTypes[kind] || u.from.Type == typeToolCall {
		return engine.Value{}, false
	}
	switch f {
	case LangChain: // whose content may have the parts of any of these providers; images are the same for all models
		from := u.from.From
		return u.content, from == formatNames[OpenAI] || u.kind != "image" && (from == formatNames[Anthropic] || from == formatNames[OpenAIResponses])
	case PydanticAI:
		if textOf(part, "part_kind") == kind || textOf(part, "kind") == kind {
			return without(part, "type"), true
		}
		if text, signature, ok := reasoningIn(part); ok && u.role == "assistant" {
			id, provider := textOf(part, "id"), textOf(part, "provider_name") // without it the signature is not sent
			if u.isAnthropic() {
				provider = "anthropic"
			}
			if kind == redacted {
				id = redacted
			}
			out := object("id", id, "part_kind", "thinking", "provider_name", provider, "signature", signature)
			return with(out, "content", engine.Text(text)), true
		}
	case AISDK, AISDKUI:
		if text, signature, ok := reasoningIn(part); ok && u.role == "assistant" {
			if kind == "reasoning" {
				return u.content, true
			}
			out := with(object("type", "reasoning"), "text", engine.Text(text))
			if signature != "" && u.isAnthropic() {
				of := map[Format]string{AISDK: "providerOptions", AISDKUI: "providerMetadata"}[f]
				name := map[bool]string{false: "signature", true: "redactedData"}[kind == redacted]
				out = with(out, of, constant(`{"anthropic":`+object(name, signature).String()+"}"))
			}
			return out, true
		}
	}
	return engine.Value{}, false
}

// isAnthropic reports whether a part is in the form of Anthropic's API.
func (u *unit) isAnthropic() bool {
	return u.from.From == formatNames[Anthropic] || u.from.From == formatNames[ClaudeCode]
}

// redacted is the type of thinking of which Anthropic's API gives only what is encrypted.
const redacted = "redacted_thinking"

// reasoningIn returns the text of a part with reasoning and its signature, or what is encrypted.
// The text is empty if the provider does not show it.
func reasoningIn(part *value) (text, signature string, ok bool) {
	switch textOf(part, "type") {
	case "thinking":
		return textOf(part, "thinking"), textOf(part, "signature"), true
	case redacted:
		return "", textOf(part, "data"), true
	case "reasoning":
		member, _ := part.get("text")
		text, ok = member.text()
		return text, "", ok
	}
	return "", "", false
}

// object returns an object of texts. Empty ones are left out.
func object(pairs ...string) engine.Value {
	var w writer
	w.open('{')
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			w.member(pairs[i], pairs[i+1])
		}
	}
	w.close('}')
	return constant(string(w.buf))
}

// with returns an object, which is not empty, with one more member.
func with(v engine.Value, name string, member engine.Value) engine.Value {
	return constant(strings.TrimSuffix(v.String(), "}") + "," + engine.Text(name).String() + ":" + member.String() + "}")
}

// without returns an object without a member.
func without(v *value, name string) engine.Value {
	var w writer
	w.open('{')
	for f := range v.fields() {
		if f.name != name {
			w.memberValue(f.name, f.json())
		}
	}
	w.close('}')
	return constant(string(w.buf))
}

// textPart writes a part with a text.
func (r *renderer) textPart(u *unit) {
	r.w.open('{')
	r.w.member("type", "text")
	r.w.member("text", u.text())
	r.w.close('}')
}
