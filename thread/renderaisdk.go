package thread

import "slices"

// renderAISDK writes messages of the AI SDK for models.
func renderAISDK(r *renderer) { r.messages(r.dialog(), r.sdkMessage) }

func (r *renderer) sdkMessage(m *msg) {
	if m.role == "system" { // whose content is a text
		for _, u := range m.units {
			end := r.mark(u)
			r.plainText(u)
			r.w.open('{')
			r.w.member("role", m.role)
			r.w.member("content", u.text())
			r.w.close('}')
			end()
		}
		return
	}
	defer r.markSingle(m)()
	r.w.open('{')
	r.w.member("role", m.role)
	if u := m.units[0]; len(m.units) == 1 && isText(u) {
		r.plainText(u)
		r.w.member("content", u.text())
	} else {
		r.partList("content", m, m.units, r.sdkPart)
	}
	r.w.close('}')
}

// sdkPart writes a part of a message for models.
func (r *renderer) sdkPart(u *unit) {
	if v, ok := r.raw(u); ok {
		r.w.value(v)
		return
	}
	if isText(u) {
		r.plainText(u)
		r.textPart(u)
		return
	}
	r.w.open('{')
	if isCall(u) {
		r.w.member("type", "tool-call")
		r.w.member("toolCallId", u.call)
		r.w.member("toolName", u.name)
		r.input("input", u)
	} else {
		r.w.member("type", "tool-result")
		r.w.member("toolCallId", u.call)
		r.w.member("toolName", u.name)
		r.w.key("output")
		r.w.open('{')
		name := "text"
		if _, ok := texts(u.content); ok {
			name = "content"
		}
		r.w.member("type", name)
		r.toolResult("value", u)
		r.w.close('}')
	}
	r.w.close('}')
}

// renderAISDKUI writes messages of the AI SDK for user interfaces. The answers of the model to a
// prompt are the steps of one message, and its calls have their results.
func renderAISDKUI(r *renderer) {
	msgs := r.dialog()
	r.w.open('[')
	for len(msgs) > 0 {
		n := 1
		for msgs[0].role == "assistant" && n < len(msgs) && (msgs[n].role == "assistant" || msgs[n].role == "tool") {
			n++
		}
		r.uiMessage(msgs[:n])
		msgs = msgs[n:]
	}
	r.w.close(']')
}

// uiMessage writes a message with its steps.
func (r *renderer) uiMessage(steps []*msg) {
	r.w.open('{')
	r.w.member("id", steps[0].units[0].id)
	r.w.member("role", steps[0].role)
	r.w.key("parts")
	r.w.open('[')
	for i, m := range steps {
		if m.role == "tool" { // its call has it
			continue
		}
		if m.role == "assistant" {
			r.w.value(object("type", "step-start"))
		}
		var results []*unit
		for _, m := range steps[i+1:] {
			if m.role != "tool" {
				break
			}
			results = append(results, m.units...)
		}
		for _, u := range m.units {
			end := r.mark(u)
			if isCall(u) {
				at := slices.IndexFunc(results, func(of *unit) bool { return of.call == u.call })
				var result *unit
				if at >= 0 {
					result = results[at]
					results = slices.Delete(results, at, at+1)
				}
				r.uiCall(u, result)
			} else {
				r.sdkPart(u)
			}
			end()
		}
	}
	r.w.close(']')
	r.w.close('}')
}

// uiCall writes a call with its result, or nil.
func (r *renderer) uiCall(u, result *unit) {
	r.w.open('{')
	r.w.member("type", "dynamic-tool")
	r.w.member("toolName", u.name)
	r.w.member("toolCallId", u.call)
	state := "output-available"
	if result == nil {
		state = "input-available"
	}
	r.w.member("state", state)
	r.input("input", u)
	if result != nil {
		r.w.key("output")
		end := r.mark(result)
		r.w.text(result.output())
		end()
	}
	r.w.close('}')
}
