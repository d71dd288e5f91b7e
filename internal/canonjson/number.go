package canonjson

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// IsNumber reports whether s is a JSON number.
func IsNumber(s string) bool { return s != "" && numberEnd(s, 0) == len(s) }

// CompareNumbers compares the exact values of two JSON numbers and returns -1, 0 or +1. All
// exponents beyond ±2^61 count as equal. The cost is linear in the length of the longer number,
// whatever its exponent.
func CompareNumbers(a, b string) int { return decompose(a).cmp(decompose(b)) }

// Int reads a 64-bit integer. It returns false for any other text, and for a number that would not
// be printed as s, such as -0. It accepts leading zeros, which JSON does not have.
func Int(s string) (int64, bool) {
	digits := strings.TrimPrefix(s, "-")
	if s == "-0" || len(digits) == 0 || len(digits) > 19 || digits[0]-'0' > 9 { // an error of strconv costs more than this
		return 0, false
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, false
	}
	return i, true
}

// Above returns the smallest 64-bit integer greater than a JSON number, or, if equal is set,
// greater than or equal to it. It returns false if there is none.
func Above(s string, equal bool) (int64, bool) {
	if i, ok := Int(s); ok {
		if equal {
			return i, true
		}
		return i + 1, i < math.MaxInt64
	}
	above := func(i int64) bool {
		c := CompareNumbers(strconv.FormatInt(i, 10), s)
		return c > 0 || c == 0 && equal
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	for low < high {
		mid := low + int64(uint64(high-low)/2) // the difference may need all 64 bits
		if above(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low, above(low)
}

// numberEnd returns the end of the JSON number at s[i:], or -1 if there is none.
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

// decimal is the number ±0.digits × 10^exp. digits has no leading or trailing zeros.
type decimal struct {
	sign   int // -1, 0 or +1
	digits string
	exp    int64
}

// decompose returns the value of a JSON number.
func decompose(s string) decimal {
	d := decimal{sign: 1}
	if strings.HasPrefix(s, "-") {
		s, d.sign = s[1:], -1
	}
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

func (d decimal) cmp(o decimal) int {
	size := cmp.Or(cmp.Compare(d.exp, o.exp), strings.Compare(d.digits, o.digits))
	return cmp.Or(cmp.Compare(d.sign, o.sign), d.sign*size)
}

// appendPythonNumber appends a JSON number as Python prints it after reading it: an integer with
// all its digits, and a number with a point or an exponent as the repr of its float64.
func appendPythonNumber(dst []byte, s string) []byte {
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
