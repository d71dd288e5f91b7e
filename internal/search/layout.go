package search

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// layout is the layout of a log that has tapes.
type layout uint8

const (
	layoutNone  layout = iota
	layoutLines        // a record on each line
	layoutWhole        // one log, or a list of records
)

// layoutOf returns the layout of a file, as package thread would read it.
func (t *task) layoutOf(f atomicfile.File) layout {
	if strings.Contains(t.Sessions.Messages, ".") || t.Sessions.Edition == engine.Edition01 {
		return layoutNone
	}
	head := make([]byte, 64<<10)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return layoutNone
	}
	head = bytes.TrimLeft(head[:n], " \t\r\n")
	form := strings.ToLower(path.Ext(t.file.Path))
	switch {
	case len(head) == 0:
		return layoutNone
	case form == ".jsonl", form == ".ndjson":
		if head[0] == '{' && t.isRecord(f) {
			return layoutLines
		}
		return layoutNone
	case head[0] == '[':
		return layoutWhole
	case head[0] == '{' && form == ".json":
		return layoutWhole
	}
	return layoutNone
}

// isRecord reports whether the first line is a log, and not a message of one.
func (t *task) isRecord(f atomicfile.File) bool {
	if t.Sessions.Messages != "" {
		return true
	}
	line, err := newLines(io.NewSectionReader(f, 0, 1<<62), t.limit()).first()
	if err != nil {
		return err == errLong // which is reported when it is read
	}
	s := canonjson.NewScanner(line, canonjson.DefaultDepth)
	has := map[string]bool{}
	if s.Peek() != '{' || s.Object(func(name string, _ int) error { has[name] = true; return s.Skip() }) != nil {
		return false
	}
	return has["messages"] && !has["role"]
}

func (r *run) limit() int64 {
	if r.Sessions.MaxBytes > 0 {
		return r.Sessions.MaxBytes
	}
	return 256 << 20
}
