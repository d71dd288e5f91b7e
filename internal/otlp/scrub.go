package otlp

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/record"
	"github.com/pactkit/pactkit/internal/redact"
)

// scrubber replaces credentials in attributes. The zero value is ready to use; it must not be used
// concurrently.
type scrubber struct{ record.Scrubber }

// contents are parts of the names of attributes that hold what a model reads or writes. The values
// of such attributes stay as they are.
var contents = []string{"message", "prompt", "completion", "content", "input", "output", "instruction", "tool", "document", "arguments", "result", "entity"}

// headers are the prefixes of the names of attributes that hold headers.
var headers = []string{"http.request.header.", "http.response.header.", "rpc.grpc.request.metadata.", "rpc.grpc.response.metadata."}

// attributes replaces credentials in a list of attributes.
func (s *scrubber) attributes(list []any) {
	for _, a := range list {
		a := a.(object)
		key, _ := a["key"].(string)
		name := strings.ToLower(key)
		v, _ := a["value"].(object)
		for _, prefix := range headers {
			if header, ok := strings.CutPrefix(name, prefix); ok {
				s.value(v, func(text string) string { return s.Header(strings.ReplaceAll(header, "_", "-"), text) })
			}
		}
		switch {
		case redact.IsSetting(name):
			s.value(v, s.Secret)
		case !isContent(name):
			s.value(v, s.Text)
		}
	}
}

// isContent reports whether an attribute holds what a model reads or writes.
func isContent(name string) bool {
	return !strings.HasPrefix(name, "exception.") && slices.ContainsFunc(contents, func(part string) bool { return strings.Contains(name, part) })
}

// value replaces the strings in a value.
func (s *scrubber) value(v object, replace func(string) string) {
	if text, ok := v["stringValue"].(string); ok {
		v["stringValue"] = replace(text)
	}
	if list, ok := v["arrayValue"].(object); ok {
		for _, e := range list.objects("values") {
			s.value(e, replace)
		}
	}
	if list, ok := v["kvlistValue"].(object); ok {
		all, _ := list["values"].([]any)
		s.attributes(all)
		for _, e := range list.objects("values") {
			of, _ := e["value"].(object)
			s.value(of, replace)
		}
	}
}
