// Package explanation explains selectors, codes, rules and words, for the command line and for
// coding agents.
package explanation

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// Explainer explains one argument.
type Explainer struct {
	*verb.Run
	Edition  string // of selectors; "" means that of the configuration, else of the history
	NoLegacy bool   // forms of older revisions are errors
	Passes   bool   // show which pass of the formatter changes what
	History  string // the name of the history
	Profile  bool   // measure an evaluation on the history
	JSON     bool   // print the profile alone, as JSON
}

// ruleName has the form of the name of a rule. No selector has it.
var ruleName = regexp.MustCompile(`^[a-z]+/[a-z0-9-]+$`)

// IsCodeOrRule reports whether an argument has the form of a code or of the name of a rule.
func IsCodeOrRule(arg string) bool {
	return strings.HasPrefix(arg, "E_") || ruleName.MatchString(arg)
}

// Explain prints what an argument means, on a history if t is not nil. The error is about a code or
// a rule that does not exist.
func (e *Explainer) Explain(ctx context.Context, arg string, cfg *config.Config, t *engine.Timeline) error {
	if strings.HasPrefix(arg, "E_") {
		return e.explainCode(diag.Code(arg))
	}
	if r := lint.Lookup(arg, cfg.Rules()...); r != nil {
		e.ExplainRule(r)
		return nil
	}
	if ruleName.MatchString(arg) {
		if near := names.Nearest(arg, lint.Names(cfg.Rules()...)); near != "" {
			return fmt.Errorf("there is no rule %s; did you mean %s?", arg, near)
		}
		return fmt.Errorf("there is no rule %s; 'pactkit rules' lists them", arg)
	}
	o := format.Options{Edition: open.EditionOf(e.Edition, cfg, t)}
	q, plan, found := compiled.Compile(arg, parser.Options{Edition: o.Edition, NoLegacy: e.NoLegacy})
	if plan != nil {
		if e.JSON {
			e.profile(ctx, arg, plan, t)
			return nil
		}
		e.explainSelector(arg, q, o)
		fmt.Fprintf(e.Out, "\nplan\n")
		e.indented(plan.String())
		if t != nil {
			open.ReportSelector(e.Run, "", arg, open.WordFacts(cfg, t).Unknown(ctx, arg, o.Edition))
			e.explainOn(ctx, arg, plan, t)
			if e.Profile {
				e.profile(ctx, arg, plan, t)
			}
		}
		return nil
	}
	if terms := findTerms(arg); len(terms) > 0 {
		for i, t := range terms {
			if i > 0 {
				fmt.Fprintln(e.Out)
			}
			e.explainTerm(t)
		}
		return nil
	}
	open.ReportFound(e.Run, arg, found)
	if near := nearestTerms(arg); len(near) > 0 {
		e.Note("as a word of the language: did you mean %s?", strings.Join(near, " or "))
	}
	return nil
}

func (e *Explainer) explainSelector(src string, q *ast.Query, o format.Options) {
	for _, line := range explain.Query(q) {
		fmt.Fprintln(e.Out, line)
	}
	fmt.Fprintln(e.Out)
	for _, o.Style = range []format.Style{format.Canonical, format.Compact} {
		var passes strings.Builder
		if e.Passes {
			o.Trace = func(p format.Pass, text string) {
				fmt.Fprintf(&passes, "  %s: %s\n    %s\n", p.Name, p.Doc, text)
			}
		}
		fmt.Fprintf(e.Out, "%-10s %s\n%s", o.Style, format.Node(q, o), passes.String())
	}
	for _, l := range q.Legacy() {
		written := verb.Visible(l.Text(src))
		if l.Modern == "" {
			fmt.Fprintf(e.Out, "%-10s %s is a form of an older revision\n", "legacy", written)
		} else {
			fmt.Fprintf(e.Out, "%-10s %s is a form of an older revision; write %s\n", "legacy", written, l.Modern)
		}
	}
}

func (e *Explainer) indented(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(e.Out, strings.TrimRight("  "+line, " \n"))
	}
}

// maxMatches is how many nodes of a result are named.
const maxMatches = 10

// explainOn prints the number of nodes after each step of a selector on a history, and the result.
func (e *Explainer) explainOn(ctx context.Context, text string, plan *eval.Plan, t *engine.Timeline) {
	steps, err := plan.Trace(ctx, t)
	if err != nil {
		open.FailEval(e.Run, text, err)
		return
	}
	fmt.Fprintf(e.Out, "\non %s\n", e.History)
	r := verb.NewReporter(e.Out, "", "", e.Paints)
	for i, s := range steps {
		written := verb.Visible(strings.Join(strings.Fields(text[s.Span.Start:s.Span.End]), " "))
		switch {
		case i == 0:
		case s.Fragment != steps[i-1].Fragment:
			fmt.Fprintln(e.Out, "  ,")
		case s.Chain != steps[i-1].Chain:
			fmt.Fprintln(e.Out, "  ??")
		}
		switch {
		case s.Skipped:
			fmt.Fprintf(e.Out, "  %8s  %s\n", "-", written)
		case s.Empty:
			fmt.Fprintf(e.Out, "  %8d  %s  %s\n", 0, written, r.Paint("1;33", "← nothing is left here"))
		default:
			fmt.Fprintf(e.Out, "  %8d  %s\n", s.Count, written)
		}
	}
	result, err := plan.Select(ctx, t, eval.Options{Text: text})
	if err != nil {
		open.FailEval(e.Run, text, err)
		return
	}
	open.ReportSelector(e.Run, "", text, result.Warnings)
	if result.Kind == eval.KindRange {
		fmt.Fprintf(e.Out, "answer: the differences between %s\n", verb.Count(len(result.Range.Snapshots), "snapshot"))
		return
	}
	ids := result.IDs()
	fmt.Fprintf(e.Out, "answer: %s\n", verb.Count(len(ids), "node"))
	for _, id := range ids[:min(len(ids), maxMatches)] {
		fmt.Fprintf(e.Out, "  %s\n", verb.Visible(id))
	}
	if left := len(ids) - maxMatches; left > 0 {
		fmt.Fprintf(e.Out, "  and %d more\n", left)
	}
}

func (e *Explainer) explainCode(code diag.Code) error {
	if info, ok := diag.LookupCode(code); ok {
		fmt.Fprintf(e.Out, "%s: %s\n\n%s\n", info.Code, info.Title, e.Named(info.Doc))
		if info.Example != "" {
			fmt.Fprintf(e.Out, "\nexample    %s\n", info.Example)
		}
		return nil
	}
	for info := range historyCodes {
		if string(info.Code) == string(code) {
			fmt.Fprintf(e.Out, "%s: an error about a history or a tree\n\n%s\n", info.Code, e.Named(info.Doc))
			return nil
		}
	}
	if near := names.Nearest(string(code), allCodes); near != "" {
		return fmt.Errorf("there is no code %s; did you mean %s?", code, near)
	}
	return fmt.Errorf("there is no code %s", code)
}

func (e *Explainer) explainTerm(t *vocab.Term) {
	fmt.Fprintf(e.Out, "%s: %s\n", t.Name, kindNames[t.Kind])
	if text := strings.TrimSpace(t.Summary + " " + t.Doc); text != "" {
		fmt.Fprintf(e.Out, "\n%s\n", text)
	}
	fmt.Fprintln(e.Out)
	for _, row := range []struct{ name, text string }{
		{"also", strings.Join(t.Aliases, " ")},
		{"values", strings.Join(t.Params, " ")},
		{"since", t.Since},
		{"instead", t.Deprecated},
	} {
		if row.text != "" {
			fmt.Fprintf(e.Out, "%-10s %s\n", row.name, row.text)
		}
	}
	for _, written := range t.Examples {
		fmt.Fprintf(e.Out, "%-10s %s\n", "example", written)
	}
}

// Text returns what [Explainer.Explain] prints; an error of type [*failure.Failure] holds what it
// reports. The name is that of the history.
func Text(ctx context.Context, r *verb.Run, cfg *config.Config, what, name string, t *engine.Timeline) (string, error) {
	var out, report bytes.Buffer
	quiet := &verb.Run{Program: r.Program, Folder: r.Folder, Out: bufio.NewWriter(&out), Err: &report}
	e := &Explainer{Run: quiet, History: (&open.HistoryFlags{From: []string{name}}).Name()}
	err := e.Explain(ctx, what, cfg, t)
	if flushed := quiet.Out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		return "", &failure.Failure{Code: engine.ErrNotFound, Message: err.Error()}
	}
	if quiet.Code == verb.ExitClean {
		return out.String() + report.String(), nil
	}
	f := &failure.Failure{Code: engine.ErrNotFound, Message: strings.TrimSpace(report.String())}
	if _, found := compiled.Select(what, open.EditionOf("", cfg, t)); len(suite.OnlyErrors(found)) > 0 {
		f.Code = engine.Code(suite.OnlyErrors(found)[0].Code)
	}
	return "", f
}
