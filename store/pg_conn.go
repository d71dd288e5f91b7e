package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

var (
	errNoRow = errors.New("no row")
	// errType is the error for a column that is not of the expected type.
	errType = errors.New("a column has another type")
)

// pgConn is a connection. It prepares each statement once.
type pgConn struct {
	*pgconn.PgConn
	unnamed  bool // prepares none
	prepared map[string]*pgconn.StatementDescription
	names    int
}

// querier is the pool, for statements on their own, or a connection with a transaction.
type querier interface {
	with(context.Context, func(*pgConn) error) error
}

func (c *pgConn) with(_ context.Context, f func(*pgConn) error) error { return f(c) }

// statement is a statement with its arguments.
type statement struct {
	sql  string
	args []any
}

// execute runs a statement, and returns how many rows it changed. Without arguments, sql may
// consist of several statements.
func execute(ctx context.Context, q querier, sql string, args ...any) (changed int64, err error) {
	err = q.with(ctx, func(c *pgConn) error {
		if len(args) == 0 {
			_, err := c.Exec(ctx, sql).ReadAll()
			return err
		}
		changed, err = c.each(ctx, statement{sql, args}, nil, nil)
		return err
	})
	return changed, err
}

// queryRow runs a query with at most one row. Without a row, the error is errNoRow.
func queryRow(ctx context.Context, q querier, into []any, sql string, args ...any) error {
	found := false
	err := forEachRow(ctx, q, into, func() { found = true }, sql, args...)
	if err == nil && !found {
		err = errNoRow
	}
	return err
}

// forEachRow runs a query, which has arguments, and calls f after each row was stored.
func forEachRow(ctx context.Context, q querier, into []any, f func(), sql string, args ...any) error {
	return q.with(ctx, func(c *pgConn) error {
		_, err := c.each(ctx, statement{sql, args}, into, f)
		return err
	})
}

func (c *pgConn) each(ctx context.Context, s statement, into []any, f func()) (int64, error) {
	values, formats := arguments(s.args)
	var rows *pgconn.ResultReader
	if c.unnamed {
		rows = c.ExecParams(ctx, s.sql, values, nil, formats, inBinary)
	} else {
		p, err := c.prepare(ctx, s.sql)
		if err != nil {
			return 0, err
		}
		rows = c.ExecStatement(ctx, p, values, formats, inBinary)
	}
	changed, err := readRows(rows, into, f)
	return changed, c.forget(s.sql, err)
}

// batch runs statements in one round trip, and in one transaction. The rows are those of the last.
func (c *pgConn) batch(ctx context.Context, into []any, list ...statement) error {
	var b pgconn.Batch
	for _, s := range list {
		values, formats := arguments(s.args)
		if c.unnamed {
			b.ExecParams(s.sql, values, nil, formats, inBinary)
			continue
		}
		p, err := c.prepare(ctx, s.sql)
		if err != nil {
			return err
		}
		b.ExecStatement(p, values, formats, inBinary)
	}
	results := c.ExecBatch(ctx, &b)
	var err error
	for n := 1; err == nil && results.NextResult(); n++ {
		var columns []any
		if n == len(list) {
			columns = into
		}
		_, err = readRows(results.ResultReader(), columns, nil)
	}
	err = cmp.Or(err, results.Close())
	for _, s := range list {
		_ = c.forget(s.sql, err)
	}
	return err
}

func (c *pgConn) prepare(ctx context.Context, sql string) (*pgconn.StatementDescription, error) {
	if p := c.prepared[sql]; p != nil {
		return p, nil
	}
	c.names++
	p, err := c.Prepare(ctx, "pactkit_"+strconv.Itoa(c.names), sql, nil)
	if err == nil {
		c.prepared[sql] = p
	}
	return p, err
}

// forget prepares a statement again if the error says so: the server does not have it any more, or
// its tables have changed.
func (c *pgConn) forget(sql string, err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && (e.Code == "26000" || e.Code == "0A000") {
		delete(c.prepared, sql)
	}
	return err
}

// transact runs f in a transaction. If that cannot be rolled back, the pool does not use the
// connection again.
func transact(ctx context.Context, q querier, f func(*pgConn) error) error {
	return q.with(ctx, func(c *pgConn) error {
		if _, err := execute(ctx, c, "begin"); err != nil {
			return err
		}
		if err := f(c); err != nil {
			_, _ = execute(ctx, c, "rollback")
			return err
		}
		results, err := c.Exec(ctx, "commit").ReadAll()
		if err == nil && results[0].CommandTag.String() == "ROLLBACK" {
			err = errors.New("the server rolled back instead of committing")
		}
		return err
	})
}

// readRows stores each row, and calls f after it, which may be nil. If into is nil, it ignores the
// rows.
func readRows(rows *pgconn.ResultReader, into []any, f func()) (changed int64, err error) {
	for rows.NextRow() {
		if err != nil || into == nil {
			continue
		}
		if err = scan(rows, into); err == nil && f != nil {
			f()
		}
	}
	tag, closed := rows.Close()
	return tag.RowsAffected(), cmp.Or(err, closed)
}

// scan stores the columns of a row, which are in binary.
func scan(rows *pgconn.ResultReader, into []any) error {
	for i, v := range rows.Values() {
		field := rows.FieldDescriptions()[i]
		n, isInt := integer(field.DataTypeOID, v)
		ok := false
		switch to := into[i].(type) {
		case *int64:
			*to, ok = n, isInt
		case **int64:
			if *to, ok = nil, isInt || v == nil; isInt {
				*to = &n
			}
		case *bool:
			if ok = field.DataTypeOID == pgtype.BoolOID && len(v) == 1; ok {
				*to = v[0] != 0
			}
		case *[]byte:
			*to, ok = bytes.Clone(v), field.DataTypeOID == pgtype.ByteaOID
		case *string:
			*to, ok = string(v), field.DataTypeOID == pgtype.TextOID && v != nil
		case *time.Time:
			if ok = field.DataTypeOID == pgtype.TimestamptzOID && len(v) == 8; ok {
				const epoch = 946_684_800_000_000 // the year 2000
				*to = time.UnixMicro(epoch + int64(binary.BigEndian.Uint64(v)))
			}
		}
		if !ok {
			return fmt.Errorf("%w: %s", errType, field.Name)
		}
	}
	return nil
}

func integer(oid uint32, v []byte) (int64, bool) {
	switch {
	case oid == pgtype.Int2OID && len(v) == 2:
		return int64(int16(binary.BigEndian.Uint16(v))), true
	case oid == pgtype.Int4OID && len(v) == 4:
		return int64(int32(binary.BigEndian.Uint32(v))), true
	case oid == pgtype.Int8OID && len(v) == 8:
		return int64(binary.BigEndian.Uint64(v)), true
	}
	return 0, false
}

// inBinary is the format of all results.
var inBinary = []int16{pgtype.BinaryFormatCode}

// arguments encodes arguments: bytes in binary, all others as text, which the server reads as the
// type it expects.
func arguments(args []any) (values [][]byte, formats []int16) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case []byte:
			values[i], formats[i] = v, pgtype.BinaryFormatCode
		case string:
			values[i] = []byte(v)
		case *int64:
			if v != nil {
				values[i] = strconv.AppendInt(nil, *v, 10)
			}
		case []int64:
			values[i] = array(v, func(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) })
		case []bool:
			values[i] = array(v, strconv.AppendBool)
		case []string:
			values[i] = array(v, func(b []byte, s string) []byte { return append(append(append(b, '"'), escapes.Replace(s)...), '"') })
		case [][]byte:
			values[i] = array(v, func(b, s []byte) []byte {
				if s == nil {
					return append(b, "null"...)
				}
				return fmt.Appendf(b, `"\\x%x"`, s)
			})
		default: // an integer or a boolean
			values[i] = fmt.Append(nil, v)
		}
	}
	return values, formats
}

// escapes are those of a text in an array.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func array[T any](list []T, element func([]byte, T) []byte) []byte {
	b := []byte{'{'}
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = element(b, v)
	}
	return append(b, '}')
}
