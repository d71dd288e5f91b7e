package canonjson

import (
	"strings"
	"unicode/utf8"
)

// UnescapeWide returns canonical text with the characters beyond ASCII unescaped.
// Line separators, control characters and unpaired surrogates stay escaped.
// [Canonical] gives the canonical text again.
func UnescapeWide(text string) string {
	at := wideEscape(text, 0)
	if at < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	done := 0
	for ; at >= 0; at = wideEscape(text, at) {
		r, size := escapedRune(text[at:])
		if isPlainWide(r) {
			b.WriteString(text[done:at])
			b.WriteRune(r)
			done = at + size
		}
		at += size
	}
	b.WriteString(text[done:])
	return b.String()
}

// wideEscape returns the offset of the next \u escape of canonical text that may be
// a character beyond ASCII, or -1.
func wideEscape(text string, from int) int {
	for {
		i := strings.IndexByte(text[from:], '\\')
		if i < 0 {
			return -1
		}
		from += i
		if text[from+1] == 'u' && text[from+2:from+4] != "00" || text[from+1] == 'u' && text[from+4] >= '8' {
			return from
		}
		from += 2
	}
}

// escapedRune reads a \u escape, or the two of a surrogate pair, at the beginning
// of a text, and returns how long they are. A half of a pair is [utf8.RuneError].
func escapedRune(text string) (rune, int) {
	r, _ := hex4(text[2:])
	const one, two = len(`\u0000`), len(`\u0000\u0000`)
	switch {
	case r < 0xd800 || r > 0xdfff:
		return rune(r), one
	case r < 0xdc00 && len(text) >= two && text[one:one+2] == `\u`:
		if low, ok := hex4(text[one+2:]); ok && low >= 0xdc00 && low <= 0xdfff {
			return rune(r-0xd800)<<10 + rune(low-0xdc00) + 0x10000, two
		}
	}
	return utf8.RuneError, one
}

// isPlainWide reports whether a character beyond ASCII is written unescaped.
func isPlainWide(r rune) bool {
	return r > 0x9f && r != '\u2028' && r != '\u2029' && r != '\ufeff' && r != utf8.RuneError
}
