package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/output"
	"github.com/pactkit/pactkit/internal/suite"
)

const testLong = `Run suites: files that pin selectors to histories. Each case is a selector with the answer it must have, so that
selectors stay right while trees change.

A suite is a txtar archive, or YAML, with histories and cases:

  What the agent must find.

  -- history.json --
  {"root": {"children": [{"nodeType": "^sys"}, {"nodeType": "^seq"},
    {"nodeType": "^ah", "children": [{"id": "u1", "tag": "user"}]}]}}
  -- cases --
  # the user's words
  .block+user
  => u1

An answer is one id a line, (none), ! and an error code, or the JSON of a range. A case without an answer fails;
--update writes the answers of all cases that fail, and leaves every other byte alone. docs/reference/test-suites.md
tells the rest.

Folders are searched for *.suite.txtar, *.suite.yaml and *.suite.yml, as 'pactkit fmt' searches for selectors. A - is a
suite on standard input.

What reading lets pass in a history, such as a broken invariant, is a warning on standard error, as for 'pactkit eval';
with --strict, and in strict cases, it is an error.

Exit codes: 0 all cases pass, or were updated; 1 cases fail; 2 there is no suite, or a suite or a history cannot be read
or written.`

const testExample = `  pactkit test .                                    every suite below this folder
  pactkit test agent.suite.txtar --update           pin what the selectors select now
  pactkit test . --output-format text --output-format junit=report.xml`

// testVerb runs suites.
type testVerb struct {
	*session
	selector selectorFlags
	strict   bool
	update   bool
	outputs  []string

	words   map[*engine.Timeline]*wordFacts
	unknown []unknownWords
	lenient []lenientHistory // in the order they were read
	seen    map[string]bool  // their names: cases and suites share histories
}

// unknownWords are findings about the selector of a case.
type unknownWords struct {
	place, selector string
	found           []diag.Diagnostic
}

// lenientHistory is a history in which reading let something pass.
type lenientHistory struct {
	file     string // "" for one in a suite
	warnings []*engine.Error
}

func (s *session) testCommand() *cobra.Command {
	v := &testVerb{session: s, seen: map[string]bool{}, words: map[*engine.Timeline]*wordFacts{}}
	cmd := &cobra.Command{
		Use:     "test [PATH]...",
		Short:   "Run suites that pin selectors to histories",
		Long:    testLong,
		Example: testExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    v.run,
	}
	cmd.Flags().BoolVar(&v.update, "update", false, "write the answers of the cases that fail")
	cmd.Flags().BoolVar(&v.strict, "strict", false, "refuse histories that break an invariant, instead of warning")
	addOutputs(cmd, &v.outputs)
	v.selector.files.add(cmd)
	v.selector.add(cmd)
	return cmd
}

// suiteReport is what became of a suite.
type suiteReport struct {
	name  string
	title string
	text  string
	cases []caseReport
	err   error // why the suite could not be run
}

// caseReport is what became of a case.
type caseReport struct {
	suite.Outcome
	updated bool
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

func (v *testVerb) run(cmd *cobra.Command, args []string) error {
	sinks, err := parseSinks(v.outputs)
	if err != nil {
		return err
	}
	c, err := newCollector(v.session, &v.selector.files)
	if err != nil {
		return err
	}
	c.suites = true
	var reports []suiteReport
	if len(args) == 1 && args[0] == stdinName {
		if v.update {
			return errors.New("--update has no file to write to when - is tested")
		}
		data, err := v.readStdin(cmd.Context(), maxFileSize)
		if err != nil {
			return fmt.Errorf("-: %s", reason(err))
		}
		name := stdinName
		if v.selector.files.stdinFilename != "" {
			name = v.selector.files.stdinFilename
		}
		cfg, ok := c.configFor(filepath.Join(v.folder, "any.suite.txtar"))
		if !ok {
			return nil
		}
		reports = append(reports, v.runSuite(cmd.Context(), target{name: name, path: v.abs(name), config: cfg}, data))
	} else {
		targets, err := c.collect(cmd, &v.selector.files, args)
		if err != nil {
			return err
		}
		if f := &v.selector.files; len(targets) == 0 && v.code == exitClean && f.filesFrom == "" && !f.staged && f.since == "" {
			v.fail("no suites found")
			v.hint("a suite is a file named *%s; docs/reference/test-suites.md shows a first one", strings.Join(suite.Ends, ", *"))
		}
		bar := newProgress(v.session, len(targets), "suite")
		for i, t := range targets {
			if cmd.Context().Err() != nil {
				bar.clear()
				v.interrupt("interrupted: %s not run", count(len(targets)-i, "suite"))
				break
			}
			reports = append(reports, v.runFile(cmd.Context(), t))
			bar.show(i + 1)
		}
		bar.clear()
	}
	v.count(reports)
	for _, sink := range sinks {
		var b bytes.Buffer
		switch sink.form {
		case textForm:
			writeTAP(&b, reports, sink.file == "" && v.paints)
		case "json":
			v.writeJSON(&b, reports)
		case "junit":
			writeJUnit(&b, reports)
		default:
			if err := output.Write(&b, sink.form, v.findings(reports)); err != nil {
				v.fail("--output-format %s: %v", sink.form, err)
				continue
			}
		}
		v.put(sink.file, b.Bytes())
	}
	return nil
}

// count turns what became of cases into the exit code, with reasons. Warnings of histories come first.
func (v *testVerb) count(reports []suiteReport) {
	for _, h := range v.lenient {
		v.warnInvariants(h.file, h.warnings)
	}
	for _, u := range v.unknown {
		v.reportSelector(u.place, u.selector, u.found)
	}
	failed := 0
	for _, s := range reports {
		if s.err != nil {
			v.fail("%s: %s", visible(s.name), visible(s.err.Error()))
		}
		told := map[string]bool{}
		for _, c := range s.cases {
			switch c.status() {
			case "failed":
				failed++
			case "error":
				if text := c.Err.Error(); !told[text] { // cases share histories
					told[text] = true
					if !strings.HasPrefix(text, s.name+":") {
						text = s.name + ": " + text
					}
					v.fail("%s", visible(text))
				}
			}
		}
	}
	if failed > 0 {
		v.find("%s", count(failed, "failed case"))
	}
}

func (v *testVerb) runFile(ctx context.Context, t target) suiteReport {
	data, err := atomicfile.Read(t.path, maxFileSize)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		return suiteReport{name: t.name, err: errors.New("it is larger than 10 MB; keep the history in a file of its own (%files)")}
	case err != nil:
		return suiteReport{name: t.name, err: errors.New(reason(err))}
	}
	return v.runSuite(ctx, t, data)
}

// runSuite runs the cases of a suite and updates it if asked to.
func (v *testVerb) runSuite(ctx context.Context, t target, data []byte) suiteReport {
	s, err := suite.Parse(t.name, string(data))
	if err != nil {
		return suiteReport{name: t.name, text: string(data), err: err}
	}
	report := suiteReport{name: t.name, text: string(data), title: s.Title}
	r := v.runner(t)
	answers := make([]*suite.Answer, len(s.Cases))
	stale := 0
	for i, c := range s.Cases {
		out := caseReport{Outcome: r.Run(ctx, s, c)}
		if v.update && !out.Passed && out.Err == nil {
			answers[i], out.updated = &out.Answer, true
			stale++
		}
		report.cases = append(report.cases, out)
		v.checkWords(ctx, t.config, report.place(out), &out.Outcome)
	}
	if stale > 0 {
		if report.err = v.rewrite(ctx, t, s, data, answers); report.err != nil {
			report.cases = nil
		} else {
			v.note("%s: %s updated", visible(t.name), count(stale, "case"))
		}
	}
	return report
}

// checkWords keeps the words of a case that neither the language nor its history has. They are shown when the line of
// progress is gone.
func (v *testVerb) checkWords(ctx context.Context, cfg *config.Config, place string, o *suite.Outcome) {
	if o.History == nil || o.Answer.Kind == suite.Errors {
		return
	}
	facts := v.words[o.History]
	if facts == nil {
		facts = newWordFacts(ctx, o.History, cfg)
		v.words[o.History] = facts
	}
	if found := facts.unknownWords(o.Case.Selector, o.Edition); len(found) > 0 {
		v.unknown = append(v.unknown, unknownWords{place, o.Case.Selector, found})
	}
}

// runner runs the cases of one suite.
func (v *testVerb) runner(t target) *suite.Runner {
	return &suite.Runner{
		Open: func(name string, o engine.ReadOptions) (*engine.Timeline, error) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(filepath.Dir(t.path), name)
			}
			if shown := v.name(name); shown != stdinName {
				name = shown
			}
			h, err := v.readHistory(context.Background(), name, &historyFlags{}, o)
			if _, told := errors.AsType[*engine.Error](err); err != nil && !told {
				err = fmt.Errorf("the history %s: %s", name, reason(err))
			}
			if err == nil {
				v.wasRead(name, name, h)
			}
			return h, err
		},
		Archived: func(name string, h *engine.Timeline) { v.wasRead(name, "", h) },
		Edition:  func(h *engine.Timeline) ast.Edition { return editionOf(v.selector.edition.value, t.config, h) },
		Strict:   v.strict,
		NoLegacy: v.selector.noLegacy,
	}
}

// wasRead keeps the warnings of a history, once for each name. They are shown when the line of progress is gone.
func (v *testVerb) wasRead(name, file string, h *engine.Timeline) {
	if w := h.Warnings(); len(w) > 0 && !v.seen[name] {
		v.seen[name] = true
		v.lenient = append(v.lenient, lenientHistory{file, w})
	}
}

// rewrite puts other answers into a suite, once it is proved that all its cases pass then.
func (v *testVerb) rewrite(ctx context.Context, t target, s *suite.Suite, data []byte, answers []*suite.Answer) error {
	text, err := s.Rewrite(answers)
	if err != nil {
		return err
	}
	again, err := suite.Parse(t.name, text)
	if err != nil {
		return internalError(err)
	}
	r := v.runner(t)
	for i, c := range again.Cases {
		if out := r.Run(ctx, again, c); answers[i] != nil && !out.Passed || c.Selector != s.Cases[i].Selector {
			return internalError(fmt.Errorf("the case at line %d does not pass with its new answer", c.Line))
		}
	}
	if err := atomicfile.Replace(t.path, data, []byte(text)); err != nil {
		return fmt.Errorf("cannot write: %s", reason(err))
	}
	return nil
}

// place is where a case stands.
func (s suiteReport) place(c caseReport) string { return fmt.Sprintf("%s:%d", s.name, c.Case.Line) }

// explain says why a case failed, in lines.
func (c caseReport) explain() []string {
	if c.Err != nil {
		return []string{c.Err.Error()}
	}
	var out []string
	for line := range strings.SplitSeq(c.Case.Selector, "\n") {
		out = append(out, "  "+line)
	}
	want, got := c.Case.Want.Lines(), c.Answer.Lines()
	switch {
	case c.Case.Want.Kind == suite.Missing:
		out = append(out, "no answer is written; --update writes what is selected now:")
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

// lineDiff shows two lists of lines as one, with signs.
func lineDiff(want, got []string) []string {
	text := func(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	hunks := string(diff.Diff("want", text(want), "got", text(got)))
	if hunks == "" { // the same lines, read differently
		return []string{"  (the same text)"}
	}
	lines := strings.Split(strings.TrimSuffix(hunks, "\n"), "\n")[3:] // the library's own header
	var out []string
	for _, line := range lines {
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

// writeTAP prints the report for people, in the form of the Test Anything Protocol.
func writeTAP(b *bytes.Buffer, reports []suiteReport, colour bool) {
	r := newReporter(b, "", "", colour)
	n := 0
	counts := map[string]int{}
	for _, s := range reports {
		if s.title != "" {
			fmt.Fprintf(b, "# %s: %s\n", visible(s.name), visible(s.title))
		}
		if s.err != nil {
			n++
			counts["error"]++
			fmt.Fprintf(b, "%s %d - suite (%s)\n#   %s\n", r.paint("1;31", "not ok"), n, visible(s.name), visible(s.err.Error()))
		}
		for _, c := range s.cases {
			n++
			counts[c.status()]++
			switch c.status() {
			case "passed":
				fmt.Fprintf(b, "%s %d - %s\n", r.paint("32", "ok"), n, visible(c.Case.Name))
			case "updated":
				fmt.Fprintf(b, "%s %d - %s # updated\n", r.paint("33", "ok"), n, visible(c.Case.Name))
			default:
				fmt.Fprintf(b, "%s %d - %s (%s)\n", r.paint("1;31", "not ok"), n, visible(c.Case.Name), visible(s.place(c)))
				for _, line := range c.explain() {
					style := ""
					switch {
					case strings.HasPrefix(line, "- ") && c.Err == nil:
						style = "31"
					case strings.HasPrefix(line, "+ "):
						style = "32"
					}
					text := visible(line)
					if style != "" {
						text = r.paint(style, text)
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

// failedRule describes the findings of a test in the forms that lint has, too.
var failedRule = output.Rule{
	ID: "test/failed", Summary: "A selector has another answer than its suite says.", Level: diag.Error,
	Text: "Correct the selector or the history, or write the new answer with 'pactkit test --update'.",
}

// findings are the cases that do not pass, as findings about the files of the suites.
func (v *testVerb) findings(reports []suiteReport) *output.Report {
	out := &output.Report{Version: buildVersion(), Checked: len(reports), Rules: []output.Rule{failedRule}, Exit: v.exit()}
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
			start := lines.Start(c.Case.Line - 1)
			first, _, _ := strings.Cut(s.text[start:], "\n")
			add(ast.Span{Start: start, End: start + len(strings.TrimRight(first, "\r"))}, c.Case.Selector, c.message())
		}
		if len(f.Findings) > 0 {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// message says in a sentence what is wrong with a case.
func (c caseReport) message() string {
	if c.Err != nil {
		return c.Case.Name + ": " + c.Err.Error()
	}
	if c.Case.Want.Kind == suite.Missing {
		return c.Case.Name + ": no answer is written"
	}
	if c.Case.Want.Kind == suite.Range && c.Answer.Kind == suite.Range {
		return c.Case.Name + ": other differences than expected"
	}
	return fmt.Sprintf("%s: expected %s; selected %s", c.Case.Name, shortAnswer(c.Case.Want), shortAnswer(c.Answer))
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
}

func (v *testVerb) writeJSON(b *bytes.Buffer, reports []suiteReport) {
	out := testJSON{Suites: []suiteJSON{}, Counts: map[string]int{"passed": 0, "failed": 0, "updated": 0, "error": 0}, Exit: v.exit()}
	for _, s := range reports {
		one := suiteJSON{File: s.name, Title: s.title, Cases: []caseJSON{}}
		if s.err != nil {
			one.Problem = s.err.Error()
			out.Counts["error"]++
		}
		for _, c := range s.cases {
			out.Counts[c.status()]++
			x := caseJSON{
				Name: c.Case.Name, Line: c.Case.Line, Selector: c.Case.Selector, Status: c.status(),
				Expected: append([]string{}, c.Case.Want.Lines()...), Selected: append([]string{}, c.Answer.Lines()...),
			}
			if !c.Passed {
				x.Details = c.explain()
			}
			one.Cases = append(one.Cases, x)
		}
		out.Suites = append(out.Suites, one)
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(out) // plain fields always can be written
}

// The elements of a report in the form of JUnit.
type (
	junitRoot struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		File    string     `xml:"file,attr"`
		Line    int        `xml:"line,attr,omitempty"`
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes the report as continuous integration reads it.
func writeJUnit(b *bytes.Buffer, reports []suiteReport) {
	root := junitRoot{Suites: []junitSuite{}}
	for _, s := range reports {
		one := junitSuite{Name: visible(s.name)}
		add := func(c junitCase) {
			one.Tests++
			if c.Failure != nil {
				one.Failures++
			}
			if c.Error != nil {
				one.Errors++
			}
			one.Cases = append(one.Cases, c)
		}
		class := visible(strings.TrimSuffix(filepath.ToSlash(s.name), filepath.Ext(s.name)))
		if s.err != nil {
			add(junitCase{Name: "suite", Class: class, File: one.Name, Error: &junitText{visible(s.err.Error()), visible(s.err.Error())}})
		}
		for _, c := range s.cases {
			x := junitCase{Name: visible(c.Case.Name), Class: class, File: one.Name, Line: c.Case.Line}
			text := &junitText{Message: "another answer than expected", Text: "\n" + sanitize(strings.Join(c.explain(), "\n")) + "\n"}
			switch c.status() {
			case "failed":
				x.Failure = text
			case "error":
				text.Message = visible(c.Err.Error())
				x.Error = text
			}
			add(x)
		}
		root.Tests, root.Failures, root.Errors = root.Tests+one.Tests, root.Failures+one.Failures, root.Errors+one.Errors
		root.Suites = append(root.Suites, one)
	}
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(b)
	enc.Indent("", "  ")
	_ = enc.Encode(root) // plain fields always can be written
	b.WriteString("\n")
}
