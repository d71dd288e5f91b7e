// Package host measures finding the selectors in a tree of source files, and compares it with a
// formatter of shell scripts that reads as many files.
package host

import (
	"bytes"
	"flag"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pactkit/pactkit/bench/host/hostfiles"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/parser"
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

// BenchmarkTree reads every file of a tree, on all cores. pactkit finds the selectors and parses
// them. shfmt works as with -l: it parses each script, prints it and compares the output.
func BenchmarkTree(b *testing.B) {
	folder := b.TempDir()
	programs, err := hostfiles.Write(folder+"/programs", files, size, every)
	if err != nil {
		b.Fatal(err)
	}
	scripts, err := hostfiles.WriteShell(folder+"/scripts", files, size)
	if err != nil {
		b.Fatal(err)
	}
	run := func(lib string, paths []string, one func(path string, src []byte) (int, error)) {
		b.Run("lib="+lib, func(b *testing.B) {
			var found atomic.Int64
			for b.Loop() {
				found.Store(0)
				all(b, paths, func(path string) error {
					src, err := os.ReadFile(path)
					if err != nil {
						return err
					}
					n, err := one(path, src)
					found.Add(int64(n))
					return err
				})
			}
			b.ReportMetric(float64(found.Load()), "found")
		})
	}
	run("pactkit", programs, func(path string, src []byte) (int, error) {
		f := host.For(path).Find(string(src), nil)
		for i := range f.Regions {
			if r := &f.Regions[i]; r.Form == host.Selectors {
				parser.Parse(r.Text, parser.Options{})
			} else {
				parser.ParseSelector(r.Text, parser.Options{})
			}
		}
		return len(f.Regions), nil
	})
	run("read only", programs, func(_ string, src []byte) (int, error) { return 0, nil })
	run("shfmt", scripts, func(path string, src []byte) (int, error) {
		f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(bytes.NewReader(src), path)
		if err != nil {
			return 0, err
		}
		var out bytes.Buffer
		if err := syntax.NewPrinter(syntax.Indent(2)).Print(&out, f); err != nil {
			return 0, err
		}
		if !bytes.Equal(out.Bytes(), src) {
			return 1, nil
		}
		return 0, nil
	})
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

// BenchmarkFile finds the selectors in one file of each kind.
func BenchmarkFile(b *testing.B) {
	paths, err := hostfiles.Write(b.TempDir(), 11, 30_000, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		h, src := host.For(path), string(data)
		b.Run("host="+h.Name(), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if f := h.Find(src, nil); len(f.Regions) == 0 || f.Broken() {
					b.Fatal(f.Diagnostics)
				}
			}
		})
	}
}
