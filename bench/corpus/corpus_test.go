package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/pactkit/pactkit/internal/corpus"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/parser"
)

// question is asked of all.
type question struct {
	name, selector, jq string
	found              int // how many; 0 for what the first of all finds
}

var questions = []question{
	{name: "few", selector: ".block+tool{content~'Error'}", jq: `.messages[] | select(.role == "tool" and ((.content // "") | contains("Error"))) | .role`},
	{name: "count", selector: ".block+tool", jq: `.messages[] | select(.role == "tool") | .role`},
	{name: "none", selector: ".block{content~'no such words'}", jq: `.messages[] | select((.content // "") | contains("no such words")) | .role`},
}

// cpu returns the processor time of this process in seconds.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// run measures one row: ask returns what it found and the processor time of another process, or a negative number for
// work of this one.
func run(b *testing.B, q *question, lib, file string, ask func() (found int, seconds float64)) {
	b.Run("ask="+q.name+"/lib="+lib, func(b *testing.B) {
		info, err := os.Stat(file)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(info.Size())
		total := 0.0
		for b.Loop() {
			begun := cpu(b)
			found, seconds := ask()
			if seconds < 0 {
				seconds = cpu(b) - begun
			}
			total += seconds
			if q.found == 0 {
				q.found = found
			}
			if found != q.found {
				b.Fatalf("%s found %d, others %d", lib, found, q.found)
			}
		}
		b.ReportMetric(1e3*total/float64(b.N), "cpu-ms")
	})
}

// conversations is how many there are in the file, and what they take is 51 MB where all 40 of the log are there.
const conversations = 3200

// linesFile writes the conversations.
func linesFile(b *testing.B) string {
	if file := os.Getenv("PACTKIT_CORPUS"); file != "" {
		return file
	}
	log := os.Getenv("PACTKIT_CORPUS_LOG")
	if log == "" {
		log = "../../testdata/logs/tau-bench/gpt-4o-airline.json"
	}
	data, err := os.ReadFile(log)
	if err != nil {
		b.Fatal(err)
	}
	var records []struct {
		Traj json.RawMessage `json:"traj"`
	}
	if err := json.Unmarshal(data, &records); err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	for i := range conversations {
		fmt.Fprintf(&out, `{"id":"c%d","messages":%s}`+"\n", i, records[i%len(records)].Traj)
	}
	file := filepath.Join(b.TempDir(), "conversations.jsonl")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}

// BenchmarkCorpus asks each question on one processor.
func BenchmarkCorpus(b *testing.B) {
	file := linesFile(b)
	peers := startPeers(b)
	for i := range questions {
		q := &questions[i]
		run(b, q, "pactkit", file, func() (int, float64) { return ask(b, q, file, 1), -1 })
		for _, lib := range []string{"duckdb", "orjson"} {
			if peers != nil {
				run(b, q, lib, file, func() (int, float64) { return peers(lib, q.name, file) })
			}
		}
		run(b, q, "jq", file, func() (int, float64) { return askJQ(b, q, file) })
		if !testing.Short() {
			run(b, q, "gojq", file, func() (int, float64) { return askGojq(b, q, file), -1 })
		}
	}
}

// BenchmarkTwo asks on one and on two processors; what counts is the time of day on a machine that does nothing else.
func BenchmarkTwo(b *testing.B) {
	file := linesFile(b)
	for _, n := range []int{1, 2} {
		run(b, &questions[1], fmt.Sprintf("pactkit-%d", n), file, func() (int, float64) { return ask(b, &questions[1], file, n), -1 })
	}
}

// BenchmarkProcess starts the program that PACTKIT_BIN names.
func BenchmarkProcess(b *testing.B) {
	bin := os.Getenv("PACTKIT_BIN")
	if bin == "" {
		b.Skip("PACTKIT_BIN names no program")
	}
	file := linesFile(b)
	for i := range questions {
		q := &questions[i]
		run(b, q, "pactkit-process", file, func() (int, float64) {
			cmd := exec.Command(bin, "grep", "--from", "openai", "-c", q.selector, file)
			cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
			out, _ := cmd.Output() // exits with 1 where nothing is found
			_, text, _ := strings.Cut(strings.TrimSpace(string(out)), ":")
			found, _ := strconv.Atoi(text)
			return found, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		})
	}
}

func ask(b *testing.B, q *question, file string, processors int) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	query, found := corpus.Compile(q.selector, parser.Options{})
	if query == nil {
		b.Fatal(found)
	}
	s := &corpus.Search{Query: query, Sessions: sessions.Options{From: "openai"}, CountOnly: q.name == "count"}
	n := 0
	for o := range s.Run(b.Context(), []string{file}) {
		if o.Err != nil {
			b.Fatal(o.Err)
		}
		n += o.Count
	}
	return n
}

func askJQ(b *testing.B, q *question, file string) (int, float64) {
	cmd := exec.Command("jq", "-c", q.jq, file)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Count(out, []byte("\n")), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

func askGojq(b *testing.B, q *question, file string) int {
	query, err := gojq.Parse(q.jq)
	if err != nil {
		b.Fatal(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		b.Fatal(err)
	}
	in, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	found := 0
	for dec := json.NewDecoder(in); ; {
		var v any
		if err := dec.Decode(&v); err == io.EOF {
			return found
		} else if err != nil {
			b.Fatal(err)
		}
		for it := code.Run(v); ; found++ {
			v, ok := it.Next()
			if !ok {
				break
			}
			if err, bad := v.(error); bad {
				b.Fatal(err)
			}
		}
	}
}

// startPeers starts peers.py. It returns nil where the variable PACTKIT_PYTHON names no Python with the packages.
func startPeers(b *testing.B) func(lib, question, file string) (int, float64) {
	python := os.Getenv("PACTKIT_PYTHON")
	if python == "" {
		return nil
	}
	cmd := exec.Command(python, "peers.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	lines := bufio.NewReader(out)
	return func(lib, question, file string) (found int, seconds float64) {
		fmt.Fprintln(in, lib, question, file)
		line, err := lines.ReadString('\n')
		if err == nil {
			_, err = fmt.Sscan(line, &found, &seconds)
		}
		if err != nil {
			b.Fatal(err)
		}
		return found, seconds
	}
}
