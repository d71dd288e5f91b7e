package otlp

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// maxNesting limits the depth of nested values.
const maxNesting = 200

// signal is a kind of telemetry, which has its own path.
type signal struct {
	rejected string // name of the member of a partial success that counts rejected elements
	message  func() proto.Message
	// each calls valid with the ids of each element of a message, which it may change, and removes
	// the elements for which it returns false. It calls attributes with each list of attributes. It
	// returns how many elements it kept and how many it removed.
	each func(m proto.Message, valid func(ids ...*[]byte) bool, attributes func([]*common.KeyValue)) (kept, rejected int)
}

// signals are the recorded signals by path. The messages have the fields of the requests of the
// collector protocol. The types of those requests would link gRPC.
var signals = map[string]signal{
	"/v1/traces": {"rejectedSpans", func() proto.Message { return &trace.TracesData{} }, eachSpan},
	"/v1/logs":   {"rejectedLogRecords", func() proto.Message { return &logs.LogsData{} }, eachRecord},
}

func eachSpan(m proto.Message, valid func(...*[]byte) bool, attributes func([]*common.KeyValue)) (n, rejected int) {
	for _, r := range m.(*trace.TracesData).ResourceSpans {
		attributes(r.GetResource().GetAttributes())
		for _, scope := range r.ScopeSpans {
			attributes(scope.GetScope().GetAttributes())
			var kept []*trace.Span
			for _, s := range scope.Spans {
				if len(s.TraceId) == 0 || len(s.SpanId) == 0 || !valid(&s.TraceId, &s.SpanId, &s.ParentSpanId) {
					rejected++
					continue
				}
				kept = append(kept, s)
				attributes(s.Attributes)
				for _, e := range s.Events {
					attributes(e.Attributes)
				}
				for _, l := range s.Links {
					if !valid(&l.TraceId, &l.SpanId) {
						l.TraceId, l.SpanId = nil, nil
					}
					attributes(l.Attributes)
				}
			}
			scope.Spans = kept
			n += len(kept)
		}
	}
	return n, rejected
}

func eachRecord(m proto.Message, valid func(...*[]byte) bool, attributes func([]*common.KeyValue)) (n, rejected int) {
	for _, r := range m.(*logs.LogsData).ResourceLogs {
		attributes(r.GetResource().GetAttributes())
		for _, scope := range r.ScopeLogs {
			attributes(scope.GetScope().GetAttributes())
			var kept []*logs.LogRecord
			for _, l := range scope.LogRecords {
				if !valid(&l.TraceId, &l.SpanId) {
					rejected++
					continue
				}
				kept = append(kept, l)
				attributes(l.Attributes)
			}
			scope.LogRecords = kept
			n += len(kept)
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
func (s signal) read(body []byte, isJSON bool, attributes func([]*common.KeyValue)) (received, error) {
	m := s.message()
	var err error
	if isJSON {
		err = protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: maxNesting}.Unmarshal(body, m)
	} else {
		err = proto.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: maxNesting}.Unmarshal(body, m)
	}
	if err != nil {
		return received{}, err
	}
	n, rejected := s.each(m, func(ids ...*[]byte) bool {
		for i, id := range ids {
			if !setID(id, isJSON, [...]int{16, 8, 8}[i]) {
				return false
			}
		}
		return true
	}, attributes)
	if n == 0 {
		return received{rejected: rejected}, nil
	}
	text, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
	if err != nil {
		return received{}, fmt.Errorf("a value that JSON cannot have: %w", err)
	}
	var line bytes.Buffer
	line.Grow(len(text) + 1)
	if err := json.Compact(&line, text); err != nil { // protojson varies its white space
		return received{}, err
	}
	line.WriteByte('\n')
	return received{line.Bytes(), rejected}, nil
}

// setID replaces an id by the bytes that protojson writes as the id in hexadecimal: OTLP/JSON
// requires hexadecimal, but protojson writes bytes in base64. For the same reason an id from
// OTLP/JSON was decoded as base64. setID returns false if the id is not hexadecimal or does not
// have size bytes. It leaves an empty id.
func setID(id *[]byte, isJSON bool, size int) bool {
	if len(*id) == 0 {
		return true
	}
	text := hex.EncodeToString(*id)
	if isJSON {
		raw, err := hex.DecodeString(base64.StdEncoding.EncodeToString(*id))
		if err != nil {
			return false
		}
		text = hex.EncodeToString(raw)
	}
	if len(text) != 2*size {
		return false
	}
	*id, _ = base64.StdEncoding.DecodeString(text) // hexadecimal digits are base64, and their number is a multiple of 4
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
