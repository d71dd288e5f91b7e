//go:build unix && postgres

package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// TestUnnamed runs the suite without prepared statements, on few connections.
func TestUnnamed(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		testStore(t, func(t *testing.T) Store {
			return open(t, newSchema(t, server)+"&default_query_exec_mode=exec&pool_max_conns=2&pool_min_conns=1&pool_max_conn_lifetime=300ms")
		})
	})
}

// TestTypes sends values to a server, and compares what comes back.
func TestTypes(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		p, err := newPGPool(server.URL())
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		texts := []string{"", "null", "NULL", `"`, `\`, `\"`, `a,b}{`, " a ", "ü世\u2028🙂", "\n\t\x01", strings.Repeat(`\"`, 1000)}
		all := [][]byte{nil, {}, {0}, []byte("\xff\\\"{},"), []byte(`\x00`)}
		numbers := []int64{0, 1, -1, math.MaxInt64, math.MinInt64}
		flags := []bool{true, false, true}
		var text string
		var data []byte
		var n int64
		var flag bool
		var gotTexts []string
		var gotData [][]byte
		var gotNumbers []int64
		var gotFlags []bool
		for _, list := range []struct {
			kind string
			arg  any
			into any
			f    func()
		}{
			{"text", texts, &text, func() { gotTexts = append(gotTexts, text) }},
			{"bytea", all, &data, func() { gotData = append(gotData, data) }},
			{"bigint", numbers, &n, func() { gotNumbers = append(gotNumbers, n) }},
			{"boolean", flags, &flag, func() { gotFlags = append(gotFlags, flag) }},
		} {
			if err := forEachRow(t.Context(), p, []any{list.into}, list.f, "select x from unnest($1::"+list.kind+"[]) as x", list.arg); err != nil {
				t.Errorf("%s: %v", list.kind, err)
			}
		}
		if diff := cmp.Diff([]any{texts, all, numbers, flags}, []any{gotTexts, gotData, gotNumbers, gotFlags}); diff != "" {
			t.Error(diff)
		}
		var small, middle int64
		var none, some *int64
		var at time.Time
		want := time.Date(1999, 2, 3, 4, 5, 6, 789000, time.UTC)
		err = queryRow(t.Context(), p, []any{&small, &middle, &none, &some, &at}, "select $1::smallint, $2::integer, $3::bigint, $4::bigint, $5::timestamptz",
			-7, math.MinInt32, (*int64)(nil), &numbers[3], want.Format(time.RFC3339Nano))
		if err != nil || small != -7 || middle != math.MinInt32 || none != nil || some == nil || *some != math.MaxInt64 || !at.Equal(want) {
			t.Error(err, small, middle, none, some, at)
		}
		for _, into := range []any{&text, &data, &flag, &at} {
			if err := queryRow(t.Context(), p, []any{into}, "select $1::bigint", 5); !errors.Is(err, errType) {
				t.Errorf("a number in %T: %v", into, err)
			}
		}
		for _, sql := range []string{"select $1::text", "select nullif($1::bigint, 12345678)"} {
			if err := queryRow(t.Context(), p, []any{&n}, sql, "12345678"); !errors.Is(err, errType) {
				t.Errorf("%s as a number: %v", sql, err)
			}
		}
	})
}

// TestForgotten continues after the server has forgotten prepared statements, or they have become
// invalid.
func TestForgotten(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		p, err := newPGPool(newSchema(t, server))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if _, err := execute(t.Context(), p, "create table a (n int, m int); insert into a values (1, 2)"); err != nil {
			t.Fatal(err)
		}
		err = p.with(t.Context(), func(c *pgConn) error {
			for _, change := range []string{"select 1", "deallocate all", "alter table a drop column m"} {
				if _, err := execute(t.Context(), c, change); err != nil {
					return err
				}
				var codes []string
				for range 2 {
					_, err := execute(t.Context(), c, "select * from a where n = $1", 1)
					if e, ok := errors.AsType[*pgconn.PgError](err); ok {
						codes = append(codes, e.Code)
					} else if err != nil {
						return err
					}
				}
				if want := map[string][]string{"deallocate all": {"26000"}, "alter table a drop column m": {"0A000"}}[change]; !slices.Equal(codes, want) {
					t.Errorf("after %s: %v", change, codes)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
