package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// scanner reads a JSON text of a file. Its errors have a location in the file.
type scanner struct {
	*canonjson.Scanner
	file   string
	src    string
	path   string // path of the text in its file; "$" unless the file has several texts
	line0  int    // lines before src in the file
	option string // added to errors of depth: names the option that raises the limit, if there is one
	lines  []int  // the line of each block of src; made on demand
}

func newScanner(file, src string, maxDepth int) *scanner {
	return &scanner{Scanner: canonjson.NewScanner(src, maxDepth), file: file, src: src, path: "$"}
}

// setSource makes the scanner read text from its beginning.
func (s *scanner) setSource(text string) {
	s.SetSource(text)
	s.src, s.lines = text, nil
}

// errorAt returns an error with the location of src[at]. It reads src up to there.
func (s *scanner) errorAt(at int, code Code, format string, args ...any) *Error {
	path := s.path + strings.TrimPrefix(canonjson.Path(s.src, at), "$")
	return s.errorOn(at, path, code, format, args...)
}

// errorOn returns an error with the line of src[at] and a JSON path.
func (s *scanner) errorOn(at int, path string, code Code, format string, args ...any) *Error {
	return &Error{Code: code, File: s.file, Path: path, Line: s.line(at), Msg: fmt.Sprintf(format, args...)}
}

// located turns an error of package canonjson into one with its location in the file. It returns
// any other error as it is.
func (s *scanner) located(err error) error {
	e, ok := errors.AsType[*canonjson.Error](err)
	switch {
	case !ok:
		return err
	case e.Kind == canonjson.Depth:
		return s.errorAt(e.Offset, ErrTreeDepth, "%s%s", e.Msg, s.option)
	case e.Kind == canonjson.Memory:
		return s.errorAt(e.Offset, ErrMemory, "%s", e.Msg)
	case e.Kind == canonjson.Encoding:
		return s.errorAt(e.Offset, ErrFileEncoding, "%s", e.Msg)
	}
	return s.errorAt(e.Offset, ErrFileSyntax, "%s", e.Msg)
}

// start returns the offset of the next value.
func (s *scanner) start() int {
	s.Peek()
	return s.Offset()
}

// wrongValue returns an error about the next value. If the value has a syntax error, it returns
// that instead.
func (s *scanner) wrongValue(code Code, msg string) error {
	start := s.start()
	if err := s.Skip(); err != nil {
		return err
	}
	return s.errorAt(start, code, "%s", msg)
}

// shape returns an error of code [ErrFileShape] about the next value.
func (s *scanner) shape(msg string) error { return s.wrongValue(ErrFileShape, msg) }

// whole reads a value and calls set with its canonical text. If set is nil or returns false, whole
// returns an error of code [ErrFileShape].
func (s *scanner) whole(set func(v string) bool, format string, args ...any) error {
	start := s.start()
	v, err := s.Canonical()
	if err == nil && (set == nil || !set(v)) {
		err = s.errorAt(start, ErrFileShape, format, args...)
	}
	return err
}

// into returns a function for [scanner.whole] that stores what read returns for a value.
func into[T any](to *T, read func(v string) (T, bool)) func(v string) bool {
	return func(v string) (ok bool) {
		*to, ok = read(v)
		return ok
	}
}

// field reads the value of a member of an object. The error for a wrong member calls the object
// what.
func (s *scanner) field(name, what string, fields map[string]func(v string) bool) error {
	return s.whole(fields[name], "%q is not a member of %s, or has the wrong type", name, what)
}

// object reads an object. The error for any other value calls it what.
func (s *scanner) object(what string, member func(name string, at int) error) error {
	if s.Peek() != '{' {
		return s.shape(what + " must be an object")
	}
	return s.Object(member)
}

// array reads an array. The error for any other value calls it what.
func (s *scanner) array(what string, element func(i int) error) error {
	if s.Peek() != '[' {
		return s.shape(what + " must be a list")
	}
	return s.Array(element)
}

// string reads a string. what is the message of the error for any other value.
func (s *scanner) string(what string) (string, error) {
	if s.Peek() != '"' {
		return "", s.shape(what)
	}
	return s.Text()
}

// words reads a list of strings, which is the value of the member with a name.
func (s *scanner) words(name string, to *[]string) error {
	return s.array(name, func(int) error {
		w, err := s.string(name + " must be a list of strings")
		*to = append(*to, w)
		return err
	})
}

// line returns the line of src[at]. It counts the newlines of each block only once, because there
// may be a thousand warnings about a large text.
func (s *scanner) line(at int) int {
	const block = 1 << 16
	at = min(at, len(s.src))
	if s.lines == nil {
		n := s.line0 + 1
		for i := 0; i <= len(s.src); i += block {
			s.lines = append(s.lines, n)
			n += strings.Count(s.src[i:min(i+block, len(s.src))], "\n")
		}
	}
	return s.lines[at/block] + strings.Count(s.src[at/block*block:at], "\n")
}
