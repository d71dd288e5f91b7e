package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/pactkit/pactkit/internal/sqlite"
	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// opencodeTables are those of a session of opencode, with a message that is damaged.
const opencodeTables = `
create table session (id text primary key, revert text, time_created integer);
create table message (id text primary key, session_id text, time_created integer, data text);
create table part (id text primary key, message_id text, session_id text, data text);
insert into session values ('ses_1', null, 1), ('ses_2', null, 2);
insert into message values ('msg_1', 'ses_1', 1, '{"role":"user","time":{"created":1767323000000}}'),
 ('msg_2', 'ses_1', 2, '{"role":"assistant","providerID":"p","modelID":"m","finish":"stop","time":{"created":1767323001000,"completed":1767323002000},"tokens":{"input":3,"output":2,"reasoning":0,"cache":{"read":0,"write":0}}}'),
 ('msg_3', 'ses_1', 3, '{"role":');
insert into part values ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"tea?"}'), ('prt_2', 'msg_2', 'ses_1', '{"type":"text","text":"Yes."}');`

// opencodeExport is what opencode exports of the first session.
const opencodeExport = `{"info":{"id":"ses_1"},"messages":[
{"info":{"id":"msg_1","role":"user","time":{"created":1767323000000}},"parts":[{"id":"prt_1","type":"text","text":"tea?"}]},
{"info":{"id":"msg_2","role":"assistant","providerID":"p","modelID":"m","finish":"stop","time":{"created":1767323001000,"completed":1767323002000},"tokens":{"input":3,"output":2,"reasoning":0,"cache":{"read":0,"write":0}}},"parts":[{"id":"prt_2","type":"text","text":"Yes."}]}]}`

const agentsTables = `
create table agent_sessions (session_id text primary key, created_at timestamp);
create table agent_messages (id integer primary key, session_id text, message_data text, created_at timestamp);
insert into agent_sessions values ('s1', 1);
insert into agent_messages values (1, 's1', '{"role":"user","content":"tea?"}', 1),
 (2, 's1', '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}', 1);`

const agentsExport = `{"session_id":"s1","items":[{"role":"user","content":"tea?"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]}`

// gooseTables are those of Goose since version 1.10, with the columns that are read.
const gooseTables = `
create table sessions (id text primary key, name text not null default '', working_dir text not null, created_at timestamp default current_timestamp);
create table messages (id integer primary key autoincrement, message_id text, session_id text not null, role text not null, content_json text not null,
 created_timestamp integer not null, timestamp timestamp default current_timestamp, tokens integer, metadata_json text);
insert into sessions (id, working_dir) values ('20260102_1', '/w'), ('20260102_2', '/w');
insert into messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) values
 ('m1', '20260102_1', 'user', '[{"type":"text","text":"tea?"}]', 1767323000, '{"userVisible":true,"agentVisible":true}'),
 (null, '20260102_1', 'assistant', '[{"type":"text","text":"Yes."}]', 1767323001, null),
 ('m3', '20260102_1', 'user', '[{"type":', 1767323002, null);`

const gooseExport = `{"id":"20260102_1","working_dir":"/w","name":"","conversation":[
{"id":"m1","role":"user","created":1767323000,"content":[{"type":"text","text":"tea?"}],"metadata":{"userVisible":true,"agentVisible":true}},
{"role":"assistant","created":1767323001,"content":[{"type":"text","text":"Yes."}]}]}`

// gooseOld are those of the first version that had a database.
const gooseOld = `
create table sessions (id text primary key, description text not null default '', working_dir text not null, created_at timestamp default current_timestamp);
create table messages (id integer primary key autoincrement, session_id text not null, role text not null, content_json text not null,
 created_timestamp integer not null, timestamp timestamp default current_timestamp, tokens integer);
insert into sessions (id, working_dir) values ('1', '/w');
insert into messages (session_id, role, content_json, created_timestamp) values ('1', 'user', '[{"type":"text","text":"tea?"}]', 1767323000),
 ('1', 'assistant', '[{"type":"text","text":"Yes."}]', 1767323001);`

const gooseOldExport = `{"id":"1","working_dir":"/w","name":"","conversation":[{"role":"user","created":1767323000,"content":[{"type":"text","text":"tea?"}]},
{"role":"assistant","created":1767323001,"content":[{"type":"text","text":"Yes."}]}]}`

// inUse makes a database whose content is in its write-ahead log, and keeps it open.
func inUse(t *testing.T, sql string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sessions.db")
	c, err := sqlite3.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	for _, sql := range []string{"pragma journal_mode=wal; pragma wal_autocheckpoint=0; create table first (x);", "begin;" + sql + "commit;", "begin; create table lost (x);"} {
		if err := c.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// calls describes the calls of a file.
func calls(t *testing.T, file source.File, o source.Options) string {
	t.Helper()
	var b strings.Builder
	err := source.ReadFiles(t.Context(), []source.File{file}, o, func(r *series.Request) error {
		fmt.Fprintln(&b, r.ConversationID, r.Time, r.Model, r.Usage, r.Missing)
		for _, m := range append(r.Messages, r.Reply...) {
			fmt.Fprintln(&b, m.ID, m.Path, m.Value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A database that is in use is read with what its write-ahead log has, as the export of the
// sessions is, and no file is written.
func TestInUse(t *testing.T) {
	for _, c := range []struct {
		kind           source.Kind
		tables, export string
		notes          int
	}{{source.Opencode, opencodeTables, opencodeExport, 1}, {source.Agents, agentsTables, agentsExport, 0},
		{source.Goose, gooseTables, gooseExport, 1}, {source.Goose, gooseOld, gooseOldExport, 0}} {
		name := inUse(t, c.tables)
		before := files(t, filepath.Dir(name))
		if kind, err := source.RecognizeFile(t.Context(), source.Path(name), source.Options{}); kind != c.kind || err != nil {
			t.Errorf("%v %v", kind, err)
		}
		notes := 0
		got := calls(t, source.Path(name), source.Options{Note: func(thread.Note) { notes++ }})
		if want := calls(t, source.Bytes("export", []byte(c.export)), source.Options{Kind: c.kind}); got != want || want == "" {
			t.Errorf("%s:\n%s\nthe export:\n%s", c.kind, got, want)
		}
		if notes != c.notes {
			t.Errorf("%s: %d notes", c.kind, notes)
		}
		if after := files(t, filepath.Dir(name)); after != before {
			t.Errorf("%s: the files changed", c.kind)
		}
	}
}

// files returns the names and the bytes of the files of a folder.
func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + "\x00" + string(data))
	}
	return b.String()
}

// Other databases, and databases that are cut off, are refused.
func TestRefused(t *testing.T) {
	name := inUse(t, "create table tea (x); create view part as select 1; create view session as select 1;")
	if _, err := source.RecognizeFile(t.Context(), source.Path(name), source.Options{}); err == nil || !strings.Contains(err.Error(), "without the tables of opencode") {
		t.Error(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.RecognizeFile(t.Context(), source.Bytes("cut.db", data[:100]), source.Options{}); err == nil || !strings.Contains(err.Error(), "E_FILE_SYNTAX") {
		t.Error(err)
	}
	name = inUse(t, opencodeTables)
	err = source.ReadFiles(t.Context(), []source.File{source.Path(name)}, source.Options{MaxBytes: 1 << 10}, func(*series.Request) error { return nil })
	if err == nil {
		t.Error("a log above the limit was read")
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Databases with damaged bytes are read or refused; nothing panics.
func TestDamaged(t *testing.T) {
	name := inUse(t, opencodeTables)
	wal := read(t, name+"-wal")
	c, err := sqlite3.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Exec("vacuum into '" + name + "-whole'"); err != nil {
		t.Fatal(err)
	}
	pages := read(t, name+"-whole")
	random := rand.New(rand.NewPCG(1, 2))
	for range seriestest.Seeds(t, 200) {
		data, wal := bytes.Clone(pages), bytes.Clone(wal)
		for range 1 + random.IntN(8) {
			data[random.IntN(len(data))] = byte(random.IntN(256))
			wal[random.IntN(len(wal))] = byte(random.IntN(256))
		}
		for _, logs := range [][]byte{nil, wal} {
			file := source.Bytes("damaged.db", data)
			file.Beside = func(string) (source.Input, error) { return source.Bytes("damaged.db-wal", logs).Open() }
			_ = source.ReadFiles(t.Context(), []source.File{file}, source.Options{MaxBytes: 1 << 20}, func(*series.Request) error { return nil })
		}
	}
}

// FuzzOpen reads damaged databases: it may fail, but neither panic nor hang.
func FuzzOpen(f *testing.F) {
	for _, sql := range []string{opencodeTables, agentsTables} {
		name := filepath.Join(f.TempDir(), "seed.db")
		c, err := sqlite3.Open(name)
		if err != nil {
			f.Fatal(err)
		}
		if err := c.Exec("pragma page_size=512; pragma journal_mode=wal; pragma wal_autocheckpoint=0;" + sql); err != nil {
			f.Fatal(err)
		}
		wal, err := os.ReadFile(name + "-wal")
		if err != nil {
			f.Fatal(err)
		}
		if err := c.Close(); err != nil {
			f.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte{})
		f.Add(data[:512], wal)
	}
	f.Fuzz(func(t *testing.T, data, wal []byte) {
		file := source.Bytes("fuzz.db", data)
		file.Beside = func(string) (source.Input, error) { return source.Bytes("fuzz.db-wal", wal).Open() }
		db, err := sqlite.Open(context.Background(), bytes.NewReader(data), bytes.NewReader(wal), int64(len(data)), int64(len(wal)), 1<<20)
		if err == nil {
			for _, name := range db.Columns() {
				table, column, _ := strings.Cut(name, ".")
				_ = db.Rows(sqlite.Query{Table: table, Columns: []string{column}, Where: column, Is: "ses_1", Order: []string{column}}, func([]string) error { return nil })
			}
		}
		_ = source.ReadFiles(t.Context(), []source.File{file}, source.Options{MaxBytes: 1 << 20}, func(*series.Request) error { return nil })
	})
}
