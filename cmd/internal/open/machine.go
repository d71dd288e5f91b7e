package open

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/record"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

// Machine returns the sessions of agents on this machine. It fails if the home folder is unknown.
func Machine() (*recent.Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("the folder of the user is not known: %w", err)
	}
	return recent.Open(recent.Options{Home: home, Getenv: os.Getenv, Version: verb.BuildVersion()}), nil
}

// lookup returns a function for [sessions.Options] that finds sessions by last or an id. It notes
// which session it found, and returns the files that files selects.
func lookup(r *verb.Run, files func(recent.Session) []string) func(ctx context.Context, name string) ([]string, error) {
	return func(ctx context.Context, name string) ([]string, error) {
		if !recent.IsName(name) {
			return nil, nil
		}
		m, err := Machine()
		if err != nil {
			return nil, nil // without a home folder there are no sessions
		}
		defer m.Close()
		s, err := m.Find(ctx, r.Folder, name)
		if s == nil {
			return nil, err
		}
		r.Note("%s", describe(m, name, s))
		return relative(r, files(*s)), nil
	}
}

// relative makes the files below the working folder relative to it.
func relative(r *verb.Run, files []string) []string {
	for i, file := range files {
		if rel, err := filepath.Rel(r.Folder, file); err == nil && filepath.IsLocal(rel) {
			files[i] = rel
		}
	}
	return files
}

// LogsWith returns the files of the session that has a file among them, without recordings. It
// returns nil if no agent on this machine has such a session.
func LogsWith(ctx context.Context, r *verb.Run, file string) []string {
	m, err := Machine()
	if err != nil {
		return nil
	}
	defer m.Close()
	for s, err := range m.All(ctx) {
		if err == nil && slices.Contains(s.Logs(), r.Abs(file)) {
			return relative(r, s.Logs())
		}
	}
	return nil
}

// allFiles returns the files of a session, and those of the sessions that it continues.
func allFiles(s recent.Session) []string { return append(slices.Clone(s.Files), s.Base...) }

// Files returns the argument if it is a file, the file that grows if it is the folder of a
// recording, and otherwise the files of the session that it names, without recordings. If there is
// none, Files reports an error and returns nil.
func Files(ctx context.Context, r *verb.Run, arg string, f *SessionFlags) []string {
	info, err := atomicfile.Stat(r.Abs(arg))
	switch {
	case err == nil && info.Mode().IsRegular(), err != nil && isPart(r.Abs(arg)):
		return []string{arg}
	case err == nil && record.Growing(r.Abs(arg)) != "":
		return []string{r.Name(record.Growing(r.Abs(arg)))}
	case err == nil:
		r.Fail("%s: %v; --follow needs one", verb.Shown(arg), atomicfile.ErrNotRegular)
		return nil
	}
	files, failed := lookup(r, recent.Session.Logs)(ctx, arg)
	switch {
	case ctx.Err() != nil:
		r.Interrupt("interrupted")
	case failed != nil:
		FailSession(r, arg, failed, f)
	case files == nil:
		FailSession(r, arg, err, f)
	}
	return files
}

// isPart reports whether a name is that of a session in a file, FILE#NAME.
func isPart(name string) bool {
	file := sessions.FileOf(name)
	info, err := atomicfile.Stat(file)
	return file != name && err == nil && info.Mode().IsRegular()
}

// describe returns a note about the session that a name stands for.
func describe(m *recent.Machine, name string, s *recent.Session) string {
	what := m.Short(s.ID)
	if what == name {
		what = "a session"
	}
	text := fmt.Sprintf("%s is %s of %s, written %s", name, what, s.Agent, s.Time.Local().Format("2006-01-02 15:04"))
	if s.Folder != "" {
		text += " in " + verb.Visible(ShortFolder(s.Folder))
	}
	if s.Title != "" {
		text += ": " + verb.Clip(verb.Visible(s.Title), verb.MaxCell)
	}
	return text
}

// ShortFolder returns a folder with ~ for the home folder of the user.
func ShortFolder(folder string) string {
	home, err := os.UserHomeDir()
	if err != nil || folder == "" {
		return folder
	}
	if rel, err := filepath.Rel(home, folder); err == nil && filepath.IsLocal(rel) {
		return strings.TrimSuffix(filepath.Join("~", rel), string(filepath.Separator)+".")
	}
	return folder
}

// completed is the number of sessions that completion offers.
const completed = 20

// completeRecent completes last and the ids of recent sessions. It returns nil for an empty word if
// the folder has files to complete.
func completeRecent(ctx context.Context, word string) (out []cobra.Completion) {
	if entries, err := atomicfile.List("."); word == "" && (err != nil || slices.ContainsFunc(entries, isLog)) {
		return nil
	}
	m, err := Machine()
	if err != nil {
		return nil
	}
	defer m.Close()
	n := 0
	for s, err := range m.All(ctx) {
		if n++; err != nil || n > completed {
			break
		}
		about := fmt.Sprintf("%s, %s: %s", s.Agent, filepath.Base(s.Folder), s.Title)
		if n == 1 && strings.HasPrefix(recent.Last, word) {
			out = append(out, cobra.CompletionWithDesc(recent.Last, "the newest session"))
		}
		if id := m.Short(s.ID); strings.HasPrefix(id, word) {
			out = append(out, cobra.CompletionWithDesc(id, verb.Clip(verb.Visible(about), verb.MaxCell)))
		}
	}
	return out
}

// isLog reports whether completion offers a file as a history or a log.
func isLog(e fs.DirEntry) bool {
	return e.IsDir() || slices.Contains([]string{".json", ".jsonl", ".eval", ".traj", ".gz", ".zst"}, filepath.Ext(e.Name()))
}
