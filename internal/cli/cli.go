// Package cli is the command line of pactkit: one tree of commands, one file for each verb. The
// programs differ only in the command that is their root.
package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/gctune"
	"github.com/pactkit/pactkit/internal/signals"
	"github.com/pactkit/pactkit/store"
)

// The exit codes of every program. The highest one wins.
const (
	exitClean    = 0 // clean, or everything was done
	exitFindings = 1 // unformatted files, selectors with errors
	exitFailed   = 2 // the job could not be done: usage, configuration, files that cannot be read or written

	exitInterrupted = 130 // a signal ended the run (decision V2)
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

// session is one run of a program. It is used by one goroutine.
type session struct {
	program  Program
	args     []string
	folder   string // the working folder
	in       io.Reader
	out      *bufio.Writer
	err      io.Writer
	errTerm  bool // err is a terminal
	outTerm  bool // out is a terminal
	color    bool // on err
	paints   bool // color on out
	outWidth int  // columns of the terminal of out; 0 if it is not one
	quiet    bool // no warnings, no notes
	code     int
	reasons  []string       // for the code; JSON reports print them
	calls    *regexp.Regexp // of pactkit with a verb, in help and messages
}

// Main runs a program with the arguments and streams of the process and returns its exit code. A
// signal stops it between two pieces of work, or ends it after [grace]; no file is left half
// written. A second signal ends it at once.
func Main(p Program) int {
	ctx, stop := signals.Context()
	defer stop()
	// On two processors the work and the garbage collector can keep a signal waiting for half a
	// second.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	disarm := context.AfterFunc(ctx, func() {
		stop()
		time.Sleep(grace)
		atomicfile.Hold()
		if term.IsTerminal(int(os.Stderr.Fd())) {
			fmt.Fprint(os.Stderr, eraseLine)
		}
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", p)
		os.Exit(exitInterrupted)
	})
	defer disarm() // before stop, which ends ctx too: a process that takes long to exit was not interrupted

	gctune.Start()

	folder, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p, err)
		return exitFailed
	}
	s := &session{program: p, args: os.Args[1:], folder: folder, in: os.Stdin, err: os.Stderr}
	s.out = bufio.NewWriter(os.Stdout)
	s.errTerm = term.IsTerminal(int(os.Stderr.Fd()))
	s.outTerm = term.IsTerminal(int(os.Stdout.Fd()))
	if s.outTerm {
		s.outWidth, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	s.color, s.paints = useColor(os.Getenv, s.errTerm), useColor(os.Getenv, s.outTerm)
	return s.run(ctx)
}

// grace is how long an interrupted program may take to report what it leaves undone.
const grace = 50 * time.Millisecond

// useColor follows NO_COLOR and FORCE_COLOR. Without them, a terminal gets colors.
func useColor(getenv func(string) string, terminal bool) bool {
	if getenv("NO_COLOR") != "" {
		return false
	}
	if force := getenv("FORCE_COLOR"); force != "" && force != "0" {
		return true
	}
	return terminal && getenv("TERM") != "dumb"
}

func (s *session) run(ctx context.Context) int {
	root := s.root()
	root.SetArgs(s.args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	if cmd, err := root.ExecuteContextC(ctx); err != nil {
		s.fail("%s", sanitize(err.Error()))
		fmt.Fprintf(s.err, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
	if err := s.out.Flush(); err != nil {
		s.fail("cannot write the results: %s", atomicfile.Reason(err))
	}
	if ctx.Err() != nil && s.code != exitClean {
		s.raise(exitInterrupted)
	}
	return s.code
}

// Command returns the command tree of a program, for documentation only.
func Command(p Program) *cobra.Command { return (&session{program: p}).root() }

const pactkitLong = `Tools for PACT, the context tree of language models.

Exit codes of every verb: 0 clean, or done; 1 findings; 2 the job could not be done; 130 interrupted. The highest wins.

Results go to standard output, everything else to standard error. On a terminal they are in color;
NO_COLOR turns color off, FORCE_COLOR on.`

func (s *session) root() *cobra.Command {
	if s.program == Pactfmt {
		root := s.fmtCommand(string(Pactfmt))
		root.Version = buildVersion()
		root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
		s.prepare(root)
		return root
	}
	root := &cobra.Command{
		Use:     string(s.program),
		Short:   "Tools for PACT, the context tree of language models",
		Long:    pactkitLong,
		Version: buildVersion(),
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(suggestFlag)
	for _, g := range []struct {
		id, title string
		verbs     []*cobra.Command
	}{
		{"look", "Look at contexts:", []*cobra.Command{
			s.logCommand(), s.showCommand(), s.traceCommand(), s.inspectCommand(), s.evalCommand(), s.grepCommand(), s.statsCommand(),
			s.explainCommand(),
			s.diffCommand(), s.renderCommand(), s.exportCommand(),
		}},
		{"selectors", "Keep selectors:", []*cobra.Command{
			s.checkCommand(), s.lintCommand(), s.fixCommand(), s.fmtCommand("fmt"), s.testCommand(),
			s.extractCommand(), s.rulesCommand(), s.baselineCommand(),
		}},
		{"histories", "Keep histories:", []*cobra.Command{
			s.importCommand(), s.commitCommand(), s.validateCommand(), s.migrateCommand(), s.compactCommand(), s.eraseCommand(),
		}},
		{"setup", "Set up:", []*cobra.Command{s.workerCommand(), s.mcpCommand(), s.configCommand(), s.completionCommand(Command), s.versionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, verb := range g.verbs {
			verb.GroupID = g.id
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommandGroupID("setup")
	s.calls = callsOf(root)
	s.prepare(root)
	return root
}

// prepare sets what all roots share. [session.run] prints errors, once.
func (s *session) prepare(root *cobra.Command) {
	root.PersistentFlags().BoolVarP(&s.quiet, "quiet", "q", false, "print no warnings and no notes")
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 120 "))
	root.CompletionOptions.DisableDefaultCmd = true
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	s.nameIn(root)
}

// nameIn makes the help of a command and of those below it call the program by its name.
func (s *session) nameIn(cmd *cobra.Command) {
	if s.program == Pactkit || s.program == Pactfmt {
		return
	}
	cmd.Long, cmd.Example = s.named(cmd.Long), s.named(cmd.Example)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = s.named(f.Usage) })
	for _, c := range cmd.Commands() {
		s.nameIn(c)
	}
}

// raise makes the exit code at least code.
func (s *session) raise(code int) { s.code = max(s.code, code) }

// fail reports that something could not be done.
func (s *session) fail(format string, args ...any) {
	s.raise(exitFailed)
	message := s.text(format, args...)
	s.reasons = append(s.reasons, message)
	fmt.Fprintf(s.err, "%s: %s\n", s.program, message)
}

// hint says what to do about what was just reported.
func (s *session) hint(format string, args ...any) {
	fmt.Fprintf(s.err, "  hint: %s\n", s.text(format, args...))
}

// interrupt reports that a signal ended the run.
func (s *session) interrupt(format string, args ...any) {
	s.fail(format, args...)
	s.raise(exitInterrupted)
}

// note reports something worth knowing.
func (s *session) note(format string, args ...any) {
	if s.quiet {
		return
	}
	fmt.Fprintf(s.err, "%s: note: %s\n", s.program, s.text(format, args...))
}

// callsOf returns the pattern of command lines that call pactkit, such as 'pactkit log FILE'.
func callsOf(root *cobra.Command) *regexp.Regexp {
	var verbs []string
	for _, c := range root.Commands() {
		verbs = append(verbs, c.Name())
	}
	return regexp.MustCompile(`\bpactkit (` + strings.Join(verbs, "|") + `)\b`)
}

// named returns a text whose command lines call the program by its name.
func (s *session) named(text string) string {
	if s.program == Pactkit || s.program == Pactfmt || s.calls == nil {
		return text
	}
	return s.calls.ReplaceAllString(text, string(s.program)+" $1")
}

// text returns a message about this run: it names the program that was called, and no passwords.
func (s *session) text(format string, args ...any) string {
	return s.named(s.redact(fmt.Sprintf(format, args...)))
}

// redact removes passwords in the arguments of the program from a message. Verbs that read
// histories name them with [shown]; this is for the others, and for the messages of cobra, which
// quote an address that is given where none belongs.
func (s *session) redact(message string) string {
	for _, arg := range s.args {
		_, value, _ := strings.Cut(arg, "=")
		for _, text := range []string{arg, value, strings.Trim(value, `"'`)} {
			if short := store.Redacted(text); short != text {
				message = strings.NewReplacer(text, short, visible(text), short, strconv.Quote(text), strconv.Quote(short), filepath.Clean(text), short).Replace(message)
			}
		}
	}
	return message
}
