package canonjson

import (
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

const hexDigits = "0123456789abcdef"

// plainByte is true for the bytes that are not escaped in a canonical string: printable ASCII
// except the quote and the backslash.
var plainByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'
	}
	return
}()

// AppendString appends s as a canonical JSON string. Characters that are not printable ASCII have
// short escapes if JSON has them, or else \uxxxx in lower case, in surrogate pairs where necessary.
// s must be valid UTF-8.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := 0
		for i+8 <= len(s) {
			w := load(s, i)
			if (special(w)|w|(w+low))&high != 0 { // low would turn 0x7f into 0x80
				break
			}
			i += 8
		}
		for i < len(s) && plainByte[s[i]] {
			i++
		}
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return append(dst, '"')
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = appendEscaped(dst, r)
		s = s[i+size:]
	}
}

// AppendList appends a list. The function one appends an element.
func AppendList[T any](dst []byte, list []T, one func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, x)
	}
	return append(dst, ']')
}

// AppendObject appends an object with its members in the order of their names; one appends a value.
func AppendObject[T any](dst []byte, members map[string]T, one func([]byte, T) []byte) []byte {
	var few [16]string // most objects have fewer members
	names := few[:0]
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(append(AppendString(dst, name), ':'), members[name])
	}
	return append(dst, '}')
}

// ObjectText is AppendObject in memory of its own. text returns a value as JSON.
func ObjectText[T any](members map[string]T, text func(T) string) string {
	n := len("{}")
	for name, v := range members {
		n += len(name) + len(text(v)) + len(`"":,`)
	}
	out := AppendObject(make([]byte, 0, n), members, func(dst []byte, v T) []byte { return append(dst, text(v)...) })
	return unsafe.String(unsafe.SliceData(out), len(out)) // nothing else has the bytes
}

// escapeLetters maps characters to the letters of their short escapes.
var escapeLetters = [...]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

func appendEscaped(dst []byte, r rune) []byte {
	if int(r) < len(escapeLetters) && escapeLetters[r] != 0 {
		return append(dst, '\\', escapeLetters[r])
	}
	if r >= 0x10000 {
		r -= 0x10000
		return appendUnit(appendUnit(dst, 0xd800|r>>10), 0xdc00|r&0x3ff)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// isCanonical reports whether the checked text between the quotes of a string is canonical.
func isCanonical(raw string, found traits) bool {
	if found&(wide|solidus) != 0 || strings.IndexByte(raw, 0x7f) >= 0 {
		return false
	}
	for found&coded != 0 {
		at := strings.IndexByte(raw, '\\')
		if at < 0 {
			return true
		}
		c := raw[at+1]
		raw = raw[at+2:]
		if c == 'u' && !isCanonicalUnit(raw[:4]) {
			return false
		}
	}
	return true
}

// isCanonicalUnit reports whether the four digits after \u are in lower case and the character has
// no shorter form.
func isCanonicalUnit(digits string) bool {
	for i := range len(digits) {
		if digits[i] >= 'A' && digits[i] <= 'F' {
			return false
		}
	}
	r, _ := hex4(digits)
	return r >= 0x7f || r < 0x20 && (r < '\b' || r > '\r' || r == '\v')
}

// StringEnd returns the end of the string at text[i] in a valid text.
func StringEnd(text string, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// AppendPython appends canonical text with numbers as Python prints them. The cost is linear in the
// size of the text.
func AppendPython(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := StringEnd(text, i)
			dst = append(dst, text[i:end]...)
			i = end
		case c == '-' || c-'0' <= 9:
			end := numberEnd(text, i)
			dst = appendPythonNumber(dst, text[i:end])
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}
