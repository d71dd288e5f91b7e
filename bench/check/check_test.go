// Package check measures 'pactkit check' on a tree of source files, from the start of the process
// to its exit, and compares it with a formatter of shell scripts that reads as many files.
package check

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pactkit/pactkit/bench/host/hostfiles"
)

// A file of the tree has size bytes, and one file in ten contains selectors.
const (
	size  = 3_000
	every = 10
)

// files is the number of files in the tree, which has 30 MB.
var files = 10_000

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		files = 200
	}
	os.Exit(m.Run())
}

// BenchmarkTree runs the program on a tree whose files are in the file system cache. shfmt works as
// with -l, on all cores: it reads and parses each script, and prints it.
func BenchmarkTree(b *testing.B) {
	folder := b.TempDir()
	program := filepath.Join(folder, "pactkit")
	build := exec.Command("go", "build", "-o", program, "./cmd/pactkit")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	trees := map[string]int{"programs": every, "plain": 2 * files} // plain has no selectors
	for name, n := range trees {
		if _, err := hostfiles.Write(filepath.Join(folder, name), files, size, n); err != nil {
			b.Fatal(err)
		}
	}
	scripts, err := hostfiles.WriteShell(filepath.Join(folder, "scripts"), files, size)
	if err != nil {
		b.Fatal(err)
	}
	run := func(lib, tree string) {
		b.Run("lib="+lib, func(b *testing.B) {
			peak, busy := int64(0), time.Duration(0)
			for b.Loop() {
				cmd := exec.Command(program, "check", "--isolated", "--output-format", "compact", filepath.Join(folder, tree))
				err := cmd.Run()
				if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
					b.Fatal(err)
				}
				peak = max(peak, peakMemory(cmd.ProcessState))
				busy += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			b.ReportMetric(busy.Seconds()/float64(b.N), "cpu-s/op") // the sum of all cores
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
		})
	}
	run("pactkit", "programs")
	run("no selectors", "plain")
	b.Run("lib=shfmt", func(b *testing.B) {
		for b.Loop() {
			all(b, scripts, shfmt)
		}
	})
}

func shfmt(path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(bytes.NewReader(src), path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := syntax.NewPrinter(syntax.Indent(2)).Print(&out, f); err != nil {
		return err
	}
	if out.Len() == 0 {
		return errors.New("nothing printed")
	}
	return nil
}

// all calls one for each path, on all cores.
func all(b *testing.B, paths []string, one func(string) error) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				if err := one(paths[i]); err != nil {
					b.Error(err)
				}
			}
		})
	}
	workers.Wait()
}
