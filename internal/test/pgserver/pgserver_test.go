//go:build unix && postgres

package pgserver

import (
	"testing"
)

// TestServer starts every server, kills it, starts it again, and promotes its standby.
func TestServer(t *testing.T) {
	bins, err := Bins()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for _, bin := range bins {
		t.Run(bin, func(t *testing.T) {
			s, err := Start(ctx, bin)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := s.Stop(); err != nil {
					t.Error(err)
				}
			}()
			if _, err := s.Query(ctx, "create table t (n int); insert into t values (1)"); err != nil {
				t.Fatal(err)
			}
			if err := s.Kill(); err != nil {
				t.Fatal(err)
			}
			if err := s.Launch(ctx); err != nil {
				t.Fatal(err)
			}
			standby, err := s.Standby(ctx, "sb")
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := standby.Stop(); err != nil {
					t.Error(err)
				}
			}()
			if _, err := s.Query(ctx, "insert into t values (2)"); err != nil {
				t.Fatal(err)
			}
			if err := s.Kill(); err != nil {
				t.Fatal(err)
			}
			if err := standby.Promote(ctx); err != nil {
				t.Fatal(err)
			}
			if got, err := standby.Query(ctx, "insert into t values (3); select sum(n) from t"); err != nil || got != "6" {
				t.Errorf("the standby has the sum %q, %v", got, err)
			}
		})
	}
}
