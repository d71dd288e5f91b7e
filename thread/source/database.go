package source

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sqlite"
	"github.com/pactkit/pactkit/thread"
)

// SQLiteMagic is the beginning of an SQLite database.
const SQLiteMagic = sqlite.Magic

// readsDatabases is false in a browser, which opens files as text; so the program for it does not
// contain what reads databases.
const readsDatabases = runtime.GOOS != "js"

// storedKind is a kind whose sessions may be in a database with certain columns. sessions selects
// their ids; document writes a session as a file of the kind has it.
type storedKind struct {
	Kind
	columns  []string // table.column
	sessions sqlite.Query
	document func(t *tableReader, id string) error
}

// storedKinds is a function, because a variable would keep the readers in every program.
func storedKinds() []storedKind {
	return []storedKind{
		{Opencode, []string{"message.data", "part.data", "session.revert"}, sessionIDs("session", "id", "time_created"), (*tableReader).opencode},
		{Agents, []string{"agent_messages.message_data", "agent_sessions.session_id"}, sessionIDs("agent_sessions", "session_id", "created_at"), (*tableReader).agents},
		{Goose, []string{"messages.content_json", "sessions.working_dir"}, sessionIDs("sessions", "id", "created_at"), (*tableReader).goose},
	}
}

// sessionIDs selects the ids of sessions in the order of their times.
func sessionIDs(table, id, time string) sqlite.Query {
	return sqlite.Query{Table: table, Columns: []string{id}, Order: []string{time, id}}
}

// tableReader makes documents of the rows of a database.
type tableReader struct {
	*reader
	db   *sqlite.Database
	text strings.Builder // of the document
}

// withDatabase opens the file as a database, and calls f with it.
func (rd *reader) withDatabase(ctx context.Context, f func(*sqlite.Database) error) (err error) {
	var wal Input = input{strings.NewReader(""), nopCloser{}, 0}
	if in, err := rd.open(rd.name + "-wal"); err == nil {
		wal = in
	}
	defer wal.Close()
	db, err := sqlite.Open(ctx, rd.file, wal, rd.size, wal.Size(), rd.opts.limit())
	if err == nil {
		err = f(db)
	}
	if e, ok := errors.AsType[*engine.Error](err); err == nil || ok && e.File != "" || err == errStop || ctx.Err() != nil {
		return err
	}
	return rd.fail(value{}, engine.ErrFileSyntax, "the database cannot be read: %v", err)
}

// databaseKind recognizes a database by the columns of its tables.
func (rd *reader) databaseKind(ctx context.Context) (kind Kind, err error) {
	var columns []string
	if err := rd.withDatabase(ctx, func(db *sqlite.Database) error {
		columns = db.Columns()
		return nil
	}); err != nil {
		return Auto, err
	}
	for _, d := range storedKinds() {
		if !slices.ContainsFunc(d.columns, func(name string) bool { return !slices.Contains(columns, name) }) {
			return d.Kind, nil
		}
	}
	return Auto, rd.unknown(value{}, looks+"an SQLite database without the tables of opencode, of Goose or of the OpenAI Agents SDK")
}

// databaseDocuments calls each with a document for each session of a database.
func (rd *reader) databaseDocuments(ctx context.Context, each func(*document) error) error {
	kind, err := rd.databaseKind(ctx)
	if err != nil {
		return err
	}
	kinds := storedKinds()
	from := kinds[slices.IndexFunc(kinds, func(d storedKind) bool { return d.Kind == kind })]
	return rd.withDatabase(ctx, func(db *sqlite.Database) error {
		var ids []string
		err := db.Rows(from.sessions, func(c []string) error {
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

// rowsOf selects columns of the rows of a session.
func rowsOf(table, id string, order []string, columns ...string) sqlite.Query {
	return sqlite.Query{Table: table, Columns: columns, Where: "session_id", Is: id, Order: order}
}

// opencode writes the export of a session.
func (t *tableReader) opencode(id string) error {
	parts := map[string][]string{}
	err := t.db.Rows(rowsOf("part", id, []string{"id"}, "message_id", "id", "data"), func(c []string) error {
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
	if err := t.db.Rows(sqlite.Query{Table: "session", Columns: []string{"revert"}, Where: "id", Is: id}, func(c []string) error {
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
	err = t.db.Rows(rowsOf("message", id, []string{"time_created", "id"}, "id", "data"), func(c []string) error {
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
	query := rowsOf("agent_messages", id, []string{"id"}, "id", "message_data")
	return t.list(`{"session_id":`+quoted(id).raw+`,"items":[`, "item", query, func(c []string) string { return c[1] })
}

// goose writes the export of a session. Databases of older versions have fewer columns.
func (t *tableReader) goose(id string) error {
	query := rowsOf("messages", id, []string{"timestamp", "id"}, "id", "role", "created_timestamp", "content_json", "message_id", "metadata_json")
	head := `{"id":` + quoted(id).raw + `,"working_dir":"","name":"","conversation":[`
	return t.list(head, "message", query, func(c []string) string {
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
func (t *tableReader) list(head, what string, query sqlite.Query, text func(columns []string) string) error {
	separator := head
	err := t.db.Rows(query, func(c []string) error {
		row, ok := t.row(text(c), fmt.Sprintf("%s %s of session %q", what, c[0], query.Is))
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
