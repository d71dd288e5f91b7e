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
)

// openHistory reads a history and warns about broken invariants. It reports an error and returns nil.
func (s *session) openHistory(ctx context.Context, name string, f *historyFlags) *engine.Timeline {
	t, err := s.readHistory(ctx, name, f, engine.ReadOptions{Strict: f.strict})
	if err != nil {
		s.failHistory(name, err, f)
		return nil
	}
	s.warnInvariants(name, t.Warnings())
	return t
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

// readHistory reads a file, a folder, or standard input.
func (s *session) readHistory(ctx context.Context, name string, f *historyFlags, o engine.ReadOptions) (*engine.Timeline, error) {
	o.MaxBytes, o.MaxDepth = cmp.Or(f.maxBytes, maxHistorySize), cmp.Or(f.maxDepth, maxHistoryDepth)
	defer s.working(func() string { return "reading " + visible(name) })()
	switch {
	case name == "":
		return nil, fs.ErrInvalid
	case name == stdinName:
		data, err := s.readStdin(ctx, o.MaxBytes)
		if errors.Is(err, atomicfile.ErrTooLarge) {
			return nil, largerThan(name, o.MaxBytes)
		}
		if err != nil {
			return nil, err
		}
		if f.stdinFilename != "" {
			name = f.stdinFilename
		}
		return engine.Read(name, bytes.NewReader(data), o)
	}
	path := s.abs(name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return engine.LoadDir(folder(path), name, o)
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return engine.Read(name, &sizedFile{file, info.Size()}, o)
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

// readStdin reads standard input until it ends or the program is interrupted.
func (s *session) readStdin(ctx context.Context, limit int64) ([]byte, error) {
	type input struct {
		data []byte
		err  error
	}
	got := make(chan input, 1)
	go func() {
		data, err := readAll(s.in, limit)
		got <- input{data, err}
	}()
	select {
	case i := <-got:
		return i.data, i.err
	case <-ctx.Done():
		return nil, errors.New("interrupted")
	}
}

// historyHints are hints for errors of reading.
var historyHints = map[engine.Code]string{
	engine.ErrFileShape:     `a snapshot is {"root": …}, a history {"snapshots": […]}; 'pactkit import' makes one of the log of a provider`,
	engine.ErrFileLimit:     "cut the history into several files, oldest first",
	engine.ErrNodeIDMissing: `every node but the root and the regions needs an "id"`,
	engine.ErrFileVersion:   "the editions are PACT/1.0 and PACT/0.1; without --strict this is a warning",
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
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		s.fail("%s: %s", visible(name), sanitize(reason(err)))
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
		s.warn("%s (and %d more: 'pactkit validate %s' lists them)", visible(w[0].Error()), len(w)-1, visible(name))
	}
}

// warn reports something that is probably wrong.
func (s *session) warn(format string, args ...any) {
	if s.quiet {
		return
	}
	fmt.Fprintf(s.err, "%s: warning: %s\n", s.program, fmt.Sprintf(format, args...))
}
