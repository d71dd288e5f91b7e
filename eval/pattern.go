package eval

import (
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// pattern is a regular expression that can be interrupted (D8).
type pattern struct {
	re      *regexp.Regexp
	weight  int  // instructions of its program: each may be tried at each character
	literal bool // it only looks for a text, which is fast
}

// quickWork is how many instructions a pattern may try before the context is checked: some
// milliseconds.
const quickWork = 1 << 19

func newPattern(text string) (*pattern, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	parsed, _ := syntax.Parse(text, syntax.Perl) // the steps of regexp.Compile, which succeeded
	prog, _ := syntax.Compile(parsed.Simplify())
	_, literal := re.LiteralPrefix()
	return &pattern{re, len(prog.Inst), literal}, nil
}

// match reports whether the pattern is found in a text. The result is meaningless if ctx is done,
// which may have interrupted the search.
func (p *pattern) match(ctx context.Context, text string) bool {
	if p.literal || len(text) <= quickWork/p.weight {
		return p.re.MatchString(text)
	}
	return p.re.MatchReader(&interruptible{done: ctx.Err, text: text, weight: p.weight})
}

// interruptible reads a text, which ends when done returns an error.
type interruptible struct {
	done   func() error
	text   string
	weight int // work for each character
	work   int // since done was called
}

func (r *interruptible) ReadRune() (rune, int, error) {
	if r.work -= r.weight; r.work < 0 {
		r.work = quickWork
		if r.done() != nil {
			r.text = ""
		}
	}
	if r.text == "" {
		return 0, 0, io.EOF
	}
	c, size := utf8.DecodeRuneInString(r.text)
	r.text = r.text[size:]
	return c, size, nil
}
