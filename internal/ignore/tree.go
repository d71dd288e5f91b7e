package ignore

import (
	"path/filepath"
	"sync"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// fileNames are the ignore files that are honored in every folder, each overriding the ones before
// it.
var fileNames = [...]string{".gitignore", ".ignore", ".pactignore"}

// maxFileSize is the size over which an ignore file is not read.
const maxFileSize = 1 << 20

// Tree tells which paths of the file system are ignored. The ignore files of a folder apply to
// everything below it. For a path in a git repository only those inside the repository apply;
// otherwise those of all folders above. It reads every ignore file once and is safe for concurrent
// use.
type Tree struct {
	mu      sync.Mutex
	folders map[string]*folder
}

type folder struct {
	list    List
	repo    bool   // holds a .git: patterns from above do not reach below
	ignored string // where the pattern that ignores the folder was written, or ""
}

// NewTree returns a tree that has read nothing yet.
func NewTree() *Tree { return &Tree{folders: map[string]*folder{}} }

// Ignored returns the location of the pattern that ignores a path, as "file:line", or "". The path
// is absolute and clean; it need not exist.
func (t *Tree) Ignored(path string, isDir bool) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ignored(path, isDir)
}

func (t *Tree) ignored(path string, isDir bool) string {
	parent := filepath.Dir(path)
	if parent == path {
		return ""
	}
	if f := t.folder(parent); f.ignored != "" {
		return f.ignored
	}
	for dir := parent; ; dir = filepath.Dir(dir) {
		f := t.folder(dir)
		if rel, err := filepath.Rel(dir, path); err == nil {
			if source, ignored := f.list.Match(filepath.ToSlash(rel), isDir); ignored {
				return source
			} else if source != "" {
				return ""
			}
		}
		if f.repo || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// folder reads the ignore files of a folder, once. They do not apply to the folder itself.
func (t *Tree) folder(dir string) *folder {
	if f, ok := t.folders[dir]; ok {
		return f
	}
	f := &folder{}
	t.folders[dir] = f
	for _, name := range fileNames {
		file := filepath.Join(dir, name)
		if text, err := atomicfile.Read(file, maxFileSize); err == nil {
			f.list = f.list.Join(Parse(file, string(text)))
		}
	}
	_, err := atomicfile.Lstat(filepath.Join(dir, ".git"))
	f.repo = err == nil
	if !f.repo {
		f.ignored = t.ignored(dir, true)
	}
	return f
}

// IsRepository reports whether a version control system keeps its own files in a folder of that
// name.
func IsRepository(name string) bool {
	return name == ".git" || name == ".hg" || name == ".jj" || name == ".svn"
}
