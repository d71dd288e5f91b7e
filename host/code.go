package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// language is the host of a programming language.
type language struct {
	described
	lex func(x *lexer)
	// adjacent says that consecutive strings are one string.
	adjacent bool
	// bare says that a call does not need parentheses around its arguments.
	bare bool
	// quoteEndsHole says that in some versions of the language the interpolations of a string (its
	// holes) may not contain its quote.
	quoteEndsHole bool
	// imports are the words that begin an import; dotted says that the module name after them has
	// no quotes.
	imports []string
	dotted  bool
	// importCalls are functions that import the module that their first argument names.
	importCalls []string
	// api is the API of PACT in the language, or nil; foreign names the libraries that are not
	// PACT.
	api     *api
	foreign *foreignNames
	// conditions are the words that join a string with other values on its line.
	conditions []string
	// bracesCross says that the meaning of a brace, and of what follows it, does not depend on what
	// precedes the matching brace.
	bracesCross bool
}

func (l *language) Embeds() bool { return true }

func (l *language) tokens(src string) ([]token, []diag.Diagnostic) {
	x := &lexer{src: src, end: len(src), tokens: make([]token, 0, len(src)/5+8)}
	x.skipBOM()
	l.lex(x)
	return x.tokens, x.found
}

func (l *language) Find(src string, m *Markers) File {
	if m == nil {
		m = defaultMarkers()
	}
	may, inContext := m.mayMark(src)
	if !may {
		return File{}
	}
	tokens, found := l.tokens(src)
	f := codeFinder{language: l, src: src, markers: m, calls: inContext}
	f.file.Diagnostics = found
	f.search(tokens)
	f.finish(func() evidence { return f.top.evidence() }, func() *scope { return f.top })
	f.sort()
	return f.file
}

// program returns the tokens of a source, without its holes.
func (l *language) program(src string, m *Markers) *scope {
	tokens, _ := l.tokens(src)
	s := &scope{codeFinder: &codeFinder{language: l, src: src, markers: m}, all: tokens}
	s.tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == commentToken })
	s.pair()
	return s
}

// findKeys implements Find for data formats, in which keys and comments mark strings. take collects
// the strings whose keys are marked.
func (l *language) findKeys(src string, m *Markers, take func(*codeFinder, []token)) File {
	if m == nil {
		m = defaultMarkers()
	}
	keys := m.mayHoldKeys(src)
	if !keys && !m.mayHoldComments(src) {
		return File{}
	}
	tokens, found := l.tokens(src)
	f := codeFinder{language: l, src: src, markers: m}
	f.file.Diagnostics = found
	if keys {
		take(&f, tokens)
	}
	f.search(tokens)
	f.finish(nil, nil)
	f.sort()
	return f.file
}

func (l *language) outline(src string) []mark {
	tokens, _ := l.tokens(src)
	out := appendMarks(nil, tokens)
	slices.SortStableFunc(out, func(a, b mark) int { return a.Start - b.Start }) // holes of heredocs
	return out
}

func appendMarks(out []mark, tokens []token) []mark {
	for _, t := range tokens {
		out = append(out, mark{t.Span, byte(t.kind)})
		if t.lit != nil {
			for _, h := range t.lit.holes {
				out = appendMarks(out, h.tokens)
			}
		}
	}
	return out
}

// codeFinder looks for markers among the tokens of a program.
type codeFinder struct {
	*language
	src     string
	markers *Markers
	calls   bool   // calls mark strings
	nested  int    // how many holes are around the tokens that are searched
	open    int    // how many braces are open before the tokens of the program
	over    bool   // more text after the tokens may change what is found
	top     *scope // of the program, without its holes
	file    File
}

// sort puts the regions in order and keeps each string once, with the marker that permits most.
func (f *codeFinder) sort() {
	diag.Sort(f.file.Diagnostics)
	f.file.Diagnostics = slices.CompactFunc(f.file.Diagnostics, func(a, b diag.Diagnostic) bool {
		return a.Span == b.Span && a.Code == b.Code
	})
	slices.SortFunc(f.file.Comments, func(a, b ast.Span) int { return a.Start - b.Start })
	byStart := func(a, b Region) int {
		switch {
		case a.Start != b.Start:
			return a.Start - b.Start
		case a.Kind != b.Kind:
			return cmp.Compare(a.Kind, b.Kind)
		case a.Proof != b.Proof:
			return cmp.Compare(a.Proof, b.Proof)
		case a.claim.optional == b.claim.optional:
			return 0
		case a.claim.optional:
			return 1
		}
		return -1
	}
	if !slices.IsSortedFunc(f.file.Regions, byStart) { // in most programs they are sorted
		slices.SortStableFunc(f.file.Regions, byStart)
	}
	end, holed := -1, ast.Span{}
	f.file.Regions = slices.DeleteFunc(f.file.Regions, func(r Region) bool {
		switch {
		case r.Start < end || r.Start == end && r.Len() == 0:
			return true
		case r.Kind != Holed:
			end = max(end, r.End)
		case r.Span == holed:
			return true
		default:
			holed = r.Span
		}
		return false
	})
}

// search looks for markers in the tokens of a program or of a hole.
func (f *codeFinder) search(tokens []token) {
	s := scope{codeFinder: f, all: tokens}
	for _, t := range tokens {
		if t.kind == commentToken {
			s.comments = true
			if strings.Contains(t.Text(f.src), Directive) {
				f.file.Comments = append(f.file.Comments, t.Span)
			}
		}
		if t.lit != nil {
			f.nested++
			for _, h := range t.lit.holes {
				f.search(h.tokens)
			}
			f.nested--
		}
	}
	s.tokens = tokens
	if s.comments {
		s.tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == commentToken })
	}
	s.pair()
	if f.nested == 0 {
		f.top = &s
	}
	for i, t := range s.tokens {
		if t.kind == wordToken {
			s.word(i, t)
		}
	}
	if s.comments {
		s.searchComments()
	}
}
