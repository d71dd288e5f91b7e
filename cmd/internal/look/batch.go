package look

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/parser"
)

// maxBatchLine is the length of the longest line of a batch. A selector is at most 1 MiB.
const maxBatchLine = 8 << 20

// question is one line of a batch.
type question struct {
	selector string
	edition  *ast.Edition
	options  string // JSON; "" for none
}

// batchError is the answer to a question that fails.
type batchError struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Range   [2]int   `json:"range"`           // bytes of the selector, end exclusive
	Codes   []string `json:"codes,omitempty"` // of all errors, when there are several
}

// runBatch answers the questions of a file, each with a line of JSON.
func (v *evalVerb) runBatch(ctx context.Context, t *engine.Timeline, read parser.Options, options eval.Options) {
	in := v.In
	if v.batch != verb.StdinName {
		f, err := atomicfile.Open(v.Abs(v.batch))
		if err != nil {
			v.FailFile(v.batch, err)
			return
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxBatchLine)
	failed := 0
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte(verb.ByteOrderMark))
		}
		if len(line) == 0 {
			continue
		}
		answer, err := v.answer(ctx, t, fmt.Sprintf("%s:%d", verb.Visible(v.batch), n), line, read, options)
		if ctx.Err() != nil {
			v.Interrupt("interrupted at %s:%d", verb.Visible(v.batch), n)
			return
		}
		if err != nil {
			failed++
			answer = errorJSON(err)
		}
		_, _ = v.Out.Write(append(answer, '\n')) // the last flush reports errors
		if v.batch == verb.StdinName {
			_ = v.Out.Flush() // the caller may wait for this answer before it sends the next question
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		v.Fail("%s: a line is longer than 8 MB", verb.Visible(v.batch))
	case err != nil && !errors.Is(err, io.EOF):
		v.FailFile(v.batch, err)
	}
	if failed > 0 {
		v.Find("%s failed", verb.Count(failed, "question"))
	}
}

// answer evaluates one question.
func (v *evalVerb) answer(ctx context.Context, t *engine.Timeline, location string, line []byte, read parser.Options, o eval.Options) ([]byte, error) {
	q, err := parseQuestion(line)
	if err != nil {
		return nil, err
	}
	if q.edition != nil {
		read.Edition = *q.edition
	}
	if q.options != "" {
		if o, err = suite.ParseOptions([]byte(q.options)); err != nil {
			return nil, failure.Shape(engine.ErrFileShape, "options", err)
		}
	}
	o.Text = q.selector
	_, plan, found := compiled.Compile(o.Text, read)
	if plan == nil {
		return nil, &eval.Error{Diagnostics: suite.OnlyErrors(found)}
	}
	open.ReportSelector(v.Run, location, o.Text, append(found, v.words.Unknown(ctx, o.Text, read.Edition)...))
	r, err := plan.Select(ctx, t, o)
	if err != nil {
		return nil, err
	}
	open.ReportSelector(v.Run, location, o.Text, r.Warnings)
	name := map[eval.Kind]string{eval.KindNodes: "ids", eval.KindRange: "range", eval.KindLatest: "latest"}[r.Kind]
	return append(r.AppendJSON(fmt.Appendf(nil, "{%q:", name)), '}'), nil
}

// parseQuestion reads a line of a batch (decision V5).
func parseQuestion(line []byte) (question, error) {
	if _, err := engine.JSON(line); err != nil { // its errors have the codes of JSON
		return question{}, err
	}
	var q question
	asks := false
	err := members.Read(string(line), members.Object{
		"selector": func(s *canonjson.Scanner) error {
			asks = true
			return members.String(&q.selector)(s)
		},
		"edition": func(s *canonjson.Scanner) error {
			text := ""
			if err := members.String(&text)(s); err != nil {
				return err
			}
			edition, ok := ast.ParseEdition(text)
			if !ok {
				return fmt.Errorf("unknown edition %q; use 1.0 or 0.1", text)
			}
			q.edition = &edition
			return nil
		},
		"options": func(s *canonjson.Scanner) (err error) {
			q.options, err = s.Raw()
			return err
		},
	})
	if err != nil {
		return q, failure.Shape(engine.ErrFileShape, "", err)
	}
	if !asks {
		return q, failure.Shape(engine.ErrFileShape, "", errors.New("a question needs a selector"))
	}
	return q, nil
}

// errorJSON is an error as a batch answers it.
func errorJSON(err error) []byte {
	f := failure.Of(err).WithHint()
	one := batchError{Code: string(f.Code), Message: f.Message, Codes: f.Codes}
	copy(one.Range[:], f.Range)
	return canonjson.EncodeLine(map[string]batchError{"error": one})
}
