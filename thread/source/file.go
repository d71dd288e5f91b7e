package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// File is a file to read. It is opened when it is needed, and may be opened several times.
type File struct {
	Name string // the name in errors and notes; a path if files refer to each other
	Open func() (Input, error)
	// Beside, if set, opens a file that this one names, from its path: some sources consist of
	// several files. If it is nil, only the files that are read together are known.
	Beside func(path string) (Input, error)
	// Kind is the kind of the file if it is known. [Group] sets it in the files of a group that has
	// a log and recordings of its session.
	Kind Kind
	// Links, if set, fills in what links a file of Claude Code with others, for callers that have
	// read the file anyway. If it returns false, [Group] reads the file.
	Links func(*Links) bool
	// Repeats is set by [Group] in all files of a group if two of them have a record with the same
	// id.
	Repeats bool
}

// Input is an open file.
type Input interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Path returns a file in the file system. Opening it fails if it is not a regular file.
func Path(name string) File {
	return File{Name: name, Beside: func(path string) (Input, error) { return Path(path).Open() }, Open: func() (Input, error) {
		f, err := atomicfile.Open(name)
		if errors.Is(err, atomicfile.ErrNotRegular) {
			err = &engine.Error{Code: engine.ErrFileShape, File: name, Msg: err.Error()}
		}
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		return input{f, f, info.Size()}, nil
	}}
}

// Bytes returns a file in memory.
func Bytes(name string, data []byte) File {
	return Reader(name, bytes.NewReader(data), int64(len(data)))
}

// Reader returns a file that is already open. It can be read any number of times, and is never
// closed.
func Reader(name string, r io.ReaderAt, size int64) File {
	return File{Name: name, Open: func() (Input, error) { return input{r, nopCloser{}, size}, nil }}
}

type input struct {
	io.ReaderAt
	io.Closer
	size int64
}

func (in input) Size() int64 { return in.size }

type nopCloser struct{}

func (nopCloser) Close() error { return nil }

// withFile opens a file, calls f with a reader of it, and closes it.
func (g *group) withFile(file File, f func(*reader) error) error {
	in, err := file.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name, err)
	}
	defer in.Close()
	return f(&reader{group: g, name: file.Name, beside: file.Beside, file: in, size: in.Size()})
}

// open opens another file of the group, or else any other file, by its path.
func (rd *reader) open(path string) (Input, error) {
	for _, f := range rd.files {
		if filepath.Clean(f.Name) == path {
			return f.Open()
		}
	}
	if rd.beside == nil {
		return nil, fs.ErrNotExist
	}
	return rd.beside(path)
}
