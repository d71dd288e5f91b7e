package look

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
)

const (
	// followInterval is the time between two looks at a file.
	followInterval = time.Second
	// followShare says how long a file rests, in multiples of the time that reading it took.
	followShare = 4
	// joinInterval is the shortest time between two searches for other files of the session, and
	// joinShare the longest one in multiples of the time that a search took.
	joinInterval = 5 * time.Second
	joinShare    = 20
)

// follower prints the calls that are added to the files of a session.
type follower struct {
	*logVerb
	files []*followed
	joins time.Time // the time from which to search for other files again
	shown string    // the address of the session that was printed last
}

// followed is a file that is followed.
type followed struct {
	path  string
	info  fs.FileInfo // its state when it was read last; nil before that
	wal   fs.FileInfo // the state of the write-ahead log of a database; nil without one
	rest  time.Time   // the time from which it may be read again
	logs  []*followedLog
	waits bool  // whether the newest line waits until the file rests
	err   error // the error of the last reading, if it is not reported yet
}

// followedLog is a session in a file that is followed.
type followedLog struct {
	session sessions.Session
	list    []*calls.Call
	printed map[int64]string // the text of each printed line, by its cycle
}

// followSession prints the calls of a session, and the calls that are added, until ctx is done.
func (v *logVerb) followSession(ctx context.Context, arg string) {
	f := &follower{logVerb: v}
	for _, path := range open.Files(ctx, v.Run, arg, &v.logs) {
		f.files = append(f.files, &followed{path: path})
	}
	tick := time.NewTicker(followInterval)
	defer tick.Stop()
	for len(f.files) > 0 {
		f.join(ctx)
		for _, x := range f.files {
			f.look(ctx, x)
		}
		_ = v.Out.Flush() // the last flush reports the error
		select {
		case <-ctx.Done():
			for _, x := range f.files {
				f.print(x, true)
			}
			return
		case <-tick.C:
		}
	}
}

// join follows the files of new agents. They are below the folder that has the name of the
// session's file, or wherever an agent on this machine keeps them.
func (f *follower) join(ctx context.Context) {
	main := f.files[0].path
	add := func(name string) {
		if !slices.ContainsFunc(f.files, func(x *followed) bool { return x.path == name }) {
			f.files = append(f.files, &followed{path: name})
		}
	}
	if began := time.Now(); !began.Before(f.joins) {
		for _, name := range open.LogsWith(ctx, f.Run, main) {
			add(name)
		}
		f.joins = time.Now().Add(max(joinInterval, joinShare*time.Since(began)))
	}
	ext := filepath.Ext(main)
	var walk func(folder string)
	walk = func(folder string) {
		entries, err := atomicfile.List(f.Abs(folder))
		if err != nil {
			return // the folder does not exist
		}
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			switch {
			case e.IsDir():
				walk(name)
			case filepath.Ext(name) == ext:
				add(name)
			}
		}
	}
	if stem := strings.TrimSuffix(main, ext); ext != "" {
		walk(stem)
	}
}

// look reads a file if it has changed, and prints what is new. It prints the newest line and
// reports an error only when the file has not changed since the last look.
func (f *follower) look(ctx context.Context, x *followed) {
	path := f.Abs(x.path)
	file := sessions.FileOf(path)
	info, err := atomicfile.Stat(file)
	wal, noWAL := atomicfile.Stat(file + "-wal")
	if noWAL != nil {
		wal = nil
	}
	switch {
	case err != nil: // it is being replaced, or gone
		return
	case isSame(info, x.info) && isSame(wal, x.wal):
		if x.waits {
			f.print(x, true)
		}
		if x.err != nil {
			open.FailSession(f.Run, x.path, x.err, &f.logs)
			x.err = nil
		}
		return
	case time.Now().Before(x.rest):
		return
	case x.info != nil && file == path && (info.Size() < x.info.Size() || !os.SameFile(info, x.info)):
		f.Note("%s was replaced", verb.Shown(x.path))
		x.logs = nil
	}
	x.info, x.wal = info, wal
	f.read(ctx, x)
	f.print(x, false)
}

// isSame reports whether a file has not changed between two readings. A nil FileInfo stands for a
// missing file.
func isSame(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// read reads the sessions of a file. It keeps an error for look, because the file may be half
// written.
func (f *follower) read(ctx context.Context, x *followed) {
	o := open.SessionOptions(f.Run, &f.logs)
	began := time.Now()
	x.err = nil
	for s, err := range sessions.All(ctx, []string{x.path}, o) {
		if err != nil {
			if !sessions.IsNoCalls(failure.Of(err).Message) {
				x.err = err
			}
			continue
		}
		var list []*calls.Call
		for c, err := range calls.Of(ctx, s.Timeline, f.options(s)) {
			if err != nil {
				return // the context is done
			}
			list = append(list, c)
		}
		s.Timeline = nil
		at := slices.IndexFunc(x.logs, func(l *followedLog) bool { return l.session.Address() == s.Address() })
		if at < 0 {
			at = len(x.logs)
			x.logs = append(x.logs, &followedLog{session: s, printed: map[int64]string{}})
		}
		x.logs[at].list = list
	}
	x.rest = time.Now().Add(followShare * time.Since(began))
}

// print prints the lines that are new or have changed, the newest one only if all is set. It leaves
// out the state after the last answer, because the next call takes its place.
func (f *follower) print(x *followed, all bool) {
	x.waits = false
	for _, l := range x.logs {
		list := l.list
		if n := len(list); n > 0 && list[n-1].Event != nil && list[n-1].Event.Kind == "answer" {
			list = list[:n-1]
		}
		r := verb.NewReporter(f.Out, "", "", f.Paints)
		rows := f.logRows(list)
		lines := verb.ColumnLines(r, logColumns, rows, f.OutWidth)
		for i, c := range list {
			text := strings.Join(rows[i], "\x00")
			if f.json {
				text = string(c.AppendJSON(nil))
			}
			switch {
			case l.printed[c.Cycle] == text:
				continue
			case i == len(list)-1 && !all:
				x.waits = true
				continue
			}
			l.printed[c.Cycle] = text
			if f.json {
				fmt.Fprintln(f.Out, text)
				continue
			}
			f.head(r, l.session, lines[0])
			f.printCall(r, list, lines, i)
		}
	}
}

// head prints the name of a session and the columns, unless the last line was of the same session.
func (f *follower) head(r *verb.Reporter, s sessions.Session, columns string) {
	address := s.Address()
	if f.shown == address {
		return
	}
	if f.shown != "" {
		fmt.Fprintln(f.Out)
	}
	f.shown = address
	f.printHeading(r, s)
	fmt.Fprintln(f.Out, columns)
}
