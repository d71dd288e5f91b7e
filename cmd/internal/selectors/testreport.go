package selectors

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// line returns the line of the first expectation that fails, else that of the case.
func (c caseReport) line() int {
	if len(c.Failures) > 0 {
		return c.Failures[0].Line
	}
	return c.Case.Line
}

// location returns the file and line of a case.
func (s suiteReport) location(c caseReport) string { return fmt.Sprintf("%s:%d", s.name, c.line()) }

// explain returns lines that say why a case failed.
func (c caseReport) explain() []string {
	if c.Err != nil {
		return []string{c.Err.Error()}
	}
	var out []string
	if c.Case.Selector != "" {
		for line := range strings.SplitSeq(c.Case.Selector, "\n") {
			out = append(out, "  "+line)
		}
	}
	if len(c.Failures) > 0 {
		return append(out, c.explainCalls()...)
	}
	want, got := c.Case.Want.Lines(), c.Answer.Lines()
	switch {
	case c.Case.Want.Kind == suite.Missing:
		out = append(out, "there is no answer yet; --update writes what is selected now:")
		for _, line := range got {
			out = append(out, "+ "+line)
		}
	case c.Answer.Kind == suite.Errors && len(c.Found) > 0 && c.Case.Want.Kind != suite.Errors:
		for _, d := range c.Found {
			out = append(out, fmt.Sprintf("the selector has no answer: %s [%s]", d.Message, d.Code))
			if d.Hint != "" {
				out = append(out, "hint: "+d.Hint)
			}
		}
	default:
		out = append(out, "- expected, + selected:")
		out = append(out, lineDiff(want, got)...)
	}
	for _, s := range c.Steps {
		if s.Count == 0 && !s.Skipped {
			out = append(out, fmt.Sprintf("nothing is left after the step `%s`", strings.Join(strings.Fields(c.Case.Selector[s.Span.Start:s.Span.End]), " ")))
			break
		}
	}
	return out
}

// mostEvidence is how many calls and nodes a text names for one expectation.
const mostEvidence = 20

// explainCalls returns lines that say which expectations fail, and at which calls.
func (c caseReport) explainCalls() []string {
	var out []string
	for _, f := range c.Failures {
		out = append(out, "  "+f.Expected, f.Message)
		n := min(len(f.Evidence), mostEvidence)
		for _, e := range f.Evidence[:n] {
			out = append(out, "  "+e.String())
		}
		if more := len(f.Evidence) + f.More - n; more > 0 {
			out = append(out, fmt.Sprintf("  and %d more", more))
		}
	}
	return out
}

// lineDiff merges two lists of lines, with signs.
func lineDiff(want, got []string) []string {
	text := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	hunks := verb.Hunks(text(want), text(got))
	if hunks == "" { // equal lines with different meanings
		return []string{"  (the same text)"}
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimSuffix(hunks, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "@@"):
			if len(out) > 0 {
				out = append(out, "  …")
			}
		case line != "":
			out = append(out, line[:1]+" "+line[1:])
		}
	}
	return out
}

// writeTAP writes the report as text, in the form of the Test Anything Protocol.
func writeTAP(b *bytes.Buffer, reports []suiteReport, color bool) {
	r := verb.NewReporter(b, "", "", color)
	n := 0
	counts := map[string]int{}
	for _, s := range reports {
		if s.title != "" {
			fmt.Fprintf(b, "# %s: %s\n", verb.Visible(s.name), verb.Visible(s.title))
		}
		if s.err != nil {
			n++
			counts["error"]++
			fmt.Fprintf(b, "%s %d - suite (%s)\n#   %s\n", r.Paint("1;31", "not ok"), n, verb.Visible(s.name), verb.Visible(s.err.Error()))
		}
		for _, c := range s.cases {
			n++
			counts[c.status()]++
			switch c.status() {
			case "passed":
				fmt.Fprintf(b, "%s %d - %s\n", r.Paint("32", "ok"), n, verb.Visible(c.Case.Name))
			case "updated":
				fmt.Fprintf(b, "%s %d - %s # updated\n", r.Paint("33", "ok"), n, verb.Visible(c.Case.Name))
			default:
				fmt.Fprintf(b, "%s %d - %s (%s)\n", r.Paint("1;31", "not ok"), n, verb.Visible(c.Case.Name), verb.Visible(s.location(c)))
				for _, line := range c.explain() {
					style := ""
					switch {
					case strings.HasPrefix(line, "- ") && c.Err == nil:
						style = "31"
					case strings.HasPrefix(line, "+ "):
						style = "32"
					}
					text := verb.Visible(line)
					if style != "" {
						text = r.Paint(style, text)
					}
					fmt.Fprintf(b, "#   %s\n", text)
				}
			}
		}
	}
	fmt.Fprintf(b, "1..%d\n# %s\n", n, summary(counts))
}

func summary(counts map[string]int) string {
	parts := []string{fmt.Sprintf("%d passed, %d failed", counts["passed"], counts["failed"])}
	for _, more := range []struct{ status, words string }{{"updated", "updated"}, {"error", "not run"}} {
		if n := counts[more.status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, more.words))
		}
	}
	return strings.Join(parts, ", ")
}

// failedRule describes failed cases in the formats that lint shares.
var failedRule = output.Rule{
	ID: "test/failed", Summary: "The answer of a selector, or what model calls show, differs from its suite.", Level: diag.Error,
	Text: "Correct the selector or the history, or write the new answer with 'pactkit test --update'.",
}

// findings returns the failed cases as findings about the files of the suites.
func (v *testVerb) findings(reports []suiteReport) *output.Report {
	out := &output.Report{Version: verb.BuildVersion(), Checked: len(reports), Rules: []output.Rule{failedRule}, Exit: v.Exit()}
	for _, s := range reports {
		f := output.File{Path: filepath.ToSlash(s.name), Text: s.text}
		add := func(at ast.Span, selector, message string) {
			d := diag.Diagnostic{Severity: diag.Error, Span: at, Message: message}
			f.Findings = append(f.Findings, output.Finding{Diagnostic: d, Rule: failedRule.ID, Selector: selector})
		}
		if s.err != nil {
			add(ast.Span{}, "", s.err.Error())
		}
		lines := ast.NewLines(s.text)
		for _, c := range s.cases {
			if status := c.status(); status != "failed" && status != "error" {
				continue
			}
			start := lines.Start(c.line() - 1)
			first, _, _ := strings.Cut(s.text[start:], "\n")
			add(ast.Span{Start: start, End: start + len(strings.TrimRight(first, "\r"))}, c.Case.Selector, c.message())
		}
		if len(f.Findings) > 0 {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// message says which case failed, and why, in one sentence.
func (c caseReport) message() string {
	text := c.Case.Name + ": " + c.reason()
	if c.session != "" {
		return c.session + ": " + text
	}
	return text
}

// reason says why a case failed.
func (c caseReport) reason() string {
	if c.Err != nil {
		return c.Err.Error()
	}
	if len(c.Failures) > 0 {
		return c.shortFailure()
	}
	if c.Case.Want.Kind == suite.Missing {
		return "there is no answer yet"
	}
	if c.Case.Want.Kind == suite.Range && c.Answer.Kind == suite.Range {
		return "the differences are not as expected"
	}
	return fmt.Sprintf("expected %s; selected %s", shortAnswer(c.Case.Want), shortAnswer(c.Answer))
}

// shortFailure says in one line what fails, and where it fails first.
func (c caseReport) shortFailure() string {
	f := c.Failures[0]
	text := f.Message
	if len(f.Evidence) > 0 {
		text += "; first " + f.Evidence[0].String()
	}
	if more := len(c.Failures) - 1; more > 0 {
		text += fmt.Sprintf(" (and %s more)", verb.Count(more, "expectation"))
	}
	return text
}

func shortAnswer(a suite.Answer) string {
	const most = 5
	lines := a.Lines()
	if a.Kind == suite.Range {
		return "the differences of a range"
	}
	text := strings.Join(lines[:min(len(lines), most)], ", ")
	if left := len(lines) - most; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

// testJSON is the report as JSON.
type testJSON struct {
	Suites []suiteJSON    `json:"suites"`
	Counts map[string]int `json:"counts"`
	Exit   output.Exit    `json:"exit"`
}

type suiteJSON struct {
	File    string     `json:"file"`
	Title   string     `json:"title,omitempty"`
	Problem string     `json:"problem,omitempty"`
	Cases   []caseJSON `json:"cases"`
}

type caseJSON struct {
	Name     string   `json:"name"`
	Line     int      `json:"line"`
	Selector string   `json:"selector"`
	Status   string   `json:"status"`
	Expected []string `json:"expected"`
	Selected []string `json:"selected"`
	Details  []string `json:"details,omitempty"`

	Failures []suite.Failure `json:"failures,omitempty"`
}

func (c caseReport) json() caseJSON {
	x := caseJSON{
		Name: c.Case.Name, Line: c.Case.Line, Selector: c.Case.Selector, Status: c.status(),
		Expected: append([]string{}, c.Case.Want.Lines()...), Selected: append([]string{}, c.Answer.Lines()...),
	}
	if !c.Passed {
		x.Details, x.Failures = c.explain(), c.Failures
	}
	return x
}

// jsonOf returns the report for JSON.
func (v *testVerb) jsonOf(reports []suiteReport) testJSON {
	out := testJSON{Suites: []suiteJSON{}, Counts: map[string]int{"passed": 0, "failed": 0, "updated": 0, "error": 0}, Exit: v.Exit()}
	for _, s := range reports {
		one := suiteJSON{File: s.name, Title: s.title, Cases: []caseJSON{}}
		if s.err != nil {
			one.Problem = s.err.Error()
			out.Counts["error"]++
		}
		for _, c := range s.cases {
			out.Counts[c.status()]++
			one.Cases = append(one.Cases, c.json())
		}
		out.Suites = append(out.Suites, one)
	}
	return out
}

// writeJUnit writes the report in the JUnit format.
func writeJUnit(b *bytes.Buffer, reports []suiteReport) error {
	var suites []output.Suite
	for _, s := range reports {
		suites = append(suites, junitSuite(s))
	}
	return output.WriteJUnit(b, "", suites)
}

// junitSuite returns the cases of a suite in the JUnit format.
func junitSuite(s suiteReport) output.Suite {
	one := output.Suite{
		Name: verb.Visible(s.name), File: verb.Visible(s.name),
		Class: verb.Visible(strings.TrimSuffix(filepath.ToSlash(s.name), filepath.Ext(s.name))),
	}
	if s.err != nil {
		one.Cases = append(one.Cases, output.Case{Name: "suite", Error: &output.Problem{Message: verb.Visible(s.err.Error()), Text: verb.Visible(s.err.Error())}})
	}
	for _, c := range s.cases {
		x := output.Case{Name: verb.Visible(c.Case.Name), Line: c.line()}
		problem := &output.Problem{Message: "the answer differs", Text: "\n" + verb.Sanitize(strings.Join(c.explain(), "\n")) + "\n"}
		switch c.status() {
		case "failed":
			if len(c.Failures) > 0 {
				problem.Message = verb.Visible(c.shortFailure())
			}
			x.Failure = problem
		case "error":
			problem.Message = verb.Visible(c.Err.Error())
			x.Error = problem
		}
		one.Cases = append(one.Cases, x)
	}
	return one
}
