package selectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
)

// addNarrowing adds the flags that select, silence or count findings.
func (v *lintVerb) addNarrowing(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&v.changedLines, "changed-lines", false, "with --since or --staged: report only findings on lines that changed")
	flags.StringVar(&v.ignoring.reason, "add-ignores", "", "write a comment with this `REASON` into the files for each finding that makes the exit code 1")
	flags.BoolVar(&v.statistics, "statistics", false, "print the number of findings by rule instead of the findings")
}

// ignoring is the reason of --add-ignores, and what it did.
type ignoring struct {
	reason                string // "" adds no comments
	comments, files, left int
}

// errNoChanges is a failure that was reported.
var errNoChanges = errors.New("git does not tell what changed")

// readChanges checks the flags that narrow, and asks git for the changed lines.
func (v *lintVerb) readChanges(cmd *cobra.Command, stdin bool) error {
	ignores := cmd.Flags().Changed("add-ignores")
	switch {
	case ignores && strings.TrimSpace(v.ignoring.reason) == "":
		return errors.New("--add-ignores needs a reason")
	case ignores && stdin:
		return errors.New("--add-ignores has no file to write to when - is checked")
	case strings.ContainsAny(v.ignoring.reason, "\n\r"):
		return errors.New("--add-ignores: the reason must be on one line")
	case v.changedLines && !v.files.Staged && v.files.Since == "":
		return errors.New("--changed-lines requires --since or --staged")
	case !v.changedLines:
		return nil
	}
	changed, err := v.ReadLineChanges(cmd.Context(), v.files.Since)
	if err != nil {
		v.FailGit(err)
		return errNoChanges
	}
	v.changed = changed
	return nil
}

// onChangedLines returns the findings that touch a line that changed.
func (v *lintVerb) onChangedLines(o *linted, found []check.Finding) []check.Finding {
	if v.changed == nil {
		return found
	}
	lines := ast.NewLines(o.after)
	return slices.DeleteFunc(slices.Clone(found), func(f check.Finding) bool {
		start, _ := lines.Line(f.Span.Start)
		end, _ := lines.Line(max(f.Span.Start, f.Span.End-1))
		return !v.changed.Has(o.Path, start, end)
	})
}

// silence writes comments for the findings that fail, and returns the other findings.
func (v *lintVerb) silence(ctx context.Context, o *linted, found []check.Finding) []check.Finding {
	fail := v.failAt(o.Config)
	failing := slices.DeleteFunc(slices.Clone(found), func(f check.Finding) bool { return f.Severity > fail })
	if len(failing) == 0 {
		return found
	}
	options := v.options(&o.Target)
	text, comments, left := check.SilenceAll(ctx, o.Host, o.Path, o.before, options, o.result, failing, v.ignoring.reason)
	if comments == 0 {
		v.ignoring.left += left
		return found
	}
	if err := atomicfile.Replace(o.Path, []byte(o.before), []byte(text)); err != nil {
		v.FailFile(o.Name, fmt.Errorf("cannot write: %s", atomicfile.Reason(err)))
		return found
	}
	v.ignoring.files++
	v.ignoring.comments += comments
	v.ignoring.left += left
	o.before, o.after = text, text
	o.result = check.File(ctx, o.Host, text, options)
	before := map[string]int{}
	for _, f := range found {
		before[f.Rule.ID+f.Selector]++
	}
	// Findings that were left out before, such as those of a baseline, stay left out.
	return slices.DeleteFunc(slices.Clone(o.result.Findings), func(f check.Finding) bool {
		key := f.Rule.ID + f.Selector
		before[key]--
		return before[key] < 0
	})
}

// writeStatistics prints the number of findings by rule, the most frequent first.
func (v *lintVerb) writeStatistics() string {
	counts, fixable, summaries := map[string]int{}, map[string]int{}, map[string]string{}
	for _, f := range v.report.Files {
		for _, d := range f.Findings {
			if d.Silenced != "" {
				continue
			}
			counts[d.Rule]++
			if len(d.Fixes) > 0 && d.Fixes[0].Safe {
				fixable[d.Rule]++
			}
		}
	}
	for _, r := range v.report.Rules {
		summaries[r.ID] = r.Summary
	}
	rules := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	var rows [][]string
	for _, id := range rules {
		rows = append(rows, []string{strconv.Itoa(counts[id]), strconv.Itoa(fixable[id]), id, verb.Visible(summaries[id])})
	}
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	columns := []verb.Column{{Name: "COUNT", Right: true}, {Name: "FIXABLE", Right: true}, {Name: "RULE"}, {Name: "FINDS"}}
	for _, line := range verb.ColumnLines(verb.NewReporter(&b, "", "", v.Paints), columns, rows, 0) {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}
