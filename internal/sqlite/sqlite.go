// Package sqlite reads tables of SQLite databases: all rows, or those with a value in a column. It
// knows the file format and no SQL, since SQLite itself would be a sixth of each program. It never
// writes: a database, with what its write-ahead log has, is a file that does not change.
package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Magic is the beginning of a database.
const Magic = "SQLite format 3\x00"

const (
	headerSize = 100
	maxCached  = 4 << 20 // bytes of pages
)

// Database is an open database. It is not safe for concurrent use.
type Database struct {
	*view
	ctx      context.Context // ends all reading
	limit    int64           // of the bytes of a row
	size     int64           // of a page
	usable   int64           // bytes of a page that hold content
	pages    uint32          // of the whole database
	encoding byte            // of text, as the header has it
	cached   map[uint32][]byte
	tables   []*table // in the order of the schema
	more     uint32   // how many pages that continue rows the present query may read
}

// Open opens a database, which is readable until ctx ends. wal is its write-ahead log, which may be
// empty. No row may have more than limit bytes, and the log neither.
func Open(ctx context.Context, in, wal io.ReaderAt, size, walSize, limit int64) (*Database, error) {
	v, err := overlaid(in, wal, size, walSize, limit)
	if err != nil {
		return nil, err
	}
	header := make([]byte, headerSize)
	if _, err := v.ReadAt(header, 0); errors.Is(err, io.EOF) || err == nil && string(header[:len(Magic)]) != Magic {
		return nil, errors.New("the file is not a database")
	} else if err != nil {
		return nil, err
	}
	d := &Database{view: v, ctx: ctx, limit: limit, size: int64(binary.BigEndian.Uint16(header[16:])), encoding: header[59], cached: map[uint32][]byte{}}
	if d.size == 1 { // 65536 does not fit
		d.size = 1 << 16
	}
	d.usable, d.pages = d.size-int64(header[20]), uint32(min(v.size/max(d.size, 1), 1<<32-2))
	if d.size < 512 || d.size&(d.size-1) != 0 || d.usable < 480 || header[19] > 2 || d.encoding > utf16be {
		return nil, errors.New("the file is not a database that is known")
	}
	return d, d.readSchema()
}

// Columns returns the columns of all tables, as table.column in small letters.
func (d *Database) Columns() (names []string) {
	for _, t := range d.tables {
		for _, c := range t.columns {
			names = append(names, t.name+"."+c.name)
		}
	}
	return names
}

// Query selects rows of a table.
type Query struct {
	Table     string
	Columns   []string // null for a column that the table does not have
	Where, Is string   // unless Where is empty, only the rows whose column Where has the text Is
	Order     []string // the columns by which the rows are ordered; rows that are equal in them are ordered by id
}

// Rows calls each with the columns of each row that a query selects, as text, until it fails. Null
// is the empty text. The strings stay valid, the slice does not. With an index of Where, the cost
// grows with the selected rows; without one, with the table.
func (d *Database) Rows(q Query, each func(columns []string) error) error {
	i := slices.IndexFunc(d.tables, func(t *table) bool { return t.name == q.Table })
	if i < 0 {
		return fmt.Errorf("there is no table %q", q.Table)
	}
	t := d.tables[i]
	// Each of these pages continues one row, which is read up to three times: from the index, for
	// its order and for its columns. This ends a damaged database.
	d.more = 3 * d.pages
	columns := t.positions(q.Columns)
	texts := make([]string, len(columns))
	give := func(r *row) error {
		for i, at := range columns {
			v, err := r.column(t, at)
			if err != nil {
				return err
			}
			texts[i] = v.String()
		}
		return each(texts)
	}
	if len(q.Order) == 0 {
		return d.selected(t, q, give)
	}
	return d.ordered(t, q, give)
}

// ordered calls each with the rows of a query in their order. Only the keys of all rows are in
// memory.
func (d *Database) ordered(t *table, q Query, each func(*row) error) error {
	type key struct {
		id     int64
		values []value
	}
	var keys []key
	order := t.positions(q.Order)
	err := d.selected(t, q, func(r *row) error {
		k := key{id: r.id, values: make([]value, len(order))}
		for i, at := range order {
			v, err := r.column(t, at)
			if err != nil {
				return err
			}
			k.values[i] = v.kept()
		}
		keys = append(keys, k)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(slices.CompareFunc(a.values, b.values, value.compare), cmp.Compare(a.id, b.id))
	})
	for _, k := range keys {
		if err := d.seek(t.root, k.id, each); err != nil {
			return err
		}
	}
	return nil
}

// selected calls each with the rows of a query, in any order.
func (d *Database) selected(t *table, q Query, each func(*row) error) error {
	if q.Where == "" {
		return d.scan(t.root, each)
	}
	where := t.positions([]string{q.Where})[0]
	if where < 0 {
		return fmt.Errorf("table %q has no column %q", q.Table, q.Where)
	}
	matching := func(r *row) error {
		v, err := r.column(t, where)
		if err != nil || v.kind == null || v.String() != q.Is {
			return err
		}
		return each(r)
	}
	if index := t.index(q.Where); index != 0 && d.encoding <= utf8 {
		return d.lookUp(index, value{kind: text, text: []byte(q.Is)}, func(id int64) error {
			return d.seek(t.root, id, matching)
		})
	}
	return d.scan(t.root, matching)
}

// page returns a page, which are numbered from 1. The bytes may not be changed.
func (d *Database) page(n uint32) ([]byte, error) {
	if p, ok := d.cached[n]; ok {
		return p, nil
	}
	if n == 0 || n > d.pages {
		return nil, damaged(n)
	}
	if err := d.ctx.Err(); err != nil {
		return nil, err
	}
	if int64(len(d.cached)) >= max(maxCached/d.size, 1) {
		clear(d.cached)
	}
	p := make([]byte, d.size)
	if _, err := d.ReadAt(p, int64(n-1)*d.size); err != nil && err != io.EOF {
		return nil, err
	}
	d.cached[n] = p
	return p, nil
}

func damaged(page uint32) error { return fmt.Errorf("the database is damaged at page %d", page) }

// lower returns an ASCII name in small letters: names in SQL have no case.
func lower(name string) string { return strings.ToLower(name) }
