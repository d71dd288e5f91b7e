package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// dirStore is a folder of journals, which are named by [fileName]. An append locks the file, so
// there is one at a time, and truncates what an interrupted append has left. Bytes up to the end of
// a complete append never change, so readers need no lock; [dirStore.Replace] puts another file in
// place. No link leads out of the folder.
type dirStore struct {
	disk    atomicfile.FS
	dir     string
	file    string // the only journal; "" if the store is a folder
	address string

	mu     sync.Mutex
	closed bool
	swept  bool              // the leftovers of interrupted runs were removed
	ends   map[string]dirEnd // by name: where appends ended when a journal was last examined
}

// place is a journal, which need not exist, in a folder that is open.
type place struct {
	files atomicfile.FS
	name  string
	close func() error
}

// dirEnd is the end of the last complete append of a journal.
type dirEnd struct {
	file    fs.FileInfo // shows whether the file is still the same and unchanged
	end     int64
	version Version
	synced  bool // the entry of the file in its folder is known to be durable
}

// maxEnds is how many ends are kept in memory.
const maxEnds = 4096

// openDir opens the folder of an address, without its scheme. It need not exist.
func openDir(dir string) (Store, error) {
	return openDirOn(atomicfile.Disk(), dir)
}

// openDirOn is [openDir] on a disk.
func openDirOn(disk atomicfile.FS, dir string) (Store, error) {
	s := &dirStore{disk: disk, dir: dir, address: "file:" + dir, ends: map[string]dirEnd{}}
	if strings.HasPrefix(dir, "//") {
		u, err := url.Parse(dir)
		if err != nil || u.Host != "" && u.Host != "localhost" {
			return nil, s.fail(ErrAddress, "", "a folder is file:DIR, or file:///DIR from the root", err)
		}
		s.dir = u.Path
	}
	if s.dir == "" {
		return nil, s.fail(ErrAddress, "", "the address names no folder", nil)
	}
	switch info, err := s.disk.Stat(s.dir); {
	case err == nil && !info.IsDir():
		return nil, s.fail(ErrAddress, "", "it is not a folder", nil)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, s.wrap("", "the folder cannot be opened", err)
	}
	return s, nil
}

// OpenFile opens the journal at path as a store of one history, for any id. Its List yields
// nothing.
func OpenFile(path string) Store {
	return &dirStore{disk: atomicfile.Disk(), dir: filepath.Dir(path), file: path, address: path, ends: map[string]dirEnd{}}
}

// FileName returns the name of the journal of an id in the folder of a store.
func FileName(id string) string { return fileName(id) }

// check returns why a call is not possible.
func (s *dirStore) check(ctx context.Context, id string) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	if why := checkID(id); why != "" {
		return s.fail(ErrID, id, why, nil)
	}
	return nil
}

// begin checks that a call is possible, and opens the folder of the history. If that does not exist
// it is created, or the history is not found. The caller closes the place.
func (s *dirStore) begin(ctx context.Context, id string, create bool) (place, error) {
	if err := s.check(ctx, id); err != nil {
		return place{}, err
	}
	if create {
		if err := s.disk.MakeFolder(s.dir); err != nil {
			return place{}, s.wrap(id, "the folder cannot be created", err)
		}
	}
	p, err := s.open()
	p.name = cmp.Or(s.file, fileName(id))
	if errors.Is(err, fs.ErrNotExist) {
		return place{}, s.notFound(id)
	}
	return p, s.wrap(id, "the folder cannot be opened", err)
}

// open opens the folder. The caller closes the place.
func (s *dirStore) open() (place, error) {
	if s.file != "" {
		return place{s.disk, s.file, func() error { return nil }}, nil
	}
	root, err := s.disk.OpenRoot(s.dir)
	if err != nil {
		return place{}, err
	}
	return place{root.FS, ".", root.Close}, nil
}

func (s *dirStore) usable(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.fail(ErrClosed, "", "the store is closed", nil)
	}
	return ctx.Err()
}

// endOf returns the end of the last complete append. That of an empty journal has the zero Version.
func (s *dirStore) endOf(name string, f atomicfile.File) (dirEnd, error) {
	info, err := f.Stat()
	if err != nil {
		return dirEnd{}, err
	}
	known, same := s.known(name, info)
	if same && known.isAll(info) {
		return known, nil
	}
	tail, err := journal.ReadTail(f, info.Size())
	if err != nil {
		return dirEnd{}, err
	}
	return dirEnd{info, tail.End, tail.Version, same && known.synced}, nil
}

// known returns what is remembered of a file, and whether that is about the file that info
// describes.
func (s *dirStore) known(name string, info fs.FileInfo) (dirEnd, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.ends[name]
	return known, known.file != nil && atomicfile.SameFile(known.file, info)
}

// isAll reports whether a file ends there and has not changed since.
func (end dirEnd) isAll(info fs.FileInfo) bool {
	return end.end == info.Size() && end.file.ModTime().Equal(info.ModTime())
}

// remember keeps the end of a journal in memory. All of the journal must be durable.
func (s *dirStore) remember(name string, end dirEnd) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ends) >= maxEnds {
		clear(s.ends)
	}
	s.ends[name] = end
}

func (s *dirStore) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ends, name)
}

// Close makes further calls fail.
func (s *dirStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *dirStore) fail(code Code, id, msg string, cause error) error {
	return &Error{Code: code, Store: s.address, ID: id, Msg: msg, Err: cause}
}

func (s *dirStore) notFound(id string) error {
	return s.fail(ErrNotFound, id, "there is no such history", nil)
}

// wrap adds a code to an error of the operating system. Errors with a code are returned unchanged.
func (s *dirStore) wrap(id, msg string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || isJournalError(err) {
		return err
	}
	code := ErrUnavailable
	switch {
	case errors.Is(err, atomicfile.ErrUnflushed):
		return s.fail(ErrUnknown, id, "the change is in place, but a crash may undo it", err)
	case isAny(err, []error{atomicfile.ErrNotRegular, atomicfile.ErrOutside, atomicfile.ErrDangling}):
		return s.fail(ErrAddress, id, atomicfile.Reason(err), nil)
	case errors.Is(err, atomicfile.ErrLinks):
		return s.fail(ErrRemains, id, atomicfile.Reason(err), nil)
	case errors.Is(err, atomicfile.ErrOwner):
		code = ErrPermission
	case errors.Is(err, fs.ErrPermission):
		code = ErrPermission
	case isAny(err, readOnlyErrors):
		code = ErrReadOnly
	case isAny(err, fullErrors):
		code = ErrFull
	case isAny(err, pathErrors):
		code = ErrAddress
	}
	return s.fail(code, id, msg, err)
}

func isAny(err error, list []error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}
