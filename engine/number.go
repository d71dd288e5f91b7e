package engine

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Number is a JSON number with its exact value. A 64-bit integer is held as
// such; any other number is held as it was written, so that 1.0, 1e400 and
// integers of any size survive a read and a write unchanged.
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
	return decompose(n.String()).cmp(decompose(m.String()))
}

// ParseNumber reads a JSON number.
func ParseNumber(s string) (Number, bool) {
	if numberEnd(s, 0) != len(s) || s == "" {
		return Number{}, false
	}
	return parseNumber(s), true
}

// parseNumber reads a lexeme that the scanner has accepted.
func parseNumber(s string) Number {
	if i, ok := plainInt(s); ok {
		return Number{i: i}
	}
	return Number{text: s}
}

// plainInt reads s when printing the integer again gives s.
func plainInt(s string) (int64, bool) {
	digits, neg := strings.CutPrefix(s, "-")
	if len(digits) == 0 || len(digits) > 19 || neg && digits == "0" {
		return 0, false
	}
	var u uint64
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return 0, false
		}
		u = u*10 + uint64(c)
	}
	switch {
	case neg && u <= 1<<63:
		return -int64(u), true
	case !neg && u <= math.MaxInt64:
		return int64(u), true
	}
	return 0, false
}

// numberEnd returns the end of the JSON number at s[i:], or -1.
func numberEnd(s string, i int) int {
	digits := func() bool {
		start := i
		for i < len(s) && s[i]-'0' <= 9 {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return -1
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return -1
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return -1
		}
	}
	return i
}

// decimal is ±0.digits × 10^exp, digits without outer zeros.
type decimal struct {
	neg    bool
	digits string
	exp    int64
}

func decompose(s string) decimal {
	var d decimal
	s, d.neg = strings.CutPrefix(s, "-")
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exp = int64(len(whole)) - int64(len(all)-len(d.digits))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	if exponent != "" {
		const bound = 1 << 61
		e, err := strconv.ParseInt(exponent, 10, 64)
		if err != nil && exponent[0] == '-' {
			e = -bound
		} else if err != nil {
			e = bound
		}
		d.exp += min(max(e, -bound), bound)
	}
	return d
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (d decimal) cmp(o decimal) int {
	if c := cmp.Compare(d.sign(), o.sign()); c != 0 || d.digits == "" {
		return c
	}
	return d.sign() * cmp.Or(cmp.Compare(d.exp, o.exp), strings.Compare(d.digits, o.digits))
}

// appendPython appends a JSON number the way Python's json prints what it
// read: an integer of any size digit by digit, anything with a point or an
// exponent as the repr of its float64.
func appendPython(dst []byte, s string) []byte {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			s = "0"
		}
		return append(dst, s...)
	}
	f, _ := strconv.ParseFloat(s, 64) // out of range gives ±Inf, as in Python
	switch abs := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case abs != 0 && (abs < 1e-4 || abs >= 1e16):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if slices.Contains(dst[start:], '.') {
		return dst
	}
	return append(dst, ".0"...)
}
