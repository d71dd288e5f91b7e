package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// stream is a file that is read as it is needed, decompressed where its name says so.
type stream struct {
	io.Reader
	name    string // without the ending of compressed files
	size    int64  // -1 if it is not known
	closers []func() error
}

// Len returns the size of the stream, 0 if it is not known.
func (s *stream) Len() int { return int(max(s.size, 0)) }

// Close closes the file.
func (s *stream) Close() {
	for _, c := range s.closers {
		_ = c() // nothing was written
	}
}

// openStream opens a file, or standard input with the name that stands for it.
func (s *session) openStream(ctx context.Context, name, stdinFilename string) (*stream, error) {
	out := &stream{name: name, size: -1}
	switch name {
	case "":
		return nil, fs.ErrInvalid
	case stdinName:
		out.Reader = newInterruptible(ctx, s.in)
		if stdinFilename != "" {
			out.name = stdinFilename
		}
	default:
		file, err := atomicfile.Open(s.abs(name))
		if err != nil {
			return nil, err
		}
		out.Reader, out.closers = file, append(out.closers, file.Close)
		info, err := file.Stat()
		if err != nil {
			out.Close()
			return nil, err
		}
		out.size = info.Size()
	}
	if err := out.unpack(); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// unpack decompresses a stream as its name says.
func (s *stream) unpack() error {
	packed, form := s.name, packEnding(s.name)
	if form == "" {
		return nil
	}
	s.name, s.size = strings.TrimSuffix(s.name, form), -1
	in := bufio.NewReader(s.Reader)
	damaged := func(msg string, err error) error {
		return &engine.Error{Code: engine.ErrFileSyntax, File: packed, Msg: msg + err.Error()}
	}
	switch form {
	case ".gz":
		z, err := gzip.NewReader(in)
		if err != nil {
			return damaged("not a gzip file: ", err)
		}
		s.Reader = z
	case ".zst":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return damaged("not a zstd file: ", err)
		}
		s.Reader, s.closers = z, append(s.closers, func() error { z.Close(); return nil })
	}
	text := bufio.NewReader(&unpacking{s.Reader, damaged})
	s.Reader = text
	// What does not begin like JSON is not read to its end: that is what a compressed bomb of zeros is.
	if first, _ := text.Peek(1); len(first) == 1 && first[0] < 0x20 && !strings.ContainsRune("\t\r\n", rune(first[0])) {
		return &engine.Error{Code: engine.ErrFileSyntax, File: packed, Path: "$", Line: 1,
			Msg: fmt.Sprintf("the byte 0x%02x where a JSON document should begin", first[0])}
	}
	return nil
}

// unpacking gives the errors of a decompressor a code.
type unpacking struct {
	r       io.Reader
	damaged func(msg string, err error) error
}

func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && err != io.EOF {
		err = u.damaged("the compressed data is damaged: ", err)
	}
	return n, err
}

// interruptible reads a stream that may wait without an end, such as a terminal, until a context is done.
type interruptible struct {
	done  <-chan struct{} // of the context
	texts chan []byte     // from the goroutine that reads; closed after err is set
	free  chan []byte     // memory for it
	err   error
	text  []byte // received and not yet read
	whole []byte // the memory of text
}

func newInterruptible(ctx context.Context, r io.Reader) *interruptible {
	in := &interruptible{done: ctx.Done(), texts: make(chan []byte), free: make(chan []byte, 2)}
	in.free <- make([]byte, 64<<10)
	in.free <- make([]byte, 64<<10)
	go func() {
		defer close(in.texts)
		for buf := range in.free {
			n, err := r.Read(buf[:cap(buf)])
			if n > 0 {
				select {
				case in.texts <- buf[:n]:
				case <-ctx.Done():
					return
				}
			}
			if in.err = err; err != nil {
				return
			}
		}
	}()
	return in
}

func (in *interruptible) Read(p []byte) (int, error) {
	select {
	case <-in.done:
		return 0, errInterrupted
	default:
	}
	if len(in.text) == 0 {
		if in.whole != nil {
			in.free <- in.whole
			in.whole = nil
		}
		select {
		case text, ok := <-in.texts:
			if !ok {
				return 0, in.err
			}
			in.text, in.whole = text, text
		case <-in.done:
			return 0, errInterrupted
		}
	}
	n := copy(p, in.text)
	in.text = in.text[n:]
	return n, nil
}

var errInterrupted = errors.New("interrupted")

// readStdin reads standard input until it ends or the program is interrupted. It takes nothing beyond the limit.
func (s *session) readStdin(ctx context.Context, limit int64) ([]byte, error) {
	type input struct {
		data []byte
		err  error
	}
	got := make(chan input, 1)
	go func() {
		data, err := readAll(s.in, limit)
		got <- input{data, err}
	}()
	select {
	case i := <-got:
		return i.data, i.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}

// packEnding returns the ending of a compressed file, or "".
func packEnding(name string) string {
	if ext := filepath.Ext(name); packForms[ext] != nil {
		return ext
	}
	return ""
}
