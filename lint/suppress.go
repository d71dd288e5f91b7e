package lint

import (
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/nearest"
)

// Comment is a comment that may hold a directive, of a selector file or of another host.
type Comment struct {
	ast.Span
	Text   string
	Covers ast.Span // what it stands beside: the selector above which or behind which it was written
}

// The directives, each behind "pactkit:".
const (
	ignoreHere = "ignore"      // RULE[, RULE] -- reason
	ignoreFile = "ignore-file" // RULE[, RULE] -- reason
)

// skipFormat is the word of the directive that the formatter reads.
var skipFormat = strings.TrimPrefix(format.SkipDirective, marker)

const marker = "pactkit:"

// directive is one that was found in a comment.
type directive struct {
	word   string
	rules  []ref
	reason string
	covers ast.Span
	at     ast.Span
}

// ref names a rule.
type ref struct {
	id     string
	at     ast.Span
	effect *effect // nil for a directive that silences nothing by its word
}

// effect is what all directives do together that give one name, for one part of a source.
type effect struct {
	covers ast.Span
	reason string // the first that is given
	by     int    // the directive that gives it
	used   bool
}

// Suppressions are the directives of a source. They remember what they silenced, and belong to one goroutine.
type Suppressions struct {
	directives []directive
	effects    map[string]*effects // by the name a directive gives: of a rule, a category, or all
}

// effects are those of one name. They are asked about findings in the order of their places, which costs no more than
// what covers the place; any other order is right as well.
type effects struct {
	all  []*effect // by where what they cover begins
	next int       // of all, the first that begins behind at
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

// NewSuppressions reads the directives of comments.
func NewSuppressions(comments []Comment) *Suppressions {
	s := &Suppressions{effects: map[string]*effects{}}
	type key struct {
		id     string
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
		for i := range d.rules {
			if d.word != ignoreFile && d.word != ignoreHere {
				break
			}
			k := key{d.rules[i].id, covers}
			e := known[k]
			if e == nil {
				e = &effect{covers: covers}
				known[k] = e
				if s.effects[k.id] == nil {
					s.effects[k.id] = &effects{}
				}
				s.effects[k.id].all = append(s.effects[k.id].all, e)
			}
			if e.reason == "" {
				e.reason, e.by = d.reason, len(s.directives)
			}
			d.rules[i].effect = e
		}
		s.directives = append(s.directives, d)
	}
	for _, e := range s.effects {
		slices.SortFunc(e.all, func(a, b *effect) int { return a.covers.Start - b.covers.Start })
	}
	return s
}

// SkipsFormat tells whether the text of a comment asks the formatter to leave what it stands beside alone.
func SkipsFormat(text string) bool {
	d, ok := parseDirective(Comment{Text: text})
	return ok && d.word == skipFormat
}

// Silences reports whether a finding is suppressed, and the reason that is given: the first of several. It costs least
// when it is asked in the order of the findings' positions.
func (s *Suppressions) Silences(f Finding) (reason string, ok bool) {
	by := -1
	for _, x := range s.covering(f.Rule, f.Span) {
		x.used, ok = true, true
		if x.reason != "" && (by < 0 || x.by < by) {
			reason, by = x.reason, x.by
		}
	}
	return reason, ok
}

// Covers reports whether a directive silences a rule in a part of the source. Unlike [Suppressions.Silences] it does
// not count as a use of the directive.
func (s *Suppressions) Covers(r *Rule, at ast.Span) bool { return len(s.covering(r, at)) > 0 }

// covering returns the effects on a rule, under each of its names, that cover a part of the source.
func (s *Suppressions) covering(r *Rule, at ast.Span) []*effect {
	if len(s.effects) == 0 {
		return nil
	}
	var out []*effect
	for _, name := range []string{r.ID, r.Category(), allRules} {
		if e := s.effects[name]; e != nil {
			out = append(out, e.covering(at)...)
		}
	}
	return out
}

// Judge returns what is wrong with the comments themselves, once all findings were asked about: a rule that does
// not exist, one that had nothing to silence, a reason that is missing. A rule that was not applied is not held to be unused.
func (s *Suppressions) Judge(level func(*Rule) Level) []Finding {
	var out []Finding
	for _, d := range s.directives {
		applied := func(name string) bool {
			return !slices.ContainsFunc(Named(name), func(r *Rule) bool { return r.verb || levelOf(r, level) == Off })
		}
		d.judge(applied, func(id string, at ast.Span, message, hint string) {
			if f, ok := Found(byID[id], diag.Diagnostic{Span: at, Message: message, Hint: hint}, level); ok {
				out = append(out, f)
			}
		})
	}
	return out
}

// judge reports what is wrong with the directive. Applied tells whether all rules of a name were applied.
func (d *directive) judge(applied func(id string) bool, report func(id string, at ast.Span, message, hint string)) {
	switch d.word {
	case skipFormat:
		return
	case ignoreHere, ignoreFile:
	default:
		hint := "the directives are `pactkit:ignore`, `pactkit:ignore-file` and `pactkit:fmt-skip`"
		report("suppress/unknown-rule", d.at, "`"+marker+d.word+"` is no directive", hint)
		return
	}
	if len(d.rules) == 0 {
		report("suppress/unknown-rule", d.at, "`"+marker+d.word+"` names no rule", "name one, as in `"+marker+d.word+" correctness/limit-zero -- why`")
		return
	}
	for _, r := range d.rules {
		switch {
		case len(Named(r.id)) == 0:
			hint := ""
			if near := nearest.Word(r.id, Names()); near != "" {
				hint = "did you mean `" + near + "`?"
			}
			report("suppress/unknown-rule", r.at, "there is no rule `"+r.id+"`", hint)
		case !r.effect.used && applied(r.id):
			report("suppress/unused", r.at, "`"+r.id+"` finds nothing here", "remove it")
		}
	}
	if d.reason == "" {
		report("suppress/missing-reason", d.at, "a suppression says why", "write the reason behind `--`, as in `"+marker+d.word+" "+d.rules[0].id+" -- why`")
	}
}

// parseDirective reads the directive of a comment; false when it has none.
func parseDirective(c Comment) (directive, bool) {
	at := strings.Index(c.Text, marker)
	if at < 0 || strings.Trim(c.Text[:at], "#/*<!-; \t\r\n") != "" { // prose that mentions one
		return directive{}, false
	}
	rest := c.Text[at+len(marker):]
	word, rest := cutWord(rest)
	d := directive{word: word, covers: c.Covers}
	d.at = ast.Span{Start: c.Start, End: c.End}
	rest, _, _ = strings.Cut(rest, "\n") // a comment may go on with other things
	list, reason, _ := strings.Cut(rest, "--")
	reason = strings.TrimSuffix(strings.TrimSpace(reason), "*/")
	reason = strings.TrimSuffix(strings.TrimSpace(reason), "-->")
	d.reason = strings.TrimSpace(reason)
	start := c.Start + at + len(marker) + len(word)
	for i := 0; i < len(list); {
		n := strings.IndexAny(list[i:], ", \t")
		if n < 0 {
			n = len(list) - i
		}
		if id := list[i : i+n]; id != "" && id != "*/" {
			d.rules = append(d.rules, ref{id: id, at: ast.Span{Start: start + i, End: start + i + n}})
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

// fileComments lists the comments of a selector file with what they stand beside.
func fileComments(f *ast.File) []Comment {
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
