// Package sqlite reads SQLite databases for package source. A program that imports it can read
// them. It never writes: SQLite sees the database, with what its write-ahead log has, as a file
// that does not change.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"

	"github.com/pactkit/pactkit/thread/source"
)

func init() { source.OpenDatabase = open }

// opened numbers the names under which databases are known to SQLite.
var opened atomic.Int64

// maxHeap limits the memory of SQLite itself: its cache, and the values of a row.
const maxHeap = 64 << 20

// database is an open database.
type database struct {
	conn *sqlite3.Conn
	name string
}

// open opens a database. wal is its write-ahead log, which may be empty. No value may have more
// than limit bytes, and the log neither.
func open(ctx context.Context, in, wal io.ReaderAt, size, walSize, limit int64) (_ source.Database, err error) {
	defer recovered(&err)
	pages, err := overlaid(in, wal, size, walSize, limit)
	if err != nil {
		return nil, err
	}
	d := &database{name: "pactkit-" + strconv.FormatInt(opened.Add(1), 10)}
	readervfs.Create(d.name, pages)
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	flags := sqlite3.OPEN_READONLY | sqlite3.OPEN_URI
	if d.conn, err = sqlite3.OpenFlags("file:"+d.name+"?vfs=reader&immutable=1", flags); err != nil {
		return nil, err
	}
	d.conn.SetInterrupt(ctx)
	d.conn.HardHeapLimit(maxHeap + 2*limit)
	d.conn.Limit(sqlite3.LIMIT_LENGTH, int(min(limit, 1<<30)))
	for op, on := range map[sqlite3.DBConfig]bool{sqlite3.DBCONFIG_DEFENSIVE: true, sqlite3.DBCONFIG_TRUSTED_SCHEMA: false, sqlite3.DBCONFIG_ENABLE_VIEW: false} {
		if _, err := d.conn.Config(op, on); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// recovered makes an error of a panic of SQLite, which a damaged database may cause.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the database is damaged: %v", p)
	}
}

// Close closes the database.
func (d *database) Close() (err error) {
	defer recovered(&err)
	defer readervfs.Delete(d.name)
	if d.conn == nil {
		return nil
	}
	return d.conn.Close()
}

// Rows calls each with the columns of each row that a query selects. The strings are its own.
func (d *database) Rows(query string, args []string, each func(columns []string) error) (err error) {
	defer recovered(&err)
	stmt, _, err := d.conn.Prepare(query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	for i, arg := range args {
		if err := stmt.BindText(i+1, arg); err != nil {
			return err
		}
	}
	columns := make([]string, stmt.ColumnCount())
	for stmt.Step() {
		for i := range columns {
			columns[i] = stmt.ColumnText(i)
		}
		if err := each(columns); err != nil {
			return err
		}
	}
	return stmt.Err()
}
