package search

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// pattern is a regular expression with texts of which every match contains one.
type pattern struct {
	re       *regexp.Regexp
	literals []literal // empty if they are not known
	whole    bool      // the pattern matches the only literal, if there is one, and nothing else
	// verbatim reports whether the literals are unchanged in JSON, except for escapes with the code
	// of a character.
	verbatim bool
}

func newPattern(s string) (*pattern, error) {
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, err
	}
	p := &pattern{re: re, verbatim: true}
	tree, err := syntax.Parse(s, syntax.Perl) // as package regexp does
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	p.literals = literalsOf(tree)
	p.whole = isWhole(tree, p.literals)
	for _, l := range p.literals {
		p.verbatim = p.verbatim && isVerbatim(l.text)
	}
	return p, nil
}

// isWhole reports whether an expression matches its only literal, or else the empty text, and
// nothing else.
func isWhole(re *syntax.Regexp, literals []literal) bool {
	if re.Op != syntax.OpLiteral || len(literals) != 1 {
		return re.Op == syntax.OpEmptyMatch
	}
	l := &literals[0]
	return !l.hasWide && len(l.text) == len(string(re.Rune)) && !strings.ContainsRune(l.text, utf8.RuneError)
}

// maxLiterals limits the alternatives to look for one by one.
const maxLiterals = 8

// literalsOf returns texts of which every match of an expression contains one, or nil if it finds
// none.
func literalsOf(re *syntax.Regexp) (best []literal) {
	switch re.Op {
	case syntax.OpLiteral:
		return literalIn(re.Rune, re.Flags&syntax.FoldCase != 0)
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if list := literalsOf(sub); shortest(list) > shortest(best) {
				best = list
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			list := literalsOf(sub)
			if list == nil || len(best)+len(list) > maxLiterals {
				return nil
			}
			best = append(best, list...)
		}
	}
	return best
}

// shortest returns the length of the shortest literal, 0 if there are none.
func shortest(list []literal) (n int) {
	for i, l := range list {
		if i == 0 || len(l.text) < n {
			n = len(l.text)
		}
	}
	return n
}

// isVerbatim reports whether JSON has no short escape for any part of a text.
func isVerbatim(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == '"' || r == '\\' || r == '/' })
}

// match reports whether a pattern is found in a string.
func (p *pattern) match(v text) bool {
	switch {
	case v.Form == plain:
		return p.find(v.Raw)
	case v.Form == escaped && p.verbatim && !p.mayMatch(v.Raw):
		return false
	}
	s, _ := v.Text()
	return p.find(s)
}

func (p *pattern) find(s string) bool {
	return p.mayMatch(s) && (p.whole || p.re.MatchString(s))
}

// mayMatch reports whether a string contains what every match contains.
func (p *pattern) mayMatch(s string) bool {
	for i := range p.literals {
		if p.literals[i].in(s) {
			return true
		}
	}
	return len(p.literals) == 0
}
