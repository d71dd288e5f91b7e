package source

import (
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// keep keeps a part of the file for the history, unless the reader only recognizes the file.
func (rd *reader) keep(k series.Kept) {
	if rd.each != nil {
		rd.kept = append(rd.kept, k)
	}
}

// keepValue keeps a value that no call was sent.
func (rd *reader) keepValue(kind string, v value) {
	rd.keep(series.Kept{Kind: kind, Value: v.canonical(), File: rd.fileOf(v), Line: v.line()})
}

// keepUnsent keeps a message of a file that no call was sent, and reports it.
func (rd *reader) keepUnsent(file string, m *series.Message) {
	rd.keep(series.Kept{Kind: "unsent", Value: m.Value, File: file, Line: m.Line})
	if rd.opts.Note != nil {
		rd.opts.Note(thread.Note{Kind: thread.Kept, File: file, Line: m.Line, Path: m.Path, Msg: "a message that no call was sent; it is kept beside the conversation"})
	}
}

// keepLine keeps a line that is not JSON. Bytes that are not UTF-8 are replaced, because a history is UTF-8.
func (rd *reader) keepLine(line string, number int) {
	text := strings.ToValidUTF8(strings.TrimRight(line, "\r"), "\uFFFD")
	rd.keep(series.Kept{Kind: "malformed", Value: string(canonjson.AppendString(nil, text)), Raw: true, File: rd.name, Line: number})
}
