package source

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
)

var (
	zipMagic  = []byte("PK\x03\x04")
	gzipMagic = []byte("\x1f\x8b")
	zstdMagic = []byte("\x28\xb5\x2f\xfd")
)

// magic reports whether the file begins with these bytes.
func (rd *reader) magic(want []byte) bool {
	have := make([]byte, len(want))
	n, _ := rd.file.ReadAt(have, 0)
	return bytes.Equal(have[:n], want)
}

// decompressed returns a reader of the decompressed file.
func (rd *reader) decompressed() (io.Reader, error) {
	var in io.Reader = io.NewSectionReader(rd.file, 0, rd.size)
	switch {
	case rd.magic(gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, rd.fail(value{}, engine.ErrFileSyntax, "cannot be decompressed: %v", err)
		}
		return rd.counted(z), nil
	case rd.magic(zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(budget.Buffer(128<<20))))
		if err != nil {
			return nil, rd.fail(value{}, engine.ErrFileSyntax, "cannot be decompressed: %v", err)
		}
		return rd.counted(z.IOReadCloser()), nil
	}
	return in, nil
}

// counted returns a reader that counts and limits the decompressed bytes.
func (rd *reader) counted(in io.Reader) io.Reader { return &counter{rd, in} }

type counter struct {
	rd *reader
	in io.Reader
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.rd.total += int64(n)
	if most := 16 * c.rd.opts.limit(); c.rd.total > most {
		return n, c.rd.fail(value{}, engine.ErrFileLimit, "more than %d bytes when decompressed, 16 times the limit MaxBytes", most)
	}
	var coded *engine.Error
	if err != nil && err != io.EOF && !errors.As(err, &coded) {
		err = c.rd.fail(value{}, engine.ErrFileSyntax, "cannot be decompressed: %v", err)
	}
	return n, err
}

// lines calls each with the document on every line. Of a line with several values, each is a
// document. What is not Unicode is replaced by U+FFFD. A line that is not JSON is kept and noted.
func (rd *reader) lines(ctx context.Context, each func(*document) error) error {
	return rd.rawLines(ctx, func(line []byte, number int) error {
		rest := string(line)
		for {
			d, bad := rd.parse(rest, number)
			if bad != nil && bad.Code == engine.ErrFileEncoding {
				if fixed := unicodeOnly(rest); fixed != rest {
					rd.noteError(bad, "what is not Unicode is replaced by U+FFFD")
					rest = fixed
					continue
				}
			}
			if bad == nil {
				return each(d)
			}
			s := canonjson.NewScanner(rest, canonjson.DefaultDepth)
			s.Peek()
			start := s.Offset()
			if raw, err := s.Raw(); err == nil && raw[0] == '{' && s.Peek() == '{' {
				if err := each(&document{file: rd.name, text: raw, line: number}); err != nil {
					return err
				}
				rest = rest[start+len(raw):]
				continue
			}
			if rd.grows && rd.cut {
				rd.noteOnce(thread.Kept, "", value{}, "the last line is not whole: the log is being written, or its writer was killed")
				return nil
			}
			rd.keepLine(rest, number)
			rd.noteError(bad, "the line is kept unchanged")
			return nil
		}
	})
}

// unicodeOnly replaces bytes that are not UTF-8 and escapes of unpaired surrogates by U+FFFD.
func unicodeOnly(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	var b strings.Builder
	from := 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if text[i+1] != 'u' {
			i++
			continue
		}
		r, size := canonjson.EscapedRune(text[i:])
		if r < 0 && size > len(`\u`) {
			b.WriteString(text[from:i] + "\uFFFD")
			from = i + size
		}
		i += size - 1
	}
	return b.String() + text[from:]
}

// rawLines calls each with every line that is not blank, and its number. The line is valid until
// each returns.
func (rd *reader) rawLines(ctx context.Context, each func(line []byte, number int) error) error {
	text, err := rd.decompressed()
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(text, int(min(max(rd.size, 0)+1, 1<<16))) // most files of a folder are small
	var long []byte
	for number := 1; ; number++ {
		if err := cmp.Or(ctx.Err(), budget.Err()); err != nil {
			return err
		}
		line, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long, err = rd.longLine(in, append(long[:0], line...), number)
			line = long
		}
		if int64(len(line)) > rd.opts.limit() {
			return rd.tooLong(number)
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		rd.cut = err == io.EOF
		if len(bytes.TrimSpace(line)) > 0 {
			if err := each(bytes.TrimSuffix(line, []byte{'\n'}), number); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// longLine reads the rest of a line that does not fit the buffer, and returns the whole line.
func (rd *reader) longLine(in *bufio.Reader, line []byte, number int) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		if cap(line)-len(line) < len(part) {
			more := min(int64(len(line)), rd.opts.limit()-int64(len(line))) // append would copy more often
			line = slices.Grow(line, len(part)+int(more))
		}
		line = append(line, part...)
		if int64(len(line)) > rd.opts.limit() {
			return nil, rd.tooLong(number)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func (rd *reader) tooLong(number int) error {
	return &engine.Error{Code: engine.ErrFileLimit, File: rd.name, Line: number, Msg: fmt.Sprintf("a line of more than %d bytes, the limit MaxBytes", rd.opts.limit())}
}

// concatenated calls each with every object of a file of concatenated objects, each of which may
// span several lines. The file must begin with an object. A line between objects is kept and noted.
// The whole text is in memory.
func (rd *reader) concatenated(ctx context.Context, each func(*document) error) error {
	in, err := rd.decompressed()
	if err != nil {
		return err
	}
	text, err := rd.readAll(ctx, in, rd.name)
	if err != nil {
		return err
	}
	rest, line := strings.TrimPrefix(text, "\uFEFF"), 1
	skip := func(n int) string {
		out := rest[:n]
		rest, line = rest[n:], line+strings.Count(out, "\n")
		return out
	}
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		if skip(len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))); rest == "" {
			return nil
		}
		s := canonjson.NewScanner(rest, canonjson.DefaultDepth)
		raw, err := s.Raw()
		if err == nil && raw[0] == '{' && utf8.ValidString(raw) {
			if err := each(&document{file: rd.name, text: raw, line: line}); err != nil {
				return err
			}
			skip(len(raw))
			continue
		}
		if first {
			return errStop
		}
		end := 0 // of the line at which it is no object, so that no byte is read twice
		if e, ok := errors.AsType[*canonjson.Error](err); ok {
			end = min(max(e.Offset, 0), len(rest))
		}
		if n := strings.IndexByte(rest[end:], '\n'); n >= 0 {
			end += n
		} else {
			end = len(rest)
		}
		number := line
		rd.keepLine(skip(end), number)
		rd.noteOnce(thread.Malformed, engine.ErrFileSyntax, value{doc: &document{file: rd.name, line: number}}, "a text between the objects; it is kept unchanged")
	}
}

// whole reads the whole file as one document.
func (rd *reader) whole(ctx context.Context) (*document, error) {
	if d := rd.single; d != nil {
		rd.single = nil // it does not stay in memory
		return d, nil
	}
	in, err := rd.decompressed()
	if err != nil {
		return nil, err
	}
	text, err := rd.readAll(ctx, in, rd.name)
	if err != nil {
		return nil, err
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.HasPrefix(text, opencodeGreeting) {
		text = text[max(strings.IndexByte(text, '\n'), 0):]
	}
	d, bad := rd.parse(text, 1)
	if bad != nil {
		return nil, bad
	}
	return d, nil
}

func (rd *reader) readAll(ctx context.Context, in io.Reader, name string) (string, error) {
	var b strings.Builder
	buf := make([]byte, min(1<<20, rd.size+bytes.MinRead))
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := in.Read(buf)
		b.Write(buf[:n])
		if int64(b.Len()) > rd.opts.limit() {
			return "", &engine.Error{Code: engine.ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes, the limit MaxBytes", rd.opts.limit())}
		}
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}
