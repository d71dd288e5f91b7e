package lsp

import (
	"context"
	"fmt"
	"slices"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/explain"
)

// tokenTypes are the types of semantic tokens, by their number in the legend.
var tokenTypes = []explain.Kind{explain.Keyword, explain.Class, explain.Variable, explain.Decorator, explain.Property, explain.Operator, explain.String, explain.Number}

// deprecatedModifier marks legacy forms.
const deprecatedModifier = 1

var tokenModifiers = []string{"deprecated"}

// semanticToken is one token, in bytes of the document.
type semanticToken struct {
	ast.Span
	kind, modifiers int
}

// hasTokens reports whether a document has semantic tokens. Most editors use the tokens of only one
// server for a document, so documents other than selector files have tokens only if a setting says
// so.
func (s *server) hasTokens(d *document) bool {
	return d.selectors() || d.host != nil && s.settings.Load().Tokens.Strings
}

// semantic answers textDocument/semanticTokens/full: the words of selectors with their types.
func (s *server) semantic(ctx context.Context, v *view, p *docParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !s.hasTokens(d) {
		return nil, err
	}
	return s.tokens.answer(d, s.semanticData(ctx, v, d, ast.Span{Start: 0, End: len(d.src)})), nil
}

// semanticRange answers textDocument/semanticTokens/range.
func (s *server) semanticRange(ctx context.Context, v *view, p *rangeParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !s.hasTokens(d) {
		return nil, err
	}
	return map[string]any{"data": s.semanticData(ctx, v, d, d.span(p.Range))}, nil
}

type deltaParams struct {
	docParams
	Previous string `json:"previousResultId"`
}

// semanticDelta answers textDocument/semanticTokens/full/delta.
func (s *server) semanticDelta(ctx context.Context, v *view, p *deltaParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !s.hasTokens(d) {
		return nil, err
	}
	return s.tokens.delta(d, p.Previous, s.semanticData(ctx, v, d, ast.Span{Start: 0, End: len(d.src)})), nil
}

// semanticData encodes the tokens of a part of a document, each relative to the previous one.
func (s *server) semanticData(ctx context.Context, v *view, d *document, part ast.Span) []uint32 {
	a := d.analyze(ctx, v.snapshot)
	var list []semanticToken
	for sel := range a.selectors(ctx, part) {
		if a.doubtful(sel) {
			continue
		}
		list = appendTokens(list, a.region(sel), sel.Query)
	}
	slices.SortStableFunc(list, func(x, y semanticToken) int { return x.Start - y.Start })
	data := []uint32{}
	var last protocol.Position
	end := 0
	for _, t := range list {
		from, to := d.position(t.Start), d.position(t.End)
		if t.Start < end || from.Line != to.Line || t.Len() == 0 {
			continue // clients expect no overlaps, and no tokens that span lines
		}
		end = t.End
		column := from.Character
		if from.Line == last.Line {
			column -= last.Character
		}
		data = append(data, from.Line-last.Line, column, to.Character-from.Character, uint32(t.kind), uint32(t.modifiers))
		last = from
	}
	return data
}

// appendTokens appends the tokens of a selector.
func appendTokens(list []semanticToken, r *host.Region, q *ast.Query) []semanticToken {
	old := func(at ast.Span) int {
		for _, l := range q.Legacy() {
			if l.Contains(at) {
				return deprecatedModifier
			}
		}
		return 0
	}
	for _, w := range explain.Words(q) {
		list = append(list, semanticToken{r.Host(w.Span), slices.Index(tokenTypes, w.Kind), old(w.Span)})
	}
	return list
}

// tokenResults has the tokens that were last sent for each document, for deltas.
type tokenResults struct {
	mu    sync.Mutex
	count int
	last  map[string]tokenResult
}

type tokenResult struct {
	id   string
	data []uint32
}

// keep stores the tokens that are sent, under a new result id.
func (r *tokenResults) keep(d *document, data []uint32) (id string, before tokenResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		r.last = map[string]tokenResult{}
	}
	r.count++
	id = fmt.Sprint(r.count)
	before = r.last[d.uri]
	r.last[d.uri] = tokenResult{id, data}
	return id, before
}

func (r *tokenResults) drop(uri string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.last, uri)
}

func (r *tokenResults) answer(d *document, data []uint32) any {
	id, _ := r.keep(d, data)
	return map[string]any{"resultId": id, "data": data}
}

// delta returns the difference from what was sent last: one edit, from the first number that
// differs to the last.
func (r *tokenResults) delta(d *document, previous string, data []uint32) any {
	id, before := r.keep(d, data)
	if before.id != previous {
		return map[string]any{"resultId": id, "data": data}
	}
	from := 0
	for from < len(data) && from < len(before.data) && data[from] == before.data[from] {
		from++
	}
	to, was := len(data), len(before.data)
	for to > from && was > from && data[to-1] == before.data[was-1] {
		to, was = to-1, was-1
	}
	edits := []any{}
	if from < to || from < was {
		edits = append(edits, map[string]any{"start": from, "deleteCount": was - from, "data": data[from:to]})
	}
	return map[string]any{"resultId": id, "edits": edits}
}
