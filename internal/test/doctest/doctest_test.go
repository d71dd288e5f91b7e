//go:build unix

package doctest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/pactkit/pactkit/internal/test/provider"
)

var root = filepath.Join("..", "..", "..")

// usage is the page whose sh blocks are examples: one command per line, perhaps followed by a
// remark.
const usage = "docs/reference/cli.md"

// livePage needs a PostgreSQL: TestLive runs it.
const livePage = "docs/guide-live.md"

// pythonPage needs an installed pactsel: the tests of the Python package run it.
const pythonPage = "docs/guide-agent-python.md"

// recordPage records an agent, which asks a provider.
const recordPage = "docs/record.md"

// agent is the name under which this test is an agent.
const agent = "my-agent"

// addAgent puts the agent into the folder of a shell, and a provider into its environment.
func addAgent(t *testing.T, s *shell) {
	t.Helper()
	test, err := os.Executable()
	if err == nil {
		err = os.Symlink(test, filepath.Join(s.dir, agent))
	}
	if err != nil {
		t.Fatal(err)
	}
	server := provider.Serve()
	t.Cleanup(server.Close)
	s.env = append(slices.Clone(s.env), "ANTHROPIC_BASE_URL="+server.URL)
}

// cases are the largest folders of cases of tests, which no page reads.
var cases = []string{"testdata/cli", "testdata/eval", "testdata/format", "testdata/host", "testdata/lint", "testdata/lsp", "testdata/parse", "testdata/uses"}

func TestDocumentation(t *testing.T) {
	programs, caches := programs(t), goCaches(t)
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			if page != livePage && page != pythonPage {
				runPage(t, page, func() *shell {
					s := &shell{dir: sandbox(t, page), programs: programs, env: caches}
					if page == recordPage {
						addAgent(t, s)
					}
					return s
				})
			}
		})
	}
}

// runPage runs the blocks of a page in a shell, if it has any.
func runPage(t *testing.T, page string, start func() *shell) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	blocks := fences(string(src))
	if !slices.ContainsFunc(blocks, fence.runs) {
		return
	}
	s := start()
	var out strings.Builder
	at := 0
	for _, b := range blocks {
		switch {
		case b.lang == "console":
			out.WriteString(string(src[at:b.start]))
			out.WriteString(s.console(t, page, b))
			at = b.end
		case b.lang == "sh" && page == usage:
			s.examples(t, page, b)
		case b.lang == "sh":
			if got, code := s.run("set -e\n" + b.text); code != 0 {
				t.Errorf("%s:%d: exit code %d\n%s", page, b.line, code, got)
			}
		case b.lang == "" && b.hasCommand():
			t.Errorf("%s:%d: a block of commands is called console or sh, so that it is run", page, b.line)
		}
	}
	out.WriteString(string(src[at:]))
	if got := out.String(); got != string(src) {
		golden(t, page, src, []byte(got))
	}
}

func golden(t *testing.T, page string, want, got []byte) {
	t.Helper()
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		if !t.Failed() {
			if err := os.WriteFile(filepath.Join(root, page), got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	t.Errorf("the page shows something else than the programs print; PACTKIT_UPDATE=1 rewrites it\n%s", diff.Diff(page, want, "run", got))
}

// pages lists the Markdown files for readers, by path.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "llms.txt", filepath.Join("skills", "pactkit", "SKILL.md")}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			path, err = filepath.Rel(root, path)
			list = append(list, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// built is the folder of pactkit, pactfmt and pact-lsp, the programs that users install.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == agent {
		os.Exit(provider.Ask([]string{"What is in the pantry?", "Flour and two eggs. A recipe?", "Thanks."}))
	}
	code := m.Run()
	_ = os.RemoveAll(built.dir)
	os.Exit(code)
}

// programs builds pactkit, pactfmt and pact-lsp for the first test that asks, and returns the
// folder they are in.
func programs(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "pactkit-programs-"); built.err == nil {
			built.err = build(built.dir, "./cmd/...")
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir
}

// build builds programs into a folder.
func build(dir string, programs ...string) error {
	cmd := exec.Command("go", append([]string{"build", "-ldflags=-w", "-o", dir + string(filepath.Separator)}, programs...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// goCaches returns settings for the caches of go, which do not depend on HOME.
func goCaches(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	return []string{"GOCACHE=" + dirs[0], "GOMODCACHE=" + dirs[1], "GOPATH=" + dirs[2]}
}

// sandbox returns a folder with the files a reader of a page has: the repository without its
// history, build output and cases of tests, which no page reads; or the files that the examples of
// usage name.
func sandbox(t *testing.T, page string) string {
	t.Helper()
	from, to := root, t.TempDir()
	if page == usage {
		from = filepath.Join("testdata", "usage")
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		switch {
		case d.Name() == ".git" || name == "out" || d.Name() == "node_modules":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil // the mark of a working tree of git
		case d.IsDir() && (d.Name() == "fuzz" || slices.Contains(cases, filepath.ToSlash(name))):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if page == usage { // some verbs run git
		if out, err := exec.Command("git", "init", "-q", to).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return to
}

// fence is one block of a page: the lines between two fences.
type fence struct {
	lang, text string
	line       int // of the first line of text, from 1
	start, end int // of text, in the page
}

func (f fence) runs() bool {
	return f.lang == "console" || f.lang == "sh" || f.lang == "" && f.hasCommand()
}

// hasCommand reports whether a block without a language looks like commands.
func (f fence) hasCommand() bool {
	for l := range strings.Lines(f.text) {
		for _, start := range []string{"$ ", "go run ", "make "} {
			if strings.HasPrefix(l, start) {
				return true
			}
		}
	}
	return false
}

// fences finds the blocks of a page. A block ends with at least as many backquotes as it began
// with: one can contain another.
func fences(src string) []fence {
	var list []fence
	var open *fence
	at, n, quotes := 0, 0, 0
	for l := range strings.Lines(src) {
		n++
		at += len(l)
		l := strings.TrimRight(l, "\n")
		info := strings.TrimLeft(l, "`")
		switch count := len(l) - len(info); {
		case open == nil && count >= 3:
			open, quotes = &fence{lang: strings.TrimSpace(info), line: n + 1, start: at}, count
		case open != nil && count >= quotes && info == "":
			open.end = strings.LastIndex(src[:at], l)
			open.text = src[open.start:open.end]
			list = append(list, *open)
			open = nil
		}
	}
	return list
}

// shell runs the commands of one page.
type shell struct {
	dir, programs string
	env           []string
	prelude       string              // runs before each script
	edit          func(string) string // changes each script; nil for none
	status        int                 // of the last command
}

// console runs the commands of a block and returns the block with their output.
func (s *shell) console(t *testing.T, page string, b fence) string {
	t.Helper()
	var out strings.Builder
	lines := strings.SplitAfter(strings.TrimSuffix(b.text, "\n"), "\n")
	for i := 0; i < len(lines); {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			t.Errorf("%s:%d: a console block begins with a command", page, b.line+i)
			return b.text
		}
		out.WriteString(lines[i])
		for i++; i < len(lines); i++ {
			more, ok := strings.CutPrefix(lines[i], "> ")
			if !ok || !continues(command) {
				break
			}
			out.WriteString(lines[i])
			command += more
		}
		from := i
		for i < len(lines) && !strings.HasPrefix(lines[i], "$ ") {
			i++
		}
		shown := strings.Join(lines[from:i], "")
		if i == len(lines) && shown != "" {
			shown += "\n"
		}
		got, _ := s.run(command)
		if got != "" && !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		if matches(shown, got) {
			got = shown
		}
		if !strings.HasSuffix(out.String(), "\n") && got != "" {
			out.WriteString("\n")
		}
		out.WriteString(got)
	}
	text := out.String()
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// continues reports whether a command continues on the next line: the line ends in a backslash, or
// a quote or a here-document is open.
func continues(command string) bool {
	if strings.HasSuffix(command, "\\\n") || strings.Count(command, "'")%2 == 1 {
		return true
	}
	_, word, ok := strings.Cut(command, "<<")
	if !ok {
		return false
	}
	word, body, _ := strings.Cut(strings.Trim(word, "-"), "\n")
	return !strings.Contains("\n"+body, "\n"+strings.Trim(word, "'\" ")+"\n")
}

// matches compares output with what a page shows, where a line "..." stands for any number of
// lines.
func matches(shown, got string) bool {
	parts := strings.Split("\n"+shown, "\n...\n")
	got = "\n" + got
	for i, p := range parts {
		if i > 0 {
			p = "\n" + p
			got = "\n" + got
		}
		switch {
		case i == len(parts)-1 && i == 0:
			return got == p
		case i == 0:
			if !strings.HasPrefix(got, p+"\n") {
				return false
			}
			got = got[len(p)+1:]
		case i == len(parts)-1:
			return strings.HasSuffix(got, p)
		default:
			_, rest, ok := strings.Cut(got, p+"\n")
			if !ok {
				return false
			}
			got = rest
		}
	}
	return true
}

// examples runs each line of a block as a command of its own, which must not fail.
func (s *shell) examples(t *testing.T, page string, b fence) {
	t.Helper()
	n := b.line
	for l := range strings.Lines(b.text) {
		command, _, _ := strings.Cut(strings.TrimSpace(l), "   ")
		s.dir = sandbox(t, page)
		if got, code := s.run(command); code > 1 {
			t.Errorf("%s:%d: %s: exit code %d\n%s", page, n, command, code, got)
		}
		n++
	}
}

// aliases replaces commands of a page: the programs are already built, and make check would run
// this test.
//
// The inspector serves until it is interrupted, and so do others; true stands for programs that are
// not here. Go alone tests the pages, so a command with make or jq is only run where they are
// installed.
const aliases = `
pactkit() {
	case "$*" in
	*--html*) command pactkit "$@" ;;
	inspect*) timeout --foreground --signal=INT --preserve-status 1 pactkit "$@" --no-open || test $? -eq 130 ;;
	record\ --print-env | record\ --otlp*) timeout --foreground --signal=INT --preserve-status 1 pactkit "$@" || test $? -eq 130 ;;
	log\ -f*) timeout --foreground --signal=INT --preserve-status 1 pactkit "$@" session.jsonl || test $? -eq 130 ;;
	record*\ --\ claude* | record*\ --\ python*) set -- "${*%% -- *}" && command pactkit $1 -- true ;;
	*) command pactkit "$@" ;;
	esac
}
go() {
	case $1 in
	run) program=${2#./cmd/}; shift 2; "$program" "$@" ;;
	install) command go list "$2" >/dev/null ;;
	*) command go "$@" ;;
	esac
}
make() { ! env make --version >/dev/null 2>&1 || command make -n "$@" >/dev/null; }
jq() { if env jq --version >/dev/null 2>&1; then command jq "$@"; else cat >/dev/null; fi; }
`

// run runs a script in the shell and returns its output, errors included, and its exit code.
func (s *shell) run(script string) (string, int) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if s.edit != nil {
		script = s.edit(script)
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("%s%s(exit %d)\n%s", aliases, s.prelude, s.status, script))
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Env = append(cmd.Env, "PATH="+s.programs+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+s.dir, "NO_COLOR=1", "FORCE_COLOR=", "COLUMNS=",
		"PACTKIT_UPDATE=", "TZ=UTC", "GIT_CEILING_DIRECTORIES="+filepath.Dir(s.dir))
	cmd.WaitDelay = time.Second // for what holds the streams after that
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	s.status = 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		s.status = exit.ExitCode()
	} else if err != nil {
		return err.Error(), 127
	}
	return out.String(), s.status
}
