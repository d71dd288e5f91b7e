package history

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// BenchmarkSteps writes one turn with many model calls, one step per call, as an attached context
// does, and reads it again. The metrics are per step, so a flat column means a linear cost.
func BenchmarkSteps(b *testing.B) {
	for _, steps := range steps {
		var data []byte
		b.Run(fmt.Sprintf("steps=%d/do=write", steps), func(b *testing.B) {
			for b.Loop() {
				c, err := engine.New(engine.Options{})
				if err != nil {
					b.Fatal(err)
				}
				head := journal.NewHead(journal.About{})
				data = data[:0]
				for range steps {
					for _, role := range []string{"assistant", "tool"} {
						if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Role: role, Content: engine.Text("some text of a message")}); err != nil {
							b.Fatal(err)
						}
					}
					if _, err := c.Step(); err != nil {
						b.Fatal(err)
					}
					frames, next, err := head.Append(c.History())
					if err != nil {
						b.Fatal(err)
					}
					for _, f := range frames {
						data = f.AppendLine(data)
					}
					head = next
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*steps), "ns/step")
			b.ReportMetric(float64(len(data))/float64(steps), "bytes/step")
		})
		b.Run(fmt.Sprintf("steps=%d/do=read", steps), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := journal.Read("a.journal", bytes.NewReader(data), engine.ReadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*steps), "ns/step")
		})
	}
}
