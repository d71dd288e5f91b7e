// Package worker answers requests about histories: one line of JSON for each line of JSON.
// docs/reference/worker.md describes the protocol.
//
// A worker answers one request at a time, in order. For several at a time, run several workers.
package worker

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/store"
)

// Protocol is the newest version of the protocol. A caller that does not name a version speaks
// version 1.
const Protocol = 2

// DefaultMaxBytes is the length of the longest request, and the size of the largest file, unless
// [Options] say otherwise.
const DefaultMaxBytes = 256 << 20

// Options configures [Serve].
type Options struct {
	Version  string // of the program, for the greeting
	MaxBytes int64  // of a line, and of a file after decompression; 0 means [DefaultMaxBytes]
	Folder   string // that relative paths are relative to; "" is the working folder
	Open     Opener // nil means [Open]
	// Known are words that no history needs to have, as in the configuration.
	Known map[lint.WordKind][]string
	// Prices and Windows are those of the configuration, which precede what is known of models.
	Prices  prices.Table
	Windows prices.Windows
	// Test runs a suite on a history and returns the report as one line of JSON, of the shape
	// docs/schemas/test.json.
	Test func(ctx context.Context, suite string, t *engine.Timeline) ([]byte, error)
}

// Serve answers the requests that it reads until the input ends. It flushes its output before each
// read, so a caller may wait for an answer before it sends the next request. The error is that of
// reading, writing, or the context.
//
// It keeps in memory the request, its histories, the histories of the previous request, and the
// open contexts, which it closes at the end.
func Serve(ctx context.Context, in io.Reader, w *bufio.Writer, o Options) error {
	o.MaxBytes = budget.Buffer(cmp.Or(o.MaxBytes, DefaultMaxBytes))
	if o.Open == nil {
		o.Open = Open
	}
	s := &server{
		Options: o, protocol: 1, out: w, lines: bufio.NewReaderSize(&flushingReader{in, w}, 64<<10),
		shelf: shelf{map[string]*live{}, map[string]*shared{}},
	}
	defer s.closeAll()
	for first := true; ; first = false {
		line, size, err := s.read()
		if size == 0 && err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return cmp.Or(err, w.Flush())
		}
		if first {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		answer := s.answer(ctx, line, size, first)
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), w.Flush())
		}
		if _, err := w.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}

// read returns the next line, as [readLine] does.
func (s *server) read() (line string, size int64, err error) {
	if len(s.next) > 0 {
		n := s.next[0]
		s.next = s.next[1:]
		return n.text, n.size, nil
	}
	return readLine(s.lines, s.MaxBytes)
}

// flushingReader writes what is buffered before it waits for more.
type flushingReader struct {
	io.Reader
	out *bufio.Writer
}

func (r *flushingReader) Read(p []byte) (int, error) {
	if err := r.out.Flush(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// readLine returns the next line without its end, and how many bytes it has with it. Of a line
// longer than limit it returns the beginning.
func readLine(r *bufio.Reader, limit int64) (line string, size int64, err error) {
	var b strings.Builder
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if left := limit + 1 - int64(b.Len()); left > 0 {
			b.Write(part[:min(int64(len(part)), left)])
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimRight(b.String(), "\r\n"), size, err
		}
	}
}

// server is one run of [Serve].
type server struct {
	Options
	protocol int
	lines    *bufio.Reader
	next     []nextLine // came while the worker waited for a summary
	out      *bufio.Writer
	refused  error // the answer to every request if the first line asks for another version
	kept     *kept
	shelf    shelf
	asking   asking

	words   *fixtures.Facts // of wordsOf
	wordsOf *engine.Timeline
}

// answer answers one line.
func (s *server) answer(ctx context.Context, line string, size int64, first bool) (answer []byte) {
	id := ""
	budget.Reset() // one request must not end the others
	defer func() {
		if p := recover(); p != nil { // nor may a bug
			s.kept = nil
			answer = s.refusal(id, &engine.Error{Code: ErrInternal, Msg: fmt.Sprintf("a bug in pactkit: %v", p)})
		}
	}()
	if int64(len(line)) > s.MaxBytes {
		id = leadingID(line)
		return s.refusal(id, &engine.Error{Code: ErrLine, Msg: fmt.Sprintf(
			"a line of %d bytes, over the limit of %d; --max-bytes raises it, or name a file with the member path", size, s.MaxBytes)})
	}
	if first {
		if version, ok := greeting(line); ok {
			return s.greet(version)
		}
	}
	q, err := parseRequest(line, s.protocol)
	if id = q.id; err != nil {
		return s.refusal(cmp.Or(id, leadingID(line)), err)
	}
	if s.refused != nil {
		return s.refusal(id, s.refused)
	}
	if q.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(q.timeout)*time.Millisecond)
		defer cancel()
	}
	switch {
	case q.do != nil:
		s.asking = asking{id, q.source.Context}
		return s.do(ctx, q)
	case q.files:
		answer, err = s.list(ctx, q)
	default:
		answer, err = s.run(ctx, q)
	}
	if err != nil {
		return failureOf(id, s.problemOf(inTime(err, q.timeout), q.source.named()))
	}
	return answer
}

// inTime replaces the error of a request that took too long. It keeps [store.ErrUnknown], because a
// commit may have arrived, and all other errors.
func inTime(err error, timeout int) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, store.ErrUnknown) {
		return &engine.Error{Code: ErrTimeout, Msg: fmt.Sprintf("no answer after %d ms", timeout)}
	}
	return err
}

// greeting reads the line that a caller may begin with, {"worker":1}.
func greeting(line string) (version int, ok bool) {
	err := members.Read(line, members.Object{"worker": func(s *canonjson.Scanner) error {
		ok = true
		return members.Count(&version)(s)
	}})
	return version, ok && err == nil
}

// greet answers the greeting.
func (s *server) greet(version int) []byte {
	if version < 1 || version > Protocol {
		s.refused = &engine.Error{Code: ErrVersion, Msg: fmt.Sprintf("this worker speaks the versions 1 to %d of the protocol, not %d", Protocol, version)}
		return s.refusal("", s.refused)
	}
	s.protocol = version
	return fmt.Appendf(nil, `{"worker":%d,"version":%s,"max_bytes":%d}`, version, canonjson.AppendString(nil, s.Version), s.MaxBytes)
}

// leadingID returns the id of a line that is not a request, if it is the first member.
func leadingID(line string) string {
	scan := canonjson.NewScanner(line, canonjson.DefaultDepth)
	id := ""
	_ = scan.Object(func(name string, _ int) (err error) {
		if name == "id" {
			id, err = scan.Canonical()
			return cmp.Or(err, errFound)
		}
		return errFound
	})
	return id
}

// errFound ends a scan.
var errFound = errors.New("found")

// begin begins an answer to the request with an id, which is JSON or "".
func begin(id string) *bytes.Buffer {
	b := bytes.NewBufferString(`{"id":`)
	b.WriteString(cmp.Or(id, "null"))
	return b
}
