package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
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

	"github.com/pactkit/pactkit/internal/process"
	"github.com/pactkit/pactkit/internal/search"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/parser"
)

func TestMain(m *testing.M) {
	process.TuneGC() // as the programs do
	flag.Parse()
	if testing.Short() {
		conversations = 40
	}
	os.Exit(m.Run())
}

// cpu returns the processor time of this process in seconds.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// run measures one row. ask returns the number of results and the processor time of another
// process, or a negative time if this process did the work.
func run(b *testing.B, q *question, lib, path string, ask func() (found int, seconds float64)) {
	b.Run("ask="+q.name+"/lib="+lib, func(b *testing.B) {
		size := int64(0)
		for _, file := range filesOf(b, path) {
			info, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			size += info.Size()
		}
		b.SetBytes(size)
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

// filesOf returns the JSON Lines files of a folder, or path itself if there are none.
func filesOf(b *testing.B, path string) []string {
	files, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	if len(files) == 0 {
		return []string{path}
	}
	return files
}

// eachLake writes each lake to a temporary path and runs a benchmark on it.
func eachLake(b *testing.B, do func(b *testing.B, l *lake, path string)) {
	for i := range lakes {
		l := &lakes[i]
		b.Run("of="+l.name, func(b *testing.B) { do(b, l, l.write(b, b.TempDir())) })
	}
}

// BenchmarkCorpus asks each question on one processor.
func BenchmarkCorpus(b *testing.B) {
	peers := startPeers(b)
	eachLake(b, func(b *testing.B, l *lake, path string) {
		for i := range l.questions {
			q := &l.questions[i]
			run(b, q, "pactkit", path, func() (int, float64) { return ask(b, l, q, path, 1), -1 })
			for _, lib := range []string{"duckdb", "orjson"} {
				if peers != nil && l.hasPeers {
					run(b, q, lib, path, func() (int, float64) { return peers(lib, q.name, path) })
				}
			}
			run(b, q, "jq", path, func() (int, float64) { return askJQ(b, q, path) })
			run(b, q, "gojq", path, func() (int, float64) { return askGojq(b, q, path), -1 })
		}
	})
}

// BenchmarkTwo asks a question on one processor and on two. Compare the wall time, on an otherwise
// idle machine.
func BenchmarkTwo(b *testing.B) {
	eachLake(b, func(b *testing.B, l *lake, path string) {
		q := &l.questions[1]
		for _, n := range []int{1, 2} {
			run(b, q, fmt.Sprintf("pactkit-%d", n), path, func() (int, float64) { return ask(b, l, q, path, n), -1 })
		}
	})
}

// BenchmarkProcess measures the program that the variable PACTKIT_BIN names.
func BenchmarkProcess(b *testing.B) {
	bin := os.Getenv("PACTKIT_BIN")
	if bin == "" {
		b.Skip("PACTKIT_BIN is not set")
	}
	eachLake(b, func(b *testing.B, l *lake, path string) {
		for i := range l.questions {
			q := &l.questions[i]
			run(b, q, "pactkit-process", path, func() (int, float64) {
				cmd := exec.Command(bin, "grep", "--from", l.from, "-c", q.selector, path)
				cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
				out, err := cmd.Output()
				if cmd.ProcessState == nil { // an error of exit is fine: it exits with 1 if it finds nothing
					b.Fatal(err)
				}
				found := 0
				for line := range strings.Lines(string(out)) {
					n, _ := strconv.Atoi(strings.TrimSpace(line[strings.LastIndexByte(line, ':')+1:]))
					found += n
				}
				return found, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			})
		}
	})
}

func ask(b *testing.B, l *lake, q *question, path string, processors int) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	query, found := search.Compile(q.selector, parser.Options{})
	if query == nil {
		b.Fatal(found)
	}
	s := &search.Search{Query: query, Sessions: sessions.Options{From: sessions.Kind(l.from)}, CountOnly: q.name == "count"}
	n := 0
	for o := range s.Run(b.Context(), []string{path}) {
		if o.Err != nil {
			b.Fatal(o.Err)
		}
		n += o.Count
	}
	return n
}

func askJQ(b *testing.B, q *question, path string) (int, float64) {
	cmd := exec.Command("jq", append([]string{"-c", q.jq}, filesOf(b, path)...)...)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Count(out, []byte("\n")), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

func askGojq(b *testing.B, q *question, path string) (found int) {
	query, err := gojq.Parse(q.jq)
	if err != nil {
		b.Fatal(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range filesOf(b, path) {
		found += gojqFile(b, code, file)
	}
	return found
}

func gojqFile(b *testing.B, code *gojq.Code, file string) (found int) {
	in, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
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

// startPeers starts peers.py. It returns nil if the variable PACTKIT_PYTHON, which names a Python
// with the required packages, is not set.
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
