//go:build unix

package doctest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestUses runs testdata/uses/*.txtar: one script for each way people use pactkit, with the
// programs that they install. PACTKIT_UPDATE=1 rewrites what the scripts compare with.
func TestUses(t *testing.T) {
	programs := programs(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(root, "testdata", "uses"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("PACTKIT_UPDATE") == "1",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars,
				"PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+e.WorkDir,
				"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(e.WorkDir),
				"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
			)
			e.Values["lsp"] = &client{files: map[string]*openFile{}}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"copy":  cmdCopy,
			"exits": testkit.Exits,
			"hook":  cmdHook,
			"lsp":   lspCommand(filepath.Join(programs, "pact-lsp")),
		},
	})
}

// copy FOLDER copies a folder of the repository into the working folder.
func cmdCopy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: copy FOLDER")
	}
	ts.Check(os.CopyFS(ts.MkAbs(filepath.Base(args[0])), os.DirFS(filepath.Join(root, args[0]))))
}

// hook CODE ID runs a hook of .pre-commit-hooks.yaml as pre-commit does: on the staged files whose
// names it takes. The hook must end with the code.
func cmdHook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hook CODE ID")
	}
	data, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	ts.Check(err)
	var hooks []struct {
		ID, Entry, Files, Exclude string

		PassFilenames *bool `yaml:"pass_filenames"`
	}
	ts.Check(yaml.Unmarshal(data, &hooks))
	for _, h := range hooks {
		if h.ID != args[1] {
			continue
		}
		ts.Check(ts.Exec("git", "diff", "--staged", "--name-only", "--diff-filter=ACMRTUXB"))
		files := slices.DeleteFunc(strings.Fields(ts.ReadFile("stdout")), func(name string) bool {
			return !regexp.MustCompile(h.Files).MatchString(name) || h.Exclude != "" && regexp.MustCompile(h.Exclude).MatchString(name)
		})
		if len(files) == 0 {
			ts.Fatalf("hook %s takes none of the staged files", h.ID)
		}
		run := append([]string{args[0]}, strings.Fields(h.Entry)...)
		if h.PassFilenames == nil || *h.PassFilenames {
			run = append(run, files...)
		}
		testkit.Exits(ts, false, run)
		return
	}
	ts.Fatalf("there is no hook %s", args[1])
}

// client is the editor of a script, and the files that are open in it, by path.
type client struct {
	*editor
	files map[string]*openFile
}

type openFile struct {
	text    string
	version int
}

// lspCommand returns the command lsp, an editor that speaks to the program pact-lsp. Lines and
// columns count from 1, columns in bytes.
//
//	lsp initialize                   starts the server in the working folder
//	lsp open FILE LANGUAGE           opens a file
//	lsp change FILE NEW              replaces the text of an open file by that of another file
//	lsp diagnostics FILE             prints what the server publishes about the newest text
//	lsp completion FILE LINE COLUMN  prints what it proposes
//	lsp hover FILE LINE COLUMN       prints the Markdown
//	lsp actions FILE LINE COLUMN     prints the titles of the fixes
//	lsp format FILE                  prints the text after formatting
//	lsp shutdown                     ends the server, which must exit with 0
func lspCommand(server string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		counts := map[string]int{"initialize": 1, "open": 3, "change": 3, "diagnostics": 2, "completion": 4, "hover": 4, "actions": 4, "format": 2, "shutdown": 1}
		if neg || len(args) == 0 || counts[args[0]] != len(args) {
			ts.Fatalf("usage: lsp initialize | open FILE LANGUAGE | change FILE NEW | diagnostics FILE | (completion|hover|actions) FILE LINE COLUMN | format FILE | shutdown")
		}
		c, _ := ts.Value("lsp").(*client)
		switch {
		case args[0] == "initialize":
			c.editor = startEditor(ts, server, ts.MkAbs("."), append(os.Environ(), "HOME="+ts.Getenv("HOME")))
			ts.Defer(func() { _ = c.server.Process.Kill() }) // a script that fails does not shut down
			return
		case c.editor == nil:
			ts.Fatalf("lsp %s: initialize comes first", args[0])
		case args[0] == "shutdown":
			ts.Check(c.shutdown())
			return
		}
		file := ts.MkAbs(args[1])
		switch args[0] {
		case "open":
			c.files[file] = &openFile{ts.ReadFile(args[1]), 1}
			c.editor.open(file, args[2], c.files[file].text)
		case "change":
			c.files[file] = &openFile{ts.ReadFile(args[2]), c.files[file].version + 1}
			c.notify("textDocument/didChange", map[string]any{
				"textDocument":   map[string]any{"uri": "file://" + file, "version": c.files[file].version},
				"contentChanges": []any{map[string]any{"text": c.files[file].text}},
			})
		default:
			fmt.Fprint(ts.Stdout(), c.ask(ts, file, args))
		}
	}
}

// ask sends a request about an open file and returns the answer as text.
func (c *client) ask(ts *testscript.TestScript, file string, args []string) string {
	var out strings.Builder
	p := at(file, position{})
	if len(args) == 4 {
		line, err := strconv.Atoi(args[2])
		ts.Check(err)
		column, err := strconv.Atoi(args[3])
		ts.Check(err)
		p = at(file, position{line - 1, column - 1})
	}
	switch args[0] {
	case "diagnostics":
		for _, d := range c.findings(file, c.files[file].version) {
			fmt.Fprintf(&out, "%s: %s: %s [%s]\n", d.Range, severities[d.Severity], strings.ReplaceAll(d.Message, "\n", "; "), d.Code)
		}
	case "completion":
		for _, item := range c.complete(p) {
			fmt.Fprintln(&out, strings.TrimSpace(item.Label+"  "+item.Detail))
		}
	case "hover":
		var answer struct{ Contents struct{ Value string } }
		c.call("textDocument/hover", p, &answer)
		fmt.Fprintln(&out, answer.Contents.Value)
	case "actions":
		p["range"] = span{p["position"].(position), p["position"].(position)}
		p["context"] = map[string]any{"diagnostics": []any{}}
		var answer []struct{ Title string }
		c.call("textDocument/codeAction", p, &answer)
		for _, action := range answer {
			fmt.Fprintln(&out, action.Title)
		}
	case "format":
		p["options"] = map[string]any{"tabSize": 4, "insertSpaces": true}
		var edits []textEdit
		c.call("textDocument/formatting", p, &edits)
		out.WriteString(apply(c.files[file].text, edits))
	}
	return out.String()
}

// severities are the names of those of the protocol.
var severities = []string{"", "error", "warning", "info", "hint"}

// String writes a range as the reports of pactkit do, from 1.
func (s span) String() string {
	return fmt.Sprintf("%d:%d-%d:%d", s.Start.Line+1, s.Start.Character+1, s.End.Line+1, s.End.Character+1)
}

// apply returns a text after edits that do not overlap.
func apply(text string, edits []textEdit) string {
	lines := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	offset := func(p position) int { return lines[p.Line] + p.Character }
	slices.SortFunc(edits, func(a, b textEdit) int { return cmp.Compare(offset(b.Range.Start), offset(a.Range.Start)) })
	for _, e := range edits {
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	return text
}
