package engine

import (
	"cmp"
	"strconv"

	"github.com/pactkit/pactkit/internal/canonjson"
)

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
	return parseNumber(s), true
}

// parseNumber reads a valid JSON number.
func parseNumber(s string) Number {
	if i, ok := canonjson.Int(s); ok {
		return Number{i: i}
	}
	return Number{text: s}
}
