package setup

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/testrun"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/cmd/internal/worker"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

const workerLong = `Answer requests: one line of JSON on standard output for each line of JSON on standard input, in order, until the input ends.

A request names a log, a history or a file, and selectors or a suite:

  {"id": 1, "log": [{"role": "user", "content": "hi"}], "from": "openai", "selectors": [".block+user"]}
  {"id": 1, "histories": [{"name": "", "answers": [{"ids": ["block:2"]}]}]}

A caller that begins with {"worker": 2} may also keep live contexts in it, in memory or in a store:

  {"id": 2, "context": "a", "do": [{"open": "file:sessions#17"}, {"insert": "(d0,0, end)", "node": {"role": "user", "content": "hi"}}, {"commit": true}]}

An error is also an answer; the worker continues with the next line. It answers one request at a time: run one worker per
processor. The words that known.* of the configuration lists get no warning. docs/reference/worker.md describes the
protocol, docs/schemas/worker.json its lines.

Exit codes: 0 standard input has ended; 2 it cannot be read, or standard output cannot be written.`

const workerExample = `  pactkit worker < requests.jsonl > answers.jsonl
  pactkit worker --max-bytes 16000000`

// Worker returns the verb worker.
func Worker(r *verb.Run) *cobra.Command {
	var maxBytes int64
	var words open.SelectorFlags
	cmd := &cobra.Command{
		Use:     "worker",
		Short:   "Answer requests of other programs, one per line",
		Long:    workerLong,
		Example: workerExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return errors.New("a worker takes no arguments; its requests come on standard input")
			case maxBytes <= 0:
				return errors.New("--max-bytes must be positive")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := words.Configuration(r)
			if err != nil || cfg == nil {
				return err
			}
			o := worker.Options{Version: verb.BuildVersion(), MaxBytes: maxBytes, Folder: r.Folder, Known: cfg.Known(), Prices: cfg.Prices(), Windows: cfg.Windows()}
			o.Test = func(ctx context.Context, text string, t *engine.Timeline) ([]byte, error) {
				return testrun.History(ctx, r, text, t)
			}
			serve(cmd.Context(), r, o)
			return nil
		},
	}
	cmd.Flags().Int64Var(&maxBytes, "max-bytes", worker.DefaultMaxBytes, "refuse requests, and files after decompression, larger than `N` bytes")
	words.Files.AddConfig(cmd)
	return cmd
}

// serve runs a worker.
func serve(ctx context.Context, r *verb.Run, o worker.Options) {
	err := worker.Serve(ctx, r.In, r.Out, o)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		r.Interrupt("interrupted")
	default:
		r.Fail("%s", verb.Sanitize(atomicfile.Reason(err)))
	}
}
