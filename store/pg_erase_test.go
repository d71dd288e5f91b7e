//go:build unix && postgres

package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// TestErasedRows erases, and checks what docs/scale.md says of the database: no row has the text or
// a digest that depends on it, and vacuum full writes a data file without it.
func TestErasedRows(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		address := newSchema(t, server)
		schema := address[strings.LastIndexByte(address, '=')+1:]
		ask := func(query string) string {
			t.Helper()
			out, err := server.Query(t.Context(), strings.ReplaceAll(query, "TABLE", schema+".pactkit_frame"))
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSpace(out)
		}
		s := open(t, address)
		defer s.Close()
		ids := secrets(t, s, "a", 10)
		old := ask("select count(*) from TABLE")
		digests := ask("select string_agg(encode(digest, 'hex'), ',') from TABLE where kind <> 0")
		holds := "select position('SECRET'::bytea in pg_read_binary_file(pg_relation_filepath('TABLE'))) > 0"
		if ask("checkpoint"); ask(holds) != "t" {
			t.Error("the data file does not have the text")
		}
		e, err := Erase(t.Context(), s, "a", ids...)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask("select count(*) from TABLE"); got != old {
			t.Errorf("%s rows, and %s before", got, old)
		}
		for digest := range strings.SplitSeq(digests, ",") {
			if got := ask(fmt.Sprintf("select count(*) from TABLE where body like '%%SECRET%%' or body like '%%%s%%' or digest = '\\x%s'", digest, digest)); got != "0" {
				t.Errorf("%s rows have an erased text or its digest %s", got, digest)
			}
		}
		if len(e.Found) != 0 {
			t.Errorf("found in %v", e.Found)
		}
		ask("vacuum full TABLE")
		ask("checkpoint")
		if ask(holds) != "f" {
			t.Error("after vacuum full the data file still has the text")
		}
	})
}
