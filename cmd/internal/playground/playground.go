// Package playground answers the requests of the page on which users try selectors in a browser: it
// parses, formats, lints, explains and evaluates them, on the histories of recorded sessions. It
// uses no files and no network.
package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// The limits for requests of a page.
const (
	maxSelector = 64 << 10
	maxLog      = 32 << 20
	maxSteps    = 100 // of an answer
)

// Playground is the history that selectors are run on. It is used by one goroutine.
type Playground struct {
	history *steps.History // nil before the first is loaded
	maker   *steps.Maker   // of the steps that the page has
	made    int            // their number
}

// request is a request of the page. Exactly one of its members is set.
type request struct {
	Load  *struct{ Name, Text string } `json:"load"`
	Steps *struct{ From int }          `json:"steps"`
	Nodes *struct {
		At  int // the number of a state
		IDs []string
	} `json:"nodes"`
	Ask *struct {
		Selector string
		At       int
	} `json:"ask"`
	Calls *struct {
		Selector string
		From     int
	} `json:"calls"`
	Words *struct{ Selector string } `json:"words"`
	Hover *struct {
		Selector string
		At       int // UTF-16 units
	} `json:"hover"`
}

// Answer answers a request of the page, JSON for JSON. An error is {"error": "…"}.
func (p *Playground) Answer(ctx context.Context, text []byte) []byte {
	var q request
	var out any
	err := json.Unmarshal(text, &q)
	switch {
	case err != nil:
	case q.Load != nil:
		out, err = p.load(ctx, q.Load.Name, q.Load.Text)
	case q.Steps != nil:
		out, err = p.steps(q.Steps.From)
	case q.Nodes != nil:
		out, err = p.nodes(q.Nodes.At, q.Nodes.IDs)
	case q.Ask != nil:
		out, err = p.ask(ctx, q.Ask.Selector, q.Ask.At)
	case q.Calls != nil:
		out, err = p.calls(ctx, q.Calls.Selector, q.Calls.From)
	case q.Words != nil:
		out, err = words(q.Words.Selector)
	case q.Hover != nil:
		out, err = hover(q.Hover.Selector, q.Hover.At)
	default:
		err = errors.New("an empty request")
	}
	if err != nil {
		out = map[string]string{"error": err.Error()}
	}
	return append(canonjson.EncodeLine(out), '\n')
}

// loaded says how many steps a history has: its calls, and the state after the last one.
type loaded struct {
	Steps int `json:"steps"`
}

// load reads the history in a text: the first conversation of a log that records model calls, or a
// document.
func (p *Playground) load(ctx context.Context, name, text string) (*loaded, error) {
	if len(text) > maxLog {
		return nil, fmt.Errorf("the file is larger than %d MiB", maxLog>>20)
	}
	t, err := read(ctx, name, text)
	if err != nil {
		return nil, err
	}
	h, err := steps.Read(ctx, t, calls.Options{})
	if err != nil {
		return nil, err
	}
	if len(h.States) == 0 {
		return nil, errors.New("there is no whole state in the file")
	}
	p.history, p.maker, p.made = h, nil, 0
	return &loaded{len(h.States)}, nil
}

// steps returns some steps, the first of which has the number from. Pages request them in their
// order; from another one on they are made anew.
func (p *Playground) steps(from int) ([]steps.Step, error) {
	if p.history == nil || from < 0 || from > len(p.history.States) {
		return nil, fmt.Errorf("there is no step %d", from)
	}
	if p.maker == nil || p.made != from {
		p.maker, p.made = steps.NewMaker(), 0
	}
	out := []steps.Step{}
	for s := range p.maker.Steps(p.history, p.made) {
		if p.made++; p.made > from {
			out = append(out, s)
		}
		p.maker.Texts = p.maker.Texts[:0] // the page estimates their tokens
		if len(out) == maxSteps {
			break
		}
	}
	return out, nil
}

func read(ctx context.Context, name, text string) (*engine.Timeline, error) {
	in, size := strings.NewReader(text), int64(len(text))
	o := source.Options{MaxBytes: maxLog}
	if _, err := source.Recognize(ctx, name, in, size, o); err != nil {
		t, _, err := journal.Read(name, strings.NewReader(text), engine.ReadOptions{MaxBytes: maxLog})
		return t, err
	}
	for h, err := range history.Files(ctx, []source.File{source.Reader(name, in, size)}, o) {
		if err != nil {
			return nil, err
		}
		return h.Timeline, nil
	}
	return nil, errors.New("the log records no model call")
}

func (p *Playground) at(n int) (*engine.Snapshot, error) {
	if p.history == nil || n < 0 || n >= len(p.history.States) {
		return nil, fmt.Errorf("there is no state %d", n)
	}
	return p.history.States[n], nil
}

// nodes returns nodes of a state, by id. It leaves out those that are not there.
func (p *Playground) nodes(at int, ids []string) (map[string]steps.Detail, error) {
	s, err := p.at(at)
	if err != nil {
		return nil, err
	}
	return steps.Details(s, ids), nil
}

// answer describes a selector.
type answer struct {
	Canonical string    `json:"canonical,omitempty"`
	Compact   string    `json:"compact,omitempty"`
	Fixed     string    `json:"fixed,omitempty"` // the text after safe fixes, if it differs
	Meaning   []string  `json:"meaning,omitempty"`
	Plan      string    `json:"plan,omitempty"`
	Findings  []finding `json:"findings"`
	Steps     []counted `json:"steps,omitempty"`
	IDs       []string  `json:"ids,omitempty"`
	Range     string    `json:"range,omitempty"` // JSON of the answer to a selector that compares states
	Error     string    `json:"error,omitempty"` // of evaluating
	Evaluated bool      `json:"evaluated"`
}

// finding is an error, or what a rule found. Positions are UTF-16 units.
type finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	From     int    `json:"from"`
	To       int    `json:"to"`
}

// counted is how many nodes a step leaves.
type counted struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// ask returns everything about a selector, and what it selects in a state, or in the states that it
// names.
func (p *Playground) ask(ctx context.Context, text string, at int) (*answer, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("the selector is longer than %d KiB", maxSelector>>10)
	}
	a := &answer{Findings: []finding{}}
	for _, f := range lint.CheckSelector(ctx, text, lint.Options{}).Findings {
		code := string(f.Code)
		if f.Rule != nil && code == "" {
			code = f.Rule.ID
		}
		a.Findings = append(a.Findings, finding{
			Code: code, Severity: f.Severity.String(), Message: f.Message, Hint: f.Hint,
			From: units(text, f.Span.Start), To: units(text, f.Span.End),
		})
	}
	q, plan, _ := compiled.Compile(text, parser.Options{})
	if plan == nil {
		return a, nil
	}
	a.Canonical = format.Node(q, format.Options{Style: format.Canonical})
	a.Compact = format.Node(q, format.Options{Style: format.Compact})
	a.Meaning, a.Plan = explain.Query(q), plan.String()
	if fixed := lint.FixSelector(ctx, text, lint.Options{}, false).Text; fixed != text {
		a.Fixed = fixed
	}
	if p.history == nil {
		return a, nil
	}
	if err := p.evaluate(ctx, a, q, plan, text, at); err != nil {
		a.Error = err.Error()
	}
	a.Evaluated = a.Error == ""
	return a, nil
}

// evaluate adds what a selector selects. A selector without a time is run on the state that is
// shown.
func (p *Playground) evaluate(ctx context.Context, a *answer, q *ast.Query, plan *eval.Plan, text string, at int) error {
	if q.Time == nil && at != len(p.history.States)-1 {
		s, err := p.at(at)
		if err != nil {
			return err
		}
		nodes, err := plan.Nodes(ctx, s)
		for _, n := range nodes {
			a.IDs = append(a.IDs, n.ID())
		}
		return err
	}
	steps, err := plan.Trace(ctx, p.history.Timeline)
	if err != nil {
		return err
	}
	for _, s := range steps {
		a.Steps = append(a.Steps, counted{strings.Join(strings.Fields(text[s.Span.Start:s.Span.End]), " "), s.Count})
	}
	r, err := plan.Select(ctx, p.history.Timeline, eval.Options{Text: text})
	if err != nil {
		return err
	}
	if r.Kind == eval.KindRange {
		a.Range = string(r.AppendJSON(nil))
		return nil
	}
	a.IDs = r.IDs()
	return nil
}

// matching are the states at which a selector finds something.
type matching struct {
	Calls []int `json:"calls"`
	Next  int   `json:"next"` // the first state that was not searched
}

// calls searches some states, the first of which has the number from, with a selector without a
// time. Other selectors find nothing.
func (p *Playground) calls(ctx context.Context, text string, from int) (*matching, error) {
	if _, err := p.at(from); err != nil {
		return nil, err
	}
	if len(text) > maxSelector {
		return nil, fmt.Errorf("the selector is longer than %d KiB", maxSelector>>10)
	}
	out := &matching{Calls: []int{}, Next: len(p.history.States)}
	q, plan, _ := compiled.Compile(text, parser.Options{})
	if plan == nil || q.Time != nil {
		return out, nil
	}
	out.Next = min(from+maxSteps, out.Next)
	var nodes []engine.Node
	var err error
	for i := from; i < out.Next; i++ {
		if nodes, err = plan.AppendNodes(ctx, nodes[:0], p.history.States[i]); err != nil {
			return nil, err
		}
		if len(nodes) > 0 {
			out.Calls = append(out.Calls, i)
		}
	}
	return out, nil
}

// units returns an offset in bytes as UTF-16 units.
func units(text string, offset int) int {
	n := 0
	for _, r := range text[:min(offset, len(text))] {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
