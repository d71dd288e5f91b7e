// Package facts collects what is known of a team's trees from its fixtures and configuration, for
// the linter and for editors.
package facts

import (
	"context"
	"crypto/sha256"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/lint"
)

// Fixture is a recorded context that selectors are compared with.
type Fixture struct {
	Path     string // the path, or the address without its password
	Timeline *engine.Timeline
}

// Facts implements [lint.Facts]. It is safe for concurrent use.
type Facts struct {
	fixtures []Fixture
	words    [lint.IDWord + 1]func() wordList // by kind, collected on first use

	mu      sync.Mutex
	matched map[question]match
}

// wordList holds the known words of one kind.
type wordList struct {
	known  map[string]bool
	sorted []string
	sure   bool // there is a list or a fixture, so a word that is not known is probably wrong
}

// question is the text of a selector, and whether an unquoted name after # is an id in it, as in
// edition 0.1.
type question struct {
	text string
	ids  bool
}

type match struct {
	lint.Matches
	ok bool
}

// maxMatched is the maximum number of answers that are kept.
const maxMatched = 10_000

// New returns the facts from fixtures and from the lists of a configuration. It is cheap: the words
// of a kind are collected when they are first needed, in one pass over the nodes of all states. A
// node that several states share is visited once.
func New(fixtures []Fixture, lists map[lint.WordKind][]string) *Facts {
	f := &Facts{fixtures: fixtures, matched: map[question]match{}}
	for k := range f.words {
		kind := lint.WordKind(k)
		f.words[k] = sync.OnceValue(func() wordList { return collect(kind, fixtures, lists[kind]) })
	}
	return f
}

// collect returns the words of a kind from a list and from every state of the fixtures.
func collect(kind lint.WordKind, fixtures []Fixture, listed []string) wordList {
	l := wordList{known: map[string]bool{}, sure: len(listed) > 0}
	for _, w := range listed {
		l.known[w] = true
	}
	if kind != lint.ControlWord { // a tree has no controls
		for _, x := range fixtures {
			l.sure = true
			for n := range x.Timeline.Distinct() {
				for w := range wordsOf(n, kind) {
					l.known[w] = true
				}
			}
		}
	}
	l.sorted = slices.Sorted(maps.Keys(l.known))
	return l
}

// wordsOf yields the words of a kind that a node has.
func wordsOf(n engine.Node, kind lint.WordKind) iter.Seq[string] {
	var words []string
	switch kind {
	case lint.TypeWord:
		if t := n.UserType(); t != "" {
			words = []string{t}
		}
	case lint.KeyWord:
		if key, ok := n.Key(); ok {
			words = []string{key}
		}
	case lint.IDWord:
		if id := n.ID(); id != "" {
			words = []string{id}
		}
	case lint.TagWord:
		words, _ = n.Tags()
	case lint.AttributeWord:
		return func(yield func(string) bool) {
			for name := range n.Members() {
				if !yield(name) {
					return
				}
			}
		}
	}
	return slices.Values(words)
}

// Known implements [lint.Facts].
func (f *Facts) Known(k lint.WordKind, name string) (known, sure bool) {
	l := f.words[k]()
	return l.known[name], l.sure
}

// Near implements [lint.Facts]. It considers the types of the language as well as those of the
// trees.
func (f *Facts) Near(k lint.WordKind, name string) string {
	words := f.words[k]().sorted
	if k == lint.TypeWord {
		words = slices.Clip(words)
		for t := range vocab.All(vocab.Type) {
			words = append(words, t.Name)
		}
	}
	return nearest.Word(name, slices.Values(words))
}

// Words yields the known words of a kind, sorted.
func (f *Facts) Words(k lint.WordKind) iter.Seq[string] { return slices.Values(f.words[k]().sorted) }

// These limit how many values of an attribute are listed, and the length of a text among them.
const maxValues, maxValueLength = 200, 80

// Values returns the values of an attribute in the newest states of the fixtures, sorted, as
// literals of the selector language. It omits lists, objects and long texts.
func (f *Facts) Values(attribute string) []string {
	seen := map[string]bool{}
	for _, x := range f.fixtures {
		s := x.Timeline.At(0)
		if s == nil {
			continue
		}
		for n := range s.All() {
			v := n.Header(attribute)
			text, isText := v.Text()
			switch {
			case v.IsZero() || v.IsNull() || len(seen) >= maxValues:
			case isText && len(text) <= maxValueLength && !strings.ContainsAny(text, "\r\n"):
				seen[ast.Quote(text)] = true
			case !isText && !strings.HasPrefix(v.String(), "[") && !strings.HasPrefix(v.String(), "{"):
				seen[v.String()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Match implements [lint.Facts]. It has no answer for a query that compares snapshots: if nothing
// changed, that is not a mistake in the query.
func (f *Facts) Match(ctx context.Context, q *ast.Query, src string) (lint.Matches, bool) {
	asked := question{text: src, ids: strings.Contains(src, "#") && hasID(q)}
	f.mu.Lock()
	m, seen := f.matched[asked]
	f.mu.Unlock()
	if seen {
		return m.Matches, m.ok
	}
	m = f.match(ctx, q)
	if ctx.Err() != nil {
		return lint.Matches{}, false
	}
	f.mu.Lock()
	if len(f.matched) < maxMatched {
		f.matched[asked] = m
	}
	f.mu.Unlock()
	return m.Matches, m.ok
}

// hasID reports whether a query names a node by its id.
func hasID(q *ast.Query) bool {
	for n := range ast.All(q) {
		if k, ok := n.(*ast.Key); ok && k.ID {
			return true
		}
	}
	return false
}

func (f *Facts) match(ctx context.Context, q *ast.Query) match {
	var m match
	plan, _ := eval.Compile(q)
	if plan == nil {
		return m
	}
	sets := sha256.New()
	for _, x := range f.fixtures {
		res, err := plan.Select(ctx, x.Timeline, eval.Options{})
		if err != nil || res.Kind != eval.KindNodes {
			sets.Write([]byte{'!'})
			continue
		}
		m.ok = true
		m.Fixtures++
		m.Nodes += len(res.Nodes)
		if newest := x.Timeline.At(0); newest != nil {
			m.Of += newest.Len() - 1
			for r := range engine.RegionRest {
				if _, ok := newest.Region(r); ok {
					m.Of--
				}
			}
		}
		sets.Write(res.AppendJSON(nil))
		sets.Write([]byte{'\n'})
	}
	m.Sets = string(sets.Sum(nil))
	if m.ok && m.Nodes == 0 {
		m.Empty = f.emptyStep(ctx, plan, q.Start())
	}
	return m
}

// emptyStep returns the first step of a plan that finds nothing in any fixture, from the start of
// the query. It returns zero if the query has several chains, because each of them has such a step.
func (f *Facts) emptyStep(ctx context.Context, plan *eval.Plan, start int) ast.Span {
	var empty ast.Span
	for _, x := range f.fixtures {
		steps, err := plan.Trace(ctx, x.Timeline)
		last := len(steps) - 1
		if err != nil || last < 0 || steps[last].Fragment > 0 || steps[last].Chain > 0 {
			return ast.Span{}
		}
		i := slices.IndexFunc(steps, func(s eval.TraceStep) bool { return s.Count == 0 })
		if i < 0 {
			return ast.Span{}
		}
		if at := steps[i].Span; at.Start >= empty.Start { // the furthest step that any fixture reaches
			empty = at
		}
	}
	return ast.Span{Start: empty.Start - start, End: empty.End - start}
}

// String returns the paths of the fixtures, for messages.
func (f *Facts) String() string {
	paths := make([]string, len(f.fixtures))
	for i, x := range f.fixtures {
		paths[i] = x.Path
	}
	return strings.Join(paths, ", ")
}
