package mcp

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
)

// folder is a folder that may be read. Files are opened through root, so no name and no link can
// lead out of it.
type folder struct {
	path string // absolute
	root *atomicfile.Root
}

// addRoot adds a folder, or the address of a store.
func (s *Server) addRoot(name string) error {
	if store.IsAddress(name) {
		s.stores = append(s.stores, name)
		_, _, err := store.SplitAddress(name)
		return err
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Folder, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	root, err := atomicfile.OpenRoot(path)
	if err != nil {
		return fmt.Errorf("%s: %s", name, atomicfile.Reason(err))
	}
	s.folders = append(s.folders, folder{path, root})
	return nil
}

// errOutside is the error of a path that is not in the folders.
func (s *Server) errOutside(why string) error {
	f := &failure.Failure{Code: ErrPath, Message: why}
	if len(s.folders) == 1 {
		f.Hint = "give a path relative to the folder of the server; log without a path lists what is there"
	} else {
		f.Hint = "give an absolute path in a folder of the server; log without a path lists what is there"
	}
	return f
}

// within returns the folder that holds a path, and the path relative to it. A relative path is
// looked for in each folder.
func (s *Server) within(path string) (folder, string, error) {
	if slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == filepath.Separator }), "..") {
		return folder{}, "", s.errOutside("a path with .. is not allowed")
	}
	if strings.ContainsRune(path, 0) {
		return folder{}, "", s.errOutside("a path with a NUL character is not allowed")
	}
	for _, f := range s.folders {
		rel := filepath.Clean(path)
		if filepath.IsAbs(path) {
			var err error
			if rel, err = filepath.Rel(f.path, path); err != nil || !filepath.IsLocal(rel) {
				continue
			}
		} else if !filepath.IsLocal(rel) {
			continue
		}
		if _, err := f.root.Lstat(rel); err == nil || len(s.folders) == 1 {
			return f, rel, nil
		}
		if _, err := f.root.Lstat(fileOf(rel)); err == nil {
			return f, rel, nil
		}
	}
	if filepath.IsAbs(path) {
		return folder{}, "", s.errOutside("the path is not in a folder of the server")
	}
	return folder{}, "", &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// fileOf returns the file of FILE#NAME, FILE+ or FILE+#NAME.
func fileOf(path string) string {
	if file, _, err := store.SplitAddress(path); err == nil {
		path = file
	}
	return strings.TrimSuffix(path, "+")
}

// open yields the sessions that a path names: a file, FILE#NAME, FILE+, a folder, all folders and
// stores if it is empty, or the address of a store that was named.
func (s *Server) open(ctx context.Context, path string, in logInputs) iter.Seq2[sessions.Session, error] {
	o := s.options(in)
	switch {
	case path == "":
		return s.openAll(ctx, o)
	case store.IsAddress(path):
		return s.openStore(ctx, path, o)
	}
	f, rel, err := s.within(path)
	if err == nil {
		return s.openIn(ctx, f, rel, o)
	}
	return func(yield func(sessions.Session, error) bool) { yield(sessions.Session{Path: path}, err) }
}

func (s *Server) openAll(ctx context.Context, o sessions.Options) iter.Seq2[sessions.Session, error] {
	return func(yield func(sessions.Session, error) bool) {
		for _, f := range s.folders {
			for x, err := range s.openIn(ctx, f, ".", o) {
				if !yield(x, err) {
					return
				}
			}
		}
		for x, err := range sessions.All(ctx, s.stores, o) {
			if !yield(x, err) {
				return
			}
		}
	}
}

// openStore yields the histories of an address, if its store was named. A client sees addresses
// without their password.
func (s *Server) openStore(ctx context.Context, address string, o sessions.Options) iter.Seq2[sessions.Session, error] {
	base, id, err := store.SplitAddress(address)
	for _, have := range s.stores {
		named, only, _ := store.SplitAddress(have) // was split when it was added
		switch {
		case err != nil || base != store.Redacted(named) && base != named:
			continue
		case id == "" || id == only: // all that was named
			return sessions.All(ctx, []string{have}, o)
		case only == "":
			return sessions.All(ctx, []string{store.JoinAddress(named, id)}, o)
		}
	}
	return func(yield func(sessions.Session, error) bool) {
		yield(sessions.Session{}, s.errOutside("the store was not named when the server was started"))
	}
}

// shown returns the name of a path for answers, in a form that clients can send back.
func (s *Server) shown(f folder, rel string) string {
	if len(s.folders) == 1 {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(filepath.Join(f.path, rel))
}

// openIn yields the sessions of a file or folder below a folder of the server, as other verbs read
// them, without the files of unknown kinds in a folder.
func (s *Server) openIn(ctx context.Context, f folder, rel string, o sessions.Options) iter.Seq2[sessions.Session, error] {
	return func(yield func(sessions.Session, error) bool) {
		o.Folder, o.Root = f.path, f.root
		for found, err := range sessions.Files(ctx, []string{rel}, o) {
			if err != nil {
				if !yield(sessions.Session{Path: s.shown(f, found.Path)}, err) {
					return
				}
				continue
			}
			for x, err := range found.Sessions(ctx, "") {
				if x.Path = s.shown(f, x.Path); err != nil && !found.IsNamed() && sessions.IsUnknown(err) {
					continue
				}
				if !yield(x, err) {
					return
				}
			}
		}
	}
}

// one returns the only session that a path names.
func (s *Server) one(ctx context.Context, path string, in logInputs) (sessions.Session, error) {
	var only sessions.Session
	var names []string
	for x, err := range s.open(ctx, path, in) {
		if err != nil {
			return x, err
		}
		names = append(names, x.Address())
		if only = x; len(names) == mostNames {
			break
		}
	}
	switch len(names) {
	case 0:
		return only, &engine.Error{Code: engine.ErrFileShape, Msg: "there is no history and no log of a known kind"}
	case 1:
		return only, nil
	}
	return only, &failure.Failure{Code: sessions.ErrSeveral, Message: "the path names several sessions", Hint: "name one of them as path: " + strings.Join(names, " ")}
}

// mostNames is how many sessions an error names.
const mostNames = 5
