package engine

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Value is one immutable JSON value, held as canonical text: keys sorted by
// code point, no white space, ASCII only, numbers as they were written. The
// zero Value stands for a missing one.
type Value struct{ text string }

// Text returns the JSON string s. Invalid UTF-8 becomes U+FFFD.
func Text(s string) Value {
	if !utf8.ValidString(s) { // which ToValidUTF8 is slow to find out
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return Value{written(func(dst []byte) []byte { return canonjson.AppendString(dst, s) })}
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
func (v Value) Number() (Number, bool) { return ParseNumber(v.text) }

// Number is a JSON number with its exact value. It keeps a 64-bit integer as such,
// and any other number as it was written, so 1.0, 1e400 and integers of any size
// are written back unchanged.
type Number struct {
	i    int64
	text string // empty: i is the number
}

// Int returns the Number i.
func Int(i int64) Number { return Number{i: i} }

// Int64 returns the number, and whether it was written as a 64-bit integer.
func (n Number) Int64() (int64, bool) { return n.i, n.text == "" }

// String returns the number as it was written.
func (n Number) String() string {
	if n.text != "" {
		return n.text
	}
	return strconv.FormatInt(n.i, 10)
}

// Cmp compares exact values: -1, 0 or +1. Exponents beyond ±2^61 count as
// one value. It costs the length of the longer number and never expands an
// exponent.
func (n Number) Cmp(m Number) int {
	if n.text == "" && m.text == "" {
		return cmp.Compare(n.i, m.i)
	}
	return canonjson.CompareNumbers(n.String(), m.String())
}

// ParseNumber reads a JSON number; false for any other text.
func ParseNumber(s string) (Number, bool) {
	if !canonjson.IsNumber(s) {
		return Number{}, false
	}
	if i, ok := canonjson.Int(s); ok {
		return Number{i: i}, true
	}
	return Number{text: s}, true
}
