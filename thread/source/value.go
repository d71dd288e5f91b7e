package source

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
)

// document is a valid JSON text.
type document struct {
	file string // name of the file or the member of an archive
	text string
	line int // of its first byte, from 1

	ends  []int // offsets of the newlines; computed on demand
	notes int   // paths that were computed

	// seen caches the members of objects and the first elements of lists, while the kind of the
	// file is recognized. Otherwise it is nil.
	seen map[extent][]namedValue
}

// elementsKept is the number of elements of a list in document.seen.
const elementsKept = 32

// extent is where a value is in a document.
type extent struct{ off, size int }

type namedValue struct {
	name string
	value
}

func (d *document) root() value { return value{raw: d.text, doc: d} }

// lineAt returns the line of an offset.
func (d *document) lineAt(off int) int {
	if d.ends == nil {
		d.ends = []int{}
		for i := strings.IndexByte(d.text, '\n'); i >= 0; {
			d.ends = append(d.ends, i)
			next := strings.IndexByte(d.text[i+1:], '\n')
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
	return d.line + sort.SearchInts(d.ends, off)
}

// value is one JSON value in a document. The zero value is a missing value.
type value struct {
	raw string
	off int
	doc *document
}

// parse parses a text of the file, which must be one JSON value.
func (rd *reader) parse(text string, line int) (*document, *engine.Error) {
	return parse(rd.name, text, line)
}

func parse(file, text string, line int) (*document, *engine.Error) {
	s := canonjson.Borrow(text)
	defer s.Return()
	s.Peek()
	start := s.Offset()
	raw, err := s.Raw()
	if err == nil {
		err = s.End()
	}
	if err == nil {
		return &document{file: file, text: raw, line: line + strings.Count(text[:start], "\n")}, nil
	}
	bad := &engine.Error{Code: engine.ErrFileSyntax, File: file, Line: line, Path: "$", Msg: err.Error()}
	if e, ok := errors.AsType[*canonjson.Error](err); ok {
		switch e.Kind {
		case canonjson.Encoding:
			bad.Code = engine.ErrFileEncoding
		case canonjson.Depth:
			bad.Code = engine.ErrTreeDepth
		case canonjson.Memory:
			bad.Code = engine.ErrMemory
		}
		bad.Msg, bad.Path = e.Msg, canonjson.Path(text, e.Offset)
		bad.Line += strings.Count(text[:min(e.Offset, len(text))], "\n")
	}
	return nil, bad
}

func (v value) is(c byte) bool { return len(v.raw) > 0 && v.raw[0] == c }
func (v value) missing() bool  { return v.raw == "" || v.raw[0] == 'n' }

// text returns the decoded string if the value is a string, otherwise "".
func (v value) text() string {
	if !v.is('"') {
		return ""
	}
	return canonjson.Unquote(v.raw)
}

// canonical returns the canonical JSON in new memory, or "" for a missing value.
func (v value) canonical() string {
	if v.raw == "" {
		return ""
	}
	text, _ := canonjson.CanonicalCopy(v.raw) // the document is valid
	return text
}

// integer returns the value as an integer.
func (v value) integer() (int, bool) {
	n, ok := canonjson.Int(v.raw)
	return int(n), ok
}

// errStop stops reading early.
var errStop = errors.New("stop")

// members yields the members of an object in order; other values have none.
func (v value) members() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) { v.yieldMembers(yield) }
}

// yieldMembers is apart from members, which the compiler copies to where it is called.
func (v value) yieldMembers(yield func(string, value) bool) {
	if !v.is('{') {
		return
	}
	if list, ok := v.seen(); ok {
		for _, m := range list {
			if !yield(m.name, m.value) {
				return
			}
		}
		return
	}
	s := canonjson.Borrow(v.raw)
	defer s.Return()
	_ = s.Object(func(name string, _ int) error {
		w, err := v.next(s)
		if err != nil || !yield(name, w) {
			return errStop
		}
		return nil
	})
}

// seen returns the members of an object or the first elements of a list, if the document caches
// them.
func (v value) seen() ([]namedValue, bool) {
	d, at := v.doc, extent{v.off, len(v.raw)}
	if d == nil || d.seen == nil || at.off < 0 || at.off+at.size > len(d.text) || d.text[at.off:at.off+at.size] != v.raw {
		return nil, false
	}
	list, ok := d.seen[at]
	if ok {
		return list, true
	}
	s := canonjson.Borrow(v.raw)
	defer s.Return()
	keep := func(name string) error {
		w, err := v.next(s)
		list = append(list, namedValue{name, w})
		return err
	}
	if v.is('{') {
		_ = s.Object(func(name string, _ int) error { return keep(name) })
	} else {
		_ = s.Array(func(i int) error {
			if i == elementsKept {
				return errStop
			}
			return keep("")
		})
	}
	d.seen[at] = list
	return list, true
}

// elements yields the elements of a list in order; other values have none.
func (v value) elements() iter.Seq2[int, value] {
	return func(yield func(int, value) bool) { v.yieldElements(yield) }
}

func (v value) yieldElements(yield func(int, value) bool) {
	if !v.is('[') {
		return
	}
	list, _ := v.seen()
	for i, m := range list {
		if !yield(i, m.value) {
			return
		}
	}
	if n := len(list); 0 < n && n < elementsKept {
		return
	}
	s := canonjson.Borrow(v.raw)
	defer s.Return()
	_ = s.Array(func(i int) error {
		w, err := v.next(s)
		if err != nil || i >= len(list) && !yield(i, w) {
			return errStop
		}
		return nil
	})
}

func (v value) next(s *canonjson.Scanner) (value, error) {
	s.Peek()
	start := s.Offset()
	raw, err := s.Raw()
	return value{raw, v.off + start, v.doc}, err
}

// get returns the value at a path of member names, or a missing value.
func (v value) get(names ...string) value {
	for _, name := range names {
		found := value{}
		for n, w := range v.members() {
			if n == name {
				found = w
				break
			}
		}
		v = found
	}
	return v
}

// pick returns the members with these names, in one pass. A member that does not exist is a missing
// value.
func (v value) pick(names ...string) []value {
	out := make([]value, len(names))
	v.pickTo(out, names...)
	return out
}

// pickTo is like pick, for records of which there are so many that the memory of their members
// counts: they are in a list of the caller.
func (v value) pickTo(out []value, names ...string) {
	for n, w := range v.members() {
		if i := slices.Index(names, n); i >= 0 {
			out[i] = w
		}
	}
}

// first returns the first of the members with these names that exists and is not null.
func (v value) first(names ...string) value {
	for _, name := range names {
		if w := v.get(name); !w.missing() {
			return w
		}
	}
	return value{}
}

// firstOf returns the first value that exists and is not null.
func firstOf(values ...value) value {
	for _, v := range values {
		if !v.missing() {
			return v
		}
	}
	return value{}
}

// line returns the line of a value in its file, or 0 if it is missing.
func (v value) line() int {
	if v.doc == nil {
		return 0
	}
	return v.doc.lineAt(v.off)
}

// maxPaths limits how many notes of one document have a path, because finding a path costs a pass
// over the document.
const maxPaths = 200

// path returns the JSON path of a value in its document, or "" after maxPaths calls.
func (v value) path() string {
	if v.doc == nil {
		return ""
	}
	if v.doc.notes++; v.doc.notes > maxPaths {
		return ""
	}
	return canonjson.Path(v.doc.text, v.off)
}

// instant parses a time: RFC 3339, or seconds, milliseconds or nanoseconds since 1970. RFC 3339 may
// lack the zone, which is then UTC, and have a space instead of the T. For anything else it returns
// the zero time.
func (v value) instant() time.Time {
	text := strings.TrimSpace(v.text())
	switch {
	case text != "":
		for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime} {
			if t, err := time.Parse(layout, text); err == nil {
				return t.UTC()
			}
		}
	case v.missing() || v.is('"'): // most records of some sources have no time
		return time.Time{}
	default:
		text = v.raw
	}
	if text == "" || text[0] < '0' || text[0] > '9' { // most others are objects and lists
		return time.Time{}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f <= 0 {
		return time.Time{}
	}
	switch {
	case f < 1e11:
		return time.UnixMicro(int64(f * 1e6)).UTC()
	case f < 1e14:
		return time.UnixMicro(int64(f * 1e3)).UTC()
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(0, n).UTC()
	}
	return time.Time{}
}

// fail returns an error at a value.
func (rd *reader) fail(v value, code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, File: rd.fileOf(v), Line: v.line(), Path: v.path(), Msg: fmt.Sprintf(format, args...)}
}

func (rd *reader) fileOf(v value) string {
	if v.doc == nil {
		return rd.name
	}
	return v.doc.file
}

// note reports a note at a value.
func (rd *reader) note(kind thread.NoteKind, code engine.Code, v value, format string, args ...any) {
	if rd.opts.Note != nil {
		rd.opts.Note(thread.Note{Kind: kind, Code: code, File: rd.fileOf(v), Line: v.line(), Path: v.path(), Msg: fmt.Sprintf(format, args...)})
	}
}

// malformed keeps a value of an unexpected form, and reports it.
func (rd *reader) malformed(v value, format string, args ...any) {
	rd.keepValue("malformed", v)
	rd.note(thread.Malformed, engine.ErrFileShape, v, format, args...)
}

// noteOnce is like note, but reports each message only once.
func (rd *reader) noteOnce(kind thread.NoteKind, code engine.Code, v value, msg string) {
	if rd.noted == nil {
		rd.noted = map[string]bool{}
	}
	if !rd.noted[msg] {
		rd.noted[msg] = true
		rd.note(kind, code, v, "%s", msg)
	}
}

// noteError reports a part of the file that cannot be read; what says how it was handled.
func (rd *reader) noteError(e *engine.Error, what string) {
	if rd.opts.Note != nil {
		rd.opts.Note(thread.Note{Kind: thread.Malformed, Code: e.Code, File: e.File, Line: e.Line, Path: e.Path, Msg: what + ": " + e.Msg})
	}
}
