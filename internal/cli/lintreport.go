package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/nearest"
	"github.com/pactkit/pactkit/internal/output"
	"github.com/pactkit/pactkit/lint"
)

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
			return nil, fmt.Errorf("--output-format %s: the file after = is missing", o)
		}
		if file == stdinName {
			file = ""
		}
		if slices.ContainsFunc(sinks, func(s sink) bool { return s.file == file }) {
			return nil, errors.New("--output-format: two reports go to the same file; name a file for one, as in --output-format json=report.json")
		}
		sinks = append(sinks, sink{form, file})
	}
	return sinks, nil
}

// reportFile reports the outcome of a file, and whether it changed or would.
func (v *lintVerb) reportFile(o *linted, bar *progress) bool {
	if o.err != nil {
		bar.clear()
		v.fail("%s: %s", visible(o.name), sanitize(atomicfile.Reason(o.err)))
		return false
	}
	if o.skipped != "" {
		bar.clear()
		v.note("%s is skipped: %s", visible(o.name), o.skipped)
		return false
	}
	path := filepath.ToSlash(o.name)
	if o.result.File.Broken() && len(o.result.File.Regions) > 0 {
		v.raise(exitFailed) // a finding has its position
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

// failAt is the severity from which on a finding counts as a failure.
func (v *lintVerb) failAt(cfg *config.Config) diag.Severity {
	level := cfg.FailLevel()
	if v.failLevel.value != "" {
		level, _ = lint.ParseLevel(v.failLevel.value)
	}
	return level.Severity()
}

// printText shows the findings of a file to people, each with its line.
func (v *lintVerb) printText(f *output.File) {
	r := v.reporter(v.out, f.Path, f.Text, v.paints)
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

// finish prints the report in the requested formats.
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
			fmt.Fprintf(v.err, "; '%s fix' corrects %d", v.program, fixable)
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
		r := v.reporter(&b, f.Path, f.Text, false)
		for _, d := range f.Findings {
			if d.Silenced == "" {
				d.Code = diag.Code(d.Rule)
				r.report(d.Diagnostic)
			}
		}
	}
	v.put(file, b.Bytes())
}

// reportStdin reports what is left in the text that goes to standard output.
func (v *lintVerb) reportStdin(o *linted) {
	v.reportFile(o, newProgress(v.session, 1, "file"))
	for i := range v.report.Files {
		f := &v.report.Files[i]
		r := v.reporter(v.err, f.Path, f.Text, v.color)
		for _, d := range f.Findings {
			if d.Silenced == "" {
				d.Code = diag.Code(d.Rule)
				r.report(d.Diagnostic)
			}
		}
	}
}
