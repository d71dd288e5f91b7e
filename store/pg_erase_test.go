//go:build unix && postgres

package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// pgRows asks the database of a server. TABLE in a query is the table of frames of a schema.
type pgRows struct {
	*testing.T
	server *pgserver.Server
	table  string
}

func newRows(t *testing.T, server *pgserver.Server) (r pgRows, address string) {
	t.Helper()
	address = newSchema(t, server)
	return pgRows{t, server, address[strings.LastIndexByte(address, '=')+1:] + ".pactkit_frame"}, address
}

func (r pgRows) ask(query string) string {
	r.Helper()
	out, err := r.server.Query(r.Context(), strings.ReplaceAll(query, "TABLE", r.table))
	if err != nil {
		r.Fatal(err)
	}
	return out
}

// holders lists the tables and indexes of the database whose data files have a secret, and "dump"
// if a dump of it does.
func (r pgRows) holders() string {
	r.Helper()
	r.ask("checkpoint")
	list := r.ask(`select relname from pg_class where relkind in ('r', 'i', 't', 'm') and position('SECRET'::bytea in pg_read_binary_file(pg_relation_filepath(oid))) > 0 order by relname`)
	dump, err := r.server.Dump(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	if strings.Contains(dump, "SECRET") {
		list += " dump"
	}
	return list
}

// TestErasedRows erases from a history with forks, which another one shows, and checks what
// docs/scale.md says of the database: no row has the text or a digest that depends on it, nor does
// a dump, and vacuum writes data files without it.
func TestErasedRows(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		r, address := newRows(t, server)
		s := open(t, address)
		defer s.Close()
		ids := family(t, s, 10)
		digests := r.ask("select string_agg(encode(digest, 'hex'), ',') from TABLE where kind <> 0 and history <> 'h'")
		r.ask("analyze TABLE")
		if got := strings.Fields(r.holders()); !slices.Equal(got, []string{"pactkit_frame", "pg_statistic", "dump"}) {
			t.Errorf("before: %q", got)
		}
		e, err := Erase(t.Context(), s, "a", ids...)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Found) != 0 || fmt.Sprint(e.Related) != "[f g]" {
			t.Errorf("found in %v, related %v", e.Found, e.Related)
		}
		for digest := range strings.SplitSeq(digests, ",") {
			if got := r.ask(fmt.Sprintf("select count(*) from TABLE where body like '%%SECRET%%' or body like '%%%s%%' or digest = '\\x%s'", digest, digest)); got != "0" {
				t.Errorf("%s rows have an erased text or its digest %s", got, digest)
			}
		}
		if got := r.holders(); strings.Contains(got, "dump") {
			t.Error("the dump has the text")
		}
		r.ask("vacuum (full, analyze) TABLE")
		r.ask("vacuum full pg_statistic")
		if got := r.holders(); got != "" {
			t.Errorf("after vacuum: %q", got)
		}
		wantFamilyErased(t, s, "erased")
	})
}

// TestKilledErasure kills the client of a database at every step of an erasure. Until the first
// history is erased, nothing is changed. When the erasure is repeated, nothing has the text.
func TestKilledErasure(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		counts := map[bool]int{}
		var r pgRows
		for k, done := int64(1), false; !done && !t.Failed(); k++ {
			var address string
			r, address = newRows(t, server)
			s := open(t, address)
			ids := family(t, s, 10)
			c := newCutter(t, fmt.Sprintf("127.0.0.1:%d", server.Port))
			victim := open(t, c.of(server, address))
			victim.(*pgStore).patience = 0
			c.kill.Store(c.messages.Load() + k)
			_, err := Erase(t.Context(), victim, "a", ids...)
			done = err == nil
			_ = victim.Close() // it has no connection
			when := fmt.Sprintf("killed after message %d (%v)", k, err)
			counts[r.ask("select count(*) from TABLE where history = 'a' and body like '%SECRET%'") == "0"]++
			if _, err := Erase(t.Context(), s, "a", ids...); err != nil {
				t.Errorf("%s: again: %v", when, err)
			}
			if got := r.ask("select count(*) from TABLE where body like '%SECRET%'"); got != "0" {
				t.Errorf("%s: %s rows have the text", when, got)
			}
			wantFamilyErased(t, s, when)
			_ = s.Close()
		}
		for _, query := range []string{"vacuum full", "analyze", "vacuum full pg_statistic"} {
			r.ask(query)
		}
		if got := r.holders(); got != "" {
			t.Errorf("after vacuum: %q", got)
		}
		if counts[false] < 3 || counts[true] < 4 {
			t.Errorf("%v", counts)
		}
		fmt.Printf("PostgreSQL, an erasure killed at each of %d steps, at %d with the first history erased: none has the text when it is repeated\n",
			counts[false]+counts[true]-1, counts[true]-1)
	})
}
