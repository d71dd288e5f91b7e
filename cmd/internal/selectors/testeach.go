package selectors

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/testrun"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/search"
	"github.com/pactkit/pactkit/internal/sessions"
)

// eachFlags are the flags for testing every session of a corpus.
type eachFlags struct {
	each     bool
	json     bool
	maxBytes int64
}

func (f *eachFlags) add(cmd *cobra.Command, logs *open.LogFlags) {
	cmd.Flags().BoolVar(&f.each, "each", false, "run the suites among the arguments on every session in the others")
	cmd.Flags().BoolVar(&f.json, "json", false, "with --each: print one JSON object per line for each session (docs/schemas/each.json)")
	logs.Add(cmd)
	open.AddMemoryLimit(cmd, &f.maxBytes)
}

// check refuses flags that do not go together.
func (f *eachFlags) check(update bool) error {
	switch {
	case f.each && update:
		return errors.New("--update has no answer to write when many sessions are tested")
	case !f.each && (f.json || f.maxBytes != 0):
		return errors.New("--json and --max-bytes require --each")
	}
	return nil
}

// gate is a suite that every session is tested with.
type gate struct {
	verb.Target
	suite *suite.Suite
	text  string
}

// sessionReport is the result for one session.
type sessionReport struct {
	session string           // its address
	cases   [][]testrun.Case // by the number of the suite; without histories
	err     error            // why it cannot be read
}

// eachRun tests every session of a corpus.
type eachRun struct {
	*testVerb
	gates    []gate
	sinks    []verb.Sink
	lines    bool // JSON lines go to standard output as they come
	junit    bool // passed cases are needed
	sessions []sessionReport
	counts   map[string]int // of sessions by outcome
	cases    map[caseKey]map[string]int
}

// caseKey names a case.
type caseKey struct{ gate, number int }

func (v *testVerb) runEach(cmd *cobra.Command, c *verb.Collector, sinks []verb.Sink, args []string) error {
	var suites, paths []string
	for _, arg := range args {
		if suite.May(arg) {
			suites = append(suites, arg)
		} else {
			paths = append(paths, arg)
		}
	}
	switch {
	case len(suites) == 0:
		return errors.New("--each needs a suite among the arguments: a file that ends in .txtar, .yaml or .yml")
	case len(paths) == 0:
		return errors.New("--each needs sessions among the arguments: files, folders or stores")
	}
	targets, err := c.Collect(cmd, &v.Selector.Files, suites)
	if err != nil {
		return err
	}
	r := &eachRun{testVerb: v, sinks: sinks, counts: map[string]int{}, cases: map[caseKey]map[string]int{}}
	r.lines = slices.Contains(sinks, verb.Sink{Form: "json"})
	r.junit = slices.ContainsFunc(sinks, func(s verb.Sink) bool { return s.Form == "junit" })
	for _, t := range targets {
		if g, ok := r.open(t); ok {
			r.gates = append(r.gates, g)
		}
	}
	if len(r.gates) > 0 {
		r.run(cmd.Context(), paths)
	}
	return nil
}

// open reads a suite. It reports an error.
func (r *eachRun) open(t verb.Target) (gate, bool) {
	data, err := testrun.ReadFile(t)
	g := gate{Target: t, text: string(data)}
	if err == nil {
		g.suite, err = suite.Parse(t.Name, g.text)
	}
	if err != nil {
		r.Fail("%s: %s", verb.Visible(t.Name), verb.Visible(err.Error()))
	}
	return g, err == nil
}

func (r *eachRun) run(ctx context.Context, paths []string) {
	o := sessions.Options{
		MaxBytes: r.each.maxBytes, Strict: r.Strict, NoIgnore: r.Selector.Files.NoIgnore,
		Folder: r.Folder, Stdin: r.In, StdinName: r.Selector.Files.StdinFilename,
	}
	r.Logs.Apply(&o)
	bar := verb.NewByteProgress(r.Run, nil)
	defer bar.Clear()
	for item := range search.Each(ctx, paths, o, r.test) {
		bar.Show()
		if ctx.Err() != nil {
			break
		}
		if item.Err != nil {
			bar.Clear()
			limits := open.HistoryFlags{LogFlags: r.Logs, MaxBytes: cmp.Or(r.each.maxBytes, open.MaxHistorySize)}
			open.FailSession(r.Runner.Run, item.Path, item.Err, &open.SessionFlags{HistoryFlags: limits})
			r.add(sessionReport{session: item.Path, err: item.Err})
			continue
		}
		r.add(item.Value)
	}
	bar.Clear()
	n := r.counts["passed"] + r.counts["failed"] + r.counts["error"]
	switch {
	case ctx.Err() != nil:
		defer r.Interrupt("interrupted after %s", verb.Count(n, "session"))
	case n == 0:
		r.Fail("no sessions found")
	}
	if failed := r.counts["failed"]; failed > 0 {
		r.Find("%s", verb.Count(failed, "session")+" with failed cases")
	}
	for _, s := range r.sinks {
		r.write(s)
	}
}

// test runs the suites on one session. It is called from several goroutines.
func (r *eachRun) test(ctx context.Context, x sessions.Session) sessionReport {
	report := sessionReport{session: x.Address(), cases: make([][]testrun.Case, len(r.gates))}
	for i, g := range r.gates {
		runner := suite.Runner{
			History: x.Timeline, Strict: r.Strict, NoLegacy: r.Selector.NoLegacy,
			Edition: func(h *engine.Timeline) ast.Edition { return open.EditionOf(r.Selector.Edition.Value, g.Config, h) },
		}
		for _, c := range g.suite.Cases {
			out := runner.Run(ctx, g.suite, c)
			out.History = nil // is not kept
			report.cases[i] = append(report.cases[i], testrun.Case{Outcome: out, Session: report.session})
		}
	}
	return report
}

// add counts the result for a session, and keeps what the reports need.
func (r *eachRun) add(report sessionReport) {
	status := "passed"
	if report.err != nil {
		status = "error"
	}
	for i, list := range report.cases {
		for k, c := range list {
			key := caseKey{i, k}
			if r.cases[key] == nil {
				r.cases[key] = map[string]int{}
			}
			r.cases[key][c.Status()]++
			switch c.Status() {
			case "failed":
				status = "failed"
			case "error":
				r.Fail("%s: %s: %s", verb.Visible(report.session), r.gates[i].Name, verb.Visible(c.Err.Error()))
				if status == "passed" {
					status = "error"
				}
			}
		}
	}
	r.counts[status]++
	if r.lines {
		_, _ = r.Out.Write(r.line(report)) // the last flush reports errors
	}
	if status == "passed" && !r.junit && !r.writesLines() {
		return
	}
	if !r.junit && !r.writesLines() {
		for i := range report.cases {
			report.cases[i] = slices.DeleteFunc(report.cases[i], func(c testrun.Case) bool { return c.Status() == "passed" })
		}
	}
	r.sessions = append(r.sessions, report)
}

// writesLines reports whether JSON lines are written to a file.
func (r *eachRun) writesLines() bool {
	return slices.ContainsFunc(r.sinks, func(s verb.Sink) bool { return s.Form == "json" && s.File != "" })
}

// write writes one report.
func (r *eachRun) write(s verb.Sink) {
	var b bytes.Buffer
	var err error
	switch s.Form {
	case verb.TextForm:
		r.writeText(&b, s.File == "")
	case "json":
		if s.File == "" {
			return // the lines are there
		}
		for _, x := range r.sessions {
			b.Write(r.line(x))
		}
	case "junit":
		err = output.WriteJUnit(&b, "", r.suites())
	default:
		err = output.Write(&b, s.Form, r.Findings(r.bySuite()))
	}
	if err != nil {
		r.Fail("--output-format %s: %v", s.Form, err)
		return
	}
	r.Put(s.File, b.Bytes())
}

// bySuite returns the cases that did not pass, with the sessions they did not pass in.
func (r *eachRun) bySuite() []testrun.Report {
	var out []testrun.Report
	for i, g := range r.gates {
		s := testrun.Report{Name: g.Name, Title: g.suite.Title, Text: g.text}
		for _, x := range r.sessions {
			if x.err == nil {
				s.Cases = append(s.Cases, x.cases[i]...)
			}
		}
		out = append(out, s)
	}
	return out
}

// suites returns a suite of JUnit for each session and suite.
func (r *eachRun) suites() []output.Suite {
	var out []output.Suite
	for _, x := range r.sessions {
		if x.err != nil {
			text := verb.Visible(x.err.Error())
			out = append(out, output.Suite{
				Name: verb.Visible(x.session), File: verb.Visible(x.session), Class: verb.Visible(x.session),
				Cases: []output.Case{{Name: "session", Error: &output.Problem{Message: text, Text: text}}},
			})
			continue
		}
		for i, g := range r.gates {
			one := testrun.Report{Name: g.Name, Cases: x.cases[i]}.JUnit()
			one.Name = verb.Visible(x.session)
			if len(r.gates) > 1 {
				one.Name += " (" + verb.Visible(g.Name) + ")"
			}
			one.Class = one.Name
			out = append(out, one)
		}
	}
	return out
}

// eachJSON is a line about a session.
type eachJSON struct {
	Session string         `json:"session"`
	Problem string         `json:"problem,omitempty"`
	Counts  map[string]int `json:"counts"`
	Cases   []eachCaseJSON `json:"cases"` // that did not pass
}

type eachCaseJSON struct {
	Suite string `json:"suite"`
	testrun.CaseJSON
}

func (r *eachRun) line(x sessionReport) []byte {
	out := eachJSON{Session: x.session, Counts: map[string]int{"passed": 0, "failed": 0, "error": 0}, Cases: []eachCaseJSON{}}
	if x.err != nil {
		out.Problem = x.err.Error()
	}
	for i, list := range x.cases {
		for _, c := range list {
			out.Counts[c.Status()]++
			if c.Status() != "passed" {
				out.Cases = append(out.Cases, eachCaseJSON{r.gates[i].Name, c.JSON()})
			}
		}
	}
	return append(canonjson.EncodeLine(out), '\n')
}

// writeText writes which cases failed in which sessions, and how often each case failed.
func (r *eachRun) writeText(b *bytes.Buffer, terminal bool) {
	rep := verb.NewReporter(b, "", "", terminal && r.Paints)
	width := 0
	if terminal {
		width = r.OutWidth
	}
	var rows [][]string
	for _, x := range r.sessions {
		if x.err != nil {
			rows = append(rows, []string{verb.Visible(x.session), "", "cannot be read"})
		}
		for _, list := range x.cases {
			for _, c := range list {
				if c.Status() != "passed" {
					rows = append(rows, []string{verb.Visible(x.session), verb.Clip(verb.Visible(c.Case.Name), verb.MaxCell), verb.Visible(c.Reason())})
				}
			}
		}
	}
	if len(rows) > 0 {
		columns := []verb.Column{{Name: "SESSION", Style: "33"}, {Name: "CASE"}, {Name: "WHAT"}}
		for _, line := range verb.ColumnLines(rep, columns, rows, width) {
			fmt.Fprintln(b, line)
		}
		fmt.Fprintln(b)
	}
	rows = nil
	for i, g := range r.gates {
		for k, c := range g.suite.Cases {
			n := r.cases[caseKey{i, k}]
			cell := func(status string) string { return strconv.Itoa(n[status]) }
			rows = append(rows, []string{cell("passed"), cell("failed"), cell("error"), fmt.Sprintf("%s (%s:%d)", verb.Clip(verb.Visible(c.Name), verb.MaxCell), verb.Visible(g.Name), c.Line)})
		}
	}
	columns := []verb.Column{{Name: "PASSED", Right: true}, {Name: "FAILED", Right: true}, {Name: "NOT RUN", Right: true}, {Name: "CASE"}}
	for _, line := range verb.ColumnLines(rep, columns, rows, width) {
		fmt.Fprintln(b, line)
	}
	total := r.counts["passed"] + r.counts["failed"] + r.counts["error"]
	fmt.Fprintf(b, "%s: %s\n", verb.Count(total, "session"), testrun.Summary(r.counts))
}
