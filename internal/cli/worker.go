package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/internal/worker"
)

const workerLong = `Answer requests: one line of JSON on standard output for each line of JSON on standard input, in order, until the input ends.

A request names a log, a history or a file, and selectors or a suite:

  {"id": 1, "log": [{"role": "user", "content": "hi"}], "from": "openai", "selectors": [".block+user"]}
  {"id": 1, "histories": [{"name": "", "answers": [{"ids": ["block:2"]}]}]}

An error is also an answer; the worker continues with the next line. It answers one request at a time: run one worker per
processor. The words that known.* of the configuration lists get no warning. docs/reference/worker.md describes the
protocol, docs/schemas/worker.json its lines.

Exit codes: 0 standard input has ended; 2 it cannot be read, or standard output cannot be written.`

const workerExample = `  pactkit worker < requests.jsonl > answers.jsonl
  pactkit worker --max-bytes 16000000`

func (s *session) workerCommand() *cobra.Command {
	var maxBytes int64
	var words selectorFlags
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
			cfg, err := words.configuration(s)
			if err != nil || cfg == nil {
				return err
			}
			o := worker.Options{Version: buildVersion(), MaxBytes: maxBytes, Folder: s.folder, Known: cfg.Known()}
			o.Test = func(ctx context.Context, text string, t *engine.Timeline) ([]byte, error) {
				return s.testHistory(ctx, text, t)
			}
			s.serve(cmd.Context(), o)
			return nil
		},
	}
	cmd.Flags().Int64Var(&maxBytes, "max-bytes", worker.DefaultMaxBytes, "refuse requests, and files after decompression, larger than `N` bytes")
	words.files.addConfig(cmd)
	return cmd
}

// testHistory runs a suite on a history, for a worker.
func (s *session) testHistory(ctx context.Context, text string, t *engine.Timeline) ([]byte, error) {
	quiet := &session{program: s.program, folder: s.folder, err: io.Discard, quiet: true}
	v := &testVerb{session: quiet, on: t, seen: map[string]bool{}, words: map[*engine.Timeline]*facts.Facts{}}
	name := "suite.yaml"
	if strings.HasPrefix(text, "-- ") || strings.Contains(text, "\n-- ") {
		name = "suite.txtar"
	}
	reports := []suiteReport{v.runSuite(ctx, target{name: name}, []byte(text))}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	v.count(reports)
	var pretty, line bytes.Buffer
	v.writeJSON(&pretty, reports)
	err := json.Compact(&line, pretty.Bytes())
	return line.Bytes(), err
}

// serve runs a worker.
func (s *session) serve(ctx context.Context, o worker.Options) {
	err := worker.Serve(ctx, s.in, s.out, o)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		s.interrupt("interrupted")
	default:
		s.fail("%s", sanitize(atomicfile.Reason(err)))
	}
}
