package lsp

import (
	"bytes"
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/ignore"
)

// maxFile is the size over which a file of the workspace is passed over, as the command line does.
const maxFile = 10 << 20

// diskFiles are the files of the workspace as they were last read.
type diskFiles struct {
	mu   sync.Mutex
	read map[string]diskFile
}

type diskFile struct {
	size     int64
	modified time.Time
	doc      *document
}

// files yields the documents of the workspace that can hold selectors: those that are open as the client has them, the
// others as they are on disk. It ends when ctx is done. Ignored files are left out unless they are open.
func (s *server) files(ctx context.Context, w *world) iter.Seq[*document] {
	return func(yield func(*document) bool) {
		for d := range s.docs.all() {
			if d.host != nil && !yield(d) {
				return
			}
		}
		tree := ignore.NewTree()
		seen := map[string]bool{}
		for _, folder := range w.folders {
			if !s.walk(ctx, w, tree, folder, seen, yield) {
				return
			}
		}
	}
}

// walk yields the files of a folder that are not open, and tells whether to go on.
func (s *server) walk(ctx context.Context, w *world, tree *ignore.Tree, folder string, seen map[string]bool, yield func(*document) bool) bool {
	entries, err := os.ReadDir(folder)
	if err != nil || seen[folder] {
		return true // a folder that cannot be read holds nothing for us
	}
	seen[folder] = true
	for _, e := range entries {
		if ctx.Err() != nil {
			return false
		}
		path := filepath.Join(folder, e.Name())
		if e.Type()&fs.ModeSymlink != 0 || slices.Contains(repositoryFolders, e.Name()) {
			continue
		}
		cfg, _ := w.configOf(path)
		if tree.Ignored(path, e.IsDir()) != "" || cfg.Excluded(path, e.IsDir()) {
			continue
		}
		if e.IsDir() {
			if !s.walk(ctx, w, tree, path, seen, yield) {
				return false
			}
			continue
		}
		if e.Type().IsRegular() && taken(cfg, path) && s.docs.get(uriOf(path)) == nil {
			if d := s.disk.get(path, s.client.encoding); d != nil && !yield(d) {
				return false
			}
		}
	}
	return true
}

var repositoryFolders = []string{".git", ".hg", ".jj", ".svn"}

// taken tells whether a file is one to look into.
func taken(cfg *config.Config, path string) bool {
	if included, said := cfg.Included(path); said {
		return included
	}
	return host.For(filepath.ToSlash(path)) != nil
}

// get reads a file, or returns it as it was read last if it has not changed since; nil for one that cannot be read.
func (f *diskFiles) get(path string, enc encoding) *document {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxFile {
		return nil
	}
	f.mu.Lock()
	have, ok := f.read[path]
	f.mu.Unlock()
	if ok && have.size == info.Size() && have.modified.Equal(info.ModTime()) {
		return have.doc
	}
	data, err := atomicfile.Read(path, maxFile)
	if err != nil || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return nil
	}
	d := newDocument(uriOf(path), "", 0, string(data), enc)
	if d.host == nil {
		d.host = host.SelectorFile{} // included by the configuration
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.read == nil {
		f.read = map[string]diskFile{}
	}
	f.read[path] = diskFile{info.Size(), info.ModTime(), d}
	return d
}
