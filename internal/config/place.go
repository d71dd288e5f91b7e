package config

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pactkit/pactkit/ast"
)

// Place describes an offset in a configuration file: what is there, or what could be there.
type Place struct {
	Path    []string // the tables, and for a value also its key; lists are not counted
	IsValue bool
	Header  bool     // in the brackets of a [table]
	Word    ast.Span // the name or value at the offset, without quotes; empty between them
	Quoted  bool     // the word is in quotes
	Present []string // the names in the table before the offset
}

// placer reads a configuration file up to an offset. It accepts any text.
type placer struct {
	src    string
	offset int
	at     int
	levels []level // of nested tables and lists; the first is that of the last [table]
}

// level is a table or a list.
type level struct {
	path    []string
	list    bool
	key     []string // the parts of the key so far
	value   bool     // a value follows
	present []string
}

// PlaceAt returns the place of an offset in a configuration file, which may have errors.
func PlaceAt(src string, offset int) (Place, bool) {
	p := placer{src: src, offset: offset, levels: []level{{}}}
	for p.at < len(src) && (p.at < offset || p.at == offset && isBare(src[p.at])) {
		if place, done, ok := p.step(); done {
			return place, ok
		}
	}
	return p.place(ast.Span{Start: offset, End: offset}, false), true
}

func (p *placer) top() *level { return &p.levels[len(p.levels)-1] }

// place describes a word at the current position.
func (p *placer) place(word ast.Span, quoted bool) Place {
	l := p.top()
	return Place{
		Path: slices.Concat(l.path, l.key), IsValue: l.value || l.list, Word: word, Quoted: quoted, Present: l.present,
	}
}

// step reads one token. It is done if the token touches the offset; ok is false in a comment.
func (p *placer) step() (place Place, done, ok bool) {
	l := p.top()
	switch c := p.src[p.at]; {
	case c == '#':
		p.at += lineLen(p.src[p.at:])
		return Place{}, p.at >= p.offset, false
	case c == '\n':
		if len(p.levels) == 1 {
			l.key, l.value = nil, false
		}
	case c == '[' && len(p.levels) == 1 && !l.value && len(l.key) == 0:
		return p.header()
	case c == '[', c == '{':
		below := level{path: slices.Concat(l.path, l.key), list: c == '['}
		if l.list {
			below.path = l.path
		}
		p.levels = append(p.levels, below)
	case (c == ']' || c == '}') && len(p.levels) > 1:
		p.levels = p.levels[:len(p.levels)-1]
	case c == ',' && !l.list:
		l.key, l.value = nil, false
	case c == '=':
		l.value = true
		if len(l.key) > 0 {
			l.present = append(l.present, l.key[0])
		}
	case c == '"' || c == '\'':
		return p.text(c)
	case isBare(c):
		end := p.at
		for end < len(p.src) && isBare(p.src[end]) {
			end++
		}
		return p.word(ast.Span{Start: p.at, End: end}, end, false)
	}
	p.at++
	return Place{}, false, false
}

func isBare(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func lineLen(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// text reads a string. A string on one line ends with the line at the latest.
func (p *placer) text(quote byte) (Place, bool, bool) {
	marks := strings.Repeat(string(quote), 3)
	start := p.at + 1
	long := strings.HasPrefix(p.src[p.at:], marks)
	if !long {
		marks = marks[:1]
	} else {
		start += 2
	}
	end := start
	for end < len(p.src) && !strings.HasPrefix(p.src[end:], marks) && (long || p.src[end] != '\n') {
		if p.src[end] == '\\' && quote == '"' {
			end++
		}
		end++
	}
	end = min(end, len(p.src))
	after := end
	if strings.HasPrefix(p.src[end:], marks) {
		after += len(marks)
	}
	return p.word(ast.Span{Start: start, End: end}, after, true)
}

// word takes a name or a value that ends at after.
func (p *placer) word(at ast.Span, after int, quoted bool) (Place, bool, bool) {
	if p.offset <= at.End || p.offset < after {
		return p.place(at, quoted), true, p.offset >= at.Start
	}
	if l := p.top(); !l.value && !l.list {
		l.key = append(l.key, at.Text(p.src))
	}
	p.at = after
	return Place{}, false, false
}

// header reads a [table] or [[list]].
func (p *placer) header() (Place, bool, bool) {
	line := p.src[p.at : p.at+lineLen(p.src[p.at:])]
	start := p.at + len(line) - len(strings.TrimLeft(line, "["))
	var path []string
	for at := start; ; {
		end := at
		quote := byte(0)
		for end < p.at+len(line) && (quote != 0 || p.src[end] != '.' && p.src[end] != ']') {
			switch c := p.src[end]; {
			case c == quote:
				quote = 0
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			}
			end++
		}
		name := ast.Span{Start: at, End: end}
		if p.offset >= at && p.offset <= end {
			return Place{Path: path, Header: true, Word: name}, true, true
		}
		path = append(path, strings.Trim(strings.TrimSpace(name.Text(p.src)), `"'`))
		if end >= p.at+len(line) || p.src[end] == ']' {
			break
		}
		at = end + 1
	}
	p.levels = []level{{path: path}}
	p.at += len(line)
	return Place{}, p.at > p.offset, false
}

// Find returns the schema at a path of names, and those of its alternatives.
func Find(s *jsonschema.Schema, path []string) []*jsonschema.Schema {
	list := alternatives(s)
	for _, name := range path {
		var next []*jsonschema.Schema
		for _, s := range list {
			if p := s.Properties[name]; p != nil {
				next = append(next, alternatives(p)...)
			} else if a := s.AdditionalProperties; a != nil && a.Not == nil {
				next = append(next, alternatives(a)...)
			}
		}
		list = next
	}
	return list
}

// alternatives returns a schema, the schema of its items, and the schemas of its alternatives.
func alternatives(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s}
	if s.Items != nil {
		out = append(out, alternatives(s.Items)...)
	}
	for _, o := range s.OneOf {
		out = append(out, alternatives(o)...)
	}
	return out
}
