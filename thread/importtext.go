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
	size  int64 // of the file, 0 if it is not known
	limit int64
	off   int64  // how much was read
	line  int    // of off
	begun int64  // offset of the log that is being read
	text  []byte // memory for the text that is being read

	at     int64 // where the last text begins
	atLine int
}

func newTextReader(ctx context.Context, name string, r io.Reader, limit int64) *textReader {
	s := &textReader{name: name, limit: limit, line: 1, r: bufio.NewReaderSize(contextReader{ctx, r}, 64<<10)}
	if sized, ok := r.(interface{ Len() int }); ok {
		s.size = int64(sized.Len())
	}
	return s
}

// contextReader checks the context before each read.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// pass counts bytes that were taken from the buffer. It fails when a log gets too large.
func (s *textReader) pass(piece []byte) error {
	s.off += int64(len(piece))
	s.line += bytes.Count(piece, []byte{'\n'})
	if s.off-s.begun > s.limit {
		return s.tooLarge()
	}
	return nil
}

// checkSize rejects a file whose reported size is too large, if all of it is one log.
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
func (s *textReader) skipBOM() error {
	const mark = "\uFEFF"
	head, err := s.r.Peek(len(mark))
	switch {
	case err != nil && err != io.EOF:
		return s.failed(err)
	case string(head) != mark:
		return nil
	}
	_, _ = s.r.Discard(len(mark)) // was peeked at
	return s.pass(head)
}

// peek skips white space and returns the next byte, 0 at the end of the file.
func (s *textReader) peek() (byte, error) {
	for {
		c, err := s.r.ReadByte()
		switch {
		case err == io.EOF:
			return 0, nil
		case err != nil:
			return 0, s.failed(err)
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return c, s.r.UnreadByte()
		}
		if err := s.pass([]byte{c}); err != nil {
			return 0, err
		}
	}
}

// whole returns what is left of the file, after a first line that was read.
func (s *textReader) whole(head string) (string, error) {
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
		window, err := s.r.Peek(1)
		if len(window) > 0 {
			window, _ = s.r.Peek(s.r.Buffered())
		}
		b.Write(window)
		if err := s.pass(window); err != nil {
			return "", err
		}
		_, _ = s.r.Discard(len(window)) // was peeked at
		switch {
		case err == io.EOF:
			return b.String(), nil
		case err != nil:
			return "", s.failed(err)
		}
	}
}

// nextLine returns the next line with its end, and [io.EOF] after the last one.
func (s *textReader) nextLine() (string, error) {
	s.begin()
	for {
		piece, err := s.r.ReadSlice('\n')
		if err := s.pass(piece); err != nil {
			return "", err
		}
		switch {
		case err == nil && len(s.text) == 0:
			return string(piece), nil
		case err == bufio.ErrBufferFull:
			s.text = append(s.text, piece...)
			continue
		case err != nil && (err != io.EOF || len(s.text)+len(piece) == 0):
			return "", s.failed(err)
		}
		s.text = append(s.text, piece...)
		return string(s.text), nil
	}
}

// begin records where a text begins.
func (s *textReader) begin() {
	s.at, s.atLine = s.off, s.line
	if cap(s.text) > 1<<20 { // of a text of unusual length
		s.text = nil
	}
	s.text = s.text[:0]
}

// errEnd is returned after the last element of a list.
var errEnd = errors.New("the list ends")

// nextElement returns the text of the next element of the list in the file, and errEnd after the
// last one. The text ends where the value would end if it were valid, which is not checked.
func (s *textReader) nextElement(first bool) (string, error) {
	end := s.line // of the element before
	c, err := s.peek()
	if err != nil {
		return "", err
	}
	switch {
	case first:
		s.begin()
		if err := s.take(); err != nil { // the bracket
			return "", err
		}
		if c, err = s.peek(); err != nil || c != ']' {
			break
		}
		return "", s.endList()
	case c == ']':
		return "", s.endList()
	case c == 0:
		return "", s.misplaced("[0", end)
	case c != ',':
		return "", s.misplaced("[0", s.line)
	default:
		if err := s.take(); err != nil {
			return "", err
		}
		s.begin()
		c, err = s.peek()
	}
	if err != nil || c == 0 {
		return "", err
	}
	return s.element()
}

// take consumes a byte that was peeked at.
func (s *textReader) take() error {
	c, _ := s.r.ReadByte()
	return s.pass([]byte{c})
}

// endList consumes the bracket at the end of the list, after which nothing may follow.
func (s *textReader) endList() error {
	if err := s.take(); err != nil {
		return err
	}
	switch c, err := s.peek(); {
	case err != nil:
		return err
	case c != 0:
		return s.misplaced("[]", s.line)
	}
	return errEnd
}

// misplaced returns the error for the next byte after a text, on a line.
func (s *textReader) misplaced(after string, line int) error {
	next, _ := s.r.Peek(utf8.UTFMax)
	_, err := engine.JSON(after + string(next))
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		return err
	}
	return &engine.Error{Code: e.Code, File: s.name, Path: "$", Line: line, Msg: e.Msg}
}

// element returns what may be the text of a value, at least the byte that is next.
func (s *textReader) element() (string, error) {
	s.begin()
	var e extent
	for {
		window, err := s.r.Peek(1)
		if len(window) > 0 {
			window, _ = s.r.Peek(s.r.Buffered())
		}
		n, ends := e.in(window)
		if ends && n == 0 && len(s.text) == 0 {
			n = 1
		}
		s.text = append(s.text, window[:n]...)
		if err := s.pass(window[:n]); err != nil {
			return "", err
		}
		_, _ = s.r.Discard(n) // was peeked at
		switch {
		case ends, err == io.EOF:
			return string(s.text), nil
		case err != nil:
			return "", s.failed(err)
		}
	}
}

// extent finds the end of a JSON value without checking it.
type extent struct {
	depth           int
	quoted, escaped bool
}

// in returns how many of the next bytes belong to the value, and whether it ends there.
func (e *extent) in(window []byte) (n int, ends bool) {
	quote := -1 // where the next one is, or the end, if it is not before i
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
