package source

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// aiSDK are the messages of the Vercel AI SDK: those of user interfaces, which have parts, and
// those for models, with calls and results in their content.
var aiSDK = &framework{
	what: "messages of the AI SDK", format: thread.OpenAI.String(), list: "messages",
	paths: []string{"messages", "response.messages", "uiMessages", "chat.messages", "history"},
	ids:   []string{"id", "chatId", "chat_id", "threadId", "chat.id"},
	times: []string{"createdAt", "created_at", "updatedAt"},
	is:    isAISDKMessage, may: mayBeAISDK, key: func(value) value { return value{} }, read: readAISDK,
}

// uiParts are the types of parts of the messages of user interfaces; tool- and data- begin others.
var uiParts = set("text", "reasoning", "step-start", "dynamic-tool", "tool-invocation", "file", "source", "source-url", "source-document")

// modelParts are the types of parts that only messages for models have.
var modelParts = set("tool-call", "tool-result", "tool-approval-request", "tool-approval-response")

// sdkRoles are the roles of messages.
var sdkRoles = set("user", "assistant", "system", "tool")

// mayBeAISDK reports whether a value may be a message. A message with a text alone is one of many
// formats.
func mayBeAISDK(v value) bool {
	got := v.pick("role", "parts", "content")
	return sdkRoles[got[0].text()] && (got[1].is('[') || got[2].is('[') || got[2].is('"'))
}

func isAISDKMessage(v value) bool {
	got := v.pick("role", "parts", "content", "toolInvocations")
	if !sdkRoles[got[0].text()] {
		return false
	}
	for _, part := range got[1].elements() {
		got := part.pick("type", "text", "toolCallId")
		kind := got[0].text()
		return uiParts[kind] && (kind != "text" && kind != "reasoning" || got[1].is('"')) || strings.HasPrefix(kind, "data-") ||
			strings.HasPrefix(kind, "tool-") && got[2].is('"')
	}
	for _, part := range got[2].elements() {
		if got := part.pick("type", "toolCallId"); modelParts[got[0].text()] && got[1].is('"') {
			return true
		}
	}
	return got[3].is('[')
}

var aiSDKSent = set("role", "parts", "content", "id", "toolInvocations")

// readAISDK reads a message. In a UIMessage, an answer may have several steps. Each step is a call,
// followed by its results.
func readAISDK(c *dialog, v value, at string) []mapped {
	got := v.pick("role", "parts", "content", "toolInvocations", "metadata", "createdAt", "id", "usage")
	about := aboutAll(v, aiSDKSent)
	role := got[0].text()
	if roles[role] == series.Other || !got[1].is('[') && !got[2].is('[') && !got[2].is('"') && !got[3].is('[') {
		c.malformed(v, "not a message of the AI SDK; it is kept unchanged")
		return nil
	}
	a := &sdkAnswer{dialog: c, v: v, at: at, role: role}
	if got[2].is('"') && !got[1].is('[') {
		a.parts = append(a.parts, chatText(got[2]))
	}
	for _, list := range []value{got[1], got[2], got[3]} {
		if list.is('[') {
			for _, part := range list.elements() {
				a.part(part)
			}
			if list.off == got[1].off {
				break // the other members repeat the parts
			}
		}
	}
	a.step()
	if len(a.left) > 0 {
		about["parts"] = listOfValues(a.left)
	}
	var last *series.Request
	n := 0
	for i := range a.out {
		m := a.out[i].message
		m.ID = strings.Clone(got[6].text())
		if a.out[i].call != nil {
			last = a.out[i].call
			n++
		}
	}
	if len(a.out) > 0 {
		a.out[0].message.About = withAbout(a.out[0].message.About, about)
	}
	meta := got[4]
	usage := cmp.Or(objectText(got[7]), objectText(meta.first("usage", "totalUsage")))
	switch {
	case n == 1:
		last.Usage = usage
	case n > 1 && usage != "":
		c.noteOnce(thread.Kept, "", v, "the tokens of answers with several steps are counted together, and are not those of any call")
	}
	for i := range a.out {
		if r := a.out[i].call; r != nil {
			r.Model = strings.Clone(meta.first("model", "modelId").text())
			if i == 0 {
				r.Time = cmp.Or(got[5], meta.first("createdAt", "timestamp")).instant()
			}
		}
	}
	return a.out
}

// sdkAnswer is the state of reading the parts of a message.
type sdkAnswer struct {
	*dialog
	v            value
	at, role     string
	parts, calls []value
	results      []*series.Message
	left         []value // parts that are not sent
	called       bool    // the step has calls of the older form
	inStep       value   // its number, in the older form
	out          []mapped
}

// part reads a part.
func (a *sdkAnswer) part(part value) {
	got := part.pick("type", "text", "toolInvocation", "state")
	kind := got[0].text()
	switch {
	case kind == "step-start":
		a.step()
	case kind == "text":
		if a.called && got[1].text() != "" {
			a.step()
		}
		a.parts = append(a.parts, chatText(got[1]))
	case kind == "tool-invocation":
		a.invocation(got[2])
	case kind == "" && part.get("toolInvocationId").raw == "" && part.get("toolCallId").is('"'):
		a.invocation(part)
	case kind == "tool-result", kind == "tool-call":
		a.modelTool(part, kind)
	case kind == "dynamic-tool", strings.HasPrefix(kind, "tool-") && part.get("toolCallId").is('"') && !modelParts[kind]:
		a.tool(part, got[3].text(), strings.TrimPrefix(kind, "tool-"))
	case kind == "file", kind == "image":
		a.parts = append(a.parts, sdkFile(part))
	case kind == "reasoning":
		a.parts = append(a.parts, value{raw: part.canonical()})
	default: // data and sources
		a.left = append(a.left, value{raw: part.canonical()})
		if !strings.HasPrefix(kind, "data-") && !strings.HasPrefix(kind, "source") && !modelParts[kind] {
			a.noteOnce(thread.Kept, "", part, "parts of the type "+strconv.Quote(kind)+" are unknown; they are kept beside the message")
		}
	}
}

// step ends a step. It adds a message with the parts of the step, and then the results.
func (a *sdkAnswer) step() {
	if len(a.parts)+len(a.calls) > 0 {
		members := written{"role": quoted(a.role), "content": contentOf(a.parts)}
		if len(a.calls) > 0 {
			members["tool_calls"] = listOfValues(a.calls)
		}
		m := mapped{message: sentAs(a.v, a.at, members, nil)}
		if a.role == "assistant" {
			m.call = &series.Request{}
		}
		a.out = append(a.out, m)
	}
	for _, m := range a.results {
		a.out = append(a.out, mapped{message: m})
	}
	a.parts, a.calls, a.results, a.called = nil, nil, nil, false
}

// result adds the result of a call.
func (a *sdkAnswer) result(part, id, text value) {
	a.results = append(a.results, sentAs(part, a.at, written{"role": quoted("tool"), "tool_call_id": {raw: id.canonical()}, "content": text}, nil))
}

// addCall adds a call.
func (a *sdkAnswer) addCall(id, name, input value) {
	if !input.is('"') && !input.missing() {
		input = quoted(compact(input))
	}
	a.calls = append(a.calls, chatCall(value{raw: id.canonical()}, value{raw: name.canonical()}, input))
}

// tool reads a call of a tool, with its result if there is one yet.
func (a *sdkAnswer) tool(part value, state, name string) {
	got := part.pick("toolCallId", "toolName", "input", "output", "errorText", "approval", "providerExecuted", "rawInput")
	if got[1].missing() {
		got[1] = quoted(name)
	}
	if more := aboutAll(part, set("type", "state", "toolCallId", "toolName", "input", "output", "errorText")); len(more) > 0 {
		a.left = append(a.left, value{raw: part.canonical()})
	}
	if state == "input-streaming" {
		a.noteOnce(thread.Kept, "", part, "calls whose arguments are not complete are not sent; they are kept beside the message")
		a.left = append(a.left, value{raw: part.canonical()})
		return
	}
	input := got[2]
	if input.missing() {
		input = got[7]
	}
	a.addCall(got[0], got[1], input)
	var text value
	switch state {
	case "output-available":
		text = asText(got[3])
	case "output-error":
		text = asText(got[4])
	case "output-denied":
		if text = got[5].get("reason"); text.missing() {
			text = quoted("Tool call execution denied.")
		}
	case "input-available", "approval-requested", "approval-responded":
		return
	default:
		a.left = append(a.left, value{raw: part.canonical()})
		a.noteOnce(thread.Kept, "", part, "calls with an unknown state have no result; they are kept beside the message")
		return
	}
	a.result(part, got[0], text)
}

// invocation reads a call of a tool in the form of version 4.
func (a *sdkAnswer) invocation(v value) {
	got := v.pick("toolCallId", "toolName", "args", "result", "state", "step")
	if a.called && got[5].raw != a.inStep.raw {
		a.step()
	}
	a.called, a.inStep = true, got[5]
	a.addCall(got[0], got[1], got[2])
	if got[4].text() == "result" {
		a.result(v, got[0], asText(got[3]))
	}
}

// modelTool reads a call or a result in a message for models.
func (a *sdkAnswer) modelTool(part value, kind string) {
	got := part.pick("toolCallId", "toolName", "input", "args", "output", "result", "providerExecuted")
	if kind == "tool-call" {
		if got[2].missing() {
			got[2] = got[3]
		}
		a.addCall(got[0], got[1], got[2])
		return
	}
	output := got[4]
	text := asText(got[5])
	if output.is('{') {
		switch w := output.get("value"); output.get("type").text() {
		case "content":
			text = value{raw: w.canonical()}
		case "execution-denied":
			text = asText(output.get("reason"))
		default:
			text = asText(w)
		}
	}
	a.result(part, got[0], text)
}

// sdkFile returns a file as a part of OpenAI's chat API.
func sdkFile(part value) value {
	got := part.pick("mediaType", "mimeType", "url", "data", "image", "filename")
	url := got[2]
	kind := got[0].text() + got[1].text()
	for _, w := range got[3:5] {
		if !url.missing() {
			break
		}
		url = w
		if text := w.text(); w.is('"') && !strings.Contains(text, ":") { // base64
			url = quoted("data:" + kind + ";base64," + text)
		}
	}
	url = value{raw: url.canonical()}
	if strings.HasPrefix(kind, "image/") || !got[4].missing() {
		return written{"type": quoted("image_url"), "image_url": written{"url": url}.value()}.value()
	}
	file := written{"file_data": url}
	if !got[5].missing() {
		file["filename"] = value{raw: got[5].canonical()}
	}
	return written{"type": quoted("file"), "file": file.value()}.value()
}
