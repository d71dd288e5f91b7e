package source

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Assemble returns the answer in one piece, in JSON, from the text of the server-sent events or
// lines in which a provider sent it. It returns false if the text is not a stream of a known
// provider. An answer that broke off has what had come.
func Assemble(stream string) (answer string, ok bool) { return assembled(events(stream)) }

// assembled returns the answer that the events or chunks of a stream make up, in JSON, as the
// provider would have sent it in one piece. It returns false if they are not of a known stream.
func assembled(chunks []map[string]any) (string, bool) {
	var out map[string]any
	for _, c := range chunks {
		kind := stringIn(c, "type")
		switch {
		case kind == "message_start", strings.HasPrefix(kind, "content_block_"):
			out = assembleAnthropic(chunks)
		case strings.HasPrefix(kind, "response."):
			out = assembleResponses(chunks)
		case kind == "message-start", strings.HasPrefix(kind, "content-"):
			out = assembleCohere(chunks)
		case c["choices"] != nil:
			out = assembleChat(chunks)
		case c["candidates"] != nil, c["usageMetadata"] != nil:
			out = assembleGemini(chunks)
		case c["message"] != nil && c["done"] != nil:
			out = assembleOllama(chunks)
		}
		if out != nil {
			return string(canonjson.EncodeLine(out)), true
		}
	}
	for _, c := range chunks { // nothing but an error
		if e := c["error"]; e != nil {
			return string(canonjson.EncodeLine(map[string]any{"error": e})), true
		}
	}
	return "", false
}

// events returns the JSON objects in the data of server-sent events, or on the lines of a text.
func events(text string) (out []map[string]any) {
	add := func(data string) {
		if m := decode(data); m != nil {
			out = append(out, m)
		}
	}
	data, isStream := "", false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if rest, ok := strings.CutPrefix(line, "data:"); ok {
			isStream = true
			data += strings.TrimPrefix(rest, " ")
		} else if line == "" {
			add(data)
			data = ""
		}
	}
	add(data)
	if isStream {
		return out
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m := decode(line)
		if m == nil {
			return nil // a text
		}
		out = append(out, m)
	}
	return out
}

// decode returns the object in a JSON text, or nil.
func decode(text string) map[string]any {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var m map[string]any
	if dec.Decode(&m) != nil || dec.More() {
		return nil
	}
	return m
}

func stringIn(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

func objectIn(m map[string]any, name string) map[string]any {
	o, _ := m[name].(map[string]any)
	return o
}

func arrayIn(m map[string]any, name string) []any {
	l, _ := m[name].([]any)
	return l
}

// indexIn returns a member that is an index, or 0.
func indexIn(m map[string]any, name string) int {
	n, _ := m[name].(json.Number)
	i, _ := canonjson.Int(string(n))
	return int(i)
}

// pieces are texts that arrive in pieces, by the object and the member that they belong to.
type pieces map[string]*piece

type piece struct {
	in   map[string]any
	name string
	text strings.Builder
}

func (p pieces) add(key string, in map[string]any, name, text string) {
	k := key + " " + name
	if p[k] == nil {
		p[k] = &piece{in: in, name: name}
		p[k].text.WriteString(stringIn(in, name))
	}
	p[k].text.WriteString(text)
}

// end sets the members to the whole texts.
func (p pieces) end() {
	for _, x := range p {
		x.in[x.name] = x.text.String()
	}
}

// numbered are objects by their index.
type numbered map[string]map[string]any

func (n numbered) at(index string) map[string]any {
	if n[index] == nil {
		n[index] = map[string]any{}
	}
	return n[index]
}

// list returns the objects in the order of their indexes.
func (n numbered) list() []any {
	out := []any{}
	for _, i := range slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) {
		out = append(out, n[i])
	}
	return out
}

// indexOf returns the index of an object as text.
func indexOf(m map[string]any, name string) string {
	n, _ := m[name].(json.Number)
	return cmp.Or(string(n), "0")
}

// assembleAnthropic makes the message of a stream of the Messages API.
func assembleAnthropic(chunks []map[string]any) map[string]any {
	out, blocks, texts := map[string]any{"role": "assistant", "type": "message"}, numbered{}, pieces{}
	arguments := map[string]*strings.Builder{}
	usage := map[string]any{}
	for _, c := range chunks {
		i := indexOf(c, "index")
		switch stringIn(c, "type") {
		case "message_start":
			maps.Copy(out, objectIn(c, "message"))
			maps.Copy(usage, objectIn(out, "usage"))
		case "content_block_start":
			maps.Copy(blocks.at(i), objectIn(c, "content_block"))
		case "content_block_delta":
			d, b := objectIn(c, "delta"), blocks.at(i)
			switch stringIn(d, "type") {
			case "text_delta":
				texts.add(i, b, "text", stringIn(d, "text"))
			case "thinking_delta":
				texts.add(i, b, "thinking", stringIn(d, "thinking"))
			case "signature_delta":
				b["signature"] = d["signature"]
			case "compaction_delta":
				for name, v := range d {
					if text, ok := v.(string); ok && name != "type" {
						texts.add(i, b, name, text)
					}
				}
			case "citations_delta":
				b["citations"] = append(arrayIn(b, "citations"), d["citation"])
			case "input_json_delta":
				if arguments[i] == nil {
					arguments[i] = &strings.Builder{}
				}
				arguments[i].WriteString(stringIn(d, "partial_json"))
			}
		case "message_delta":
			maps.Copy(out, objectIn(c, "delta"))
			for name, v := range objectIn(c, "usage") {
				if v != nil {
					usage[name] = v
				}
			}
			if v := c["context_management"]; v != nil {
				out["context_management"] = v
			}
		case "error":
			out["error"] = c["error"]
		}
	}
	texts.end()
	for i, text := range arguments {
		if in := decode(text.String()); in != nil {
			blocks[i]["input"] = in
		} else if text.Len() > 0 {
			blocks[i]["input"] = text.String() // it was cut off
		}
	}
	for _, b := range blocks {
		if b["type"] == nil {
			b["type"] = "text" // the start is not in the log
		}
	}
	out["content"], out["usage"] = blocks.list(), usage
	return out
}

// assembleChat makes the answer of a stream of OpenAI's chat API.
func assembleChat(chunks []map[string]any) map[string]any {
	out, choices, messages, calls, texts := map[string]any{}, numbered{}, numbered{}, map[string]numbered{}, pieces{}
	for _, c := range chunks {
		for name, v := range c {
			if name != "choices" && v != nil {
				out[name] = v
			}
		}
		for _, x := range arrayIn(c, "choices") {
			choice, _ := x.(map[string]any)
			i := indexOf(choice, "index")
			to, m := choices.at(i), messages.at(i)
			if m["role"] == nil {
				m["role"], m["content"], to["message"] = "assistant", nil, m
			}
			if v := choice["finish_reason"]; v != nil {
				to["finish_reason"] = v
			}
			delta := objectIn(choice, "delta")
			if delta == nil {
				delta = objectIn(choice, "message")
			}
			for name, v := range delta {
				switch text, isText := v.(string); {
				case name == "role" || v == nil:
				case isText:
					texts.add(i, m, name, text)
				case name == "tool_calls":
					if calls[i] == nil {
						calls[i] = numbered{}
					}
					for n, y := range arrayIn(delta, name) {
						part, _ := y.(map[string]any)
						at := indexOf(part, "index")
						if part["index"] == nil && n > 0 {
							at = strconv.Itoa(n)
						}
						addCall(texts, i+" "+at, calls[i].at(at), part)
					}
				case name == "function_call":
					if m[name] == nil {
						m[name] = map[string]any{}
					}
					addTexts(texts, i+" "+name, objectIn(m, name), objectIn(delta, name))
				default:
					if list, ok := v.([]any); ok {
						v = append(arrayIn(m, name), list...)
					}
					m[name] = v
				}
			}
		}
	}
	texts.end()
	for i, list := range calls {
		messages[i]["tool_calls"] = list.list()
	}
	out["choices"] = choices.list()
	return out
}

// addCall adds a piece of a call. Its arguments come in pieces; its id and name are sent once, or
// again.
func addCall(texts pieces, key string, to, part map[string]any) {
	for name, v := range part {
		switch in := objectIn(part, name); {
		case name == "index" || v == nil || v == "":
		case in != nil:
			if to[name] == nil {
				to[name] = map[string]any{}
			}
			addTexts(texts, key+" "+name, objectIn(to, name), in)
		default:
			to[name] = v
		}
	}
}

func addTexts(texts pieces, key string, to, part map[string]any) {
	for name, v := range part {
		switch text, ok := v.(string); {
		case ok && (name == "arguments" || name == "input"):
			texts.add(key, to, name, text)
		case v != nil && v != "":
			to[name] = v
		}
	}
}

// assembleResponses makes the answer of a stream of the Responses API. The last event has it, but
// some services leave its output empty, and it is missing if the stream was cut off.
func assembleResponses(chunks []map[string]any) map[string]any {
	out, items, texts := map[string]any{}, numbered{}, pieces{}
	part := func(c map[string]any) map[string]any { // the part of an item that an event is about
		item := items.at(indexOf(c, "output_index"))
		list, n := arrayIn(item, "content"), indexIn(c, "content_index")
		for len(list) <= n && n < 1000 {
			list = append(list, map[string]any{"type": "output_text", "text": ""})
		}
		item["content"] = list
		p, _ := list[min(n, len(list)-1)].(map[string]any)
		return p
	}
	for _, c := range chunks {
		i := indexOf(c, "output_index")
		switch kind := stringIn(c, "type"); kind {
		case "response.output_item.added":
			maps.Copy(items.at(i), objectIn(c, "item"))
		case "response.output_text.delta":
			if p := part(c); p != nil {
				texts.add(i+" "+indexOf(c, "content_index"), p, "text", stringIn(c, "delta"))
			}
		case "response.function_call_arguments.delta":
			texts.add(i, items.at(i), "arguments", stringIn(c, "delta"))
		case "response.custom_tool_call_input.delta":
			texts.add(i, items.at(i), "input", stringIn(c, "delta"))
		case "response.output_item.done":
			items[i] = objectIn(c, "item")
		case "error", "response.error":
			out["error"] = cmp.Or[any](c["error"], c["message"], kind)
		default:
			maps.Copy(out, objectIn(c, "response"))
		}
	}
	texts.end()
	if len(arrayIn(out, "output")) == 0 {
		out["output"] = items.list()
	}
	return out
}

// assembleGemini makes the answer of a stream of Gemini. Neighboring texts are one.
func assembleGemini(chunks []map[string]any) map[string]any {
	out, candidates, contents := map[string]any{}, numbered{}, numbered{}
	for _, c := range chunks {
		for name, v := range c {
			if name != "candidates" && v != nil {
				out[name] = v
			}
		}
		for _, x := range arrayIn(c, "candidates") {
			candidate, _ := x.(map[string]any)
			i := indexOf(candidate, "index")
			to, content := candidates.at(i), contents.at(i)
			for name, v := range candidate {
				if name != "content" {
					to[name] = v
				}
			}
			to["content"] = content
			for name, v := range objectIn(candidate, "content") {
				if name != "parts" {
					content[name] = v
				}
			}
			parts := arrayIn(content, "parts")
			for _, p := range arrayIn(objectIn(candidate, "content"), "parts") {
				part, _ := p.(map[string]any)
				if n := len(parts); n > 0 && joins(parts[n-1].(map[string]any), part) {
					continue
				}
				if part != nil {
					parts = append(parts, part)
				}
			}
			content["parts"] = parts
		}
	}
	out["candidates"] = candidates.list()
	return out
}

// joins adds the text of a part to the part before it if both are texts, or both thoughts. An empty
// text brings only a signature.
func joins(last, part map[string]any) bool {
	text, ok := part["text"].(string)
	before, was := last["text"].(string)
	if !ok || !was || last["thought"] != part["thought"] {
		return false
	}
	last["text"] = before + text
	for name, v := range part {
		if name != "text" {
			last[name] = v
		}
	}
	return true
}

// assembleOllama makes the answer of a stream of Ollama.
func assembleOllama(chunks []map[string]any) map[string]any {
	out, message, texts := map[string]any{}, map[string]any{"role": "assistant", "content": ""}, pieces{}
	for _, c := range chunks {
		maps.Copy(out, c)
		for name, v := range objectIn(c, "message") {
			if text, ok := v.(string); ok && name != "role" {
				texts.add("", message, name, text)
			} else if list, ok := v.([]any); ok {
				message[name] = append(arrayIn(message, name), list...)
			}
		}
	}
	texts.end()
	out["message"] = message
	return out
}

// assembleCohere makes the answer of a stream of Cohere's chat API, version 2. Each event has the
// part of the message that it adds, in the place where the message has it.
func assembleCohere(chunks []map[string]any) map[string]any {
	out, message, blocks, calls, texts := map[string]any{}, map[string]any{"role": "assistant"}, numbered{}, numbered{}, pieces{}
	for _, c := range chunks {
		delta, i := objectIn(c, "delta"), indexOf(c, "index")
		part := objectIn(delta, "message")
		switch stringIn(c, "type") {
		case "message-start":
			maps.Copy(out, map[string]any{"id": c["id"]})
		case "content-start", "content-delta":
			for name, v := range objectIn(part, "content") {
				if text, ok := v.(string); ok && name != "type" {
					texts.add(i, blocks.at(i), name, text)
				} else {
					blocks.at(i)[name] = v
				}
			}
		case "tool-plan-delta":
			texts.add("", message, "tool_plan", stringIn(part, "tool_plan"))
		case "tool-call-start", "tool-call-delta":
			addCall(texts, "call "+i, calls.at(i), objectIn(part, "tool_calls"))
		case "citation-start":
			message["citations"] = append(arrayIn(message, "citations"), part["citations"])
		case "message-end":
			maps.Copy(out, delta)
		}
	}
	texts.end()
	if len(blocks) > 0 {
		message["content"] = blocks.list()
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls.list()
	}
	out["message"] = message
	return out
}
