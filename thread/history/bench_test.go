package history_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// session makes a session of Claude Code in which each call uses a tool, with a user prompt before
// every tenth call.
func session(calls int) []byte {
	var b bytes.Buffer
	parent := "null"
	line := func(uuid, kind, message string) {
		fmt.Fprintf(&b, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","message":%s}`+"\n", kind, uuid, parent, message)
		parent = fmt.Sprintf("%q", uuid)
	}
	for i := range calls {
		if i%10 == 0 {
			line(fmt.Sprintf("u%d", i), "user", fmt.Sprintf(`{"role":"user","content":"prompt %d"}`, i))
		}
		line(fmt.Sprintf("a%d", i), "assistant", fmt.Sprintf(`{"id":"msg_%d","role":"assistant","content":[{"type":"tool_use","id":"call_%d","name":"f","input":{"n":%d}}]}`, i, i, i))
		line(fmt.Sprintf("r%d", i), "user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_%d","content":"result %d"}]}`, i, i))
	}
	return b.Bytes()
}

// BenchmarkSession makes histories of sessions and reports the size of their entries. Time and
// bytes per call do not depend on the number of calls.
func BenchmarkSession(b *testing.B) {
	for _, calls := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("calls=%d", calls), func(b *testing.B) {
			data := session(calls)
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := readAll(b, source.Bytes("s.jsonl", data), source.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			var w history.Writer
			size := 0
			err := source.TrackFiles(b.Context(), []source.File{source.Bytes("s.jsonl", data)}, source.Options{}, func(c *series.Step) error {
				entries, err := w.Add(b.Context(), c)
				for _, s := range entries {
					size += len(s.Text)
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(size)/float64(len(data)), "entries/log")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
		})
	}
}
