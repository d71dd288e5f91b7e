package engine

import (
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Value is one immutable JSON value, held as canonical text: keys sorted by
// code point, no white space, ASCII only, numbers as they were written. The
// zero Value stands for a missing one.
type Value struct{ text string }

// Text returns the JSON string s. Invalid UTF-8 becomes U+FFFD.
func Text(s string) Value {
	if isPlain(s) {
		return Value{`"` + s + `"`}
	}
	return Value{string(canonjson.AppendString(nil, strings.ToValidUTF8(s, "\uFFFD")))}
}

// isPlain reports whether a string stands for itself in JSON.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// JSON reads one JSON value. Duplicate members, invalid UTF-8, unpaired
// surrogates and nesting beyond 1,000 levels are errors of type [*Error]. A Value of
// canonical text shares the memory of data if that is a string.
func JSON[T ~string | ~[]byte](data T) (Value, error) {
	src := string(data)
	text, err := canonjson.Canonical(src)
	if err != nil {
		return Value{}, newScanner("", src, canonjson.DefaultDepth).located(err)
	}
	return Value{text}, nil
}

// IsZero reports whether the value is missing.
func (v Value) IsZero() bool { return v.text == "" }

// IsNull reports whether the value is the JSON null.
func (v Value) IsNull() bool { return v.text == "null" }

// String returns the canonical text.
func (v Value) String() string { return v.text }

// Text returns the string a JSON string stands for. It costs nothing unless
// the string holds an escape.
func (v Value) Text() (string, bool) {
	if len(v.text) < 2 || v.text[0] != '"' {
		return "", false
	}
	return canonjson.Unquote(v.text), true
}

// Number returns the number a JSON number stands for.
func (v Value) Number() (Number, bool) {
	if v.text == "" || v.text[0] != '-' && v.text[0]-'0' > 9 {
		return Number{}, false
	}
	return parseNumber(v.text), true
}
