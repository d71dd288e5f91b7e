// Package facts answers what a team's fixtures and configuration know of its trees, for the linter and for
// editors.
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
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/lint"
)

// Fixture is a recorded context that selectors are held against.
type Fixture struct {
	Path     string
	Timeline *engine.Timeline
}

// Facts implements [lint.Facts]. It is safe for concurrent use.
type Facts struct {
	ctx      context.Context
	fixtures []Fixture
	words    map[lint.WordKind]map[string]bool
	sure     map[lint.WordKind]bool // there is a source that would know

	mu      sync.Mutex
	matched map[question]match
}

// question is the text of a selector, and whether its unquoted names are ids, as they are in one edition.
type question struct {
	text string
	ids  bool
}

type match struct {
	lint.Matches
	ok bool
}

// maxMatched bounds the answers that are kept.
const maxMatched = 10_000

// New collects the words of fixtures and of lists in a configuration. Evaluations end when ctx does. It costs a
// pass over every state of every fixture.
func New(ctx context.Context, fixtures []Fixture, lists map[lint.WordKind][]string) *Facts {
	f := &Facts{
		ctx: ctx, fixtures: fixtures, matched: map[question]match{},
		words: map[lint.WordKind]map[string]bool{}, sure: map[lint.WordKind]bool{},
	}
	for k, list := range lists {
		for _, w := range list {
			f.add(k, w)
		}
		f.sure[k] = len(list) > 0
	}
	for _, x := range fixtures {
		f.collect(x.Timeline)
	}
	if len(fixtures) > 0 {
		for _, k := range []lint.WordKind{lint.TypeWord, lint.TagWord, lint.KeyWord, lint.AttributeWord, lint.IDWord} {
			f.sure[k] = true
		}
	}
	return f
}

func (f *Facts) add(k lint.WordKind, word string) {
	if f.words[k] == nil {
		f.words[k] = map[string]bool{}
	}
	f.words[k][word] = true
}

// collect takes the words of every state of a timeline.
func (f *Facts) collect(t *engine.Timeline) {
	for _, s := range t.All() {
		for n := range s.All() {
			if u := n.UserType(); u != "" {
				f.add(lint.TypeWord, u)
			}
			if k, ok := n.Key(); ok {
				f.add(lint.KeyWord, k)
			}
			if id := n.ID(); id != "" {
				f.add(lint.IDWord, id)
			}
			tags, _ := n.Tags()
			for _, tag := range tags {
				f.add(lint.TagWord, tag)
			}
			for name := range n.Members() {
				f.add(lint.AttributeWord, name)
			}
		}
	}
}

// Known implements [lint.Facts].
func (f *Facts) Known(k lint.WordKind, name string) (known, sure bool) {
	return f.words[k][name], f.sure[k]
}

// Near implements [lint.Facts].
func (f *Facts) Near(k lint.WordKind, name string) string {
	return nearest.Word(name, f.Words(k))
}

// Words yields the known words of a kind, sorted.
func (f *Facts) Words(k lint.WordKind) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(f.words[k])))
}

// maxValues bounds the values of an attribute that are kept, and their length.
const maxValues, maxValueLength = 200, 80

// Values lists the values that an attribute has in the newest states of the fixtures, as literals of the selector
// language, sorted. Lists, objects and long texts are no values.
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

// Match implements [lint.Facts]. Comparisons of snapshots have no answer: finding no change is no fault.
func (f *Facts) Match(q *ast.Query, src string) (lint.Matches, bool) {
	asked := question{text: src}
	for n := range ast.All(q) {
		if k, ok := n.(*ast.Key); ok && k.ID {
			asked.ids = true
			break
		}
	}
	f.mu.Lock()
	m, seen := f.matched[asked]
	f.mu.Unlock()
	if seen {
		return m.Matches, m.ok
	}
	m = f.match(q)
	f.mu.Lock()
	if len(f.matched) < maxMatched {
		f.matched[asked] = m
	}
	f.mu.Unlock()
	return m.Matches, m.ok
}

func (f *Facts) match(q *ast.Query) match {
	var m match
	plan, _ := eval.Compile(q)
	if plan == nil {
		return m
	}
	sets := sha256.New()
	for _, x := range f.fixtures {
		res, err := plan.Select(f.ctx, x.Timeline, eval.Options{})
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
		m.Empty = f.emptyStep(plan, q.Start())
	}
	return m
}

// emptyStep is the first step of a plan that finds nothing in any fixture, from the start of the query; zero when the
// query has several chains, each of which has one.
func (f *Facts) emptyStep(plan *eval.Plan, start int) ast.Span {
	var empty ast.Span
	for _, x := range f.fixtures {
		steps, err := plan.Trace(f.ctx, x.Timeline)
		last := len(steps) - 1
		if err != nil || last < 0 || steps[last].Fragment > 0 || steps[last].Chain > 0 {
			return ast.Span{}
		}
		i := slices.IndexFunc(steps, func(s eval.TraceStep) bool { return s.Count == 0 })
		if i < 0 {
			return ast.Span{}
		}
		if at := steps[i].Span; at.Start >= empty.Start { // the fixture in which most steps find something
			empty = at
		}
	}
	return ast.Span{Start: empty.Start - start, End: empty.End - start}
}

// String lists the fixtures, for messages.
func (f *Facts) String() string {
	paths := make([]string, len(f.fixtures))
	for i, x := range f.fixtures {
		paths[i] = x.Path
	}
	return strings.Join(paths, ", ")
}
