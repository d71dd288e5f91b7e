package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread"
)

// argument yields what one argument names.
func (o *opener) argument(ctx context.Context, arg string) {
	o.want, o.named, o.count = "", false, 0
	switch {
	case ctx.Err() != nil:
		o.fail(arg, ctx.Err())
		o.stopped = true
	case arg == "":
		o.fail(arg, fs.ErrInvalid)
	case arg == "-" && o.Stdin != nil:
		o.stdin(ctx)
	case store.IsAddress(arg):
		o.stored(ctx, arg)
	default:
		o.path(ctx, arg)
	}
}

func (o *opener) abs(name string) string {
	if filepath.IsAbs(name) || o.Folder == "" {
		return filepath.Clean(name)
	}
	return filepath.Join(o.Folder, name)
}

// path yields what a file or folder holds, or one session of it if its name ends in #NAME.
func (o *opener) path(ctx context.Context, name string) {
	info, err := os.Stat(o.abs(name))
	if err != nil && strings.Contains(name, "#") {
		if file, id, bad := store.SplitAddress(name); bad == nil && id != "" {
			if i, e := os.Stat(o.abs(file)); e == nil && !i.IsDir() {
				name, info, err = file, i, nil
				o.want, o.named = id, true
			}
		}
	}
	switch {
	case err != nil:
		o.fail(name, err)
	case !info.IsDir():
		o.open(ctx, name)
	case o.isHistory(name):
		o.folder(name)
	default:
		o.walk(ctx, name)
		if o.count == 0 && !o.stopped {
			o.fail(name, &engine.Error{Code: engine.ErrFileShape, File: name, Msg: "the folder holds no history and no log of a known kind"})
		}
	}
}

// ends are the endings of the names of files that are looked at in a folder, before those of compressed files.
var ends = []string{".json", ".jsonl", ".ndjson", ".eval"}

func hasEnd(name string, ends ...string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// isHistory reports whether a folder is one history: .json files, of which the first is a snapshot, and no files of other
// kinds.
func (o *opener) isHistory(name string) bool {
	entries, err := os.ReadDir(o.abs(name))
	if err != nil {
		return false
	}
	found := false
	for _, e := range entries {
		switch {
		case e.IsDir() || !hasEnd(e.Name(), ends...):
		case !hasEnd(e.Name(), ".json"):
			return false
		case !found:
			found = true
			f, err := openFile(filepath.Join(o.abs(name), e.Name()))
			if err != nil {
				return false
			}
			is := isSnapshot(f.beginning())
			f.Close()
			if !is {
				return false
			}
		}
	}
	return found
}

// folder yields a folder of snapshots.
func (o *opener) folder(name string) {
	t, err := engine.LoadDir(regular(o.abs(name)), name, o.readOptions())
	if err != nil {
		o.fail(name, err)
		return
	}
	o.give(Session{Path: name, Kind: Document, Timeline: t})
}

// regular is a folder that opens regular files only: a named pipe could block the program.
type regular string

func (r regular) Open(name string) (fs.File, error) {
	if name == "." {
		return os.Open(string(r))
	}
	file, err := atomicfile.Open(filepath.Join(string(r), name))
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", name, e.Err)
	}
	return file, err
}

// walk yields what the files below a folder hold. Links are not followed: what they lead to is found where it is, or was
// not asked for.
func (o *opener) walk(ctx context.Context, folder string) {
	entries, err := os.ReadDir(o.abs(folder))
	if err != nil {
		o.fail(folder, err)
		return
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		switch {
		case o.stopped:
			return
		case o.ignored != nil && o.ignored.Ignored(o.abs(name), e.IsDir()) != "":
		case e.IsDir() && isRepository(e.Name()):
		case e.IsDir() && o.isHistory(name):
			o.folder(name)
		case e.IsDir():
			o.walk(ctx, name)
		case e.Type()&fs.ModeSymlink == 0 && hasEnd(e.Name(), ends...):
			o.found(ctx, name)
		}
	}
}

// isRepository reports whether a version control system keeps its own files in a folder of that name.
func isRepository(name string) bool {
	return name == ".git" || name == ".hg" || name == ".jj" || name == ".svn"
}

// found yields what a file holds that was found in a folder. One of another kind is noted and passed over.
func (o *opener) found(ctx context.Context, name string) {
	f, err := openFile(o.abs(name))
	if err != nil {
		o.fail(name, err)
		return
	}
	defer f.Close()
	f.path = name
	if o.from() == "" {
		if _, err := o.recognize(ctx, f); isUnknown(err) {
			o.note(thread.Note{Kind: thread.LeftOut, File: name, Msg: "holds no history and no log of a known kind, and is passed over"})
			return
		}
	}
	f.ReaderAt = o.watch(name, f)
	o.file(ctx, f)
}
