package selectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/lint"
)

// lintFiles is the part of the help that verbs share.
const lintFiles = `Folders are searched for all kinds of files that hold selectors. Files that .gitignore, .ignore, .pactignore or the
configuration exclude are skipped, even if they are named. - reads standard input.

Rules are named by their id, by their category, or by "all"; 'pactkit rules' lists them and 'pactkit explain RULE'
explains one. A comment beside or above a selector silences a rule: pactkit:ignore RULE -- reason.`

// lintVerb checks files, and corrects them.
type lintVerb struct {
	*verb.Run
	files             verb.FileFlags
	rules             ruleFlags
	style, edition    verb.EnumFlag
	fix, unsafe, diff bool
	unformatted       bool // report selectors that are not formatted
	explain           bool // say what proof each string has, rather than check it
	ignoring          ignoring
	lintReport

	facts map[*config.Config]*fixtures.Facts // of the targets; set before they are read
}

// lintReport is what findings are reported, and how.
type lintReport struct {
	failLevel  verb.EnumFlag
	outputs    []string
	noBaseline bool
	statistics bool // print the number of findings by rule instead of the findings

	changedLines bool             // report only findings on changed lines
	changed      verb.LineChanges // nil: report findings on all lines

	baseline *baselines
	sinks    []verb.Sink
	report   output.Report
	failing  int // findings at or above the level that fails
}

// command returns the command of a verb that checks files.
func (v *lintVerb) command(name, short, long, example string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     name + " [flags] [PATH]...",
		Short:   short,
		Long:    long,
		Example: example,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	v.rules.add(cmd)
	verb.AddSetting(cmd, &v.failLevel, "fail-level", "lint.fail-level", "the level from which on findings make the exit code 1")
	flags.BoolVar(&v.noBaseline, "no-baseline", false, "report also findings that a baseline holds")
	verb.AddSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that selectors are written in")
	v.files.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *lintVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.prepare(); err != nil {
		return err
	}
	c, err := verb.NewCollector(v.Run, &v.files)
	if err != nil {
		return err
	}
	stdin, err := v.files.ReadsStdin(args)
	if err == nil {
		err = v.readChanges(cmd, stdin)
	}
	switch {
	case err == errNoChanges:
		v.finish()
		return nil
	case err != nil:
		return err
	case stdin:
		v.runStdin(cmd.Context(), c)
	default:
		targets, err := c.Collect(cmd, &v.files, args)
		if err != nil {
			return err
		}
		if err := v.addProject(targets...); err != nil {
			return err
		}
		if v.explain {
			v.explainFiles(cmd.Context(), targets)
		} else {
			v.runFiles(cmd.Context(), targets)
		}
	}
	if !v.explain {
		v.finish()
	}
	return nil
}

// prepare checks the flags that name something.
func (v *lintVerb) prepare() error {
	if err := v.rules.check(); err != nil {
		return err
	}
	var err error
	if v.sinks, err = verb.ParseSinks(v.outputs); err != nil {
		return err
	}
	v.report.Version = verb.BuildVersion()
	v.addRules(lint.Rules())
	v.baseline = newBaselines(v.Run)
	return nil
}

// addRules adds rules to the report.
func (v *lintVerb) addRules(rules iter.Seq[*lint.Rule]) {
	for r := range rules {
		p := r.Page()
		if found, ok := lint.Found(r, diag.Diagnostic{}, nil); ok {
			v.report.Rules = append(v.report.Rules, output.Rule{ID: r.ID, Summary: p.Summary, Text: p.Text, Level: found.Severity})
		}
	}
}

// addProject adds the rules of the projects of targets to the report. It returns an error if a flag
// names a rule that they do not declare.
func (v *lintVerb) addProject(targets ...verb.Target) error {
	var list []*lint.Rule
	for _, t := range targets {
		for _, r := range t.Config.Rules() {
			if !slices.ContainsFunc(list, func(o *lint.Rule) bool { return o.ID == r.ID }) {
				list = append(list, r)
			}
		}
	}
	v.addRules(slices.Values(list))
	return v.rules.checkProject(list)
}

// options are those of one file.
func (v *lintVerb) options(t *verb.Target) check.Options {
	cfg := t.Config
	o := check.Options{
		Markers: cfg.Markers(), Level: v.rules.level(cfg), Unformatted: v.unformatted,
		Format: format.Options{Edition: cfg.Edition()}, Rules: cfg.Rules(), Open: cfg.OpenWords(),
	}
	if f := v.facts[cfg]; f != nil {
		o.Facts = f
	}
	o.Format.Style = check.Style(cmp.Or(v.style.Value, t.Config.Style()), t.Host)
	if v.edition.Value != "" {
		o.Format.Edition, _ = ast.ParseEdition(v.edition.Value)
	}
	return o
}

// linted is the result for one file.
type linted struct {
	outcome
	result  check.Result
	applied int
}

func (v *lintVerb) runFiles(ctx context.Context, targets []verb.Target) {
	if v.fix && !v.diff {
		sweep(v.Run, targets)
	}
	done, changed, applied, selectors := 0, 0, 0, 0
	bar := verb.NewProgress(v.Run, len(targets), "file")
	for o := range v.lintAll(ctx, targets) {
		done++
		selectors += selectorsOf(&o.result.File)
		if v.reportFile(ctx, &o, bar) {
			changed++
			applied += o.applied
		}
		bar.Show(done)
	}
	bar.Clear()
	v.report.Checked = done
	if left := len(targets) - done; left > 0 {
		v.Interrupt("interrupted: %s not read", verb.Count(left, "file"))
	}
	noteNone(v.Run, selectors, done)
	if v.fix && changed > 0 {
		done := "changed"
		if v.diff {
			done = "would change"
		}
		fmt.Fprintf(v.Err, "%s %s: %s corrected, the rest formatted\n", verb.Count(changed, "file"), done, verb.Count(applied, "finding"))
	}
}

// lintFile processes one file without reporting.
func (v *lintVerb) lintFile(ctx context.Context, t verb.Target) linted {
	o := linted{outcome: outcome{Target: t}}
	if src, ok := o.read(); ok {
		v.lintText(ctx, &o, src)
		if v.fix && !v.diff {
			o.write()
		}
	}
	return o
}

func (v *lintVerb) lintText(ctx context.Context, o *linted, src string) {
	o.before, o.after = src, src
	defer func() {
		// A bug in the libraries must not lose the caller's text.
		if r := recover(); r != nil {
			o.after, o.err = src, verb.InternalError(fmt.Errorf("panic: %v", r))
		}
	}()
	options := v.options(&o.Target)
	if !v.fix {
		o.result = check.File(ctx, o.Host, src, options)
		return
	}
	fixed, err := check.Fix(ctx, o.Host, src, options, v.unsafe)
	o.after, o.applied, o.result = fixed.Text, fixed.Applied, fixed.Left
	if err != nil {
		o.after, o.err = src, verb.InternalError(err)
	}
}

// runStdin checks standard input. fix prints the corrected text, or what came in.
func (v *lintVerb) runStdin(ctx context.Context, c *verb.Collector) {
	o, ok := v.lintStdin(ctx, c)
	prints := v.fix && !v.diff
	switch {
	case !ok:
	case v.explain:
		if v.explainText(&o.outcome, o.before) == 0 {
			fmt.Fprintln(v.Err, "0 candidates in standard input")
		}
	case prints:
		v.sinks = nil // standard output is for the text
		v.reportStdin(ctx, &o)
	default:
		v.reportFile(ctx, &o, verb.NewProgress(v.Run, 1, "file"))
	}
	if ok {
		v.report.Checked = 1
	}
	if prints {
		_, _ = v.Out.WriteString(o.after) // the last flush reports errors
	}
}

// lintStdin processes standard input without reporting. It returns false, and the text as it came,
// if it cannot be processed, which it reports.
func (v *lintVerb) lintStdin(ctx context.Context, c *verb.Collector) (linted, bool) {
	data, err := v.ReadStdin(ctx, verb.MaxFileSize)
	o := linted{outcome: outcome{before: string(data), after: string(data)}}
	switch name := verb.Visible(cmp.Or(v.files.StdinFilename, verb.StdinName)); {
	case errors.Is(err, atomicfile.ErrTooLarge):
		v.Note("%s is skipped: %s", name, verb.TooLarge)
	case err != nil:
		v.Fail("%s: %s", name, atomicfile.Reason(err))
	default:
		t, ok := c.StdinTarget(v.files.StdinFilename)
		if !ok {
			break
		}
		o.Target = t
		if err := v.addProject(t); err != nil {
			v.Fail("%v", err)
			break
		}
		v.readFacts(ctx, t)
		v.lintText(ctx, &o, o.before)
		return o, true
	}
	return o, false
}
