package host

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// Names such as select and selector are common: D3, jQuery and Kubernetes have them too. A string
// that such an untyped marker names is Doubtful, and never edited, unless something proves that it
// is written for PACT. A typed marker is a proof by itself. Otherwise the proof is an import of
// PACT in the file, or syntax in the string that CSS does not have.

// provesPACT reports whether a text holds syntax that CSS lacks. Syntax that other languages may
// have as well, such as the comparisons of XPath, counts only if the whole text parses as a
// selector.
func provesPACT(text string) bool {
	weak := false
	inBrackets := 0
	for i, c := range parser.Unquoted(text) {
		switch c {
		case '^':
			if begins(text, i) && isRegion(text[i+1:]) {
				return true
			}
		case '@':
			if (begins(text, i) || text[i-1] == '.' || text[i-1] == ':') && isInstant(text[i+1:]) {
				return true
			}
		case 'd':
			if begins(text, i) && isDepthRange(text[i:]) {
				return true
			}
		case '[':
			inBrackets++
		case ']':
			inBrackets--
		case '<', '>':
			weak = weak || inBrackets > 0
		case '?':
			weak = weak || i > 0 && text[i-1] == '?'
		case '{':
			weak = weak || isFilter(text, i)
		}
	}
	if !weak || strings.Contains(text, holeText) {
		return false
	}
	_, found := parser.ParseSelector(text, parser.Options{})
	return !diag.HasErrors(found)
}

// begins reports whether a token can begin at an offset.
func begins(text string, at int) bool {
	return at == 0 || strings.IndexByte(" \t\r\n(,>", text[at-1]) >= 0
}

// isRegion reports whether a text, after the sign ^, begins with the name of a region. What follows
// must not make it a regular expression, such as ^sys.* or ^root$.
func isRegion(text string) bool {
	for _, name := range []string{"sys", "seq", "ah", "root"} {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || strings.IndexByte(" \t\r\n>,):[{+#@", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// isInstant reports whether a text, after the sign @, begins with the number of a snapshot or a
// cycle.
func isInstant(text string) bool {
	if text == "" || text[0] != 't' && text[0] != 'c' {
		return false
	}
	text = text[1:]
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
		if strings.HasPrefix(text, "*") {
			return true
		}
	}
	n := countDigits(text)
	return n > 0 && (n == len(text) || !isWordByte(text[n]))
}

// isDepthRange reports whether a text begins with a range of depths, such as d1..d3.
func isDepthRange(text string) bool {
	text = strings.TrimPrefix(text[1:], "-")
	n := countDigits(text)
	text, ok := strings.CutPrefix(text[n:], "..")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "d"), "-")
	return n > 0 && ok && countDigits(text) > 0
}

func countDigits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// isFilter reports whether the brace at an offset begins a filter with a test. A filter at the
// beginning does not count, because the queries of log systems look like that. Neither does a
// placeholder such as {name}.
func isFilter(text string, at int) bool {
	if strings.TrimLeft(text[:at], blank) == "" {
		return false
	}
	inner, _, closed := strings.Cut(text[at+1:], "}")
	return closed && (strings.ContainsAny(inner, "=<>~") || strings.Contains(inner, " in "))
}

// contractTestModules has parts of the module paths of Pact, the library for contract tests.
var contractTestModules = []string{"pact-foundation", "dius", "consumer", "provider"}

// data has the extensions of modules that are data or style sheets rather than code.
var data = []string{"json", "csv", "css", "svg", "yaml", "yml"}

// isPACT reports whether the path of an import names a module of PACT: some of its parts are one of
// the names.
func (m *Markers) isPACT(path string) bool {
	parts := moduleParts(path)
	if len(parts) > 0 && slices.Contains(data, parts[len(parts)-1]) {
		return false
	}
	return slices.ContainsFunc(m.imports, func(name []string) bool {
		for i := range len(parts) - len(name) + 1 {
			if slices.Equal(parts[i:i+len(name)], name) {
				return !slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(contractTestModules, p) })
			}
		}
		return false
	})
}

// moduleParts cuts the path of a module: "@pact/core", "pact.core", "pact::core" and
// "github.com/pactkit/pactkit".
func moduleParts(path string) []string {
	return strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune("/.:@\\", c) })
}

// importsPACT reports whether a program imports PACT, or belongs to a package of that name.
func (s *scope) importsPACT() bool {
	for i, t := range s.tokens {
		if t.kind != wordToken || !slices.Contains(s.imports, t.Text(s.src)) || s.selects(i-1) != i-1 {
			continue
		}
		if s.importAt(i, s.dotted || t.Text(s.src) == "package") {
			return true
		}
	}
	return false
}

// importAt reports whether the import that begins with a keyword names PACT. A quoted module comes
// right after the keyword, or in Go after a name or in parentheses; a dotted one is on the line of
// the keyword.
func (s *scope) importAt(i int, dotted bool) bool {
	switch j := i + 1; {
	case dotted:
		return s.dottedImport(j)
	case s.is(j, '('):
		return slices.ContainsFunc(s.tokens[j:min(s.closing[j], len(s.tokens), j+maxLine)], s.names)
	case j >= len(s.tokens) || !s.sameLine(i, j):
		return false
	case s.names(s.tokens[j]):
		return true
	default:
		return j+1 < len(s.tokens) && s.sameLine(j, j+1) && (s.tokens[j].kind == wordToken || s.is(j, '.')) && s.names(s.tokens[j+1])
	}
}

// names reports whether a token is a string that names a module of PACT.
func (s *scope) names(t token) bool {
	if t.kind != textToken {
		return false
	}
	b := builder{src: s.src}
	t.lit.text(&b)
	return s.markers.isPACT(string(b.text))
}

// dottedImport reports whether one of the unquoted paths from a token to the end of its line names
// PACT.
func (s *scope) dottedImport(i int) bool {
	for end := i + maxLine; i < min(end, len(s.tokens)) && s.sameLine(i-1, i) && !s.is(i, ';'); i++ {
		start := s.tokens[i].Start
		for i+1 < len(s.tokens) && s.tokens[i+1].Start == s.tokens[i].End && (s.is(i+1, '.') || s.is(i+1, ':') || s.tokens[i+1].kind == wordToken) {
			i++
		}
		if s.markers.isPACT(s.src[start:s.tokens[i].End]) {
			return true
		}
	}
	return false
}

// markDoubtful decides which strings that untyped markers name are Doubtful, after the program has
// been searched. The imports of the program matter only for them, and for a document that contains
// it.
func (f *codeFinder) markDoubtful() {
	proven := f.markers.proven
	if !proven && f.proves != nil && len(f.imports) > 0 &&
		(f.markers.wantsProof || len(f.unsure) > 0 || slices.ContainsFunc(f.file.Regions, func(r Region) bool { return r.untyped })) {
		proven = f.proves()
	}
	if proven {
		f.file.Diagnostics = append(f.file.Diagnostics, f.unsure...)
	}
	markDoubtful(&f.file, proven)
}

// markDoubtful marks the regions of a file that nothing proves to be written for PACT as Doubtful.
// A file that has only such regions is not reported as unreadable.
func markDoubtful(f *File, proven bool) {
	f.proven = proven
	certain := false
	for i := range f.Regions {
		r := &f.Regions[i]
		if r.untyped && !proven && !provesPACT(r.Text) && r.Kind != Holed {
			r.Kind, r.Fixed = Doubtful, "nothing proves that it is written for PACT"
		}
		certain = certain || r.Kind != Doubtful && (r.Kind != Holed || !r.untyped)
	}
	if certain || proven {
		return
	}
	for i := range f.Diagnostics {
		if d := &f.Diagnostics[i]; d.Code == Unreadable {
			d.Severity = diag.Info
		}
	}
}
