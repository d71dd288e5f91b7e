package recent

import (
	"context"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
)

// file is a file of a session.
type file struct {
	place  int // the number of its place
	path   string
	size   int64
	mtime  time.Time
	id     string // as the name says it
	folder string // what distinguishes sessions with the same id
	part   bool   // of an agent that the session started
	joins  bool   // its content says to which session it belongs
	// recorded says that it has the requests as they were sent.
	recorded bool
	head     *head // nil if it was not read
}

// key returns what the files of a session have in common.
func (f *file) key() string {
	id := f.id
	if f.joins && f.head != nil && f.head.Parent != "" {
		id = f.head.Parent
	}
	return strconv.Itoa(f.place) + "\x00" + f.folder + "\x00" + id
}

// list returns the files of all places.
func (m *Machine) list(ctx context.Context) []*file {
	lists := make([][]*file, len(m.places))
	var all sync.WaitGroup
	for i, p := range m.places {
		all.Go(func() { lists[i] = listPlace(ctx, i, p) })
	}
	all.Wait()
	var out []*file
	for i, list := range lists {
		if index := agentOf(m.places[i]).titles; index != nil && len(list) > 0 {
			index(m.places[i], m.titles)
		}
		out = append(out, list...)
	}
	return out
}

// listPlace returns the files of a place that are those of sessions.
func listPlace(ctx context.Context, number int, p sessions.Place) []*file {
	a := agentOf(p)
	var out []*file
	var walk func(folder string, parts []string)
	walk = func(folder string, parts []string) {
		entries, err := atomicfile.List(folder)
		if err != nil || ctx.Err() != nil {
			return // it does not exist, or belongs to somebody else
		}
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			below := append(parts[:len(parts):len(parts)], e.Name())
			if e.IsDir() {
				if len(parts) < deepest {
					walk(name, below)
				}
				continue
			}
			f := &file{place: number, path: name}
			if !strings.HasPrefix(e.Name(), p.Begins) || !a.name(f, below) {
				continue
			}
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
				continue
			}
			f.size, f.mtime = info.Size(), info.ModTime()
			if a.split != nil {
				out = append(out, a.split(ctx, f)...)
				continue
			}
			out = append(out, f)
		}
	}
	walk(p.Folder, nil)
	return out
}

// deepest is how deep below its place the file of a session is at most.
const deepest = 6

// read reads the beginnings and ends of files, several at a time, unless the cache has them; with
// joining, only of those that may belong to the session of another file.
func (m *Machine) read(ctx context.Context, files []*file, joining bool) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				f := files[i]
				if f.head == nil {
					f.head = m.cache.head(f)
				}
				if a := agentOf(m.places[f.place]); f.head == nil && (!joining || mayJoin(a, f)) {
					f.head = readHead(a, f)
					m.cache.keepHead(f)
				}
			}
		})
	}
	all.Wait()
}
