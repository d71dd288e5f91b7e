package search

import (
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/store"
)

// Address returns the argument that selects the session: PATH, or PATH#NAME.
func (o *Outcome) Address() string {
	if o.Name == "" {
		return o.Path
	}
	return store.JoinAddress(o.Path, o.Name)
}

// Preview returns the beginning of the content on one line: the text of a string, anything else as
// JSON. It has up to twice as many characters as width, for a caller that cuts it.
func (m *Match) Preview(width int) string {
	most := 8 * width // of bytes in JSON, of which a character takes a few
	s := m.Content
	isText := strings.HasPrefix(s, `"`)
	if cut := len(s) > most; cut {
		if s = s[:most]; isText {
			s = whole(s) + `…"`
		} else {
			s += "…"
		}
	}
	if isText {
		s = canonjson.Unquote(s)
	}
	fields := strings.Fields(s)
	return strings.Join(fields, " ")
}

// whole shortens the beginning of a canonical string so it does not end within an escape or a
// surrogate pair.
func whole(s string) string {
	for range 2 {
		at := strings.LastIndexByte(s, '\\')
		if at < 0 || at < len(s)-6 {
			return s
		}
		s = s[:at]
	}
	return s
}

// AppendJSON appends the match as an object of docs/schemas/grep.json, without a newline.
func (m *Match) AppendJSON(dst []byte, o *Outcome) []byte {
	text := func(name, value string) {
		if value != "" {
			dst = append(canonjson.AppendString(append(dst, ','), name), ':')
			dst = canonjson.AppendString(dst, value)
		}
	}
	number := func(name string, n int64) {
		dst = append(canonjson.AppendString(append(dst, ','), name), ':')
		dst = strconv.AppendInt(dst, n, 10)
	}
	start := len(dst)
	text("file", o.Path)
	text("session", o.Name)
	number("cycle", m.Cycle)
	if m.First > 0 {
		number("first", m.First)
		number("last", m.Last)
	}
	text("change", m.Change)
	text("id", m.ID)
	text("type", m.Type)
	text("role", m.Role)
	text("kind", m.Kind)
	if m.Content != "" {
		dst = append(append(dst, `,"content":`...), m.Content...)
	}
	dst[start] = '{'
	return append(dst, '}')
}
