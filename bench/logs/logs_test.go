// Package logs measures programs on large logs, beside decoding the same file with encoding/json.
//
// The metrics are cpu-ms, the processor time, and rss-MB, the most memory that the program had.
// Wall time means little on a busy machine.
package logs

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// size is the size of a log in bytes. With -short it is small.
func size() int {
	if testing.Short() {
		return 1 << 20
	}
	return 119 << 20
}

// BenchmarkLog lists the calls of one conversation, of which each request repeats the one before
// it. The target is 2 s of processor time and 90 MB.
func BenchmarkLog(b *testing.B) {
	file := bodies(b)
	b.Run("lib=pactkit", func(b *testing.B) {
		bin := filepath.Join(b.TempDir(), "pactkit")
		build := exec.Command("go", "build", "-o", bin, "./cmd/pactkit")
		build.Dir = "../.." // another module
		if out, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		var cpu, rss float64
		for b.Loop() {
			cmd := exec.Command(bin, "log", file)
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			cpu += float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Milliseconds())
			rss = max(rss, float64(usage.Maxrss)/1024)
		}
		b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
		b.ReportMetric(rss, "rss-MB")
	})
	b.Run("lib=encoding-json", func(b *testing.B) {
		before := processorTime(b)
		for b.Loop() {
			f, err := os.Open(file)
			if err != nil {
				b.Fatal(err)
			}
			for d := json.NewDecoder(bufio.NewReader(f)); ; {
				var v any
				if err := d.Decode(&v); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
			f.Close()
		}
		b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
	})
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// bodies writes the requests of a conversation with a tool, one on each line.
func bodies(b *testing.B) string {
	r := rand.New(rand.NewPCG(1, 1))
	words := make([]string, 3000)
	for i := range words {
		for range 2 + r.IntN(8) {
			words[i] += string(rune('a' + r.IntN(10)))
		}
	}
	text := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	name := filepath.Join(b.TempDir(), "bodies.jsonl")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	messages := []string{`{"role":"user","content":"go on"}`}
	for i, n := 0, 0; n < size(); i++ {
		k, _ := fmt.Fprintf(w, `{"model":"claude-opus-4-6","max_tokens":100,"system":"be brief","messages":[%s]}`+"\n", strings.Join(messages, ","))
		n += k
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":%q},{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"cat %d"}}]}`, text(60), i, i),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]}`, i, text(200)))
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return name
}
