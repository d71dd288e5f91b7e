package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/internal/output"
	"github.com/pactkit/pactkit/lint"
)

// lintVerb checks files, and corrects them.
type lintVerb struct {
	*session
	files             fileFlags
	rules             ruleFlags
	style, edition    enumFlag
	fix, unsafe, diff bool
	unformatted       bool // report selectors that are not formatted
	explain           bool // say what proof each string has, rather than check it
	lintReport

	facts map[*config.Config]*facts.Facts // of the targets; set before they are read
}

// lintReport is what findings are reported, and how.
type lintReport struct {
	failLevel  enumFlag
	outputs    []string
	noBaseline bool

	baseline *baselines
	sinks    []sink
	report   output.Report
	failing  int // findings at or above the level that fails
}

func (v *lintVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.prepare(); err != nil {
		return err
	}
	c, err := newCollector(v.session, &v.files)
	if err != nil {
		return err
	}
	stdin, err := v.files.readsStdin(args)
	switch {
	case err != nil:
		return err
	case stdin:
		v.runStdin(cmd.Context(), c)
	default:
		targets, err := c.collect(cmd, &v.files, args)
		if err != nil {
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
	if v.sinks, err = parseSinks(v.outputs); err != nil {
		return err
	}
	v.report.Version = buildVersion()
	for r := range lint.Rules() {
		p := r.Page()
		if found, ok := lint.Found(r, diag.Diagnostic{}, nil); ok {
			v.report.Rules = append(v.report.Rules, output.Rule{ID: r.ID, Summary: p.Summary, Text: p.Text, Level: found.Severity})
		}
	}
	v.baseline = newBaselines(v.session)
	return nil
}

// options are those of one file.
func (v *lintVerb) options(t *target) check.Options {
	cfg := t.config
	o := check.Options{
		Markers: cfg.Markers(), Level: v.rules.level(cfg), Unformatted: v.unformatted,
		Format: format.Options{Edition: cfg.Edition()},
	}
	if f := v.facts[cfg]; f != nil {
		o.Facts = f
	}
	o.Format.Style = check.Style(cmp.Or(v.style.value, t.config.Style()), t.host)
	if v.edition.value != "" {
		o.Format.Edition, _ = ast.ParseEdition(v.edition.value)
	}
	return o
}

// linted is the result for one file.
type linted struct {
	outcome
	result  check.Result
	applied int
}

func (v *lintVerb) runFiles(ctx context.Context, targets []target) {
	if v.fix && !v.diff {
		v.sweep(targets)
	}
	done, changed, applied, selectors := 0, 0, 0, 0
	bar := newProgress(v.session, len(targets), "file")
	for o := range v.lintAll(ctx, targets) {
		done++
		selectors += selectorsOf(&o.result.File)
		if v.reportFile(&o, bar) {
			changed++
			applied += o.applied
		}
		bar.show(done)
	}
	bar.clear()
	v.report.Checked = done
	if left := len(targets) - done; left > 0 {
		v.interrupt("interrupted: %s not read", count(left, "file"))
	}
	v.noteNone(selectors, done)
	if v.fix && changed > 0 {
		done := "changed"
		if v.diff {
			done = "would change"
		}
		fmt.Fprintf(v.err, "%s %s: %s corrected, the rest formatted\n", count(changed, "file"), done, count(applied, "finding"))
	}
}

// lintFile processes one file without reporting.
func (v *lintVerb) lintFile(ctx context.Context, t target) linted {
	o := linted{outcome: outcome{target: t}}
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
			o.after, o.err = src, internalError(fmt.Errorf("panic: %v", r))
		}
	}()
	options := v.options(&o.target)
	if !v.fix {
		o.result = check.File(ctx, o.host, src, options)
		return
	}
	fixed, err := check.Fix(ctx, o.host, src, options, v.unsafe)
	o.after, o.applied, o.result = fixed.Text, fixed.Applied, fixed.Left
	if err != nil {
		o.after, o.err = src, internalError(err)
	}
}

// runStdin checks standard input. fix prints the corrected text, or what came in.
func (v *lintVerb) runStdin(ctx context.Context, c *collector) {
	o, ok := v.lintStdin(ctx, c)
	prints := v.fix && !v.diff
	switch {
	case !ok:
	case v.explain:
		if v.explainText(&o.outcome, o.before) == 0 {
			fmt.Fprintln(v.err, "0 candidates in standard input")
		}
	case prints:
		v.sinks = nil // standard output is for the text
		v.reportStdin(&o)
	default:
		v.reportFile(&o, newProgress(v.session, 1, "file"))
	}
	if ok {
		v.report.Checked = 1
	}
	if prints {
		_, _ = v.out.WriteString(o.after) // the last flush reports errors
	}
}

// lintStdin processes standard input without reporting. It returns false, and the text as it came,
// if it cannot be processed, which it reports.
func (v *lintVerb) lintStdin(ctx context.Context, c *collector) (linted, bool) {
	data, err := v.readStdin(ctx, maxFileSize)
	o := linted{outcome: outcome{before: string(data), after: string(data)}}
	switch name := visible(cmp.Or(v.files.stdinFilename, stdinName)); {
	case errors.Is(err, atomicfile.ErrTooLarge):
		v.note("%s is skipped: %s", name, tooLarge)
	case err != nil:
		v.fail("%s: %s", name, atomicfile.Reason(err))
	default:
		t, ok := c.stdinTarget(v.files.stdinFilename)
		if !ok {
			break
		}
		o.target = t
		v.readFacts(ctx, t)
		v.lintText(ctx, &o, o.before)
		return o, true
	}
	return o, false
}
