package gentest

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// literal writes a string, bare when it can be.
func literal(r *rand.Rand, s string) string {
	if (identifier.MatchString(s) || s == "true") && one(r, 2) && s != "null" && s != "None" {
		return s
	}
	return quoted(r, s)
}

// quoted writes a string in quotes of either kind.
func quoted(r *rand.Rand, s string) string {
	q := pick(r, '\'', '"')
	var b strings.Builder
	b.WriteRune(q)
	for _, c := range s {
		switch {
		case c == q || c == '\\':
			b.WriteRune('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case unicode.IsControl(c):
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4&15]) + string("0123456789abcdef"[c&15]))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteRune(q)
	return b.String()
}
