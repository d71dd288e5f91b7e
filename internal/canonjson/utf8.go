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

// isPlainWide reports whether a character beyond ASCII is written unescaped.
func isPlainWide(r rune) bool {
	return r > 0x9f && r != '\u2028' && r != '\u2029' && r != '\ufeff' && r != utf8.RuneError
}
