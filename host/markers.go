package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Patterns describe what marks a string as a selector. A configuration contains them; [NewMarkers]
// reads them.
type Patterns struct {
	// Calls are calls with a selector among their arguments. A pattern is NAME, RECEIVER.NAME or
	// *.NAME, then in parentheses the arguments that may be the selector, by number from 1 or by
	// name. The first of them that is a string is the selector. Without parentheses it is the first
	// argument. A ? at the end makes the marker untyped: other libraries use the name too, so the
	// string is Unproven unless something shows that it is written for PACT.
	Calls []string
	// Positions are calls with an insertion position among their arguments, written like Calls.
	Positions []string
	// Targets are calls with the target of a mutation among their arguments, written like Calls.
	Targets []string
	// Tags are the names of template tags, and of calls whose only argument is the selector.
	Tags []string
	// Comments are the first words of a comment before a string: "pact" stands for /* pact */,
	// // pact and # pact.
	Comments []string
	// Keys are the paths of values in data files: the last keys of a path, joined by dots. [] after
	// a key stands for the elements of its list. A ? at the end has the same meaning as in Calls.
	Keys []string
	// Fences are the languages of code blocks that hold selectors, one per line.
	Fences []string
	// Imports are modules, by their path or a part of it, that count as modules of PACT: what their
	// functions return is what selectors are run on.
	Imports []string
	// OnlyWith restricts Calls, Positions, Targets and Keys, whose names are common, to files with
	// a word that begins with one of these. If it is empty, they count everywhere.
	OnlyWith []string
}

// DefaultPatterns returns the patterns that apply when nothing is configured, for a caller to
// extend or to show.
func DefaultPatterns() Patterns {
	return Patterns{
		Calls: []string{
			"*.select(1, selector)?", "*.Select(1, 2)?", "*.SelectRange(2)?", "*.diff(3, selector)?", "*.Diff(4)?",
		},
		Positions: []string{"ctx.insert(1, position)?", "ctx.Insert(1, 2)?", "ctx.move(2, position)?", "ctx.Move(3)?"},
		Targets: []string{
			"ctx.replace(1, selector)?", "ctx.move(1, selector)?", "ctx.delete(1, selector)?",
			"ctx.Replace(1, 2)?", "ctx.Move(1, 2)?", "ctx.Delete(1, 2)?",
		},
		Tags:     []string{"pact"},
		Comments: []string{"pact", "language=pact"},
		Keys:     []string{"selector?", "selectors[]?"},
		Fences:   []string{"pact", "pactsel"},
		OnlyWith: []string{"pact"},
	}
}

// Markers are compiled patterns. They are immutable.
type Markers struct {
	calls    map[string][]callPattern // by name
	tags     map[string]bool
	comments [][]string // their words
	keys     []keyPattern
	fences   map[string]bool
	imports  [][]string // their parts
	onlyWith []string
	needles  []string // one of them occurs in every program with a marker

	suites     *Markers // for suites
	inSuite    bool
	inDocument bool // the caller of Find grades the regions, with the other blocks of a document
}

// callPattern is a call, and what its arguments hold.
type callPattern struct {
	receiver []string // the names before the name, nearest last; nil for none, ["*"] for any
	numbers  []int    // from 1
	names    []string
	form     Form
	untyped  bool
	anywhere bool // with any receiver, or none
	// optional and likely are those of a claim.
	optional, likely bool
}

// keyPattern is the end of a path in a data file. An element of a list is the step "[]".
type keyPattern struct {
	path    []string
	untyped bool
}

// defaultMarkers returns [DefaultPatterns], compiled.
var defaultMarkers = sync.OnceValue(func() *Markers {
	m, _ := NewMarkers(DefaultPatterns()) // a test checks that they are valid
	return m
})

// NewMarkers compiles patterns. The error names the first malformed one.
func NewMarkers(p Patterns) (*Markers, error) {
	m := &Markers{calls: map[string][]callPattern{}, tags: map[string]bool{}, fences: map[string]bool{}}
	for _, list := range []struct {
		patterns []string
		form     Form
	}{{p.Calls, Selector}, {p.Positions, Position}, {p.Targets, Target}} {
		for _, text := range list.patterns {
			name, call, err := parseCall(text)
			if err != nil {
				return nil, err
			}
			call.form = list.form
			m.calls[name] = append(m.calls[name], call)
			m.needles = append(m.needles, name)
		}
	}
	for _, text := range p.Tags {
		if !isName(text) {
			return nil, fmt.Errorf("%q is not a tag: write one name, such as %q", text, "pact")
		}
		m.tags[text] = true
		m.needles = append(m.needles, text)
	}
	for _, text := range p.Comments {
		words := strings.Fields(text)
		if len(words) == 0 || strings.ContainsAny(text, "*/#") {
			return nil, fmt.Errorf("%q is not the text of a comment: write it without its signs, such as %q", text, "language=pact")
		}
		m.comments = append(m.comments, words)
		m.needles = append(m.needles, words[0])
	}
	for _, text := range p.Keys {
		k, err := parseKey(text)
		if err != nil {
			return nil, err
		}
		m.keys = append(m.keys, k)
	}
	for _, text := range p.Fences {
		if text == "" || strings.ContainsAny(text, " \t`~{}") {
			return nil, fmt.Errorf("%q is not the language of a code block", text)
		}
		m.fences[strings.ToLower(text)] = true
	}
	for _, text := range p.Imports {
		parts := moduleParts(text)
		if len(parts) == 0 || strings.ContainsAny(text, " \t\"'") {
			return nil, fmt.Errorf("%q is not a module: write its path or a part of it, such as %q", text, "pactkit")
		}
		m.imports = append(m.imports, parts)
	}
	for _, word := range p.OnlyWith {
		if !isName(word) {
			return nil, fmt.Errorf("%q is not a word", word)
		}
		m.onlyWith = append(m.onlyWith, word, strings.ToUpper(word[:1])+word[1:], strings.ToUpper(word))
	}
	if len(m.onlyWith) > 0 {
		for _, parts := range m.imports {
			name := parts[len(parts)-1]
			if !slices.ContainsFunc(m.onlyWith, func(w string) bool { return strings.HasPrefix(name, w) }) {
				m.onlyWith = append(m.onlyWith, name) // an import counts as the word
			}
		}
	}
	m.suites = &Markers{keys: []keyPattern{{path: []string{"selector"}}}, comments: m.comments, inSuite: true}
	m.needles = slices.Compact(slices.Sorted(slices.Values(m.needles)))
	return m, nil
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// parseCall reads a pattern of a call and returns the name of what is called.
func parseCall(text string) (string, callPattern, error) {
	bad := func(why string) (string, callPattern, error) {
		return "", callPattern{}, fmt.Errorf("%q is not a call: %s, such as %q", text, why, "ctx.select(1, selector)")
	}
	var c callPattern
	pattern, untyped := strings.CutSuffix(strings.TrimSpace(text), "?")
	c.untyped = untyped
	path, list, given := strings.Cut(pattern, "(")
	if !given {
		c.numbers = []int{1}
	} else if inner, closed := strings.CutSuffix(list, ")"); !closed {
		return bad("the parenthesis is not closed")
	} else {
		for arg := range strings.SplitSeq(inner, ",") {
			arg = strings.TrimSpace(arg)
			if n, err := strconv.Atoi(arg); err == nil && n > 0 && n < 100 {
				c.numbers = append(c.numbers, n)
			} else if isName(arg) {
				c.names = append(c.names, arg)
			} else {
				return bad("an argument is a number from 1 or a name")
			}
		}
	}
	parts := strings.Split(path, ".")
	name := parts[len(parts)-1]
	c.receiver = parts[:len(parts)-1]
	for i, part := range parts {
		if !isName(part) && (part != "*" || i > 0 || len(parts) != 2) {
			return bad("write NAME, RECEIVER.NAME or *.NAME")
		}
	}
	return name, c, nil
}

func parseKey(text string) (keyPattern, error) {
	var k keyPattern
	pattern, untyped := strings.CutSuffix(text, "?")
	k.untyped = untyped
	for part := range strings.SplitSeq(pattern, ".") {
		part, isList := strings.CutSuffix(part, "[]")
		if part == "" || strings.ContainsAny(part, "[] \t\n\"'") {
			return keyPattern{}, fmt.Errorf("%q is not a key path: write keys joined by dots, with [] after one that holds a list, such as %q", text, "queries.selectors[]")
		}
		k.path = append(k.path, part)
		if isList {
			k.path = append(k.path, "[]")
		}
	}
	return k, nil
}

// matches reports whether a path in a data file ends in the pattern.
func (k keyPattern) matches(path []string) bool {
	return len(path) >= len(k.path) && slices.Equal(path[len(path)-len(k.path):], k.path)
}

// matchKey reports whether a marker names the value at a path, and whether only untyped markers do.
func (m *Markers) matchKey(path []string) (match, untyped bool) {
	for _, k := range m.keys {
		if k.matches(path) {
			match = true
			if !k.untyped {
				return true, false
			}
		}
	}
	return match, match
}

// inContext reports whether the patterns that depend on OnlyWith apply to the file.
func (m *Markers) inContext(src string) bool {
	return len(m.onlyWith) == 0 || slices.ContainsFunc(m.onlyWith, func(w string) bool { return hasWordStart(src, w) })
}

// hasWordStart reports whether a word of the source starts with w, as "pactkit" and "@pact/core"
// start with "pact" and "impact" does not.
func hasWordStart(src, w string) bool {
	for from := 0; ; {
		i := strings.Index(src[from:], w)
		if i < 0 {
			return false
		}
		at := from + i
		if at == 0 || !isWordByte(src[at-1]) || src[at-1] == '_' || src[at-1] == '$' ||
			w[0] >= 'A' && w[0] <= 'Z' && src[at-1] >= 'a' && src[at-1] <= 'z' {
			return true
		}
		from = at + 1
	}
}

// marksComment reports whether the text of a comment, including its signs, marks the string after
// it.
func (m *Markers) marksComment(text string) bool {
	text = strings.TrimLeft(text, "/*#-! \t\r\n")
	text = strings.TrimSuffix(strings.TrimRight(text, " \t\r\n"), "*/")
	words := strings.Fields(text)
	return slices.ContainsFunc(m.comments, func(c []string) bool { return slices.Equal(c, words) })
}

// mayMark reports whether anything in a program can be marked, by a search for the bytes of the
// markers, and whether calls mark strings in it.
func (m *Markers) mayMark(src string) (may, inContext bool) {
	if m.inContext(src) {
		return slices.ContainsFunc(m.needles, func(n string) bool { return strings.Contains(src, n) }), true
	}
	for tag := range m.tags {
		if hasWordStart(src, tag) {
			return true, false
		}
	}
	return m.mayHoldComments(src), false
}

func (m *Markers) mayHoldComments(src string) bool {
	return slices.ContainsFunc(m.comments, func(words []string) bool { return hasWordStart(src, words[0]) })
}

// mayHoldKeys reports whether a marked key can occur in a data file.
func (m *Markers) mayHoldKeys(src string) bool {
	return m.inContext(src) && slices.ContainsFunc(m.keys, func(k keyPattern) bool {
		name := k.path[len(k.path)-1]
		if name == "[]" {
			name = k.path[len(k.path)-2]
		}
		return strings.Contains(src, name) || strings.Contains(src, `\u`) // a key may be escaped
	})
}

// mayHoldFences reports whether a document can hold a code block with selectors.
func (m *Markers) mayHoldFences(src string) bool {
	for f := range m.fences {
		if strings.Contains(src, f) || strings.Contains(src, strings.ToUpper(f[:1])+f[1:]) || strings.Contains(src, strings.ToUpper(f)) {
			return true
		}
	}
	return false
}

// bareWord is a marker that is also a common word.
const bareWord = "pact"

// commentClaim returns the claim of a comment that marks a string.
func commentClaim(text string) claim {
	c := marked(ByComment)
	c.bare = strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(text, "/*#-! \t\r\n"), "*/")) == bareWord
	return c
}

// keyClaim returns the claim of a key.
func keyClaim(untyped bool) claim {
	if untyped {
		return claim{untyped: true, proof: NoImport, callee: -1}
	}
	return marked(ByPattern)
}

// everywhere returns the same markers without OnlyWith.
func (m *Markers) everywhere() *Markers {
	if len(m.onlyWith) == 0 {
		return m
	}
	all := *m
	all.onlyWith = nil
	return &all
}
