package eval_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
)

// TestCasesNaive checks the expected answers of the cases with the naive evaluator alone, so no
// golden merely repeats what the evaluator says.
func TestCasesNaive(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			naive := newTimeline(c.timeline)
			for question, golden := range c.goldens(t) {
				q, ds := parser.ParseSelector(question.text, parser.Options{Edition: c.edition})
				if diag.HasErrors(ds) {
					if !isFinding(golden[0], diag.Error) {
						t.Errorf("%s is no selector: %s", question.text, ds[0].Message)
					}
					continue
				}
				want, clipped := golden[0], false
				for _, line := range golden[1:] {
					clipped = clipped || isFinding(line, diag.Warning)
				}
				got := naive.selects(q, question.opts)
				got.controls = nil // they are in separate lines
				if got.err != "" {
					if !strings.Contains(want, string(got.err)) {
						t.Errorf("%s\ncase  %s\nnaive %v", question.text, want, got.err)
					}
					continue
				}
				if !strings.HasPrefix(want, "[") && !strings.HasPrefix(want, "{") {
					t.Errorf("%s\ncase  %s\nnaive %v", question.text, want, got)
					continue
				}
				expected := answer{value: decode([]byte(want)), clipped: clipped}
				if doc, ok := expected.value.(map[string]any); ok {
					delete(doc, "warnings")
				}
				if d := cmp.Diff(expected, got, ofAnswers); d != "" {
					t.Errorf("%s (-case +naive); a computed attribute needs a case in the method value of eval/naive_filter_test.go\n%s", question.text, d)
				}
			}
		})
	}
}

// isFinding reports whether a line is a finding of a severity, as [testkit.Diagnostics] writes it.
func isFinding(line string, s diag.Severity) bool {
	words := strings.Fields(line)
	return len(words) > 2 && words[1] == s.String() && strings.Contains(words[0], ":")
}

// goldens yields the questions of a case with the lines it expects.
func (c *evalCase) goldens(t *testing.T) iter.Seq2[question, []string] {
	var lines [][]string
	for line := range strings.Lines(c.Source()) {
		line = strings.TrimSuffix(line, "\n")
		if answer, ok := strings.CutPrefix(line, "> "); ok && len(lines) > 0 {
			lines[len(lines)-1] = append(lines[len(lines)-1], answer)
		} else if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "#set ") {
			lines = append(lines, nil)
		}
	}
	return func(yield func(question, []string) bool) {
		for i, q := range c.questions(t) {
			if len(lines[i]) == 0 {
				t.Errorf("%s: nothing is expected", q.text)
			} else if !yield(q, lines[i]) {
				return
			}
		}
	}
}

// TestCasesForms checks the law of the forms on every question of the cases.
func TestCasesForms(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, question := range c.questions(t) {
				q, ds := parser.ParseSelector(question.text, parser.Options{Edition: c.edition})
				if !diag.HasErrors(ds) {
					checkForms(t, question.text, q, c.timeline, c.edition, question.opts, realAnswer(q, c.timeline, question.opts))
				}
			}
		})
	}
}

// checkForms checks that a selector, its canonical form, its compact form, and the selector after
// all safe fixes have the same answer.
func checkForms(
	t *testing.T, text string, q *ast.Query, tl *engine.Timeline, edition ast.Edition, o eval.Options, want answer,
) {
	t.Helper()
	checkFormsBy(t, text, q, edition, want, func(q *ast.Query) answer { return realAnswer(q, tl, o) })
}

func checkFormsBy(t *testing.T, text string, q *ast.Query, edition ast.Edition, want answer, ask func(*ast.Query) answer) {
	t.Helper()
	forms := map[string]string{
		"canonical": format.Node(q, format.Options{Edition: edition}),
		"compact":   format.Node(q, format.Options{Style: format.Compact, Edition: edition}),
	}
	fixed, err := fixAll(text, edition)
	if err != nil {
		t.Error(err)
	} else if fixed != text {
		forms["fixed"] = fixed
	}
	for name, form := range forms {
		read := func(in ast.Edition) {
			again, ds := parser.ParseSelector(form, parser.Options{Edition: in})
			if diag.HasErrors(ds) {
				t.Errorf("%s: the %s form %s does not parse: %s", text, name, form, ds[0].Message)
			} else if got := ask(again); !sameAnswer(got, want) {
				t.Errorf("the %s form gives something else in edition %v\nselector %s\nform     %s\nform     %v\nselector %v",
					name, in, text, form, got, want)
			}
		}
		read(edition)
		if name == "canonical" { // which has one meaning
			read(ast.Edition10 + ast.Edition01 - edition)
		}
	}
}

// fixAll applies every safe fix that the parser offers.
func fixAll(text string, edition ast.Edition) (string, error) {
	for range 100 {
		_, ds := parser.ParseSelector(text, parser.Options{Edition: edition})
		i := slices.IndexFunc(ds, func(d diag.Diagnostic) bool { return len(d.Fixes) > 0 && d.Fixes[0].Safe })
		if i < 0 {
			return text, nil
		}
		next, ok := diag.Apply(text, ds[i].Fixes[0].Edits)
		if !ok {
			return text, fmt.Errorf("%s: the fix of %q cannot be made", text, ds[i].Message)
		}
		text = next
	}
	return text, fmt.Errorf("%s: there is always one more fix", text)
}
