package engine

import (
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// plainByte tells the bytes that stand for themselves inside a canonical
// string: printable ASCII without the quote and the backslash.
var plainByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'
	}
	return
}()

// appendQuoted appends s as a canonical JSON string: ASCII only, with the
// short escapes JSON has and \uxxxx in lower case for everything else, in
// pairs beyond the basic plane. s must be valid UTF-8.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := 0
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

func appendEscaped(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
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
