// Package vocab is the table of the language's words: regions, types, zones, positional pseudos,
// attributes, flags, operators, controls and instants. The parser, the formatter, the linter, the
// evaluator, the language server, the explain verb and the generated reference all read it.
//
// The table is read-only and safe for concurrent use.
package vocab

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/names"
)

// Kind is a class of words. A name is unique within its kind.
type Kind uint8

// The kinds, in order of presentation.
const (
	Region    Kind = iota // ^ah
	Type                  // .seg, the canonical types
	Zone                  // :pre
	Pseudo                // :first, :nth
	Attribute             // headers and facets
	Flag                  // ephemeral
	Operator              // <=
	Control               // @limit
	Instant               // @t0, the forms of a time
)

// ValueType is the type of the values of an attribute, or of the argument of a control.
type ValueType uint8

// The value types.
const (
	NoValue ValueType = iota // a control that takes no argument
	AnyType                  // custom: decided by the stored value
	IntType
	NumberType
	StringType
	TagsType // a string or a list of strings
	BoolType
	EnumType // one of Params
)

// Group says in which brackets a canonical selector tests an attribute.
type Group uint8

// The groups.
const (
	NoGroup    Group = iota
	Attributes       // { … }
	Behavior         // [ … ]
)

// Term is one word with everything that programs and the reference say about it.
type Term struct {
	ID         string // stable, unique in the table, e.g. "attribute.ttl"
	Kind       Kind
	Name       string   // as written, without sigil: "ah", "ttl", "limit"; operators as they are
	Aliases    []string // other spellings: the 0.1 name of a type
	Params     []string // values of EnumType, known values of StringType, or arguments of a pseudo
	ValueType  ValueType
	Group      Group    // of an attribute
	Order      int      // canonical order in kind and group, from 1; terms with 0 are last, by name
	Derived    bool     // an attribute that is computed, not stored
	NeedsTime  bool     // an attribute or control that requires a written time
	Summary    string   // one sentence
	Doc        string   // further sentences, may be empty
	Examples   []string // selectors of edition 1.0 that parse without an error
	Since      string   // the revision that introduced the word: "0.1", "1.0"
	Deprecated string   // what to use instead, or ""
}

// All yields the terms of a kind in canonical order.
func All(k Kind) iter.Seq[*Term] { return slices.Values(byKind[k]) }

// Lookup returns the term with a name or alias, or nil if the language has no such word.
func Lookup(k Kind, name string) *Term {
	if words := index[k]; 0 < len(name) && len(name) < len(words) {
		for _, w := range words[len(name)] {
			if w.text[0] == name[0] && w.text == name { // the first byte differs in most
				return w.term
			}
		}
	}
	return nil
}

// Nearest returns the term whose name or alias a misspelled word most likely means. It ignores
// case, and allows one edit, or two in words of five letters or more. On a tie the first in
// canonical order wins. Nearest returns nil if no word is near.
func Nearest(k Kind, name string) *Term {
	length := utf8.RuneCountInString(name)
	limit := 1
	switch {
	case length < 2:
		limit = 0
	case length >= 5:
		limit = 2
	}
	return NearestWithin(k, name, limit)
}

// NearestWithin is [Nearest] with a limit of edits: insertions, deletions, replacements and swaps
// of neighbors.
func NearestWithin(k Kind, name string, limit int) *Term {
	var best *Term
	name = strings.ToLower(name)
	for _, t := range byKind[k] {
		for _, word := range t.spellings() {
			if d := names.Distance(name, strings.ToLower(word), limit); d <= limit {
				best, limit = t, d-1
			}
		}
	}
	return best
}

// spellings returns the name and the aliases.
func (t *Term) spellings() []string { return append([]string{t.Name}, t.Aliases...) }

// CanonicalType returns the name of a node type as edition 1.0 spells it: without canonical bases,
// which have no meaning before a colon, and with the 1.0 name of a canonical type.
func CanonicalType(name string) string {
	name = WithoutBase(name)
	if t := Lookup(Type, name); t != nil {
		return t.Name
	}
	return name
}

// WithoutBase removes canonical bases, such as "cb:" in "cb:note", from the start of the name of a
// node type.
func WithoutBase(name string) string {
	for {
		base, rest, ok := strings.Cut(name, ":")
		if !ok || Lookup(Type, base) == nil {
			return name
		}
		name = rest
	}
}

// terms has all words, by kind and in canonical order.
var terms = slices.Concat(regions, types, zones, pseudos, behavior, properties, flags, operators, controls, instants)

var (
	byKind [Instant + 1][]*Term
	index  [Instant + 1]wordList
)

// wordList has words by length, because few words of a kind have the same length.
type wordList [][]word

// word is a spelling of a term.
type word struct {
	text string
	term *Term
}

func init() {
	for i := range terms {
		t := &terms[i]
		byKind[t.Kind] = append(byKind[t.Kind], t)
		for _, text := range t.spellings() {
			index[t.Kind].add(text, t)
		}
	}
}

func (l *wordList) add(text string, t *Term) {
	for len(*l) <= len(text) {
		*l = append(*l, nil)
	}
	(*l)[len(text)] = append((*l)[len(text)], word{text, t})
}
