package lsp

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/pactkit/pactkit/host"
)

// clientFile reads a file of a client in editors/.
func clientFile(t *testing.T, path string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join("..", "editors", filepath.FromSlash(path)))))
}

// quoted lists the strings between a beginning and an end in a file of a client.
func quoted(t *testing.T, path, begin, end string) []string {
	t.Helper()
	_, text, found := strings.Cut(clientFile(t, path), begin)
	text, _, ended := strings.Cut(text, end)
	if !found || !ended {
		t.Fatalf("%s: there is no list between %q and %q", path, begin, end)
	}
	var list []string
	for _, m := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// vscodeManifest has the members of the manifest of the extension that the test reads.
type vscodeManifest struct {
	Events     []string `json:"activationEvents"`
	Contribute struct {
		Languages []struct {
			ID         string   `json:"id"`
			Extensions []string `json:"extensions"`
		} `json:"languages"`
	} `json:"contributes"`
}

type helixConfiguration struct {
	Languages []struct {
		Name      string   `toml:"name"`
		FileTypes []string `toml:"file-types"`
		Servers   []string `toml:"language-servers"`
	} `toml:"language"`
}

type zedExtension struct {
	Servers map[string]struct {
		Languages []string          `toml:"languages"`
		IDs       map[string]string `toml:"language_ids"`
	} `toml:"language_servers"`
}

// helixNames maps names of languages in Helix to different ids in the protocol.
var helixNames = map[string]string{"tsx": "typescriptreact", "jsx": "javascriptreact", "jsonc": "jsonc"}

// TestEditors compares the languages that the clients in editors/ name with the hosts. A new host
// must be added to the clients too.
func TestEditors(t *testing.T) {
	known := slices.Sorted(maps.Keys(extensions))
	all := slices.Sorted(slices.Values(append(slices.Clone(known), languageID)))
	covers(t, "the table extensions of document.go", all)

	var manifest vscodeManifest
	if err := json.Unmarshal([]byte(clientFile(t, "vscode/package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	var events []string // VS Code itself starts an extension for the language it contributes
	for _, e := range manifest.Events {
		events = append(events, strings.TrimPrefix(e, "onLanguage:"))
	}
	for _, list := range []struct {
		name string
		want []string
		got  []string
	}{
		{"vscode/package.json", known, events},
		{"vscode/src/extension.ts", all, quoted(t, "vscode/src/extension.ts", "const languages = [", "];")},
		{"neovim/lua/pactkit.lua", all, quoted(t, "neovim/lua/pactkit.lua", "M.filetypes = {", "}")},
	} {
		if d := gocmp.Diff(list.want, slices.Sorted(slices.Values(list.got))); d != "" {
			t.Errorf("editors/%s (-server +client):\n%s", list.name, d)
		}
	}
	selectorFiles(t, "vscode", manifest.Contribute.Languages[0].Extensions)
	selectorFiles(t, "neovim", []string{strings.TrimPrefix(quoted(t, "neovim/lua/pactkit.lua", "pattern = ", ",")[0], "*")})
	selectorFiles(t, "emacs", []string{strings.Trim(quoted(t, "emacs/pact-selector-mode.el", "auto-mode-alist '(", " .")[0], `\'`)})

	t.Run("words", testWords)
	t.Run("highlighting", func(t *testing.T) { testHighlighting(t, known) })
	t.Run("helix", testHelix)
	t.Run("zed", testZed)
	t.Run("jetbrains", testJetBrains)
}

// covers checks that the languages of a client include every host, and nothing else.
func covers(t *testing.T, client string, ids []string) {
	t.Helper()
	missing := map[string]bool{}
	for _, h := range host.All() {
		missing[h.Name()] = true
	}
	for _, id := range ids {
		if h := hostOf("", id); h == nil {
			t.Errorf("%s: %q is not a language of the server", client, id)
		} else {
			delete(missing, h.Name())
		}
	}
	if len(missing) > 0 {
		t.Errorf("%s: no language for %q; add one", client, slices.Sorted(maps.Keys(missing)))
	}
}

// selectorFiles checks the extensions that a client gives selector files.
func selectorFiles(t *testing.T, client string, got []string) {
	t.Helper()
	if d := gocmp.Diff(host.SelectorFile{}.Extensions(), got); d != "" {
		t.Errorf("editors/%s: selector files (-server +client):\n%s", client, d)
	}
}

// testWords checks the pattern of words for VS Code, which requests completion after a trigger
// character only outside words. Without the flag u, \p{L} would match the characters themselves,
// including a brace.
func testWords(t *testing.T) {
	var c struct {
		Word struct{ Pattern, Flags string } `json:"wordPattern"`
	}
	if err := json.Unmarshal([]byte(clientFile(t, "vscode/language-configuration.json")), &c); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(c.Word.Pattern).FindAllString("^ah .block{ä-1<=-2.5}:last", -1)
	if d := gocmp.Diff([]string{"ah", "block", "ä-1", "-2.5", "last"}, got); d != "" || c.Word.Flags != "u" {
		t.Errorf("with the flags %q (-want +got):\n%s", c.Word.Flags, d)
	}
}

// notPrograms are the languages in whose strings VS Code and Neovim highlight no selectors without
// the server. The fences of Markdown have rules of their own.
var notPrograms = []string{"json", "jsonc", "yaml", "toml", "markdown"}

// testHighlighting compares the languages in which clients highlight selectors without the server.
func testHighlighting(t *testing.T, known []string) {
	programs := slices.DeleteFunc(slices.Clone(known), func(id string) bool { return slices.Contains(notPrograms, id) })
	scopes := map[string]string{"ts": "typescript", "tsx": "typescriptreact", "js": "javascript", "js.jsx": "javascriptreact"}
	var injected []string
	for _, scope := range quoted(t, "vscode/package.json", `"./syntaxes/strings.tmLanguage.json",
        "injectTo": [`, "]") {
		id := strings.TrimPrefix(scope, "source.")
		injected = append(injected, cmp.Or(scopes[id], id))
	}
	for _, list := range []struct {
		name string
		got  []string
	}{
		{"vscode/package.json, injectTo", injected},
		{"neovim/lua/pactkit.lua, Syntax", quoted(t, "neovim/lua/pactkit.lua", `nvim_create_autocmd("Syntax", {`, "callback")},
	} {
		if d := gocmp.Diff(programs, slices.Sorted(slices.Values(list.got))); d != "" {
			t.Errorf("editors/%s (-server +client):\n%s", list.name, d)
		}
	}
	parsers := map[string]string{"typescriptreact": "tsx", "javascriptreact": "javascript"}
	for _, id := range known {
		file := filepath.Join("tree-sitter-pactsel", "queries", cmp.Or(parsers[id], id), "injections.scm")
		if _, err := os.Stat(filepath.Join("..", "editors", file)); err != nil && !strings.HasPrefix(id, "json") {
			t.Errorf("%s: no query finds its selectors: %v", id, err)
		}
	}
}

func testHelix(t *testing.T) {
	var c helixConfiguration
	if err := toml.Unmarshal([]byte(clientFile(t, "helix/languages.toml")), &c); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, l := range c.Languages {
		if !slices.Contains(l.Servers, "pact-lsp") {
			continue
		}
		id := l.Name
		if other, ok := helixNames[id]; ok {
			id = other
		}
		ids = append(ids, id)
		if id == languageID {
			selectorFiles(t, "helix", []string{"." + strings.Join(l.FileTypes, " ")})
		}
	}
	covers(t, "editors/helix/languages.toml", ids)
}

func testZed(t *testing.T) {
	var x zedExtension
	if err := toml.Unmarshal([]byte(clientFile(t, "zed/extension.toml")), &x); err != nil {
		t.Fatal(err)
	}
	server := x.Servers["pact-lsp"]
	var ids []string
	for _, name := range server.Languages {
		id, ok := server.IDs[name]
		if !ok {
			t.Errorf("%s has no id", name)
		}
		ids = append(ids, id)
	}
	covers(t, "editors/zed/extension.toml", ids)
	var language struct {
		Suffixes []string `toml:"path_suffixes"`
	}
	if err := toml.Unmarshal([]byte(clientFile(t, "zed/languages/pact-selector/config.toml")), &language); err != nil {
		t.Fatal(err)
	}
	selectorFiles(t, "zed", []string{"." + strings.Join(language.Suffixes, " ")})
}

// testJetBrains checks the template for LSP4IJ, which names every extension of every host.
func testJetBrains(t *testing.T) {
	var c struct {
		ID, Name string
		Program  struct{ Default string } `json:"programArgs"`
		Mappings []struct {
			Type     struct{ Patterns []string } `json:"fileType"`
			Language string                      `json:"languageId"`
		} `json:"fileTypeMappings"`
	}
	d := json.NewDecoder(strings.NewReader(clientFile(t, "jetbrains/lsp4ij/template.json")))
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.ID == "" || c.Name == "" || c.Program.Default != "pact-lsp" {
		t.Errorf("the template has the id %q, the name %q and the program %q", c.ID, c.Name, c.Program.Default)
	}
	var ids, got, want []string
	for _, m := range c.Mappings {
		ids = append(ids, m.Language)
		for _, pattern := range m.Type.Patterns {
			extension := strings.TrimPrefix(pattern, "*")
			got = append(got, extension)
			if own, known := hostOf("", m.Language), host.For("x"+extension); own != known {
				t.Errorf("%s is not a file of the language %s", pattern, m.Language)
			}
		}
	}
	covers(t, "editors/jetbrains/lsp4ij/template.json", ids)
	for _, h := range host.All() {
		want = append(want, h.Extensions()...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("editors/jetbrains/lsp4ij/template.json: change the extensions (-server +client):\n%s", d)
	}
}
