// Package testrun runs suites, and reports which of their cases passed.
package testrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
)

// Runner runs suites, one after the other.
type Runner struct {
	*verb.Run
	Selector open.SelectorFlags
	Logs     open.LogFlags
	Strict   bool             // histories that break an invariant are errors
	Update   bool             // write the answers of the cases that fail
	On       *engine.Timeline // the timeline to run every case on; nil for the histories of the suites

	words   map[*engine.Timeline]*fixtures.Facts
	unknown []misspelled
	lenient []lenientHistory // in the order they were read
	seen    map[string]bool  // their names: cases and suites share histories
}

// New returns a runner whose warnings and notes go to a run.
func New(r *verb.Run) *Runner {
	return &Runner{Run: r, seen: map[string]bool{}, words: map[*engine.Timeline]*fixtures.Facts{}}
}

// Report is the result of a suite.
type Report struct {
	Name  string
	Title string
	Text  string
	Cases []Case
	Err   error // why the suite could not be run
}

// Case is the result of a case.
type Case struct {
	suite.Outcome
	Updated bool   // its answer was written
	Session string // the session, if there are many; otherwise empty
}

// Status returns "passed", "failed", "updated", or "error" for a case that could not be run.
func (c Case) Status() string {
	switch {
	case c.Err != nil:
		return "error"
	case c.Updated:
		return "updated"
	case c.Passed:
		return "passed"
	}
	return "failed"
}

// misspelled is the findings about the words of one case.
type misspelled struct {
	location, selector string
	found              []diag.Diagnostic
}

// lenientHistory is a history with broken invariants.
type lenientHistory struct {
	file     string // "" for one in a suite
	warnings []*engine.Error
}

// RunFile runs the suite in a file, or the examples of the rules that a configuration declares.
func (r *Runner) RunFile(ctx context.Context, t verb.Target) Report {
	if t.Config.Tests(t.Path) {
		return runRules(ctx, t)
	}
	data, err := ReadFile(t)
	if err != nil {
		return Report{Name: t.Name, Err: err}
	}
	return r.RunText(ctx, t, data)
}

// ReadFile reads the file of a suite.
func ReadFile(t verb.Target) ([]byte, error) {
	data, err := atomicfile.Read(t.Path, verb.MaxFileSize)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, errors.New("it is larger than 10 MB; keep the history in a file of its own (%files)")
	case err != nil:
		return nil, errors.New(atomicfile.Reason(err))
	}
	return data, nil
}

// RunText runs the suite in the text of a file, and updates the file if asked to.
func (r *Runner) RunText(ctx context.Context, t verb.Target, data []byte) Report {
	s, err := suite.Parse(t.Name, string(data))
	if err != nil {
		return Report{Name: t.Name, Text: string(data), Err: err}
	}
	report := Report{Name: t.Name, Text: string(data), Title: s.Title}
	clear(r.words) // histories of another suite may go
	cases := r.runner(t)
	answers := make([]*suite.Answer, len(s.Cases))
	stale := 0
	for i, c := range s.Cases {
		out := Case{Outcome: cases.Run(ctx, s, c)}
		if r.Update && !out.Passed && out.Err == nil && !c.Want.Equal(out.Answer) {
			answers[i], out.Updated = &out.Answer, true
			stale++
		}
		report.Cases = append(report.Cases, out)
		r.checkWords(ctx, t.Config, report.location(out), &out.Outcome)
	}
	if stale > 0 {
		if report.Err = r.rewrite(ctx, t, s, data, answers); report.Err != nil {
			report.Cases = nil
		} else {
			r.Note("%s: %s updated", verb.Visible(t.Name), verb.Count(stale, "case"))
		}
	}
	return report
}

// checkWords collects the words of a case that neither the language nor its history has. They are
// printed after the progress.
func (r *Runner) checkWords(ctx context.Context, cfg *config.Config, location string, o *suite.Outcome) {
	if cfg == nil || o.History == nil || o.Answer.Kind == suite.Errors || o.Case.Selector == "" {
		return
	}
	known := r.words[o.History]
	if known == nil {
		known = open.WordFacts(cfg, o.History)
		r.words[o.History] = known
	}
	if found := known.Unknown(ctx, o.Case.Selector, o.Edition); len(found) > 0 {
		r.unknown = append(r.unknown, misspelled{location, o.Case.Selector, found})
	}
}

// runner runs the cases of one suite.
func (r *Runner) runner(t verb.Target) *suite.Runner {
	var logs sessions.Options
	r.Logs.Apply(&logs)
	return &suite.Runner{
		Open: func(ctx context.Context, name string, o engine.ReadOptions) (*engine.Timeline, error) {
			name = sessions.Rooted(name, filepath.Dir(t.Path))
			if shown := r.Name(name); shown != verb.StdinName {
				name = shown
			}
			h, _, err := open.ReadHistory(ctx, r.Run, name, &open.HistoryFlags{LogFlags: r.Logs}, o)
			if err != nil && !open.IsCoded(err) {
				err = fmt.Errorf("the history %s: %s", store.Redacted(name), atomicfile.Reason(err))
			}
			if err == nil {
				r.wasRead(name, name, h)
			}
			return h, err
		},
		Archived: func(name string, h *engine.Timeline) { r.wasRead(name, "", h) },
		Edition:  func(h *engine.Timeline) ast.Edition { return open.EditionOf(r.Selector.Edition.Value, t.Config, h) },
		History:  r.On,
		Logs:     logs,
		Strict:   r.Strict,
		NoLegacy: r.Selector.NoLegacy,
	}
}

// wasRead collects the warnings of a history, once for each name. They are printed after the
// progress.
func (r *Runner) wasRead(name, file string, h *engine.Timeline) {
	if w := h.Warnings(); len(w) > 0 && !r.seen[name] {
		r.seen[name] = true
		r.lenient = append(r.lenient, lenientHistory{file, w})
	}
}

// Count sets the exit code and its reasons. It prints the warnings about histories and selectors
// first.
func (r *Runner) Count(reports []Report) {
	for _, h := range r.lenient {
		open.WarnInvariants(r.Run, h.file, h.warnings)
	}
	for _, u := range r.unknown {
		open.ReportSelector(r.Run, u.location, u.selector, u.found)
	}
	failed := 0
	for _, s := range reports {
		if s.Err != nil {
			r.Fail("%s: %s", verb.Visible(s.Name), verb.Visible(s.Err.Error()))
		}
		reported := map[string]bool{}
		for _, c := range s.Cases {
			switch c.Status() {
			case "failed":
				failed++
			case "error":
				if text := c.Err.Error(); !reported[text] { // cases share histories
					reported[text] = true
					if !strings.HasPrefix(text, s.Name+":") {
						text = s.Name + ": " + text
					}
					r.Fail("%s", verb.Visible(text))
				}
			}
		}
	}
	if failed > 0 {
		r.Find("%s", verb.Count(failed, "failed case"))
	}
}

// rewrite writes new answers into a suite, after it has proved that they pass.
func (r *Runner) rewrite(ctx context.Context, t verb.Target, s *suite.Suite, data []byte, answers []*suite.Answer) error {
	text, err := s.Rewrite(answers)
	if err != nil {
		return err
	}
	again, err := suite.Parse(t.Name, text)
	if err != nil {
		return verb.InternalError(err)
	}
	cases := r.runner(t)
	for i, c := range again.Cases {
		if out := cases.Run(ctx, again, c); answers[i] != nil && !out.Passed || c.Selector != s.Cases[i].Selector {
			return verb.InternalError(fmt.Errorf("the case at line %d does not pass with its new answer", c.Line))
		}
	}
	if err := atomicfile.Replace(t.Path, data, []byte(text)); err != nil {
		return fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
	}
	return nil
}

// History runs a suite on a history, and returns the report as a line of JSON
// (docs/schemas/test.json). The error is that of the context.
func History(ctx context.Context, r *verb.Run, text string, t *engine.Timeline) ([]byte, error) {
	quiet := New(&verb.Run{Program: r.Program, Folder: r.Folder, Err: io.Discard, Quiet: true})
	quiet.On = t
	name := "suite.yaml"
	if strings.HasPrefix(text, "-- ") || strings.Contains(text, "\n-- ") {
		name = "suite.txtar"
	}
	reports := []Report{quiet.RunText(ctx, verb.Target{Name: name}, []byte(text))}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	quiet.Count(reports)
	return canonjson.EncodeLine(quiet.jsonOf(reports)), nil
}
