package thread

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/engine"
)

// textReader splits a file into JSON texts: the whole file, its lines, or the elements of its list.
// It keeps one text in memory at a time.
type textReader struct {
	name  string
	r     *bufio.Reader
	size  int64 // of the file; 0 if unknown
	limit int64
	off   int64  // number of bytes read
	line  int    // line of off
	begun int64  // offset of the current log
	text  []byte // buffer for the current text

	at     int64 // offset of the latest text
	atLine int
}

func newTextReader(name string, r io.Reader, limit int64) *textReader {
	s := &textReader{name: name, limit: limit, line: 1, r: bufio.NewReaderSize(r, 64<<10)}
	if sized, ok := r.(interface{ Len() int }); ok {
		s.size = int64(sized.Len())
	}
	return s
}

// window returns the buffered bytes, at least one unless there is an error. If the buffer is empty,
// it checks the context and reads.
func (s *textReader) window(ctx context.Context) ([]byte, error) {
	if s.r.Buffered() == 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := s.r.Peek(1); err != nil {
			return nil, err
		}
	}
	return s.r.Peek(s.r.Buffered())
}

// take consumes bytes of the window. It fails if the log is too large.
func (s *textReader) take(piece []byte) error {
	_, _ = s.r.Discard(len(piece)) // they are in the buffer
	s.off += int64(len(piece))
	s.line += bytes.Count(piece, []byte{'\n'})
	if s.off-s.begun > s.limit {
		return s.tooLarge()
	}
	return nil
}

// checkSize fails if the size of the file is known and too large for one log.
func (s *textReader) checkSize() error {
	if s.size > s.limit {
		return s.tooLarge()
	}
	return nil
}

func (s *textReader) tooLarge() error {
	return &engine.Error{Code: engine.ErrFileLimit, File: s.name, Msg: fmt.Sprintf("larger than %d bytes, the limit MaxBytes", s.limit)}
}

// failed adds the name of the file to an error of the stream, unless it has one. io.EOF is returned
// unchanged.
func (s *textReader) failed(err error) error {
	if _, ok := errors.AsType[*engine.Error](err); ok || err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// skipBOM skips a byte order mark at the beginning of the file.
func (s *textReader) skipBOM(ctx context.Context) error {
	const mark = "\uFEFF"
	if _, err := s.window(ctx); err != nil && err != io.EOF {
		return s.failed(err)
	}
	head, err := s.r.Peek(len(mark))
	switch {
	case err != nil && err != io.EOF:
		return s.failed(err)
	case string(head) != mark:
		return nil
	}
	return s.take(head)
}

// peek skips white space and returns the next byte without consuming it, or 0 at the end of the
// file.
func (s *textReader) peek(ctx context.Context) (byte, error) {
	for {
		window, err := s.window(ctx)
		switch {
		case err == io.EOF:
			return 0, nil
		case err != nil:
			return 0, s.failed(err)
		}
		rest := bytes.TrimLeft(window, " \t\r\n")
		if err := s.take(window[:len(window)-len(rest)]); err != nil {
			return 0, err
		}
		if len(rest) > 0 {
			return rest[0], nil
		}
	}
}

// whole returns head, the first line if it was already read, followed by the rest of the file.
func (s *textReader) whole(ctx context.Context, head string) (string, error) {
	if err := s.checkSize(); err != nil {
		return "", err
	}
	if head == "" {
		s.begin()
	}
	var b strings.Builder
	b.Grow(len(head) + int(max(s.size-s.off, 0)))
	b.WriteString(head)
	for {
		window, err := s.window(ctx)
		switch {
		case err == io.EOF:
			return b.String(), nil
		case err != nil:
			return "", s.failed(err)
		}
		b.Write(window)
		if err := s.take(window); err != nil {
			return "", err
		}
	}
}

// nextLine returns the next line including the newline, and [io.EOF] after the last one.
func (s *textReader) nextLine(ctx context.Context) (string, error) {
	s.begin()
	for {
		window, err := s.window(ctx)
		switch {
		case err == io.EOF && len(s.text) > 0:
			return string(s.text), nil
		case err != nil:
			return "", s.failed(err)
		}
		end := bytes.IndexByte(window, '\n') + 1
		if end > 0 {
			window = window[:end]
		}
		s.text = append(s.text, window...)
		if err := s.take(window); err != nil {
			return "", err
		}
		if end > 0 {
			return string(s.text), nil
		}
	}
}

// begin begins a new text at the current offset.
func (s *textReader) begin() {
	s.at, s.atLine = s.off, s.line
	if cap(s.text) > 1<<20 { // do not retain an unusually large buffer
		s.text = nil
	}
	s.text = s.text[:0]
}

// errEnd is returned after the last element of a list.
var errEnd = errors.New("the list ends")

// nextElement returns the text of the next element of the list in the file, and errEnd after the
// last one. It does not check that the text is valid JSON.
func (s *textReader) nextElement(ctx context.Context, first bool) (string, error) {
	end := s.line // of the previous element
	c, err := s.peek(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case first:
		s.begin()
		if err := s.take([]byte{c}); err != nil { // the bracket
			return "", err
		}
		if c, err = s.peek(ctx); err != nil || c != ']' {
			break
		}
		return "", s.endList(ctx)
	case c == ']':
		return "", s.endList(ctx)
	case c == 0:
		return "", s.misplaced("[0", end)
	case c != ',':
		return "", s.misplaced("[0", s.line)
	default:
		if err := s.take([]byte{c}); err != nil {
			return "", err
		}
		s.begin()
		c, err = s.peek(ctx)
	}
	if err != nil || c == 0 {
		return "", err
	}
	return s.element(ctx)
}

// endList consumes the bracket at the end of the list. Nothing may follow it.
func (s *textReader) endList(ctx context.Context) error {
	if err := s.take([]byte{']'}); err != nil {
		return err
	}
	switch c, err := s.peek(ctx); {
	case err != nil:
		return err
	case c != 0:
		return s.misplaced("[]", s.line)
	}
	return errEnd
}

// misplaced returns the syntax error for the next character after a prefix of a document.
func (s *textReader) misplaced(after string, line int) error {
	next, _ := s.r.Peek(utf8.UTFMax)
	_, err := engine.JSON(after + string(next))
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		return err
	}
	return &engine.Error{Code: e.Code, File: s.name, Path: "$", Line: line, Msg: e.Msg}
}

// element returns the text of what may be a value; it has at least one byte.
func (s *textReader) element(ctx context.Context) (string, error) {
	s.begin()
	var e extent
	for {
		window, err := s.window(ctx)
		switch {
		case err == io.EOF:
			return string(s.text), nil
		case err != nil:
			return "", s.failed(err)
		}
		n, ends := e.in(window)
		if ends && n == 0 && len(s.text) == 0 {
			n = 1
		}
		s.text = append(s.text, window[:n]...)
		if err := s.take(window[:n]); err != nil {
			return "", err
		}
		if ends {
			return string(s.text), nil
		}
	}
}

// extent finds the end of a JSON value without checking it.
type extent struct {
	depth           int
	quoted, escaped bool
}

// in returns how many bytes of the window belong to the value, and whether it ends there.
func (e *extent) in(window []byte) (n int, ends bool) {
	quote := -1 // index of the next quote, or len(window); outdated if it is less than i
	for i := 0; i < len(window); i++ {
		c := window[i]
		switch {
		case e.escaped:
			e.escaped = false
		case e.quoted:
			if quote < i {
				if quote = i + bytes.IndexByte(window[i:], '"'); quote < i {
					quote = len(window)
				}
			}
			if at := bytes.IndexByte(window[i:quote], '\\'); at >= 0 {
				i += at
				e.escaped = true
				continue
			}
			if i = quote; i == len(window) {
				return i, false
			}
			if e.quoted = false; e.depth == 0 {
				return i + 1, true
			}
		case c == '"':
			e.quoted = true
		case c == '{' || c == '[':
			e.depth++
		case c == '}' || c == ']':
			if e.depth--; e.depth <= 0 {
				return i + 1 + min(e.depth, 0), true
			}
		case e.depth == 0 && (c == ',' || c <= ' '):
			return i, true
		}
	}
	return len(window), false
}
