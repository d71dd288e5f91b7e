// Package verb is one run of a program: streams, exit code, reports, tables, progress, files.
package verb

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/store"
)

// The exit codes of every program. The highest one wins.
const (
	ExitClean    = 0 // clean, or everything was done
	ExitFindings = 1 // unformatted files, selectors with errors
	ExitFailed   = 2 // the job could not be done: usage, configuration, files that cannot be read or written

	ExitInterrupted = 130 // a signal ended the run (decision V2)
)

// Program is the name that a program is called by. It decides which command is the root.
type Program string

// The programs that packages install. Any other name, such as the pactsel of the Python package,
// stands for Pactkit.
const (
	Pactkit Program = "pactkit" // every verb
	Pactfmt Program = "pactfmt" // the fmt verb
)

// ProgramOf returns the program that a path names: packages install one file under several names.
func ProgramOf(path string) Program {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	if !plainName.MatchString(name) {
		return Pactkit
	}
	return Program(name)
}

// plainName matches a name that needs no quotes in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// Run is one run of a program. It is used by one goroutine.
type Run struct {
	Program  Program
	Args     []string
	Folder   string // the working folder
	In       io.Reader
	Out      *bufio.Writer
	Err      io.Writer
	ErrTerm  bool // err is a terminal
	OutTerm  bool // out is a terminal
	Color    bool // on err
	Paints   bool // color on out
	OutWidth int  // columns of the terminal of out; 0 if it is not one
	Quiet    bool // no warnings, no notes
	Code     int
	Reasons  []string         // for the code; JSON reports print them
	Problems []config.Problem // of configurations, which were reported
	Calls    *regexp.Regexp   // of pactkit with a verb, in help and messages
}

// UseColor follows NO_COLOR and FORCE_COLOR. Without them, a terminal gets colors.
func UseColor(getenv func(string) string, terminal bool) bool {
	if getenv("NO_COLOR") != "" {
		return false
	}
	if force := getenv("FORCE_COLOR"); force != "" && force != "0" {
		return true
	}
	return terminal && getenv("TERM") != "dumb"
}

// NameIn makes the help of a command and of those below it call the program by its name.
func (r *Run) NameIn(cmd *cobra.Command) {
	if r.Program == Pactkit || r.Program == Pactfmt {
		return
	}
	cmd.Long, cmd.Example = r.Named(cmd.Long), r.Named(cmd.Example)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = r.Named(f.Usage) })
	for _, c := range cmd.Commands() {
		r.NameIn(c)
	}
}

// Raise makes the exit code at least code.
func (r *Run) Raise(code int) { r.Code = max(r.Code, code) }

// Fail reports that something could not be done.
func (r *Run) Fail(format string, args ...any) {
	r.Raise(ExitFailed)
	message := r.text(format, args...)
	r.Reasons = append(r.Reasons, message)
	fmt.Fprintf(r.Err, "%s: %s\n", r.Program, message)
}

// Hint says what to do about what was just reported.
func (r *Run) Hint(format string, args ...any) {
	fmt.Fprintf(r.Err, "  hint: %s\n", r.text(format, args...))
}

// Interrupt reports that a signal ended the run.
func (r *Run) Interrupt(format string, args ...any) {
	r.Fail(format, args...)
	r.Raise(ExitInterrupted)
}

// Note reports something worth knowing.
func (r *Run) Note(format string, args ...any) {
	if r.Quiet {
		return
	}
	fmt.Fprintf(r.Err, "%s: note: %s\n", r.Program, r.text(format, args...))
}

// CallsOf returns the pattern of command lines that call pactkit, such as 'pactkit log FILE'.
func CallsOf(root *cobra.Command) *regexp.Regexp {
	var verbs []string
	for _, c := range root.Commands() {
		verbs = append(verbs, c.Name())
	}
	return regexp.MustCompile(`\bpactkit (` + strings.Join(verbs, "|") + `)\b`)
}

// Named returns a text whose command lines call the program by its name.
func (r *Run) Named(text string) string {
	if r.Program == Pactkit || r.Program == Pactfmt || r.Calls == nil {
		return text
	}
	return r.Calls.ReplaceAllString(text, string(r.Program)+" $1")
}

// text returns a message about this run: it names the program that was called, and no passwords.
func (r *Run) text(format string, args ...any) string {
	return r.Named(r.redact(fmt.Sprintf(format, args...)))
}

// redact removes passwords in the arguments of the program from a message. Verbs that read
// histories name them with [Shown]; this is for the others, and for the messages of cobra, which
// quote an address that is given where none belongs.
func (r *Run) redact(message string) string {
	for _, arg := range r.Args {
		_, value, _ := strings.Cut(arg, "=")
		for _, text := range []string{arg, value, strings.Trim(value, `"'`)} {
			if short := store.Redacted(text); short != text {
				message = strings.NewReplacer(text, short, Visible(text), short, strconv.Quote(text), strconv.Quote(short), filepath.Clean(text), short).Replace(message)
			}
		}
	}
	return message
}

func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func InternalError(err error) error {
	return fmt.Errorf("an internal check refused the result, and nothing was changed; please report this with the file: %w", err)
}

// Warn reports something that is probably wrong.
func (r *Run) Warn(format string, args ...any) {
	if r.Quiet {
		return
	}
	fmt.Fprintf(r.Err, "%s: warning: %s\n", r.Program, r.text(format, args...))
}

// Exit returns the exit code and its reasons for a JSON report.
func (r *Run) Exit() output.Exit {
	return output.Exit{Code: r.Code, Reasons: append([]string{}, r.Reasons...)}
}

// Find sets the exit code for findings, with a reason.
func (r *Run) Find(format string, args ...any) {
	r.Raise(ExitFindings)
	r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...))
}

// PrintJSON prints a report, indented, with a final newline.
func (r *Run) PrintJSON(report any) {
	_, _ = r.Out.Write(canonjson.EncodeIndented(report)) // the last flush reports errors
}
