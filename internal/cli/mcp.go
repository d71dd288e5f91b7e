package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/mcp"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/suite"
)

const mcpLong = `Serve a coding agent: run a server of the Model Context Protocol on standard input and output, with four tools that only
read.

  log      the model calls of a session: tokens, what entered and left and why; without a path, which sessions there are
  select   the nodes that a selector finds, in one session or in many
  trace    the life of one node
  explain  selectors, error codes, rules and words

The tools read files in the folders DIR, by default the working folder, and nothing else: .. and symbolic links that lead
out of them are refused. A store is read if its address (file:FOLDER, postgres://HOST/DATABASE) is named as a DIR. Answers
are limited to about 32 KB, and say how to get the rest. docs/reference/mcp.md shows how to add the server to an agent.

Exit codes: 0 the client has closed standard input; 2 a DIR cannot be opened, or the streams fail.`

const mcpExample = `  pactkit mcp logs                                  the logs of this folder
  pactkit mcp logs fixtures                         the logs of two folders`

func (s *session) mcpCommand() *cobra.Command {
	var maxBytes int64
	var logs logFlags
	cmd := &cobra.Command{
		Use:     "mcp [DIR]...",
		Short:   "Answer coding agents: a server of the Model Context Protocol",
		Long:    mcpLong,
		Example: mcpExample,
		Args: func(_ *cobra.Command, _ []string) error {
			if maxBytes < 0 {
				return errors.New("--max-bytes must not be negative")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var read sessions.Options
			logs.apply(&read)
			return s.serveAgents(cmd.Context(), mcp.Options{
				Version: buildVersion(), Roots: args, Folder: s.folder, MaxBytes: maxBytes, From: read.From, Messages: read.Messages,
			})
		},
	}
	logs.add(cmd)
	cmd.Flags().Int64Var(&maxBytes, "max-bytes", 0, "refuse files larger than `N` bytes after decompression (default 256 MiB; 512 MiB for histories)")
	return cmd
}

// serveAgents runs a server of the Model Context Protocol.
func (s *session) serveAgents(ctx context.Context, o mcp.Options) error {
	cfg, err := (&selectorFlags{}).configuration(s)
	if err != nil || cfg == nil {
		return err
	}
	o.Edition, o.Known = configuredEdition(cfg), cfg.Known()
	o.Explain = func(ctx context.Context, what, name string, t *engine.Timeline) (string, error) {
		return s.explainText(ctx, cfg, what, name, t)
	}
	server, err := mcp.New(o)
	if err != nil {
		return err
	}
	defer server.Close()
	err = server.Serve(ctx, io.NopCloser(s.in), flushingWriter{s.out})
	if ctx.Err() != nil {
		s.interrupt("interrupted")
		return nil
	}
	return err
}

// flushingWriter writes through a buffer that it leaves empty. Closing it does nothing.
type flushingWriter struct{ *bufio.Writer }

func (w flushingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err == nil {
		err = w.Flush()
	}
	return n, err
}

func (flushingWriter) Close() error { return nil }

// explainText returns the output of explain; an error holds what it reports.
func (s *session) explainText(ctx context.Context, cfg *config.Config, what, name string, t *engine.Timeline) (string, error) {
	var out, report bytes.Buffer
	quiet := &session{program: s.program, folder: s.folder, out: bufio.NewWriter(&out), err: &report}
	v := &explainVerb{session: quiet}
	v.history.from = []string{name}
	err := v.explain(ctx, what, cfg, t)
	if flushed := quiet.out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		return "", &mcp.Failure{Code: engine.ErrNotFound, Message: err.Error()}
	}
	if quiet.code == exitClean {
		return out.String() + report.String(), nil
	}
	f := &mcp.Failure{Code: engine.ErrNotFound, Message: strings.TrimSpace(report.String())}
	if _, found := prepare.Select(what, editionOf("", cfg, t)); len(suite.OnlyErrors(found)) > 0 {
		f.Code = engine.Code(suite.OnlyErrors(found)[0].Code)
	}
	return "", f
}
