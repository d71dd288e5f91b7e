package recent

import (
	"context"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/sessions"
)

// file is a file of a session.
type file struct {
	place  int // the number of its place
	path   string
	size   int64
	mtime  time.Time
	id     string // from the name of the file
	folder string // what distinguishes sessions with the same id
	part   bool   // whether an agent of the session wrote it
	joins  bool   // whether its content tells the session
	stored bool   // whether it is a session in a database
	// recorded is whether it is a recording, with the requests as they were sent.
	recorded bool
	head     *head // nil until it is read
}

// key returns the same text for all files of a session.
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

// listPlace returns the files of a place that belong to sessions.
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
			if e.Type()&fs.ModeSymlink != 0 {
				to, err := outside(p.Folder, name)
				if err != nil {
					continue
				}
				e = linked{fs.FileInfoToDirEntry(to), e.Name()}
			}
			if e.IsDir() {
				if len(parts) < deepest {
					walk(name, below)
				}
				continue
			}
			f := &file{place: number, path: name}
			if !strings.HasPrefix(e.Name(), p.Prefix) || !a.name(f, below) {
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
	return withoutLeft(out)
}

// withoutLeft removes the files of sessions that are also in a database: a program that moves its
// sessions there keeps the old files.
func withoutLeft(files []*file) []*file {
	moved := map[string]bool{}
	for _, f := range files {
		moved[f.id] = moved[f.id] || f.stored
	}
	return slices.DeleteFunc(files, func(f *file) bool { return moved[f.id] && !f.stored })
}

// linked is what a link leads to, with the name of the link.
type linked struct {
	fs.DirEntry
	name string
}

func (l linked) Name() string { return l.name }

// outside returns what a link leads to, unless that is in the folder, where it is listed anyway, or
// contains the folder.
func outside(folder, link string) (fs.FileInfo, error) {
	to, err := atomicfile.Resolve(link)
	if err != nil {
		return nil, err
	}
	if folder, err = atomicfile.Resolve(folder); err != nil {
		return nil, err
	}
	for _, pair := range [][2]string{{folder, to}, {to, folder}} {
		if rel, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(rel) {
			return nil, fs.ErrExist
		}
	}
	return atomicfile.Stat(to)
}

// deepest is the number of folders between a place and a file that are searched at most.
const deepest = 6

// read sets the heads of files, from the cache or else from the files, several at a time. If
// joining is set, it reads only files that may belong to the session of another file.
func (m *Machine) read(ctx context.Context, files []*file, joining bool) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range budget.Workers(min(len(files), runtime.GOMAXPROCS(0))) {
		all.Go(func() {
			var r reader
			for i := int(next.Add(1)) - 1; i < len(files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				f := files[i]
				if f.head == nil {
					f.head = m.cache.head(f)
				}
				if a := agentOf(m.places[f.place]); f.head == nil && (!joining || r.mayJoin(a, f)) {
					f.head = r.readHead(a, f)
					m.cache.keepHead(f)
				}
			}
		})
	}
	all.Wait()
}
