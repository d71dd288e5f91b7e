//go:build unix && postgres

package cli

import (
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// TestPostgresHomes is TestHomes with PostgreSQL as one more home.
func TestPostgresHomes(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		moreHomes = []func(*testing.T) home{func(*testing.T) home { return inStore("PostgreSQL", server.URL(), false, false) }}
		defer func() { moreHomes = nil }()
		TestHomes(t)
	})
}
