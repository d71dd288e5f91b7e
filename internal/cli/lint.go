package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
	if slices.Contains(args, stdinName) {
		if len(args) > 1 || v.files.filesFrom != "" || v.files.staged || v.files.since != "" {
			return errors.New("- stands for standard input and cannot be combined with files")
		}
		v.runStdin(cmd.Context(), c)
	} else {
		if v.files.stdinFilename != "" {
			return errors.New("--stdin-filename requires -")
		}
		targets, err := c.collect(cmd, &v.files, args)
		if err != nil {
			return err
		}
		v.runFiles(cmd.Context(), targets)
	}
	v.finish()
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
	done, changed, applied := 0, 0, 0
	bar := newProgress(v.session, len(targets), "file")
	for o := range v.lintAll(ctx, targets) {
		done++
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
	if v.fix && changed > 0 {
		verb := "changed"
		if v.diff {
			verb = "would change"
		}
		fmt.Fprintf(v.err, "%s %s: %s corrected, the rest formatted\n", count(changed, "file"), verb, count(applied, "finding"))
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
	data, err := v.readStdin(ctx, maxFileSize)
	after := string(data)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		v.note("%s is skipped: %s", visible(cmp.Or(v.files.stdinFilename, stdinName)), tooLarge)
	case err != nil:
		v.fail("%s: %s", visible(cmp.Or(v.files.stdinFilename, stdinName)), atomicfile.Reason(err))
	default:
		if t, ok := c.stdinTarget(v.files.stdinFilename); ok {
			v.readFacts(ctx, t)
			o := linted{outcome: outcome{target: t}}
			v.lintText(ctx, &o, after)
			if v.fix && !v.diff {
				v.sinks = nil // standard output is for the text
				v.reportStdin(&o)
				after = o.after
			} else {
				v.reportFile(&o, newProgress(v.session, 1, "file"))
			}
			v.report.Checked = 1
		}
	}
	if v.fix && !v.diff {
		_, _ = v.out.WriteString(after) // the last flush reports errors
	}
}
