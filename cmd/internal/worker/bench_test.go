package worker_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/worker"
)

// BenchmarkTurn measures a turn of a context in memory: an insertion, a rendering of all turns, a
// commit.
func BenchmarkTurn(b *testing.B) {
	for _, turns := range []int{50, 500} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			var in strings.Builder
			in.WriteString("{\"worker\":2}\n" + `{"id":0,"context":"a","do":[{"open":"memory:"}]}` + "\n")
			for range turns {
				for _, op := range []string{`{"insert":"(d0,0, end)","node":{"role":"user","content":"a message"}}`, `{"render":"anthropic"}`, `{"commit":true}`} {
					fmt.Fprintf(&in, `{"id":1,"context":"a","do":[%s]}`+"\n", op)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := worker.Serve(b.Context(), strings.NewReader(in.String()), bufio.NewWriter(io.Discard), worker.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*turns), "µs/turn")
		})
	}
}
