package testrun

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
	"github.com/pactkit/pactkit/internal/canonjson"
)

// line returns the line of the first expectation that fails, else that of the case.
func (c Case) line() int {
	if len(c.Failures) > 0 {
		return c.Failures[0].Line
	}
	return c.Case.Line
}

// location returns the file and line of a case.
func (s Report) location(c Case) string { return fmt.Sprintf("%s:%d", s.Name, c.line()) }

// explain returns lines that say why a case failed.
func (c Case) explain() []string {
	if c.Err != nil {
		return []string{c.Err.Error()}
	}
	var out []string
	if c.Case.Selector != "" {
		for line := range strings.SplitSeq(c.Case.Selector, "\n") {
			out = append(out, "  "+line)
		}
	}
	hints := func(out []string) []string {
		for _, hint := range c.Hints {
			out = append(out, "hint: "+hint)
		}
		return out
	}
	if len(c.Failures) > 0 {
		return hints(append(out, c.explainCalls()...))
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
	return hints(out)
}

// mostEvidence is how many calls and nodes a text names for one expectation.
const mostEvidence = 20

// explainCalls returns lines that say which expectations fail, and at which calls.
func (c Case) explainCalls() []string {
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

// Write writes the report in one format.
func (r *Runner) Write(sink verb.Sink, reports []Report) {
	var b bytes.Buffer
	var err error
	switch sink.Form {
	case verb.TextForm:
		writeTAP(&b, reports, sink.File == "" && r.Paints)
	case "json":
		b.Write(canonjson.EncodeIndented(r.jsonOf(reports)))
	case "junit":
		err = writeJUnit(&b, reports)
	default:
		err = output.Write(&b, sink.Form, r.Findings(reports))
	}
	if err != nil {
		r.Fail("--output-format %s: %v", sink.Form, err)
		return
	}
	r.Put(sink.File, b.Bytes())
}

// writeTAP writes the report as text, in the form of the Test Anything Protocol.
func writeTAP(b *bytes.Buffer, reports []Report, color bool) {
	r := verb.NewReporter(b, "", "", color)
	n := 0
	counts := map[string]int{}
	for _, s := range reports {
		if s.Title != "" {
			fmt.Fprintf(b, "# %s: %s\n", verb.Visible(s.Name), verb.Visible(s.Title))
		}
		if s.Err != nil {
			n++
			counts["error"]++
			fmt.Fprintf(b, "%s %d - suite (%s)\n#   %s\n", r.Paint("1;31", "not ok"), n, verb.Visible(s.Name), verb.Visible(s.Err.Error()))
		}
		for _, c := range s.Cases {
			n++
			counts[c.Status()]++
			switch c.Status() {
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
	fmt.Fprintf(b, "1..%d\n# %s\n", n, Summary(counts))
}

// Summary returns the numbers of cases in words, from those of each [Case.Status].
func Summary(counts map[string]int) string {
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

// Findings returns the failed cases as findings about the files of the suites.
func (r *Runner) Findings(reports []Report) *output.Report {
	out := &output.Report{Version: verb.BuildVersion(), Checked: len(reports), Rules: []output.Rule{failedRule}, Exit: r.Exit()}
	for _, s := range reports {
		f := output.File{Path: filepath.ToSlash(s.Name), Text: s.Text}
		add := func(at ast.Span, selector, message string) {
			d := diag.Diagnostic{Severity: diag.Error, Span: at, Message: message}
			f.Findings = append(f.Findings, output.Finding{Diagnostic: d, Rule: failedRule.ID, Selector: selector})
		}
		if s.Err != nil {
			add(ast.Span{}, "", s.Err.Error())
		}
		lines := ast.NewLines(s.Text)
		for _, c := range s.Cases {
			if status := c.Status(); status != "failed" && status != "error" {
				continue
			}
			start := lines.Start(c.line() - 1)
			first, _, _ := strings.Cut(s.Text[start:], "\n")
			add(ast.Span{Start: start, End: start + len(strings.TrimRight(first, "\r"))}, c.Case.Selector, c.message())
		}
		if len(f.Findings) > 0 {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// message says which case failed, and why, in one sentence.
func (c Case) message() string {
	text := c.Case.Name + ": " + c.Reason()
	if c.Session != "" {
		return c.Session + ": " + text
	}
	return text
}

// Reason says why a case failed.
func (c Case) Reason() string {
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
func (c Case) shortFailure() string {
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
	Cases   []CaseJSON `json:"cases"`
}

// CaseJSON is a case as JSON.
type CaseJSON struct {
	Name     string   `json:"name"`
	Line     int      `json:"line"`
	Selector string   `json:"selector"`
	Status   string   `json:"status"`
	Expected []string `json:"expected"`
	Selected []string `json:"selected"`
	Details  []string `json:"details,omitempty"`

	Failures []suite.Failure `json:"failures,omitempty"`
}

// JSON returns the case as JSON.
func (c Case) JSON() CaseJSON {
	x := CaseJSON{
		Name: c.Case.Name, Line: c.Case.Line, Selector: c.Case.Selector, Status: c.Status(),
		Expected: append([]string{}, c.Case.Want.Lines()...), Selected: append([]string{}, c.Answer.Lines()...),
	}
	if !c.Passed {
		x.Details, x.Failures = c.explain(), c.Failures
	}
	return x
}

// jsonOf returns the report for JSON.
func (r *Runner) jsonOf(reports []Report) testJSON {
	out := testJSON{Suites: []suiteJSON{}, Counts: map[string]int{"passed": 0, "failed": 0, "updated": 0, "error": 0}, Exit: r.Exit()}
	for _, s := range reports {
		one := suiteJSON{File: s.Name, Title: s.Title, Cases: []CaseJSON{}}
		if s.Err != nil {
			one.Problem = s.Err.Error()
			out.Counts["error"]++
		}
		for _, c := range s.Cases {
			out.Counts[c.Status()]++
			one.Cases = append(one.Cases, c.JSON())
		}
		out.Suites = append(out.Suites, one)
	}
	return out
}

// writeJUnit writes the report in the JUnit format.
func writeJUnit(b *bytes.Buffer, reports []Report) error {
	var suites []output.Suite
	for _, s := range reports {
		suites = append(suites, s.JUnit())
	}
	return output.WriteJUnit(b, "", suites)
}

// JUnit returns the cases of a suite in the JUnit format.
func (s Report) JUnit() output.Suite {
	one := output.Suite{
		Name: verb.Visible(s.Name), File: verb.Visible(s.Name),
		Class: verb.Visible(strings.TrimSuffix(filepath.ToSlash(s.Name), filepath.Ext(s.Name))),
	}
	if s.Err != nil {
		one.Cases = append(one.Cases, output.Case{Name: "suite", Error: &output.Problem{Message: verb.Visible(s.Err.Error()), Text: verb.Visible(s.Err.Error())}})
	}
	for _, c := range s.Cases {
		x := output.Case{Name: verb.Visible(c.Case.Name), Line: c.line()}
		problem := &output.Problem{Message: "the answer differs", Text: "\n" + verb.Sanitize(strings.Join(c.explain(), "\n")) + "\n"}
		switch c.Status() {
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
