package seriestest

import (
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/series"
)

// Form is how a provider writes requests.
type Form int

// The forms.
const (
	OpenAI Form = iota
	Anthropic
	Responses
	Gemini
	forms
)

// Forms returns all forms.
func Forms() []Form {
	out := make([]Form, forms)
	for f := range out {
		out[f] = Form(f)
	}
	return out
}

// String returns the name that package thread gives to the form.
func (f Form) String() string {
	return [...]string{"openai", "anthropic", "openai-responses", "gemini"}[f]
}

func quote(s string) string { return string(canonjson.AppendString(nil, s)) }

// message writes a message in canonical JSON.
func (f Form) message(x speech) string {
	text := quote(x.text)
	switch {
	case f == Anthropic && x.role == "tool":
		return fmt.Sprintf(`{"content":[{"content":%s,"tool_use_id":"call_%d","type":"tool_result"}],"role":"user"}`, text, x.number)
	case f == Responses && x.role == "tool":
		return fmt.Sprintf(`{"call_id":"call_%d","output":%s,"type":"function_call_output"}`, x.number, text)
	case f == Gemini && x.role == "tool":
		return fmt.Sprintf(`{"parts":[{"functionResponse":{"id":"call_%d","name":"f","response":{"output":%s}}}],"role":"user"}`, x.number, text)
	case f == Gemini:
		role := x.role
		if role == "assistant" {
			role = "model"
		}
		return fmt.Sprintf(`{"parts":[{"text":%s}],"role":"%s"}`, text, role)
	case f == Responses && x.number%2 == 0:
		return fmt.Sprintf(`{"content":[{"text":%s,"type":"input_text"}],"role":"%s","type":"message"}`, text, x.role)
	case x.role == "tool":
		return fmt.Sprintf(`{"content":%s,"role":"tool","tool_call_id":"call_%d"}`, text, x.number)
	}
	return fmt.Sprintf(`{"content":%s,"role":"%s"}`, text, x.role)
}

// List returns the messages in the list of a request. Some providers keep the system prompt outside
// of it.
func (f Form) List(t Truth) []*series.Message {
	if (f == Anthropic || f == Gemini) && len(t.List) > 0 && t.List[0].Role == series.System {
		return t.List[1:]
	}
	return t.List
}

// Body writes the body of a request and, if it is known, the answer of the model.
func (w *Writer) Body(t Truth) (body, response string) {
	var list strings.Builder
	list.WriteString("[")
	for i, m := range w.Form.List(t) {
		if i > 0 {
			list.WriteString(",")
		}
		list.WriteString(m.Value)
	}
	list.WriteString("]")
	system := ""
	if len(t.List) > 0 {
		system = quote(w.speeches[t.List[0]].text)
	}
	tools := ""
	for _, s := range t.Settings {
		if s.Kind == series.Tools {
			tools = `,"tools":` + s.Value
		}
	}
	switch w.Form {
	case Anthropic:
		body = `{"max_tokens":100,"messages":` + list.String() + `,"model":"m","system":` + system + tools + `}`
	case Responses:
		body = `{"input":` + list.String() + `,"model":"m"` + tools + `}`
	case Gemini:
		body = `{"contents":` + list.String() + `,"systemInstruction":{"parts":[{"text":` + system + `}]}` + tools + `}`
	default:
		body = `{"messages":` + list.String() + `,"model":"m","temperature":0.50` + tools + `}`
	}
	if len(t.Reply) == 0 {
		return body, ""
	}
	text := quote(w.speeches[t.Reply[0]].text)
	switch w.Form {
	case Anthropic:
		response = `{"content":[{"text":` + text + `,"type":"text"}],"id":"msg_1","role":"assistant","type":"message","usage":{"input_tokens":4}}`
	case Responses:
		response = `{"id":"resp_1","output":[{"content":[{"text":` + text + `,"type":"output_text"}],"id":"msg_1","role":"assistant","type":"message"}]}`
	case Gemini:
		response = `{"candidates":[{"content":{"parts":[{"text":` + text + `}],"role":"model"}}],"usageMetadata":{"promptTokenCount":4}}`
	default:
		response = `{"choices":[{"finish_reason":"stop","index":0,"message":{"content":` + text + `,"role":"assistant"}}],"usage":{"prompt_tokens":4}}`
	}
	return body, response
}
