package search

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/parser"
)

// cpu returns the processor time of the process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func BenchmarkTape(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("PACTKIT_CORPUS"))
	if err != nil {
		b.Skip(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	b.Run("skip", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		begin := cpu()
		for b.Loop() {
			s := canonjson.NewScanner("", canonjson.DefaultDepth)
			for _, l := range lines {
				s.SetSource(l)
				if err := s.Skip(); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric((cpu()-begin)*1e3/float64(b.N), "cpu-ms")
	})
	for _, text := range []string{".block+tool{content~'Error'}", ".block+tool", ".block{content~'no such words'}", ".block{content~'(?i)error'}", ".seg:last .block+tool:first"} {
		b.Run(text, func(b *testing.B) {
			q, _ := Compile(text, parser.Options{Edition: ast.Edition10})
			b.SetBytes(int64(len(data)))
			begin := cpu()
			for b.Loop() {
				tape := &chatTape{}
				var run runner
				n := 0
				for _, l := range lines {
					tape.list = ""
					tape.set(l)
					if err := tape.readLog(); err != nil {
						b.Fatal(err)
					}
					found, _ := run.find(q.tape, &tape.tape)
					n += len(found)
				}
				b.ReportMetric(float64(n), "found")
			}
			b.ReportMetric((cpu()-begin)*1e3/float64(b.N), "cpu-ms")
		})
	}
}
