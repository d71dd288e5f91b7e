// Package recent lists the sessions of agents on this machine. It reads only the names, beginnings
// and ends of their files, and remembers in a cache what it read.
package recent

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/sessions"
)

// Session is a session of an agent. Its JSON is described by docs/schemas/sessions.json.
type Session struct {
	ID    string `json:"id"`
	Agent string `json:"agent"`
	File  string `json:"file"`
	// Files are the recordings of the session, then File, then those of its continuations and of
	// the agents that it started.
	Files []string `json:"files"`
	Base  []string `json:"base,omitempty"` // the files of the session that it continues without a copy
	// Recorded is whether there is a recording and a log.
	Recorded bool      `json:"recorded,omitempty"`
	Time     time.Time `json:"time"` // when one of the files was written last
	Started  string    `json:"started,omitempty"`
	Folder   string    `json:"folder,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	// Title is the title in the log, or else the beginning of the first prompt.
	Title  string  `json:"title,omitempty"`
	Size   int64   `json:"size"` // the size of all files in bytes
	Totals *Totals `json:"totals,omitempty"`
}

// Totals are the figures of a whole session. Package recent remembers them, but does not compute
// them.
type Totals struct {
	Calls     int      `json:"calls"`
	SideCalls int      `json:"side_calls"`
	In        int64    `json:"tokens_in"`
	Out       int64    `json:"tokens_out"`
	Label     string   `json:"tokens_label"`          // the worst grade of the tokens, as in docs/schemas/stats.json
	Window    int64    `json:"window"`                // the tokens that the newest call of the conversation was sent
	Capacity  int64    `json:"window_size,omitempty"` // the window of its model in tokens; 0 if unknown
	Events    []Events `json:"events"`                // by kind, such as compactions
	Breaks    int      `json:"cache_breaks"`
	Error     string   `json:"error,omitempty"` // why the session cannot be read
}

// Events counts the events of a kind.
type Events struct {
	Kind   string `json:"kind"`
	Events int    `json:"events"`
}

// Options says where to look for sessions.
type Options struct {
	Home    string              // the home folder of the user
	Getenv  func(string) string // os.Getenv
	Version string              // the version of the program, which ignores the cache of another one
}

// Machine lists the sessions of this machine. It must not be used concurrently.
type Machine struct {
	opts   Options
	places []sessions.Place
	cache  *cache
	titles map[string]string // the titles in the indexes of agents, by the ids of sessions
	byID   map[string]group  // the sessions of Codex by their ids
	ids    []string          // the ids of all sessions from the names of their files, sorted
}

// Open returns a Machine, and reads the cache. [Machine.Close] writes it.
func Open(o Options) *Machine {
	return &Machine{opts: o, places: sessions.Places(o.Home, o.Getenv), cache: openCache(o), titles: map[string]string{}}
}

// Folders returns the folders in which m looks for sessions.
func (m *Machine) Folders() (out []string) {
	for _, p := range m.places {
		out = append(out, p.Folder)
	}
	return out
}

// Logs returns the files of the session without its recordings.
func (s Session) Logs() []string { return s.Files[slices.Index(s.Files, s.File):] }

// batch is the number of sessions that are read together.
const batch = 64

// All yields the sessions, from the newest to the oldest. It leaves out files that cannot be read.
// The only error is that of the context. Before the first session, All lists all files and reads
// the beginnings of those whose names do not tell their session, such as those of Codex; then it
// reads a batch at a time.
func (m *Machine) All(ctx context.Context) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		files := m.list(ctx)
		m.read(ctx, slices.DeleteFunc(slices.Clone(files), func(f *file) bool { return !f.joins }), true)
		m.correctTimes(ctx, files)
		groups := grouped(files)
		m.ids, m.byID = m.ids[:0], map[string]group{}
		for _, g := range groups {
			m.ids = append(m.ids, g.first().id)
			if m.places[g.first().place].Program == "Codex" {
				m.byID[g.first().id] = g.log()
			}
		}
		slices.Sort(m.ids)
		m.ids = slices.Compact(m.ids)
		for len(groups) > 0 {
			some := groups[:min(batch, len(groups))]
			groups = groups[len(some):]
			var ends []*file
			for _, g := range some {
				ends = append(ends, g.first())
				if last := g.log().newest(); last != g.first() && !last.part {
					ends = append(ends, last)
				}
			}
			m.read(ctx, ends, false)
			if ctx.Err() != nil {
				yield(Session{}, ctx.Err())
				return
			}
			for _, g := range some {
				if s, ok := m.session(ctx, g); ok && !yield(s, nil) {
					return
				}
			}
		}
	}
}

// correctTimes corrects the times of files that are in the future, which would make a session the
// newest one for ever: it counts as written when it started.
func (m *Machine) correctTimes(ctx context.Context, files []*file) {
	const skew = time.Minute // of the clocks of other machines
	future := slices.DeleteFunc(slices.Clone(files), func(f *file) bool { return time.Until(f.mtime) < skew })
	m.read(ctx, future, false)
	for _, f := range future {
		f.mtime = time.Unix(0, 0)
		if f.head == nil {
			continue
		}
		if started, err := time.Parse(time.RFC3339, f.head.Started); err == nil && time.Until(started) < skew {
			f.mtime = started
		}
	}
}

// group has the files of a session: its recordings, its first file, the files that continue it, and
// those of its agents.
type group []*file

// log returns the group without its recordings, or all of it if there are only recordings.
func (g group) log() group {
	if i := slices.IndexFunc(g, func(f *file) bool { return !f.recorded }); i > 0 {
		return g[i:]
	}
	return g
}

// first returns the file that the session began with.
func (g group) first() *file { return g.log()[0] }

// grouped puts the files of each session and its recordings together. The newest session comes
// first.
func grouped(files []*file) []group {
	at := map[string]group{}
	for _, f := range files {
		at[f.key()] = append(at[f.key()], f)
	}
	join(at)
	var out []group
	for _, g := range at {
		slices.SortFunc(g, func(a, b *file) int {
			return cmp.Or(compareBools(!a.recorded, !b.recorded), compareBools(a.part, b.part),
				cmp.Compare(filepath.Base(a.path), filepath.Base(b.path)), cmp.Compare(a.path, b.path))
		})
		if first := g.first(); !first.part || first.joins { // the file of an agent of Codex can be read alone
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b group) int {
		return cmp.Or(b.newest().mtime.Compare(a.newest().mtime), cmp.Compare(a[0].path, b[0].path))
	})
	return out
}

// join moves recordings to the sessions that their requests name. It passes over sessions that
// share a file with others.
func join(at map[string]group) {
	keys := map[string]string{} // the keys of sessions by their ids
	for key, g := range at {
		first := slices.MinFunc(g, func(a, b *file) int { return compareBools(a.part, b.part) })
		if !first.recorded && !first.part && sessions.FileOf(first.path) == first.path {
			keys[first.id] = key
		}
	}
	for key, g := range at {
		if !g[0].recorded || g[0].head == nil {
			continue
		}
		for _, id := range g[0].head.Sessions {
			if of, ok := keys[id]; ok {
				at[of] = append(at[of], g...)
				delete(at, key)
				break
			}
		}
	}
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// newest returns the file that was written last.
func (g group) newest() *file {
	return slices.MaxFunc(g, func(a, b *file) int { return a.mtime.Compare(b.mtime) })
}

// session describes a session. It returns false for a session that is empty or cannot be read.
func (m *Machine) session(ctx context.Context, g group) (Session, bool) {
	first, last := g.first(), g.log().newest()
	if first.head == nil || first.head.Empty {
		return Session{}, false
	}
	h := first.head
	s := Session{
		ID: cmp.Or(h.ID, first.id), Agent: m.places[first.place].Program, File: first.path, Time: g.newest().mtime.UTC(),
		Started: h.Started, Folder: h.Folder, Branch: h.Branch, Recorded: g[0] != first,
	}
	s.Title = cmp.Or(m.titles[s.ID], h.Title, h.Prompt)
	if !last.part && last.head != nil {
		s.Branch = cmp.Or(last.head.Branch, s.Branch)
		s.Title = cmp.Or(m.titles[s.ID], last.head.Title, s.Title)
	}
	for _, f := range g {
		s.Files = append(s.Files, f.path)
		s.Size += f.size
	}
	s.Base = m.base(ctx, first)
	s.Totals = m.cache.totals(s)
	return s, true
}

// base returns the files of the sessions that a fork continues, the nearest first.
func (m *Machine) base(ctx context.Context, f *file) (out []string) {
	for f.head != nil && f.head.Base != "" {
		g := m.byID[f.head.Base]
		if len(g) == 0 || slices.Contains(out, g[0].path) {
			break
		}
		for _, x := range g {
			if !x.part {
				out = append(out, x.path)
			}
		}
		f = g[0]
		m.read(ctx, []*file{f}, false)
	}
	return out
}

// Keep remembers the totals of a session until its files change.
func (m *Machine) Keep(s Session, t *Totals) { m.cache.keep(s, t) }

// Close writes the cache if there is anything new. If it cannot, the next Machine reads the files
// again.
func (m *Machine) Close() { m.cache.close() }

// Short returns the shortest beginning of an id, from 8 characters on, that no other session has.
// It needs a call of [Machine.All] before.
func (m *Machine) Short(id string) string {
	const least = 8
	n := least
	at, _ := slices.BinarySearch(m.ids, id)
	for _, other := range m.ids[max(at-1, 0):min(at+2, len(m.ids))] {
		if other != id && !strings.HasPrefix(id, other) { // the names of Gemini CLI's files have only a part of the id
			n = max(n, common(id, other)+1)
		}
	}
	return id[:min(n, len(id))]
}

// common returns the length of the common prefix of two texts.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
