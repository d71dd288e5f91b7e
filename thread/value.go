package thread

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// value is one JSON value in the bytes of a file that were found to be valid.
type value struct {
	raw  string
	off  int    // of raw in the file
	path string // in its document
}

type field struct {
	name string
	value
}

func (v value) is(c byte) bool { return len(v.raw) > 0 && v.raw[0] == c }
func (v value) isNull() bool   { return v.is('n') }

// text returns the string a JSON string stands for.
func (v value) text() (string, bool) {
	if !v.is('"') {
		return "", false
	}
	return canonjson.Unquote(v.raw), true
}

// json returns the value for a node.
func (v value) json() engine.Value {
	e, _ := engine.JSON([]byte(v.raw)) // the document it is from was read before
	return e
}

// fields returns the members of an object in their order.
func (v value) fields() []field {
	var out []field
	if v.is('{') {
		v.walk(func(name string, _ int, w value) bool {
			w.path = v.path + pathStep(name)
			out = append(out, field{name, w})
			return true
		})
	}
	return out
}

// elements returns the elements of a list.
func (v value) elements() []value {
	var out []value
	if v.is('[') {
		v.walk(func(_ string, i int, w value) bool {
			w.path = v.path + "[" + strconv.Itoa(i) + "]"
			out = append(out, w)
			return true
		})
	}
	return out
}

// errStop ends a walk.
var errStop = errors.New("stop")

// walk calls each for the members or elements until it returns false.
func (v value) walk(each func(name string, i int, w value) bool) {
	s := canonjson.NewScanner(v.raw, canonjson.DefaultDepth)
	next := func(name string, i int) error {
		s.Peek()
		start := s.Offset()
		raw, err := s.Raw()
		if err != nil || !each(name, i, value{raw: raw, off: v.off + start}) {
			return errStop
		}
		return nil
	}
	i := -1
	if v.is('{') {
		_ = s.Object(func(name string, _ int) error { i++; return next(name, i) })
		return
	}
	_ = s.Array(func(i int) error { return next("", i) })
}

// get returns a member of an object.
func (v value) get(name string) (found value, ok bool) {
	if v.is('{') {
		v.walk(func(n string, _ int, w value) bool {
			if ok = n == name; ok {
				w.path = v.path + pathStep(name)
				found = w
			}
			return !ok
		})
	}
	return found, ok
}

func pathStep(name string) string { return string(canonjson.AppendStep(nil, name)) }

// lineAt returns the line of an offset. Calls with ascending offsets cost one pass over the file in
// total.
func (rd *reader) lineAt(off int) int {
	if off < rd.lineOff {
		rd.lineOff, rd.line = 0, 1
	}
	rd.line += bytes.Count(rd.data[rd.lineOff:off], []byte{'\n'})
	rd.lineOff = off
	return rd.line
}

// fail returns an error at a value.
func (rd *reader) fail(v value, code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, File: rd.name, Path: v.path, Line: rd.lineAt(v.off), Msg: fmt.Sprintf(format, args...)}
}

// document checks that bytes of the file are one JSON value.
func (rd *reader) document(raw []byte, off int) (value, error) {
	lead := len(raw) - len(bytes.TrimLeft(raw, " \t\r\n"))
	raw, off = bytes.TrimSpace(raw[lead:]), off+lead
	text := copyText(raw)
	s := canonjson.NewScanner(text, canonjson.DefaultDepth)
	err := s.Skip()
	if err == nil {
		err = s.End()
	}
	if err != nil {
		_, err = engine.JSON(raw) // the same error, with its line and path
		e, ok := errors.AsType[*engine.Error](err)
		if !ok {
			return value{}, err
		}
		at := *e
		at.File, at.Line = rd.name, max(e.Line, 1)+rd.lineAt(off)-1
		if at.Path == "" {
			at.Path = "$"
		}
		return value{}, &at
	}
	return value{raw: text, off: off, path: "$"}, nil
}

// copyText copies a large text in pieces: while one piece is copied, the program can neither collect garbage nor see an
// interrupt.
func copyText(raw []byte) string {
	var b strings.Builder
	b.Grow(len(raw))
	for piece := range slices.Chunk(raw, 1<<20) {
		b.Write(piece)
	}
	return b.String()
}
