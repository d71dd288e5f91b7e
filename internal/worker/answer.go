package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/plainjson"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/suite"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread"
)

// The kinds of answers to selectors.
const (
	wantIDs   = "ids"   // as 'pactkit eval --batch' prints
	wantNodes = "nodes" // all members of the nodes except their children
)

// maxNotes is how many notes an answer has. The others are counted.
const maxNotes = 20

// run answers a request.
func (s *server) run(ctx context.Context, q *request) ([]byte, error) {
	b := begin(q.id)
	b.WriteString(`,"histories":[`)
	var notes []thread.Note
	count := 0
	var first error
	for one, err := range s.open(ctx, q.source, &notes) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.WriteString(comma(count))
		if count++; count == 1 {
			first = err
		}
		fmt.Fprintf(b, `{"name":%s`, canonjson.AppendString(nil, one.Name))
		if q.source.Path != "" {
			fmt.Fprintf(b, `,"path":%s`, canonjson.AppendString(nil, one.Path))
		}
		if err == nil {
			err = s.ask(ctx, b, q, one)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(b, `,"error":%s`, errorJSON(err))
		}
		b.WriteByte('}')
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if count == 1 && first != nil {
		return nil, first
	}
	b.WriteByte(']')
	appendNotes(b, notes)
	b.WriteByte('}')
	return b.Bytes(), nil
}

// ask appends everything that a request asks about one history.
func (s *server) ask(ctx context.Context, b *bytes.Buffer, q *request, one sessions.Session) error {
	if q.selectors != nil {
		q.askSelectors(ctx, b, one.Timeline)
	}
	if q.calls {
		b.WriteString(`,"calls":[`)
		sep := ""
		for c, err := range calls.Of(ctx, one.Timeline, calls.Options{History: one.Name}) {
			if err != nil {
				return err
			}
			b.WriteString(sep)
			b.Write(c.AppendJSON(nil))
			sep = ","
		}
		b.WriteByte(']')
	}
	if q.asksSuite {
		report, err := s.Test(ctx, q.suite, one.Timeline)
		if err != nil {
			return err
		}
		b.WriteString(`,"test":`)
		b.Write(report)
	}
	return nil
}

// askSelectors appends the answers of one history to the selectors.
func (q *request) askSelectors(ctx context.Context, b *bytes.Buffer, t *engine.Timeline) {
	open, end := byte('['), byte(']')
	if q.named {
		open, end = '{', '}'
	}
	b.WriteString(`,"answers":`)
	b.WriteByte(open)
	for i, one := range q.selectors {
		b.WriteString(comma(i))
		if q.named {
			b.Write(canonjson.AppendString(nil, one.name))
			b.WriteByte(':')
		}
		if err := q.answerOne(ctx, b, t, one.text); err != nil {
			fmt.Fprintf(b, `{"error":%s}`, errorJSON(err))
		}
		if ctx.Err() != nil {
			return
		}
	}
	b.WriteByte(end)
}

// answerOne appends the answer to one selector, unless there is an error.
func (q *request) answerOne(ctx context.Context, b *bytes.Buffer, t *engine.Timeline, text string) error {
	edition := t.Edition()
	if q.edition != nil {
		edition = *q.edition
	}
	plan, found := prepare.Select(text, edition)
	if plan == nil {
		return &eval.Error{Diagnostics: suite.OnlyErrors(found)}
	}
	o := q.options
	o.Text = text
	r, err := plan.Plan.Select(ctx, t, o)
	if err != nil {
		return err
	}
	switch {
	case r.Kind == eval.KindRange:
		b.Write(r.AppendJSON([]byte(`{"range":`)))
	case q.want == wantNodes && r.Kind == eval.KindLatest:
		b.WriteString(`{"latest":[`)
		for i, l := range r.Latest {
			fmt.Fprintf(b, `%s{"snapshot":%s,"node":`, comma(i), canonjson.AppendString(nil, l.Snapshot.Label))
			appendNode(b, l.Node)
			b.WriteByte('}')
		}
		b.WriteByte(']')
	case q.want == wantNodes:
		b.WriteString(`{"nodes":[`)
		for i, n := range r.Nodes {
			b.WriteString(comma(i))
			appendNode(b, n)
		}
		b.WriteByte(']')
	case r.Kind == eval.KindLatest:
		b.Write(r.AppendJSON([]byte(`{"latest":`)))
	default:
		b.Write(r.AppendJSON([]byte(`{"ids":`)))
	}
	appendWarnings(b, append(found, r.Warnings...))
	b.WriteByte('}')
	return nil
}

// comma returns the separator before the element with an index.
func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// appendNode appends a node with all members except its children.
func appendNode(b *bytes.Buffer, n engine.Node) {
	for i, name := range n.Headers() {
		if i == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		b.Write(canonjson.AppendString(nil, name))
		b.WriteByte(':')
		b.WriteString(n.Header(name).String())
	}
	b.WriteByte('}')
}

// appendWarnings appends what was found about a selector.
func appendWarnings(b *bytes.Buffer, found []diag.Diagnostic) {
	sep := `,"warnings":[`
	for _, d := range found {
		if d.Severity != diag.Warning {
			continue
		}
		fmt.Fprintf(b, `%s%s`, sep, canonjson.AppendString(nil, fmt.Sprintf("%s [%s]", d.Message, d.Code)))
		sep = ","
	}
	if sep == "," {
		b.WriteByte(']')
	}
}

// appendNotes appends the notes of a source, the first of many.
func appendNotes(b *bytes.Buffer, notes []thread.Note) {
	if len(notes) == 0 {
		return
	}
	b.WriteString(`,"notes":[`)
	for i, n := range notes[:min(len(notes), maxNotes)] {
		b.WriteString(comma(i))
		b.Write(plainjson.Line(n))
	}
	b.WriteByte(']')
	if more := len(notes) - maxNotes; more > 0 {
		fmt.Fprintf(b, `,"more_notes":%d`, more)
	}
}

// problem is an error as it is sent in an answer.
type problem struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Line    int      `json:"line,omitempty"`  // of the log or history, from 1
	Path    string   `json:"path,omitempty"`  // JSON path in it
	Range   []int    `json:"range,omitempty"` // bytes of the selector, end exclusive
	Codes   []string `json:"codes,omitempty"` // of all errors, when there are several
}

// failure is the answer to a request that cannot be answered.
func failure(id string, err error) []byte {
	b := begin(id)
	fmt.Fprintf(b, `,"error":%s}`, errorJSON(err))
	return b.Bytes()
}

// errorJSON returns an error as JSON.
func errorJSON(err error) []byte {
	p := problem{Code: string(ErrFile), Message: atomicfile.Reason(err)}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		p = problem{Code: string(e.Code), Message: e.Msg, Line: e.Line, Path: e.Path}
	}
	if e, ok := errors.AsType[*store.Error](err); ok {
		p = problem{Code: string(e.Code), Message: e.Msg}
	}
	if e, ok := errors.AsType[*eval.Error](err); ok {
		d := e.Diagnostics[0]
		p = problem{Code: string(d.Code), Message: d.Message, Range: []int{d.Span.Start, d.Span.End}}
		if d.Hint != "" {
			p.Message += "; " + d.Hint
		}
		if len(e.Diagnostics) > 1 {
			for _, d := range e.Diagnostics {
				p.Codes = append(p.Codes, string(d.Code))
			}
		}
	}
	return plainjson.Line(p)
}
