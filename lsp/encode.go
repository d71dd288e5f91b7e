package lsp

import (
	"encoding/json"
	"strconv"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// appender is a part of a message that encodes itself. Diagnostics do so because there may be
// thousands after every keystroke. BenchmarkEncode encodes 2,000 of them in 0.7 ms and without
// garbage; encoding/json takes 4 ms and 1.6 MB, which for the largest file of the benchmarks would
// be a third of the time in which its diagnostics must arrive. Everything else, and a diagnostic in
// another message, has only json tags. TestEncode compares both encodings of every member.
type appender interface {
	appendJSON(b []byte) ([]byte, error)
}

// appendJSON appends a value.
func appendJSON(b []byte, v any) ([]byte, error) {
	if a, ok := v.(appender); ok {
		return a.appendJSON(b)
	}
	data, err := json.Marshal(v)
	return append(b, data...), err
}

func appendRange(b []byte, r protocol.Range) []byte {
	at := func(p protocol.Position) {
		b = append(b, `{"line":`...)
		b = strconv.AppendUint(b, uint64(p.Line), 10)
		b = append(b, `,"character":`...)
		b = strconv.AppendUint(b, uint64(p.Character), 10)
		b = append(b, '}')
	}
	b = append(b, `{"start":`...)
	at(r.Start)
	b = append(b, `,"end":`...)
	at(r.End)
	return append(b, '}')
}

// findings yields the diagnostics of a file, each valid until the next. They are made one at a time
// while they are encoded, because a file may have thousands.
type findings func(yield func(*diagnostic) bool)

// noFindings is the sequence for a file without findings.
func noFindings(func(*diagnostic) bool) {}

// list returns the diagnostics as a slice, which is never nil.
func (f findings) list() []diagnostic {
	out := []diagnostic{}
	for x := range f {
		out = append(out, *x)
	}
	return out
}

func (f findings) appendJSON(b []byte) []byte {
	b = append(b, '[')
	first := len(b)
	for x := range f {
		if len(b) > first {
			b = append(b, ',')
		}
		b = x.appendJSON(b)
	}
	return append(b, ']')
}

// appendJSON appends a diagnostic in the form that json.Marshal gives it.
func (x *diagnostic) appendJSON(b []byte) []byte {
	b = append(b, `{"range":`...)
	b = appendRange(b, x.Range)
	b = append(b, `,"severity":`...)
	b = strconv.AppendInt(b, int64(x.Severity), 10)
	b = append(b, `,"code":`...)
	b = canonjson.AppendString(b, x.Code)
	if x.Description != nil {
		b = append(b, `,"codeDescription":{"href":`...)
		b = canonjson.AppendString(b, x.Description.Href)
		b = append(b, '}')
	}
	b = append(b, `,"source":`...)
	b = canonjson.AppendString(b, x.Source)
	b = append(b, `,"message":`...)
	b = canonjson.AppendString(b, x.Message)
	for i, tag := range x.Tags {
		b = append(b, element(i, `,"tags":[`)...)
		b = strconv.AppendInt(b, int64(tag), 10)
	}
	b = endList(b, len(x.Tags))
	for i, r := range x.Related {
		b = append(b, element(i, `,"relatedInformation":[`)...)
		b = append(b, `{"location":{"uri":`...)
		b = canonjson.AppendString(b, r.Location.URI)
		b = append(b, `,"range":`...)
		b = appendRange(b, r.Location.Range)
		b = append(b, `},"message":`...)
		b = canonjson.AppendString(b, r.Message)
		b = append(b, '}')
	}
	b = endList(b, len(x.Related))
	if x.Data != nil {
		b = append(b, `,"data":{"version":`...)
		b = strconv.AppendInt(b, int64(x.Data.Version), 10)
		b = append(b, `,"start":`...)
		b = strconv.AppendInt(b, int64(x.Data.Start), 10)
		b = append(b, `,"rule":`...)
		b = canonjson.AppendString(b, x.Data.Rule)
		b = append(b, '}')
	}
	return append(b, '}')
}

// element returns what precedes element i of a list: the member that begins the list, or a comma.
func element(i int, member string) string {
	if i == 0 {
		return member
	}
	return ","
}

// endList ends a list of n elements; an empty list is omitted.
func endList(b []byte, n int) []byte {
	if n == 0 {
		return b
	}
	return append(b, ']')
}

// published are the parameters of textDocument/publishDiagnostics.
type published struct {
	uri     string
	version *int32 // nil if the client does not support it
	found   findings
}

func (p published) appendJSON(b []byte) ([]byte, error) {
	b = append(b, `{"uri":`...)
	b = canonjson.AppendString(b, p.uri)
	if p.version != nil {
		b = append(b, `,"version":`...)
		b = strconv.AppendInt(b, int64(*p.version), 10)
	}
	b = append(b, `,"diagnostics":`...)
	return append(p.found.appendJSON(b), '}'), nil
}

// MarshalJSON is for streams of other packages.
func (p published) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

// fullReport is the answer to textDocument/diagnostic with findings.
type fullReport struct {
	id    string
	found findings
}

func (r fullReport) appendJSON(b []byte) ([]byte, error) {
	b = append(b, `{"kind":"full","resultId":`...)
	b = canonjson.AppendString(b, r.id)
	b = append(b, `,"items":`...)
	return append(r.found.appendJSON(b), '}'), nil
}

// MarshalJSON is for streams of other packages.
func (r fullReport) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }
