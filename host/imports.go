package host

import (
	"iter"
	"slices"
	"strings"
)

// imported is a module that a program imports.
type imported struct {
	path string
	at   int // the token of the path, or the first of them
}

// imported yields the modules that the import at a keyword names. A quoted module comes right after
// the keyword, or in Go after a name or in parentheses; a dotted one is on the line of the keyword.
func (s *scope) imported(i int) iter.Seq[imported] {
	return func(yield func(imported) bool) {
		switch j := i + 1; {
		case s.dotted && !slices.Contains(s.importCalls, s.text(i)) || s.text(i) == "package":
			s.dottedImports(i, yield)
		case s.is(j, '('):
			for end := min(s.closing[j], len(s.tokens), j+maxImports); j < end; j++ {
				if s.tokens[j].kind == textToken && !yield(imported{s.literal(j), j}) {
					return
				}
			}
		case j >= len(s.tokens) || !s.sameLine(i, j):
		case s.tokens[j].kind == textToken:
			yield(imported{s.literal(j), j})
		case j+1 < len(s.tokens) && s.sameLine(j, j+1) && (s.tokens[j].kind == wordToken || s.is(j, '.')) && s.tokens[j+1].kind == textToken:
			yield(imported{s.literal(j + 1), j + 1})
		}
	}
}

// maxImports is how many tokens of an import in parentheses are read.
const maxImports = 2000

// literal returns the text of a string.
func (s *scope) literal(i int) string {
	b := builder{src: s.src}
	s.tokens[i].lit.text(&b)
	return string(b.text)
}

// dottedImports yields the unquoted paths from a keyword to the end of its line, or only the first:
// after from, and after a package clause.
func (s *scope) dottedImports(keyword int, yield func(imported) bool) {
	if s.adjacent && keyword > 0 && s.sameLine(keyword-1, keyword) && !s.is(keyword-1, ':') && !s.is(keyword-1, ';') {
		return // Python: the names after from … import, or an exception after raise … from
	}
	first := s.text(keyword) == "from" || s.text(keyword) == "package"
	for i, end := keyword+1, keyword+1+maxLine; i < min(end, len(s.tokens)) && s.sameLine(i-1, i) && !s.is(i, ';'); i++ {
		at := i
		for i+1 < len(s.tokens) && s.tokens[i+1].Start == s.tokens[i].End && (s.is(i+1, '.') || s.is(i+1, ':') || s.tokens[i+1].kind == wordToken) {
			i++
		}
		if !yield(imported{s.src[s.tokens[at].Start:s.tokens[i].End], at}) || first {
			return
		}
	}
}

// data has the extensions of modules that are data or style sheets rather than code.
var data = []string{"json", "csv", "css", "svg", "yaml", "yml"}

// moduleParts cuts the path of a module: "@pactkit/cli", "pactsel.spark" and
// "github.com/pactkit/pactkit".
func moduleParts(path string) []string {
	return strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune("/.:@\\", c) })
}

// isOurs reports whether the path of an import names a module of PACT, or one that the
// configuration names.
func (s *scope) isOurs(path string) (ours, configured bool) {
	if s.api != nil && s.api.isRoot(path) {
		return true, false
	}
	if len(s.markers.imports) == 0 {
		return false, false
	}
	parts := moduleParts(path)
	if len(parts) > 0 && slices.Contains(data, parts[len(parts)-1]) {
		return false, false
	}
	ours = slices.ContainsFunc(s.markers.imports, func(name []string) bool {
		for i := range len(parts) - len(name) + 1 {
			if slices.Equal(parts[i:i+len(name)], name) {
				return true
			}
		}
		return false
	})
	return ours, ours
}

// evidence returns what the imports and the names of a program show.
func (s *scope) evidence() evidence {
	var e evidence
	for i, t := range s.tokens {
		if t.kind != wordToken {
			continue
		}
		word := t.Text(s.src)
		if s.foreign != nil && s.foreign.words[word] {
			e.others = true
		}
		member := s.selects(i-1) != i-1
		if !slices.Contains(s.importCalls, word) && (member || !slices.Contains(s.imports, word)) {
			continue
		}
		for m := range s.imported(i) {
			ours, _ := s.isOurs(m.path)
			switch {
			case ours && word != "package":
				e.ours = true
			case s.foreign != nil && s.foreign.isModule(m.path):
				e.others = true
			case word != "package" && isContract(m.path):
				e.contract, e.others = true, true
			}
		}
	}
	return e
}
