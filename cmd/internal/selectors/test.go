package selectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/testrun"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
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

A configuration whose rules have examples is a suite, too: its cases are the examples.

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
	*testrun.Runner
	outputs []string
	each    eachFlags
}

// Test returns the verb test.
func Test(r *verb.Run) *cobra.Command {
	v := &testVerb{Runner: testrun.New(r)}
	cmd := &cobra.Command{
		Use:     "test [PATH]...",
		Short:   "Run suites that pin selectors to histories",
		Long:    testLong,
		Example: testExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    v.run,
	}
	cmd.Flags().BoolVar(&v.Update, "update", false, "write the answers of the cases that fail")
	cmd.Flags().BoolVar(&v.Strict, "strict", false, "refuse histories that break an invariant, instead of warning")
	verb.AddOutputs(cmd, &v.outputs)
	v.each.add(cmd, &v.Logs)
	v.Selector.Files.Add(cmd)
	v.Selector.Add(cmd)
	return cmd
}

func (v *testVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.each.check(v.Update); err != nil {
		return err
	}
	if v.each.json {
		v.outputs = append(v.outputs, "json")
	}
	sinks, err := verb.ParseSinks(v.outputs)
	if err != nil {
		return err
	}
	c, err := verb.NewCollector(v.Run, &v.Selector.Files)
	if err != nil {
		return err
	}
	c.Suites = true
	if v.each.each {
		return v.runEach(cmd, c, sinks, args)
	}
	var reports []testrun.Report
	if len(args) == 1 && args[0] == verb.StdinName {
		reports, err = v.runStdin(cmd.Context(), c)
	} else {
		var targets []verb.Target
		if targets, err = c.Collect(cmd, &v.Selector.Files, args); err == nil {
			v.checkFound(args, targets)
			reports = v.runFiles(cmd.Context(), targets)
		}
	}
	if err != nil {
		return err
	}
	v.Count(reports)
	for _, sink := range sinks {
		v.Write(sink, reports)
	}
	return nil
}

// runStdin runs the suite on standard input.
func (v *testVerb) runStdin(ctx context.Context, c *verb.Collector) ([]testrun.Report, error) {
	if v.Update {
		return nil, errors.New("--update has no file to write to when - is tested")
	}
	data, err := v.ReadStdin(ctx, verb.MaxFileSize)
	if err != nil {
		return nil, fmt.Errorf("-: %s", atomicfile.Reason(err))
	}
	cfg, ok := c.ConfigFor(filepath.Join(v.Folder, "any.suite.txtar"))
	if !ok {
		return nil, nil
	}
	name := cmp.Or(v.Selector.Files.StdinFilename, verb.StdinName)
	return []testrun.Report{v.RunText(ctx, verb.Target{Name: name, Path: v.Abs(name), Config: cfg}, data)}, nil
}

// checkFound reports that no suite was found. For the working folder that is a note, because a hook
// runs there in every repository; for a named path it is an error.
func (v *testVerb) checkFound(args []string, targets []verb.Target) {
	f := &v.Selector.Files
	if len(targets) > 0 || v.Code != verb.ExitClean || f.FilesFrom != "" || f.Staged || f.Since != "" {
		return
	}
	const form = "a suite is a file named *%s; docs/reference/test-suites.md shows a first one"
	ends := strings.Join(suite.Ends, ", *")
	if len(args) == 0 {
		v.Note("no suites found; "+form, ends)
		return
	}
	v.Fail("no suites found")
	v.Hint(form, ends)
}

// runFiles runs suites one after the other.
func (v *testVerb) runFiles(ctx context.Context, targets []verb.Target) []testrun.Report {
	var reports []testrun.Report
	bar := verb.NewProgress(v.Run, len(targets), "suite")
	defer bar.Clear()
	for i, t := range targets {
		if ctx.Err() != nil {
			bar.Clear()
			v.Interrupt("interrupted: %s not run", verb.Count(len(targets)-i, "suite"))
			break
		}
		reports = append(reports, v.RunFile(ctx, t))
		bar.Show(i + 1)
	}
	return reports
}
