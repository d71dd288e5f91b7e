package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/lint"
)

const (
	knownTable = "known."
	filesName  = knownTable + "files"
	closedName = knownTable + "closed"
)

// vocabularyKeys are the keys of a vocabulary.
var vocabularyKeys = []Key{
	{Name: "closed", Type: Bool, Doc: "Whether the lists are complete. If so, every unknown word is a finding; if not, only a word that is close to a known one."},
	{Name: "types", Type: Texts, Check: checkWord, Pattern: somePattern, Doc: "Node types that trees have."},
	{Name: "tags", Type: Texts, Check: checkWord, Pattern: somePattern, Doc: "Tags that trees have."},
	{Name: "keys", Type: Texts, Check: checkWord, Pattern: somePattern, Doc: "Keys that trees have."},
	{Name: "attributes", Type: Texts, Check: checkWord, Pattern: somePattern, Doc: "Custom attributes that trees have."},
	{Name: "controls", Type: Texts, Check: checkWord, Pattern: somePattern, Doc: "Controls that the evaluator's caller knows."},
}

// wordKinds maps each list of a vocabulary, or of the table [known], to the kind of its words.
var wordKinds = map[string]lint.WordKind{
	"types": lint.TypeWord, "tags": lint.TagWord, "keys": lint.KeyWord, "attributes": lint.AttributeWord, "controls": lint.ControlWord,
}

// KindOf returns the kind of the words in a list of a vocabulary.
func KindOf(list string) (lint.WordKind, bool) {
	kind, ok := wordKinds[list]
	return kind, ok
}

// Vocabulary lists the words that a project knows. A closed one that has an empty list of a kind
// knows no word of it; without a list it says nothing about the kind.
type Vocabulary struct {
	Closed bool // the lists are complete
	Words  map[lint.WordKind][]string
}

// ReadVocabulary parses a vocabulary. A vocabulary is closed unless it says otherwise. Problems
// name the path.
func ReadVocabulary(path, src string) (Vocabulary, []Problem) {
	c := checker{path: path, src: src, lines: ast.NewLines(src)}
	v := Vocabulary{Closed: true, Words: map[lint.WordKind][]string{}}
	root, wrong := parseTOML(src)
	if wrong != nil {
		c.found = append(c.found, *wrong)
	} else {
		for name, value := range c.members("", vocabularyKeys, root) {
			switch value := value.(type) {
			case bool:
				v.Closed = value
			case []string:
				v.Words[wordKinds[name]] = value
			}
		}
	}
	diag.Sort(c.found)
	return v, c.problems()
}

// Bytes returns the vocabulary as the content of a file, with sorted words.
func (v Vocabulary) Bytes() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "closed = %t\n", v.Closed)
	for _, k := range vocabularyKeys {
		kind, ok := wordKinds[k.Name]
		list, named := v.Words[kind]
		switch {
		case !ok || !named:
		case len(list) == 0:
			fmt.Fprintf(&b, "\n%s = []\n", k.Name)
		default:
			list = slices.Clone(list)
			slices.Sort(list)
			fmt.Fprintf(&b, "\n%s = [\n", k.Name)
			for _, word := range slices.Compact(list) {
				fmt.Fprintf(&b, "  %s,\n", quoteTOML(word))
			}
			b.WriteString("]\n")
		}
	}
	return []byte(b.String())
}

// AddTo returns the file of a vocabulary with the words and the lists of v that it lacks. All else
// in it stays.
func (v Vocabulary) AddTo(src string) []byte {
	before, _ := ReadVocabulary("", src)
	for _, k := range vocabularyKeys {
		kind, ok := wordKinds[k.Name]
		list, named := v.Words[kind]
		more := slices.DeleteFunc(slices.Clone(list), func(w string) bool { return slices.Contains(before.Words[kind], w) })
		if _, has := before.Words[kind]; !ok || !named || has && len(more) == 0 {
			continue
		}
		slices.Sort(more)
		if edit, ok := AddToList(src, k.Name, slices.Compact(more)...); ok {
			src, _ = diag.Apply(src, []diag.Edit{edit})
		}
	}
	return []byte(src)
}

// readVocabularies reads the vocabularies that a document names.
func (ld *loader) readVocabularies(doc *document) []Problem {
	problems := ld.addWords(doc, doc.settings)
	for _, o := range doc.overrides {
		problems = append(problems, ld.addWords(doc, o.settings)...)
	}
	return problems
}

// addWords reads the vocabularies that some settings name, and adds their words to the setting. If
// the settings do not say whether the lists are complete, the vocabularies do.
func (ld *loader) addWords(doc *document, settings map[string]setting) []Problem {
	s, ok := settings[filesName]
	if !ok {
		return nil
	}
	var problems []Problem
	s.words = map[lint.WordKind][]string{}
	closed := setting{data: true, origin: s.origin, folder: s.folder}
	for _, name := range s.data.([]string) {
		path := filepath.FromSlash(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(doc.folder, path)
		}
		wrong := func(message string) {
			at := ast.NewLines(doc.src).Start(s.origin.Line - 1)
			problems = append(problems, Problem{Path: doc.path, Source: doc.src, Diagnostic: diag.Diagnostic{Span: ast.Span{Start: at, End: at}, Message: message}})
		}
		if ld.Allow != nil && !ld.Allow(doc.folder, path) {
			wrong(fmt.Sprintf("the vocabulary %q is outside the workspace", name))
			continue
		}
		src, err := ld.text(path)
		if err != nil {
			wrong(fmt.Sprintf("cannot read the vocabulary %q: %s", name, atomicfile.Reason(err)))
			continue
		}
		v, more := ReadVocabulary(path, src)
		problems = append(problems, more...)
		for kind, list := range v.Words {
			if s.words[kind] == nil {
				s.words[kind] = []string{}
			}
			s.words[kind] = append(s.words[kind], list...)
		}
		closed.data = closed.data.(bool) && v.Closed
	}
	settings[filesName] = s
	if _, ok := settings[closedName]; !ok {
		settings[closedName] = closed
	}
	return problems
}

// Known lists the words that trees are known to have, by kind. A list that is empty, rather than
// nil, says that trees have no words of the kind.
func (c *Config) Known() map[lint.WordKind][]string {
	out := map[lint.WordKind][]string{}
	for name, kind := range wordKinds {
		inFiles := c.settings[filesName].words[kind]
		out[kind] = slices.Concat(c.list(knownTable+name), inFiles)
		if out[kind] == nil && inFiles != nil && !c.OpenWords() {
			out[kind] = inFiles
		}
	}
	return out
}

// OpenWords reports whether trees may have words that are not known.
func (c *Config) OpenWords() bool {
	closed, _ := c.settings[closedName].data.(bool)
	return !closed
}

// Vocabularies returns the absolute paths of the vocabularies.
func (c *Config) Vocabularies() []string { return c.paths(filesName) }
