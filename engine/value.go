package engine

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Value is an immutable JSON value. It is stored as canonical text: members sorted by code point,
// no white space, ASCII only, numbers as they were written. The zero Value is a missing value.
type Value struct{ text string }

// Text returns the JSON string s. Invalid UTF-8 becomes U+FFFD.
func Text(s string) Value {
	if !utf8.ValidString(s) { // ToValidUTF8 is slow for valid strings
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return Value{written(func(dst []byte) []byte { return canonjson.AppendString(dst, s) })}
}

// JSON reads a JSON value. Syntax errors, duplicate members, invalid UTF-8, unpaired surrogates and
// nesting deeper than 1,000 levels are errors of type [*Error]. If data is a string of canonical
// text, the Value shares its memory. The cost is linear in the size of data.
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

// Text returns the value of a JSON string. For any other value, it returns false. It copies the
// text only if that has an escape.
func (v Value) Text() (string, bool) {
	if len(v.text) < 2 || v.text[0] != '"' {
		return "", false
	}
	return canonjson.Unquote(v.text), true
}

// Number returns the value of a JSON number. For any other value, it returns false.
func (v Value) Number() (Number, bool) { return ParseNumber(v.text) }

// Number is a JSON number with its exact value. Any number that is not a 64-bit integer is kept as
// it was written, so 1.0, 1e400 and integers of any size are written back unchanged.
type Number struct {
	i    int64
	text string // if it is empty, i is the number
}

// Int returns the Number i.
func Int(i int64) Number { return Number{i: i} }

// Int64 returns the number if it was written as a 64-bit integer. Otherwise it returns 0 and false.
func (n Number) Int64() (int64, bool) { return n.i, n.text == "" }

// String returns the number as it was written.
func (n Number) String() string {
	if n.text != "" {
		return n.text
	}
	return strconv.FormatInt(n.i, 10)
}

// Cmp compares the exact values of two numbers and returns -1, 0 or +1. All exponents beyond ±2^61
// count as equal. The cost is linear in the length of the longer number, whatever its exponent.
func (n Number) Cmp(m Number) int {
	if n.text == "" && m.text == "" {
		return cmp.Compare(n.i, m.i)
	}
	return canonjson.CompareNumbers(n.String(), m.String())
}

// ParseNumber reads a JSON number. For any other text, it returns false.
func ParseNumber(s string) (Number, bool) {
	if !canonjson.IsNumber(s) {
		return Number{}, false
	}
	if i, ok := canonjson.Int(s); ok {
		return Number{i: i}, true
	}
	return Number{text: s}, true
}
