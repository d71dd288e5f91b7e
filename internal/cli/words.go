package cli

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/lint"
)

// wordRules are the rules about unknown words. Without them a misspelled word selects nothing, or everything.
var wordRules = []string{
	"correctness/unknown-type", "correctness/unknown-tag", "correctness/unknown-attribute", "correctness/unknown-control",
}

// roles are the tags with a meaning for rendering. They are known even if the history does not have them
// (decision V3).
var roles = []string{"assistant", "system", "tool", "user"}

// knownWords returns the words of a configuration, which may be nil, and the roles.
func knownWords(cfg *config.Config) map[lint.WordKind][]string {
	known := map[lint.WordKind][]string{}
	if cfg != nil {
		known = cfg.Known()
	}
	known[lint.TagWord] = slices.Concat(known[lint.TagWord], roles)
	return known
}

// wordFacts returns the facts of timelines and of a configuration, which may be nil.
func wordFacts(cfg *config.Config, timelines ...*engine.Timeline) *facts.Facts {
	var fixtures []facts.Fixture
	for _, t := range timelines {
		fixtures = append(fixtures, facts.Fixture{Timeline: t})
	}
	return facts.New(fixtures, knownWords(cfg))
}

// misspelledWords finds unknown words of a selector that are near to one of the language or of the configuration. Unlike
// unknownWords, it needs no trees.
func misspelledWords(ctx context.Context, cfg *config.Config, text string, edition ast.Edition) []diag.Diagnostic {
	known := knownWords(cfg)
	types := slices.Clone(known[lint.TypeWord])
	for t := range vocab.All(vocab.Type) {
		types = append(types, t.Name)
	}
	known[lint.TypeWord] = types
	found := unknownWords(ctx, facts.New(nil, known), text, edition)
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Hint == "" })
}

// unknownWords finds words of a selector that neither the language nor the trees have.
func unknownWords(ctx context.Context, f *facts.Facts, text string, edition ast.Edition) []diag.Diagnostic {
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
