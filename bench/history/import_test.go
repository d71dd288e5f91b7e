package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// BenchmarkImport reads a log as a stream and writes its history as a journal. Its peers decode the log into structs, and
// copy the bytes.
func BenchmarkImport(b *testing.B) {
	for _, turns := range sizes {
		log := chat(b, turns)
		run := func(lib string, one func() error) {
			b.Run(fmt.Sprintf("turns=%d/lib=%s", turns, lib), func(b *testing.B) {
				b.SetBytes(int64(len(log)))
				b.ReportAllocs()
				for b.Loop() {
					if err := one(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("pactkit", func() error {
			for l, err := range thread.ImportSeq(b.Context(), "log.json", bytes.NewReader(log), thread.OpenAI, thread.ImportOptions{}) {
				if err != nil {
					return err
				}
				w := journal.NewWriter(io.Discard, journal.About{})
				for s := range l.Timeline().Sealed() {
					if err := w.Snapshot(s); err != nil {
						return err
					}
				}
			}
			return nil
		})
		run("encoding-json", func() error {
			var messages []message
			return json.Unmarshal(log, &messages)
		})
		run("bytes", func() error {
			_, err := io.Copy(io.Discard, bytes.NewReader(bytes.Clone(log)))
			return err
		})
	}
}
