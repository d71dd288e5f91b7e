package lint_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/lint"
)

// words has the words that the trees of the examples are known to have.
var words = map[lint.WordKind][]string{
	lint.TypeWord:      {"summary", "item", "note", "log.entry", "custom:note"},
	lint.TagWord:       {"user", "tool", "assistant", "audit", "draft", "b", "c"},
	lint.KeyWord:       {"summary", "hero banner"},
	lint.AttributeWord: {"status"},
	lint.IDWord:        {"turn-7", "cb:u1"},
}

type knownWords struct{}

func (knownWords) Known(kind lint.WordKind, name string) (known, sure bool) {
	return slices.Contains(words[kind], name), kind != lint.ControlWord
}

func (knownWords) Near(kind lint.WordKind, name string) string {
	for _, w := range words[kind] {
		if len(w) == len(name)+1 && w[0] == name[0] && w[len(w)-1] == name[len(name)-1] {
			return w
		}
	}
	return ""
}

func (knownWords) Match(context.Context, *ast.Query, string) (lint.Matches, bool) {
	return lint.Matches{}, false
}

var (
	idForm      = regexp.MustCompile(`^(syntax|correctness|legacy|style|performance|embed|suppress|dialect|docs)/[a-z0-9]+(-[a-z0-9]+)*$`)
	elsewhere   = []string{"embed/", "docs/", "style/format"} // not found by Check
	needsMatch  = []string{"correctness/matches-nothing", "correctness/matches-everything", "style/same-selection"}
	needsTarget = []string{"correctness/wildcard-mutation"}
)

// TestRules checks the table and runs the examples of every page.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for r := range lint.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			if !idForm.MatchString(r.ID) || seen[r.ID] {
				t.Error("the ID is malformed or not unique")
			}
			seen[r.ID] = true
			if lint.Lookup(r.ID) != r {
				t.Error("Lookup does not find it")
			}
			p := r.Page()
			if !strings.HasPrefix(p.Text, "# "+r.ID+"\n") || !strings.HasSuffix(p.Summary, ".") {
				t.Errorf("the page, lint/%s.md, begins with %.60q; it begins with the line \"# %s\" and a paragraph that is one sentence", strings.ReplaceAll(r.Name(), "-", "_"), p.Text, r.ID)
			}
			if fixes := strings.Contains(p.Text, "## Fix safety"); fixes != (r.Fix != lint.NoFix) && !strings.HasPrefix(r.ID, "syntax/") {
				t.Errorf("the page has a part \"## Fix safety\": %t; the rule has fixes: %t", fixes, r.Fix != lint.NoFix)
			}
			if slices.ContainsFunc(elsewhere, func(c string) bool { return strings.HasPrefix(r.ID, c) }) || slices.Contains(needsMatch, r.ID) {
				return
			}
			if len(p.Bad) == 0 && !strings.HasPrefix(r.ID, "syntax/") {
				t.Error("the page has no code block below \"## Bad\"")
			}
			examples(t, r, p)
		})
	}
}

func ruleOptions(r *lint.Rule) lint.Options {
	level := func(other *lint.Rule) lint.Level {
		if other == r {
			return max(other.Level, lint.Info)
		}
		return other.Level
	}
	return lint.Options{Facts: knownWords{}, Mutation: slices.Contains(needsTarget, r.ID), Level: level}
}

func finds(r *lint.Rule, found []lint.Finding) []lint.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f lint.Finding) bool { return f.Rule != r })
}

func examples(t *testing.T, r *lint.Rule, p lint.Page) {
	o := ruleOptions(r)
	for i, src := range p.Bad {
		found := finds(r, lint.Check(t.Context(), src, o).Findings)
		if len(found) == 0 {
			t.Errorf("nothing found in %q", src)
			continue
		}
		fixable, safe := len(found[0].Fixes) > 0, len(found[0].Fixes) > 0 && found[0].Fixes[0].Safe
		switch r.Fix {
		case lint.NoFix:
			if fixable {
				t.Errorf("%q has a fix", src)
			}
		case lint.SafeFix, lint.UnsafeFix:
			if !fixable || safe != (r.Fix == lint.SafeFix) {
				t.Errorf("%q: fixable %t, safe %t", src, fixable, safe)
			}
		}
		if !fixable || i >= len(p.Good) {
			continue
		}
		only := o
		only.Level = func(other *lint.Rule) lint.Level {
			if other == r || strings.HasPrefix(other.ID, "syntax/") {
				return other.Level
			}
			return lint.Off
		}
		fixed := lint.Fix(t.Context(), src, only, true).Text
		if strings.HasPrefix(r.ID, "legacy/") { // the table of forms shows the change, not the spelling
			fixed, p.Good[i] = format.Source(fixed, format.Options{}).Text, format.Source(p.Good[i], format.Options{}).Text
		}
		if fixed != p.Good[i] {
			t.Errorf("%q becomes %q, the page says %q", src, fixed, p.Good[i])
		}
	}
	for _, src := range p.Good {
		for _, f := range lint.Check(t.Context(), src, o).Findings {
			t.Errorf("%q: %s: %s", src, f.Rule.ID, f.Message)
		}
	}
}
