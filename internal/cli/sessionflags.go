package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
)

// addLogFlags adds the flags that say how logs are read, for every verb that reads logs.
func addLogFlags(cmd *cobra.Command, kind *enumFlag, messages *string) {
	var kinds []string
	for _, k := range sessions.Kinds() {
		kinds = append(kinds, string(k))
	}
	addEnum(cmd, kind, "from", kinds, "what wrote the logs (default auto: recognized from the content)")
	cmd.Flags().StringVar(messages, "messages", "", "the `PATH` of the member of a log with the messages, such as history or samples.messages")
}

// sourceFlags are the flags of the verbs that read many sessions.
type sourceFlags struct {
	from          enumFlag
	messages      string
	noIgnore      bool
	stdinFilename string
	maxBytes      int64
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	addLogFlags(cmd, &f.from, &f.messages)
	flags := cmd.Flags()
	flags.BoolVar(&f.noIgnore, "no-ignore", false, "look at what ignore files name, too")
	flags.StringVar(&f.stdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for; its ending decides the form")
	_ = cmd.MarkFlagFilename("stdin-filename")
	flags.Int64Var(&f.maxBytes, "max-bytes", 0, "refuse more than `N` bytes in memory at once: a log, a line, a history (default 256 MiB; 512 MiB for histories)")
}

// options returns how sessions are opened.
func (f *sourceFlags) options(s *session) sessions.Options {
	return sessions.Options{
		From: sessions.Kind(f.from.value), Messages: f.messages, MaxBytes: f.maxBytes, NoIgnore: f.noIgnore,
		Folder: s.folder, Stdin: s.in, StdinName: f.stdinFilename,
	}
}

// failSession reports that a file of sessions cannot be read.
func (s *session) failSession(path string, err error) {
	if e, ok := errors.AsType[*engine.Error](err); ok && e.File != "" {
		s.fail("%s", visible(e.Error()))
		if e.Code == engine.ErrFileLimit {
			s.hint("--max-bytes raises the limit")
		}
		return
	}
	s.fail("%s: %s", visible(path), sanitize(reason(err)))
}
