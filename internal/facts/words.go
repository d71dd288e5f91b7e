package facts

import (
	"context"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/lint"
)

// wordRules are the rules about unknown words. Without a warning, a misspelled word just selects
// nothing, or everything.
var wordRules = []string{
	"correctness/id-or-key",
	"correctness/unknown-type", "correctness/unknown-tag", "correctness/unknown-attribute", "correctness/unknown-control",
}

// roles are the tags that matter for rendering. They are known even if a history does not have them
// (decision V3).
var roles = []string{"assistant", "system", "tool", "user"}

// calls are the attributes of calls and their results. A log without a call does not have them, but
// it is usual to ask whether there is a call (decision V3).
var calls = []string{"call_id", "name"}

// Of is [New] for checking a single selector: the roles and the attributes of calls are known words
// as well.
func Of(fixtures []Fixture, lists map[lint.WordKind][]string) *Facts {
	return New(fixtures, with(with(lists, lint.TagWord, roles), lint.AttributeWord, calls))
}

// with returns the lists with more words of a kind.
func with(lists map[lint.WordKind][]string, kind lint.WordKind, words []string) map[lint.WordKind][]string {
	out := map[lint.WordKind][]string{}
	maps.Copy(out, lists)
	out[kind] = slices.Concat(out[kind], words)
	return out
}

// Unknown returns a warning for each word of a selector that neither the language nor the trees
// have.
func (f *Facts) Unknown(ctx context.Context, text string, edition ast.Edition) []diag.Diagnostic {
	level := func(r *lint.Rule) lint.Level {
		if slices.Contains(wordRules, r.ID) {
			return lint.Warning
		}
		return lint.Off
	}
	var out []diag.Diagnostic
	for _, found := range lint.CheckSelector(ctx, text, lint.Options{Edition: edition, Level: level, Facts: f}).Findings {
		found.Code = diag.Code(found.Rule.ID)
		out = append(out, found.Diagnostic)
	}
	return out
}

// Misspelled returns a warning for each word of a selector that is close to a word of the language
// or of the lists, but not one of them. It needs no trees.
func Misspelled(ctx context.Context, lists map[lint.WordKind][]string, text string, edition ast.Edition) []diag.Diagnostic {
	var types []string
	for t := range vocab.All(vocab.Type) {
		types = append(types, t.Name)
	}
	found := Of(nil, with(lists, lint.TypeWord, types)).Unknown(ctx, text, edition)
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Hint == "" })
}
