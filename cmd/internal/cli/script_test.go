package cli

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/lspcli"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/test/provider"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// raceSetting makes a program with a race fail whatever its exit code would be, and keeps the race
// detector from sleeping for a second before a program exits.
const raceName, raceSetting = "GORACE", "halt_on_error=1 atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if err := os.Setenv(raceName, raceSetting); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"pactfmt":  func() { os.Exit(Main(verb.Pactfmt)) },
		"pactkit":  func() { os.Exit(Main(verb.Pactkit)) },
		"pactsel":  func() { os.Exit(Main(verb.ProgramOf(os.Args[0]))) },
		"pact-lsp": func() { os.Exit(lspcli.Main()) },
		"provider": func() { os.Exit(provider.With(os.Args[1:])) },
		"ask":      func() { os.Exit(provider.Ask(os.Args[1:])) },
		"peak":     func() { os.Exit(reportPeak(os.Args[1:])) },
		// On a busy machine a process may need longer than the grace to exit.
		"pactkit-slow-exit": func() {
			code := Main(verb.Pactkit)
			time.Sleep(4 * grace)
			os.Exit(code)
		},
	})
}

// TestScripts runs testdata/cli/*.txtar against the real programs. PACTKIT_UPDATE=1 rewrites what
// they compare with.
func TestScripts(t *testing.T) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("PACTKIT_UPDATE=1 go test ./cmd/internal/cli -run TestScripts rewrites what the scripts compare with; read the difference")
		}
	})
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("PACTKIT_UPDATE") == "1",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars,
				raceName+"="+raceSetting, "HOME="+e.WorkDir, "NO_COLOR=", "FORCE_COLOR=",
				"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(e.WorkDir),
				"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
			)
			// Nothing outside the script configures it.
			return os.WriteFile(filepath.Join(filepath.Dir(e.WorkDir), ".pactkit.toml"), []byte("root = true\n"), 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"archive":  cmdArchive,
			"database": cmdDatabase,
			"exits":    testkit.Exits,
			"extend":   cmdExtend,
			"bytes":    cmdBytes,
			"copy":     cmdCopy,
			"holds":    cmdHolds,
			"mkfifo":   cmdMkfifo,
			"mode":     cmdMode,
			"outside":  cmdOutside,
			"repeat":   cmdRepeat,
			"schema":   schemaCommand(t.TempDir()),
			"unpack":   cmdUnpack,
			"word":     cmdWord,
		},
	})
}

// scripts lists the scripts. Under the race detector (-short) a program takes a quarter of a second
// to start, so only the scripts of concurrent verbs run.
func scripts(t *testing.T) []string {
	t.Helper()
	names := []string{"*"}
	if testing.Short() {
		names = []string{
			"baseline", "check", "extract", "fix", "fmt-write", "grep", "import", "inspect", "lint", "lint-fixtures", "mcp", "results-refused", "stats",
			"test-*", "together", "worker",
		}
	}
	var files []string
	for _, name := range names {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "cli", name+".txtar"))
		if err != nil || len(found) == 0 {
			t.Fatalf("there are no scripts %s: %v", name, err)
		}
		files = append(files, found...)
	}
	return files
}

// unquote reads the escapes of a Go string, for the bytes that a txtar file cannot hold.
func unquote(ts *testscript.TestScript, s string) string {
	text, err := strconv.Unquote(`"` + s + `"`)
	ts.Check(err)
	return text
}

// bytes FILE TEXT writes a file; the text may hold escapes.
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE TEXT")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unquote(ts, args[1])), 0o644))
}

// archive OUT MEMBER FILE makes a zip archive of one member.
func cmdArchive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: archive OUT MEMBER FILE")
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	member, err := z.Create(args[1])
	ts.Check(err)
	_, err = member.Write([]byte(ts.ReadFile(args[2])))
	ts.Check(err)
	ts.Check(z.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o644))
}

// copy FOLDER copies a folder of testdata into the working folder.
func cmdCopy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: copy FOLDER")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(filepath.Join("..", "..", "..", "testdata", args[0]))))
}

// unpack PAGE FILE writes what a page of inspect --html has in compressed elements, which no search
// would find, to a file.
func cmdUnpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack PAGE FILE")
	}
	var out bytes.Buffer
	for part := range strings.SplitSeq(ts.ReadFile(args[0]), `<script type="application/gzip" id="`) {
		_, text, ok := strings.Cut(part, `">`)
		text, _, _ = strings.Cut(text, "</script>")
		data, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil {
			continue // the beginning of the page
		}
		r, err := gzip.NewReader(bytes.NewReader(data))
		ts.Check(err)
		_, err = out.ReadFrom(r)
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o644))
}

// word WORD FOLDER replaces items by a word in the files of a folder.
func cmdWord(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: word WORD FOLDER")
	}
	folder := ts.MkAbs(args[1])
	entries, err := os.ReadDir(folder)
	ts.Check(err)
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		text := strings.ReplaceAll(ts.ReadFile(path), "items", args[0])
		ts.Check(os.WriteFile(path, []byte(text), 0o644))
	}
}

// outside BEFORE.jsonl FOLDER AFTER.jsonl FOLDER compares the files that 'pactkit extract --json'
// listed, without the ranges that it gave.
func cmdOutside(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: outside BEFORE.jsonl FOLDER AFTER.jsonl FOLDER")
	}
	before, after := outside(ts, args[0], args[1]), outside(ts, args[2], args[3])
	if len(before) == 0 || len(before) != len(after) {
		ts.Fatalf("selectors in %d files, then in %d", len(before), len(after))
	}
	for path, text := range before {
		if text != after[path] {
			ts.Fatalf("%s has other bytes outside of its selectors:\n%s\nbecame\n%s", path, text, after[path])
		}
	}
}

func outside(ts *testscript.TestScript, list, folder string) map[string]string {
	at, texts, files := map[string]int{}, map[string]string{}, map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(ts.ReadFile(list))); dec.More(); {
		var s struct {
			Path       string
			Start, End struct{ Offset int }
		}
		ts.Check(dec.Decode(&s))
		if _, ok := files[s.Path]; !ok {
			files[s.Path] = ts.ReadFile(filepath.Join(folder, s.Path))
		}
		texts[s.Path] += files[s.Path][at[s.Path]:s.Start.Offset] + "\x00"
		at[s.Path] = s.End.Offset
	}
	for path := range texts {
		texts[path] += files[path][at[path]:]
	}
	return texts
}

// holds FILE TEXT compares a file, stdout or stderr with a text that may hold escapes.
func cmdHolds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] holds FILE TEXT")
	}
	got, want := ts.ReadFile(args[0]), unquote(ts, args[1])
	if (got == want) == neg {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

// mkfifo FILE makes a named pipe.
func cmdMkfifo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mkfifo FILE")
	}
	ts.Check(makePipe(ts.MkAbs(args[0])))
}

// mode FILE [MODE] sets the permissions of a file; ? before the mode compares them.
func cmdMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode FILE [?]MODE")
	}
	file := ts.MkAbs(args[0])
	want, compare := strings.CutPrefix(args[1], "?")
	if !compare {
		mode, err := strconv.ParseUint(want, 8, 32)
		ts.Check(err)
		ts.Check(os.Chmod(file, os.FileMode(mode)))
		return
	}
	info, err := os.Stat(file)
	ts.Check(err)
	if got := fmt.Sprintf("%o", info.Mode().Perm()); got != want {
		ts.Fatalf("mode is %s, want %s", got, want)
	}
}

// repeat N TEXT FILE writes a text many times; the text may hold escapes.
func cmdRepeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N TEXT FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(unquote(ts, args[1]), n)), 0o644))
}

// extend FILE BYTES adds zeros to a file up to a size. They take no room on most disks.
func cmdExtend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: extend FILE BYTES")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_WRONLY, 0o644)
	ts.Check(err)
	ts.Check(errors.Join(f.Truncate(size), f.Close()))
}

// cmdDatabase runs SQL from a file on an SQLite database, which it makes.
func cmdDatabase(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: database FILE SQL")
	}
	db, err := sqlite3.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(errors.Join(db.Exec(ts.ReadFile(args[1])), db.Close()))
}

// schemaCommand returns the command schema NAME FILE, which compares each JSON value in a file,
// stdout or stderr with docs/schemas/NAME.json, or with the published schema of SARIF. Its program
// is built in a folder when it is first used.
func schemaCommand(folder string) func(*testscript.TestScript, bool, []string) {
	program := filepath.Join(folder, "schemacheck.exe")
	build := sync.OnceValues(func() ([]byte, error) {
		return exec.Command("go", "build", "-o", program, "../../../internal/test/schemacheck").CombinedOutput()
	})
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 2 {
			ts.Fatalf("usage: schema NAME FILE")
		}
		if out, err := build(); err != nil {
			ts.Fatalf("schemacheck: %v: %s", err, out)
		}
		schema := filepath.Join("..", "..", "..", "docs", "schemas", args[0]+".json")
		if args[0] == "sarif-schema-2.1.0" {
			schema = filepath.Join("..", "output", "testdata", args[0]+".json")
		}
		cmd := exec.Command(program, schema)
		cmd.Stdin = strings.NewReader(ts.ReadFile(args[1]))
		if out, err := cmd.CombinedOutput(); err != nil {
			ts.Fatalf("%s: %v: %s", args[1], err, out)
		}
	}
}

// TestEveryVerb: there is a script for every command.
func TestEveryVerb(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "cli", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var scripts strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scripts.Write(text)
	}
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		if path := cmd.CommandPath(); cmd.Runnable() && !strings.Contains(scripts.String(), path+" ") && !strings.Contains(scripts.String(), path+"\n") {
			t.Errorf("no script of testdata/cli runs %q: add one", path)
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(Command(verb.Pactkit))
}
