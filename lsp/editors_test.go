package lsp

import (
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
	"github.com/pactkit/pactkit/internal/languages"
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
	Contribute struct {
		Languages []struct {
			ID         string   `json:"id"`
			Extensions []string `json:"extensions"`
		} `json:"languages"`
	} `json:"contributes"`
}

type helixConfiguration struct {
	Languages []struct {
		ID        string   `toml:"language-id"`
		FileTypes []string `toml:"file-types"`
	} `toml:"language"`
}

type zedExtension struct {
	Servers map[string]struct {
		Languages []string          `toml:"languages"`
		IDs       map[string]string `toml:"language_ids"`
	} `toml:"language_servers"`
}

// TestEditors checks what the clients in editors/ say of selector files and words, and that what is
// generated in them can be read. `make generate` writes their lists of languages.
func TestEditors(t *testing.T) {
	var manifest vscodeManifest
	if err := json.Unmarshal([]byte(clientFile(t, "vscode/package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	selectorFiles(t, "vscode", manifest.Contribute.Languages[0].Extensions)
	selectorFiles(t, "neovim", []string{strings.TrimPrefix(quoted(t, "neovim/lua/pactkit.lua", "pattern = ", ",")[0], "*")})
	selectorFiles(t, "emacs", []string{strings.Trim(quoted(t, "emacs/pact-selector-mode.el", "auto-mode-alist '(", " .")[0], `\'`)})

	t.Run("lspconfig", testLspconfig)
	t.Run("words", testWords)
	t.Run("queries", testQueries)
	t.Run("helix", testHelix)
	t.Run("zed", testZed)
	t.Run("jetbrains", testJetBrains)
}

// testLspconfig checks that the snippet for nvim-lspconfig has the file types of the plugin.
func testLspconfig(t *testing.T) {
	types := func(path, quote string) []string {
		_, text, _ := strings.Cut(clientFile(t, path), "filetypes = {")
		text, _, _ = strings.Cut(text, "}")
		return strings.Fields(strings.NewReplacer(quote, "", ",", " ").Replace(text))
	}
	if d := gocmp.Diff(types("neovim/lua/pactkit.lua", `"`), types("neovim/lspconfig/pact_lsp.lua", "'")); d != "" {
		t.Errorf("file types (-plugin +snippet):\n%s", d)
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

// testQueries checks that the tree-sitter grammars have the queries that the table of languages
// names, and no others.
func testQueries(t *testing.T) {
	want := map[string]bool{"pactsel_inline": true}
	for v := range languages.Variants() {
		if v.Queries != "" {
			want[v.Queries] = true
		}
	}
	var got []string
	for _, e := range must(os.ReadDir(filepath.Join("..", "editors", "tree-sitter-pactsel", "queries"))) {
		got = append(got, e.Name())
	}
	if d := gocmp.Diff(slices.Sorted(maps.Keys(want)), got); d != "" {
		t.Errorf("queries (-table +folders):\n%s", d)
	}
}

// TestLanguages checks that every id of a language is known, and has the host of its extensions.
func TestLanguages(t *testing.T) {
	for _, l := range languages.All {
		for _, v := range l.Variants {
			for _, ext := range v.Extensions {
				if of, is := hostOf("", v.ID), hostOf("/x"+ext, ""); of != is || is == nil || is.Name() != l.Name {
					t.Errorf("%s and %s have different hosts", v.ID, ext)
				}
			}
		}
	}
}

func testHelix(t *testing.T) {
	var c helixConfiguration
	if err := toml.Unmarshal([]byte(clientFile(t, "helix/languages.toml")), &c); err != nil {
		t.Fatal(err)
	}
	for _, l := range c.Languages {
		if l.ID == languageID {
			selectorFiles(t, "helix", []string{"." + strings.Join(l.FileTypes, " ")})
		}
	}
}

func testZed(t *testing.T) {
	var x zedExtension
	if err := toml.Unmarshal([]byte(clientFile(t, "zed/extension.toml")), &x); err != nil {
		t.Fatal(err)
	}
	server := x.Servers["pact-lsp"]
	if d := gocmp.Diff(slices.Sorted(maps.Keys(server.IDs)), slices.Sorted(slices.Values(server.Languages))); d != "" {
		t.Errorf("languages with an id (-ids +languages):\n%s", d)
	}
	var language struct {
		Suffixes []string `toml:"path_suffixes"`
	}
	if err := toml.Unmarshal([]byte(clientFile(t, "zed/languages/pact-selector/config.toml")), &language); err != nil {
		t.Fatal(err)
	}
	selectorFiles(t, "zed", []string{"." + strings.Join(language.Suffixes, " ")})
}

// testJetBrains checks the template for LSP4IJ.
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
	for _, m := range c.Mappings {
		for _, pattern := range m.Type.Patterns {
			if own, known := hostOf("", m.Language), host.For("x"+strings.TrimPrefix(pattern, "*")); own != known {
				t.Errorf("%s is not a file of the language %s", pattern, m.Language)
			}
		}
	}
}
