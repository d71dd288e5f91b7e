package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/ignore"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/lint"
)

// Problem is an error of one source of configuration.
type Problem struct {
	Path       string // of the file, or a name for what is not a file; never empty
	Source     string // its text, "" when it could not be read
	Diagnostic diag.Diagnostic
}

// Origin is where a setting was made.
type Origin struct {
	Path string // of the file, or a name for what is not a file; "" for a default
	Line int    // from 1; 0 when the origin has no lines
}

// setting is a checked value of a key.
type setting struct {
	data     any         // bool, string, []string or prices.Table
	patterns ignore.List // of Patterns, compiled
	origin   Origin
	folder   string // the folder that patterns are relative to

	words map[lint.WordKind][]string // the words of known.files
}

// override is one [[overrides]] table.
type override struct {
	paths    ignore.List
	settings map[string]setting
}

// document is one source of configuration, checked.
type document struct {
	path      string
	folder    string
	src       string
	settings  map[string]setting
	overrides []override
	named     []namedRule
}

// readDocument parses and checks a source. It reports all the errors it finds, in source order.
func readDocument(path, folder, src string) (*document, []Problem) {
	c := checker{path: path, folder: folder, src: src, lines: ast.NewLines(src)}
	// A byte order mark counts as white space.
	text := src
	if rest, ok := strings.CutPrefix(src, "\uFEFF"); ok {
		text = "   " + rest
	}
	doc := &document{path: path, folder: folder, src: src}
	root, d := parseTOML(text)
	if d != nil {
		c.found = append(c.found, *d)
	} else {
		doc.settings = c.settings(root, "", false, func(m *member) bool {
			if m.name == overridesName {
				doc.overrides = c.overrides(m.value)
			}
			return m.name == overridesName
		})
	}
	doc.named = c.named
	diag.Sort(c.found)
	return doc, c.problems()
}

// problems returns the findings as problems of the source.
func (c *checker) problems() []Problem {
	var out []Problem
	for _, d := range c.found {
		out = append(out, Problem{Path: c.path, Source: c.src, Diagnostic: d})
	}
	return out
}

// checker compares a document with the table of keys.
type checker struct {
	path, folder, src string
	lines             *ast.Lines
	found             []diag.Diagnostic
	named             []namedRule
}

func (c *checker) report(at ast.Span, hint, format string, args ...any) {
	c.found = append(c.found, diag.Diagnostic{Severity: diag.Error, Span: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// settings checks the members of a table whose keys begin with prefix. The members that special
// handles are not settings.
func (c *checker) settings(t *table, prefix string, perPath bool, special func(*member) bool) map[string]setting {
	out := map[string]setting{}
	for _, m := range t.members {
		if prefix == "" && special(m) {
			continue
		}
		name := prefix + m.name
		if k := findKey(name); k != nil {
			if perPath && !k.PerPath {
				c.report(m.key, "", "%s cannot differ from file to file: it cannot stand in [[%s]]", name, overridesName)
			} else if data, ok := c.value(k, m.value); ok {
				line, _ := c.lines.Line(m.key.Start)
				s := setting{data: data, folder: c.folder, origin: Origin{Path: c.path, Line: line + 1}}
				if k.Type == Patterns {
					s.patterns = patternList(data.([]string))
				}
				out[name] = s
			}
			continue
		}
		if !isTableName(name) {
			c.report(m.key, c.suggest(name, perPath), "unknown key %q", name)
			continue
		}
		below, ok := m.value.data.(*table)
		if !ok {
			c.report(m.value.span, "", "%s is a table: write [%s] and its keys below", name, name)
			continue
		}
		maps.Copy(out, c.settings(below, name+".", perPath, nil))
	}
	return out
}

func isTableName(name string) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return strings.HasPrefix(k.Name, name+".") })
}

// suggest returns a hint that names the nearest valid key in the position of an unknown one.
func (c *checker) suggest(name string, perPath bool) string {
	word := names.Nearest(name, func(yield func(string) bool) {
		for _, k := range keys {
			if perPath && !k.PerPath {
				continue
			}
			if !yield(k.Name) {
				return
			}
			if t, _, ok := strings.Cut(k.Name, "."); ok && !yield(t) {
				return
			}
		}
		if perPath {
			yield(pathsName)
		} else {
			yield(overridesName)
		}
	})
	if word == "" {
		// The last part of a key, written without its table.
		for _, k := range keys {
			if strings.HasSuffix(k.Name, "."+name) {
				word = k.Name
			}
		}
	}
	return didYouMean(word)
}

func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", word)
}

// value checks the value of a key and converts it to a plain Go value.
func (c *checker) value(k *Key, v value) (any, bool) {
	switch k.Type {
	case Bool:
		if b, ok := v.data.(bool); ok {
			return b, true
		}
		c.report(v.span, "", "%s is %s", k.Name, k.Type)
	case Enum:
		if s, ok := v.data.(string); ok && slices.Contains(k.Values, s) {
			return s, true
		}
		written, _ := v.data.(string)
		hint := didYouMean(names.Nearest(written, slices.Values(k.Values)))
		if written == "" && slices.Contains(k.Values, strings.TrimSpace(v.span.Text(c.src))) {
			hint = "put the value in quotes"
		}
		c.report(v.span, hint, "%s is %s %s", k.Name, k.Type, quotedList(k.Values))
	case Paths:
		if s, ok := v.data.(string); ok {
			return []string{s}, c.isPath(s, v.span)
		}
		return c.stringList(k.Name, k.Type, v)
	case Patterns:
		return c.stringList(k.Name, k.Type, v)
	case Texts:
		return c.texts(k, v)
	case Text:
		s, ok := v.data.(string)
		if !ok {
			c.report(v.span, "", "%s is %s", k.Name, k.Type)
			return nil, false
		}
		if err := k.check(s); err != nil {
			c.report(v.span, "", "%s: %s", k.Name, err)
			return nil, false
		}
		return s, true
	case Prices:
		return c.prices(k, v)
	case Windows:
		return c.windows(k, v)
	case Policy:
		return c.policy(v)
	case TextOrTexts:
		if s, ok := v.data.(string); ok {
			return []string{s}, true
		}
		return c.texts(k, v)
	case Examples:
		return c.examples(k, v)
	case Rules:
		return c.rules(k, v)
	}
	return nil, false
}

// check returns what is wrong with a text.
func (k *Key) check(text string) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(text)
}

// texts checks a list of texts.
func (c *checker) texts(k *Key, v value) ([]string, bool) {
	list, ok := v.data.([]value)
	if !ok {
		c.report(v.span, "", "%s is %s", k.Name, k.Type)
		return nil, false
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		s, ok := e.data.(string)
		if !ok {
			c.report(e.span, "", "%s is %s, and this is not a string", k.Name, k.Type)
		} else if err := k.check(s); err != nil {
			c.report(e.span, "", "%s", err)
		} else {
			out = append(out, s)
			if strings.HasPrefix(k.Name, "lint.") && isProjectRule(s) {
				c.named = append(c.named, namedRule{s, e.span})
			}
		}
	}
	return out, len(out) == len(list)
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(quoted, " ")
}

func (c *checker) stringList(name string, is Type, v value) ([]string, bool) {
	list, ok := v.data.([]value)
	if !ok {
		c.report(v.span, "", "%s is %s", name, is)
		return nil, false
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		s, ok := e.data.(string)
		if !ok {
			c.report(e.span, "", "%s is %s, and this is not a string", name, is)
		} else if c.isPath(s, e.span) {
			out = append(out, s)
		}
	}
	return out, len(out) == len(list)
}

// isPath reports whether a text can be a path or a pattern.
func (c *checker) isPath(text string, at ast.Span) bool {
	if text == "" || strings.ContainsAny(text, "\n\r\x00") {
		c.report(at, "", "an empty text or one with a line break is not a path")
		return false
	}
	return true
}

func (c *checker) overrides(v value) []override {
	list, ok := v.data.([]value)
	if !ok {
		c.report(v.span, "", "%s are tables: write [[%s]] with two brackets on each side", overridesName, overridesName)
		return nil
	}
	var out []override
	for _, e := range list {
		t, ok := e.data.(*table)
		if !ok {
			c.report(e.span, "", "%s are tables, and this is not one", overridesName)
			continue
		}
		hasPaths := false
		var o override
		o.settings = c.settings(t, "", true, func(m *member) bool {
			if m.name != pathsName {
				return false
			}
			hasPaths = true
			if patterns, ok := c.stringList(pathsName, Patterns, m.value); ok {
				o.paths = patternList(patterns)
			}
			return true
		})
		if !hasPaths {
			c.report(e.span, "", "paths is missing: it says for which files the table holds")
		}
		out = append(out, o)
	}
	return out
}

func patternList(patterns []string) ignore.List {
	return ignore.Parse("", strings.Join(patterns, "\n"))
}

// relative returns a path relative to the folder of patterns; false if the path is not below the
// folder.
func relative(folder, path string) (string, bool) {
	rel, err := filepath.Rel(folder, path)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
