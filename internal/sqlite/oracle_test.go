package sqlite_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/pactkit/pactkit/internal/sqlite"
)

// answers returns the rows that SQLite itself selects.
func answers(t *testing.T, c *sqlite3.Conn, sql string, args ...string) (rows []string) {
	t.Helper()
	stmt, _, err := c.Prepare(sql)
	if err != nil {
		t.Fatal(sql, err)
	}
	defer stmt.Close()
	for i, arg := range args {
		if err := stmt.BindText(i+1, arg); err != nil {
			t.Fatal(err)
		}
	}
	for stmt.Step() {
		var columns []string
		for i := range stmt.ColumnCount() {
			columns = append(columns, stmt.ColumnText(i))
		}
		rows = append(rows, fmt.Sprintf("%q", columns))
	}
	if err := stmt.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// rows returns those that package sqlite selects.
func rows(t *testing.T, db *sqlite.Database, q sqlite.Query) (rows []string) {
	t.Helper()
	if err := db.Rows(q, func(columns []string) error {
		rows = append(rows, fmt.Sprintf("%q", columns))
		return nil
	}); err != nil {
		t.Fatal(q, err)
	}
	return rows
}

// schema has what a table may have. Its rows are older than two of its columns.
const schema = `create table "My Table" (id integer primary key, "session id" text /* , not a column text */, [n] int, ` + "`r`" + ` real default (1), b blob,
 half as (n / 2), twice int generated always as (n * 2) stored, t varchar(10) collate nocase, u, unique (n, t), check (n is not 3));
create table keyed (a text, b integer, c text, primary key (b));
create table named (id text primary key, c) -- a comment, without rowid
;
create table other (a text primary key, b) without rowid;
create view v as select 1;
create index by_n on "My Table" (n);
create index some on "My Table" ("session id") where n > 3;
create index down on "My Table" ("session id" desc);
create index by_session on "My Table" ("session id", n);
create index by_t on "My Table" (t);
`

// Each query has the rows that SQLite selects, for all sizes of pages and encodings, with values of
// all types, on pages of their own and after deletions.
func TestOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for i, encoding := range []string{"utf-8", "utf-16le", "utf-16be", "utf-8", "utf-8"} {
		for _, size := range []int{512, 4096, 65536} {
			name := filepath.Join(t.TempDir(), fmt.Sprintf("%d-%d.db", i, size))
			c, err := sqlite3.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			vacuum := []string{"none", "full", "incremental"}[i%3]
			exec := func(sql string) {
				t.Helper()
				if err := c.Exec(sql); err != nil {
					t.Fatal(sql, err)
				}
			}
			exec(fmt.Sprintf("pragma page_size=%d; pragma encoding='%s'; pragma auto_vacuum=%s;", size, encoding, vacuum) + schema)
			if i > 2 {
				exec("pragma journal_mode=wal; pragma wal_autocheckpoint=0;")
			}
			fill(exec, random, 80, encoding == "utf-8")
			exec(`alter table "My Table" add column late text default 'it''s'; alter table "My Table" add column later default -1.5;`)
			fill(exec, random, 30, encoding == "utf-8")
			exec(`delete from "My Table" where id % 3 = 0; insert into keyed values ('x', 7, 'y'), ('z', -1, null); insert into named values ('k', 1), ('j', 2.5)`)
			if i == 4 {
				exec("pragma wal_checkpoint")
				fill(exec, random, 10, true)
			}
			wal := []byte{}
			if i > 2 {
				wal = read(t, name+"-wal")
			}
			data := read(t, name)
			db, err := sqlite.Open(t.Context(), bytes.NewReader(data), bytes.NewReader(wal), int64(len(data)), int64(len(wal)), 1<<24)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprint(encoding, "-", size, "-", i), func(t *testing.T) { compared(t, c, db) })
		}
	}
}

// compared compares the answers of queries.
func compared(t *testing.T, c *sqlite3.Conn, db *sqlite.Database) {
	t.Helper()
	names := answers(t, c, `select lower(t.name || '.' || c.name) from sqlite_schema t, pragma_table_xinfo(t.name) c where t.type = 'table' and t.name <> 'other' and c.hidden <> 2`)
	for i, name := range names {
		names[i] = strings.Trim(name, `[]"`)
	}
	if got := db.Columns(); !slices.Equal(got, names) {
		t.Errorf("columns\n%q\n%q", got, names)
	}
	columns := []string{"id", "session id", "n", "r", "b", "twice", "t", "u", "late", "later"}
	list := `"` + strings.Join(columns, `", "`) + `"`
	for _, order := range columns {
		got := rows(t, db, sqlite.Query{Table: "my table", Columns: columns, Order: []string{order}})
		if order == "t" {
			continue // is not ordered by bytes
		}
		if want := answers(t, c, `select `+list+` from "My Table" order by "`+order+`", id`); !slices.Equal(got, want) {
			t.Fatalf("order by %s: %d rows, want %d\n%s", order, len(got), len(want), firstOther(got, want))
		}
	}
	for _, where := range []string{"session id", "n", "u", "id"} {
		for _, is := range []string{"s1", "s2", "3", "none", "", "ä€😀"} {
			got := rows(t, db, sqlite.Query{Table: "my table", Columns: columns, Where: where, Is: is, Order: []string{"id"}})
			if want := answers(t, c, `select `+list+` from "My Table" where cast("`+where+`" as text) = ? order by id`, is); !slices.Equal(got, want) {
				t.Fatalf("where %s = %q: %d rows, want %d\n%s", where, is, len(got), len(want), firstOther(got, want))
			}
		}
	}
	for _, table := range []string{"keyed", "named"} {
		got := rows(t, db, sqlite.Query{Table: table, Columns: []string{"b", "c", "id"}})
		sql := "select b, c, null from keyed order by b"
		if table == "named" {
			sql = "select null, c, id from named order by rowid"
		}
		if want := answers(t, c, sql); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", table, got, want)
		}
	}
	if err := db.Rows(sqlite.Query{Table: "other"}, nil); err == nil {
		t.Error("a table without rowids was read")
	}
}

// firstOther returns the places where the first rows differ.
func firstOther(got, want []string) string {
	for i := range min(len(got), len(want)) {
		at := 0
		for at < min(len(got[i]), len(want[i])) && got[i][at] == want[i][at] {
			at++
		}
		if got[i] != want[i] {
			return fmt.Sprintf("…%.60q\n…%.60q", got[i][max(at-20, 0):], want[i][max(at-20, 0):])
		}
	}
	return ""
}

// fill inserts rows of random values.
func fill(exec func(string), random *rand.Rand, n int, blobs bool) {
	texts := []string{"null", "'s1'", "'s2'", "''", "'ä€😀'", "3", "-1.25", "x'00ff'", "1e300", "9007199254740993", "-129", "40000", "8388607", "2147483648", "140737488355328", "0", "1", "4.0", "0.1"}
	if !blobs { // which SQLite takes for text in the encoding of the database
		texts = slices.DeleteFunc(texts, func(s string) bool { return s[0] == 'x' })
	}
	one := func() string {
		switch random.IntN(12) {
		case 0:
			return fmt.Sprintf("printf('%%.*c', %d, 'x')", random.IntN(5000))
		case 1:
			if !blobs {
				return "null"
			}
			return fmt.Sprintf("zeroblob(%d)", random.IntN(100_000)/(1+random.IntN(400)))
		}
		return texts[random.IntN(len(texts))]
	}
	exec("begin")
	for range n {
		session := []string{"'s1'", "'s2'", "'s3'", "null", "3", one()}[random.IntN(6)]
		exec(fmt.Sprintf(`insert or ignore into "My Table" (id, "session id", n, r, b, t, u) values (%d, %s, %s, %s, %s, %s, %s)`,
			random.Int64N(1<<random.IntN(60)), session, one(), one(), one(), one(), one()))
	}
	exec("commit")
}
