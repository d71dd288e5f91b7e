package source

import (
	"maps"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// members of a message or part that is written in another way.
type written map[string]value

func quoted(text string) value { return value{raw: string(canonjson.AppendString(nil, text))} }

// value returns the object. Members whose value does not exist are left out.
func (w written) value() value {
	maps.DeleteFunc(w, func(_ string, v value) bool { return v.raw == "" })
	return value{raw: object(w)}
}

func listOfValues(list []value) value {
	return value{raw: string(canonjson.AppendList(nil, list, func(dst []byte, v value) []byte { return append(dst, v.raw...) }))}
}

// fromNumbered returns a message of separate attributes, as OpenInference and Traceloop write them,
// in the form of chat APIs. If its content has calls or results of Anthropic, it has parts instead.
func fromNumbered(v value) value {
	out := written{}
	var content []value
	for name, w := range v.members() {
		switch name {
		case "role", "tool_call_id", "name":
			out[name] = w
		case "content":
			if out[name] = w; strings.HasPrefix(w.text(), "[{") {
				if d, bad := parse("", w.text(), 0); bad == nil {
					out[name] = d.root()
				}
			}
		case "contents":
			for _, part := range w.elements() {
				content = append(content, fromContents(part))
			}
		case "reasoning", "reasoning_content":
			if w.text() != "" {
				content = append(content, written{"type": quoted("reasoning"), "content": w}.value())
			}
		case "tool_calls":
			var calls []value
			for _, call := range w.elements() {
				calls = append(calls, chatCall(call.get("id"), call.first("name", "function"), call.get("arguments")))
			}
			out[name] = listOfValues(calls)
		case "function_call_name":
			out["tool_calls"] = listOfValues([]value{chatCall(value{}, w, v.get("function_call_arguments_json"))})
		case "function_call":
			out["tool_calls"] = listOfValues([]value{chatCall(value{}, w.get("name"), w.get("arguments"))})
		}
	}
	if len(content) > 0 {
		if text := out["content"]; text.text() != "" {
			content = append(content, written{"type": quoted("text"), "text": text}.value())
		}
		out["content"] = listOfValues(content)
	}
	parts, isAnthropic := fromBlocks(out["content"])
	if !isAnthropic {
		return out.value()
	}
	for _, call := range out["tool_calls"].elements() {
		parts = append(parts, written{
			"type": quoted("tool_call"), "id": call.get("id"), "name": call.get("function", "name"), "arguments": call.get("function", "arguments"),
		}.value())
	}
	delete(out, "content")
	delete(out, "tool_calls")
	out["parts"] = listOfValues(parts)
	return out.value()
}

// chatCall returns a call in the form of chat APIs. function may be the name, or an object that has
// it and the arguments.
func chatCall(id, function, arguments value) value {
	if function.is('{') {
		function, arguments = function.get("name"), function.get("arguments")
	}
	if arguments.missing() {
		arguments = quoted("{}")
	} else if !arguments.is('"') {
		arguments = quoted(arguments.canonical())
	}
	out := written{"type": quoted("function"), "function": written{"name": function, "arguments": arguments}.value()}
	if function.missing() {
		out["function"] = written{"arguments": arguments}.value()
	}
	if id.is('"') {
		out["id"] = id
	}
	return out.value()
}

// fromContents returns a part of OpenInference in the form of chat APIs.
func fromContents(part value) value {
	if part.get("type").text() != "image" {
		return part
	}
	url := part.get("image", "image", "url")
	if url.missing() {
		url = part.get("image", "url")
	}
	if !url.is('"') {
		return part
	}
	return written{"type": quoted("image_url"), "image_url": written{"url": url}.value()}.value()
}

// fromBlocks returns the blocks of Anthropic as parts, and whether there are calls or results among
// them.
func fromBlocks(list value) (parts []value, ok bool) {
	for _, block := range list.elements() {
		switch block.get("type").text() {
		case "text":
			block = written{"type": quoted("text"), "content": block.get("text")}.value()
		case "tool_use":
			ok = true
			block = written{"type": quoted("tool_call"), "id": block.get("id"), "name": block.get("name"), "arguments": block.get("input")}.value()
		case "tool_result":
			ok = true
			block = written{"type": quoted("tool_call_response"), "id": block.get("tool_use_id"), "response": block.get("content")}.value()
		}
		parts = append(parts, block)
	}
	return parts, ok
}

// fromPrompt returns the text of a completions API as a message.
func fromPrompt(v value) value {
	if text := v.get("completion", "text"); text.is('"') {
		return written{"role": quoted("assistant"), "content": text}.value()
	}
	text := v.get("prompt", "text")
	if !text.is('"') {
		text = v.get("text")
	}
	if !text.is('"') {
		text = quoted(v.text())
	}
	return written{"role": quoted("user"), "content": text}.value()
}

// fromVercel returns a message of the Vercel AI SDK with the parts of the GenAI conventions.
func fromVercel(v value) value {
	content := v.get("content")
	if !content.is('[') {
		return written{"role": v.get("role"), "content": content}.value()
	}
	var parts []value
	for _, part := range content.elements() {
		parts = append(parts, fromVercelPart(part))
	}
	return written{"role": v.get("role"), "parts": listOfValues(parts)}.value()
}

func fromVercelPart(part value) value {
	switch part.get("type").text() {
	case "text":
		return written{"type": quoted("text"), "content": part.get("text")}.value()
	case "reasoning":
		return written{"type": quoted("reasoning"), "content": part.get("text")}.value()
	case "tool-call":
		return vercelCall(part)
	case "tool-result":
		output := part.first("output", "result")
		if w := output.get("value"); w.raw != "" && output.get("type").is('"') {
			output = w
		}
		if output.raw == "" {
			output = value{raw: "null"}
		}
		return written{"type": quoted("tool_call_response"), "id": part.get("toolCallId"), "response": output}.value()
	case "file", "image":
		data, kind := part.first("data", "image"), part.first("mediaType", "mimeType")
		if !data.is('"') || part.get("type").text() == "file" && !strings.HasPrefix(kind.text(), "image/") {
			break
		}
		if strings.HasPrefix(data.text(), "data:") || strings.HasPrefix(data.text(), "http") {
			return written{"type": quoted("uri"), "modality": quoted("image"), "uri": data}.value()
		}
		out := written{"type": quoted("blob"), "modality": quoted("image"), "content": data}
		if !kind.missing() {
			out["mime_type"] = kind
		}
		return out.value()
	}
	return part
}

func vercelCall(call value) value {
	arguments := call.first("input", "args")
	if arguments.raw == "" {
		arguments = value{raw: "{}"}
	}
	return written{"type": quoted("tool_call"), "id": call.get("toolCallId"), "name": call.get("toolName"), "arguments": arguments}.value()
}

// vercelAnswer returns the answer of the Vercel AI SDK, which is in several attributes, as a list
// of one message.
func vercelAnswer(x *export, attrs map[string]value, line int) (list value, path string, cut bool) {
	var parts []value
	add := func(kind string, names ...string) {
		for _, name := range names {
			if v := attrs[name]; v.text() != "" {
				parts = append(parts, written{"type": quoted(kind), "content": v}.value())
				return
			}
		}
	}
	add("reasoning", "ai.response.reasoning")
	add("text", "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
	for _, name := range [...]string{"ai.response.toolCalls", "ai.result.toolCalls"} {
		calls, ok := x.inside(attrs[name])
		if !ok {
			continue
		}
		for _, call := range calls.elements() {
			parts = append(parts, vercelCall(call))
		}
		break
	}
	if parts == nil {
		return value{}, "", false
	}
	message := written{"role": quoted("assistant"), "parts": listOfValues(parts)}
	return listOfValues([]value{message.value()}), "ai.response", false
}

// valueAnswer returns the text of an object that is the output of a span of OpenInference, as a
// list of one message.
func valueAnswer(x *export, attrs map[string]value, _ int) (list value, path string, cut bool) {
	v, _ := x.inside(attrs["output.value"])
	if text := v.get("text"); text.is('"') {
		list = listOfValues([]value{written{"role": quoted("assistant"), "content": text}.value()})
	}
	return list, "output.value", false
}
