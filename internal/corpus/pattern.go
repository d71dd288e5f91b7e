package corpus

import (
	"regexp"
	"strings"
)

// pattern is a regular expression with a text that every match contains.
type pattern struct {
	re      *regexp.Regexp
	literal literal
	whole   bool // the pattern is that text and nothing else
	// verbatim reports whether the text is unchanged in JSON, except for escapes with the code of a
	// character.
	verbatim bool
}

func newPattern(s string) (*pattern, error) {
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, err
	}
	p := &pattern{re: re}
	prefix, whole := re.LiteralPrefix()
	p.literal, p.whole = newLiteral(prefix), whole
	p.verbatim = isVerbatim(prefix)
	return p, nil
}

// isVerbatim reports whether JSON has no short escape for any part of a text.
func isVerbatim(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == '"' || r == '\\' || r == '/' })
}

// match reports whether a pattern is found in a string.
func (p *pattern) match(v text) bool {
	switch {
	case v.form == plain:
		return p.find(v.raw)
	case v.form == escaped && p.verbatim && !p.literal.in(v.raw):
		return false
	}
	s, _ := v.string()
	return p.find(s)
}

func (p *pattern) find(s string) bool {
	return p.literal.in(s) && (p.whole || p.re.MatchString(s))
}

// literal is a text to look for by the byte of it that is likely to be the rarest.
type literal struct {
	text string
	rare int // where the byte is
}

// common are the bytes of prose and of JSON, the most frequent first.
const common = ` etaoinsrhld"ucm,fpg.ywb:v_k-0123456789/x'\\j()q{}z`

func newLiteral(text string) literal {
	l := literal{text: text}
	rarest := -1
	for i := range len(text) {
		rank := strings.IndexByte(common, text[i])
		switch {
		case text[i] >= 0xc0: // begins a character, as many in the same alphabet do
			rank = 0
		case rank < 0:
			rank = len(common)
		}
		if rank > rarest {
			l.rare, rarest = i, rank
		}
	}
	return l
}

// in reports whether the text is part of another one.
func (l *literal) in(s string) bool {
	if l.text == "" {
		return true
	}
	failed := 0
	for i := l.rare; i < len(s); i++ {
		k := strings.IndexByte(s[i:], l.text[l.rare])
		if k < 0 {
			return false
		}
		i += k
		start := i - l.rare
		if strings.HasPrefix(s[start:], l.text) {
			return true
		}
		if failed++; failed > 8+i/16 { // the byte is frequent here
			return strings.Contains(s[start:], l.text)
		}
	}
	return false
}
