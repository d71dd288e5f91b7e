package source_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// shard returns a shard of payloads, compressed. Each payload is an id and its JSON.
func shard(payloads ...string) []byte {
	var b []byte
	for i := 0; i+1 < len(payloads); i += 2 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(payloads[i])))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(payloads[i+1])))
		b = append(b, payloads[i]+payloads[i+1]...)
	}
	return compressed(b)
}

func compressed(data []byte) []byte {
	var out bytes.Buffer
	w, _ := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// bundle returns the file of the events of a trace bundle, with its shards by their paths.
func bundle(events string, shards map[string][]byte) source.File {
	f := source.Bytes("b/trace.jsonl", []byte(events))
	f.Beside = func(path string) (source.Input, error) {
		data, ok := shards[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return source.Bytes(path, data).Open()
	}
	return f
}

const traceEvents = `{"seq":1,"wall_time_unix_ms":1790000000000,"thread_id":"t","payload":{"type":"inference_started","inference_call_id":"i","request_payload":{"raw_payload_id":"raw_payload:1","shard":1}}}
{"seq":2,"payload":{"type":"inference_completed","inference_call_id":"i","response_payload":{"raw_payload_id":"raw_payload:2","shard":2}}}
{"seq":3,"thread_id":"t","payload":{"type":"inference_started","inference_call_id":"j","request_payload":{"raw_payload_id":"raw_payload:4","shard":2}}}
`

// TestTraceShards reads payloads that are records of compressed shards. One that a shard ends in is
// missing, and said to be.
func TestTraceShards(t *testing.T) {
	first := shard("raw_payload:0", `{"a":1}`, "raw_payload:1", `{"model":"gpt-5","input":"Tea?"}`)
	second := shard("raw_payload:2", `{"response_id":"r","token_usage":{"input_tokens":7,"output_tokens":2,"total_tokens":9},"output_items":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]}`,
		"raw_payload:4", `{"model":"gpt-5","input":[]}`)
	for _, test := range []struct {
		name   string
		shards map[string][]byte
		calls  int
	}{
		{"whole", map[string][]byte{"b/payloads/000001.zst": first, "b/payloads/000002.zst": second}, 2},
		{"cut", map[string][]byte{"b/payloads/000001.zst": first, "b/payloads/000002.zst": compressed([]byte("\x0d\x00\xff\xff"))}, 1},
		{"missing", map[string][]byte{"b/payloads/000001.zst": first}, 1},
		{"no zstd", map[string][]byte{"b/payloads/000001.zst": []byte("?"), "b/payloads/000002.zst": second}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var calls []*series.Request
			err := source.ReadFiles(t.Context(), []source.File{bundle(traceEvents, test.shards)}, source.Options{}, func(r *series.Request) error {
				calls = append(calls, r)
				return nil
			})
			if err != nil || len(calls) != test.calls {
				t.Fatalf("%d calls of %d, %v", len(calls), test.calls, err)
			}
			if r := calls[0]; test.name == "whole" && (len(r.Reply) != 1 || !strings.Contains(r.Usage, "7") || r.ConversationID != "t" || r.Origin.Line != 1) {
				t.Errorf("the answer is not that of the shard: %+v", r)
			}
		})
	}
	huge := binary.LittleEndian.AppendUint64([]byte{1, 0}, 1<<62)
	err := source.ReadFiles(t.Context(), []source.File{bundle(traceEvents, map[string][]byte{"b/payloads/000001.zst": compressed(huge)})}, source.Options{}, func(*series.Request) error { return nil })
	if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != engine.ErrFileLimit {
		t.Errorf("a payload of 2^62 bytes: %v", err)
	}
}

// FuzzTrace reads any events and any shard.
func FuzzTrace(f *testing.F) {
	f.Add(traceEvents, []byte("\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00a{}"))
	f.Fuzz(func(t *testing.T, events string, data []byte) {
		file := bundle(events, map[string][]byte{"b/payloads/000001.zst": compressed(data), "b/payloads/1.json": data})
		err := source.TrackFiles(t.Context(), []source.File{file}, source.Options{Kind: source.Requests, MaxBytes: 1 << 20}, func(*series.Step) error { return nil })
		if _, ok := errors.AsType[*engine.Error](err); err != nil && !ok {
			t.Errorf("an error without a code: %v", err)
		}
	})
}
