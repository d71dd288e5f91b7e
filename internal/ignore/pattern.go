// Package ignore reads ignore files as git does: patterns with '*', '?', '[…]' and '**', anchored
// by a slash, negated by '!'; the last match decides. A file cannot be included again if a folder
// above it is ignored.
package ignore

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// List is the patterns of one ignore file, or of several joined, for the paths below one folder. It
// is immutable; the zero value ignores nothing.
type List struct {
	rules []rule
}

type rule struct {
	source   string // where it was written: "file:line", or the pattern itself
	negated  bool
	dirOnly  bool
	baseOnly bool // no slash in the pattern: it is matched against the last element
	path     *regexp.Regexp
}

// Parse reads the text of an ignore file. A pattern that is not well formed matches nothing, as in
// git. A match is reported by the name and line of its pattern; without a name, by the pattern
// itself.
func Parse(name, text string) List {
	var l List
	line := 0
	for s := range strings.SplitSeq(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line++
		source := s
		if name != "" {
			source = name + ":" + strconv.Itoa(line)
		}
		if r, ok := parseRule(strings.TrimSuffix(s, "\r"), source); ok {
			l.rules = append(l.rules, r)
		}
	}
	return l
}

// Join returns a list in which the patterns of m come after those of l, and so override them.
func (l List) Join(m List) List {
	return List{rules: append(l.rules[:len(l.rules):len(l.rules)], m.rules...)}
}

// Empty reports whether the list holds no pattern.
func (l List) Empty() bool { return len(l.rules) == 0 }

// Match finds the pattern that decides about a path below the folder of the list, with slashes. It
// returns where that pattern was written, "" if none matches, and whether the path is ignored.
func (l List) Match(path string, isDir bool) (source string, ignored bool) {
	base := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(l.rules) - 1; i >= 0; i-- {
		r := &l.rules[i]
		if r.dirOnly && !isDir {
			continue
		}
		subject := path
		if r.baseOnly {
			subject = base
		}
		if r.path.MatchString(subject) {
			return r.source, !r.negated
		}
	}
	return "", false
}

// Covers reports whether a path or a folder above it is ignored.
func (l List) Covers(path string, isDir bool) bool {
	for i, c := range path {
		if c == '/' {
			if _, ignored := l.Match(path[:i], true); ignored {
				return true
			}
		}
	}
	_, ignored := l.Match(path, isDir)
	return ignored
}

func parseRule(s, source string) (rule, bool) {
	if strings.HasPrefix(s, "#") {
		return rule{}, false
	}
	r := rule{source: source}
	s = trimTrailingSpaces(s)
	if rest, ok := strings.CutPrefix(s, "!"); ok {
		r.negated, s = true, rest
	}
	if rest, ok := strings.CutSuffix(s, "/"); ok {
		r.dirOnly, s = true, rest
	}
	r.baseOnly = !strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	if s == "" {
		return rule{}, false
	}
	var err error
	r.path, err = regexp.Compile(translate(s))
	return r, err == nil
}

// trimTrailingSpaces removes trailing blanks that are not escaped by a backslash.
func trimTrailingSpaces(s string) string {
	end := len(s)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
			end = min(i+1, len(s))
		case ' ':
		default:
			end = i + 1
		}
	}
	return s[:end]
}

// translate turns a pattern into a regular expression, which matches any pattern in linear time.
// The result does not compile if the pattern is malformed.
func translate(p string) string {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for i := 0; i < len(p); {
		atElement := i == 0 || p[i-1] == '/'
		switch rest := p[i:]; {
		case atElement && strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:[^/]+/)*`)
			i += 3
		case atElement && rest == "**":
			b.WriteString(`.+`)
			i += 2
		case p[i] == '*':
			b.WriteString(`[^/]*`)
			for i < len(p) && p[i] == '*' {
				i++
			}
		case p[i] == '?':
			b.WriteString(`[^/]`)
			i++
		case p[i] == '[':
			class, n := translateClass(rest)
			b.WriteString(class)
			i += n
		case p[i] == '\\':
			if i+1 == len(p) {
				return malformed
			}
			_, n := utf8.DecodeRuneInString(rest[1:])
			b.WriteString(regexp.QuoteMeta(rest[1 : 1+n]))
			i += 1 + n
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n
		}
	}
	b.WriteString(`\z`)
	return b.String()
}

// malformed compiles to no regular expression.
const malformed = `[`

// translateClass turns the bracket expression at the start of p into one of Go and returns its
// length. A class never matches a slash.
func translateClass(p string) (string, int) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var set strings.Builder
	for first := true; ; first = false {
		if i >= len(p) {
			return malformed, len(p)
		}
		if p[i] == ']' && !first {
			break
		}
		if strings.HasPrefix(p[i:], "[:") {
			name, _, closed := strings.Cut(p[i+2:], ":]")
			if !closed {
				return malformed, len(p)
			}
			set.WriteString(cmp.Or(slashless[name], "[:"+name+":]"))
			i += len(name) + 4
			continue
		}
		low, n := classChar(p[i:])
		i += n
		high := low
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			high, n = classChar(p[i+1:])
			i += 1 + n
		}
		high = max(low, high) // git reads a range that runs backwards as its first character
		// The two halves of a range around the slash.
		if low <= '/' && '/' <= high {
			writeRange(&set, low, '/'-1)
			writeRange(&set, '/'+1, high)
		} else {
			writeRange(&set, low, high)
		}
	}
	switch {
	case negated:
		return "[^/" + set.String() + "]", i + 1
	case set.Len() == 0:
		return `[^\x00-\x{10FFFF}]`, i + 1
	}
	return "[" + set.String() + "]", i + 1
}

// classChar reads one character of a bracket expression, a backslash before it or not.
func classChar(p string) (r rune, size int) {
	escape := 0
	if p[0] == '\\' && len(p) > 1 {
		escape = 1
	}
	r, size = utf8.DecodeRuneInString(p[escape:])
	return r, escape + size
}

func writeRange(b *strings.Builder, low, high rune) {
	if low <= high {
		fmt.Fprintf(b, `\x{%X}-\x{%X}`, low, high)
	}
}

// slashless spells the POSIX classes that hold a slash without it.
var slashless = map[string]string{
	"ascii": `\x00-.0-\x7F`,
	"graph": `!-.0-~`,
	"print": ` -.0-~`,
	"punct": "!-.:-@\\[-`{-~",
}
