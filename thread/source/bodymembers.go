package source

import (
	"cmp"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// bodyMembers are the members of request bodies, each with the format that alone has it, of the
// formats with the same list. Those under Pact are in several. In a record that is body and answer
// in one, only these belong to the body.
var bodyMembers = members(map[string]string{
	thread.Anthropic.String(): `system anthropic_version anthropic_beta stop_sequences cache_control context_management container
		mcp_servers output_config inference_geo`,
	thread.OpenAI.String(): `n stop logprobs top_logprobs frequency_penalty presence_penalty response_format max_completion_tokens
		stream_options reasoning_effort functions function_call parallel_tool_calls seed logit_bias store modalities audio
		prediction web_search_options verbosity safety_identifier prompt_cache_key prompt_cache_retention`,
	thread.OpenAIResponses.String(): `input instructions previous_response_id conversation prompt reasoning text include truncation
		background max_output_tokens max_tool_calls`,
	thread.Gemini.String(): `contents systemInstruction system_instruction generationConfig generation_config safetySettings
		safety_settings toolConfig tool_config cachedContent cached_content labels`,
	bedrock: `modelId inferenceConfig additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig
		performanceConfig promptVariables requestMetadata toolConfig`,
	thread.Pact.String(): `messages model max_tokens temperature top_p top_k tools tool_choice stream service_tier thinking speed extra_body
		min_p repetition_penalty options keep_alive format think user`,
})

// bedrock is the format of the Converse API, which Nova has, too.
const bedrock = "bedrock"

func members(byFormat map[string]string) map[string]string {
	out := map[string]string{}
	for f, names := range byFormat {
		for name := range strings.FieldsSeq(names) {
			only := f
			if _, several := out[name]; several || f == thread.Pact.String() {
				only = ""
			}
			out[name] = only
		}
	}
	return out
}

// messageMembers and partTypes say which format a message is in that only one has, of the formats
// whose list is messages.
var (
	messageMembers = map[string]thread.Format{"tool_calls": thread.OpenAI, "tool_call_id": thread.OpenAI, "function_call": thread.OpenAI}
	partTypes      = map[string]thread.Format{
		"tool_use": thread.Anthropic, "tool_result": thread.Anthropic, "thinking": thread.Anthropic, "redacted_thinking": thread.Anthropic,
		"server_tool_use": thread.Anthropic, "document": thread.Anthropic, "search_result": thread.Anthropic, "compaction": thread.Anthropic,
		"image": thread.Anthropic, "container_upload": thread.Anthropic, "mcp_tool_use": thread.Anthropic,
		"image_url": thread.OpenAI, "input_audio": thread.OpenAI, "file": thread.OpenAI, "refusal": thread.OpenAI,
	}
)

// addresses are parts of the addresses of APIs, in the order in which they are looked for.
var addresses = []struct {
	part string
	thread.Format
}{
	{"/chat/completions", thread.OpenAI}, {"/responses", thread.OpenAIResponses}, {"/v1/messages", thread.Anthropic},
	{"enerateContent", thread.Gemini}, {"/anthropic", thread.Anthropic},
}

// formatOf returns the format of the messages of a request. Anthropic and OpenAI's chat API have
// the same list, so other members, the messages, the address and the answer must distinguish them.
func (b *bodies) formatOf(r *series.Request, last *latest) string {
	switch r.List {
	case "contents":
		return thread.Gemini.String()
	case "input":
		return thread.OpenAIResponses.String()
	}
	for _, s := range r.Settings {
		if s.Name == "system" && hasUntyped(value{raw: s.Value}) {
			return bedrock
		}
		if f := bodyMembers[s.Name]; f == thread.Anthropic.String() || f == thread.OpenAI.String() || f == bedrock && s.Name != "modelId" {
			return f
		}
		if f := formatOfTools(s); f != "" {
			return f
		}
	}
	for _, a := range addresses {
		if b.url != "" && strings.Contains(b.url, a.part) && r.List == "messages" {
			return a.String()
		}
	}
	for _, m := range r.Messages {
		if f := formatOfMessage(m); f != "" {
			return f
		}
	}
	byModel := ""
	if strings.Contains(r.Model, "claude") {
		byModel = thread.Anthropic.String()
	}
	return cmp.Or(b.answered, last.format, byModel, b.format, thread.OpenAI.String())
}

// formatOfTools returns the format of a list of tools, or "".
func formatOfTools(s series.Setting) string {
	if s.Kind != series.Tools {
		return ""
	}
	for _, tool := range (value{raw: s.Value}).elements() {
		got := tool.pick("input_schema", "function", "type")
		switch kind := got[2].text(); {
		case got[0].is('{'):
			return thread.Anthropic.String()
		case got[1].is('{'), kind == "function", kind == "custom" && got[0].missing():
			return thread.OpenAI.String()
		case len(kind) > 9 && kind[len(kind)-9] == '_' && strings.Trim(kind[len(kind)-8:], "0123456789") == "": // such as bash_20250124
			return thread.Anthropic.String()
		}
	}
	return ""
}

// formatOfMessage returns the format that a message of a list named messages must be in, or "".
func formatOfMessage(m *series.Message) string {
	if m.Role == series.System {
		return thread.OpenAI.String()
	}
	for name, v := range (value{raw: m.Value}).members() {
		if f, ok := messageMembers[name]; ok && !v.missing() {
			return f.String()
		}
		if name != "content" {
			continue
		}
		for _, part := range v.elements() {
			if f, ok := partTypes[part.get("type").text()]; ok {
				return f.String()
			}
		}
		if hasUntyped(v) {
			return bedrock
		}
	}
	if m.Role == series.Tool {
		return thread.OpenAI.String()
	}
	return ""
}

// hasUntyped reports whether a list has a part whose member says what it is, rather than its type.
func hasUntyped(list value) bool {
	for _, part := range list.elements() {
		if part.is('{') && part.get("type").raw == "" {
			return true
		}
	}
	return false
}

// formatOfAnswer returns the format of an answer, or "".
func formatOfAnswer(v value) string {
	got := v.pick("choices", "content", "output", "candidates", "stop_reason", "type")
	switch {
	case got[0].is('['):
		return thread.OpenAI.String()
	case got[3].is('['):
		return thread.Gemini.String()
	case got[2].is('['):
		return thread.OpenAIResponses.String()
	case got[1].is('[') && (got[4].raw != "" || got[5].text() == "message"), got[5].text() == "error":
		return thread.Anthropic.String()
	}
	return ""
}
