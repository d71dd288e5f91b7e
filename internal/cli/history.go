package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// openHistory reads a history, and warns about broken invariants and an interrupted append. It
// reports an error and returns nil.
func (s *session) openHistory(ctx context.Context, name string, f *historyFlags) *engine.Timeline {
	t, _ := s.openJournal(ctx, name, f)
	return t
}

// openJournal is openHistory for callers that append to the history.
func (s *session) openJournal(ctx context.Context, name string, f *historyFlags) (*engine.Timeline, *journal.Info) {
	t, info, err := s.readHistory(ctx, name, f, engine.ReadOptions{Strict: f.strict})
	if err != nil {
		s.failHistory(name, err, f)
		return nil, nil
	}
	if torn := tornAppend(name, info); torn != nil {
		s.warn("%s", visible(torn.Error()))
	}
	s.warnInvariants(name, t.Warnings())
	return t, info
}

// tornAppend returns what is wrong with the end of a journal, nil for nothing.
func tornAppend(name string, info *journal.Info) *engine.Error {
	if info == nil || info.Torn == 0 {
		return nil
	}
	return &engine.Error{Code: journal.ErrTorn, File: name, Line: info.Line, Msg: fmt.Sprintf(
		"an append was interrupted here, and its %s do not count; the history up to cycle %d is whole", count(int(info.Torn), "byte"), info.Version.Cycle)}
}

// openFrom reads the files that the flags name as one history. It reports an error and returns nil.
func (s *session) openFrom(ctx context.Context, f *historyFlags) *engine.Timeline {
	var list []*engine.Timeline
	for _, name := range f.from {
		t := s.openHistory(ctx, name, f)
		if t == nil {
			if _, err := atomicfile.Stat(s.abs(name)); f.argument && !store.IsAddress(name) && errors.Is(err, fs.ErrNotExist) {
				s.hint("the argument after the selector is the history: put a selector in quotes, or name the history with -f")
			}
			return nil
		}
		list = append(list, t)
	}
	t, err := engine.Join(list...)
	if err != nil {
		s.fail("%s: %s", f.name(), visible(err.Error()))
		s.hint("several files make one history by the %q of their snapshots", "cycle")
		return nil
	}
	return t
}

// readHistory reads whatever holds one history, a log of model calls included.
func (s *session) readHistory(ctx context.Context, name string, f *historyFlags, o engine.ReadOptions) (*engine.Timeline, *journal.Info, error) {
	defer s.working(func() string { return "reading " + shown(name) })()
	opts := s.historyOptions(ctx, f, name)
	opts.Strict = o.Strict
	var notes noteGroups
	opts.Note = notes.addWrong
	one, err := sessions.One(ctx, name, opts)
	if damaged, ok := errors.AsType[*sessions.Damaged](err); ok {
		return nil, damaged.Journal, damaged.Err
	}
	s.reportGroups(name, &notes)
	if err != nil && one.Path != "" && one.Path != store.Redacted(name) && !isCoded(err) { // of a file in a folder
		err = fmt.Errorf("%s: %s", one.Path, atomicfile.Reason(err))
	}
	if one.Journal == nil {
		one.Journal = &journal.Info{}
	}
	return one.Timeline, one.Journal, err
}

// isCoded reports whether an error has a code, and so names its file.
func isCoded(err error) bool {
	return errors.As(err, new(*engine.Error)) || errors.As(err, new(*store.Error))
}

// historyOptions says how arguments are read.
func (s *session) historyOptions(ctx context.Context, f *historyFlags, args ...string) sessions.Options {
	o := sessions.Options{
		Strict: f.strict, Verify: f.verify, MaxBytes: f.maxBytes, MaxDepth: cmp.Or(f.maxDepth, maxHistoryDepth),
		Folder: s.folder, StdinName: f.stdinFilename,
	}
	f.apply(&o)
	if slices.Contains(args, stdinName) {
		o.Stdin = newInterruptible(ctx, s.in)
	}
	return o
}

// historyHints are hints for errors of reading.
var historyHints = map[engine.Code]string{
	engine.ErrFileShape:     `a snapshot is {"root": …}, a history {"snapshots": […]}; 'pactkit import' makes one of the log of a provider`,
	engine.ErrFileLimit:     "cut the history into several files, oldest first",
	engine.ErrNodeIDMissing: `every node but the root and the regions needs an "id"`,
	engine.ErrFileVersion:   "the editions are PACT/1.0 and PACT/0.1; without --strict this is a warning",
	engine.ErrFileEdition:   `a member "spec_version" in the file, or --edition, says which edition it is`,
	journal.ErrDigest:       "nothing from there on is trusted: take the file from a backup; 'pactkit validate' tells up to where it is whole",
	journal.ErrVersion:      "a newer pactkit wrote it",
	engine.ErrInvariant:     "without --strict this is a warning; 'pactkit validate' lists everything of the kind",
}

// historyHint returns the hint for an error of reading, or "".
func historyHint(e *engine.Error, f *historyFlags) string {
	switch {
	case e.Code == engine.ErrFileLimit && f.maxBytes > 0:
		return "--max-bytes raises the limit; or " + historyHints[e.Code]
	case e.Code == engine.ErrFileShape && f.added && f.messages == "" && !strings.HasPrefix(e.Msg, "a folder holds"):
		return historyHints[e.Code] + "; if a log is not recognized, --from says which kind it is, and --messages the member with its messages"
	case e.Code == engine.ErrTreeDepth && f.maxDepth > 0:
		return "--max-depth raises the limit"
	case isTruncated(e):
		return "the file may be cut off: it ends in the middle of a value"
	case e.Code == engine.ErrFileShape && strings.HasPrefix(e.Msg, "a folder holds"):
		return "a folder of snapshots is one history, and this is a folder of histories: name one of them, such as " + visible(e.File)
	case e.Code == engine.ErrFileSyntax && e.Path == "$":
		return "a history is one JSON document or, in a file named .jsonl, one snapshot per line"
	}
	return historyHints[e.Code]
}

// isTruncated reports whether the error means that the text ends in the middle of a value.
func isTruncated(e *engine.Error) bool {
	return e.Code == engine.ErrFileSyntax && (strings.HasPrefix(e.Msg, "the text ends") || e.Msg == "a string without an end")
}

// failHistory reports that a history cannot be read.
func (s *session) failHistory(name string, err error, f *historyFlags) {
	if name == "" {
		s.fail("the path is empty")
		return
	}
	if e, ok := errors.AsType[*store.Error](err); ok {
		s.failStore(name, e)
		return
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		s.fail("%s: %s", shown(name), sanitize(atomicfile.Reason(err)))
		return
	}
	s.fail("%s", visible(e.Error()))
	if hint := historyHint(e, f); hint != "" {
		s.hint("%s", hint)
	}
}

// warnInvariants warns about broken invariants. The name is a file that 'pactkit validate' can
// read, or "".
func (s *session) warnInvariants(name string, w []*engine.Error) {
	w = s.noteEdition(w)
	switch {
	case len(w) == 0:
	case len(w) == 1:
		s.warn("%s", visible(w[0].Error()))
	case name == "":
		s.warn("%s (and %d more)", visible(w[0].Error()), len(w)-1)
	default:
		s.warn("%s (and %d more: 'pactkit validate %s' lists them)", visible(w[0].Error()), len(w)-1, shown(name))
	}
}

// noteEdition tells that a file was read as edition 0.1 although it does not say so (decision D42),
// and returns the other warnings.
func (s *session) noteEdition(w []*engine.Error) []*engine.Error {
	if len(w) == 0 || w[0].Code != engine.ErrFileEdition {
		return w
	}
	s.note("%s", visible(w[0].Error()))
	return w[1:]
}

// warn reports something that is probably wrong.
func (s *session) warn(format string, args ...any) {
	if s.quiet {
		return
	}
	fmt.Fprintf(s.err, "%s: warning: %s\n", s.program, s.text(format, args...))
}
