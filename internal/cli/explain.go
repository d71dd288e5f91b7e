package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/internal/mcp"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/internal/worker"
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
	*session
	selector selectorFlags
	passes   bool
	history  historyFlags
}

func (s *session) explainCommand() *cobra.Command {
	v := &explainVerb{session: s}
	cmd := &cobra.Command{
		Use:     "explain SELECTOR|CODE|RULE|WORD [FILE]",
		Short:   "Explain a selector, an error code, a rule or a word",
		Long:    explainLong,
		Example: explainExample,
		Args: func(_ *cobra.Command, args []string) error {
			rest, err := v.history.take(args, 1)
			switch {
			case len(args) == 0:
				return errors.New("nothing to explain: name a selector, a code or a word")
			case err != nil || len(rest) > 1:
				return errors.New("explain takes one argument; put a selector in quotes")
			}
			return checkStdin(v.history.from...)
		},
		ValidArgsFunction: completeExplain,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0]) },
	}
	v.selector.add(cmd)
	cmd.Flags().BoolVar(&v.passes, "passes", false, "show which pass of the formatter changes what")
	v.history.addFrom(cmd)
	v.history.add(cmd)
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
	cfg, err := v.selector.configuration(v.session)
	if err != nil || cfg == nil {
		return err
	}
	var t *engine.Timeline
	if len(v.history.from) > 0 && !isCodeOrRule(arg) {
		if t = v.openFrom(ctx, &v.history); t == nil {
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
		v.explainRule(r)
		return nil
	}
	o := format.Options{Edition: editionOf(v.selector.edition.value, cfg, t)}
	q, plan, found := prepare.Compile(arg, parser.Options{Edition: o.Edition, NoLegacy: v.selector.noLegacy})
	if plan != nil {
		v.explainSelector(arg, q, o)
		fmt.Fprintf(v.out, "\nplan\n")
		v.indented(plan.String())
		if t != nil {
			v.reportSelector("", arg, wordFacts(cfg, t).Unknown(ctx, arg, o.Edition))
			v.explainOn(ctx, arg, plan, t)
		}
		return nil
	}
	if terms := findTerms(arg); len(terms) > 0 {
		for i, t := range terms {
			if i > 0 {
				fmt.Fprintln(v.out)
			}
			v.explainTerm(t)
		}
		return nil
	}
	v.reportFound(arg, found)
	if near := nearestTerms(arg); len(near) > 0 {
		v.note("as a word of the language: did you mean %s?", strings.Join(near, " or "))
	}
	return nil
}

func (v *explainVerb) explainSelector(src string, q *ast.Query, o format.Options) {
	for _, line := range explain.Query(q) {
		fmt.Fprintln(v.out, line)
	}
	fmt.Fprintln(v.out)
	for _, o.Style = range []format.Style{format.Canonical, format.Compact} {
		var passes strings.Builder
		if v.passes {
			o.Trace = func(p format.Pass, text string) {
				fmt.Fprintf(&passes, "  %s: %s\n    %s\n", p.Name, p.Doc, text)
			}
		}
		fmt.Fprintf(v.out, "%-10s %s\n%s", o.Style, format.Node(q, o), passes.String())
	}
	for _, l := range q.Legacy() {
		written := visible(l.Text(src))
		if l.Modern == "" {
			fmt.Fprintf(v.out, "%-10s %s is a form of an older revision\n", "legacy", written)
		} else {
			fmt.Fprintf(v.out, "%-10s %s is a form of an older revision; write %s\n", "legacy", written, l.Modern)
		}
	}
}

func (v *explainVerb) indented(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(v.out, "  %s\n", strings.TrimRight(line, "\n"))
	}
}

// maxMatches is how many nodes of a result are named.
const maxMatches = 10

// explainOn prints the number of nodes after each step of a selector on a history, and the result.
func (v *explainVerb) explainOn(ctx context.Context, text string, plan *eval.Plan, t *engine.Timeline) {
	steps, err := plan.Trace(ctx, t)
	if err != nil {
		v.failEval(text, err)
		return
	}
	fmt.Fprintf(v.out, "\non %s\n", v.history.name())
	r := newReporter(v.out, "", "", v.paints)
	for i, s := range steps {
		written := visible(strings.Join(strings.Fields(text[s.Span.Start:s.Span.End]), " "))
		switch {
		case i == 0:
		case s.Fragment != steps[i-1].Fragment:
			fmt.Fprintln(v.out, "  ,")
		case s.Chain != steps[i-1].Chain:
			fmt.Fprintln(v.out, "  ??")
		}
		switch {
		case s.Skipped:
			fmt.Fprintf(v.out, "  %8s  %s\n", "-", written)
		case s.Empty:
			fmt.Fprintf(v.out, "  %8d  %s  %s\n", 0, written, r.paint("1;33", "← nothing is left here"))
		default:
			fmt.Fprintf(v.out, "  %8d  %s\n", s.Count, written)
		}
	}
	result, err := plan.Select(ctx, t, eval.Options{Text: text})
	if err != nil {
		v.failEval(text, err)
		return
	}
	v.reportSelector("", text, result.Warnings)
	if result.Kind == eval.KindRange {
		fmt.Fprintf(v.out, "answer: the differences between %s\n", count(len(result.Range.Snapshots), "snapshot"))
		return
	}
	ids := result.IDs()
	fmt.Fprintf(v.out, "answer: %s\n", count(len(ids), "node"))
	for _, id := range ids[:min(len(ids), maxMatches)] {
		fmt.Fprintf(v.out, "  %s\n", visible(id))
	}
	if left := len(ids) - maxMatches; left > 0 {
		fmt.Fprintf(v.out, "  and %d more\n", left)
	}
}

func (v *explainVerb) explainCode(code diag.Code) error {
	if info, ok := diag.LookupCode(code); ok {
		fmt.Fprintf(v.out, "%s: %s\n\n%s\n", info.Code, info.Title, v.named(info.Doc))
		if info.Example != "" {
			fmt.Fprintf(v.out, "\nexample    %s\n", info.Example)
		}
		return nil
	}
	for info := range historyCodes {
		if string(info.Code) == string(code) {
			fmt.Fprintf(v.out, "%s: an error about a history or a tree\n\n%s\n", info.Code, v.named(info.Doc))
			return nil
		}
	}
	if near := nearest.Word(string(code), allCodes); near != "" {
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
	fmt.Fprintf(v.out, "%s: %s\n", t.Name, kindNames[t.Kind])
	if text := strings.TrimSpace(t.Summary + " " + t.Doc); text != "" {
		fmt.Fprintf(v.out, "\n%s\n", text)
	}
	fmt.Fprintln(v.out)
	for _, row := range []struct{ name, text string }{
		{"also", strings.Join(t.Aliases, " ")},
		{"values", strings.Join(t.Params, " ")},
		{"since", t.Since},
		{"instead", t.Deprecated},
	} {
		if row.text != "" {
			fmt.Fprintf(v.out, "%-10s %s\n", row.name, row.text)
		}
	}
	for _, e := range t.Examples {
		fmt.Fprintf(v.out, "%-10s %s\n", "example", e)
	}
}
