//go:build unix && postgres

package inspect

import (
	"testing"

	"github.com/pactkit/pactkit/internal/pgserver"
)

// TestPostgres looks at histories in a real PostgreSQL.
func TestPostgres(t *testing.T) {
	bins, err := pgserver.Bins()
	if err != nil {
		t.Fatal(err)
	}
	for _, bin := range bins {
		t.Run(bin, func(t *testing.T) {
			server, err := pgserver.Start(t.Context(), bin)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := server.Stop(); err != nil {
					t.Error(err)
				}
			}()
			storeIsShown(t, server.URL())
		})
	}
}
