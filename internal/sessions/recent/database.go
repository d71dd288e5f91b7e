package recent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sqlite"
	"github.com/pactkit/pactkit/store"
)

// opencodeName accepts opencode.db. The files of older versions hold parts of sessions.
func opencodeName(f *file, parts []string) bool {
	return len(parts) == 1 && parts[0] == "opencode.db"
}

// gooseName accepts sessions.db, and the files of versions before 1.10.
func gooseName(f *file, parts []string) bool {
	return len(parts) == 1 && parts[0] == "sessions.db" || otherName(f, parts)
}

// stored says where a database has its sessions.
type stored struct {
	sessions, messages string // tables
	parent, folder     string
	titles             []string // the first that is not empty
	started, changed   string
	instant            func(text string) time.Time
}

var (
	opencodeSessions = stored{"session", "message", "parent_id", "directory", []string{"title"}, "time_created", "time_updated", instant}
	gooseSessions    = stored{"sessions", "messages", "", "working_dir", []string{"name", "description"}, "created_at", "updated_at", timestamp}
)

// maxValue is the largest size of the write-ahead log and of a value in a database.
const maxValue = 256 << 20

// databaseSessions returns a function that returns the sessions with a message in a database, with
// their heads, and another file as it is. Nothing is returned if the database cannot be read.
func databaseSessions(from stored) func(ctx context.Context, f *file) []*file {
	return func(ctx context.Context, f *file) []*file {
		if !strings.HasSuffix(f.path, ".db") {
			return []*file{f}
		}
		out, err := selected(ctx, f, from)
		if err != nil {
			return nil
		}
		return out
	}
}

// selected returns the sessions of a database.
func selected(ctx context.Context, f *file, from stored) (out []*file, err error) {
	in, err := atomicfile.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	wal, _ := atomicfile.Read(f.path+"-wal", maxValue) // there is one while opencode runs
	db, err := sqlite.Open(ctx, in, bytes.NewReader(wal), f.size, int64(len(wal)), maxValue)
	if err != nil {
		return nil, err
	}
	parents := map[string]string{}
	columns := append([]string{"id", from.parent, from.folder, from.started, from.changed}, from.titles...)
	if err := db.Rows(sqlite.Query{Table: from.sessions, Columns: columns}, func(c []string) error {
		one := *f
		one.id, one.stored, one.joins, one.mtime = c[0], true, true, from.instant(c[4])
		parents[c[0]] = c[1]
		one.head = &head{ID: c[0], Folder: c[2], Title: clipped(cmp.Or(c[5:]...)), Started: from.instant(c[3]).UTC().Format(time.RFC3339)}
		out = append(out, &one)
		return nil
	}); err != nil {
		return nil, err
	}
	isUsed := map[string]bool{} // has a message
	for id := range parents {
		err := db.Rows(sqlite.Query{Table: from.messages, Where: "session_id", Is: id}, func([]string) error { return errFound })
		if isUsed[id] = err == errFound; err != nil && err != errFound {
			return nil, err
		}
	}
	out = slices.DeleteFunc(out, func(one *file) bool {
		root := rootOf(one.id, parents)
		if one.part = root != one.id; one.part {
			one.head.Parent, one.size = root, 0 // the file counts once
		}
		return !isUsed[one.id] || !isUsed[root]
	})
	if len(out) > 1 { // the path of the file is the address of a single session
		for _, one := range out {
			one.path = store.JoinAddress(f.path, "session "+one.id)
		}
	}
	return out, nil
}

// errFound ends a search.
var errFound = errors.New("found")

// rootOf returns the session that started an agent, directly or through other agents, or nothing
// for agents that started each other.
func rootOf(id string, parents map[string]string) string {
	for range len(parents) {
		parent := parents[id]
		if _, ok := parents[parent]; !ok {
			return id
		}
		id = parent
	}
	return ""
}

// timestamp returns the time of a date of SQLite, in UTC if it does not say where.
func timestamp(text string) time.Time {
	for _, layout := range []string{time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Truncate(time.Second)
		}
	}
	return time.UnixMilli(0) // a damaged date is the oldest
}

// instant returns the time of a number of milliseconds.
func instant(text string) time.Time {
	ms, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64) // a damaged number is the oldest time
	return time.UnixMilli(ms)
}
