package lint

import (
	"iter"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/suppress"
)

// rules is the table: one line per rule, by category. Rules of the parser come from its own tables
// of codes and of legacy forms.
var rules = concat(
	codeRules(),
	[]*Rule{
		{ID: "correctness/contradictory-filters", Level: Error, selector: contradictoryFilters},
		{ID: "correctness/covered-fragment", Level: Warning, Fix: SafeFix, selector: coveredFragment},
		{ID: "correctness/generated-id", Level: Warning, selector: generatedID},
		{ID: "correctness/id-or-key", Level: Warning, Fix: SomeFix, selector: idOrKey},
		{ID: "correctness/idle-control", Level: Warning, Fix: SafeFix, selector: idleControl},
		{ID: "correctness/impossible-step", Level: Error, selector: impossibleStep},
		{ID: "correctness/limit-zero", Level: Warning, selector: limitZero},
		{ID: "correctness/matches-everything", Level: Warning, source: matchesEverything},
		{ID: "correctness/matches-nothing", Level: Warning, source: matchesNothing},
		{ID: "correctness/null-order", Level: Error, selector: nullOrder},
		{ID: "correctness/one-snapshot", Level: Warning, selector: oneSnapshot},
		{ID: "correctness/positional-before-filter", Level: Warning, Fix: UnsafeFix, selector: positionalBeforeFilter},
		{ID: "correctness/unknown-attribute", Level: Warning, Fix: SomeFix, selector: unknownAttribute},
		{ID: "correctness/unknown-control", Level: Info, Fix: SomeFix, selector: unknownControl},
		{ID: "correctness/unknown-key", Level: Warning, Fix: SomeFix, selector: unknownKey},
		{ID: "correctness/unknown-tag", Level: Warning, Fix: SomeFix, selector: unknownTag},
		{ID: "correctness/unknown-type", Level: Warning, Fix: SomeFix, selector: unknownType},
		{ID: "correctness/value-type", Level: Error, selector: valueType},
		{ID: "correctness/wildcard-mutation", Level: Error, selector: wildcardMutation},
	},
	legacyRules(),
	[]*Rule{
		{ID: "style/behavior-braces", Level: Warning, Fix: SafeFix, selector: behaviorBraces},
		{ID: "style/duplicate-filters", Level: Warning, Fix: SafeFix, selector: duplicateFilters},
		{ID: formatRule, Level: Warning, Fix: SafeFix, OnDemand: true},
		{ID: "style/plain-regex", Level: Info, Fix: UnsafeFix, selector: plainRegex},
		{ID: "style/redundant-root", Level: Info, Fix: SafeFix, selector: redundantRoot},
		{ID: "style/same-selection", Level: Info, source: sameSelection},
		{ID: "performance/broad-history", Level: Warning, selector: broadHistory},
		{ID: "embed/dynamic", Level: Info},
		{ID: "embed/unproven", Level: Info},
		{ID: "embed/unreadable", Level: Error},
		{ID: "embed/unwritable", Level: Info, OnDemand: true},
		{ID: "suppress/missing-reason", Level: Warning},
		{ID: "suppress/unknown-rule", Level: Warning},
		{ID: "suppress/unused", Level: Warning},
		{ID: "dialect/egregore", selector: egregore},
		{ID: "docs/css-heading", Level: Warning},
		{ID: "docs/mutable-head", Level: Warning},
	},
)

var (
	byID   = index(rules)
	byCode = indexCodes()
)

// Rules yields every rule in order of presentation: the rules of the linter, and then more, the
// rules of a project.
func Rules(more ...*Rule) iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for _, list := range [][]*Rule{rules, more} {
			for _, r := range list {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Lookup returns the rule with an ID among the rules of the linter and more, or nil.
func Lookup(id string, more ...*Rule) *Rule {
	if i := slices.IndexFunc(more, func(r *Rule) bool { return r.ID == id }); i >= 0 {
		return more[i]
	}
	return byID[id]
}

// Named returns the rules of the linter and of more that a pattern names. A pattern is the ID of a
// rule, a category, or "all". For any other pattern, Named returns nil.
func Named(pattern string, more ...*Rule) []*Rule {
	var out []*Rule
	for r := range Rules(more...) {
		if pattern == suppress.All || pattern == r.ID || pattern == r.Category() {
			out = append(out, r)
		}
	}
	return out
}

// Names yields the patterns of [Named]: "all", the categories, and every ID.
func Names(more ...*Rule) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(suppress.All) {
			return
		}
		category := ""
		for r := range Rules(more...) {
			if r.Category() != category {
				category = r.Category()
				if !yield(category) {
					return
				}
			}
			if !yield(r.ID) {
				return
			}
		}
	}
}

// codeRules makes a rule of every code that the parser reports.
func codeRules() []*Rule {
	var out []*Rule
	for c := range diag.Codes() {
		switch c.Code {
		case diag.SelectorLegacy: // a rule for each form
		case diag.SelectorCardinality, diag.RangeLimit, diag.SnapshotUnknown: // found by an evaluation only
		default:
			id := codeID(c.Code)
			out = append(out, &Rule{ID: id, Level: Error, Fix: SomeFix, page: codePage(id, c)})
		}
	}
	return out
}

// codeID is the ID of the rule for a code: syntax/depth-negative for E_DEPTH_NEGATIVE.
func codeID(c diag.Code) string {
	return "syntax/" + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(c), "E_")), "_", "-")
}

func legacyRules() []*Rule {
	var out []*Rule
	for info := range ast.LegacyForms() {
		r := &Rule{ID: "legacy/" + info.Name, Level: Warning, Fix: SafeFix, page: legacyPage(info)}
		if !info.Safe {
			r.Fix = UnsafeFix
		}
		out = append(out, r)
	}
	return out
}

func concat(lists ...[]*Rule) []*Rule {
	var out []*Rule
	for _, l := range lists {
		out = append(out, l...)
	}
	for _, r := range out {
		if r.page == nil {
			r.page = written(r.ID)
		}
	}
	return out
}

func index(rules []*Rule) map[string]*Rule {
	m := make(map[string]*Rule, len(rules))
	for _, r := range rules {
		m[r.ID] = r
	}
	return m
}

// indexCodes finds the rule for a code of the parser.
func indexCodes() map[diag.Code]*Rule {
	m := map[diag.Code]*Rule{}
	for c := range diag.Codes() {
		if r := byID[codeID(c.Code)]; r != nil {
			m[c.Code] = r
		}
	}
	return m
}
