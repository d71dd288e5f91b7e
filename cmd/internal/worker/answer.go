package worker

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/sessions"
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
	var first []byte // the answer if there is nothing but an error
	for one, err := range s.open(ctx, q.source, &notes) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.WriteString(comma(count))
		count++
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
			file := q.source.named()
			if q.source.Path != "" {
				file = cmp.Or(one.Path, file)
			}
			p := s.problemOf(err, file)
			fmt.Fprintf(b, `,"error":%s`, canonjson.EncodeLine(p))
			if count == 1 && one.Timeline == nil {
				first = failureOf(q.id, p)
			}
		}
		b.WriteByte('}')
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if count == 1 && first != nil {
		return first, nil
	}
	b.WriteByte(']')
	appendNotes(b, notes)
	b.WriteByte('}')
	return b.Bytes(), nil
}

// ask appends everything that a request asks about one history.
func (s *server) ask(ctx context.Context, b *bytes.Buffer, q *request, one sessions.Session) error {
	if q.selectors != nil {
		s.askSelectors(ctx, b, q, one.Timeline)
	}
	if q.calls {
		b.WriteString(`,"calls":[`)
		sep := ""
		o := calls.Options{History: one.Name, Prices: s.Prices, Windows: s.Windows, Cache: true, States: true, Shares: q.shares, Files: shareFiles}
		for c, err := range calls.Of(ctx, one.Timeline, o) {
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

// shareFiles is how many files of a tool have a share each.
const shareFiles = 20

// askSelectors appends the answers of one history to the selectors.
func (s *server) askSelectors(ctx context.Context, b *bytes.Buffer, q *request, t *engine.Timeline) {
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
		if err := s.answerOne(ctx, b, q, t, one.text); err != nil {
			fmt.Fprintf(b, `{"error":%s}`, canonjson.EncodeLine(s.problemOf(err, "")))
		}
		if ctx.Err() != nil {
			return
		}
	}
	b.WriteByte(end)
}

// answerOne appends the answer to one selector, unless there is an error.
func (s *server) answerOne(ctx context.Context, b *bytes.Buffer, q *request, t *engine.Timeline, text string) error {
	edition := t.Edition()
	if q.edition != nil {
		edition = *q.edition
	}
	plan, found := compiled.Select(text, edition)
	if plan == nil {
		return &eval.Error{Diagnostics: suite.OnlyErrors(found)}
	}
	var steps []eval.TraceStep
	if q.trace {
		var err error
		if steps, err = plan.Plan.Trace(ctx, t); err != nil {
			return err
		}
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
	unknown := s.wordsIn(t).Unknown(ctx, text, edition)
	appendWarnings(b, slices.Concat(found, unknown, r.Warnings))
	appendMisspelled(b, text, unknown)
	appendSteps(b, text, steps)
	b.WriteByte('}')
	return nil
}

// wordsIn returns the words of a history. Those of the last history are kept.
func (s *server) wordsIn(t *engine.Timeline) *fixtures.Facts {
	if s.wordsOf != t {
		s.words, s.wordsOf = fixtures.Of([]fixtures.Fixture{{Timeline: t}}, s.Known), t
	}
	return s.words
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
		text := d.Message
		if d.Hint != "" {
			text += "; " + d.Hint
		}
		fmt.Fprintf(b, `%s%s`, sep, canonjson.AppendString(nil, fmt.Sprintf("%s [%s]", text, d.Code)))
		sep = ","
	}
	if sep == "," {
		b.WriteByte(']')
	}
}

// appendMisspelled appends the unknown words of a selector that are close to a known one.
func appendMisspelled(b *bytes.Buffer, text string, unknown []diag.Diagnostic) {
	sep := `,"misspelled":[`
	for _, d := range unknown {
		if len(d.Fixes) == 0 {
			continue
		}
		edit := d.Fixes[0].Edits[0]
		fmt.Fprintf(b, `%s{"word":%s,"near":%s,"range":[%d,%d]}`, sep, canonjson.AppendString(nil, edit.Span.Text(text)),
			canonjson.AppendString(nil, edit.Text), edit.Span.Start, edit.Span.End)
		sep = ","
	}
	if sep == "," {
		b.WriteByte(']')
	}
}

// appendSteps appends how many nodes each step of a selector leaves.
func appendSteps(b *bytes.Buffer, text string, steps []eval.TraceStep) {
	sep := `,"steps":[`
	for _, s := range steps {
		written := strings.Join(strings.Fields(text[s.Span.Start:s.Span.End]), " ")
		fmt.Fprintf(b, `%s{"step":%s`, sep, canonjson.AppendString(nil, written))
		if s.Fragment > 0 {
			fmt.Fprintf(b, `,"fragment":%d`, s.Fragment)
		}
		if s.Chain > 0 {
			fmt.Fprintf(b, `,"side":%d`, s.Chain)
		}
		if !s.Skipped {
			fmt.Fprintf(b, `,"count":%d`, s.Count)
		}
		if s.Empty {
			b.WriteString(`,"empty":true`)
		}
		b.WriteByte('}')
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
		b.Write(canonjson.EncodeLine(n))
	}
	b.WriteByte(']')
	if more := len(notes) - maxNotes; more > 0 {
		fmt.Fprintf(b, `,"more_notes":%d`, more)
	}
}

// refusal is the answer to a line that is not a request.
func (s *server) refusal(id string, err error) []byte { return failureOf(id, s.problemOf(err, "")) }

// failureOf is the answer to a request that cannot be answered.
func failureOf(id string, p *failure.Failure) []byte {
	b := begin(id)
	fmt.Fprintf(b, `,"error":%s}`, canonjson.EncodeLine(p))
	return b.Bytes()
}

// problemOf describes an error about a file, or about the request if file is "". In version 1 of
// the protocol, the message includes the hint.
func (s *server) problemOf(err error, file string) *failure.Failure {
	f := failure.Of(err)
	if s.protocol == 1 {
		f = f.WithHint()
	}
	switch {
	case f.Range != nil: // it is about a selector
	case file == "":
		f.File = ""
	default:
		f.File = cmp.Or(f.File, file) // its own may be one of several that belong together
	}
	f.Code = cmp.Or(f.Code, ErrFile)
	return f
}
