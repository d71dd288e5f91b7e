package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
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
	*session
	files             fileFlags
	style, edition    enumFlag
	write, list, diff bool
}

func (s *session) fmtCommand(name string) *cobra.Command {
	v := &fmtVerb{session: s}
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
		return suggestFlag(cmd, err)
	})
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVarP(&v.write, "write", "w", false, "write the formatted text to the files")
	flags.BoolVarP(&v.list, "list", "l", false, "list the files that change, by name only")
	flags.BoolVarP(&v.diff, "diff", "d", false, "show what changes as a patch for git apply")
	addSetting(cmd, &v.style, "style", "format.style", "print selectors in canonical form, or in the shortest spelling")
	addSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that selectors are written in")
	v.files.add(cmd)
	v.files.addConfig(cmd)
	return cmd
}

func (v *fmtVerb) run(cmd *cobra.Command, args []string) error {
	switch stdin, err := v.files.readsStdin(args); {
	case err != nil:
		return err
	case stdin && v.write:
		return errors.New("-w has no file to write to when - is formatted")
	case stdin:
		return v.runStdin(cmd.Context())
	}
	c, err := newCollector(v.session, &v.files)
	if err != nil {
		return err
	}
	targets, err := c.collect(cmd, &v.files, args)
	if err != nil {
		return err
	}
	v.runFiles(cmd.Context(), targets)
	return nil
}

// outcome is the result of working on one file.
type outcome struct {
	target
	before, after string
	found         []diag.Diagnostic
	selectors     int    // how many the file has, of those that may be changed or checked
	skipped       string // why the file was not read, or ""
	err           error  // why the job could not be done
}

func (v *fmtVerb) runFiles(ctx context.Context, targets []target) {
	if v.write {
		v.sweep(targets)
	}
	done, changed, selectors := 0, 0, 0
	bar := newProgress(v.session, len(targets), "file")
	for o := range inOrder(ctx, targets, v.formatFile) {
		done++
		selectors += o.selectors
		if len(o.found) > 0 || o.err != nil || o.skipped != "" {
			bar.clear()
		}
		if v.report(o) {
			changed++
		}
		bar.show(done)
	}
	bar.clear()
	if left := len(targets) - done; left > 0 {
		v.interrupt("interrupted: %s not read", count(left, "file"))
	}
	v.noteNone(selectors, done)
	if changed > 0 && !v.write && !v.list && !v.diff {
		fmt.Fprintf(v.err, "%d of %s would change (-w writes, -d shows)\n", changed, count(len(targets), "file"))
	}
}

// sweep removes the temporary files that a killed run may have left beside the files.
func (s *session) sweep(targets []target) {
	swept := map[string]bool{}
	for _, t := range targets {
		path, err := atomicfile.Resolve(t.path)
		if err != nil {
			continue // reading the file reports it
		}
		if folder := filepath.Dir(path); !swept[folder] {
			swept[folder] = true
			if err := atomicfile.Sweep(folder); err != nil {
				s.note("cannot remove temporary files of an earlier run: %s", sanitize(err.Error()))
			}
		}
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// formatFile processes one file without reporting.
func (v *fmtVerb) formatFile(_ context.Context, t target) outcome {
	o := outcome{target: t}
	if src, ok := o.read(); ok {
		v.formatText(&o, src)
		if v.write {
			o.write()
		}
	}
	return o
}

// read returns the text of the file, or false if it is not to be processed; the outcome then says
// why.
func (o *outcome) read() (string, bool) {
	data, err := atomicfile.Read(o.path, maxFileSize)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		o.skipped = tooLarge
	case err != nil:
		o.err = err
	case isBinary(data):
		o.skipped = "it is a binary file"
	default:
		return string(data), true
	}
	return "", false
}

// write replaces the text of the file, if it changed and nothing went wrong.
func (o *outcome) write() {
	if o.err != nil || o.after == o.before {
		return
	}
	if err := atomicfile.Replace(o.path, []byte(o.before), []byte(o.after)); err != nil {
		o.err = fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
	}
}

const tooLarge = "it is larger than 10 MB"

// isBinary looks for a NUL byte near the start, as git does.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}

// formatText formats every region of a source and proves for each that its meaning is unchanged. It
// fills in the outcome; if there is an error, the text stays as it was.
func (v *fmtVerb) formatText(o *outcome, src string) {
	o.before, o.after = src, src
	defer func() {
		// A bug in the libraries must not lose the caller's text.
		if r := recover(); r != nil {
			o.after, o.err = src, internalError(fmt.Errorf("panic: %v", r))
		}
	}()
	formatted, err := check.FormatFile(o.host, src, v.options(&o.target))
	o.selectors = selectorsOf(&formatted.File)
	switch {
	case err != nil:
		o.err = internalError(err)
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

func internalError(err error) error {
	return fmt.Errorf("an internal check refused the result, and nothing was changed; please report this with the file: %w", err)
}

func (v *fmtVerb) options(t *target) check.Options {
	o := format.Options{Edition: t.config.Edition(), Style: check.Style(cmp.Or(v.style.value, t.config.Style()), t.host)}
	if v.edition.value != "" {
		o.Edition, _ = ast.ParseEdition(v.edition.value)
	}
	return check.Options{Markers: t.config.Markers(), Format: o}
}

// report reports the outcome of a file, and whether it changed or would.
func (v *fmtVerb) report(o outcome) bool {
	if diag.HasErrors(o.found) {
		v.raise(exitFindings)
	}
	if len(o.found) > 0 {
		v.reporter(v.err, o.name, o.before, v.color).reportAll(o.found)
	}
	if o.err != nil {
		v.fail("%s: %s", visible(o.name), sanitize(atomicfile.Reason(o.err)))
		return false
	}
	if o.skipped != "" {
		v.note("%s is skipped: %s", visible(o.name), o.skipped)
		return false
	}
	if o.after == o.before {
		return false
	}
	if !v.write {
		v.raise(exitFindings)
	}
	if v.list {
		fmt.Fprintln(v.out, o.name)
	}
	if v.diff {
		fmt.Fprint(v.out, unifiedDiff(v.patchName(o.path), o.before, o.after))
	}
	if !v.write && !v.list && !v.diff {
		lines := changedLines(unifiedDiff(o.name, o.before, o.after))
		fmt.Fprintf(v.out, "%s: %s would change\n", visible(o.name), count(lines, "line"))
	}
	return true
}

// runStdin formats standard input. Unless a report was requested, it always prints text: the
// formatted text, or the original one.
func (v *fmtVerb) runStdin(ctx context.Context) error {
	c, err := newCollector(v.session, &v.files)
	if err != nil {
		return err
	}
	prints := !v.list && !v.diff
	data, err := v.readStdin(ctx, maxFileSize)
	o := outcome{before: string(data), after: string(data)}
	if err == nil {
		if t, ok := c.stdinTarget(v.files.stdinFilename); ok {
			o.target = t
			v.formatText(&o, o.before)
			v.write = prints // the caller gets the text, so a difference is not a finding
			v.report(o)
		}
	} else if name := visible(cmp.Or(v.files.stdinFilename, stdinName)); errors.Is(err, atomicfile.ErrTooLarge) {
		v.note("%s is skipped: %s", name, tooLarge)
	} else {
		v.fail("%s: %s", name, atomicfile.Reason(err))
	}
	if prints {
		_, _ = v.out.WriteString(o.after) // the last flush reports errors
		if errors.Is(err, atomicfile.ErrTooLarge) {
			_, _ = io.Copy(v.out, v.in)
		}
	}
	return nil
}

// echoStdin copies standard input to standard output after a usage error, if the caller wanted it
// formatted: an editor that pipes its text through the program must not lose it.
func (v *fmtVerb) echoStdin() {
	if slices.Contains(v.args, "-") && !v.list && !v.diff && v.files.filesFrom != "-" {
		_, _ = io.Copy(v.out, v.in)
	}
}
