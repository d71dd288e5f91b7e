package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// counter counts the bytes written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// BenchmarkImport reads a log as a stream and writes its history, with one snapshot per call or
// turn, as a journal. Its peers decode the log into structs, and copy the bytes.
func BenchmarkImport(b *testing.B) {
	for _, turns := range sizes {
		log := chat(b, turns)
		var size counter
		run := func(lib string, one func() error) {
			b.Run(fmt.Sprintf("turns=%d/lib=%s", turns, lib), func(b *testing.B) {
				b.SetBytes(int64(len(log)))
				b.ReportAllocs()
				for b.Loop() {
					if err := one(); err != nil {
						b.Fatal(err)
					}
				}
				if strings.HasPrefix(lib, "pactkit") {
					b.ReportMetric(float64(size)/float64(len(log)), "journal/log")
				}
			})
		}
		imported := func(o thread.ImportOptions) func() error {
			return func() error {
				size = 0
				for l, err := range thread.ImportSeq(b.Context(), "log.json", bytes.NewReader(log), thread.OpenAI, o) {
					if err != nil {
						return err
					}
					w := journal.NewWriter(&size, journal.About{})
					for s := range l.Timeline().Sealed() {
						if err := w.Snapshot(s); err != nil {
							return err
						}
					}
				}
				return nil
			}
		}
		run("pactkit", imported(thread.ImportOptions{ByCall: true}))
		run("pactkit-turns", imported(thread.ImportOptions{}))
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
