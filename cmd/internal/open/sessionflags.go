package open

import (
	"errors"
	"io/fs"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/redact"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

// LogFlags are the flags of every verb that reads logs.
type LogFlags struct {
	kind     verb.EnumFlag
	Messages string
	added    bool             // whether the verb has the flags
	redact   *redact.Redactor // nil without --redact
}

func (f *LogFlags) Add(cmd *cobra.Command) {
	f.added = true
	var kinds []string
	for _, k := range sessions.Kinds() {
		kinds = append(kinds, string(k))
	}
	verb.AddEnum(cmd, &f.kind, "from", kinds, "the `SOURCE` of the logs (default auto, recognized from the content)")
	cmd.Flags().StringVar(&f.Messages, "messages", "", "the `PATH` of the member of a log with the messages, such as history or samples.messages")
}

// Apply sets the options of the flags.
func (f *LogFlags) Apply(o *sessions.Options) {
	o.From, o.Messages = sessions.Kind(f.kind.Value), f.Messages
	if f.redact != nil {
		o.Redact = f.redact
	}
}

// IsAuto reports whether the kind of the logs is recognized from their content.
func (f *LogFlags) IsAuto() bool {
	return f.kind.Value == "" || f.kind.Value == string(sessions.Auto)
}

// SessionFlags are the flags of the verbs that take histories and logs alike.
type SessionFlags struct {
	HistoryFlags
	noIgnore bool
}

// AddMemoryLimit adds the flag that limits memory.
func AddMemoryLimit(cmd *cobra.Command, n *int64) {
	cmd.Flags().Int64Var(n, "max-bytes", 0, "refuse more than `N` bytes in memory at once: a log, a line, a history (default 256 MiB; 512 MiB for histories)")
}

func (f *SessionFlags) Add(cmd *cobra.Command) {
	f.LogFlags.Add(cmd)
	f.addStrict(cmd)
	f.AddStdin(cmd)
	f.addMaxDepth(cmd)
	AddMemoryLimit(cmd, &f.MaxBytes)
}

// AddMany adds the flags of the verbs that take any number of sessions.
func (f *SessionFlags) AddMany(cmd *cobra.Command) {
	f.Add(cmd)
	cmd.Flags().BoolVar(&f.noIgnore, "no-ignore", false, "search ignored files, too")
}

// SessionOptions returns how sessions are opened.
func SessionOptions(r *verb.Run, f *SessionFlags) sessions.Options {
	o := sessions.Options{
		Strict: f.Strict, MaxBytes: f.MaxBytes, MaxDepth: f.maxDepth, NoIgnore: f.noIgnore, Folder: r.Folder, Stdin: r.In, StdinName: f.StdinFilename,
		Lookup: lookup(r, allFiles),
	}
	f.Apply(&o)
	return o
}

// notedOptions is SessionOptions that collect notes about the files.
func notedOptions(r *verb.Run, f *SessionFlags, notes *NoteGroups) sessions.Options {
	o := SessionOptions(r, f)
	o.Note = func(n thread.Note) { notes.Add([]thread.Note{n}) }
	return o
}

// FailSession reports that a history or a log cannot be read.
func FailSession(r *verb.Run, name string, err error, f *SessionFlags) {
	r.FailAbout(name, err, func(e *failure.Failure) string {
		if errors.Is(err, fs.ErrNotExist) && word.MatchString(name) {
			return "'pactkit sessions' lists the sessions of agents: name one by the first six or more characters of its id, or by last"
		}
		return SessionHint(e, f)
	})
}

// word matches names that are probably not those of files.
var word = regexp.MustCompile(`^[0-9A-Za-z_~-]+$`)

// SessionHint returns the hint for an error of reading a history or a log, or "".
func SessionHint(e *failure.Failure, f *SessionFlags) string {
	if e.Code == engine.ErrFileLimit && f.MaxBytes == 0 && f.maxDepth > 0 { // the verb has --max-bytes
		return "--max-bytes raises the limit; or " + historyHints[e.Code]
	}
	return HistoryHint(e, &f.HistoryFlags)
}
