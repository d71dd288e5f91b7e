package worker

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread"
)

// Source is where the histories of a request come from.
type Source struct {
	Text      string // of a log or a history; "" if Path is set
	IsHistory bool   // Text is a history
	Path      string // of a file, a folder, or a store
	Name      string // of Text in messages
	From      string // the format of a log; "" to recognize it
	Messages  string // the path of the member with the messages
	Context   string // the name of an open context
}

// named returns the name of the source in errors; "" if the caller did not give one.
func (s Source) named() string { return cmp.Or(store.Redacted(s.Path), s.Name) }

// Opener yields the histories of a source. An error is about one file.
type Opener func(ctx context.Context, src Source, o sessions.Options) iter.Seq2[sessions.Session, error]

// Open is the default [Opener] of a worker.
func Open(ctx context.Context, src Source, o sessions.Options) iter.Seq2[sessions.Session, error] {
	o.From, o.Messages = sessions.Kind(src.From), src.Messages
	if src.Path != "" {
		return sessions.All(ctx, []string{src.Path}, o)
	}
	name := cmp.Or(src.Name, "log")
	if src.IsHistory {
		name = cmp.Or(src.Name, "history")
	}
	found := sessions.Read(ctx, name, strings.NewReader(src.Text), int64(len(src.Text)), o)
	if !src.IsHistory {
		return found
	}
	return func(yield func(sessions.Session, error) bool) {
		for s, err := range found {
			if err == nil && s.Kind != sessions.Journal && s.Kind != sessions.Document {
				yield(s, &engine.Error{Code: engine.ErrFileShape, File: name, Msg: fmt.Sprintf("this is a log (%s) and not a history; send it as the member log", s.Kind)})
				return
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// checkFrom returns an error for an unknown format.
func checkFrom(from string) error {
	if from == "" || slices.Contains(sessions.Kinds(), sessions.Kind(from)) {
		return nil
	}
	var known []string
	for _, k := range sessions.Kinds() {
		known = append(known, string(k))
	}
	return fmt.Errorf("from: there is no format %q; %s", from, members.Suggest(from, known))
}

// kept is the only history of the source of a request, kept for the next one.
type kept struct {
	source  Source
	file    fs.FileInfo // of Path
	session sessions.Session
	notes   []thread.Note
}

// open yields the histories of a source, and appends to notes whatever does not fit into them. The
// history of the previous request is not read again.
func (s *server) open(ctx context.Context, src Source, notes *[]thread.Note) iter.Seq2[sessions.Session, error] {
	if src.Context != "" {
		return func(yield func(sessions.Session, error) bool) {
			c, err := s.context(src.Context)
			if err != nil {
				yield(sessions.Session{}, err)
				return
			}
			t, err := c.tree.Shown(ctx)
			yield(sessions.Session{Timeline: t}, err)
		}
	}
	file := s.regular(src.Path)
	if k := s.kept; k != nil && k.source == src && (src.Path == "" || isSame(k.file, file)) {
		*notes = k.notes
		return func(yield func(sessions.Session, error) bool) { yield(k.session, nil) }
	}
	s.kept = nil // before the next is read: only one is in memory
	o := sessions.Options{MaxBytes: s.MaxBytes, Folder: s.Folder, Note: func(n thread.Note) { *notes = append(*notes, n) }}
	return func(yield func(sessions.Session, error) bool) {
		var only *kept
		count := 0
		for one, err := range s.Open(ctx, src, o) {
			if err == nil {
				*notes = append(*notes, editionNotes(one.Timeline)...)
			}
			if !yield(one, err) {
				return
			}
			if count++; count == 1 && err == nil && (src.Path == "" || file != nil) {
				only = &kept{source: src, file: file, session: one}
			} else {
				only = nil
			}
		}
		if only != nil {
			only.notes = *notes
			s.kept = only
		}
	}
}

// editionNotes returns the note that a history was read as edition 0.1 although it does not say so
// (decision D42).
func editionNotes(t *engine.Timeline) (notes []thread.Note) {
	for _, w := range t.Warnings() {
		if w.Code == engine.ErrFileEdition {
			notes = append(notes, thread.Note{Kind: thread.Outside, Code: w.Code, File: w.File, Line: w.Line, Path: w.Path, Msg: w.Msg})
		}
	}
	return notes
}

// regular returns what is known about a regular file, and nil for anything else.
func (s *server) regular(path string) fs.FileInfo {
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Folder, path)
	}
	info, err := atomicfile.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// isSame reports whether a file is the same as before, as far as its size and time tell.
func isSame(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
