package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/parser"
)

// Runner runs cases.
type Runner struct {
	// Open reads a history that is not in the archive. Its name is as in the suite: a file or
	// FILE#NAME, relative to the folder of the suite, or the address of a history in a store.
	Open func(ctx context.Context, name string, o engine.ReadOptions) (*engine.Timeline, error)
	// Archived is called for each history that is read from the archive, with the name that
	// messages use for it.
	Archived func(name string, t *engine.Timeline)
	// History, if set, is the history on which every case is run, instead of the histories of the
	// suite.
	History *engine.Timeline
	// Edition returns the edition for a case that does not set one, given its history.
	Edition func(*engine.Timeline) ast.Edition
	// Logs says how logs in the archive are read: its kind and the member with the messages.
	Logs sessions.Options
	// Strict and NoLegacy apply to every case.
	Strict, NoLegacy bool

	suite     *Suite
	histories map[string]history
	sessions  map[*engine.Timeline]sessionCalls
}

type history struct {
	t   *engine.Timeline
	err error
}

// Outcome is the result of a case.
type Outcome struct {
	Case   *Case
	Passed bool
	Answer Answer            // the result of the selector; for expectations, values that satisfy them
	Found  []diag.Diagnostic // about the selector
	Steps  []eval.TraceStep  // how many nodes each step found, if the case failed and nothing was found
	Err    error             // why the case could not be run

	Failures []Failure // the expectations that were not met
	Hints    []string  // what may be wrong with a case that failed

	History *engine.Timeline // the history that the case was run on
	Edition ast.Edition      // the edition that the selector was read in
}

// Run runs a case of a suite.
func (r *Runner) Run(ctx context.Context, s *Suite, c *Case) Outcome {
	if r.suite != s {
		r.suite, r.histories, r.sessions = s, map[string]history{}, map[*engine.Timeline]sessionCalls{}
	}
	out := Outcome{Case: c}
	t, err := r.history(ctx, c)
	if err != nil {
		out.Err = err
		return out
	}
	edition := r.Edition(t)
	if c.Edition != nil {
		edition = *c.Edition
	}
	out.History, out.Edition = t, edition
	if c.Want.Kind == Session {
		r.runSession(ctx, c, &out)
	} else {
		r.runSelector(ctx, c, &out)
	}
	return out
}

// runSelector runs a case whose answer is that of its selector.
func (r *Runner) runSelector(ctx context.Context, c *Case, out *Outcome) {
	t := out.History
	q, plan, found := compiled.Compile(c.Selector, parser.Options{Edition: out.Edition, NoLegacy: c.NoLegacy || r.NoLegacy})
	out.Found = found
	var result *eval.Result
	var err error
	if plan == nil {
		err = &eval.Error{Diagnostics: OnlyErrors(found)}
	} else {
		o := c.Options
		o.Text = c.Selector
		if result, err = plan.Select(ctx, t, o); err == nil {
			out.Found = append(out.Found, result.Warnings...)
		}
	}
	if out.Answer, out.Err = AnswerOf(result, err); out.Err != nil {
		return
	}
	if e, ok := err.(*eval.Error); ok {
		out.Found = e.Diagnostics
	}
	out.Passed = c.Want.Kind != Missing && c.Want.Equal(out.Answer)
	if !out.Passed && c.Want.Kind != Missing && q != nil {
		out.Hints = movedIn(t, q.Time)
	}
	if !out.Passed && out.Answer.Kind == IDs && len(out.Answer.IDs) == 0 {
		out.Steps, _ = plan.Trace(ctx, t) // without the steps, the failure is only less clear
	}
}

// OnlyErrors returns the errors among diagnostics.
func OnlyErrors(found []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// history returns the history of a case. It reads each list of files once.
func (r *Runner) history(ctx context.Context, c *Case) (*engine.Timeline, error) {
	if r.History != nil {
		return r.History, nil
	}
	names := c.Files
	if len(names) == 0 {
		names = r.suite.order
	}
	if len(names) == 0 {
		return nil, problem(c.Line, "there is no history: the suite neither contains nor names one")
	}
	strict := c.Strict || r.Strict
	key := fmt.Sprintf("%t %q", strict, names)
	h, ok := r.histories[key]
	if !ok {
		h.t, h.err = r.join(ctx, names, engine.ReadOptions{Strict: strict})
		r.histories[key] = h
	}
	return h.t, h.err
}

func (r *Runner) join(ctx context.Context, names []string, o engine.ReadOptions) (*engine.Timeline, error) {
	var list []*engine.Timeline
	for _, name := range names {
		var t *engine.Timeline
		var err error
		if text, ok := r.suite.archived[name]; ok {
			name = r.suite.Name + ":" + name
			var one sessions.Session
			in := strings.NewReader(text)
			logs := sessions.Options{From: r.Logs.From, Messages: r.Logs.Messages, Strict: o.Strict}
			if one, err = sessions.ReadOne(ctx, name, in, in.Size(), logs); err == nil {
				t = one.Timeline
				r.Archived(name, t)
			}
		} else {
			t, err = r.Open(ctx, name, o)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return engine.Join(list...)
}
