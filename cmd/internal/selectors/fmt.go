package selectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
)

const fmtLong = `Format PACT selectors.

Without -w, fmt writes nothing: it lists the files that would change, and exits with 1 if there are any. Folders are
searched for selector files (*.pactsel), and for programs, data and documents that hold selectors; only the selectors in
them change. Files that .gitignore, .ignore, .pactignore or the configuration exclude are skipped, even if they are
named. @LIST stands for the paths in the file LIST, one per line.

- formats standard input and prints the result, which succeeds even if the text changes. With -l or -d, standard input is
checked like a file. A selector with an error is reported and stays unchanged; the others are formatted, and the exit code
is 1. If the job cannot be done, standard input is printed unchanged.

Exit codes: 0 nothing to do, or done; 1 files would change, or selectors have errors; 2 the job could not be done.`

const fmtExample = `  pactfmt .                     list what would change below this folder
  pactfmt -w queries.pactsel    format a file
  pactfmt -d . | git apply      format with a patch
  pactfmt --style compact -     format standard input`

// fmtVerb formats selectors.
type fmtVerb struct {
	*verb.Run
	files             verb.FileFlags
	style, edition    verb.EnumFlag
	write, list, diff bool
}

// Fmt returns the verb fmt.
func Fmt(r *verb.Run, name string) *cobra.Command {
	v := &fmtVerb{Run: r}
	cmd := &cobra.Command{
		Use:     name + " [flags] [PATH]...",
		Short:   "Format selectors",
		Long:    fmtLong,
		Example: fmtExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := v.run(cmd, args)
			if err != nil {
				v.echoStdin()
			}
			return err
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		v.echoStdin()
		return verb.SuggestFlag(cmd, err)
	})
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVarP(&v.write, "write", "w", false, "write the formatted text to the files")
	flags.BoolVarP(&v.list, "list", "l", false, "list the files that change, by name only")
	flags.BoolVarP(&v.diff, "diff", "d", false, "show what changes as a patch for git apply")
	verb.AddSetting(cmd, &v.style, "style", "format.style", "print selectors in canonical form, or in the shortest spelling")
	verb.AddSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that selectors are written in")
	v.files.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *fmtVerb) run(cmd *cobra.Command, args []string) error {
	switch stdin, err := v.files.ReadsStdin(args); {
	case err != nil:
		return err
	case stdin && v.write:
		return errors.New("-w has no file to write to when - is formatted")
	case stdin:
		return v.runStdin(cmd.Context())
	}
	c, err := verb.NewCollector(v.Run, &v.files)
	if err != nil {
		return err
	}
	targets, err := c.Collect(cmd, &v.files, args)
	if err != nil {
		return err
	}
	v.runFiles(cmd.Context(), targets)
	return nil
}

func (v *fmtVerb) runFiles(ctx context.Context, targets []verb.Target) {
	if v.write {
		sweep(v.Run, targets)
	}
	done, changed, selectors := 0, 0, 0
	bar := verb.NewProgress(v.Run, len(targets), "file")
	for o := range verb.InOrder(ctx, targets, v.formatFile) {
		done++
		selectors += o.selectors
		if len(o.found) > 0 || o.err != nil || o.skipped != "" {
			bar.Clear()
		}
		if v.report(o) {
			changed++
		}
		bar.Show(done)
	}
	bar.Clear()
	if left := len(targets) - done; left > 0 {
		v.Interrupt("interrupted: %s not read", verb.Count(left, "file"))
	}
	noteNone(v.Run, selectors, done)
	if changed > 0 && !v.write && !v.list && !v.diff {
		fmt.Fprintf(v.Err, "%d of %s would change (-w writes, -d shows)\n", changed, verb.Count(len(targets), "file"))
	}
}

// formatFile processes one file without reporting.
func (v *fmtVerb) formatFile(_ context.Context, t verb.Target) outcome {
	o := outcome{Target: t}
	if src, ok := o.read(); ok {
		v.formatText(&o, src)
		if v.write {
			o.write()
		}
	}
	return o
}

// formatText formats every region of a source and proves for each that its meaning is unchanged. It
// fills in the outcome; if there is an error, the text stays as it was.
func (v *fmtVerb) formatText(o *outcome, src string) {
	o.before, o.after = src, src
	defer func() {
		// A bug in the libraries must not lose the caller's text.
		if r := recover(); r != nil {
			o.after, o.err = src, verb.InternalError(fmt.Errorf("panic: %v", r))
		}
	}()
	formatted, err := check.FormatFile(o.Host, src, v.options(&o.Target))
	o.selectors = selectorsOf(&formatted.File)
	switch {
	case err != nil:
		o.err = verb.InternalError(err)
	case formatted.File.Broken() && len(formatted.File.Regions) > 0:
		o.found = formatted.Found
		o.err = errors.New("cannot tell which parts of it are strings; nothing was changed")
	default:
		// Other warnings are about forms that formatting replaces, and not worth reporting.
		o.found = slices.DeleteFunc(formatted.Found, func(d diag.Diagnostic) bool {
			return d.Severity != diag.Error && !doubtful(d)
		})
		o.after = formatted.Text
	}
}

// doubtful reports whether the hint of a finding contradicts its fix: the selector can be read, but
// something else was probably meant.
func doubtful(d diag.Diagnostic) bool {
	return d.Hint != "" && len(d.Fixes) > 0 && !slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return f.Title == d.Hint })
}

func (v *fmtVerb) options(t *verb.Target) check.Options {
	o := format.Options{Edition: t.Config.Edition(), Style: check.Style(cmp.Or(v.style.Value, t.Config.Style()), t.Host)}
	if v.edition.Value != "" {
		o.Edition, _ = ast.ParseEdition(v.edition.Value)
	}
	return check.Options{Markers: t.Config.Markers(), Format: o}
}

// report reports the outcome of a file, and whether it changed or would.
func (v *fmtVerb) report(o outcome) bool {
	if diag.HasErrors(o.found) {
		v.Raise(verb.ExitFindings)
	}
	if len(o.found) > 0 {
		v.Reporter(v.Err, o.Name, o.before, v.Color).ReportAll(o.found)
	}
	if o.err != nil {
		v.FailFile(o.Name, o.err)
		return false
	}
	if o.skipped != "" {
		v.Note("%s is skipped: %s", verb.Visible(o.Name), o.skipped)
		return false
	}
	if o.after == o.before {
		return false
	}
	if !v.write {
		v.Raise(verb.ExitFindings)
	}
	if v.list {
		fmt.Fprintln(v.Out, o.Name)
	}
	if v.diff {
		fmt.Fprint(v.Out, verb.UnifiedDiff(v.PatchName(o.Path), o.before, o.after))
	}
	if !v.write && !v.list && !v.diff {
		lines := verb.ChangedLines(verb.UnifiedDiff(o.Name, o.before, o.after))
		fmt.Fprintf(v.Out, "%s: %s would change\n", verb.Visible(o.Name), verb.Count(lines, "line"))
	}
	return true
}

// runStdin formats standard input. Unless a report was requested, it always prints text: the
// formatted text, or the original one.
func (v *fmtVerb) runStdin(ctx context.Context) error {
	c, err := verb.NewCollector(v.Run, &v.files)
	if err != nil {
		return err
	}
	prints := !v.list && !v.diff
	data, err := v.ReadStdin(ctx, verb.MaxFileSize)
	o := outcome{before: string(data), after: string(data)}
	if err == nil {
		if t, ok := c.StdinTarget(v.files.StdinFilename); ok {
			o.Target = t
			v.formatText(&o, o.before)
			v.write = prints // the caller gets the text, so a difference is not a finding
			v.report(o)
		}
	} else if name := verb.Visible(cmp.Or(v.files.StdinFilename, verb.StdinName)); errors.Is(err, atomicfile.ErrTooLarge) {
		v.Note("%s is skipped: %s", name, verb.TooLarge)
	} else {
		v.Fail("%s: %s", name, atomicfile.Reason(err))
	}
	if prints {
		_, _ = v.Out.WriteString(o.after) // the last flush reports errors
		if errors.Is(err, atomicfile.ErrTooLarge) {
			_, _ = io.Copy(v.Out, v.In)
		}
	}
	return nil
}

// echoStdin copies standard input to standard output after a usage error, if the caller wanted it
// formatted: an editor that pipes its text through the program must not lose it.
func (v *fmtVerb) echoStdin() {
	if slices.Contains(v.Args, "-") && !v.list && !v.diff && v.files.FilesFrom != "-" {
		_, _ = io.Copy(v.Out, v.In)
	}
}
