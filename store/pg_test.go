//go:build unix && postgres

package store

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

var schemas atomic.Int64

// newSchema returns the address of a new schema of a server.
func newSchema(t *testing.T, server *pgserver.Server) string {
	t.Helper()
	name := fmt.Sprintf("s%d", schemas.Add(1))
	if _, err := server.Query(t.Context(), "create schema "+name); err != nil {
		t.Fatal(err)
	}
	return server.URL() + "&search_path=" + name
}

func TestPostgres(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		testStore(t, func(t *testing.T) Store { return open(t, newSchema(t, server)) })
	})
}

// BenchmarkForkPostgres is BenchmarkFork in PostgreSQL. There, floor-ms is the time of a commit of
// one row of as many bytes.
func BenchmarkForkPostgres(b *testing.B) {
	bins, err := pgserver.Bins()
	if err != nil {
		b.Fatal(err)
	}
	server, err := pgserver.Start(b.Context(), bins[0])
	if err != nil {
		b.Fatal(err)
	}
	defer server.Stop()
	pool, err := pgxpool.New(b.Context(), server.URL())
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(b.Context(), "create table floor (id int, data text)"); err != nil {
		b.Fatal(err)
	}
	benchmarkFork(b, server.URL(), func(i int) error {
		_, err := pool.Exec(b.Context(), "insert into floor values ($1, repeat('x', 500))", i)
		return err
	})
}
