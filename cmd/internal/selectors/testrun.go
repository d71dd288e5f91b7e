package selectors

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

// suiteReport is the result of a suite.
type suiteReport struct {
	name  string
	title string
	text  string
	cases []caseReport
	err   error // why the suite could not be run
}

// caseReport is the result of a case.
type caseReport struct {
	suite.Outcome
	updated bool
	session string // the session, if there are many; otherwise empty
}

func (c caseReport) status() string {
	switch {
	case c.Err != nil:
		return "error"
	case c.updated:
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

func (v *testVerb) runFile(ctx context.Context, t verb.Target) suiteReport {
	data, err := readSuite(t)
	if err != nil {
		return suiteReport{name: t.Name, err: err}
	}
	return v.runSuite(ctx, t, data)
}

// readSuite reads the file of a suite.
func readSuite(t verb.Target) ([]byte, error) {
	data, err := atomicfile.Read(t.Path, verb.MaxFileSize)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, errors.New("it is larger than 10 MB; keep the history in a file of its own (%files)")
	case err != nil:
		return nil, errors.New(atomicfile.Reason(err))
	}
	return data, nil
}

// runSuite runs the cases of a suite and updates it if asked to.
func (v *testVerb) runSuite(ctx context.Context, t verb.Target, data []byte) suiteReport {
	s, err := suite.Parse(t.Name, string(data))
	if err != nil {
		return suiteReport{name: t.Name, text: string(data), err: err}
	}
	report := suiteReport{name: t.Name, text: string(data), title: s.Title}
	clear(v.words) // histories of another suite may go
	r := v.runner(t)
	answers := make([]*suite.Answer, len(s.Cases))
	stale := 0
	for i, c := range s.Cases {
		out := caseReport{Outcome: r.Run(ctx, s, c)}
		if v.update && !out.Passed && out.Err == nil && !c.Want.Equal(out.Answer) {
			answers[i], out.updated = &out.Answer, true
			stale++
		}
		report.cases = append(report.cases, out)
		v.checkWords(ctx, t.Config, report.location(out), &out.Outcome)
	}
	if stale > 0 {
		if report.err = v.rewrite(ctx, t, s, data, answers); report.err != nil {
			report.cases = nil
		} else {
			v.Note("%s: %s updated", verb.Visible(t.Name), verb.Count(stale, "case"))
		}
	}
	return report
}

// checkWords collects the words of a case that neither the language nor its history has. They are
// printed after the progress.
func (v *testVerb) checkWords(ctx context.Context, cfg *config.Config, location string, o *suite.Outcome) {
	if cfg == nil || o.History == nil || o.Answer.Kind == suite.Errors || o.Case.Selector == "" {
		return
	}
	known := v.words[o.History]
	if known == nil {
		known = open.WordFacts(cfg, o.History)
		v.words[o.History] = known
	}
	if found := known.Unknown(ctx, o.Case.Selector, o.Edition); len(found) > 0 {
		v.unknown = append(v.unknown, misspelled{location, o.Case.Selector, found})
	}
}

// runner runs the cases of one suite.
func (v *testVerb) runner(t verb.Target) *suite.Runner {
	var logs sessions.Options
	v.each.Apply(&logs)
	return &suite.Runner{
		Open: func(ctx context.Context, name string, o engine.ReadOptions) (*engine.Timeline, error) {
			name = sessions.Rooted(name, filepath.Dir(t.Path))
			if shown := v.Name(name); shown != verb.StdinName {
				name = shown
			}
			h, _, err := open.ReadHistory(ctx, v.Run, name, &open.HistoryFlags{LogFlags: v.each.LogFlags}, o)
			if err != nil && !open.IsCoded(err) {
				err = fmt.Errorf("the history %s: %s", store.Redacted(name), atomicfile.Reason(err))
			}
			if err == nil {
				v.wasRead(name, name, h)
			}
			return h, err
		},
		Archived: func(name string, h *engine.Timeline) { v.wasRead(name, "", h) },
		Edition:  func(h *engine.Timeline) ast.Edition { return open.EditionOf(v.selector.Edition.Value, t.Config, h) },
		History:  v.on,
		Logs:     logs,
		Strict:   v.strict,
		NoLegacy: v.selector.NoLegacy,
	}
}

// wasRead collects the warnings of a history, once for each name. They are printed after the
// progress.
func (v *testVerb) wasRead(name, file string, h *engine.Timeline) {
	if w := h.Warnings(); len(w) > 0 && !v.seen[name] {
		v.seen[name] = true
		v.lenient = append(v.lenient, lenientHistory{file, w})
	}
}

// rewrite writes new answers into a suite, after it has proved that they pass.
func (v *testVerb) rewrite(ctx context.Context, t verb.Target, s *suite.Suite, data []byte, answers []*suite.Answer) error {
	text, err := s.Rewrite(answers)
	if err != nil {
		return err
	}
	again, err := suite.Parse(t.Name, text)
	if err != nil {
		return verb.InternalError(err)
	}
	r := v.runner(t)
	for i, c := range again.Cases {
		if out := r.Run(ctx, again, c); answers[i] != nil && !out.Passed || c.Selector != s.Cases[i].Selector {
			return verb.InternalError(fmt.Errorf("the case at line %d does not pass with its new answer", c.Line))
		}
	}
	if err := atomicfile.Replace(t.Path, data, []byte(text)); err != nil {
		return fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
	}
	return nil
}

// TestHistory runs a suite on a history, for a worker.
func TestHistory(ctx context.Context, r *verb.Run, text string, t *engine.Timeline) ([]byte, error) {
	quiet := &verb.Run{Program: r.Program, Folder: r.Folder, Err: io.Discard, Quiet: true}
	v := &testVerb{Run: quiet, on: t, seen: map[string]bool{}, words: map[*engine.Timeline]*fixtures.Facts{}}
	name := "suite.yaml"
	if strings.HasPrefix(text, "-- ") || strings.Contains(text, "\n-- ") {
		name = "suite.txtar"
	}
	reports := []suiteReport{v.runSuite(ctx, verb.Target{Name: name}, []byte(text))}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	v.count(reports)
	return canonjson.EncodeLine(v.jsonOf(reports)), nil
}
