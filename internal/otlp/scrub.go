package otlp

import (
	"slices"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"

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
func (s *scrubber) attributes(list []*common.KeyValue) {
	for _, a := range list {
		name := strings.ToLower(a.GetKey())
		for _, prefix := range headers {
			if header, ok := strings.CutPrefix(name, prefix); ok {
				s.value(a.GetValue(), func(text string) string { return s.Header(strings.ReplaceAll(header, "_", "-"), text) })
			}
		}
		switch {
		case redact.IsSetting(name):
			s.value(a.GetValue(), s.Secret)
		case !isContent(name):
			s.value(a.GetValue(), s.Text)
		}
	}
}

// isContent reports whether an attribute holds what a model reads or writes.
func isContent(name string) bool {
	return !strings.HasPrefix(name, "exception.") && slices.ContainsFunc(contents, func(part string) bool { return strings.Contains(name, part) })
}

// value replaces the strings in a value.
func (s *scrubber) value(v *common.AnyValue, replace func(string) string) {
	switch x := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		x.StringValue = replace(x.StringValue)
	case *common.AnyValue_ArrayValue:
		for _, e := range x.ArrayValue.GetValues() {
			s.value(e, replace)
		}
	case *common.AnyValue_KvlistValue:
		s.attributes(x.KvlistValue.GetValues())
		for _, e := range x.KvlistValue.GetValues() {
			s.value(e.GetValue(), replace)
		}
	}
}
