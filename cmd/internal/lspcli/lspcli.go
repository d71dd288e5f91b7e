// Package lspcli is the command line of pact-lsp.
package lspcli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/process"
	"github.com/pactkit/pactkit/lsp"
)

// The exit codes besides those of the protocol.
const (
	exitDone   = 0
	exitFailed = 2 // usage; an address that cannot be listened on
)

const long = `The language server of PACT selectors: for selector files, and for strings of other files that hold selectors.

It speaks the Language Server Protocol on standard input and output, and ends when its input does, or when the
process of the client is gone. The exit code is 0 after a shutdown, else 1, and 2 when it could not be started. Logs go
to standard error.`

// streams are what a run of the program reads and writes.
type streams struct {
	in       io.ReadCloser
	out, err io.Writer
}

// serverFlags are the flags of the program.
type serverFlags struct {
	stdio  bool
	client int
	listen string
	log    string

	tokenFile string
	origins   []string
}

// Main runs the program with the arguments and streams of the process and returns its exit code.
// Only frames can reach standard output, whatever a library prints.
func Main() int {
	ctx, stop := process.SignalContext()
	defer stop()
	frames := os.Stdout
	os.Stdout = os.Stderr
	process.TuneGC()
	process.LimitMemory(ctx, "pact-lsp", exitFailed)
	return run(ctx, streams{os.Stdin, frames, os.Stderr}, os.Args[1:])
}

func run(ctx context.Context, s streams, args []string) int {
	code := exitDone
	cmd := command(func(o serverFlags) error {
		level := slog.LevelWarn
		if err := level.UnmarshalText([]byte(o.log)); err != nil {
			return fmt.Errorf("--log %s: the level must be debug, info, warn or error", o.log)
		}
		log := slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: level}))
		settings := lsp.Options{Version: version(), Log: log, ClientProcess: o.client, Suites: Suites()}
		switch {
		case o.listen != "" && o.stdio:
			return errors.New("--stdio and --listen cannot be combined")
		case o.listen == "" && (o.tokenFile != "" || len(o.origins) > 0):
			return errors.New("--token-file and --allow-origin require --listen")
		case o.listen != "":
			l, err := newListener(o, settings)
			if err != nil {
				return err
			}
			return l.serve(ctx, o.tokenFile == "", s.err)
		}
		code = lsp.Serve(ctx, pipes{s.in, s.out}, settings)
		return nil
	})
	cmd.SetArgs(args)
	cmd.SetOut(s.out)
	cmd.SetErr(s.err)
	if err := cmd.Execute(); err != nil {
		fmt.Fprintf(s.err, "pact-lsp: %v\nRun 'pact-lsp --help' for usage.\n", err)
		return exitFailed
	}
	return code
}

// Suites tells the language server about suites of tests.
func Suites() lsp.Suites {
	return lsp.Suites{Is: suite.Is, Schema: suite.Schema(), Check: func(path, text string) (int, string) {
		if _, err := suite.Parse(path, text); err != nil {
			p := err.(*suite.Problem)
			return p.Line, p.Message
		}
		return 0, ""
	}}
}

// Command returns the command, for documentation; it must not be run.
func Command() *cobra.Command { return command(nil) }

func command(serve func(serverFlags) error) *cobra.Command {
	var o serverFlags
	cmd := &cobra.Command{
		Use: "pact-lsp", Short: "The language server of PACT selectors", Long: long, Args: cobra.NoArgs,
		Version: version(), SilenceErrors: true, SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { return serve(o) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.stdio, "stdio", false, "speak on standard input and output; the default")
	f.IntVar(&o.client, "clientProcessId", 0, "end when the process `N` does")
	f.StringVar(&o.listen, "listen", "", "serve at `ADDRESS`: tcp:127.0.0.1:PORT, or ws:127.0.0.1:PORT for WebSocket; this machine alone")
	f.StringVar(&o.tokenFile, "token-file", "", "read the token of --listen from `FILE` instead of printing a random one")
	f.StringArrayVar(&o.origins, "allow-origin", nil, "let pages of `ORIGIN`, as in https://example.org, use --listen ws:…; repeatable")
	f.StringVar(&o.log, "log", "warn", "log from `LEVEL` on: debug, info, warn or error")
	f.Var(budget.Flag{}, "max-memory", "use at most `SIZE` of memory, such as 2GiB (default half of the machine's)")
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	return cmd
}

// version is what the linker recorded about the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// pipes are standard input and output as one connection.
type pipes struct {
	io.ReadCloser
	io.Writer
}
