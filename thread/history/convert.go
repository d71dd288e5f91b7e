package history

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// convert returns a message in a form that package thread can read: unchanged, or, if the source
// has its own format, as messages of OpenAI's chat API; those of Bedrock, as one of Anthropic's.
func convert(format string, m *series.Message) []string {
	if strings.HasPrefix(m.Value, `"`) { // instead of a list
		return []string{object(map[string]string{"role": `"user"`, "content": m.Value})}
	}
	switch format {
	case "inspect", "otel", "atif", "bedrock":
	default:
		return []string{m.Value}
	}
	var in map[string]json.RawMessage
	if json.Unmarshal([]byte(m.Value), &in) != nil {
		return []string{m.Value}
	}
	switch format {
	case "inspect":
		return []string{fromInspect(in)}
	case "otel":
		return fromOTel(in)
	case "atif":
		return []string{fromATIF(m, in)}
	}
	in["content"] = json.RawMessage(list(fromBedrock(in["content"])))
	return []string{object(pick(in, "role", "content"))}
}

func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // "" for another value
	return s
}

func pick(in map[string]json.RawMessage, names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		if v, ok := in[name]; ok && string(v) != "null" {
			out[name] = string(v)
		}
	}
	return out
}

// call returns a tool call of OpenAI's chat API, in which the arguments are a string.
func call(id, name string, arguments json.RawMessage) string {
	args := string(arguments)
	if len(args) == 0 || args == "null" {
		args = "{}"
	}
	if args[0] == '"' {
		args = text(arguments)
	}
	return object(map[string]string{
		"id": quote(id), "type": `"function"`, "function": object(map[string]string{"name": quote(name), "arguments": quote(args)}),
	})
}

func fromInspect(in map[string]json.RawMessage) string {
	out := pick(in, "role", "content", "tool_call_id")
	if _, ok := out["content"]; !ok {
		out["content"] = "null"
	}
	var calls []struct {
		ID        string          `json:"id"`
		Function  string          `json:"function"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(in["tool_calls"], &calls) == nil && len(calls) > 0 {
		var written []string
		for _, c := range calls {
			written = append(written, call(c.ID, c.Function, c.Arguments))
		}
		out["tool_calls"] = list(written)
	}
	return object(out)
}

func fromOTel(in map[string]json.RawMessage) []string {
	var parts []map[string]json.RawMessage
	if json.Unmarshal(in["parts"], &parts) != nil {
		return []string{object(pick(in, "role", "content", "tool_calls", "tool_call_id", "name"))}
	}
	var results, texts, calls []string
	for _, p := range parts {
		switch text(p["type"]) {
		case "tool_call":
			calls = append(calls, call(text(p["id"]), text(p["name"]), p["arguments"]))
		case "tool_call_response":
			content := string(p["response"])
			if p["response"] == nil {
				content = string(p["result"])
			}
			if len(content) == 0 {
				content = `""`
			} else if content[0] != '"' {
				content = quote(content)
			}
			results = append(results, object(map[string]string{"role": `"tool"`, "tool_call_id": quote(text(p["id"])), "content": content}))
		case "text":
			texts = append(texts, object(map[string]string{"type": `"text"`, "text": string(p["content"])}))
		default:
			if url := imageURL(p); url != "" {
				texts = append(texts, object(map[string]string{"type": `"image_url"`, "image_url": object(map[string]string{"url": quote(url)})}))
				continue
			}
			part := map[string]string{}
			for name, v := range p {
				part[name] = string(v)
			}
			texts = append(texts, object(part))
		}
	}
	if len(texts)+len(calls) == 0 && len(results) > 0 {
		return results
	}
	out := pick(in, "role")
	out["content"] = "null"
	if len(texts) > 0 {
		out["content"] = list(texts)
	}
	if len(calls) > 0 {
		out["tool_calls"] = list(calls)
	}
	return append(results, object(out))
}

// imageURL returns the address of a part with an image, which may have the image in it, or "".
func imageURL(part map[string]json.RawMessage) string {
	kind, isImage := text(part["mime_type"]), text(part["modality"]) == "image"
	switch text(part["type"]) {
	case "blob":
		if data := text(part["content"]); data != "" && (isImage || strings.HasPrefix(kind, "image/")) {
			return "data:" + kind + ";base64," + data
		}
	case "uri":
		if isImage || strings.HasPrefix(kind, "image/") {
			return text(part["uri"])
		}
	}
	return ""
}

func fromATIF(m *series.Message, in map[string]json.RawMessage) string {
	role := map[series.Role]string{series.System: "system", series.User: "user", series.Assistant: "assistant", series.Tool: "tool"}[m.Role]
	out := map[string]string{"role": quote(role)}
	switch m.Role {
	case series.Tool:
		out["tool_call_id"] = quote(m.Answers[0])
		out["content"] = string(in["content"])
	case series.User:
		out["content"] = string(in["content"])
		if len(in["content"]) == 0 {
			out["content"] = string(in["message"])
		}
	default:
		out["content"] = string(in["message"])
	}
	if out["content"] == "" {
		out["content"] = `""`
	}
	var calls []struct {
		ID        string          `json:"tool_call_id"`
		Name      string          `json:"function_name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(in["tool_calls"], &calls) == nil && len(calls) > 0 {
		var written []string
		for _, c := range calls {
			written = append(written, call(c.ID, c.Name, c.Arguments))
		}
		out["tool_calls"] = list(written)
	}
	return object(out)
}

// fromBedrock converts content of the Converse API to content blocks of Anthropic's. It drops
// cachePoint.
func fromBedrock(content json.RawMessage) []string {
	var parts []map[string]json.RawMessage
	if json.Unmarshal(content, &parts) != nil {
		if len(content) == 0 {
			return nil
		}
		return []string{object(map[string]string{"type": `"text"`, "text": string(content)})}
	}
	var out []string
	for _, p := range parts {
		for _, name := range slices.Sorted(maps.Keys(p)) {
			var in map[string]json.RawMessage
			_ = json.Unmarshal(p[name], &in) // a text has no members
			var made map[string]string
			switch name {
			case "text":
				made = map[string]string{"type": `"text"`, "text": string(p[name])}
			case "json":
				made = map[string]string{"type": `"text"`, "text": quote(string(p[name]))}
			case "toolUse":
				made = pick(in, "name", "input")
				made["type"], made["id"] = `"tool_use"`, quote(text(in["toolUseId"]))
			case "toolResult":
				made = map[string]string{"type": `"tool_result"`, "tool_use_id": quote(text(in["toolUseId"])), "content": list(fromBedrock(in["content"]))}
				if text(in["status"]) == "error" {
					made["is_error"] = "true"
				}
			case "reasoningContent":
				var thought struct {
					Text      string `json:"text"`
					Signature string `json:"signature"`
				}
				made = map[string]string{"type": `"redacted_thinking"`, "data": string(in["redactedContent"])}
				if json.Unmarshal(in["reasoningText"], &thought) == nil {
					made = map[string]string{"type": `"thinking"`, "thinking": quote(thought.Text), "signature": quote(thought.Signature)}
				}
			case "image", "document", "video":
				made = pick(in, slices.Collect(maps.Keys(in))...)
				var source struct {
					Bytes string `json:"bytes"`
				}
				if json.Unmarshal(in["source"], &source) == nil && source.Bytes != "" {
					kind := map[string]string{"document": "application"}[name]
					made["source"] = object(map[string]string{"type": `"base64"`, "media_type": quote(cmp.Or(kind, name) + "/" + text(in["format"])), "data": quote(source.Bytes)})
					delete(made, "format")
				}
				made["type"] = quote(name)
			case "cachePoint":
				continue
			default:
				made = pick(in, slices.Collect(maps.Keys(in))...)
				made["type"] = quote(name)
			}
			out = append(out, object(made))
		}
	}
	return out
}
