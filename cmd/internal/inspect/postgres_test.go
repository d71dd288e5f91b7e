//go:build unix && postgres

package inspect

import (
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// TestPostgres looks at histories in a real PostgreSQL.
func TestPostgres(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) { storeIsShown(t, server.URL()) })
}
