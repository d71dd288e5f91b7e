// Package members reads JSON objects whose members are known: those of files and lines that pactkit
// itself defines. It rejects what encoding/json accepts, such as duplicate members, names in
// another case, or text after the object.
package members

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/names"
)

// Value reads one value.
type Value func(*canonjson.Scanner) error

// Object is the members that an object may have, by name, each with what reads its value. All of
// them may be missing or null.
type Object map[string]Value

// Error is about a value that is valid JSON, but not the expected one.
type Error struct {
	Path string // JSON path of the value, such as $.findings[2].rule
	Line int    // from 1
	Msg  string // one sentence
}

// Error returns the path and the message.
func (e *Error) Error() string { return e.Path + ": " + e.Msg }

// shape is an Error before its path and line are known.
type shape struct {
	offset int
	msg    string
}

func (e *shape) Error() string { return e.msg }

// Read reads a text that is one object. An error is an [*Error], or a [*canonjson.Error] when the
// text is not JSON.
func Read(src string, o Object) error {
	s := canonjson.NewScanner(src, canonjson.DefaultDepth)
	err := o.Value()(s)
	if err == nil {
		err = s.End()
	}
	if e, ok := errors.AsType[*shape](err); ok {
		return &Error{Path: canonjson.Path(src, e.offset), Line: 1 + strings.Count(src[:e.offset], "\n"), Msg: e.msg}
	}
	return err
}

// Value returns what reads an object with these members.
func (o Object) Value() Value {
	return typed("an object", '{', func(s *canonjson.Scanner) error {
		return s.Object(func(name string, at int) error {
			read, ok := o[name]
			switch {
			case !ok:
				return &shape{at, "there is no such member; " + Suggest(name, slices.Sorted(maps.Keys(o)))}
			case s.Peek() == 'n':
				return s.Skip()
			}
			return read(s)
		})
	})
}

// Suggest says which known name was probably meant by an unknown one, or lists the known names.
func Suggest(name string, known []string) string {
	if near := names.Nearest(name, slices.Values(known)); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "there are " + strings.Join(known, ", ")
}

// List returns what reads an array, of which item reads each value.
func List(item Value) Value {
	return typed("a list", '[', func(s *canonjson.Scanner) error { return s.Array(func(int) error { return item(s) }) })
}

// String returns what reads a string into dst.
func String[T ~string](dst *T) Value {
	return typed("a string", '"', func(s *canonjson.Scanner) error {
		text, err := s.Text()
		*dst = T(text)
		return err
	})
}

// Strings returns what reads a list of strings into dst.
func Strings(dst *[]string) Value {
	var one string
	read := String(&one)
	return List(func(s *canonjson.Scanner) error {
		err := read(s)
		*dst = append(*dst, one)
		return err
	})
}

// Bool returns what reads true or false into dst.
func Bool(dst *bool) Value {
	return func(s *canonjson.Scanner) error {
		switch s.Peek() {
		case 't', 'f':
			text, err := s.Raw()
			*dst = text == "true"
			return err
		}
		return wrong(s, "true or false")
	}
}

// Count returns what reads a whole number that is not negative into dst.
func Count(dst *int) Value {
	what := fmt.Sprintf("a whole number from 0 to %d", math.MaxInt32)
	return func(s *canonjson.Scanner) error {
		c := s.Peek()
		if c != '-' && (c < '0' || c > '9') {
			return wrong(s, what)
		}
		at := s.Offset()
		text, err := s.Raw()
		if err != nil {
			return err
		}
		n, ok := canonjson.Int(text)
		if !ok || n < 0 || n > math.MaxInt32 {
			return &shape{at, fmt.Sprintf("this is %s; write %s", text, what)}
		}
		*dst = int(n)
		return nil
	}
}

// typed returns what reads a value that begins with a byte.
func typed(what string, begin byte, read Value) Value {
	return func(s *canonjson.Scanner) error {
		if s.Peek() != begin {
			return wrong(s, what)
		}
		return read(s)
	}
}

// wrong reports a value of another type, or why the text is not JSON.
func wrong(s *canonjson.Scanner, what string) error {
	c := s.Peek()
	at := s.Offset()
	if err := s.Skip(); err != nil {
		return err
	}
	is := "a number"
	switch c {
	case '{':
		is = "an object"
	case '[':
		is = "a list"
	case '"':
		is = "a string"
	case 't', 'f', 'n':
		is = map[byte]string{'t': "true", 'f': "false", 'n': "null"}[c]
	}
	return &shape{at, fmt.Sprintf("this is %s; write %s", is, what)}
}
