// Package plainjson writes values as JSON without escapes for HTML. The values consist of strings,
// numbers and the like, which can always be marshaled.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Line returns the compact JSON of a value, without a newline at the end.
func Line(v any) []byte { return bytes.TrimSuffix(encode(v, ""), []byte("\n")) }

// Indented returns the JSON of a value, indented by two spaces, with a newline at the end.
func Indented(v any) []byte { return encode(v, "  ") }

func encode(v any, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	_ = enc.Encode(v) // a buffer takes everything
	return b.Bytes()
}
