package lint

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
)

// Keeps returns which selectors of a source the formatter has to leave as they are: those in which it would correct what
// a comment silences. Outside reports the rules that a comment outside the source silences in all of it; it may be nil.
// The result is nil when there is nothing to leave, as in a source without directives, which costs a search for them.
func Keeps(src string, o Options, f format.Options, outside func(*Rule) bool) func(ast.Span) bool {
	if outside == nil && !strings.Contains(src, marker) {
		return nil
	}
	o.Level, f.Keep = nil, nil
	c := checker{src: src, opts: o}
	c.read()
	for i := range c.selectors {
		if s := &c.selectors[i]; !s.Bad {
			c.selector(s)
		}
	}
	sortFindings(c.found)
	sup := NewSuppressions(c.comments)
	silenced := func(r *Rule, at ast.Span) bool { return sup.Covers(r, at) || outside != nil && outside(r) }
	kept := map[ast.Span]bool{}
	found := c.found
	for _, s := range c.selectors {
		own := map[*Rule]int{}
		n := 0
		for ; n < len(found) && found[n].Span.Start <= s.End; n++ {
			if silenced(found[n].Rule, found[n].Span) {
				own[found[n].Rule]++
			}
		}
		found = found[n:]
		if s.Bad {
			continue
		}
		if silenced(byID["style/format"], s.Span) || len(own) > 0 && corrects(s.Query, o, f, own) {
			kept[s.Span] = true
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return func(at ast.Span) bool { return kept[at] }
}

// corrects reports whether formatting a selector takes away findings; own counts those it has, by rule.
func corrects(q *ast.Query, o Options, f format.Options, own map[*Rule]int) bool {
	o.One = true
	c := checker{src: format.Node(q, f), opts: o}
	c.read()
	if s := &c.selectors[0]; !s.Bad {
		c.selector(s)
	}
	for _, found := range c.found {
		own[found.Rule]--
	}
	for _, n := range own {
		if n > 0 {
			return true
		}
	}
	return false
}
