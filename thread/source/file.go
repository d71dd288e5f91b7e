package source

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/pactkit/pactkit/engine"
)

// File is a file that is opened when it is read.
type File struct {
	Name string // the name in errors and notes; a path, if files refer to each other by path
	Open func() (Input, error)
	// Links, if set, finds what links a file of Claude Code with others, for a caller that reads the file anyway. If it
	// returns false, [Group] reads the file.
	Links func(*Links) bool
	// Repeats is set by [Group] in the files of a group two of which have a record with the same id.
	Repeats bool
}

// Input is an open file.
type Input interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Path returns a file of the file system. It must be a regular file.
func Path(name string) File {
	return File{Name: name, Open: func() (Input, error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = &engine.Error{Code: engine.ErrFileShape, File: name, Msg: "not a regular file"}
		}
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

// Reader returns a file that is already open. It can be read any number of times, and is not closed.
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

// withFile opens a file and calls f with a reader of it.
func (g *group) withFile(file File, f func(*reader) error) error {
	in, err := file.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name, err)
	}
	defer in.Close()
	return f(&reader{group: g, name: file.Name, file: in, size: in.Size()})
}
