package history

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/process"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// Environment variables of a process that BenchmarkTable starts: its task and its log.
const (
	taskVar = "PACTKIT_BENCH_TASK"
	logVar  = "PACTKIT_BENCH_LOG"
)

func TestMain(m *testing.M) {
	task := os.Getenv(taskVar)
	if task == "" {
		flag.Parse()
		if testing.Short() {
			sizes, steps, tail = sizes[:1], steps[:1], sizes[0]
		}
		os.Exit(m.Run())
	}
	size, err := perform(task, os.Getenv(logVar))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	peak, err := peakMemory()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(size, peak)
}

// peakMemory returns the peak memory of this process in KB. It does not use getrusage, whose figure
// includes the program that started the process.
func peakMemory() (kb int, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	_, err = fmt.Sscan(rest, &kb)
	return kb, err
}

// perform decodes a log, or imports it with a snapshot for each call or turn and returns the size
// of the journal.
func perform(task, path string) (int, error) {
	if task == "decode" {
		data, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		var messages []message
		return 0, json.Unmarshal(data, &messages)
	}
	process.TuneGC() // as the programs do
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var size counter
	for l, err := range thread.ImportSeq(context.Background(), path, f, thread.OpenAI, thread.ImportOptions{ByCall: task == "call"}) {
		if err != nil {
			return 0, err
		}
		w := journal.NewWriter(&size, journal.About{})
		for s := range l.Timeline().Sealed() {
			if err := w.Snapshot(s); err != nil {
				return 0, err
			}
		}
	}
	return int(size), nil
}

// usage is the minimum over all runs of a process: milliseconds, MB and bytes.
type usage struct{ cpu, memory, journal float64 }

// measure runs a task in a separate process.
func (u *usage) measure(b *testing.B, task, path string) {
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), taskVar+"="+task, logVar+"="+path)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	var size, peak int
	if _, err := fmt.Sscan(string(out), &size, &peak); err != nil {
		b.Fatal(err)
	}
	cpu := float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Microseconds()) / 1e3
	memory := float64(peak) / 1e3
	if u.cpu == 0 {
		u.cpu, u.memory = cpu, memory
	}
	u.cpu, u.memory, u.journal = min(u.cpu, cpu), min(u.memory, memory), float64(size)
}

// BenchmarkTable measures whole processes that import logs. The time and memory of a process that
// imports a log of one message are subtracted. The metric decode is the time of an import as a
// multiple of the time for only decoding the log.
func BenchmarkTable(b *testing.B) {
	folder := b.TempDir()
	empty := filepath.Join(folder, "empty.json")
	if err := os.WriteFile(empty, []byte(`[{"role":"user","content":"a"}]`), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, turns := range sizes {
		path := filepath.Join(folder, fmt.Sprintf("%d.json", turns))
		log := chat(b, turns)
		if err := os.WriteFile(path, log, 0o600); err != nil {
			b.Fatal(err)
		}
		for _, task := range []string{"call", "turn"} {
			b.Run(fmt.Sprintf("turns=%d/snapshots=%s", turns, task), func(b *testing.B) {
				var least, decode, nothing usage
				for b.Loop() {
					least.measure(b, task, path)
					decode.measure(b, "decode", path)
					nothing.measure(b, task, empty)
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(len(log))/1e3, "log-kB")
				b.ReportMetric(least.journal/float64(len(log)), "journal/log")
				b.ReportMetric(least.cpu-nothing.cpu, "cpu-ms")
				b.ReportMetric((least.cpu-nothing.cpu)/max(decode.cpu-nothing.cpu, 0.001), "decode")
				b.ReportMetric(least.memory-nothing.memory, "MB")
			})
		}
	}
}
