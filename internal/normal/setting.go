package normal

import (
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Setting returns the normal form of a member of a request beside its messages, such as its tools
// or its system prompt, or "" if it says nothing: it is empty, or says what holds anyway.
func Setting(name, raw string) string {
	switch {
	case raw == "", raw == "{}", saysNothing(ofRequest, name, raw):
		return ""
	case name == "tools", name == "functions", name == "tool_definitions":
		return tools(raw)
	case (name == "toolConfig" || name == "text") && strings.HasPrefix(raw, "{"): // what is in it may say nothing
		if raw = objectOf(raw, func(name, v string) (string, string) {
			if v = Setting(name, v); v == "" {
				return "", ""
			}
			return name, v
		}); raw == "{}" {
			return ""
		}
		return raw
	}
	return Value(raw)
}

// tools returns the normal form of a list of tools.
func tools(raw string) string {
	if !strings.HasPrefix(raw, "[") {
		return Value(raw)
	}
	out := []byte{'['}
	s := canonjson.Borrow(raw)
	defer s.Return()
	_ = s.Array(func(n int) error {
		v, err := s.Raw()
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, tool(ofTool, v)...)
		return err
	})
	return string(append(out, ']'))
}

// tool returns the normal form of a tool, or of the function in it.
func tool(of, raw string) string {
	if !strings.HasPrefix(raw, "{") {
		return raw
	}
	if strings.Contains(raw, `"`+ofAnthropic+`":`) {
		of = ofAnthropic
	}
	return objectOf(raw, func(name, v string) (string, string) {
		switch {
		case everywhere[name], saysNothing(of, name, v):
			return "", ""
		case name == "function", name == "toolSpec":
			return name, tool(ofFunction, v)
		case name == "functionDeclarations", name == "function_declarations":
			return "functionDeclarations", tools(v)
		}
		return name, v
	})
}
