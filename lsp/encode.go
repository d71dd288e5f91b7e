package lsp

import (
	"encoding/json"
	"slices"
	"strconv"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// appender is a part of a message that encodes itself. Findings do: there may be thousands after every keystroke.
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

// appendText appends a string.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			data, _ := json.Marshal(s) // a string always has a form
			return append(b, data...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
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

// usualFinding is how many bytes a finding mostly takes.
const usualFinding = 384

// findings are diagnostics that are sent.
type findings []diagnostic

func (list findings) appendJSON(b []byte) ([]byte, error) {
	b = append(slices.Grow(b, len(list)*usualFinding), '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = list[i].appendJSON(b); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// appendJSON appends what json.Marshal makes of a diagnostic.
func (x *diagnostic) appendJSON(b []byte) ([]byte, error) {
	b = append(b, `{"range":`...)
	b = appendRange(b, x.Range)
	b = append(b, `,"severity":`...)
	b = strconv.AppendInt(b, int64(x.Severity), 10)
	b = append(b, `,"code":`...)
	b = appendText(b, x.Code)
	if x.Description != nil {
		b = append(b, `,"codeDescription":{"href":`...)
		b = appendText(b, x.Description.Href)
		b = append(b, '}')
	}
	b = append(b, `,"source":`...)
	b = appendText(b, x.Source)
	b = append(b, `,"message":`...)
	b = appendText(b, x.Message)
	for _, rest := range []struct {
		name  string
		value any
		given bool
	}{{`,"tags":`, x.Tags, len(x.Tags) > 0}, {`,"relatedInformation":`, x.Related, len(x.Related) > 0}, {`,"data":`, x.Data, x.Data != nil}} {
		if rest.given {
			data, err := json.Marshal(rest.value)
			if err != nil {
				return b, err
			}
			b = append(append(b, rest.name...), data...)
		}
	}
	return append(b, '}'), nil
}

// published are the parameters of textDocument/publishDiagnostics.
type published struct {
	uri     string
	version *int32 // nil when the client does not take it
	found   findings
}

func (p published) appendJSON(b []byte) ([]byte, error) {
	b = append(b, `{"uri":`...)
	b = appendText(b, p.uri)
	if p.version != nil {
		b = append(b, `,"version":`...)
		b = strconv.AppendInt(b, int64(*p.version), 10)
	}
	b = append(b, `,"diagnostics":`...)
	b, err := p.found.appendJSON(b)
	return append(b, '}'), err
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
	b = appendText(b, r.id)
	b = append(b, `,"items":`...)
	b, err := r.found.appendJSON(b)
	return append(b, '}'), err
}

// MarshalJSON is for streams of other packages.
func (r fullReport) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }
