package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/languages"
)

// list is a generated part of a file: what follows begin, up to end, wherever that occurs. An empty
// end is that of the file.
type list struct {
	path, begin, end string
	text             string
}

// lists returns the parts of files that are generated from the table of languages and from those of
// the kinds of records.
func lists() []list {
	var suffixes, ids, programs, scopes, events, zed []string
	var reference, helix, zedIDs, jetbrains strings.Builder
	for _, l := range languages.All {
		fmt.Fprintf(&reference, "| %s | `%s` | %s |\n", l.Title, strings.Join(l.Extensions(), "` `"), l.Reads)
		for _, e := range l.Extensions() {
			suffixes = append(suffixes, e[1:])
		}
		for _, v := range l.Variants {
			own := v.ID == languages.All[0].Variants[0].ID
			ids = append(ids, v.ID)
			if !own { // VS Code itself starts an extension for the language it contributes
				events = append(events, "onLanguage:"+v.ID)
			}
			if l.Program {
				programs, scopes = append(programs, v.ID), append(scopes, v.Scope)
			}
			if v.Zed != "" {
				zed = append(zed, v.Zed)
				fmt.Fprintf(&zedIDs, "%q = %q\n", v.Zed, v.ID)
			}
			if v.Server != "" {
				fmt.Fprintf(&helix, "\n[[language]]\nname = %q\nlanguage-servers = [%q, \"pact-lsp\"]\n", v.Helix, v.Server)
			}
			name := ""
			if own {
				name = fmt.Sprintf(`"name": %q, `, v.Zed)
			}
			fmt.Fprintf(&jetbrains, ",\n    { \"fileType\": { %s\"patterns\": [\"*%s\"] }, \"languageId\": %q }", name, strings.Join(v.Extensions, `", "*`), v.ID)
		}
	}
	return append(recordLists(), []list{
		{".pre-commit-hooks.yaml", `files: '\.(pactsel`, ")$'", strings.TrimPrefix(strings.Join(suffixes, "|"), "pactsel")},
		{"docs/reference/hosts.md", "| file | extensions | what is read |\n|---|---|---|\n", "\nFiles whose", reference.String()},
		{"editors/vscode/package.json", `"activationEvents": [`, "\n  ]", lines(events, "    ", "")},
		{"editors/vscode/package.json", "\"./syntaxes/strings.tmLanguage.json\",\n        \"injectTo\": [", "\n        ]", lines(scopes, "          ", "")},
		{"editors/vscode/src/extension.ts", "const languages = [", "\n];", lines(ids, "  ", ",")},
		{"editors/neovim/lua/pactkit.lua", "M.filetypes = {", "\n}", lines(ids, "  ", ",")},
		{"editors/neovim/lua/pactkit.lua", "group = group, pattern = { \"", "\" },\n    callback = function() vim.cmd(\"runtime syntax/pact-strings.vim\")", strings.Join(programs, `", "`)},
		{"editors/helix/languages.toml", "must be named\n# again.", "", helix.String()},
		{"editors/zed/extension.toml", "languages = [\"", "\"]", strings.Join(zed, `", "`)},
		{"editors/zed/extension.toml", "[language_servers.pact-lsp.language_ids]\n", "\n[", zedIDs.String()},
		{"editors/jetbrains/lsp4ij/template.json", `"fileTypeMappings": [`, "\n  ]", strings.TrimPrefix(jetbrains.String(), ",")},
	}...)
}

// lines writes quoted texts on lines of at most 115 bytes, separated by commas.
func lines(texts []string, indent, last string) string {
	var b strings.Builder
	width := 0
	for i, text := range texts {
		item := fmt.Sprintf("%q", text) + ","
		if i == len(texts)-1 {
			item = strings.TrimSuffix(item, ",") + last
		}
		if i == 0 || width+len(item) >= 115 {
			b.WriteString("\n" + indent + item)
			width = len(indent) + len(item)
			continue
		}
		b.WriteString(" " + item)
		width += 1 + len(item)
	}
	return b.String()
}

// listed renders a file with its lists.
func listed(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	text := string(data)
	for _, l := range lists() {
		if l.path != path || err != nil {
			continue
		}
		if text, err = l.replace(text); err != nil {
			return nil, err
		}
	}
	return []byte(text), err
}

func (l list) replace(text string) (string, error) {
	var b strings.Builder
	for found := false; ; found = true {
		before, rest, ok := strings.Cut(text, l.begin)
		b.WriteString(before)
		if !ok && found {
			return b.String(), nil
		}
		i := strings.Index(rest, l.end)
		if l.end == "" {
			i = len(rest)
		}
		if !ok || i < 0 {
			return "", fmt.Errorf("there is no list between %q and %q", l.begin, l.end)
		}
		b.WriteString(l.begin + l.text)
		text = rest[i:]
	}
}

// listPages returns the files that have lists.
func listPages() []page {
	var out []page
	for _, l := range lists() {
		if !slices.ContainsFunc(out, func(p page) bool { return p.path == l.path }) {
			out = append(out, page{l.path, func() ([]byte, error) { return listed(l.path) }})
		}
	}
	return out
}
