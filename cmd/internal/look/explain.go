package look

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/mcp"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/cmd/internal/worker"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

const explainLong = `Explain a selector, an error code, a rule or a word.

  SELECTOR  what it searches and what it finds, its canonical and compact form, and how it is evaluated
  CODE      the meaning of an error code, such as E_SELECTOR_AMBIGUOUS
  RULE      what a rule of the linter finds and how to correct it, such as correctness/limit-zero
  WORD      the meaning of a word of the language: an attribute, a control, a pseudo, an operator

Put a selector in quotes to protect it from the shell. With a history (FILE, or -f), explain shows how many nodes are left
after each step of the selector, and the result. If the selector names several snapshots, steps are counted on the newest.

Exit codes: 0 explained; 1 the selector has errors, or no answer; 2 there is no such code, or a history cannot be read.`

const explainExample = `  pactkit explain '.seg > .block[ttl<=1] +user'
  pactkit explain '^seq .block+tool' agent.json
  pactkit explain E_TIME_REQUIRED
  pactkit explain ttl`

// explainVerb explains selectors, codes and words.
type explainVerb struct {
	*verb.Run
	selector open.SelectorFlags
	passes   bool
	history  open.HistoryFlags
}

// Explain returns the verb explain.
func Explain(r *verb.Run) *cobra.Command {
	v := &explainVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "explain SELECTOR|CODE|RULE|WORD [FILE]",
		Short:   "Explain a selector, an error code, a rule or a word",
		Long:    explainLong,
		Example: explainExample,
		Args: func(_ *cobra.Command, args []string) error {
			rest, err := v.history.Take(args, 1)
			switch {
			case len(args) == 0:
				return errors.New("nothing to explain: name a selector, a code or a word")
			case err != nil || len(rest) > 1:
				return errors.New("explain takes one argument; put a selector in quotes")
			}
			return open.CheckStdin(v.history.From...)
		},
		ValidArgsFunction: completeExplain,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0]) },
	}
	v.selector.Add(cmd)
	cmd.Flags().BoolVar(&v.passes, "passes", false, "show which pass of the formatter changes what")
	v.history.AddFrom(cmd)
	v.history.Add(cmd)
	return cmd
}

// completeExplain offers the codes and the words.
func completeExplain(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if len(args) == 0 {
		for c := range diag.Codes() {
			out = append(out, cobra.CompletionWithDesc(string(c.Code), c.Title))
		}
		for c := range historyCodes {
			if _, known := diag.LookupCode(diag.Code(c.Code)); !known {
				out = append(out, cobra.Completion(c.Code))
			}
		}
		for t := range allTerms {
			out = append(out, cobra.CompletionWithDesc(t.Name, kindNames[t.Kind]))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// allTerms yields every word of the language.
func allTerms(yield func(*vocab.Term) bool) {
	for kind := range kindNames {
		for t := range vocab.All(vocab.Kind(kind)) {
			if !yield(t) {
				return
			}
		}
	}
}

func (v *explainVerb) run(ctx context.Context, arg string) error {
	cfg, err := v.selector.Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	var t *engine.Timeline
	if len(v.history.From) > 0 && !isCodeOrRule(arg) {
		if t = open.From(ctx, v.Run, &v.history); t == nil {
			return nil
		}
	}
	return v.explain(ctx, arg, cfg, t)
}

// isCodeOrRule reports whether an argument has the form of a code, or is the name of a rule.
func isCodeOrRule(arg string) bool { return strings.HasPrefix(arg, "E_") || lint.Lookup(arg) != nil }

// explain explains an argument, on a history if t is not nil.
func (v *explainVerb) explain(ctx context.Context, arg string, cfg *config.Config, t *engine.Timeline) error {
	if strings.HasPrefix(arg, "E_") {
		return v.explainCode(diag.Code(arg))
	}
	if r := lint.Lookup(arg); r != nil {
		v.ExplainRule(r)
		return nil
	}
	o := format.Options{Edition: open.EditionOf(v.selector.Edition.Value, cfg, t)}
	q, plan, found := compiled.Compile(arg, parser.Options{Edition: o.Edition, NoLegacy: v.selector.NoLegacy})
	if plan != nil {
		v.explainSelector(arg, q, o)
		fmt.Fprintf(v.Out, "\nplan\n")
		v.indented(plan.String())
		if t != nil {
			open.ReportSelector(v.Run, "", arg, open.WordFacts(cfg, t).Unknown(ctx, arg, o.Edition))
			v.explainOn(ctx, arg, plan, t)
		}
		return nil
	}
	if terms := findTerms(arg); len(terms) > 0 {
		for i, t := range terms {
			if i > 0 {
				fmt.Fprintln(v.Out)
			}
			v.explainTerm(t)
		}
		return nil
	}
	open.ReportFound(v.Run, arg, found)
	if near := nearestTerms(arg); len(near) > 0 {
		v.Note("as a word of the language: did you mean %s?", strings.Join(near, " or "))
	}
	return nil
}

func (v *explainVerb) explainSelector(src string, q *ast.Query, o format.Options) {
	for _, line := range explain.Query(q) {
		fmt.Fprintln(v.Out, line)
	}
	fmt.Fprintln(v.Out)
	for _, o.Style = range []format.Style{format.Canonical, format.Compact} {
		var passes strings.Builder
		if v.passes {
			o.Trace = func(p format.Pass, text string) {
				fmt.Fprintf(&passes, "  %s: %s\n    %s\n", p.Name, p.Doc, text)
			}
		}
		fmt.Fprintf(v.Out, "%-10s %s\n%s", o.Style, format.Node(q, o), passes.String())
	}
	for _, l := range q.Legacy() {
		written := verb.Visible(l.Text(src))
		if l.Modern == "" {
			fmt.Fprintf(v.Out, "%-10s %s is a form of an older revision\n", "legacy", written)
		} else {
			fmt.Fprintf(v.Out, "%-10s %s is a form of an older revision; write %s\n", "legacy", written, l.Modern)
		}
	}
}

func (v *explainVerb) indented(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(v.Out, "  %s\n", strings.TrimRight(line, "\n"))
	}
}

// maxMatches is how many nodes of a result are named.
const maxMatches = 10

// explainOn prints the number of nodes after each step of a selector on a history, and the result.
func (v *explainVerb) explainOn(ctx context.Context, text string, plan *eval.Plan, t *engine.Timeline) {
	steps, err := plan.Trace(ctx, t)
	if err != nil {
		open.FailEval(v.Run, text, err)
		return
	}
	fmt.Fprintf(v.Out, "\non %s\n", v.history.Name())
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	for i, s := range steps {
		written := verb.Visible(strings.Join(strings.Fields(text[s.Span.Start:s.Span.End]), " "))
		switch {
		case i == 0:
		case s.Fragment != steps[i-1].Fragment:
			fmt.Fprintln(v.Out, "  ,")
		case s.Chain != steps[i-1].Chain:
			fmt.Fprintln(v.Out, "  ??")
		}
		switch {
		case s.Skipped:
			fmt.Fprintf(v.Out, "  %8s  %s\n", "-", written)
		case s.Empty:
			fmt.Fprintf(v.Out, "  %8d  %s  %s\n", 0, written, r.Paint("1;33", "← nothing is left here"))
		default:
			fmt.Fprintf(v.Out, "  %8d  %s\n", s.Count, written)
		}
	}
	result, err := plan.Select(ctx, t, eval.Options{Text: text})
	if err != nil {
		open.FailEval(v.Run, text, err)
		return
	}
	open.ReportSelector(v.Run, "", text, result.Warnings)
	if result.Kind == eval.KindRange {
		fmt.Fprintf(v.Out, "answer: the differences between %s\n", verb.Count(len(result.Range.Snapshots), "snapshot"))
		return
	}
	ids := result.IDs()
	fmt.Fprintf(v.Out, "answer: %s\n", verb.Count(len(ids), "node"))
	for _, id := range ids[:min(len(ids), maxMatches)] {
		fmt.Fprintf(v.Out, "  %s\n", verb.Visible(id))
	}
	if left := len(ids) - maxMatches; left > 0 {
		fmt.Fprintf(v.Out, "  and %d more\n", left)
	}
}

func (v *explainVerb) explainCode(code diag.Code) error {
	if info, ok := diag.LookupCode(code); ok {
		fmt.Fprintf(v.Out, "%s: %s\n\n%s\n", info.Code, info.Title, v.Named(info.Doc))
		if info.Example != "" {
			fmt.Fprintf(v.Out, "\nexample    %s\n", info.Example)
		}
		return nil
	}
	for info := range historyCodes {
		if string(info.Code) == string(code) {
			fmt.Fprintf(v.Out, "%s: an error about a history or a tree\n\n%s\n", info.Code, v.Named(info.Doc))
			return nil
		}
	}
	if near := names.Nearest(string(code), allCodes); near != "" {
		return fmt.Errorf("there is no code %s; did you mean %s?", code, near)
	}
	return fmt.Errorf("there is no code %s", code)
}

// allCodes yields the codes of selectors, and those of histories and trees.
func allCodes(yield func(string) bool) {
	for c := range diag.Codes() {
		if !yield(string(c.Code)) {
			return
		}
	}
	for c := range historyCodes {
		if !yield(string(c.Code)) {
			return
		}
	}
}

// historyCodes yields the codes of trees, journals, workers and stores.
func historyCodes(yield func(engine.CodeInfo) bool) {
	for c := range engine.Codes() {
		if !yield(c) {
			return
		}
	}
	for c := range journal.Codes() {
		if !yield(c) {
			return
		}
	}
	for c := range worker.Codes() {
		if !yield(c) {
			return
		}
	}
	for c := range mcp.Codes() {
		if !yield(c) {
			return
		}
	}
	for c := range store.Codes() {
		if !yield(engine.CodeInfo{Code: engine.Code(c.Code), Doc: c.Doc}) {
			return
		}
	}
}

// kindNames are the names of the kinds of words.
var kindNames = [...]string{
	vocab.Region:    "region",
	vocab.Type:      "node type",
	vocab.Zone:      "zone",
	vocab.Pseudo:    "positional pseudo",
	vocab.Attribute: "attribute",
	vocab.Flag:      "flag",
	vocab.Operator:  "operator",
	vocab.Control:   "control",
	vocab.Instant:   "form of a time",
}

// sigils are what words are written with.
const sigils = "^.:@"

// findTerms returns the words of every kind with a spelling, with or without their sigil.
func findTerms(written string) []*vocab.Term {
	var found []*vocab.Term
	for t := range allTerms {
		bare := strings.TrimLeft(written, sigils)
		if t.Name == written || bare != "" && (t.Name == bare || slices.Contains(t.Aliases, bare)) {
			found = append(found, t)
		}
	}
	return found
}

// nearestTerms returns the words of every kind that a misspelled one may stand for.
func nearestTerms(written string) []string {
	var near []string
	for kind := range kindNames {
		t := vocab.Nearest(vocab.Kind(kind), strings.TrimLeft(written, sigils))
		if t != nil && !slices.Contains(near, t.Name) {
			near = append(near, t.Name)
		}
	}
	return near
}

func (v *explainVerb) explainTerm(t *vocab.Term) {
	fmt.Fprintf(v.Out, "%s: %s\n", t.Name, kindNames[t.Kind])
	if text := strings.TrimSpace(t.Summary + " " + t.Doc); text != "" {
		fmt.Fprintf(v.Out, "\n%s\n", text)
	}
	fmt.Fprintln(v.Out)
	for _, row := range []struct{ name, text string }{
		{"also", strings.Join(t.Aliases, " ")},
		{"values", strings.Join(t.Params, " ")},
		{"since", t.Since},
		{"instead", t.Deprecated},
	} {
		if row.text != "" {
			fmt.Fprintf(v.Out, "%-10s %s\n", row.name, row.text)
		}
	}
	for _, e := range t.Examples {
		fmt.Fprintf(v.Out, "%-10s %s\n", "example", e)
	}
}

// ExplainText returns the output of explain; an error holds what it reports.
func ExplainText(ctx context.Context, r *verb.Run, cfg *config.Config, what, name string, t *engine.Timeline) (string, error) {
	var out, report bytes.Buffer
	quiet := &verb.Run{Program: r.Program, Folder: r.Folder, Out: bufio.NewWriter(&out), Err: &report}
	v := &explainVerb{Run: quiet}
	v.history.From = []string{name}
	err := v.explain(ctx, what, cfg, t)
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
