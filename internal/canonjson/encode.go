package canonjson

import (
	"bytes"
	"encoding/json"
)

// EncodeLine returns the compact JSON of a value, without escapes for HTML and without a newline at
// the end. The value consists of strings, numbers and the like, which can always be marshaled.
func EncodeLine(v any) []byte { return bytes.TrimSuffix(encode(v, ""), []byte("\n")) }

// EncodeIndented is EncodeLine, indented by two spaces, with a newline at the end.
func EncodeIndented(v any) []byte { return encode(v, "  ") }

func encode(v any, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	_ = enc.Encode(v) // a buffer takes everything
	return b.Bytes()
}
