package sessions

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/store"
)

// File is a file, a folder that is one history, a store, or standard input: what [All] opens one after the other. Several
// may be read side by side.
type File struct {
	Path string
	opts Options
	want string // the argument for [All]; empty for a file that was found in a folder
	size int64  // -1 for what is not a file
}

// Files yields what arguments name, in the order in which [All] reads it, and opens nothing. An error is about the path
// that comes with it.
func Files(ctx context.Context, args []string, opts Options) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		l := &lister{opener: newOpener(opts, nil), yieldFile: yield}
		for _, arg := range args {
			if ctx.Err() != nil || !l.argument(arg) {
				return
			}
		}
	}
}

// lister is the state of one Files.
type lister struct {
	*opener
	yieldFile func(File, error) bool
}

func (l *lister) argument(arg string) bool {
	f := File{Path: store.Redacted(arg), opts: l.Options, want: arg, size: -1}
	if arg == "" || arg == "-" && l.Stdin != nil || store.IsAddress(arg) {
		return l.yieldFile(f, nil)
	}
	info, err := os.Stat(l.abs(arg))
	switch {
	case err != nil && !strings.Contains(arg, "#"):
		return l.yieldFile(f, err)
	case err != nil: // PATH#NAME
		return l.yieldFile(f, nil)
	case info.IsDir() && !l.isHistory(arg):
		return l.folderFiles(arg)
	case info.Mode().IsRegular():
		f.size = info.Size()
	}
	return l.yieldFile(f, nil)
}

// folderFiles yields the files below a folder, as walk reads them.
func (l *lister) folderFiles(folder string) bool {
	entries, err := os.ReadDir(l.abs(folder))
	if err != nil {
		return l.yieldFile(File{Path: folder, size: -1}, err)
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		more := true
		switch {
		case l.ignored != nil && l.ignored.Ignored(l.abs(name), e.IsDir()) != "":
		case e.IsDir() && isRepository(e.Name()):
		case e.IsDir() && l.isHistory(name):
			more = l.yieldFile(File{Path: name, opts: l.Options, want: name, size: -1}, nil)
		case e.IsDir():
			more = l.folderFiles(name)
		case e.Type().IsRegular() && hasEnd(e.Name(), ends...):
			more = l.yieldFile(l.foundFile(name, e), nil)
		}
		if !more {
			return false
		}
	}
	return true
}

func (l *lister) foundFile(name string, e fs.DirEntry) File {
	f := File{Path: name, opts: l.Options}
	if info, err := e.Info(); err == nil {
		f.size = info.Size()
	}
	return f
}

// IsFile reports whether it is a regular file.
func (f File) IsFile() bool { return f.size >= 0 }

// Size returns the size of a regular file in bytes, else 0.
func (f File) Size() int64 { return max(f.size, 0) }

// Abs returns the absolute path of a regular file.
func (f File) Abs() string { return newOpener(f.opts, nil).abs(f.Path) }

// Kind returns what wrote a regular file: the kind that is asked for, or the recognized one. The error of a file of no
// known kind is such that [IsUnknown] holds.
func (f File) Kind(ctx context.Context) (Kind, error) {
	o := newOpener(f.opts, nil)
	if k := o.from(); k != "" {
		return k, nil
	}
	in, err := openFile(f.Abs())
	if err != nil {
		return "", err
	}
	defer in.Close()
	in.path = f.Path
	return o.recognize(ctx, in)
}

// IsUnknown reports whether an error says that a file is of no known kind.
func IsUnknown(err error) bool { return isUnknown(err) }

// IsNamed reports whether an argument named it, and not a folder above it: then it is an error if it is of no known kind.
func (f File) IsNamed() bool { return f.want != "" }

// Sessions yields the sessions in it, as [All] does; kind is what [File.Kind] returned, or empty.
func (f File) Sessions(ctx context.Context, kind Kind) iter.Seq2[Session, error] {
	opts := f.opts
	if kind != "" {
		opts.From = kind
	}
	if f.want != "" {
		return All(ctx, []string{f.want}, opts)
	}
	return func(yield func(Session, error) bool) { newOpener(opts, yield).found(ctx, f.Path) }
}
