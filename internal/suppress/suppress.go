// Package suppress reads the directives in comments, and tells which findings they silence.
package suppress

import (
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/names"
)

// Comment is a comment that may hold a directive, of a selector file or of another host.
type Comment struct {
	ast.Span
	Text   string
	Covers ast.Span // the part of the source that a directive of the comment is about
}

// The directives, each after [Marker].
const (
	ignoreHere = "ignore"      // RULE[, RULE] -- reason
	ignoreFile = "ignore-file" // RULE[, RULE] -- reason
	skipFormat = "fmt-skip"    // the formatter leaves the selector as it is
)

// Marker begins every directive.
const Marker = "pactkit:"

// SkipFormat is the directive that excludes a selector from formatting.
const SkipFormat = Marker + skipFormat

// All is the name that stands for every rule.
const All = "all"

// directive is one that was found in a comment.
type directive struct {
	word   string
	names  []name
	reason string
	covers ast.Span
	at     ast.Span
}

// name is a rule, a category or all, as written in a directive.
type name struct {
	text   string
	at     ast.Span
	effect *effect // nil for a directive that is not meant to silence anything
}

// effect combines all directives with one name for one part of a source.
type effect struct {
	covers ast.Span
	reason string // the first one in the source
	by     int    // the directive that gives it
	used   bool
}

// Suppressions are the directives of a source. They record which of them silenced something, and
// are not safe for concurrent use.
type Suppressions struct {
	directives []directive
	effects    map[string]*effects // by the name in the directive
}

// effects are those of one name. Queries are cheapest in the order of the spans' positions; any
// other order is correct as well.
type effects struct {
	all  []*effect // by the start of what they cover
	next int       // of all, the first that begins after at
	open []*effect // of those before next, the ones that reach at
	at   int
}

// covering returns the effects that cover a part of the source.
func (e *effects) covering(at ast.Span) []*effect {
	if at.Start < e.at {
		e.next, e.open = 0, nil
	}
	e.at = at.Start
	for ; e.next < len(e.all) && e.all[e.next].covers.Start <= e.at; e.next++ {
		e.open = append(e.open, e.all[e.next])
	}
	e.open = slices.DeleteFunc(e.open, func(x *effect) bool { return x.covers.End < e.at })
	var out []*effect
	for _, x := range e.open {
		if x.covers.Contains(at) {
			out = append(out, x)
		}
	}
	return out
}

// Read reads the directives of comments.
func Read(comments []Comment) *Suppressions {
	s := &Suppressions{effects: map[string]*effects{}}
	type key struct {
		name   string
		covers ast.Span
	}
	known := map[key]*effect{}
	for _, c := range comments {
		d, ok := parseDirective(c)
		if !ok {
			continue
		}
		covers := d.covers
		if d.word == ignoreFile {
			covers = ast.Span{Start: 0, End: math.MaxInt}
		}
		for i := range d.names {
			if d.word != ignoreFile && d.word != ignoreHere {
				break
			}
			k := key{d.names[i].text, covers}
			e := known[k]
			if e == nil {
				e = &effect{covers: covers}
				known[k] = e
				if s.effects[k.name] == nil {
					s.effects[k.name] = &effects{}
				}
				s.effects[k.name].all = append(s.effects[k.name].all, e)
			}
			if e.reason == "" {
				e.reason, e.by = d.reason, len(s.directives)
			}
			d.names[i].effect = e
		}
		s.directives = append(s.directives, d)
	}
	for _, e := range s.effects {
		slices.SortFunc(e.all, func(a, b *effect) int { return a.covers.Start - b.covers.Start })
	}
	return s
}

// SkipsFormat reports whether the text of a comment excludes the comment's subject from formatting.
func SkipsFormat(text string) bool {
	d, ok := parseDirective(Comment{Text: text})
	return ok && d.word == skipFormat
}

// Silences reports whether a finding of a rule is suppressed, and the given reason, the first of
// several. It is cheapest in the order of the findings' positions.
func (s *Suppressions) Silences(rule string, at ast.Span) (reason string, ok bool) {
	by := -1
	for _, x := range s.covering(rule, at) {
		x.used, ok = true, true
		if x.reason != "" && (by < 0 || x.by < by) {
			reason, by = x.reason, x.by
		}
	}
	return reason, ok
}

// Covers reports whether a directive silences a rule in a part of the source. Unlike
// [Suppressions.Silences] it does not count as a use of the directive.
func (s *Suppressions) Covers(rule string, at ast.Span) bool { return len(s.covering(rule, at)) > 0 }

// covering returns the effects on a rule, under each of its names, that cover a part of the source.
func (s *Suppressions) covering(rule string, at ast.Span) []*effect {
	if len(s.effects) == 0 {
		return nil
	}
	category, _, _ := strings.Cut(rule, "/")
	var out []*effect
	for _, name := range []string{rule, category, All} {
		if e := s.effects[name]; e != nil {
			out = append(out, e.covering(at)...)
		}
	}
	return out
}

// Rules is what [Suppressions.Judge] needs to know about rules.
type Rules struct {
	Names   func() iter.Seq[string] // every id and category, and "all"
	Applied func(name string) bool  // whether all rules that a name stands for were applied
}

// Problem is a mistake in a directive.
type Problem struct {
	Rule string // the rule that reports it: suppress/…
	ast.Span
	Message, Hint string
}

// Judge returns the mistakes in the directives themselves: an unknown rule, a name that silenced
// nothing, a missing reason. Call it after all queries about findings. A rule that was not applied
// is not reported as unused.
func (s *Suppressions) Judge(rules Rules) []Problem {
	j := judge{rules: rules}
	for i := range s.directives {
		j.directive(&s.directives[i])
	}
	return j.problems
}

type judge struct {
	rules    Rules
	problems []Problem
}

func (j *judge) report(rule string, at ast.Span, message, hint string) {
	j.problems = append(j.problems, Problem{Rule: rule, Span: at, Message: message, Hint: hint})
}

func (j *judge) directive(d *directive) {
	const unknown, unused = "suppress/unknown-rule", "suppress/unused"
	switch d.word {
	case skipFormat:
		return
	case ignoreHere, ignoreFile:
	default:
		hint := "the directives are `pactkit:ignore`, `pactkit:ignore-file` and `pactkit:fmt-skip`"
		j.report(unknown, d.at, "there is no directive `"+Marker+d.word+"`", hint)
		return
	}
	if len(d.names) == 0 {
		j.report(unknown, d.at, "`"+Marker+d.word+"` names no rule", "name one, as in `"+Marker+d.word+" correctness/limit-zero -- why`")
		return
	}
	for _, n := range d.names {
		switch {
		case !j.isKnown(n.text):
			hint := ""
			if near := names.Nearest(n.text, j.rules.Names()); near != "" {
				hint = "did you mean `" + near + "`?"
			}
			j.report(unknown, n.at, "there is no rule `"+n.text+"`", hint)
		case !n.effect.used && j.rules.Applied(n.text):
			j.report(unused, n.at, "`"+n.text+"` finds nothing here", "remove it")
		}
	}
	if d.reason == "" {
		hint := "write the reason after `--`, as in `" + Marker + d.word + " " + d.names[0].text + " -- why`"
		j.report("suppress/missing-reason", d.at, "a suppression needs a reason", hint)
	}
}

func (j *judge) isKnown(name string) bool {
	for n := range j.rules.Names() {
		if n == name {
			return true
		}
	}
	return false
}

// parseDirective reads the directive of a comment; false when it has none.
func parseDirective(c Comment) (directive, bool) {
	at := strings.Index(c.Text, Marker)
	if at < 0 || strings.Trim(c.Text[:at], "#/*<!-; \t\r\n") != "" { // prose that mentions one
		return directive{}, false
	}
	word, rest := cutWord(c.Text[at+len(Marker):])
	d := directive{word: word, covers: c.Covers, at: c.Span}
	rest, _, _ = strings.Cut(rest, "\n") // other lines of the comment are prose
	list, reason, _ := strings.Cut(rest, "--")
	reason = strings.TrimSuffix(strings.TrimSpace(reason), "*/")
	reason = strings.TrimSuffix(strings.TrimSpace(reason), "-->")
	d.reason = strings.TrimSpace(reason)
	start := c.Start + at + len(Marker) + len(word)
	for i := 0; i < len(list); {
		n := strings.IndexAny(list[i:], ", \t")
		if n < 0 {
			n = len(list) - i
		}
		if text := list[i : i+n]; text != "" && text != "*/" {
			d.names = append(d.names, name{text: text, at: ast.Span{Start: start + i, End: start + i + n}})
		}
		i += n + 1
	}
	return d, true
}

// cutWord cuts the word of a directive off.
func cutWord(s string) (word, rest string) {
	i := strings.IndexFunc(s, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') })
	if i < 0 {
		i = len(s)
	}
	return s[:i], s[i:]
}

// InFile lists the comments of a selector file with the selectors that they precede or follow.
func InFile(f *ast.File) []Comment {
	var out []Comment
	add := func(c *ast.Comment, covers ast.Span) {
		out = append(out, Comment{Span: c.Span, Text: c.Text, Covers: covers})
	}
	for _, s := range f.Selectors {
		for _, c := range s.Before {
			add(c, s.Span)
		}
		for _, c := range s.Inside {
			add(c, s.Span)
		}
		if s.Suffix != nil {
			add(s.Suffix, s.Span)
		}
	}
	for _, c := range f.After {
		add(c, ast.Span{})
	}
	return out
}
