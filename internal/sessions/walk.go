package sessions

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

func (o *opener) abs(name string) string {
	if filepath.IsAbs(name) || o.Folder == "" {
		return filepath.Clean(name)
	}
	return filepath.Join(o.Folder, name)
}

// at returns where a file is opened, and under which name.
func (o *opener) at(name string) (atomicfile.FS, string) {
	if o.Root != nil {
		return o.Root.FS, filepath.Clean(name)
	}
	return atomicfile.Disk(), o.abs(name)
}

func (o *opener) stat(name string) (fs.FileInfo, error) {
	files, at := o.at(name)
	return files.Stat(at)
}

func (o *opener) entries(name string) ([]fs.DirEntry, error) {
	files, at := o.at(name)
	return files.List(at)
}

// ends are the endings of the names of files that are read in a folder, without those of compressed
// files.
var ends = []string{".json", ".jsonl", ".ndjson", ".eval", ".traj", ".llm.history", ".db"}

func hasEnd(name string, ends ...string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// isHistory reports whether a folder is one history: .json files, of which the first is a snapshot,
// and no files of other kinds.
func (o *opener) isHistory(name string) bool {
	entries, err := o.entries(name)
	if err != nil {
		return false
	}
	found := false
	for _, e := range entries {
		switch {
		case e.IsDir() || !hasEnd(e.Name(), ends...):
		case !hasEnd(e.Name(), ".json"):
			return false
		case !found:
			found = true
			f, err := o.openFile(filepath.Join(name, e.Name()))
			if err != nil {
				return false
			}
			is := isSnapshot(f.beginning())
			f.Close()
			if !is {
				return false
			}
		}
	}
	return found
}

// snapshots yields a folder of snapshots.
func (o *opener) snapshots(ctx context.Context, name string) {
	files, at := o.at(name)
	t, err := engine.LoadDir(files.Folder(at), name, o.readOptions(ctx))
	if err != nil {
		o.fail(name, err)
		return
	}
	o.give(Session{Path: name, Kind: Document, Timeline: t})
}
