package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

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
		return nil
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
		return err
	}
	s.folders = append(s.folders, folder{path, root})
	return nil
}

// errOutside is the error of a path that is not in the folders.
func (s *Server) errOutside(why string) error {
	f := &Failure{Code: ErrPath, Message: why}
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
		if file, _, found := cutName(rel); found {
			if _, err := f.root.Lstat(file); err == nil {
				return f, rel, nil
			}
		}
	}
	if filepath.IsAbs(path) {
		return folder{}, "", s.errOutside("the path is not in a folder of the server")
	}
	return folder{}, "", &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// cutName cuts FILE#NAME.
func cutName(path string) (file, name string, ok bool) {
	file, name, err := store.SplitAddress(path)
	return file, name, err == nil && name != ""
}

// open yields the sessions that a path names: a file, FILE#NAME, a folder, all folders and stores
// if it is empty, or the address of a store that was named.
func (s *Server) open(ctx context.Context, path string) iter.Seq2[sessions.Session, error] {
	if path == "" {
		return s.openAll(ctx)
	}
	if store.IsAddress(path) {
		return s.openStore(ctx, path)
	}
	return func(yield func(sessions.Session, error) bool) {
		f, rel, err := s.within(path)
		if err != nil {
			yield(sessions.Session{Path: path}, err)
			return
		}
		for x, err := range s.openIn(ctx, f, rel) {
			if !yield(x, err) {
				return
			}
		}
	}
}

func (s *Server) openAll(ctx context.Context) iter.Seq2[sessions.Session, error] {
	return func(yield func(sessions.Session, error) bool) {
		for _, f := range s.folders {
			for x, err := range s.openIn(ctx, f, ".") {
				if !yield(x, err) {
					return
				}
			}
		}
		for x, err := range sessions.All(ctx, s.stores, s.options()) {
			if !yield(x, err) {
				return
			}
		}
	}
}

// openStore yields the histories of an address, if its store was named. A client sees addresses
// without their password.
func (s *Server) openStore(ctx context.Context, address string) iter.Seq2[sessions.Session, error] {
	base, _, _ := strings.Cut(address, "#")
	for _, have := range s.stores {
		named, only, _ := strings.Cut(have, "#")
		if base != store.Redacted(named) && base != named {
			continue
		}
		full := named + strings.TrimPrefix(address, base)
		if only == "" || full == have {
			return sessions.All(ctx, []string{full}, s.options())
		}
		if full == named {
			return sessions.All(ctx, []string{have}, s.options())
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

// openIn yields the sessions of a file or folder below a folder of the server.
func (s *Server) openIn(ctx context.Context, f folder, rel string) iter.Seq2[sessions.Session, error] {
	return func(yield func(sessions.Session, error) bool) {
		info, err := f.root.Stat(rel)
		want := ""
		if file, name, ok := cutName(rel); err != nil && ok {
			if i, e := f.root.Stat(file); e == nil && i.Mode().IsRegular() {
				rel, want, info, err = file, name, i, nil
			}
		}
		switch {
		case errors.Is(err, atomicfile.ErrOutside):
			yield(sessions.Session{Path: s.shown(f, rel)}, s.errOutside("the path leads out of the folder of the server"))
		case err != nil:
			yield(sessions.Session{Path: s.shown(f, rel)}, err)
		case info.IsDir():
			s.walk(ctx, f, rel, yield)
		default:
			found := false
			for x, err := range s.file(ctx, f, rel) {
				if err == nil && want != "" && x.Name != want {
					continue
				}
				if found = true; !yield(x, err) || want != "" {
					return
				}
			}
			if !found {
				yield(sessions.Session{Path: s.shown(f, rel)}, &engine.Error{Code: engine.ErrNotFound, Msg: fmt.Sprintf("the file has no session %q", want)})
			}
		}
	}
}

// file yields the sessions of a regular file.
func (s *Server) file(ctx context.Context, f folder, rel string) iter.Seq2[sessions.Session, error] {
	return func(yield func(sessions.Session, error) bool) {
		name := s.shown(f, rel)
		file, err := f.root.Open(rel)
		var info fs.FileInfo
		if err == nil {
			defer file.Close()
			info, err = file.Stat()
		}
		if err != nil {
			yield(sessions.Session{Path: name}, err)
			return
		}
		for x, err := range sessions.Read(ctx, name, file, info.Size(), s.options()) {
			if !yield(x, err) {
				return
			}
		}
	}
}

// walk yields the sessions of the files below a folder, without what ignore files name. Links are
// not followed, and other kinds of files are skipped.
func (s *Server) walk(ctx context.Context, f folder, rel string, yield func(sessions.Session, error) bool) {
	o := s.options()
	o.Folder, o.Root = f.path, f.root
	for found, err := range sessions.Files(ctx, []string{rel}, o) {
		if err != nil {
			if !yield(sessions.Session{Path: s.shown(f, found.Path)}, err) {
				return
			}
			continue
		}
		list := s.file(ctx, f, found.Path)
		if !found.IsFile() { // snapshots, a file each
			list = s.snapshots(ctx, f, found)
		}
		for x, err := range list {
			if err != nil && found.IsFile() && sessions.IsUnknown(err) {
				continue
			}
			if !yield(x, err) {
				return
			}
		}
	}
}

// snapshots yields a folder that is one history.
func (s *Server) snapshots(ctx context.Context, f folder, found sessions.File) iter.Seq2[sessions.Session, error] {
	return func(yield func(sessions.Session, error) bool) {
		name := s.shown(f, found.Path)
		for x, err := range found.Sessions(ctx, "") {
			x.Path = name
			if !yield(x, err) {
				return
			}
		}
	}
}

// one returns the only session that a path names.
func (s *Server) one(ctx context.Context, path string) (sessions.Session, error) {
	var only sessions.Session
	var names []string
	for x, err := range s.open(ctx, path) {
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
	return only, &Failure{Code: sessions.ErrSeveral, Message: "the path names several sessions", Hint: "name one of them as path: " + strings.Join(names, " ")}
}

// mostNames is how many sessions an error names.
const mostNames = 5
