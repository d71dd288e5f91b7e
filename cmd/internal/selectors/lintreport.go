package selectors

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/lint"
)

// reportFile reports the outcome of a file, and whether it changed or would.
func (v *lintVerb) reportFile(ctx context.Context, o *linted, bar *verb.Progress) bool {
	if o.err != nil {
		bar.Clear()
		v.FailFile(o.Name, o.err)
		return false
	}
	if o.skipped != "" {
		bar.Clear()
		v.Note("%s is skipped: %s", verb.Visible(o.Name), o.skipped)
		return false
	}
	path := filepath.ToSlash(o.Name)
	if o.result.File.Broken() && len(o.result.File.Regions) > 0 {
		v.Raise(verb.ExitFailed) // a finding has its position
		v.Reasons = append(v.Reasons, path+": it cannot be told which parts of it are strings")
	}
	file := output.File{Path: path, Text: o.after}
	if o.Name != verb.StdinName {
		file.Repo = v.PatchName(o.Path)
	}
	found := o.result.Findings
	if !v.noBaseline {
		found = v.baseline.of(o.Config).unknown(path, found)
	}
	found = v.onChangedLines(o, found)
	if v.ignoring.reason != "" {
		found = v.silence(ctx, o, found)
		file.Text = o.after
	}
	fail := v.failAt(o.Config)
	for _, f := range found {
		if f.Severity <= fail {
			v.Raise(verb.ExitFindings)
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
		if s.Form == verb.TextForm && s.File == "" && len(found) > 0 && !v.statistics {
			bar.Clear()
			v.printText(&file)
		}
	}
	if o.after == o.before {
		return false
	}
	if v.diff {
		v.Raise(verb.ExitFindings)
		fmt.Fprint(v.Out, verb.UnifiedDiff(v.PatchName(o.Path), o.before, o.after))
	}
	return true
}

// failAt is the severity from which on a finding counts as a failure.
func (v *lintVerb) failAt(cfg *config.Config) diag.Severity {
	level := cfg.FailLevel()
	if v.failLevel.Value != "" {
		level, _ = lint.ParseLevel(v.failLevel.Value)
	}
	return level.Severity()
}

// printText shows the findings of a file to people, each with its line.
func (v *lintVerb) printText(f *output.File) {
	r := v.Reporter(v.Out, f.Path, f.Text, v.Paints)
	var ds []diag.Diagnostic
	for _, d := range f.Findings {
		if d.Silenced != "" {
			continue
		}
		d.Code = diag.Code(d.Rule)
		ds = append(ds, d.Diagnostic)
	}
	r.ReportAll(ds)
}

// addProblems adds errors of configurations to the report, whose readers do not see what was
// printed for people.
func (v *lintVerb) addProblems() {
	for _, p := range v.Problems {
		path := filepath.ToSlash(v.Name(p.Path))
		at := slices.IndexFunc(v.report.Files, func(f output.File) bool { return f.Path == path })
		if at < 0 {
			at = len(v.report.Files)
			v.report.Files = append(v.report.Files, output.File{Path: path, Repo: v.PatchName(p.Path), Text: p.Source})
		}
		f := &v.report.Files[at]
		f.Findings = append(f.Findings, output.Finding{Diagnostic: p.Diagnostic, Rule: string(diag.Config)})
	}
	slices.SortFunc(v.report.Files, func(a, b output.File) int { return strings.Compare(a.Path, b.Path) })
	if info, ok := diag.LookupCode(diag.Config); ok && len(v.Problems) > 0 {
		v.report.Rules = append(v.report.Rules, output.Rule{ID: string(info.Code), Summary: strings.ToUpper(info.Title[:1]) + info.Title[1:] + ".", Text: info.Doc, Level: diag.Error})
	}
}

// finish prints the report in the requested formats.
func (v *lintVerb) finish() {
	if v.failing > 0 {
		v.Reasons = append(v.Reasons, verb.Count(v.failing, "finding")+" at or above the level that fails")
	}
	v.report.Exit = output.Exit{Code: v.Code, Reasons: v.Reasons}
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
		fmt.Fprintf(v.Err, "%s: %s, %s, %d for information", verb.Count(all, "finding"), verb.Count(errs, "error"), verb.Count(warnings, "warning"), infos)
		if fixable > 0 && !v.fix {
			fmt.Fprintf(v.Err, "; '%s fix' corrects %d", v.Program, fixable)
		}
		fmt.Fprintln(v.Err)
	}
	if n := v.ignoring; n.comments+n.left > 0 {
		fmt.Fprintf(v.Err, "%s written into %s", verb.Count(n.comments, "comment"), verb.Count(n.files, "file"))
		if n.left > 0 {
			fmt.Fprintf(v.Err, "; no comment can silence %s", verb.Count(n.left, "finding"))
		}
		fmt.Fprintln(v.Err)
	}
	v.addProblems() // which are not counted as findings above
	for _, s := range v.sinks {
		if s.Form == verb.TextForm && v.statistics {
			v.Put(s.File, []byte(v.writeStatistics()))
			continue
		}
		if s.Form == verb.TextForm {
			if s.File != "" {
				v.putText(s.File)
			}
			continue
		}
		var b bytes.Buffer
		if err := output.Write(&b, s.Form, &v.report); err != nil {
			v.Fail("--output-format %s: %v", s.Form, err)
			continue
		}
		v.Put(s.File, b.Bytes())
	}
}

// putText writes the report for people to a file.
func (v *lintVerb) putText(file string) {
	var b bytes.Buffer
	for i := range v.report.Files {
		f := &v.report.Files[i]
		r := v.Reporter(&b, f.Path, f.Text, false)
		for _, d := range f.Findings {
			if d.Silenced == "" {
				d.Code = diag.Code(d.Rule)
				r.Report(d.Diagnostic)
			}
		}
	}
	v.Put(file, b.Bytes())
}

// reportStdin reports what is left in the text that goes to standard output.
func (v *lintVerb) reportStdin(ctx context.Context, o *linted) {
	v.reportFile(ctx, o, verb.NewProgress(v.Run, 1, "file"))
	for i := range v.report.Files {
		f := &v.report.Files[i]
		r := v.Reporter(v.Err, f.Path, f.Text, v.Color)
		for _, d := range f.Findings {
			if d.Silenced == "" {
				d.Code = diag.Code(d.Rule)
				r.Report(d.Diagnostic)
			}
		}
	}
}
