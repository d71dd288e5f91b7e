package source

import (
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/series"
)

// keep keeps a part of the file with the next request, unless the reader is a quiet one.
func (rd *reader) keep(k series.Kept) {
	if rd.each != nil {
		rd.kept = append(rd.kept, k)
	}
}

// keepValue keeps a value that was never sent.
func (rd *reader) keepValue(kind string, v value) {
	rd.keep(series.Kept{Kind: kind, Value: v.canonical(), File: rd.fileOf(v), Line: v.line()})
}

// keepLine keeps a line that is not JSON. Invalid UTF-8 is replaced, because histories are UTF-8.
func (rd *reader) keepLine(line string, number int) {
	text := strings.ToValidUTF8(strings.TrimRight(line, "\r"), "\uFFFD")
	rd.keep(series.Kept{Kind: "malformed", Value: string(canonjson.AppendString(nil, text)), Raw: true, File: rd.name, Line: number})
}
