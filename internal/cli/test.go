package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/internal/output"
	"github.com/pactkit/pactkit/internal/suite"
)

const testLong = `Run test suites of selectors on histories. Each case is a selector with its expected answer, or an expectation about the
model calls of a session.
Suites show when a change to the agent, to the tree, or to a selector changes an answer.

A suite is a txtar archive, or YAML, with histories and cases:

  What the agent must find.

  -- history.json --
  {"root": {"children": [{"nodeType": "^sys"}, {"nodeType": "^seq"},
    {"nodeType": "^ah", "children": [{"id": "u1", "tag": "user"}]}]}}
  -- cases --
  # the user's words
  .block+user
  => u1

An answer is one id per line, (none), ! and an error code, or the JSON of a range. A case without an answer fails.
Expectations about calls are lines such as

  => left: {cause: compacted, max: 0}
  => cache: {broken: 0}
  => tokens: {max: 100000}

--update writes the answers of all cases that fail, and leaves every other byte unchanged. See
docs/reference/test-suites.md.

Folders are searched for *.suite.txtar, *.suite.yaml and *.suite.yml. - is a suite on standard input.

With --each, arguments that end in .txtar, .yaml or .yml are suites, and their cases are run on every session in the other
arguments: files, folders and stores as for 'pactkit grep'. The report is a table of the cases that failed and where. A
session that cannot be read is reported, and the others are tested.

A broken invariant in a history is a warning, as for 'pactkit eval'. With --strict, and in strict cases, it is an error.

Exit codes: 0 all cases pass, or were updated, or no argument is given and the working folder has no suite; 1 cases fail;
2 an argument has no suite, or there is no session, or a file cannot be read or written.`

const testExample = `  pactkit test .                                    every suite below this folder
  pactkit test agent.suite.txtar --update           write what the selectors select now
  pactkit test --each gate.txtar logs               test every session below a folder
  pactkit test . --output-format text --output-format junit=report.xml`

// testVerb runs suites.
type testVerb struct {
	*session
	selector selectorFlags
	strict   bool
	update   bool
	outputs  []string
	each     eachFlags
	on       *engine.Timeline // the timeline to run every case on; nil for the histories of the suites

	words   map[*engine.Timeline]*facts.Facts
	unknown []misspelled
	lenient []lenientHistory // in the order they were read
	seen    map[string]bool  // their names: cases and suites share histories
}

func (s *session) testCommand() *cobra.Command {
	v := &testVerb{session: s, seen: map[string]bool{}, words: map[*engine.Timeline]*facts.Facts{}}
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
	v.each.add(cmd)
	v.selector.files.add(cmd)
	v.selector.add(cmd)
	return cmd
}

func (v *testVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.each.check(v.update); err != nil {
		return err
	}
	if v.each.json {
		v.outputs = append(v.outputs, "json")
	}
	sinks, err := parseSinks(v.outputs)
	if err != nil {
		return err
	}
	c, err := newCollector(v.session, &v.selector.files)
	if err != nil {
		return err
	}
	c.suites = true
	if v.each.each {
		return v.runEach(cmd, c, sinks, args)
	}
	var reports []suiteReport
	if len(args) == 1 && args[0] == stdinName {
		reports, err = v.runStdin(cmd.Context(), c)
	} else {
		var targets []target
		if targets, err = c.collect(cmd, &v.selector.files, args); err == nil {
			v.checkFound(args, targets)
			reports = v.runFiles(cmd.Context(), targets)
		}
	}
	if err != nil {
		return err
	}
	v.count(reports)
	for _, sink := range sinks {
		v.writeReport(sink, reports)
	}
	return nil
}

// runStdin runs the suite on standard input.
func (v *testVerb) runStdin(ctx context.Context, c *collector) ([]suiteReport, error) {
	if v.update {
		return nil, errors.New("--update has no file to write to when - is tested")
	}
	data, err := v.readStdin(ctx, maxFileSize)
	if err != nil {
		return nil, fmt.Errorf("-: %s", atomicfile.Reason(err))
	}
	cfg, ok := c.configFor(filepath.Join(v.folder, "any.suite.txtar"))
	if !ok {
		return nil, nil
	}
	name := cmp.Or(v.selector.files.stdinFilename, stdinName)
	return []suiteReport{v.runSuite(ctx, target{name: name, path: v.abs(name), config: cfg}, data)}, nil
}

// checkFound reports that there are no suites: a note for the working folder, in which a hook of
// every repository runs, an error for what is named.
func (v *testVerb) checkFound(args []string, targets []target) {
	f := &v.selector.files
	if len(targets) > 0 || v.code != exitClean || f.filesFrom != "" || f.staged || f.since != "" {
		return
	}
	const form = "a suite is a file named *%s; docs/reference/test-suites.md shows a first one"
	ends := strings.Join(suite.Ends, ", *")
	if len(args) == 0 {
		v.note("no suites found; "+form, ends)
		return
	}
	v.fail("no suites found")
	v.hint(form, ends)
}

// runFiles runs suites one after the other.
func (v *testVerb) runFiles(ctx context.Context, targets []target) []suiteReport {
	var reports []suiteReport
	bar := newProgress(v.session, len(targets), "suite")
	defer bar.clear()
	for i, t := range targets {
		if ctx.Err() != nil {
			bar.clear()
			v.interrupt("interrupted: %s not run", count(len(targets)-i, "suite"))
			break
		}
		reports = append(reports, v.runFile(ctx, t))
		bar.show(i + 1)
	}
	return reports
}

// writeReport writes the report in one format.
func (v *testVerb) writeReport(sink sink, reports []suiteReport) {
	var b bytes.Buffer
	var err error
	switch sink.form {
	case textForm:
		writeTAP(&b, reports, sink.file == "" && v.paints)
	case "json":
		v.writeJSON(&b, reports)
	case "junit":
		err = writeJUnit(&b, reports)
	default:
		err = output.Write(&b, sink.form, v.findings(reports))
	}
	if err != nil {
		v.fail("--output-format %s: %v", sink.form, err)
		return
	}
	v.put(sink.file, b.Bytes())
}

// count sets the exit code and its reasons. It prints the warnings about histories and selectors
// first.
func (v *testVerb) count(reports []suiteReport) {
	for _, h := range v.lenient {
		v.warnInvariants(h.file, h.warnings)
	}
	for _, u := range v.unknown {
		v.reportSelector(u.location, u.selector, u.found)
	}
	failed := 0
	for _, s := range reports {
		if s.err != nil {
			v.fail("%s: %s", visible(s.name), visible(s.err.Error()))
		}
		reported := map[string]bool{}
		for _, c := range s.cases {
			switch c.status() {
			case "failed":
				failed++
			case "error":
				if text := c.Err.Error(); !reported[text] { // cases share histories
					reported[text] = true
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
