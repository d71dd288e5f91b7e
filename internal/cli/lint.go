package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/internal/output"
	"github.com/pactkit/pactkit/lint"
)

const lintFiles = `Folders are searched for files of every kind that holds selectors. What .gitignore, .ignore and .pactignore files
or the configuration exclude is left alone, also when it is named. A single - reads standard input.

Rules are named by their id, by their category, or by "all"; 'pactkit rules' lists them and 'pactkit explain RULE'
explains one. A comment silences a rule where it stands: pactkit:ignore RULE -- reason.`

const lintLong = `Report mistakes and old forms in selectors.

` + lintFiles + `

Exit codes: 0 nothing at or above --fail-level; 1 findings; 2 the job could not be done.`

const lintExample = `  pactkit lint .                                  findings below this folder
  pactkit lint --only legacy src                  old forms only
  pactkit lint --output-format sarif=out.sarif --output-format text .`

const checkLong = `Report what lint finds, and selectors that are not formatted. Nothing is written.

` + lintFiles + `

Exit codes: 0 nothing at or above --fail-level; 1 findings; 2 the job could not be done.`

const checkExample = `  pactkit check .               everything that has to be clean before a commit
  pactkit check --staged        only what git has staged
  pactkit check --output-format github .`

const fixLong = `Correct selectors: apply the safe fixes of what lint finds, format, and report what is left.

A safe fix never changes what a selector selects. With --unsafe-fixes the others are applied too; look at them with
--diff first. Only bytes inside the strings that hold selectors change. - reads standard input and prints the result.

` + lintFiles + `

Exit codes: 0 nothing is left at or above --fail-level; 1 findings are left, or with --diff files would change;
2 the job could not be done.`

const fixExample = `  pactkit fix .                 correct what can be corrected safely
  pactkit fix --diff .          show what that would change
  pactkit fix --only legacy .   modernise, and nothing else`

// lintVerb checks files, and corrects them.
type lintVerb struct {
	*session
	files               fileFlags
	style, edition      enumFlag
	failLevel           enumFlag
	only, rules, ignore []string
	outputs             []string
	noBaseline          bool
	fix, unsafe, diff   bool
	unformatted         bool

	sinks    []sink
	report   output.Report
	failing  int // findings at or above the level that fails
	facts    *factsCache
	baseline *baselines
}

func (s *session) lintCommand() *cobra.Command {
	v := &lintVerb{session: s}
	cmd := v.command("lint", "Report mistakes in selectors", lintLong, lintExample)
	addOutputs(cmd, &v.outputs)
	return cmd
}

func (s *session) checkCommand() *cobra.Command {
	v := &lintVerb{session: s, unformatted: true}
	cmd := v.command("check", "Report mistakes in selectors, and those not formatted", checkLong, checkExample)
	addOutputs(cmd, &v.outputs)
	addSetting(cmd, &v.style, "style", "format.style", "the form that selectors are to have")
	return cmd
}

func (s *session) fixCommand() *cobra.Command {
	v := &lintVerb{session: s, fix: true}
	cmd := v.command("fix", "Correct mistakes in selectors, and format them", fixLong, fixExample)
	flags := cmd.Flags()
	flags.BoolVar(&v.unsafe, "unsafe-fixes", false, "apply fixes that may change what is selected, too")
	flags.BoolVarP(&v.diff, "diff", "d", false, "show what would change as a patch for git apply, and write nothing")
	addOutputs(cmd, &v.outputs)
	addSetting(cmd, &v.style, "style", "format.style", "print selectors in canonical form, or in the shortest spelling")
	return cmd
}

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
	flags.StringSliceVar(&v.only, "only", nil, "apply these `RULES` and no others; repeatable, or with commas")
	flags.StringSliceVar(&v.rules, "rules", nil, "apply these `RULES` also where the configuration turns them off")
	flags.StringSliceVar(&v.ignore, "ignore", nil, "leave these `RULES` out")
	for _, flag := range []string{"only", "rules", "ignore"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, completeRules)
	}
	addSetting(cmd, &v.failLevel, "fail-level", "lint.fail-level", "the level from which on findings make the exit code 1")
	flags.BoolVar(&v.noBaseline, "no-baseline", false, "report findings that a baseline holds, too")
	addSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that selectors are written in")
	v.files.add(cmd)
	v.files.addConfig(cmd)
	return cmd
}

// completeRules offers the names of rules.
func completeRules(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return slices.Collect(lint.Names()), cobra.ShellCompDirectiveNoFileComp
}

// addOutputs adds the flag that chooses the formats of the report.
func addOutputs(cmd *cobra.Command, outputs *[]string) {
	names := []string{textForm}
	for name := range output.Forms() {
		names = append(names, name)
	}
	cmd.Flags().StringArrayVar(outputs, "output-format", nil, "print the report as `FORMAT[=FILE]`: "+strings.Join(names, ", ")+"; repeatable (default text)")
	_ = cmd.RegisterFlagCompletionFunc("output-format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// textForm is the form for people.
const textForm = "text"

// sink is where the report goes in one form.
type sink struct {
	form, file string // file: "" for standard output
}

// parseSinks reads the --output-format flags.
func parseSinks(outputs []string) ([]sink, error) {
	if len(outputs) == 0 {
		return []sink{{form: textForm}}, nil
	}
	var sinks []sink
	known := []string{textForm}
	for name := range output.Forms() {
		known = append(known, name)
	}
	for _, o := range outputs {
		form, file, named := strings.Cut(o, "=")
		if !slices.Contains(known, form) {
			if near := nearest.Word(form, slices.Values(known)); near != "" {
				return nil, fmt.Errorf("--output-format: there is no format %q; did you mean %q?", form, near)
			}
			return nil, fmt.Errorf("--output-format: there is no format %q; the formats are %s", form, strings.Join(known, ", "))
		}
		if named && file == "" {
			return nil, fmt.Errorf("--output-format %s: a file is named behind =", o)
		}
		if file == stdinName {
			file = ""
		}
		if slices.ContainsFunc(sinks, func(s sink) bool { return s.file == file }) {
			return nil, errors.New("--output-format: two reports go to the same place; name a file for one, as in --output-format json=report.json")
		}
		sinks = append(sinks, sink{form, file})
	}
	return sinks, nil
}

func (v *lintVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.prepare(); err != nil {
		return err
	}
	c, err := newCollector(v.session, &v.files)
	if err != nil {
		return err
	}
	v.facts = newFactsCache(v.session, cmd.Context())
	if slices.Contains(args, stdinName) {
		if len(args) > 1 || v.files.filesFrom != "" || v.files.staged || v.files.since != "" {
			return errors.New("- stands for standard input and cannot be combined with files")
		}
		v.runStdin(cmd.Context(), c)
	} else {
		if v.files.stdinFilename != "" {
			return errors.New("--stdin-filename is of use with - only")
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
	for flag, names := range map[string][]string{"only": v.only, "rules": v.rules, "ignore": v.ignore} {
		for _, name := range names {
			if len(lint.Named(name)) > 0 {
				continue
			}
			if near := nearest.Word(name, lint.Names()); near != "" {
				return fmt.Errorf("--%s: there is no rule and no category %q; did you mean %q?", flag, name, near)
			}
			return fmt.Errorf("--%s: there is no rule and no category %q; 'pactkit rules' lists them", flag, name)
		}
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

// level is the level of a rule: that of the configuration, unless a flag says otherwise.
func (v *lintVerb) level(cfg *config.Config) func(*lint.Rule) lint.Level {
	named := func(list []string, r *lint.Rule) bool {
		return slices.Contains(list, "all") || slices.Contains(list, r.ID) || slices.Contains(list, r.Category())
	}
	return func(r *lint.Rule) lint.Level {
		level := cfg.Level(r)
		switch {
		case named(v.ignore, r), len(v.only) > 0 && !named(v.only, r):
			return lint.Off
		case level == lint.Off && (named(v.rules, r) || named(v.only, r)):
			return r.Level
		}
		return level
	}
}

// options are those of one file.
func (v *lintVerb) options(t *target) check.Options {
	cfg := t.config
	o := check.Options{
		Markers: cfg.Markers(), Level: v.level(cfg), Unformatted: v.unformatted,
		Format: format.Options{Edition: cfg.Edition()},
	}
	if f := v.facts.of(cfg); f != nil {
		o.Facts = f
	}
	o.Format.Style = check.Style(cmp.Or(v.style.value, t.config.Style()), t.host)
	if v.edition.value != "" {
		o.Format.Edition, _ = ast.ParseEdition(v.edition.value)
	}
	return o
}

// linted is what became of one file.
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
	for o := range inOrder(ctx, targets, v.lintFile) {
		done++
		if v.tell(&o, bar) {
			changed++
			applied += o.applied
		}
		bar.show(done)
	}
	bar.clear()
	v.report.Checked = done
	if left := len(targets) - done; left > 0 {
		v.interrupt("interrupted: %s not looked at", count(left, "file"))
	}
	if v.fix && changed > 0 {
		verb := "changed"
		if v.diff {
			verb = "would change"
		}
		fmt.Fprintf(v.err, "%s %s: %s corrected, the rest formatted\n", count(changed, "file"), verb, count(applied, "finding"))
	}
}

// lintFile does all the work on one file but saying so.
func (v *lintVerb) lintFile(t target) linted {
	o := linted{outcome: outcome{target: t}}
	if src, ok := o.read(); ok {
		v.lintText(&o, src)
		if v.fix && !v.diff {
			o.write()
		}
	}
	return o
}

func (v *lintVerb) lintText(o *linted, src string) {
	o.before, o.after = src, src
	defer func() {
		// A defect in the libraries must cost no caller his text.
		if r := recover(); r != nil {
			o.after, o.err = src, internalError(fmt.Errorf("panic: %v", r))
		}
	}()
	options := v.options(&o.target)
	if !v.fix {
		o.result = check.File(o.host, src, options)
		return
	}
	fixed, err := check.Fix(o.host, src, options, v.unsafe)
	o.after, o.applied, o.result = fixed.Text, fixed.Applied, fixed.Left
	if err != nil {
		o.after, o.err = src, internalError(err)
	}
}

// tell reports what became of a file, and tells whether it changed or would.
func (v *lintVerb) tell(o *linted, bar *progress) bool {
	if o.err != nil {
		bar.clear()
		v.fail("%s: %s", visible(o.name), sanitize(reason(o.err)))
		return false
	}
	if o.skipped != "" {
		bar.clear()
		v.note("%s is skipped: %s", visible(o.name), o.skipped)
		return false
	}
	path := filepath.ToSlash(o.name)
	if o.result.File.Broken() && len(o.result.File.Regions) > 0 {
		v.raise(exitFailed) // a finding says where
		v.reasons = append(v.reasons, path+": it cannot be told which parts of it are strings")
	}
	file := output.File{Path: path, Text: o.after}
	if o.name != stdinName {
		file.Repo = v.patchName(o.path)
	}
	found := o.result.Findings
	if !v.noBaseline {
		found = v.baseline.of(o.config).unknown(path, found)
	}
	fail := v.failAt(o.config)
	for _, f := range found {
		if f.Severity <= fail {
			v.raise(exitFindings)
			v.failing++
		}
		file.Findings = append(file.Findings, output.Finding{Diagnostic: f.Diagnostic, Rule: f.Rule.ID, Selector: f.Selector})
	}
	for _, f := range o.result.Silenced {
		silenced := output.Finding{Diagnostic: f.Diagnostic, Rule: f.Rule.ID, Selector: f.Selector, Silenced: cmp.Or(f.Reason, "no reason given")}
		file.Findings = append(file.Findings, silenced)
	}
	slices.SortStableFunc(file.Findings, func(a, b output.Finding) int { return diag.Compare(a.Diagnostic, b.Diagnostic) })
	if len(file.Findings) > 0 {
		v.report.Files = append(v.report.Files, file)
	}
	for _, s := range v.sinks {
		if s.form == textForm && s.file == "" && len(found) > 0 {
			bar.clear()
			v.printText(&file)
		}
	}
	if o.after == o.before {
		return false
	}
	if v.diff {
		v.raise(exitFindings)
		fmt.Fprint(v.out, unifiedDiff(v.patchName(o.path), o.before, o.after))
	}
	return true
}

// failAt is the severity from which on a finding counts.
func (v *lintVerb) failAt(cfg *config.Config) diag.Severity {
	level := cfg.FailLevel()
	if v.failLevel.value != "" {
		level, _ = lint.ParseLevel(v.failLevel.value)
	}
	return level.Severity()
}

// printText shows the findings of a file to people, each with its line.
func (v *lintVerb) printText(f *output.File) {
	r := newReporter(v.out, f.Path, f.Text, v.paints)
	var ds []diag.Diagnostic
	for _, d := range f.Findings {
		if d.Silenced != "" {
			continue
		}
		d.Code = diag.Code(d.Rule)
		ds = append(ds, d.Diagnostic)
	}
	r.reportAll(ds)
}

// finish prints the report in the forms that were asked for.
func (v *lintVerb) finish() {
	if v.failing > 0 {
		v.reasons = append(v.reasons, count(v.failing, "finding")+" at or above the level that fails")
	}
	v.report.Exit = output.Exit{Code: v.code, Reasons: v.reasons}
	errs, warnings, infos, fixable := 0, 0, 0, 0
	for _, f := range v.report.Files {
		for _, d := range f.Findings {
			if d.Silenced != "" {
				continue
			}
			switch d.Severity {
			case diag.Error:
				errs++
			case diag.Warning:
				warnings++
			default:
				infos++
			}
			if len(d.Fixes) > 0 && d.Fixes[0].Safe {
				fixable++
			}
		}
	}
	if all := errs + warnings + infos; all > 0 {
		fmt.Fprintf(v.err, "%s: %s, %s, %d for information", count(all, "finding"), count(errs, "error"), count(warnings, "warning"), infos)
		if fixable > 0 && !v.fix {
			fmt.Fprintf(v.err, "; 'pactkit fix' corrects %d", fixable)
		}
		fmt.Fprintln(v.err)
	}
	for _, s := range v.sinks {
		if s.form == textForm {
			if s.file != "" {
				v.putText(s.file)
			}
			continue
		}
		var b bytes.Buffer
		if err := output.Write(&b, s.form, &v.report); err != nil {
			v.fail("--output-format %s: %v", s.form, err)
			continue
		}
		v.put(s.file, b.Bytes())
	}
}

// putText writes the report for people to a file.
func (v *lintVerb) putText(file string) {
	var b bytes.Buffer
	for i := range v.report.Files {
		f := &v.report.Files[i]
		r := newReporter(&b, f.Path, f.Text, false)
		for _, d := range f.Findings {
			if d.Silenced == "" {
				d.Code = diag.Code(d.Rule)
				r.report(d.Diagnostic)
			}
		}
	}
	v.put(file, b.Bytes())
}

// runStdin checks standard input. fix prints the corrected text, or what came in.
func (v *lintVerb) runStdin(ctx context.Context, c *collector) {
	data, err := v.readStdin(ctx, maxFileSize)
	after := string(data)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		v.note("%s is skipped: %s", visible(cmp.Or(v.files.stdinFilename, stdinName)), tooLarge)
	case err != nil:
		v.fail("%s: %s", visible(cmp.Or(v.files.stdinFilename, stdinName)), reason(err))
	default:
		if t, ok := c.stdinTarget(v.files.stdinFilename); ok {
			o := linted{outcome: outcome{target: t}}
			v.lintText(&o, after)
			if v.fix && !v.diff {
				v.sinks = nil // standard output is for the text
				v.tellStdin(&o)
				after = o.after
			} else {
				v.tell(&o, newProgress(v.session, 1, "file"))
			}
			v.report.Checked = 1
		}
	}
	if v.fix && !v.diff {
		_, _ = v.out.WriteString(after) // the last flush reports what goes wrong
	}
}

// tellStdin reports what is left in the text that goes to standard output.
func (v *lintVerb) tellStdin(o *linted) {
	v.tell(o, newProgress(v.session, 1, "file"))
	for i := range v.report.Files {
		f := &v.report.Files[i]
		r := newReporter(v.err, f.Path, f.Text, v.colour)
		for _, d := range f.Findings {
			if d.Silenced == "" {
				d.Code = diag.Code(d.Rule)
				r.report(d.Diagnostic)
			}
		}
	}
}
