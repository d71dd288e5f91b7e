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
	compare(b, bodies(b), "log")
}

// BenchmarkImport makes the histories of logs with short records. The target is three times the
// processor time of decoding.
func BenchmarkImport(b *testing.B) {
	for _, kind := range []struct {
		name, begin, turn string
	}{
		{"claude-code", `{"type":"user","uuid":"r","sessionId":"s","message":{"role":"user","content":"go on"}}` + "\n", claudeTurn},
		{"codex", `{"type":"session_meta","payload":{"id":"s","cli_version":"0.104.0"}}` + "\n", codexTurn},
	} {
		b.Run("kind="+kind.name, func(b *testing.B) {
			name := filepath.Join(b.TempDir(), "log.jsonl")
			text, words := strings.Builder{}, texts()
			text.WriteString(kind.begin)
			for i := 1; text.Len() < size()/12; i++ {
				text.WriteString(strings.NewReplacer("$BEFORE", parent(i), "$N", fmt.Sprint(i), "$SAYS", words(60), "$RESULT", words(150)).Replace(kind.turn))
			}
			if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			compare(b, name, "import", "-o", filepath.Join(b.TempDir(), "h.jsonl"))
		})
	}
}

// parent returns the id of the record before a turn of Claude Code.
func parent(turn int) string {
	if turn == 1 {
		return "r"
	}
	return fmt.Sprint("r", turn-1)
}

const (
	claudeTurn = `{"type":"assistant","uuid":"a$N","parentUuid":"$BEFORE","sessionId":"s","timestamp":"2026-05-01T00:00:02.000Z","message":{"id":"m$N","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"$SAYS"},{"type":"tool_use","id":"t$N","name":"Bash","input":{"command":"cat f$N"}}],"usage":{"input_tokens":3,"cache_read_input_tokens":20000,"output_tokens":104}}}
{"type":"user","uuid":"r$N","parentUuid":"a$N","sessionId":"s","timestamp":"2026-05-01T00:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t$N","content":"$RESULT"}]}}
`
	codexTurn = `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"cat\",\"f$N\"]}","call_id":"c$N"}}
{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":$N000,"output_tokens":$N0,"total_tokens":$N000},"last_token_usage":{"input_tokens":1000,"output_tokens":20,"total_tokens":1020}}}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c$N","output":"$RESULT"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"$SAYS"}]}}
`
)

// compare runs a verb of pactkit on a file, and decodes the file with encoding/json.
func compare(b *testing.B, file string, args ...string) {
	args = append(args, file)
	b.Run("lib=pactkit", func(b *testing.B) {
		bin := filepath.Join(b.TempDir(), "pactkit")
		build := exec.Command("go", "build", "-o", bin, "./cmd/pactkit")
		build.Dir = "../.." // another module
		if out, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		var cpu, rss float64
		for b.Loop() {
			cmd := exec.Command(bin, args...)
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
	text := texts()
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

// texts returns a function that makes texts of random words.
func texts() func(words int) string {
	r := rand.New(rand.NewPCG(1, 1))
	words := make([]string, 3000)
	for i := range words {
		for range 2 + r.IntN(8) {
			words[i] += string(rune('a' + r.IntN(10)))
		}
	}
	return func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
}
