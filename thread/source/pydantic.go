package source

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// pydanticAI are the messages of Pydantic AI, as its ModelMessagesTypeAdapter writes them.
var pydanticAI = &framework{
	what: "messages of Pydantic AI", format: thread.OpenAI.String(), list: "messages",
	paths: []string{"messages", "message_history", "all_messages", "new_messages", "history", "_state.message_history", "state.message_history"},
	ids:   []string{"conversation_id", "thread_id", "session_id"},
	times: []string{"timestamp", "created_at"},
	own:   "conversation_id",
	is:    isPydanticMessage, key: func(value) value { return value{} }, read: readPydantic,
}

func isPydanticMessage(v value) bool {
	got := v.pick("kind", "parts")
	if kind := got[0].text(); kind != "request" && kind != "response" {
		return false
	}
	for _, part := range got[1].elements() {
		return part.get("part_kind").is('"')
	}
	return got[1].is('[') && v.get("instructions").raw != ""
}

// pydanticSent are the members of messages and of their parts that are sent, or say what they are.
var pydanticSent = set("kind", "parts", "instructions", "usage", "part_kind", "content", "tool_name", "tool_call_id", "args", "id", "signature")

// readPydantic reads a request, of which each part is a message, or a response, which is a call.
func readPydantic(c *dialog, v value, at string) []mapped {
	got := v.pick("kind", "parts", "instructions", "usage", "model_name", "timestamp", "provider_response_id")
	about := aboutAll(v, pydanticSent)
	if got[0].text() == "response" {
		m := pydanticAnswer(c, v, got[1], at, about)
		m.ID = strings.Clone(got[6].text())
		r := &series.Request{Model: strings.Clone(got[4].text()), Time: got[5].instant(), Usage: usedTokens(got[3])}
		return []mapped{{message: m, call: r}}
	}
	if got[0].text() != "request" {
		c.malformed(v, "a message of the unknown kind %q; it is kept unchanged", got[0].text())
		return nil
	}
	var out []mapped
	onlyResults := true
	for i, part := range got[1].elements() {
		members := pydanticPart(part)
		if members == nil {
			c.keepValue("unsent", part)
			c.noteOnce(thread.Kept, "", part, "parts of the kind "+strconv.Quote(part.get("part_kind").text())+" are unknown; they are kept outside the conversation")
			continue
		}
		onlyResults = onlyResults && members["tool_call_id"].raw != ""
		m := sentAs(part, at+".parts["+strconv.Itoa(i)+"]", members, aboutAll(part, pydanticSent))
		if about != nil {
			m.About = withAbout(m.About, about)
			about = nil
		}
		out = append(out, mapped{message: m})
	}
	// A call is sent the instructions of its latest request. A request with only results may omit
	// them.
	if got[2].is('"') {
		out = append(out, mapped{settings: []series.Setting{{Name: "instructions", Kind: series.Instructions, Value: got[2].canonical()}}})
	} else if !onlyResults {
		out = append(out, mapped{settings: []series.Setting{}})
	}
	return out
}

// withAbout adds members to those that are kept with a message.
func withAbout(text string, members map[string]value) string {
	maps.Insert(members, (value{raw: text}).members())
	out := written(members).value()
	if len(members) == 0 {
		return ""
	}
	return out.raw
}

// usedTokens returns the tokens of a call, or "" if none are counted.
func usedTokens(v value) string {
	for name, w := range v.members() {
		if n, ok := w.integer(); ok && n > 0 && strings.HasSuffix(name, "_tokens") {
			return v.canonical()
		}
	}
	return ""
}

// pydanticPart returns the message that a part of a request becomes, or nil if its kind is unknown.
func pydanticPart(part value) written {
	got := part.pick("part_kind", "content", "tool_name", "tool_call_id", "outcome")
	content := got[1]
	switch got[0].text() {
	case "system-prompt":
		return written{"role": quoted("system"), "content": {raw: content.canonical()}}
	case "user-prompt":
		return written{"role": quoted("user"), "content": pydanticContent(content)}
	case "tool-return":
		text := asText(content)
		switch outcome := got[4].text(); {
		case outcome == "retried" && !content.is('"'):
			text = quoted(`{"error":` + text.text() + `}`)
		case outcome == "retried" || outcome == "failed":
			text = quoted(written{"error": text}.value().raw)
		}
		return written{"role": quoted("tool"), "tool_call_id": got[3], "content": text}
	case "retry-prompt":
		text := quoted(retryText(content, got[2].is('"')))
		if got[2].is('"') {
			return written{"role": quoted("tool"), "tool_call_id": got[3], "content": text}
		}
		return written{"role": quoted("user"), "content": text}
	case "retry-feedback":
		return written{"role": quoted("user"), "content": asText(content)}
	}
	return nil
}

// retryText returns how Pydantic AI says that an answer or a call was wrong.
func retryText(content value, isCall bool) string {
	text := content.text()
	switch {
	case !content.is('"'):
		n := 0
		for range content.elements() {
			n++
		}
		text = strconv.Itoa(n) + " validation error"
		if n != 1 {
			text += "s"
		}
		text += ":\n```json\n" + errorDetails(content) + "\n```"
	case !isCall:
		text = "Validation feedback:\n" + text
	}
	return text + "\n\nFix the errors and try again."
}

// asText returns a value as a text: the text that it is, or its JSON.
func asText(v value) value {
	switch {
	case v.is('"'):
		return value{raw: v.canonical()}
	case v.missing():
		return quoted("")
	}
	return quoted(compact(v))
}

// pydanticContent returns the content of a prompt: a text, or a list of texts and files.
func pydanticContent(v value) value {
	if !v.is('[') {
		return value{raw: v.canonical()}
	}
	var parts []value
	for _, w := range v.elements() {
		got := w.pick("kind", "url", "data", "media_type", "content")
		kind, url := got[0].text(), got[1]
		if kind == "binary" {
			url = quoted("data:" + got[3].text() + ";base64," + got[2].text())
		}
		class, format, _ := strings.Cut(got[3].text(), "/")
		if class == "image" {
			kind = "image-url"
		}
		switch {
		case kind == "binary" && (format == "wav" || format == "mpeg"):
			sound := written{"data": got[2], "format": quoted(map[string]string{"wav": "wav", "mpeg": "mp3"}[format])}
			parts = append(parts, written{"type": quoted("input_audio"), "input_audio": sound.value()}.value())
		case kind == "binary" && (class == "application" || class == "text"):
			parts = append(parts, written{"type": quoted("file"), "file": written{"file_data": url}.value()}.value())
		case w.is('"'):
			parts = append(parts, chatText(w))
		case kind == "text-content":
			parts = append(parts, chatText(got[4]))
		case kind == "image-url" && url.is('"'):
			parts = append(parts, written{"type": quoted("image_url"), "image_url": written{"url": {raw: url.canonical()}}.value()}.value())
		case kind != "cache-point": // which is not sent
			parts = append(parts, typed(w, kind))
		}
	}
	return contentOf(parts)
}

// typed returns an object with its kind as type.
func typed(v value, kind string) value {
	out := written{"type": quoted(kind)}
	for name, w := range v.members() {
		if name != "type" && !w.missing() {
			out[name] = value{raw: w.canonical()}
		}
	}
	return out.value()
}

// pydanticAnswer returns a response as a message of the model.
func pydanticAnswer(c *dialog, v, list value, at string, about map[string]value) *series.Message {
	var parts, calls, ids []value
	for _, part := range list.elements() {
		got := part.pick("part_kind", "content", "tool_name", "tool_call_id", "args")
		kind := got[0].text()
		switch kind {
		case "text":
			parts = append(parts, chatText(got[1]))
		case "thinking":
			thought := written{"type": quoted("thinking"), "thinking": {raw: got[1].canonical()}}
			for _, name := range [...]string{"signature", "id", "provider_name"} { // what a signature needs to be sent
				if w := part.get(name); !w.missing() {
					thought[name] = value{raw: w.canonical()}
				}
			}
			parts = append(parts, thought.value())
		case "tool-call":
			args := got[4]
			if !args.is('"') && !args.missing() {
				args = quoted(compact(args))
			}
			calls = append(calls, chatCall(got[3], got[2], args))
		default: // a file, a compaction, a call of a tool of the provider and its result
			parts = append(parts, typed(part, kind))
		}
		if more := aboutAll(part, pydanticSent); kind == "text" || kind == "thinking" || kind == "tool-call" {
			if delete(more, "tool_kind"); len(more) > 0 {
				ids = append(ids, value{raw: part.canonical()})
			}
		}
	}
	members := written{"role": quoted("assistant"), "content": contentOf(parts)}
	if len(calls) > 0 {
		members["tool_calls"] = listOfValues(calls)
	}
	if len(ids) > 0 {
		about["parts"] = listOfValues(ids)
	}
	return sentAs(v, at, members, about)
}

// compact returns the JSON of a value without white space between its tokens.
func compact(v value) string {
	var out bytes.Buffer
	_ = json.Compact(&out, []byte(v.raw)) // the document is valid
	return out.String()
}

// errorDetails returns the errors of a validation on lines of their own, without their contexts.
func errorDetails(list value) string {
	var b strings.Builder
	for i, e := range list.elements() {
		b.WriteString(map[bool]string{false: "[{", true: ",{"}[i > 0])
		n := 0
		for name, w := range e.members() {
			if name != "ctx" {
				b.WriteString(map[bool]string{false: "", true: ","}[n > 0] + string(canonjson.AppendString(nil, name)) + ":" + w.raw)
				n++
			}
		}
		b.WriteByte('}')
	}
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(b.String()+"]"), "", "  ")
	return out.String()
}
