package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// Database is an open SQLite database.
type Database interface {
	// Rows calls each with the columns of each row. The strings stay valid, the slice does not.
	Rows(query string, args []string, each func(columns []string) error) error
	Close() error
}

// OpenDatabase opens an SQLite database, and applies its write-ahead log, which may be empty. No
// value may have more than limit bytes. It is nil in a program that does not import the package
// sqlite; then databases are refused.
var OpenDatabase func(ctx context.Context, in, wal io.ReaderAt, size, walSize, limit int64) (Database, error)

// SQLiteMagic is the beginning of an SQLite database.
const SQLiteMagic = "SQLite format 3\x00"

// isDatabase reports whether the file is a database that can be opened.
func (rd *reader) isDatabase() bool { return OpenDatabase != nil && rd.magic([]byte(SQLiteMagic)) }

// storedKind is a kind whose sessions may be in a database with certain columns. sessions selects
// their ids; document writes a session as a file of the kind has it.
type storedKind struct {
	Kind
	columns  []string // table.column
	sessions string
	document func(t *tableReader, id string) error
}

var databases = []storedKind{
	{Opencode, []string{"message.data", "part.data", "session.revert"}, "select id from session order by time_created, id", (*tableReader).opencode},
	{Agents, []string{"agent_messages.message_data", "agent_sessions.session_id"}, "select session_id from agent_sessions order by created_at, session_id", (*tableReader).agents},
	{Goose, []string{"messages.content_json", "sessions.working_dir"}, "select id from sessions order by created_at, id", (*tableReader).goose},
}

// tableReader makes documents of the rows of a database.
type tableReader struct {
	*reader
	db   Database
	text strings.Builder // of the document
}

// withDatabase opens the file as a database, and calls f with it.
func (rd *reader) withDatabase(ctx context.Context, f func(Database) error) (err error) {
	var wal Input = input{strings.NewReader(""), nopCloser{}, 0}
	if in, err := rd.open(rd.name + "-wal"); err == nil {
		wal = in
	}
	defer wal.Close()
	db, err := OpenDatabase(ctx, rd.file, wal, rd.size, wal.Size(), rd.opts.limit())
	if err == nil {
		err = errors.Join(f(db), db.Close())
	}
	if e, ok := errors.AsType[*engine.Error](err); err == nil || ok && e.File != "" || err == errStop || ctx.Err() != nil {
		return err
	}
	return rd.fail(value{}, engine.ErrFileSyntax, "the database cannot be read: %v", err)
}

// databaseKind recognizes a database by the columns of its tables.
func (rd *reader) databaseKind(ctx context.Context) (kind Kind, err error) {
	var columns []string
	if err := rd.withDatabase(ctx, func(db Database) error {
		columns, err = columnsOf(db)
		return err
	}); err != nil {
		return Auto, err
	}
	for _, d := range databases {
		if !slices.ContainsFunc(d.columns, func(name string) bool { return !slices.Contains(columns, name) }) {
			return d.Kind, nil
		}
	}
	return Auto, rd.unknown(value{}, looks+"an SQLite database without the tables of opencode, of Goose or of the OpenAI Agents SDK")
}

// columnsOf returns the columns of all tables, as table.column.
func columnsOf(db Database) (columns []string, err error) {
	const query = "select t.name || '.' || c.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.sql like 'create table %'"
	err = db.Rows(query, nil, func(c []string) error {
		columns = append(columns, c[0])
		return nil
	})
	return columns, err
}

// databaseDocuments calls each with a document for each session of a database.
func (rd *reader) databaseDocuments(ctx context.Context, each func(*document) error) error {
	kind, err := rd.databaseKind(ctx)
	if err != nil {
		return err
	}
	from := databases[slices.IndexFunc(databases, func(d storedKind) bool { return d.Kind == kind })]
	return rd.withDatabase(ctx, func(db Database) error {
		var ids []string
		err := db.Rows(from.sessions, nil, func(c []string) error {
			ids = append(ids, c[0])
			return nil
		})
		for _, id := range ids {
			if err != nil {
				return err
			}
			t := &tableReader{reader: rd, db: db}
			if err = from.document(t, id); err != nil || t.text.Len() == 0 {
				continue
			}
			d, bad := rd.parse(t.text.String(), 1)
			if bad != nil {
				return bad
			}
			err = each(d)
		}
		return err
	})
}

// write adds to the document, which has a limit.
func (t *tableReader) write(parts ...string) error {
	for _, part := range parts {
		t.text.WriteString(part)
	}
	if most := t.opts.limit(); int64(t.text.Len()) > most {
		return t.fail(value{}, engine.ErrFileLimit, "a session of more than %d bytes, the limit MaxBytes", most)
	}
	return nil
}

// row returns the text of a JSON object in a row. One that is damaged is noted and left out.
func (t *tableReader) row(text, what string) (string, bool) {
	text = strings.TrimSpace(text)
	if d, bad := t.parse(text, 1); bad != nil || !d.root().is('{') {
		t.note(thread.Malformed, engine.ErrFileSyntax, value{}, "the %s is not a JSON object; it is left out", what)
		return "", false
	}
	return text, true
}

// opencode writes the export of a session.
func (t *tableReader) opencode(id string) error {
	parts := map[string][]string{}
	err := t.db.Rows("select message_id, id, data from part where session_id = ? order by id", []string{id}, func(c []string) error {
		text, ok := t.row(c[2], fmt.Sprintf("part %q", c[1]))
		if ok {
			parts[c[0]] = append(parts[c[0]], withID(text, c[1]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	revert := ""
	if err := t.db.Rows("select revert from session where id = ?", []string{id}, func(c []string) error {
		revert = c[0]
		return nil
	}); err != nil {
		return err
	}
	if revert != "" {
		if text, ok := t.row(revert, fmt.Sprintf("member revert of session %q", id)); ok {
			revert = `,"revert":` + text
		}
	}
	separator := `{"info":{"id":` + quoted(id).raw + revert + `},"messages":[`
	err = t.db.Rows("select id, data from message where session_id = ? order by time_created, id", []string{id}, func(c []string) error {
		text, ok := t.row(c[1], fmt.Sprintf("message %q", c[0]))
		if !ok {
			return nil
		}
		err := t.write(separator, `{"info":`, withID(text, c[0]), `,"parts":[`, strings.Join(parts[c[0]], ","), "]}")
		separator = ","
		return err
	})
	if err != nil || t.text.Len() == 0 {
		return err
	}
	return t.write("]}")
}

// withID returns the text of an object with an id, which a table has in a column of its own.
func withID(text, id string) string {
	id = `{"id":` + quoted(id).raw
	if rest := strings.TrimSpace(text[1:]); rest != "}" {
		return id + "," + rest
	}
	return id + "}"
}

// agents writes the items of a session of the OpenAI Agents SDK.
func (t *tableReader) agents(id string) error {
	const query = "select id, message_data from agent_messages where session_id = ? order by id"
	return t.list(`{"session_id":`+quoted(id).raw+`,"items":[`, "item", query, id, func(c []string) string { return c[1] })
}

// goose writes the export of a session. Databases of older versions have fewer columns.
func (t *tableReader) goose(id string) error {
	columns, err := columnsOf(t.db)
	if err != nil {
		return err
	}
	var query strings.Builder
	query.WriteString("select id, role, created_timestamp, content_json")
	for _, name := range []string{"message_id", "metadata_json"} {
		if !slices.Contains(columns, "messages."+name) {
			name = "null"
		}
		query.WriteString(", " + name)
	}
	head := `{"id":` + quoted(id).raw + `,"working_dir":"","name":"","conversation":[`
	return t.list(head, "message", query.String()+" from messages where session_id = ? order by timestamp, id", id, func(c []string) string {
		text := `{"role":` + quoted(c[1]).raw + `,"created":` + c[2] + `,"content":` + c[3]
		if c[5] != "" {
			text += `,"metadata":` + c[5]
		}
		if text += "}"; c[4] != "" {
			text = withID(text, c[4])
		}
		return text
	})
}

// list writes the rows of a session as a document: head, followed by the object that text makes of
// each row. It writes nothing for a session without rows.
func (t *tableReader) list(head, what, query, id string, text func(columns []string) string) error {
	separator := head
	err := t.db.Rows(query, []string{id}, func(c []string) error {
		row, ok := t.row(text(c), fmt.Sprintf("%s %s of session %q", what, c[0], id))
		if !ok {
			return nil
		}
		err := t.write(separator, row)
		separator = ","
		return err
	})
	if err != nil || t.text.Len() == 0 {
		return err
	}
	return t.write("]}")
}
