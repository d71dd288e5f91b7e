package sessions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// file is a file that is open.
type file struct {
	io.ReaderAt
	path   string
	size   int64
	found  bool // whether it was found in a folder, and not named
	closer io.Closer
}

// openFile opens a regular file.
func (o *opener) openFile(name string) (*file, error) {
	files, path := o.at(name)
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.Size() > 0 {
		return &file{ReaderAt: f, path: path, size: info.Size(), closer: f}, nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxHistory)) // some files of the system do not report their size
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &file{ReaderAt: bytes.NewReader(data), path: path, size: int64(len(data)), closer: f}, nil
}

// Size returns the size of the file in bytes.
func (f *file) Size() int64 { return f.size }

// Close closes the file, if it is a file of the operating system.
func (f *file) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// open yields the sessions of a file. A file of an unknown kind that was found in a folder is
// skipped with a note.
func (o *opener) open(ctx context.Context, in File) {
	budget.Reset()
	f, err := o.openFile(in.name)
	if err != nil {
		o.fail(in.Path, err)
		return
	}
	defer f.Close()
	f.path, f.found = in.name, in.found
	kind := cmp.Or(o.from(), in.kind)
	if kind == "" {
		if kind, err = o.recognize(ctx, f); err != nil {
			kind = ""
		}
	}
	if in.found && isUnknown(err) && !budget.Over() {
		o.note(UnknownKind(in.name))
		return
	}
	f.ReaderAt = o.watch(in.name, f)
	o.file(ctx, f, kind)
}

// UnknownKind returns the note about a file of an unknown kind that was found in a folder.
func UnknownKind(name string) thread.Note {
	return thread.Note{Kind: thread.LeftOut, File: name, Msg: "holds no history and no log of a known kind; it is skipped"}
}

// watch returns the file with a reader that reports its progress.
func (o *opener) watch(name string, f *file) io.ReaderAt {
	if o.Progress == nil {
		return f.ReaderAt
	}
	return &watched{f.ReaderAt, func(done int64) { o.Progress(name, done, f.size) }}
}

type watched struct {
	io.ReaderAt
	tell func(done int64)
}

func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, off)
	w.tell(off + int64(n))
	return n, err
}

// stdin yields the sessions of standard input, after reading it to its end.
func (o *opener) stdin(ctx context.Context) {
	name := o.StdinName
	if name == "" {
		name = "-"
	}
	if k := o.from(); k != "" && !o.isSource(k) { // is streamed, and may have any size
		o.stdinLog(ctx, name, k)
		return
	}
	limit := o.limit(maxHistory)
	data, err := io.ReadAll(io.LimitReader(o.Stdin, limit+1))
	if err != nil {
		o.fail(name, err)
		return
	}
	if int64(len(data)) > limit {
		o.fail(name, &engine.Error{Code: engine.ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes", limit)})
		return
	}
	o.file(ctx, &file{ReaderAt: bytes.NewReader(data), path: name, size: int64(len(data))}, o.from())
}

// stdinLog yields the sessions of standard input, which is a log of messages.
func (o *opener) stdinLog(ctx context.Context, name string, kind Kind) {
	in, err := unpack(name, o.Stdin, 0)
	if err == nil {
		defer in.Close()
		err = o.messages(ctx, in, name, kind, o.give)
	}
	if err != nil && !o.stopped {
		o.fail(name, err)
	}
}

func (o *opener) limit(most int64) int64 {
	if o.MaxBytes > 0 {
		most = o.MaxBytes
	}
	return budget.Buffer(most)
}

func (o *opener) readOptions(ctx context.Context) engine.ReadOptions {
	return engine.ReadOptions{Strict: o.Strict, MaxBytes: o.limit(maxHistory), MaxDepth: o.MaxDepth, Stop: ctx.Err}
}

// stream returns the bytes of the file from the first one.
func (f *file) stream() io.Reader { return &sized{io.NewSectionReader(f, 0, f.size), f.size} }

// sized has the method Len, which tells package engine the size.
type sized struct {
	io.Reader
	size int64
}

func (s *sized) Len() int { return int(s.size) }

// Magic numbers.
const (
	zipMagic  = "PK\x03\x04"
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// head is how much of a file is read to recognize its kind, unless all of it is read.
const head = 64 << 10

// beginning returns the bytes of the text of a file that show its kind, decompressed; of a zip
// archive, the magic number.
func (f *file) beginning() string {
	in, err := f.text()
	if err != nil {
		return ""
	}
	defer in.Close()
	most := int64(head)
	if in.size > 0 {
		most = min(in.size, most)
	}
	text, _ := source.Beginning(in, int(most)) // its readable part shows the kind
	return text
}
