package open

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// History reads a history, and warns about broken invariants and an interrupted append. It
// reports an error and returns nil.
func History(ctx context.Context, r *verb.Run, name string, f *HistoryFlags) *engine.Timeline {
	t, _ := Journal(ctx, r, name, f)
	return t
}

// Journal is like [History], for callers that append to the history.
func Journal(ctx context.Context, r *verb.Run, name string, f *HistoryFlags) (*engine.Timeline, *journal.Info) {
	t, info, err := ReadHistory(ctx, r, name, f, engine.ReadOptions{Strict: f.Strict})
	if err != nil {
		FailHistory(r, name, err, f)
		return nil, nil
	}
	if torn := TornAppend(name, info); torn != nil {
		r.Warn("%s", verb.Visible(torn.Error()))
	}
	WarnInvariants(r, name, t.Warnings())
	return t, info
}

// ForkText says where a history was forked; "" if it was not.
func ForkText(t *engine.Timeline) string {
	return calls.ForkText(t, verb.Shown)
}

// TornAppend returns the error of a journal that ends in an interrupted append, or nil.
func TornAppend(name string, info *journal.Info) *engine.Error {
	if info == nil || info.Torn == 0 {
		return nil
	}
	return &engine.Error{Code: journal.ErrTorn, File: name, Line: info.Line, Msg: fmt.Sprintf(
		"an append was interrupted here, and its %s do not count; the history up to cycle %d is whole", verb.Count(int(info.Torn), "byte"), info.Version.Cycle)}
}

// From reads the files that the flags name as one history. It reports an error and returns nil.
func From(ctx context.Context, r *verb.Run, f *HistoryFlags) *engine.Timeline {
	var list []*engine.Timeline
	for _, name := range f.From {
		t := History(ctx, r, name, f)
		if t == nil {
			if _, err := atomicfile.Stat(r.Abs(name)); f.argument && !store.IsAddress(name) && errors.Is(err, fs.ErrNotExist) {
				r.Hint("the argument after the selector is the history: put a selector in quotes, or name the history with -f")
			}
			return nil
		}
		list = append(list, t)
	}
	t, err := engine.Join(list...)
	if err != nil {
		r.Fail("%s: %s", f.Name(), verb.Visible(err.Error()))
		r.Hint("several files make one history by the %q of their snapshots", "cycle")
		return nil
	}
	return t
}

// ReadHistory reads whatever holds one history, a log of model calls included.
func ReadHistory(ctx context.Context, r *verb.Run, name string, f *HistoryFlags, o engine.ReadOptions) (*engine.Timeline, *journal.Info, error) {
	defer r.Working(func() string { return "reading " + verb.Shown(name) })()
	opts := HistoryOptions(ctx, r, f, name)
	opts.Strict = o.Strict
	var notes NoteGroups
	opts.Note = notes.AddWrong
	one, err := sessions.One(ctx, name, opts)
	if damaged, ok := errors.AsType[*sessions.Damaged](err); ok {
		return nil, damaged.Journal, damaged.Err
	}
	ReportGroups(r, name, &notes)
	if err != nil && one.Path != "" && one.Path != store.Redacted(name) && !IsCoded(err) { // of a file in a folder
		err = fmt.Errorf("%s: %s", one.Path, atomicfile.Reason(err))
	}
	if one.Journal == nil {
		one.Journal = &journal.Info{}
	}
	return one.Timeline, one.Journal, err
}

// IsCoded reports whether an error has a code, and so names its file.
func IsCoded(err error) bool {
	return errors.As(err, new(*engine.Error)) || errors.As(err, new(*store.Error))
}

// HistoryOptions says how arguments are read.
func HistoryOptions(ctx context.Context, r *verb.Run, f *HistoryFlags, args ...string) sessions.Options {
	o := sessions.Options{
		Strict: f.Strict, Verify: f.Verify, MaxBytes: f.MaxBytes, MaxDepth: cmp.Or(f.maxDepth, maxHistoryDepth),
		Folder: r.Folder, StdinName: f.StdinFilename, Lookup: lookup(r, allFiles),
	}
	o.Stored = f.Stored
	f.Apply(&o)
	if slices.Contains(args, verb.StdinName) {
		o.Stdin = verb.NewInterruptible(ctx, r.In)
	}
	return o
}

// NothingSent says why a recording has no call.
const NothingSent = "the program has sent none, or it does not look at the variables ('pactkit record --help')"

// historyHints are hints for errors of reading.
var historyHints = map[engine.Code]string{
	engine.ErrFileShape:     `a snapshot is {"root": …}, a history {"snapshots": […]}; 'pactkit import' makes one of the log of a provider`,
	engine.ErrMemory:        "--max-memory raises the limit",
	engine.ErrFileLimit:     "cut the history into several files, oldest first",
	engine.ErrNodeIDMissing: `every node but the root and the regions needs an "id"`,
	engine.ErrFileVersion:   "the editions are PACT/1.0 and PACT/0.1; without --strict this is a warning",
	engine.ErrFileEdition:   `a member "spec_version" in the file, or --edition, says which edition it is`,
	journal.ErrDigest:       "nothing from there on is trusted: take the file from a backup; 'pactkit validate --salvage OUT' writes the intact part",
	journal.ErrVersion:      "a newer pactkit wrote it",
	recent.ErrNone:          "name a file, or say with CLAUDE_CONFIG_DIR, CODEX_HOME or XDG_DATA_HOME where agents keep sessions; 'pactkit sessions' lists them",
	recent.ErrAmbiguous:     "write more of the id",
	engine.ErrInvariant:     "without --strict this is a warning; 'pactkit validate' lists everything of the kind",
}

// HistoryHint returns the hint for an error of reading, or "".
func HistoryHint(e *failure.Failure, f *HistoryFlags) string {
	switch {
	case e.Code == engine.ErrFileLimit && f.MaxBytes > 0:
		return "--max-bytes raises the limit; or " + historyHints[e.Code]
	case e.Message == sessions.NoCallRecorded:
		return NothingSent + "; of one that goes on, 'pactkit log -f' shows the first"
	case e.Message == sessions.NoCalls:
		return "--from says which kind of log it is, and --messages the member with its messages"
	case (e.Code == engine.ErrFileShape || strings.HasSuffix(e.Message, sessions.Readable)) && f.added && f.Messages == "" && !strings.HasPrefix(e.Message, "a folder holds"):
		const logs = "'pactkit doctor FILE' says what marks each kind that can be read, such as claude-code, codex and otel; --from says which kind a log is, and --messages the member with its messages"
		if strings.HasSuffix(e.Message, sessions.Readable) {
			return logs
		}
		return logs + "; " + historyHints[e.Code]
	case e.Code == engine.ErrTreeDepth && f.maxDepth > 0:
		return "--max-depth raises the limit"
	case IsTruncated(e):
		return "the file may be cut off: it ends in the middle of a value"
	case e.Code == engine.ErrFileShape && strings.HasPrefix(e.Message, "a folder holds"):
		return "a folder of snapshots is one history, and this is a folder of histories: name one of them, such as " + verb.Visible(e.File)
	case e.Code == engine.ErrFileSyntax && e.Path == "$":
		return "a history is one JSON document or, in a file named .jsonl, one snapshot per line"
	}
	return historyHints[e.Code]
}

// IsTruncated reports whether the error means that the text ends in the middle of a value.
func IsTruncated(e *failure.Failure) bool {
	return e.Code == engine.ErrFileSyntax && (strings.HasPrefix(e.Message, "the text ends") || e.Message == "a string without an end")
}

// FailHistory reports that a history cannot be read.
func FailHistory(r *verb.Run, name string, err error, f *HistoryFlags) {
	r.FailAbout(name, err, func(e *failure.Failure) string { return HistoryHint(e, f) })
}

// WarnInvariants warns about broken invariants. The name is a file that 'pactkit validate' can
// read, or "".
func WarnInvariants(r *verb.Run, name string, w []*engine.Error) {
	w = NoteEdition(r, w)
	switch {
	case len(w) == 0:
	case len(w) == 1:
		r.Warn("%s", verb.Visible(w[0].Error()))
	case name == "":
		r.Warn("%s (and %d more)", verb.Visible(w[0].Error()), len(w)-1)
	default:
		r.Warn("%s (and %d more: 'pactkit validate %s' lists them)", verb.Visible(w[0].Error()), len(w)-1, verb.Shown(name))
	}
}

// NoteEdition tells that a file was read as edition 0.1 although it does not say so (decision D42),
// and returns the other warnings.
func NoteEdition(r *verb.Run, w []*engine.Error) []*engine.Error {
	if len(w) == 0 || w[0].Code != engine.ErrFileEdition {
		return w
	}
	r.Note("%s", verb.Visible(w[0].Error()))
	return w[1:]
}
