// Package cli is the command line of pactkit: one tree of commands.
package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pactkit/pactkit/cmd/internal/histories"
	"github.com/pactkit/pactkit/cmd/internal/look"
	"github.com/pactkit/pactkit/cmd/internal/selectors"
	"github.com/pactkit/pactkit/cmd/internal/setup"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/process"
)

// Main runs a program with the arguments and streams of the process and returns its exit code. A
// signal stops it between two pieces of work, or ends it after [grace]; no file is left half
// written. A second signal within grace changes nothing: a shell that passes an interrupt on sends
// it twice, to the program and to its group. A later one ends the program at once.
func Main(p verb.Program) int {
	ctx, stop := process.SignalContext()
	// On two processors the work and the garbage collector can keep a signal waiting for half a
	// second.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	disarm := context.AfterFunc(ctx, func() {
		time.Sleep(grace)
		stop()
		atomicfile.Hold()
		if term.IsTerminal(int(os.Stderr.Fd())) {
			fmt.Fprint(os.Stderr, verb.EraseLine)
		}
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", p)
		os.Exit(verb.ExitInterrupted)
	})
	defer disarm() // a process that takes long to exit was not interrupted

	process.TuneGC()
	process.LimitMemory(ctx, string(p), verb.ExitFailed)

	folder, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p, err)
		return verb.ExitFailed
	}
	r := &verb.Run{Program: p, Args: os.Args[1:], Folder: folder, In: os.Stdin, Err: os.Stderr}
	r.Out = bufio.NewWriter(os.Stdout)
	r.ErrTerm = term.IsTerminal(int(os.Stderr.Fd()))
	r.OutTerm = term.IsTerminal(int(os.Stdout.Fd()))
	if r.OutTerm {
		r.OutWidth, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	r.Color, r.Paints = verb.UseColor(os.Getenv, r.ErrTerm), verb.UseColor(os.Getenv, r.OutTerm)
	return execute(ctx, r)
}

// grace is how long an interrupted program may take to report what it leaves undone.
const grace = 50 * time.Millisecond

func execute(ctx context.Context, r *verb.Run) int {
	root := root(r)
	root.SetArgs(r.Args)
	root.SetIn(r.In)
	root.SetOut(r.Out)
	root.SetErr(r.Err)
	if cmd, err := root.ExecuteContextC(ctx); err != nil {
		r.Fail("%s", verb.Sanitize(err.Error()))
		fmt.Fprintf(r.Err, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
	if err := r.Out.Flush(); err != nil {
		r.Fail("cannot write the results: %s", atomicfile.Reason(err))
	}
	if ctx.Err() != nil && r.Code != verb.ExitClean {
		r.Raise(verb.ExitInterrupted)
	}
	return r.Code
}

// Command returns the command tree of a program, for documentation only.
func Command(p verb.Program) *cobra.Command { return root((&verb.Run{Program: p})) }

const pactkitLong = `Tools for PACT, the context tree of language models.

Exit codes of every verb: 0 clean, or done; 1 findings; 2 the job could not be done; 130 interrupted. The highest wins.

Results go to standard output, everything else to standard error. On a terminal they are in color;
NO_COLOR turns color off, FORCE_COLOR on.`

func root(r *verb.Run) *cobra.Command {
	if r.Program == verb.Pactfmt {
		root := selectors.Fmt(r, string(verb.Pactfmt))
		root.Version = verb.BuildVersion()
		prepare(r, root)
		return root
	}
	root := &cobra.Command{
		Use:     string(r.Program),
		Short:   "Tools for PACT, the context tree of language models",
		Long:    pactkitLong,
		Version: verb.BuildVersion(),
	}
	root.SetFlagErrorFunc(verb.SuggestFlag)
	for _, g := range []struct {
		id, title string
		verbs     []*cobra.Command
	}{
		{"look", "Look at contexts:", []*cobra.Command{
			look.Sessions(r), look.Log(r), look.Show(r), look.Trace(r), look.Inspect(r), look.Eval(r), look.Grep(r), look.Stats(r),
			look.Explain(r),
			look.Diff(r), look.Render(r), look.Export(r), look.Policy(r), look.Doctor(r),
		}},
		{"selectors", "Keep selectors:", []*cobra.Command{
			selectors.Check(r), selectors.Lint(r), selectors.Fix(r), selectors.Fmt(r, "fmt"), selectors.Test(r),
			selectors.Extract(r), selectors.Symbols(r), selectors.Definition(r), selectors.References(r), selectors.Rename(r), selectors.Request(r),
			selectors.Rules(r), selectors.Baseline(r), selectors.Vocabulary(r),
		}},
		{"histories", "Keep histories:", []*cobra.Command{
			histories.Record(r), histories.Import(r), histories.Commit(r), histories.Fork(r), histories.Rewind(r), histories.Validate(r), histories.Migrate(r), histories.Compact(r), histories.Erase(r),
		}},
		{"setup", "Set up:", []*cobra.Command{setup.Worker(r), setup.MCP(r), setup.Config(r), setup.Completion(r, Command), setup.Version(r)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, verb := range g.verbs {
			verb.GroupID = g.id
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommandGroupID("setup")
	r.Calls = verb.CallsOf(root)
	prepare(r, root)
	return root
}

// prepare sets what all roots share. [verb.Run.run] prints errors, once.
func prepare(r *verb.Run, root *cobra.Command) {
	root.PersistentFlags().Var(budget.Flag{}, "max-memory", "use at most `SIZE` of memory, such as 2GiB (default half of the machine's)")
	root.PersistentFlags().BoolVarP(&r.Quiet, "quiet", "q", false, "print no warnings and no notes")
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetUsageFunc(usage)
	root.CompletionOptions.DisableDefaultCmd = true
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	r.NameIn(root)
}
