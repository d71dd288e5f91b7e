package ast

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Outside the grammar, only the functions here define the characters of names and the text of
// string literals. A test compares them with the lexer.

// isNameStart reports whether a name can begin with r: a letter or '_'.
func isNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r == '_'
	}
	return unicode.IsLetter(r)
}

// IsNamePart reports whether r can be inside a name: a letter, mark or decimal digit, '_' or '-'.
func IsNamePart(r rune) bool {
	if r < utf8.RuneSelf {
		return isNameStart(r) || r >= '0' && r <= '9' || r == '-'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// IsName reports whether s is a name: it begins with a letter or '_', continues with letters,
// marks, decimal digits, '_' and '-', and does not end in '-'.
func IsName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return isNameStart(first) && isNamePart(s)
}

// IsPart reports whether s can follow the ':' or '.' in a key or type: a name that may begin with a
// digit.
func IsPart(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return (isNameStart(first) || unicode.Is(unicode.Nd, first)) && isNamePart(s)
}

func isNamePart(s string) bool {
	return !strings.HasSuffix(s, "-") && !strings.ContainsFunc(s, func(r rune) bool { return !IsNamePart(r) })
}

// IsNumber reports whether s is a number of the language, [+-]digits[.digits].
func IsNumber(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	whole, fraction, decimal := strings.Cut(s, ".")
	return isDigits(whole) && (!decimal || isDigits(fraction))
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// NormalNumber returns a number, which IsNumber must accept, in the form that trees hold: without a
// plus sign, leading zeros, or the sign of a zero. Trailing zeros stay.
func NormalNumber(s string) string {
	if s[0] >= '1' && s[0] <= '9' {
		return s
	}
	digits := strings.TrimLeft(s, "+-")
	n := strings.TrimLeft(digits, "0")
	if n == "" || n[0] == '.' {
		n = digits[len(digits)-len(n)-1:] // with one zero
	}
	if s[0] == '-' && strings.Trim(n, "0.") != "" {
		return "-" + n
	}
	return n
}

// Quote returns a string literal in single quotes that reads back as s, which must be valid UTF-8.
// It escapes quotes, backslashes and control characters; everything else stays as it is.
func Quote(s string) string { return string(AppendQuote(make([]byte, 0, len(s)+2), s)) }

// AppendQuote appends what [Quote] returns to b.
func AppendQuote(b []byte, s string) []byte {
	b = append(b, '\'')
	from := 0
	for i, r := range s {
		if r >= ' ' && r != '\'' && r != '\\' && (r < 0x7f || r > 0x9f) {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + utf8.RuneLen(r)
		switch r {
		case '\'', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		}
	}
	b = append(b, s[from:]...)
	return append(b, '\'')
}
