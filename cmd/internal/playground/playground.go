// Package playground answers the requests of the page on which users try selectors in a browser: it
// parses, formats, lints, explains and evaluates them, on the histories of recorded sessions. It
// uses no files and no network.
package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/pactkit/pactkit/ast"
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
	maxNodes    = 20_000 // of a state that is shown
)

// Playground is the history that selectors are run on. It is used by one goroutine.
type Playground struct {
	timeline *engine.Timeline
	states   []*engine.Snapshot // the oldest first
}

// request is a request of the page. Exactly one of its members is set.
type request struct {
	Load *struct{ Name, Text string } `json:"load"`
	Tree *struct{ At int }            `json:"tree"` // At is the number of a state
	Ask  *struct {
		Selector string
		At       int
	} `json:"ask"`
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
	case q.Tree != nil:
		out, err = p.tree(q.Tree.At)
	case q.Ask != nil:
		out, err = p.ask(ctx, q.Ask.Selector, q.Ask.At)
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

// loaded says what states a history has.
type loaded struct {
	States []state `json:"states"`
}

type state struct {
	Cycle int64 `json:"cycle"`
	Nodes int   `json:"nodes"`
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
	p.timeline, p.states = t, nil
	for _, s := range t.All() {
		p.states = append(p.states, s)
	}
	slices.Reverse(p.states)
	out := &loaded{States: []state{}}
	for _, s := range p.states {
		n := 0
		for range s.All() {
			n++
		}
		out.States = append(out.States, state{s.Cycle(), n})
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

// row is a node of the tree, in document order.
type row struct {
	ID       string   `json:"id"`
	Parent   string   `json:"parent"`
	Level    int      `json:"level"`
	Depth    *int64   `json:"depth,omitempty"` // of a segment
	Children bool     `json:"children"`
	Type     string   `json:"type"`
	Kind     string   `json:"kind,omitempty"`
	Role     string   `json:"role,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Key      string   `json:"key,omitempty"`
	Name     string   `json:"name,omitempty"`
	Text     string   `json:"text"`
}

func (p *Playground) at(n int) (*engine.Snapshot, error) {
	if n < 0 || n >= len(p.states) {
		return nil, fmt.Errorf("there is no state %d", n)
	}
	return p.states[n], nil
}

// tree returns the rows of a state, without the root.
func (p *Playground) tree(at int) ([]row, error) {
	s, err := p.at(at)
	if err != nil {
		return nil, err
	}
	out := []row{}
	for n := range s.All() {
		parent, ok := n.Parent()
		if !ok {
			continue
		}
		if len(out) == maxNodes {
			break
		}
		r := row{ID: n.ID(), Type: n.Type(), Text: preview(n.Content())}
		if _, below := parent.Parent(); below {
			r.Parent = parent.ID()
		}
		for up, ok := n.Parent(); ok; up, ok = up.Parent() {
			r.Level++
		}
		r.Level--
		if depth, ok := n.Depth(); ok && n.Type() == "seg" {
			d := int64(depth)
			r.Depth = &d
		}
		r.Kind, _ = n.Kind()
		r.Role, _ = n.Role()
		r.Tags, _ = n.Tags()
		r.Key, _ = n.Key()
		r.Name, _ = n.Header("name").Text()
		out = append(out, r)
	}
	parents := map[string]bool{}
	for i := range out {
		parents[out[i].Parent] = true
	}
	for i := range out {
		out[i].Children = parents[out[i].ID]
	}
	return out, nil
}

// maxPreview is how many bytes of a content a row has.
const maxPreview = 4000

func preview(v engine.Value) string {
	text, ok := v.Text()
	if !ok {
		text = v.String()
	}
	if len(text) > maxPreview {
		text = strings.ToValidUTF8(text[:maxPreview], "") + "…"
	}
	return text
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
	if p.timeline == nil {
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
	if q.Time == nil && at != len(p.states)-1 {
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
	steps, err := plan.Trace(ctx, p.timeline)
	if err != nil {
		return err
	}
	for _, s := range steps {
		a.Steps = append(a.Steps, counted{strings.Join(strings.Fields(text[s.Span.Start:s.Span.End]), " "), s.Count})
	}
	r, err := plan.Select(ctx, p.timeline, eval.Options{Text: text})
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

// units returns an offset in bytes as UTF-16 units.
func units(text string, offset int) int {
	n := 0
	for _, r := range text[:min(offset, len(text))] {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
