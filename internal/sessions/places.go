package sessions

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// Place is a folder in which a program keeps its sessions.
type Place struct {
	Program string // its name
	Folder  string
	Prefix  string // the prefix of the names of the files, or ""
}

// Places returns the folders where programs keep their sessions on this machine, even those that do
// not exist. The folders of an editor's extensions must exist. getenv is os.Getenv.
func Places(home string, getenv func(string) string) []Place {
	in := func(name string, or ...string) string {
		return cmp.Or(getenv(name), filepath.Join(append([]string{home}, or...)...))
	}
	data := in("XDG_DATA_HOME", ".local", "share")
	out := []Place{
		{"Claude Code", filepath.Join(in("CLAUDE_CONFIG_DIR", ".claude"), "projects"), ""},
		{"Codex", filepath.Join(in("CODEX_HOME", ".codex"), "sessions"), "rollout-"},
		{"Gemini CLI", filepath.Join(home, ".gemini", "tmp"), "session-"},
		{"opencode", filepath.Join(data, "opencode"), "opencode."},
		{"Goose", filepath.Join(data, "goose", "sessions"), ""},
		{"recording", filepath.Join(in("XDG_STATE_HOME", ".local", "state"), "pactkit", "recordings"), "calls."},
	}
	for _, folder := range editors(home, getenv) {
		for _, x := range [...]struct{ program, extension string }{
			{"Cline", "saoudrizwan.claude-dev"}, {"Roo Code", "rooveterinaryinc.roo-cline"},
		} {
			tasks := filepath.Join(folder, "User", "globalStorage", x.extension, "tasks")
			if _, err := atomicfile.Stat(tasks); err == nil {
				out = append(out, Place{x.program, tasks, ""})
			}
		}
	}
	return out
}

// editors returns the folders of VS Code and its forks, even those that do not exist.
func editors(home string, getenv func(string) string) (out []string) {
	folder := cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	switch runtime.GOOS {
	case "darwin":
		folder = filepath.Join(home, "Library", "Application Support")
	case "windows":
		folder = cmp.Or(getenv("APPDATA"), filepath.Join(home, "AppData", "Roaming"))
	}
	for _, name := range [...]string{"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"} {
		out = append(out, filepath.Join(folder, name))
	}
	return append(out, filepath.Join(home, ".vscode-server", "data"))
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
			if err != nil || !info.Mode().IsRegular() || !hasEnd(e.Name(), ends...) || !strings.HasPrefix(e.Name(), p.Prefix) {
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

// marks says in words how files are recognized that package source does not read. In a log of
// messages, the last message is an answer, or the list is the whole file.
var marks = map[Kind]string{
	Journal:                               "its first line, which names the format",
	Document:                              "root, working or snapshots",
	Kind(thread.OpenAI.String()):          "messages up to an answer, with the roles tool or system, tool_calls, or only texts",
	Kind(thread.OpenAIResponses.String()): "input up to an answer, or messages with input_text, output_text, or of type function_call",
	Kind(thread.Anthropic.String()):       "messages up to an answer with system beside them, or with tool_use, tool_result or thinking",
	Kind(thread.Gemini.String()):          "contents up to an answer, or messages with parts",
	Kind(thread.ShareGPT.String()):        "conversations, or messages with from and value",
	Kind(thread.Flat.String()):            "flat_log",
}

// Marks says in words how files of a kind are recognized.
func Marks(k Kind) string { return cmp.Or(marks[k], source.Marks(source.Kind(k))) }
