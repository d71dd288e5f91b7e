package otlp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxNesting limits the depth of nested values.
const maxNesting = 200

// signal is a kind of telemetry, which has its own path.
type signal struct {
	rejected string // name of the member of a partial success that counts rejected elements
	of       *schema
	// each calls valid with the names of the ids of each element of a message, and removes the
	// elements for which it returns false. It calls attributes with each list of attributes. It
	// returns how many elements it kept and how many it removed.
	each func(m object, valid func(in object, ids ...string) bool, attributes func([]any)) (kept, rejected int)
}

// signals are the recorded signals by path.
var signals = map[string]signal{
	"/v1/traces": {"rejectedSpans", tracesData, eachSpan},
	"/v1/logs":   {"rejectedLogRecords", logsData, eachRecord},
}

// objects returns the messages of a list.
func (o object) objects(name string) []object {
	list, _ := o[name].([]any)
	out := make([]object, len(list))
	for i, v := range list {
		out[i] = v.(object)
	}
	return out
}

// attributes returns the attributes of a message.
func (o object) attributes() []any {
	list, _ := o["attributes"].([]any)
	return list
}

func eachSpan(m object, valid func(object, ...string) bool, attributes func([]any)) (n, rejected int) {
	return m.each("resourceSpans", "scopeSpans", "spans", attributes, func(s object) bool {
		if s["traceId"] == nil || s["spanId"] == nil || !valid(s, "traceId", "spanId", "parentSpanId") {
			return false
		}
		for _, e := range s.objects("events") {
			attributes(e.attributes())
		}
		for _, l := range s.objects("links") {
			if !valid(l, "traceId", "spanId") {
				delete(l, "traceId")
				delete(l, "spanId")
			}
			attributes(l.attributes())
		}
		return true
	})
}

func eachRecord(m object, valid func(object, ...string) bool, attributes func([]any)) (n, rejected int) {
	return m.each("resourceLogs", "scopeLogs", "logRecords", attributes, func(l object) bool { return valid(l, "traceId", "spanId") })
}

// each calls keep with each element of a message, and removes those for which it returns false.
func (m object) each(resources, scopes, elements string, attributes func([]any), keep func(object) bool) (n, rejected int) {
	for _, r := range m.objects(resources) {
		of, _ := r["resource"].(object)
		attributes(of.attributes())
		for _, scope := range r.objects(scopes) {
			of, _ := scope["scope"].(object)
			attributes(of.attributes())
			var kept []any
			for _, e := range scope.objects(elements) {
				if !keep(e) {
					rejected++
					continue
				}
				kept = append(kept, e)
				attributes(e.attributes())
			}
			if n += len(kept); len(kept) == 0 {
				delete(scope, elements)
			} else {
				scope[elements] = kept
			}
		}
	}
	return n, rejected
}

// received is a request in the form in which it is written.
type received struct {
	line     []byte // a line of OTLP/JSON with its newline; empty if there is nothing to write
	rejected int    // number of elements with invalid ids
}

// read decodes a request, whose encoding is JSON or protobuf.
func (s signal) read(body []byte, isJSON bool, attributes func([]any)) (received, error) {
	m := object{}
	if err := s.decode(m, body, isJSON); err != nil {
		return received{}, err
	}
	n, rejected := s.each(m, validIDs, attributes)
	if n == 0 {
		return received{rejected: rejected}, nil
	}
	return received{s.written(m), rejected}, nil
}

// written returns a message as a line.
func (s signal) written(m object) []byte {
	var line bytes.Buffer
	s.of.write(&line, m)
	line.WriteByte('\n')
	return line.Bytes()
}

func (s signal) decode(into object, body []byte, isJSON bool) error {
	if !isJSON {
		return s.of.decode(into, body, 1)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is something after the message")
	}
	return s.of.parse(into, v, 1)
}

// validIDs reports whether the ids of a trace, a span and its parent have their sizes. Empty ones
// count as missing.
func validIDs(in object, ids ...string) bool {
	for i, name := range ids {
		v, ok := in[name]
		if data, isID := v.([]byte); ok && (!isID || len(data) != 0 && len(data) != [...]int{16, 8, 8}[i]) {
			return false
		}
	}
	return true
}

// answer returns the body of the answer to a request from which elements were rejected.
func (s signal) answer(rejected int, isJSON bool) []byte {
	const why = "ids must have 16 and 8 bytes that are not all missing"
	switch {
	case isJSON && rejected == 0:
		return []byte("{}")
	case isJSON:
		text, _ := json.Marshal(map[string]any{"partialSuccess": map[string]any{s.rejected: fmt.Sprint(rejected), "errorMessage": why}}) // strings
		return text
	case rejected == 0:
		return nil
	}
	part := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(rejected))
	part = protowire.AppendString(protowire.AppendTag(part, 2, protowire.BytesType), why)
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), part)
}

// failure returns a google.rpc.Status, the body of an answer with an error.
func failure(message string, isJSON bool) []byte {
	const unknown = 2 // clients look at the HTTP status instead
	if isJSON {
		text, _ := json.Marshal(map[string]any{"code": unknown, "message": message}) // a number and a string
		return text
	}
	out := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), unknown)
	return protowire.AppendString(protowire.AppendTag(out, 2, protowire.BytesType), message)
}
