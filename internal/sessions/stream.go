package sessions

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
)

// stream is the text of a file, decompressed as it is read.
type stream struct {
	io.Reader
	name   string // of the file, without the ending of compressed files
	size   int64  // 0 if it is not known
	closer func()
}

// Len returns the size of the stream, 0 if it is not known.
func (s *stream) Len() int { return int(s.size) }

// Close releases what decompression holds.
func (s *stream) Close() {
	if s.closer != nil {
		s.closer()
	}
}

// text returns the text of the file.
func (f *file) text() (*stream, error) { return unpack(f.path, f.stream(), f.size) }

// Packed returns how a file is compressed, gzip or zstd, according to its first bytes, or else to
// its name; "" if it is not.
func Packed(name string, first []byte) string {
	switch {
	case strings.HasSuffix(name, ".gz") || bytes.HasPrefix(first, []byte(gzipMagic)):
		return "gzip"
	case strings.HasSuffix(name, ".zst") || bytes.HasPrefix(first, []byte(zstdMagic)):
		return "zstd"
	}
	return ""
}

// unpack decompresses a stream. Its first bytes, or else the name of the file, determine how.
func unpack(name string, r io.Reader, size int64) (*stream, error) {
	in := bufio.NewReader(r)
	first, _ := in.Peek(len(zstdMagic))
	out := &stream{Reader: in, name: strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), size: size}
	damaged := func(msg string, err error) error {
		return &engine.Error{Code: engine.ErrFileSyntax, File: name, Msg: msg + err.Error()}
	}
	switch Packed(name, first) {
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, damaged("not a gzip file: ", err)
		}
		out.Reader = z
	case "zstd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(budget.Buffer(256<<20))))
		if err != nil {
			return nil, damaged("not a zstd file: ", err)
		}
		out.Reader, out.closer = z, z.Close
	default:
		if mark := skipMark(in); size > 0 {
			out.size = size - mark
		}
		return out, nil
	}
	out.size = 0
	text := bufio.NewReader(&unpacking{out.Reader, damaged})
	out.Reader = text
	skipMark(text)
	// Data that does not begin like JSON is not read to its end: it may be a decompression bomb of
	// zeros.
	if c, _ := text.Peek(1); len(c) == 1 && c[0] < 0x20 && !strings.ContainsRune("\t\r\n", rune(c[0])) {
		out.Close()
		return nil, &engine.Error{Code: engine.ErrFileSyntax, File: name, Path: "$", Line: 1,
			Msg: fmt.Sprintf("the byte 0x%02x where a JSON document should begin", c[0])}
	}
	return out, nil
}

// skipMark reads the byte order mark that some programs write before JSON, and returns its length.
func skipMark(in *bufio.Reader) int64 {
	const mark = "\uFEFF"
	if first, _ := in.Peek(len(mark)); string(first) != mark {
		return 0
	}
	_, _ = in.Discard(len(mark)) // was read
	return int64(len(mark))
}

// unpacking adds a code to the errors of a decompressor.
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
