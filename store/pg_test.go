//go:build unix && postgres

package store

import (
	"fmt"
	"sync/atomic"
	"testing"

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
