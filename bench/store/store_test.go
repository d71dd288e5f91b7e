//go:build unix

package store

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pactkit/pactkit/internal/test/pgserver"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// body returns the body of a frame with the size of a commit of twelve nodes.
func body(cycle int64) string {
	return `{"cycle":` + strconv.FormatInt(cycle, 10) + `,"delta":{"added":["` + text + `"]},"end":true}`
}

var text = strings.Repeat("x", 2000)

// histories counts the histories created so far.
var histories int

// appendAll appends frames to a new history.
func appendAll(b *testing.B, s store.Store) {
	b.Helper()
	histories++
	ctx, id := b.Context(), "history"+strconv.Itoa(histories)
	header := journal.Frame{Kind: journal.Header, Body: `{"format":"pactkit-journal","version":2}`}
	header.Digest = journal.Chain(journal.Digest{}, header.Body)
	first := journal.Frame{Kind: journal.Snapshot, Cycle: 1, End: true, Body: `{"cycle":1,"end":true,"snapshot":{}}`}
	first.Digest = journal.Chain(header.Digest, first.Body)
	head, err := s.Append(ctx, id, store.Version{}, header, first)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f := journal.Frame{Kind: journal.Delta, Cycle: head.Cycle + 1, End: true, Body: body(head.Cycle + 1)}
		f.Digest = journal.Chain(head.Digest, f.Body)
		if head, err = s.Append(ctx, id, head, f); err != nil {
			b.Fatal(err)
		}
	}
}

// onDisk makes a folder on disk, rather than on a temporary file system in memory, where an fsync
// costs nothing.
func onDisk(b *testing.B) string {
	dir, err := os.MkdirTemp(".", "bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			b.Error(err)
		}
	})
	return dir
}

func BenchmarkFile(b *testing.B) {
	dir := onDisk(b)
	b.Run("lib=fsync", func(b *testing.B) {
		f, err := os.Create(filepath.Join(dir, "bare"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for n := int64(0); b.Loop(); n++ {
			if _, err := f.WriteString(body(n) + "\n"); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("lib=pactkit", func(b *testing.B) {
		s, err := store.Open(b.Context(), "file:"+dir)
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		appendAll(b, s)
	})
}

func BenchmarkPostgres(b *testing.B) {
	bins, err := pgserver.Bins()
	if err != nil {
		b.Fatal(err)
	}
	server, err := pgserver.Start(context.Background(), bins[0])
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	})
	b.Run("lib=insert", func(b *testing.B) {
		pool, err := pgxpool.New(b.Context(), server.URL())
		if err != nil {
			b.Fatal(err)
		}
		defer pool.Close()
		if _, err := pool.Exec(b.Context(), "drop table if exists bare; create table bare (history bytea, seq bigint, body text, primary key (history, seq))"); err != nil {
			b.Fatal(err)
		}
		for n := int64(0); b.Loop(); n++ {
			if _, err := pool.Exec(b.Context(), "insert into bare (history, seq, body) values ($1, $2, $3)", []byte("history"), n, body(n)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("lib=pactkit", func(b *testing.B) {
		s, err := store.Open(b.Context(), server.URL())
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		appendAll(b, s)
	})
}
