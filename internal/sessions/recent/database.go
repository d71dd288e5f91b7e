package recent

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread/source"
)

// opencodeName accepts opencode.db. The files of older versions hold parts of sessions.
func opencodeName(f *file, parts []string) bool {
	return len(parts) == 1 && parts[0] == "opencode.db"
}

// opencodeSessions selects the sessions with a message. The root of an agent is the session that
// started it, directly or through other agents.
const opencodeSessions = `with recursive roots(id, root) as (
	select id, id from session where parent_id is null or parent_id not in (select id from session)
	union select s.id, r.root from session s join roots r on s.parent_id = r.id)
select s.id, r.root, s.directory, s.title, s.time_created, s.time_updated from session s join roots r on r.id = s.id
where exists (select 1 from message m where m.session_id = s.id) and exists (select 1 from message m where m.session_id = r.root)`

// gooseName accepts sessions.db, and the files of versions before 1.10.
func gooseName(f *file, parts []string) bool {
	return len(parts) == 1 && parts[0] == "sessions.db" || otherName(f, parts)
}

// gooseSessions select the sessions with a message: of versions that name a session, and of older
// ones.
var gooseSessions = []string{gooseSelect("coalesce(nullif(name, ''), description)"), gooseSelect("description")}

func gooseSelect(title string) string {
	return "select id, id, working_dir, " + title + `, 1000 * strftime('%s', created_at), 1000 * strftime('%s', updated_at) from sessions
where exists (select 1 from messages m where m.session_id = sessions.id)`
}

// maxValue is the largest size of the write-ahead log and of a value in a database.
const maxValue = 256 << 20

// databaseSessions returns a function that returns the sessions in a database, with their heads,
// and another file as it is. The first query that the database knows selects the id, the root, the
// folder, the title, and the times. Nothing is returned if the database cannot be read.
func databaseSessions(queries ...string) func(ctx context.Context, f *file) []*file {
	return func(ctx context.Context, f *file) []*file {
		if !strings.HasSuffix(f.path, ".db") {
			return []*file{f}
		}
		for _, query := range queries {
			if out, err := selected(ctx, f, query); err == nil {
				return out
			}
		}
		return nil
	}
}

// selected returns the sessions that a query selects.
func selected(ctx context.Context, f *file, query string) (out []*file, err error) {
	if source.OpenDatabase == nil {
		return nil, nil
	}
	in, err := atomicfile.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	wal, _ := atomicfile.Read(f.path+"-wal", maxValue) // there is one while opencode runs
	db, err := source.OpenDatabase(ctx, in, bytes.NewReader(wal), f.size, int64(len(wal)), maxValue)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	err = db.Rows(query, nil, func(c []string) error {
		one := *f
		one.id, one.stored, one.joins, one.part, one.mtime = c[0], true, true, c[0] != c[1], instant(c[5])
		one.head = &head{ID: c[0], Folder: c[2], Title: clipped(c[3]), Started: instant(c[4]).UTC().Format(time.RFC3339)}
		if one.part {
			one.head.Parent, one.size = c[1], 0 // the file counts once
		}
		out = append(out, &one)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(out) > 1 { // the path of the file is the address of a single session
		for _, one := range out {
			one.path = store.JoinAddress(f.path, "session "+one.id)
		}
	}
	return out, nil
}

// instant returns the time of a number of milliseconds.
func instant(text string) time.Time {
	ms, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64) // a damaged number is the oldest time
	return time.UnixMilli(ms)
}
