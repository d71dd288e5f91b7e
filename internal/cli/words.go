package cli

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// wordRules are the rules about unknown words. Without them a misspelled word selects nothing, or everything.
var wordRules = []string{
	"correctness/unknown-type", "correctness/unknown-tag", "correctness/unknown-attribute", "correctness/unknown-control",
}

// roles are the tags with a meaning for rendering. They are known even if the history does not have them.
var roles = []string{"assistant", "system", "tool", "user"}

// wordFacts tells the linter which words one history has. It implements [lint.Facts] for one goroutine. It looks words up
// on demand: collecting the words of every state would cost a pass over each of them.
type wordFacts struct {
	ctx    context.Context
	t      *engine.Timeline
	listed map[lint.WordKind][]string // by the configuration
	newest map[lint.WordKind]map[string]bool
	asked  map[string]bool
}

func newWordFacts(ctx context.Context, t *engine.Timeline, cfg *config.Config) *wordFacts {
	f := &wordFacts{ctx: ctx, t: t, listed: cfg.Known(), asked: map[string]bool{}}
	f.newest = map[lint.WordKind]map[string]bool{lint.TypeWord: {}, lint.TagWord: {}, lint.AttributeWord: {}}
	for _, role := range roles {
		f.newest[lint.TagWord][role] = true
	}
	if newest := t.At(0); newest != nil {
		f.add(newest)
	}
	return f
}

// add takes the words of a state.
func (f *wordFacts) add(s *engine.Snapshot) {
	for n := range s.All() {
		f.newest[lint.TypeWord][n.UserType()] = true
		tags, _ := n.Tags()
		for _, tag := range tags {
			f.newest[lint.TagWord][tag] = true
		}
		for name := range n.Members() {
			f.newest[lint.AttributeWord][name] = true
		}
	}
	delete(f.newest[lint.TypeWord], "")
}

// Known implements [lint.Facts]. It searches older states only for words that the newest does not have.
func (f *wordFacts) Known(kind lint.WordKind, name string) (known, sure bool) {
	words, looked := f.newest[kind]
	switch {
	case kind == lint.ControlWord:
		return slices.Contains(f.listed[kind], name), len(f.listed[kind]) > 0
	case !looked || words[name] || slices.Contains(f.listed[kind], name):
		return true, true
	}
	return f.anywhere(kind, name), true
}

// anywhere evaluates a selector that finds a node with the word in any state.
func (f *wordFacts) anywhere(kind lint.WordKind, name string) bool {
	attribute := map[lint.WordKind]string{lint.TypeWord: "nodeType", lint.TagWord: "tag"}[kind]
	test := attribute + "=" + ast.Quote(name)
	if kind == lint.AttributeWord {
		test = name + "!=null"
	}
	found, ok := f.asked[test]
	if !ok {
		if _, plan, _ := prepare.Compile("@* *{"+test+"} @limit=1", parser.Options{}); plan != nil {
			r, err := plan.Select(f.ctx, f.t, eval.Options{})
			found = err != nil || len(r.Nodes) > 0 // an evaluation that failed proves nothing
		}
		f.asked[test] = found
	}
	return found
}

// Near implements [lint.Facts].
func (f *wordFacts) Near(kind lint.WordKind, name string) string {
	return nearest.Word(name, f.words(kind))
}

// words yields the words that a misspelled one can stand for.
func (f *wordFacts) words(kind lint.WordKind) iter.Seq[string] {
	return func(yield func(string) bool) {
		list := slices.Concat(f.listed[kind], slices.Sorted(maps.Keys(f.newest[kind])))
		if kind == lint.TypeWord {
			for t := range vocab.All(vocab.Type) {
				list = append(list, t.Name)
			}
		}
		for _, word := range list {
			if !yield(word) {
				return
			}
		}
	}
}

// Match implements [lint.Facts]. It knows nothing: the answer shows what a selector selects.
func (f *wordFacts) Match(*ast.Query, string) (lint.Matches, bool) { return lint.Matches{}, false }

// unknownWords finds words of a selector that neither the language nor the history has.
func (f *wordFacts) unknownWords(text string, edition ast.Edition) []diag.Diagnostic {
	level := func(r *lint.Rule) lint.Level {
		if slices.Contains(wordRules, r.ID) {
			return lint.Warning
		}
		return lint.Off
	}
	var out []diag.Diagnostic
	for _, found := range lint.CheckSelector(text, lint.Options{Edition: edition, Level: level, Facts: f}).Findings {
		found.Code = diag.Code(found.Rule.ID)
		out = append(out, found.Diagnostic)
	}
	return out
}
