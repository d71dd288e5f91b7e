package sessions

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/thread/source"
)

// Place is a folder in which a program keeps its sessions.
type Place struct {
	Program string // its name
	Folder  string
	Begins  string // how the names of the files begin; empty if that tells nothing
}

// Places returns where programs keep their sessions on this machine, whether these exist or not.
// getenv is os.Getenv.
func Places(home string, getenv func(string) string) []Place {
	in := func(name string, or ...string) string {
		return cmp.Or(getenv(name), filepath.Join(append([]string{home}, or...)...))
	}
	data := in("XDG_DATA_HOME", ".local", "share")
	return []Place{
		{"Claude Code", filepath.Join(in("CLAUDE_CONFIG_DIR", ".claude"), "projects"), ""},
		{"Codex", filepath.Join(in("CODEX_HOME", ".codex"), "sessions"), "rollout-"},
		{"Gemini CLI", filepath.Join(home, ".gemini", "tmp"), "session-"},
		{"opencode", filepath.Join(data, "opencode"), ""},
		{"Goose", filepath.Join(data, "goose", "sessions"), ""},
	}
}

// Found is what is in a [Place].
type Found struct {
	Files  int   // with the endings of logs
	Bytes  int64 // of all of them
	Newest string
	At     time.Time // when the newest one was written
}

// Find counts the files of a place that may be sessions, without reading them. A place that does
// not exist has none.
func (p Place) Find(ctx context.Context) (Found, error) {
	var out Found
	folders := []string{p.Folder}
	for len(folders) > 0 {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		folder := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		entries, err := atomicfile.Disk().List(folder)
		if err != nil {
			continue // it does not exist, or belongs to somebody else
		}
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			if e.IsDir() {
				folders = append(folders, name)
				continue
			}
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || !hasEnd(e.Name(), ends...) || !strings.HasPrefix(e.Name(), p.Begins) {
				continue
			}
			out.Files++
			out.Bytes += info.Size()
			if at := info.ModTime(); out.Newest == "" || at.After(out.At) || at.Equal(out.At) && name < out.Newest {
				out.Newest, out.At = name, at
			}
		}
	}
	return out, nil
}

// Marks returns what files of a kind are recognized by, in words.
func Marks(k Kind) string {
	switch k {
	case Journal:
		return "its first line, which names the format"
	case Document:
		return "root, working or snapshots"
	}
	return cmp.Or(source.Marks(source.Kind(k)), "messages that end with an answer of the model, or stand alone in the file")
}
