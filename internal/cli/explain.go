package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

const explainLong = `Say what something means.

  SELECTOR  what it looks at and finds, in plain words, and its canonical and compact form
  CODE      what an error code stands for, such as E_SELECTOR_AMBIGUOUS
  RULE      what a rule of the linter finds, and how to correct it, such as correctness/limit-zero
  WORD      what a word of the language means: an attribute, a control, a pseudo, an operator

Put a selector in quotes, so that the shell leaves it alone.

Exit codes: 0 explained; 1 the selector has errors; 2 there is no such code.`

const explainExample = `  pactkit explain '.seg > .block[ttl<=1] +user'
  pactkit explain E_TIME_REQUIRED
  pactkit explain ttl`

// explainVerb explains selectors, codes and words.
type explainVerb struct {
	*session
	files   fileFlags
	edition enumFlag
	passes  bool
}

func (s *session) explainCommand() *cobra.Command {
	v := &explainVerb{session: s}
	cmd := &cobra.Command{
		Use:     "explain SELECTOR|CODE|RULE|WORD",
		Short:   "Say what a selector, an error code, a rule or a word means",
		Long:    explainLong,
		Example: explainExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("nothing to explain: name a selector, a code or a word")
			case len(args) > 1:
				return errors.New("one thing at a time: put a selector in quotes")
			}
			return nil
		},
		ValidArgsFunction: completeExplain,
		RunE:              func(_ *cobra.Command, args []string) error { return v.run(args[0]) },
	}
	addSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that a selector is written in")
	cmd.Flags().BoolVar(&v.passes, "passes", false, "show which pass of the formatter changes what")
	v.files.addConfig(cmd)
	return cmd
}

// completeExplain offers the codes and the words.
func completeExplain(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if len(args) == 0 {
		for c := range diag.Codes() {
			out = append(out, cobra.CompletionWithDesc(string(c.Code), c.Title))
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

func (v *explainVerb) run(arg string) error {
	if strings.HasPrefix(arg, "E_") {
		return v.explainCode(diag.Code(arg))
	}
	if r := lint.Lookup(arg); r != nil {
		v.explainRule(r)
		return nil
	}
	c, err := newCollector(v.session, &v.files)
	if err != nil {
		return err
	}
	cfg, ok := c.configFor(filepath.Join(v.folder, "any.pactsel"))
	if !ok {
		return nil
	}
	o := format.Options{Edition: cfg.Edition()}
	if v.edition.value != "" {
		o.Edition, _ = ast.ParseEdition(v.edition.value)
	}
	q, found := parser.ParseSelector(arg, parser.Options{Edition: o.Edition})
	if !diag.HasErrors(found) {
		v.explainSelector(arg, q, o)
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
	v.raise(exitFindings)
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	newReporter(v.err, "selector", arg, v.colour).reportAll(found)
	if near := nearestTerms(arg); len(near) > 0 {
		v.note("if a word of the language is meant: did you mean %s?", strings.Join(near, " or "))
	}
	return nil
}

func (v *explainVerb) explainSelector(src string, q *ast.Query, o format.Options) {
	for _, line := range explain.Query(q) {
		fmt.Fprintln(v.out, line)
	}
	fmt.Fprintln(v.out)
	for _, o.Style = range []format.Style{format.Canonical, format.Compact} {
		fmt.Fprintf(v.out, "%-10s %s\n", o.Style, format.Query(q, o))
		if !v.passes {
			continue
		}
		for pass, text := range format.Trace(q, o) {
			fmt.Fprintf(v.out, "  %s: %s\n    %s\n", pass.Name, pass.Doc, text)
		}
	}
	for _, l := range q.Legacy {
		written := visible(l.Text(src))
		if l.Modern == "" {
			fmt.Fprintf(v.out, "%-10s %s is a form of an older revision\n", "legacy", written)
		} else {
			fmt.Fprintf(v.out, "%-10s %s is a form of an older revision; write %s\n", "legacy", written, l.Modern)
		}
	}
}

func (v *explainVerb) explainCode(code diag.Code) error {
	info, ok := diag.LookupCode(code)
	if !ok {
		near := nearest.Word(string(code), func(yield func(string) bool) {
			for c := range diag.Codes() {
				if !yield(string(c.Code)) {
					return
				}
			}
		})
		if near != "" {
			return fmt.Errorf("there is no code %s; did you mean %s?", code, near)
		}
		return fmt.Errorf("there is no code %s", code)
	}
	fmt.Fprintf(v.out, "%s: %s\n\n%s\n", info.Code, info.Title, info.Doc)
	if info.Example != "" {
		fmt.Fprintf(v.out, "\nexample    %s\n", info.Example)
	}
	return nil
}

// kindNames says what sort of word a term is.
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

// findTerms returns the words that are written so, with or without their sigil, of every kind.
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

// nearestTerms names the words that a misspelled one may stand for, of every kind.
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
