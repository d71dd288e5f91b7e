//go:build unix

package pgserver

import (
	"path/filepath"
	"testing"
)

// Each runs a test on a new server of every version that [Bins] finds.
func Each(t *testing.T, test func(*testing.T, *Server)) {
	t.Helper()
	bins, err := Bins()
	if err != nil {
		t.Fatal(err)
	}
	for _, bin := range bins {
		t.Run(filepath.ToSlash(bin), func(t *testing.T) {
			server, err := Start(t.Context(), bin)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := server.Stop(); err != nil {
					t.Error(err)
				}
			})
			test(t, server)
		})
	}
}
