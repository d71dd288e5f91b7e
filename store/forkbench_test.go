package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// BenchmarkFork forks a history of 10,000 turns in a folder, at different turns. B/fork is the size
// of a fork in the store, and p50-ms its median time. floor-ms is that of what a disk needs at
// least to keep a fork: a new file of as many bytes that is durable, and so is its name.
func BenchmarkFork(b *testing.B) {
	folder := onDisk(b)
	data := bytes.Repeat([]byte{'x'}, 500)
	benchmarkFork(b, "file:"+filepath.Join(folder, "store"), func(i int) error {
		f, err := os.Create(filepath.Join(folder, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		err = errors.Join(err, f.Sync(), f.Close())
		d, wrong := os.Open(folder)
		if err = cmp.Or(err, wrong); err != nil {
			return err
		}
		return errors.Join(d.Sync(), d.Close())
	})
}

// onDisk returns a new folder on the disk of the package, because a temporary folder may be in
// memory, where nothing has to be made durable.
func onDisk(b *testing.B) string {
	folder, err := os.MkdirTemp(".", "bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// benchmarkFork takes turns in forking and in calling floor with a new number, so both meet the
// same load.
func benchmarkFork(b *testing.B, address string, floor func(i int) error) {
	const turns = 10_000
	c, err := engine.New(still)
	if err != nil {
		b.Fatal(err)
	}
	for i := range turns {
		if _, err := c.Insert(engine.InCore(0), engine.Draft{Content: engine.Text(fmt.Sprint("turn ", i))}); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	frames, _, err := journal.NewHead(journal.About{ID: "long"}).Append(c.History())
	if err != nil {
		b.Fatal(err)
	}
	s, err := Open(b.Context(), address)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Append(b.Context(), "long", Version{}, frames...); err != nil {
		b.Fatal(err)
	}
	var forks, floors []time.Duration
	for b.Loop() {
		i, begun := len(forks)+1, time.Now()
		if _, err := s.Fork(b.Context(), "long", int64(i*7%turns+1), fmt.Sprint("fork ", i)); err != nil {
			b.Fatal(err)
		}
		forks = append(forks, time.Since(begun))
		begun = time.Now()
		if err := floor(i); err != nil {
			b.Fatal(err)
		}
		floors = append(floors, time.Since(begun))
	}
	stored := int64(0)
	for i, err := range s.List(b.Context(), "fork ") {
		if err != nil {
			b.Fatal(err)
		}
		stored += i.Bytes
	}
	b.ReportMetric(float64(stored)/float64(len(forks)), "B/fork")
	b.ReportMetric(median(forks), "p50-ms")
	b.ReportMetric(median(floors), "floor-ms")
}

// median returns the median in milliseconds.
func median(took []time.Duration) float64 {
	slices.Sort(took)
	return float64(took[len(took)/2]) / 1e6
}
