package normal

// form says which members of a provider's JSON the model does not see: directions to the API,
// and what a client adds to an answer before it sends that again.
type form struct {
	message map[string]bool // members of a message or item
	part    map[string]bool // members of a part
	// nameless says that the ids of calls are only for the client, which may add them to an answer.
	nameless bool
}

// everywhere has the members that no provider shows to a model. Those of a list of tools are among
// them.
var everywhere = set("cache_control", "cachePoint")

// forms has the form of each format, by its name in package thread or of the source.
var forms = map[string]form{
	"anthropic": {
		message: set("id", "type", "model", "stop_reason", "stop_sequence", "stop_details", "usage", "container", "context_management", "output_config"),
		part:    set("index"),
	},
	"openai": {
		message: set("id", "index", "type", "annotations", "refusal", "audio", "provider_specific_fields", "finish_reason", "logprobs"),
		part:    set("index", "annotations", "provider_specific_fields"),
	},
	"openai-responses": {
		message: set("id", "type", "status"),
		part:    set("annotations", "logprobs", "status", "index"),
	},
	"gemini": {
		message:  set("role"), // of the system prompt
		part:     set("thoughtSignature", "thought_signature"),
		nameless: true,
	},
	"bedrock": {},
	"inspect": {
		message: set("id", "source", "model", "metadata", "parse_error", "view", "internal"),
		part:    set("internal", "view", "parse_error", "citations"),
	},
	"otel": {
		message: set("finish_reason"),
	},
	"atif": {
		message: set("step_id", "timestamp", "source", "model_name", "reasoning_effort", "metrics", "extra", "llm_call_count", "is_copied_context"),
		part:    set("extra"),
	},
}

// usual has the default values of members, which say nothing: first by what has the member, which
// is anything, a kind of part, a member of a part, or one of the following, then by its name.
var usual = map[string]map[string][]string{
	"": {
		"is_error": {"false"}, "thought": {"false"}, "willContinue": {"false"}, "defer_loading": {"false"}, "allowed_callers": {`["direct"]`},
	},
	result:        {"status": {`"success"`}},
	call:          {"caller": {`{"type":"direct"}`}},
	"document":    {"citations": {`{"enabled":false}`, "{}"}},
	"image":       {"detail": {`"auto"`}},
	"input_image": {"detail": {`"auto"`}},
	"image_url":   {"detail": {`"auto"`}},
	ofTool:        {"type": {`"function"`}, "parameters": noParameters},
	ofFunction:    {"parameters": noParameters, "strict": {"false"}},
	ofAnthropic:   {"type": {`"custom"`}, "strict": {"false"}},
	ofRequest: {
		"tool_choice":         {`"auto"`, `{"type":"auto"}`, `{"disable_parallel_tool_use":false,"type":"auto"}`},
		"function_call":       {`"auto"`},
		"response_format":     {`{"type":"text"}`},
		"text":                {`{"format":{"type":"text"}}`},
		"format":              {`{"type":"text"}`},
		"parallel_tool_calls": {"true"},
		"toolConfig":          autoConfig,
		"tool_config":         autoConfig,
		"toolChoice":          {`{"auto":{}}`},
	},
}

// What has members with default values, beside parts.
const (
	ofTool      = "tool"
	ofFunction  = "function" // in a tool
	ofAnthropic = "input_schema"
	ofRequest   = "request"
)

var (
	noParameters = []string{"{}", `{"properties":{},"type":"object"}`}
	autoConfig   = []string{`{"functionCallingConfig":{"mode":"AUTO"}}`, `{"function_calling_config":{"mode":"AUTO"}}`}
)

func set(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}

// formOf returns the form of a format. Formats that are not in the table are compared like OpenAI's
// chat API, which most programs imitate.
func formOf(format string) form {
	if format == "claude-code" {
		format = "anthropic"
	}
	f, ok := forms[format]
	if !ok {
		f = forms["openai"]
	}
	return f
}

// contents are the members that contain parts, or a text that stands for one.
var contents = set("content", "parts", "output", "result")

// opaque are the members whose values are of a tool or a user: they are compared whole.
var opaque = set("input", "arguments", "args", "response", "input_schema", "parameters", "parametersJsonSchema", "schema")

// thinking are the members of a message that have what the model thought.
var thinking = set("reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks", "thoughts")

// Thinks reports whether a member of a message, or of what a source records beside it, has what the
// model thought.
func Thinks(name string) bool { return thinking[name] }
