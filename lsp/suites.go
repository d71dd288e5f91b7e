package lsp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/config"
)

// Suites tells the server about suites of tests. With the zero value, no file is a suite.
type Suites struct {
	Is     func(path string) bool                             // whether a file is a suite
	Schema *jsonschema.Schema                                 // the schema of suites in YAML
	Check  func(path, text string) (line int, message string) // the first mistake; "" for none
}

// suite reports whether a document is a suite of tests.
func (s *server) suite(d *document) bool {
	is := s.options.Suites.Is
	return is != nil && d.path != "" && is(d.path)
}

// isVocabulary reports whether a document is a vocabulary of its project. The configuration that
// names a malformed one is malformed, too.
func (sn *snapshot) isVocabulary(d *document) bool {
	if d.path == "" || config.IsOwn(d.path) {
		return false
	}
	cfg, problems := sn.configOf(d.path)
	return slices.Contains(cfg.Vocabularies(), d.path) || slices.ContainsFunc(problems, func(p config.Problem) bool { return p.Path == d.path })
}

// schemaAt returns the schema of a document, and the place of an offset in it. It returns false if
// the document has no schema.
func (s *server) schemaAt(sn *snapshot, d *document, offset int) (*jsonschema.Schema, config.Place, bool) {
	switch {
	case config.IsOwn(d.path):
		place, ok := config.PlaceAt(d.src, offset)
		return configSchema(), place, ok
	case sn.isVocabulary(d):
		place, ok := config.PlaceAt(d.src, offset)
		return vocabularySchema(), place, ok
	case s.suite(d) && !strings.HasSuffix(d.path, ".txtar"):
		place, ok := yamlPlace(d.src, offset)
		// In a selector, the words are those of the language.
		inSelector := place.IsValue && slices.Contains(place.Path, "selector")
		return s.options.Suites.Schema, place, ok && !inSelector
	}
	return nil, config.Place{}, false
}

// mistakes returns what is wrong in a suite, of which it is the first mistake, or in a vocabulary.
func (s *server) mistakes(sn *snapshot, d *document) []diagnostic {
	var list []diagnostic
	add := func(at ast.Span, code, message string) {
		list = append(list, diagnostic{Range: d.rangeOf(at), Severity: severities[diag.Error], Code: code, Source: source, Message: message})
	}
	switch {
	case s.suite(d) && s.options.Suites.Check != nil:
		line, message := s.options.Suites.Check(d.path, d.src)
		at := ast.Span{}
		if line > 0 && line <= d.lines.Count() {
			at = ast.Span{Start: d.lines.Start(line - 1), End: d.lineEnd(line - 1)}
		}
		if message != "" {
			add(at, "suite", message)
		}
	case sn.isVocabulary(d):
		_, problems := config.ReadVocabulary(d.path, d.src)
		for _, p := range problems {
			add(p.Diagnostic.Span, "vocabulary", p.Diagnostic.Message)
		}
	}
	return list
}

var (
	yamlKey  = regexp.MustCompile(`^([A-Za-z_][\w-]*):(?:\s|$)`)
	flowKey  = regexp.MustCompile(`([A-Za-z_][\w-]*):\s*$`)
	flowWord = regexp.MustCompile(`[\w-]*$`)
)

// yamlPlace returns the place of an offset in a YAML document of lists, mappings and words. The
// document may have errors.
func yamlPlace(src string, offset int) (config.Place, bool) {
	type member struct {
		indent  int
		key     string
		present []string // the keys before it in the same mapping
	}
	var open []member
	start := strings.LastIndexByte(src[:offset], '\n') + 1
	at := 0
	for {
		line, _, more := strings.Cut(src[at:], "\n")
		last := at == start
		if last {
			line = src[start:offset]
		}
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		begins := false // a list item begins a new mapping
		for strings.HasPrefix(text, "- ") || text == "-" {
			rest := strings.TrimLeft(text[1:], " ")
			indent += len(text) - len(rest)
			text, begins = rest, true
		}
		if text != "" && text[0] != '#' || last {
			var beside []string
			for len(open) > 0 && open[len(open)-1].indent >= indent {
				if m := open[len(open)-1]; m.indent == indent && !begins {
					beside = append(m.present, m.key)
				}
				open = open[:len(open)-1]
			}
			if m := yamlKey.FindStringSubmatch(text); m != nil {
				open = append(open, member{indent, m[1], beside})
				text = text[len(m[0]):]
				if last {
					return flowPlace(pathOfMembers(open, func(m member) string { return m.key }), text, src, offset)
				}
			} else if last {
				if strings.HasPrefix(text, "#") {
					return config.Place{}, false
				}
				p, ok := flowPlace(pathOfMembers(open, func(m member) string { return m.key }), text, src, offset)
				if !strings.ContainsAny(text, "{[") {
					p.IsValue, p.Present = false, beside
				}
				return p, ok
			}
		}
		if last || !more {
			return config.Place{}, false
		}
		at += len(line) + 1
	}
}

func pathOfMembers[M any](list []M, key func(M) string) []string {
	var out []string
	for _, m := range list {
		out = append(out, key(m))
	}
	return out
}

// flowPlace returns the place at the end of a value that may have braces.
func flowPlace(path []string, value, src string, offset int) (config.Place, bool) {
	p := config.Place{Path: path, IsValue: true}
	begin := strings.LastIndexAny(value, "{}[],")
	if brace := strings.LastIndexByte(value, '{'); brace >= 0 && strings.Count(value, "{") > strings.Count(value, "}") {
		for part := range strings.SplitSeq(value[:brace], "{") {
			if m := flowKey.FindStringSubmatch(part); m != nil {
				p.Path = append(p.Path, m[1])
			}
		}
		inner := value[brace+1:]
		if i := strings.LastIndexByte(inner, ':'); i > strings.LastIndexByte(inner, ',') || strings.Count(inner, "[") > strings.Count(inner, "]") {
			if m := flowKey.FindStringSubmatch(inner[:i+1]); m != nil {
				p.Path = append(p.Path, m[1])
			}
		} else {
			p.IsValue = false
		}
	}
	word := flowWord.FindString(value[begin+1:])
	end := offset
	for end < len(src) && flowWord.MatchString(src[end:end+1]) && flowWord.FindString(src[end:end+1]) != "" {
		end++
	}
	p.Word = ast.Span{Start: offset - len(word), End: end}
	p.Quoted = true // YAML needs no quotes around words
	return p, true
}
