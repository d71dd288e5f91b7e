//go:build unix && postgres

package store

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/pactkit/pactkit/internal/pgserver"
)

// servers runs a test on a new server of each kind.
func servers(t *testing.T, run func(*testing.T, *pgserver.Server)) {
	t.Helper()
	bins, err := pgserver.Bins()
	if err != nil {
		t.Fatal(err)
	}
	for _, bin := range bins {
		t.Run(filepath.ToSlash(bin), func(t *testing.T) {
			server, err := pgserver.Start(t.Context(), bin)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := server.Stop(); err != nil {
					t.Error(err)
				}
			})
			run(t, server)
		})
	}
}

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
	servers(t, func(t *testing.T, server *pgserver.Server) {
		testStore(t, func(t *testing.T) Store { return open(t, newSchema(t, server)) })
	})
}
