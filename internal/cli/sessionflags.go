package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

// logFlags say how logs are read, for every verb that reads logs.
type logFlags struct {
	kind     enumFlag
	messages string
	added    bool // the verb has the flags
}

func (f *logFlags) add(cmd *cobra.Command) {
	f.added = true
	var kinds []string
	for _, k := range sessions.Kinds() {
		kinds = append(kinds, string(k))
	}
	addEnum(cmd, &f.kind, "from", kinds, "the `SOURCE` of the logs (default auto, recognized from the content)")
	cmd.Flags().StringVar(&f.messages, "messages", "", "the `PATH` of the member of a log with the messages, such as history or samples.messages")
}

// apply sets how logs are read in options.
func (f *logFlags) apply(o *sessions.Options) {
	o.From, o.Messages = sessions.Kind(f.kind.value), f.messages
}

// isAuto reports whether the kind of the logs is recognized from their content.
func (f *logFlags) isAuto() bool {
	return f.kind.value == "" || f.kind.value == string(sessions.Auto)
}

// sessionFlags are the flags of the verbs that take histories and logs alike.
type sessionFlags struct {
	historyFlags
	noIgnore bool
}

// addMemoryLimit adds the flag that limits memory.
func addMemoryLimit(cmd *cobra.Command, n *int64) {
	cmd.Flags().Int64Var(n, "max-bytes", 0, "refuse more than `N` bytes in memory at once: a log, a line, a history (default 256 MiB; 512 MiB for histories)")
}

func (f *sessionFlags) add(cmd *cobra.Command) {
	f.logFlags.add(cmd)
	f.addStrict(cmd)
	f.addStdin(cmd)
	f.addMaxDepth(cmd)
	addMemoryLimit(cmd, &f.maxBytes)
}

// addMany adds the flags of the verbs that take any number of sessions.
func (f *sessionFlags) addMany(cmd *cobra.Command) {
	f.add(cmd)
	cmd.Flags().BoolVar(&f.noIgnore, "no-ignore", false, "search ignored files, too")
}

// sessionOptions returns how sessions are opened.
func (s *session) sessionOptions(f *sessionFlags) sessions.Options {
	o := sessions.Options{
		Strict: f.strict, MaxBytes: f.maxBytes, MaxDepth: f.maxDepth, NoIgnore: f.noIgnore, Folder: s.folder, Stdin: s.in, StdinName: f.stdinFilename,
	}
	f.apply(&o)
	return o
}

// notedOptions is sessionOptions with notes about the files that are collected.
func (s *session) notedOptions(f *sessionFlags, notes *noteGroups) sessions.Options {
	o := s.sessionOptions(f)
	o.Note = func(n thread.Note) { notes.add([]thread.Note{n}) }
	return o
}

// failSession reports that a history or a log cannot be read.
func (s *session) failSession(name string, err error, f *sessionFlags) {
	e, ok := errors.AsType[*engine.Error](err)
	switch {
	case ok && e.Code == engine.ErrFileLimit && f.maxBytes == 0 && f.maxDepth > 0: // the verb has --max-bytes
		s.fail("%s", visible(e.Error()))
		s.hint("--max-bytes raises the limit; or %s", historyHints[e.Code])
	default:
		s.failHistory(name, err, &f.historyFlags)
	}
}
