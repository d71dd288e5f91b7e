package lsp

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/lint"
)

// written yields the words of a kind that selectors of open documents use, sorted, except the one
// that is being typed.
func (c *completer) written(ctx context.Context, k lint.WordKind) iter.Seq[string] {
	found := map[string]bool{}
	for d := range c.view.docs.each() {
		if d.host == nil {
			continue
		}
		uses := d.analyze(ctx, c.analysis.snapshot).words(ctx)[k]
		own := map[string]int{} // of the selector being typed: its words may be incomplete
		if keyOf(d.uri) == keyOf(c.doc.uri) {
			for s := range c.analysis.selectors(ctx, ast.Span{Start: c.at, End: c.at}) {
				for w := range wordsOf(s.Query) {
					if w.kind == k {
						own[w.name]++
					}
				}
			}
		}
		for name, n := range uses {
			if n > own[name] {
				found[name] = true
			}
		}
	}
	return slices.Values(slices.Sorted(maps.Keys(found)))
}

// words counts the words that the selectors of a document use. A count that is incomplete because
// its request was canceled is not kept.
func (a *analysis) words(ctx context.Context) map[lint.WordKind]map[string]int {
	a.wordsMu.Lock()
	defer a.wordsMu.Unlock()
	if a.used != nil {
		return a.used
	}
	used := map[lint.WordKind]map[string]int{}
	for s := range a.all(ctx) {
		if a.doubtful(s) {
			continue
		}
		for _, w := range a.namedWords(s) {
			if used[w.kind] == nil {
				used[w.kind] = map[string]int{}
			}
			used[w.kind][w.name]++
		}
	}
	if ctx.Err() == nil {
		a.used = used
	}
	return used
}

// namedWord is a word without its position.
type namedWord struct {
	kind lint.WordKind
	name string
}

// namedWords lists the words of a selector. In an open document they are computed once for each
// text.
func (a *analysis) namedWords(sel *check.Selector) []namedWord {
	if !a.doc.open {
		return named(sel.Query)
	}
	m := a.doc.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	list, known := m.words[sel.Text]
	if known {
		return list
	}
	if m.words == nil || len(m.words) >= maxTexts {
		m.words = map[string][]namedWord{}
	}
	list = named(sel.Query)
	m.words[sel.Text] = list
	return list
}

func named(q *ast.Query) []namedWord {
	var list []namedWord
	for w := range wordsOf(q) {
		list = append(list, namedWord{w.kind, w.name})
	}
	return list
}

// word is the use of a name of a tree in a selector.
type word struct {
	kind lint.WordKind
	name string
	at   ast.Span // in the text of the selector's region
	node ast.Node
}

// wordsOf yields the types, tags, keys and custom attributes of a selector.
func wordsOf(q *ast.Query) iter.Seq[word] {
	return func(yield func(word) bool) {
		for n := range ast.All(q) {
			for _, w := range wordsIn(n) {
				if !yield(w) {
					return
				}
			}
		}
	}
}

func wordsIn(n ast.Node) []word {
	switch n := n.(type) {
	case *ast.Type:
		if vocab.Lookup(vocab.Type, n.Name) == nil {
			return []word{{lint.TypeWord, n.Name, n.Bounds(), n}}
		}
	case *ast.Tag:
		return []word{{lint.TagWord, n.Name, n.Bounds(), n}}
	case *ast.Key:
		if !n.ID {
			return []word{{lint.KeyWord, n.Name, n.Bounds(), n}}
		}
	case *ast.Prop:
		return wordsInTest(n)
	}
	return nil
}

var wordAttributes = map[string]lint.WordKind{"nodeType": lint.TypeWord, "tag": lint.TagWord, "key": lint.KeyWord}

func wordsInTest(p *ast.Prop) []word {
	kind, ok := wordAttributes[p.Name]
	if !ok {
		if p.Flag || vocab.Lookup(vocab.Attribute, p.Name) != nil {
			return nil
		}
		return []word{{lint.AttributeWord, p.Name, ast.Span{Start: p.Start(), End: p.Start() + len(p.Name)}, p}}
	}
	var out []word
	for i := range p.Values {
		v := &p.Values[i]
		if v.Kind == ast.String && p.Op != ast.OpMatch && (kind != lint.TypeWord || vocab.Lookup(vocab.Type, v.Text) == nil) {
			out = append(out, word{kind, v.Text, v.Bounds(), p})
		}
	}
	return out
}
