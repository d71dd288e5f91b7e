// Package opaque finds data in JSON that is no text: images, sounds and files in base64, encrypted
// reasoning, signatures. Nobody can read it, and providers do not count it as text.
package opaque

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// sealed are the members with data that only the provider can read, as Anthropic, OpenAI and Gemini
// name them.
var sealed = map[string]bool{
	"encrypted_content": true, "encrypted_index": true, "reasoning_opaque": true, "signature": true, "thoughtSignature": true, "thought_signature": true,
}

// leastSealed is the length from which base64 under a name of sealed is not a word or a number.
const leastSealed = 32

// Data is what was found in a value.
type Data struct {
	Media  int // images, sounds and files
	Sealed int // encrypted reasoning and signatures
}

// IsZero reports whether nothing was found.
func (d Data) IsZero() bool { return d == Data{} }

// Strip returns a JSON value without its opaque data, and what that was. Where instead is not nil,
// it says what stands for data of a number of bytes. A value without such data is returned as it
// is, and most are not decoded.
func Strip(value string, instead func(bytes int) string) (string, Data) {
	var d Data
	if !mayHave(value) {
		return value, d
	}
	dec := json.NewDecoder(strings.NewReader(value))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return value, d
	}
	if instead == nil {
		instead = func(int) string { return "" }
	}
	v = d.strip(v, instead)
	if d.IsZero() {
		return value, d
	}
	return string(canonjson.EncodeLine(v)), d
}

// Size says how much data was left out.
func Size(bytes int) string { return fmt.Sprintf("(%d bytes)", bytes) }

// mayHave looks for the names and marks of opaque data.
func mayHave(value string) bool {
	for _, mark := range [...]string{`;base64,`, `"data":"`, `encrypted_`, `ignature":"`, `reasoning_opaque`} {
		if strings.Contains(value, mark) {
			return true
		}
	}
	return false
}

func (d *Data) strip(v any, instead func(int) string) any {
	switch v := v.(type) {
	case string:
		if head, data, ok := strings.Cut(v, ";base64,"); ok && strings.HasPrefix(head, "data:") {
			d.Media++
			return head + instead(len(data))
		}
	case []any:
		for i := range v {
			v[i] = d.strip(v[i], instead)
		}
	case map[string]any:
		for name, x := range v {
			text, isText := x.(string)
			switch {
			case isText && sealed[name] && len(text) >= leastSealed && isBase64(text), isText && name == "data" && v["type"] == "redacted_thinking":
				d.Sealed++
				v[name] = instead(len(text))
			case isText && name == "data" && isTyped(v):
				d.Media++
				v[name] = instead(len(text))
			default:
				v[name] = d.strip(x, instead)
			}
		}
	}
	return v
}

// isTyped reports whether an object has a member with the type of its data, as in the formats of
// Anthropic and Gemini, and in that of OpenAI for audio.
func isTyped(v map[string]any) bool {
	for _, name := range [...]string{"media_type", "mimeType", "mime_type", "format"} {
		if _, ok := v[name].(string); ok && v["type"] != "text" { // Anthropic has documents of plain text
			return true
		}
	}
	return false
}

// isBase64 reports whether a text has only the characters of base64, or of its form for addresses.
func isBase64(text string) bool {
	return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") == ""
}
