package setup

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/explanation"
	"github.com/pactkit/pactkit/cmd/internal/mcp"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
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

// MCP returns the verb mcp.
func MCP(r *verb.Run) *cobra.Command {
	var maxBytes int64
	var logs open.LogFlags
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
			logs.Apply(&read)
			return serveAgents(cmd.Context(), r, mcp.Options{
				Version: verb.BuildVersion(), Roots: args, Folder: r.Folder, MaxBytes: maxBytes, From: read.From, Messages: read.Messages,
			})
		},
	}
	logs.Add(cmd)
	cmd.Flags().Int64Var(&maxBytes, "max-bytes", 0, "refuse files larger than `N` bytes after decompression (default 256 MiB; 512 MiB for histories)")
	return cmd
}

// serveAgents runs a server of the Model Context Protocol.
func serveAgents(ctx context.Context, r *verb.Run, o mcp.Options) error {
	cfg, err := (&open.SelectorFlags{}).Configuration(r)
	if err != nil || cfg == nil {
		return err
	}
	o.Edition, o.Known, o.Prices, o.Windows = open.ConfiguredEdition(cfg), cfg.Known(), cfg.Prices(), cfg.Windows()
	o.Explain = func(ctx context.Context, what, name string, t *engine.Timeline) (string, error) {
		return explanation.Text(ctx, r, cfg, what, name, t)
	}
	server, err := mcp.New(o)
	if err != nil {
		return err
	}
	defer server.Close()
	err = server.Serve(ctx, io.NopCloser(r.In), flushingWriter{r.Out})
	if ctx.Err() != nil {
		r.Interrupt("interrupted")
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
