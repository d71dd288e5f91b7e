package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/thread"
)

// object is a request or an answer.
type object = map[string]any

// server keeps the tree that was opened or made last.
type server struct {
	tree   *pactkit.Tree
	live   engine.Options // of a tree that was made
	others map[string]*engine.Timeline
}

// request has the members of all requests.
type request struct {
	Do       string          `json:"do"`
	Edition  string          `json:"edition"`
	History  json.RawMessage `json:"history"`
	Strict   bool            `json:"strict"`
	System   bool            `json:"system"`
	Policy   *policy         `json:"policy"`
	Name     string          `json:"name"`
	Selector string          `json:"selector"`
	Other    string          `json:"other"`
	Cycle    int64           `json:"cycle"`
	Options  json.RawMessage `json:"options"`
	At       string          `json:"at"`
	Form     string          `json:"form"`
	Older    string          `json:"older"`
	Newer    string          `json:"newer"`
	Node     json.RawMessage `json:"node"`
	Position string          `json:"position"`
	Under    string          `json:"under"`
	Depth    *int            `json:"depth"`
	Offset   int64           `json:"offset"`
	Target   string          `json:"target"`
	Key      string          `json:"key"`
}

// answers has a function for each request.
var answers = map[string]func(*server, *request) (object, error){
	"open":      (*server).open,
	"new":       (*server).newLive,
	"reopen":    (*server).reopen,
	"attach":    (*server).attach,
	"fork":      (*server).fork,
	"select":    (*server).selectNodes,
	"parse":     (*server).parse,
	"canonical": (*server).canonical,
	"same":      (*server).same,
	"export":    (*server).export,
	"thread":    (*server).thread,
	"hash":      (*server).hash,
	"diff":      (*server).diff,
	"validate":  (*server).validate,
	"insert":    (*server).insert,
	"replace":   (*server).replace,
	"move":      (*server).move,
	"delete":    (*server).remove,
	"commit":    (*server).commit,
	"stop":      (*server).stop,
}

func (s *server) answer(line []byte) object {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return object{"error": object{"message": err.Error()}}
	}
	if r.Do == "hello" {
		features := append(slices.Sorted(maps.Keys(answers)), "error-codes", "error-places")
		return object{"implementation": "pactkit", "version": "main", "editions": []string{"0.1", "1.0"}, "features": features}
	}
	f, ok := answers[r.Do]
	if !ok {
		return object{"unsupported": r.Do}
	}
	a, err := f(s, &r)
	if err != nil {
		return object{"error": failure(err)}
	}
	return a
}

// failure is an error as an answer has it: the first one of a selector.
func failure(err error) object {
	if e, ok := errors.AsType[*pactkit.SelectorError](err); ok {
		i := slices.IndexFunc(e.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		d := e.Diagnostics[max(i, 0)]
		return object{"code": d.Code, "message": d.Message, "range": []int{d.Span.Start, d.Span.End}}
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return object{"code": e.Code, "message": e.Msg}
	}
	return object{"message": err.Error()}
}

func (r *request) edition() ast.Edition {
	e, _ := ast.ParseEdition(r.Edition)
	return e
}

func (r *request) readOptions() engine.ReadOptions {
	o := engine.ReadOptions{Strict: r.Strict}
	if r.Edition != "" {
		o.Edition = new(r.edition())
	}
	return o
}

func (s *server) open(r *request) (object, error) {
	t, err := engine.ReadText("history.json", string(r.History), r.readOptions())
	if err != nil {
		return nil, err
	}
	s.use(pactkit.FromTimeline(t))
	return object{}, nil
}

// use begins with a tree.
func (s *server) use(t *pactkit.Tree) {
	s.tree, s.others = t, nil
}

func (s *server) selectNodes(r *request) (object, error) {
	options, err := rangeOptions(r.Options)
	if err != nil {
		return nil, err
	}
	result, err := s.tree.SelectRange(context.Background(), r.Selector, options)
	if err != nil {
		return nil, err
	}
	a := object{"warnings": codes(result.Warnings)}
	switch result.Kind {
	case eval.KindRange:
		a["range"] = json.RawMessage(result.AppendJSON(nil))
	case eval.KindLatest:
		a["latest"] = json.RawMessage(result.AppendJSON(nil))
	default:
		a["ids"] = result.IDs()
	}
	return a, nil
}

// rangeOptions reads the options of ctx.select (PACT 0.1, 04 §4).
func rangeOptions(data json.RawMessage) (eval.Options, error) {
	var o struct {
		IncludeContent        bool               `json:"includeContent"`
		ContentMode           engine.ContentMode `json:"contentMode"`
		ContextLines          *int               `json:"contextLines"`
		Materialize           []string           `json:"materialize"`
		MaxSnapshots          int                `json:"maxSnapshots"`
		MaxChangesPerSnapshot int                `json:"maxChangesPerSnapshot"`
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &o); err != nil {
			return eval.Options{}, err
		}
	}
	return eval.Options{
		IncludeContent: o.IncludeContent, ContentMode: o.ContentMode, ContextLines: o.ContextLines,
		Materialize: o.Materialize, MaxSnapshots: o.MaxSnapshots, MaxChanges: o.MaxChangesPerSnapshot,
	}, nil
}

func codes(list []diag.Diagnostic) []diag.Code {
	out := []diag.Code{}
	for _, d := range list {
		if d.Severity != diag.Error {
			out = append(out, d.Code)
		}
	}
	return out
}

func (s *server) parse(r *request) (object, error) {
	_, found := parser.ParseSelector(r.Selector, parser.Options{Edition: r.edition(), NoLegacy: r.Strict})
	if diag.HasErrors(found) {
		return nil, &pactkit.SelectorError{Text: r.Selector, Diagnostics: found}
	}
	return object{"warnings": codes(found)}, nil
}

func (s *server) canonical(r *request) (object, error) {
	o := format.Options{Edition: r.edition()}
	if r.Form == "compact" {
		o.Style = format.Compact
	}
	if r.Position != "" {
		o.Form = format.Position
		result := format.Source(r.Position, o)
		if diag.HasErrors(result.Diagnostics) {
			return nil, &pactkit.SelectorError{Text: r.Position, Diagnostics: result.Diagnostics}
		}
		return object{"text": result.Text}, nil
	}
	text, err := pactkit.Format(r.Selector, o)
	return object{"text": text}, err
}

// same checks one selector against the canonical form of the other, as a program that formats
// files does.
func (s *server) same(r *request) (object, error) {
	o := format.Options{Edition: r.edition()}
	if _, err := pactkit.Format(r.Selector, o); err != nil {
		return nil, err
	}
	text, err := pactkit.Format(r.Other, o)
	if err != nil {
		return nil, err
	}
	return object{"same": format.Verify(r.Selector+"\n", text+"\n", o) == nil}, nil
}

func (s *server) export(r *request) (object, error) {
	if r.Form != "reference" {
		data, err := s.tree.Export(r.At)
		return object{"text": string(data)}, err
	}
	snapshot, err := s.tree.At(r.At)
	if err != nil {
		return nil, err
	}
	return object{"text": string(snapshot.AppendReference(nil))}, nil
}

func (s *server) thread(r *request) (object, error) {
	rendered, err := s.tree.Thread(r.At, thread.Pact, thread.RenderOptions{})
	return object{"text": string(rendered.JSON)}, err
}

// hash reads a node below an active head, and returns its content hash.
func (s *server) hash(r *request) (object, error) {
	text := fmt.Sprintf(`{"root":{"children":[{"nodeType":"^ah","children":[%s]}]}}`, r.Node)
	t, err := engine.ReadText("node.json", text, engine.ReadOptions{})
	if err != nil {
		return nil, err
	}
	head, _ := t.At(0).Region(engine.RegionHead)
	for n := range head.Children() {
		return object{"hash": n.ComputedHash()}, nil
	}
	return nil, errors.New("there is no node")
}

func (s *server) diff(r *request) (object, error) {
	changes, err := s.tree.Diff(context.Background(), r.Older, r.Newer, r.Selector)
	if err != nil {
		return nil, err
	}
	return object{"diff": json.RawMessage(changes.AppendJSON(nil))}, nil
}

func (s *server) validate(r *request) (object, error) {
	snapshot, err := s.tree.At("@t0")
	if err != nil {
		return nil, err
	}
	violated := []string{}
	for _, e := range snapshot.Validate() {
		violated = append(violated, strings.TrimSpace(e.Msg))
	}
	return object{"valid": len(violated) == 0, "violated": violated}, nil
}
