package recent

import (
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// Project is a folder, and the same folder in the other worktrees of its repository.
type Project struct {
	folders  []string          // the folder in each worktree
	trees    []string          // the worktrees; nil outside a repository
	resolved map[string]string // results of resolve
}

// ProjectOf returns the project of a folder. A Project must not be used concurrently.
func ProjectOf(folder string) *Project {
	p := &Project{resolved: map[string]string{}}
	folder = p.resolve(folder)
	p.folders = []string{folder}
	for top := folder; ; top = filepath.Dir(top) {
		if trees := worktrees(top); trees != nil {
			rel, _ := filepath.Rel(top, folder)
			for _, t := range trees {
				t = p.resolve(t)
				p.trees = append(p.trees, t)
				p.folders = append(p.folders, filepath.Join(t, rel))
			}
			return p
		}
		if filepath.Dir(top) == top {
			return p
		}
	}
}

// worktrees returns all worktrees of the repository that has one at top. It returns nil if top is
// not a worktree.
func worktrees(top string) []string {
	const mostName = 1 << 16
	dir := filepath.Join(top, ".git")
	info, err := atomicfile.Stat(dir)
	if err != nil {
		return nil
	}
	out := []string{top}
	if !info.IsDir() {
		text, err := atomicfile.Read(dir, mostName)
		name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if err != nil || !ok {
			return nil
		}
		dir = within(top, name)
	}
	if text, err := atomicfile.Read(filepath.Join(dir, "commondir"), mostName); err == nil {
		dir = within(dir, strings.TrimSpace(string(text)))
	}
	if filepath.Base(dir) == ".git" {
		out = append(out, filepath.Dir(dir))
	}
	list, err := atomicfile.List(filepath.Join(dir, "worktrees"))
	if err != nil {
		return out // the repository has no other worktrees
	}
	for _, e := range list {
		if text, err := atomicfile.Read(filepath.Join(dir, "worktrees", e.Name(), "gitdir"), mostName); err == nil {
			out = append(out, filepath.Dir(strings.TrimSpace(string(text))))
		}
	}
	return out
}

// within returns a path, which may be relative to a folder, as an absolute one.
func within(folder, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// Has reports whether a session was started in the folder or below it, in any worktree.
func (p *Project) Has(s Session) bool { return p.has(p.folders, s) }

// HasRepository reports whether a session was started anywhere in the repository.
func (p *Project) HasRepository(s Session) bool { return p.has(p.trees, s) }

func (p *Project) has(folders []string, s Session) bool {
	if s.Folder == "" {
		return false
	}
	folder := p.resolve(s.Folder)
	for _, f := range folders {
		if rel, err := filepath.Rel(f, folder); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// resolve follows symbolic links. A folder that no longer exists stays as it is.
func (p *Project) resolve(folder string) string {
	if known, ok := p.resolved[folder]; ok {
		return known
	}
	out, err := atomicfile.Resolve(folder)
	if err != nil {
		out = filepath.Clean(folder)
	}
	p.resolved[folder] = out
	return out
}
