package lsp

import (
	"bytes"
	"context"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"
	"sync"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/internal/ignore"
)

// maxFile is the maximum size of a file. Larger files of the workspace are skipped, as on the
// command line.
const maxFile = 10 << 20

// diskFiles has the files of the workspace as they were last read.
type diskFiles struct {
	mu   sync.Mutex
	read map[string]diskFile

	count int64
}

type diskFile struct {
	size     int64
	modified time.Time
	doc      *document
	emptyIn  int64 // number of the snapshot in which the file has no selector and no finding; its text is not kept
	included int64 // number of the snapshot whose configuration decided about the file; 0 if the name of the file suffices
}

// files yields the documents of the workspace that can contain selectors: open ones as the client
// has them, the others as they are on disk. It ends when ctx is done. Ignored files are omitted
// unless they are open. A long scan is shown to the user, who can cancel it.
func (s *server) files(ctx context.Context, v *view, title string) iter.Seq[*document] {
	return func(yield func(*document) bool) {
		sc := scan{server: s, snapshot: v.snapshot, docs: v.docs, tree: ignore.NewTree(), seen: map[string]bool{}, progress: s.begin(v, title)}
		defer sc.progress.end()
		for d := range sc.docs.each() {
			if d.host != nil && !yield(d) {
				return
			}
		}
		for _, folder := range v.snapshot.folders {
			if !sc.walk(ctx, folder, yield) {
				return
			}
		}
		s.disk.keep(sc.seen)
	}
}

// scan is one walk over the files of the workspace.
type scan struct {
	*server
	snapshot *snapshot
	docs     docSet
	tree     *ignore.Tree
	seen     map[string]bool // folders, and files that were read
	progress *progress
}

// walk yields the files of a folder that are not open, and reports whether to continue.
func (sc *scan) walk(ctx context.Context, folder string, yield func(*document) bool) bool {
	if sc.seen[folder] {
		return true // workspace folders may be nested
	}
	sc.seen[folder] = true
	entries, err := atomicfile.List(folder)
	if err != nil {
		return true // a folder that cannot be read is skipped
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return false
		}
		path := filepath.Join(folder, e.Name())
		if e.Type()&fs.ModeSymlink != 0 || ignore.IsRepository(e.Name()) {
			continue
		}
		cfg, _ := sc.snapshot.configOf(path)
		if !e.IsDir() && !cfg.Takes(path) || sc.tree.Ignored(path, e.IsDir()) != "" || cfg.Excluded(path, e.IsDir()) {
			continue
		}
		if e.IsDir() {
			if !sc.walk(ctx, path, yield) {
				return false
			}
			continue
		}
		if !e.Type().IsRegular() || sc.seen[path] || sc.docs[path] != nil {
			continue
		}
		sc.seen[path] = true
		sc.progress.step(ctx)
		if d := sc.disk.in(path, sc.client.encoding, sc.snapshot); d != nil {
			if !yield(d) {
				return false
			}
			sc.disk.dropText(d, sc.snapshot)
		}
	}
	return true
}

// in returns a file of the workspace. It reads the file only if it has changed. It returns nil for
// a file that cannot be read, or is known to contain no selectors.
func (f *diskFiles) in(path string, enc encoding, sn *snapshot) *document {
	f.mu.Lock()
	have, ok := f.read[path]
	f.mu.Unlock()
	if ok && have.emptyIn == sn.number {
		if info, err := atomicfile.Stat(path); err == nil && have.size == info.Size() && have.modified.Equal(info.ModTime()) {
			return nil
		}
	}
	d := f.get(path, enc, sn)
	if d == nil || d.host == nil {
		return nil
	}
	return d
}

// get returns a file. It reads the file only if it has changed. It returns nil for a file that
// cannot be read.
func (f *diskFiles) get(path string, enc encoding, sn *snapshot) *document {
	info, err := atomicfile.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil
	}
	f.mu.Lock()
	have, ok := f.read[path]
	f.mu.Unlock()
	if ok && have.doc != nil && (have.included == 0 || have.included == sn.number) && have.size == info.Size() && have.modified.Equal(info.ModTime()) {
		return have.doc
	}
	data, err := atomicfile.Read(path, maxFile)
	if err != nil || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return nil
	}
	d := newDocument(fileuri.Of(path), "", 0, string(data), enc)
	next := diskFile{size: info.Size(), modified: info.ModTime(), doc: d}
	if d.setHost(sn) {
		next.included = sn.number
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.read == nil {
		f.read = map[string]diskFile{}
	}
	f.count++
	d.serial = f.count
	f.read[path] = next
	return d
}

// dropText drops the text of a file in which nothing was found.
func (f *diskFiles) dropText(d *document, sn *snapshot) {
	if !d.empty(sn) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if have, ok := f.read[d.path]; ok && have.doc == d {
		have.doc, have.emptyIn = nil, sn.number
		f.read[d.path] = have
	}
}

// keep drops the files that a complete scan has not seen.
func (f *diskFiles) keep(seen map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.read, func(path string, _ diskFile) bool { return !seen[path] })
}

// within reports whether a path is a folder or lies in it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
