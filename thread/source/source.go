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
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// Kind is what wrote a file.
type Kind string

// The kinds of files.
const (
	Auto       Kind = ""            // recognized from the content
	Requests   Kind = "requests"    // request bodies of OpenAI (chat and Responses), Anthropic or Gemini, one a line
	Inspect    Kind = "inspect"     // logs of Inspect AI, .eval and .json
	ClaudeCode Kind = "claude-code" // session files of Claude Code
	Codex      Kind = "codex"       // rollouts of Codex CLI
	ATIF       Kind = "atif"        // trajectories of terminal agents
	OTel       Kind = "otel"        // spans of OpenTelemetry with GenAI or OpenInference attributes, in OTLP JSON
)

// kinds has what reads each kind, in the order in which a file is tried. A file is of a kind if its first documents
// are.
var kinds = []struct {
	Kind
	is   func(first []value) bool
	read func(*reader) error
}{
	{Inspect, isInspect, (*reader).inspect},
	{OTel, isOTel, (*reader).otel},
	{ATIF, isATIF, (*reader).atif},
	{Codex, isCodex, (*reader).codex},
	{ClaudeCode, isClaudeCode, (*reader).claudeCode},
	{Requests, isRequests, (*reader).requests},
}

// Kinds returns the kinds that files can have.
func Kinds() []Kind {
	var out []Kind
	for _, k := range kinds {
		out = append(out, k.Kind)
	}
	return out
}

// Options configures [Read]. The zero value recognizes the kind.
type Options struct {
	Kind Kind
	// MaxBytes limits a line, a document and a member of an archive after it is decompressed; 0 means 256 MiB. All that
	// is decompressed from one file may be 16 times as large; the attachments that are put into the messages of a
	// sample of Inspect AI 4 times.
	MaxBytes int64
	// Note, if set, is called with what was left out or is odd, in the order of the file.
	Note func(thread.Note)
}

const defaultMaxBytes = 256 << 20

func (o Options) limit() int64 { return cmp.Or(max(o.MaxBytes, 0), defaultMaxBytes) }

// Read reads a file and calls each with its requests in order; those of one sample follow each other. name is how errors
// and notes call the file. The file may be compressed with gzip or Zstandard.
//
// Errors are of type [*engine.Error] with file, line and JSON path, but for those of the reader, of the context, and of
// each, which end reading at once. A file in which no call can be found is an error; broken lines are notes.
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, o Options, each func(*series.Request) error) error {
	rd := &reader{ctx: ctx, name: name, opts: o, file: r, size: size, each: each, messages: map[string]*series.Message{}}
	return rd.read()
}

// Recognize returns the kind of a file, from its first bytes. It is an error if it is of none.
func Recognize(ctx context.Context, name string, r io.ReaderAt, size int64, o Options) (Kind, error) {
	rd := &reader{ctx: ctx, name: name, opts: o, file: r, size: size}
	return rd.kind()
}

// reader is the state of one Read.
type reader struct {
	ctx      context.Context // for the time of one call of Read
	name     string
	opts     Options
	file     io.ReaderAt
	size     int64
	each     func(*series.Request) error
	messages map[string]*series.Message // those made, by their text
	calls    int                        // of the file, or of the sample
	total    int64                      // bytes that were decompressed
	broken   int                        // lines that were left out
	noted    map[string]bool            // what is noted once
}

var (
	zipMagic  = []byte("PK\x03\x04")
	gzipMagic = []byte("\x1f\x8b")
	zstdMagic = []byte("\x28\xb5\x2f\xfd")
)

// magic returns whether the file begins with bytes.
func (rd *reader) magic(want []byte) bool {
	have := make([]byte, len(want))
	n, _ := rd.file.ReadAt(have, 0)
	return bytes.Equal(have[:n], want)
}

// open returns the text of the file, decompressed.
func (rd *reader) open() (io.Reader, error) {
	var in io.Reader = io.NewSectionReader(rd.file, 0, rd.size)
	switch {
	case rd.magic(gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, rd.fail(value{}, engine.ErrFileSyntax, "cannot be decompressed: %v", err)
		}
		return rd.counted(z), nil
	case rd.magic(zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, rd.fail(value{}, engine.ErrFileSyntax, "cannot be decompressed: %v", err)
		}
		return rd.counted(z.IOReadCloser()), nil
	}
	return in, nil
}

// counted counts what is decompressed.
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

// lines calls each with the documents of the lines. A line that is not JSON is left out and noted.
func (rd *reader) lines(each func(*document) error) error {
	text, err := rd.open()
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(text, 1<<16)
	for number := 1; ; number++ {
		if err := rd.ctx.Err(); err != nil {
			return err
		}
		line, err := rd.line(in, number)
		if len(bytes.TrimSpace(line)) > 0 {
			d, bad := rd.parse(string(line), number)
			if bad != nil {
				rd.broken++
				rd.noteError(bad, "the line is left out")
			} else if err := each(d); err != nil {
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

// line reads a line without its end.
func (rd *reader) line(in *bufio.Reader, number int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > rd.opts.limit() {
			return nil, &engine.Error{Code: engine.ErrFileLimit, File: rd.name, Line: number, Msg: fmt.Sprintf("a line of more than %d bytes, the limit MaxBytes", rd.opts.limit())}
		}
		if err != bufio.ErrBufferFull {
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\uFEFF"))
			}
			return bytes.TrimSuffix(line, []byte{'\n'}), err
		}
	}
}

// whole reads the file as one document.
func (rd *reader) whole() (*document, error) {
	in, err := rd.open()
	if err != nil {
		return nil, err
	}
	text, err := rd.slurp(in, rd.name)
	if err != nil {
		return nil, err
	}
	d, bad := rd.parse(strings.TrimPrefix(text, "\uFEFF"), 1)
	if bad != nil {
		return nil, bad
	}
	return d, nil
}

func (rd *reader) slurp(in io.Reader, name string) (string, error) {
	var b strings.Builder
	buf := make([]byte, 1<<20)
	for {
		if err := rd.ctx.Err(); err != nil {
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

func (rd *reader) read() error {
	want := rd.opts.Kind
	if want == Auto {
		var err error
		if want, err = rd.kind(); err != nil {
			return err
		}
	}
	for _, k := range kinds {
		if k.Kind == want {
			return k.read(rd)
		}
	}
	return fmt.Errorf("unknown kind of source %q", want)
}

// fewDocuments is how many documents tell the kind of a file.
const fewDocuments = 20

// kind recognizes the kind of the file.
func (rd *reader) kind() (Kind, error) {
	if rd.magic(zipMagic) {
		return Inspect, nil
	}
	first, _, err := rd.begin()
	if err != nil {
		return Auto, err
	}
	for _, k := range kinds {
		if k.is(first) {
			return k.Kind, nil
		}
	}
	return Auto, rd.fail(value{}, engine.ErrFileShape, "no model calls of a known kind: %s", names())
}

// quiet returns a reader of the same file that notes nothing, for a look at it before it is read.
func (rd *reader) quiet() *reader {
	return &reader{ctx: rd.ctx, name: rd.name, opts: Options{MaxBytes: rd.opts.MaxBytes}, file: rd.file, size: rd.size}
}

// begin returns the first documents of the file, and whether each is a line. A file whose first line is a document has
// one in each, and so has one that is not a document as a whole.
func (rd *reader) begin() (first []value, lined bool, err error) {
	quiet := rd.quiet()
	err = quiet.lines(func(d *document) error {
		lined = lined || len(first) == 0 && quiet.broken == 0
		first = append(first, d.root())
		if len(first) == fewDocuments {
			return errStop
		}
		return nil
	})
	if err != nil && err != errStop {
		return nil, false, err
	}
	if lined {
		return first, true, nil
	}
	d, err := quiet.whole()
	switch {
	case err == nil:
		return []value{d.root()}, false, nil
	case len(first) > 0:
		return first, true, nil
	}
	return nil, false, err
}

// isLined reports whether each line of the file is a document.
func (rd *reader) isLined() (bool, error) {
	_, lined, err := rd.begin()
	return lined, err
}

// names lists the kinds.
func names() string {
	var b strings.Builder
	for i, k := range kinds {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(k.Kind))
	}
	return b.String()
}
