package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// ends are the endings of the names of files that are read in a folder, without those of compressed
// files.
var ends = []string{".json", ".jsonl", ".ndjson", ".eval"}

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
	entries, err := os.ReadDir(o.abs(name))
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
			f, err := openFile(filepath.Join(o.abs(name), e.Name()))
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
func (o *opener) snapshots(name string) {
	t, err := engine.LoadDir(regular(o.abs(name)), name, o.readOptions())
	if err != nil {
		o.fail(name, err)
		return
	}
	o.give(Session{Path: name, Kind: Document, Timeline: t})
}

// regular is a folder that opens regular files only: a named pipe could block the program.
type regular string

func (r regular) Open(name string) (fs.File, error) {
	if name == "." {
		return os.Open(string(r))
	}
	file, err := atomicfile.Open(filepath.Join(string(r), name))
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", name, e.Err)
	}
	return file, err
}
