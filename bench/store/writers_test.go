//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// BenchmarkWriters counts the durable appends per second of one writer and of eight, each to its
// own history and all to one history. docs/scale.md has the figures.
func BenchmarkWriters(b *testing.B) {
	dir := onDisk(b)
	bins, err := pgserver.Bins()
	if err != nil {
		b.Fatal(err)
	}
	server, err := pgserver.Start(context.Background(), bins[0])
	if err != nil {
		b.Fatal(err)
	}
	stop := func(s *pgserver.Server) {
		b.Cleanup(func() {
			if err := s.Stop(); err != nil {
				b.Error(err)
			}
		})
	}
	stop(server)
	for _, kind := range []string{"file", "postgres", "standby"} {
		address := server.URL()
		switch kind {
		case "file":
			address = "file:" + dir
		case "standby": // from here on, every append also waits for the standby
			standby, err := server.Standby(b.Context(), "sb")
			if err != nil {
				b.Fatal(err)
			}
			stop(standby)
		}
		for _, writers := range []int{1, 8} {
			for _, shared := range []bool{false, true} {
				if writers == 1 && shared {
					continue
				}
				b.Run(fmt.Sprintf("store=%s/writers=%d/shared=%v", kind, writers, shared), func(b *testing.B) {
					race(b, address, writers, shared)
				})
			}
		}
	}
}

// race lets writers append to one shared history or to one history each, until b.N appends have
// succeeded.
func race(b *testing.B, address string, writers int, shared bool) {
	s, err := store.Open(b.Context(), address)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	histories++
	run := histories
	var left, conflicts atomic.Int64
	left.Store(int64(b.N))
	var wait sync.WaitGroup
	b.ResetTimer()
	for w := range writers {
		id := "writers" + strconv.Itoa(run)
		if !shared {
			id += "-" + strconv.Itoa(w)
		}
		wait.Go(func() {
			var head store.Version
			for left.Add(-1) >= 0 {
				n, err := appendNext(b.Context(), s, id, &head)
				if err != nil {
					b.Error(err)
					return
				}
				conflicts.Add(n)
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
	b.ReportMetric(float64(conflicts.Load())/float64(b.N), "conflicts/op")
}

// appendNext appends one frame to a history after the head that the writer knows. If another writer
// came first, it reads the new head and tries again.
func appendNext(ctx context.Context, s store.Store, id string, head *store.Version) (conflicts int64, err error) {
	for {
		f := journal.Frame{Kind: journal.Delta, Cycle: head.Cycle + 1, End: true, Body: body(head.Cycle + 1)}
		f.Digest = journal.Chain(head.Digest, f.Body)
		frames := []journal.Frame{f}
		if *head == (store.Version{}) {
			header := journal.Frame{Kind: journal.Header, Body: `{"format":"pactkit-journal","version":2}`}
			header.Digest = journal.Chain(journal.Digest{}, header.Body)
			first := journal.Frame{Kind: journal.Snapshot, Cycle: 1, End: true, Body: `{"cycle":1,"end":true,"snapshot":{}}`}
			first.Digest = journal.Chain(header.Digest, first.Body)
			frames = []journal.Frame{header, first}
		}
		next, err := s.Append(ctx, id, *head, frames...)
		if err == nil {
			*head = next
			return conflicts, nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return conflicts, err
		}
		conflicts++
		if *head, err = s.Head(ctx, id); err != nil {
			return conflicts, err
		}
	}
}
