package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// openHistory reads a history, and warns about broken invariants and of an append that was interrupted. It reports an
// error and returns nil.
func (s *session) openHistory(ctx context.Context, name string, f *historyFlags) *engine.Timeline {
	t, _ := s.openJournal(ctx, name, f)
	return t
}

// openJournal is openHistory for who appends to it.
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
			if _, err := os.Stat(s.abs(name)); f.argument && errors.Is(err, fs.ErrNotExist) {
				s.hint("the argument after the selector is the history: put a selector in quotes, or name the history with -f")
			}
			return nil
		}
		list = append(list, t)
	}
	t, err := engine.Join(list...)
	if err != nil {
		s.fail("%s: %s", f.name(), visible(err.Error()))
		fmt.Fprintf(s.err, "  hint: several files make one history by the %q of their snapshots\n", "cycle")
		return nil
	}
	return t
}

// readHistory reads a file, a folder, standard input, or a history of a store.
func (s *session) readHistory(ctx context.Context, name string, f *historyFlags, o engine.ReadOptions) (*engine.Timeline, *journal.Info, error) {
	o.MaxBytes, o.MaxDepth = cmp.Or(f.maxBytes, maxHistorySize), cmp.Or(f.maxDepth, maxHistoryDepth)
	defer s.working(func() string { return "reading " + shown(name) })()
	read := journal.Read
	if f.verify {
		read = journal.Verify
	}
	switch {
	case name == "":
		return nil, nil, fs.ErrInvalid
	case store.IsAddress(name):
		return s.readStored(ctx, name, f.verify, o)
	case name == stdinName:
		data, err := s.readStdin(ctx, o.MaxBytes)
		if errors.Is(err, atomicfile.ErrTooLarge) {
			return nil, nil, largerThan(name, o.MaxBytes)
		}
		if err != nil {
			return nil, nil, err
		}
		if f.stdinFilename != "" {
			name = f.stdinFilename
		}
		return read(name, bytes.NewReader(data), o)
	}
	path := s.abs(name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		t, err := engine.LoadDir(folder(path), name, o)
		return t, &journal.Info{}, err
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return read(name, &sizedFile{file, info.Size()}, o)
}

// largerThan returns the error of a file over a limit.
func largerThan(name string, limit int64) error {
	return &engine.Error{Code: engine.ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes", limit)}
}

// sizedFile has the method Len by which the engine learns the size.
type sizedFile struct {
	io.Reader
	size int64
}

func (f *sizedFile) Len() int { return int(f.size) }

// folder opens regular files only: a named pipe could block the program.
type folder string

func (f folder) Open(name string) (fs.File, error) {
	if name == "." {
		return os.Open(string(f))
	}
	file, err := atomicfile.Open(filepath.Join(string(f), name))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, reason(err))
	}
	return file, nil
}

// historyHints are hints for errors of reading.
var historyHints = map[engine.Code]string{
	engine.ErrFileShape:     `a snapshot is {"root": …}, a history {"snapshots": […]}; 'pactkit import' makes one of the log of a provider`,
	engine.ErrFileLimit:     "cut the history into several files, oldest first",
	engine.ErrNodeIDMissing: `every node but the root and the regions needs an "id"`,
	engine.ErrFileVersion:   "the editions are PACT/1.0 and PACT/0.1; without --strict this is a warning",
	journal.ErrDigest:       "nothing from there on is trusted: take the file from a backup; 'pactkit validate' tells up to where it is whole",
	journal.ErrVersion:      "a newer pactkit wrote it",
	engine.ErrInvariant:     "without --strict this is a warning; 'pactkit validate' lists everything of the kind",
}

// historyHint returns the hint for an error of reading, or "".
func historyHint(e *engine.Error, f *historyFlags) string {
	switch {
	case e.Code == engine.ErrFileLimit && f.maxBytes > 0:
		return "--max-bytes raises the limit; or " + historyHints[e.Code]
	case e.Code == engine.ErrTreeDepth && f.maxDepth > 0:
		return "--max-depth raises the limit"
	case isCutOff(e):
		return "the file may be cut off: it ends in the middle of a value"
	case e.Code == engine.ErrFileShape && strings.HasPrefix(e.Msg, "a folder holds"):
		return "a folder of snapshots is one history, and this is a folder of histories: name one of them, such as " + visible(e.File)
	case e.Code == engine.ErrFileSyntax && e.Path == "$":
		return "a history is one JSON document or, in a file named .jsonl, one snapshot a line"
	}
	return historyHints[e.Code]
}

// isCutOff reports whether the error is that the text ends in the middle of a value.
func isCutOff(e *engine.Error) bool {
	return e.Code == engine.ErrFileSyntax && (strings.HasPrefix(e.Msg, "the text ends") || e.Msg == "a string without an end")
}

// failHistory reports that a history cannot be read.
func (s *session) failHistory(name string, err error, f *historyFlags) {
	if name == "" {
		s.fail("an empty path names nothing")
		return
	}
	if e, ok := errors.AsType[*store.Error](err); ok {
		s.failStore(name, e)
		return
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		s.fail("%s: %s", shown(name), sanitize(reason(err)))
		return
	}
	s.fail("%s", visible(e.Error()))
	if hint := historyHint(e, f); hint != "" {
		fmt.Fprintf(s.err, "  hint: %s\n", hint)
	}
}

// warnInvariants warns about broken invariants. The name is a file that 'pactkit validate' can read, or "".
func (s *session) warnInvariants(name string, w []*engine.Error) {
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

// warn reports something that is probably wrong.
func (s *session) warn(format string, args ...any) {
	if s.quiet {
		return
	}
	fmt.Fprintf(s.err, "%s: warning: %s\n", s.program, fmt.Sprintf(format, args...))
}
