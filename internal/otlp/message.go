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

// maxNesting limits how deep values are nested.
const maxNesting = 200

// signal is what one path receives.
type signal struct {
	rejected string // the member of a partial success
	message  func() proto.Message
	// each calls valid for the ids in a message, which changes them, and removes elements for which
	// it returns false. It returns how many stay, and how many do not.
	each func(m proto.Message, valid func(ids ...*[]byte) bool, attributes func([]*common.KeyValue)) (kept, rejected int)
}

// signals are what is received and written, by path. The messages have the fields of the requests
// of the collector's protocol, whose own types would link gRPC.
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
	line     []byte // of OTLP/JSON, with its newline; empty if there is nothing to write
	rejected int    // elements with ids that are not valid
}

// read reads a request. isJSON says in which encoding it is.
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
	var out received
	n, rejected := s.each(m, func(ids ...*[]byte) bool {
		for i, id := range ids {
			if !setID(id, isJSON, [...]int{16, 8, 8}[i]) {
				return false
			}
		}
		return true
	}, attributes)
	out.rejected = rejected
	if n == 0 {
		return out, nil
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
	out.line = line.Bytes()
	return out, nil
}

// setID makes an id one that the JSON encoding of protobuf, which writes bytes in base64, writes in
// hex, as OTLP/JSON demands. An id of OTLP/JSON was read like that. It returns false for an id of
// another length.
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
	*id, _ = base64.StdEncoding.DecodeString(text) // its length is a multiple of 4
	return true
}

// answer returns the answer to a request that was received.
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

// failure returns the body of an error, a google.rpc.Status.
func failure(message string, isJSON bool) []byte {
	const unknown = 2 // the code; clients look at that of HTTP
	if isJSON {
		text, _ := json.Marshal(map[string]any{"code": unknown, "message": message}) // a number and a string
		return text
	}
	out := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), unknown)
	return protowire.AppendString(protowire.AppendTag(out, 2, protowire.BytesType), message)
}
