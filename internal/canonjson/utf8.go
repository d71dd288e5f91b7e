package canonjson

import (
	"strings"
	"unicode/utf8"
)

// UnescapeWide returns canonical text with characters beyond ASCII unescaped, except line
// separators, control characters and unpaired surrogates. [Canonical] restores the canonical text.
func UnescapeWide(text string) string {
	var b strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\\')
		if i < 0 {
			break
		}
		at += i
		if text[at+1] != 'u' {
			at += len(`\n`)
			continue
		}
		r, size := EscapedRune(text[at:])
		if isPlainWide(r) {
			if done == 0 {
				b.Grow(len(text))
			}
			b.WriteString(text[done:at])
			b.WriteRune(r)
			done = at + size
		}
		at += size
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// isPlainWide reports whether a character beyond ASCII is written unescaped.
func isPlainWide(r rune) bool {
	return r > 0x9f && r != '\u2028' && r != '\u2029' && r != '\ufeff' && r != utf8.RuneError
}
