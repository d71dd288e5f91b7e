// Package recent lists the sessions that agents have on this machine. What it tells of them comes
// from the names, the beginnings and the ends of their files.
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
	Base  []string `json:"base,omitempty"` // of the session that it was forked from, if it has no copy
	// Recorded says that there is a recording, too.
	Recorded bool      `json:"recorded,omitempty"`
	Time     time.Time `json:"time"` // when a file of it was written last
	Started  string    `json:"started,omitempty"`
	Folder   string    `json:"folder,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	// Title is what the log calls the session, or else the beginning of the first prompt.
	Title  string  `json:"title,omitempty"`
	Size   int64   `json:"size"` // of all files, in bytes
	Totals *Totals `json:"totals,omitempty"`
}

// Totals are what only reading a whole session tells.
type Totals struct {
	Calls     int      `json:"calls"`
	SideCalls int      `json:"side_calls"`
	In        int64    `json:"tokens_in"`
	Out       int64    `json:"tokens_out"`
	Label     string   `json:"tokens_label"`          // the worst grade of them, as in docs/schemas/stats.json
	Window    int64    `json:"window"`                // the tokens that the newest call of the conversation was sent
	Capacity  int64    `json:"window_size,omitempty"` // of the window of its model; 0 if it is not known
	Events    []Events `json:"events"`                // compactions and the like, by kind
	Breaks    int      `json:"cache_breaks"`
	Error     string   `json:"error,omitempty"` // why the session cannot be read
}

// Events counts the events of a kind.
type Events struct {
	Kind   string `json:"kind"`
	Events int    `json:"events"`
}

// Options says where sessions are looked for.
type Options struct {
	Home    string
	Getenv  func(string) string
	Version string // of the program; a cache that another one wrote is not used
}

// Machine are the sessions of a machine. It is used by one goroutine.
type Machine struct {
	opts   Options
	places []sessions.Place
	cache  *cache
	titles map[string]string // that an agent keeps in an index, by the ids of sessions
	byID   map[string]group  // the sessions of Codex
	ids    []string          // of all sessions, as the names of files say them, sorted
}

// Open prepares a search. It reads the cache.
func Open(o Options) *Machine {
	return &Machine{opts: o, places: sessions.Places(o.Home, o.Getenv), cache: openCache(o), titles: map[string]string{}}
}

// Places returns where sessions are looked for.
func (m *Machine) Places() []sessions.Place { return m.places }

// Logs returns the files without the recordings of the session.
func (s Session) Logs() []string { return s.Files[slices.Index(s.Files, s.File):] }

// batch is how many files are read before the first session of them is yielded.
const batch = 64

// All yields the sessions, the one that was written last first. Files that cannot be read are left
// out. The cost of the first session is that of the names of all files, and of the beginnings of
// those of Codex, whose names do not tell to which session they belong. The only error is that of
// the context.
func (m *Machine) All(ctx context.Context) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		files := m.list(ctx)
		m.read(ctx, slices.DeleteFunc(slices.Clone(files), func(f *file) bool { return !f.joins }), true)
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

// group are the files of a session: its recordings, the one it began with, those that continue
// it, its agents.
type group []*file

// log returns the files without the recordings, unless there are only these.
func (g group) log() group {
	if i := slices.IndexFunc(g, func(f *file) bool { return !f.recorded }); i > 0 {
		return g[i:]
	}
	return g
}

// first returns the file that the session began with.
func (g group) first() *file { return g.log()[0] }

// grouped joins the files of each session and its recordings, and sorts the sessions by their
// times.
func grouped(files []*file) []group {
	at := map[string]group{}
	for _, f := range files {
		at[f.key()] = append(at[f.key()], f)
	}
	join(at)
	var out []group
	for _, g := range at {
		slices.SortFunc(g, func(a, b *file) int {
			return cmp.Or(order(!a.recorded, !b.recorded), order(a.part, b.part), cmp.Compare(filepath.Base(a.path), filepath.Base(b.path)), cmp.Compare(a.path, b.path))
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

// join moves the files of recordings to the sessions that their requests name, if the log of these
// is a file of its own.
func join(at map[string]group) {
	keys := map[string]string{} // of the sessions, by their ids
	for key, g := range at {
		if first := slices.MinFunc(g, func(a, b *file) int { return order(a.part, b.part) }); !first.recorded && !first.part && sessions.FileOf(first.path) == first.path {
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

func order(a, b bool) int {
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

// session returns what is known of a session. It returns false if there is nothing in it yet.
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

// base returns the files of the sessions whose history a fork goes on from.
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

// Keep remembers the totals of a session, as long as its files do not change.
func (m *Machine) Keep(s Session, t *Totals) { m.cache.keep(s, t) }

// Close writes what was learned to the cache. If that cannot be written, the next search reads
// the files again.
func (m *Machine) Close() { m.cache.close() }

// Short returns the beginning of an id that no other session of the machine has.
func (m *Machine) Short(id string) string {
	const least = 8
	n := least
	at, _ := slices.BinarySearch(m.ids, id)
	for _, other := range m.ids[max(at-1, 0):min(at+2, len(m.ids))] {
		if other != id && !strings.HasPrefix(id, other) { // Gemini CLI: the name of a file has a part of the id
			n = max(n, common(id, other)+1)
		}
	}
	return id[:min(n, len(id))]
}

func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
