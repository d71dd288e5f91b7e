// Command sitegen writes the pages of the documentation site that have no file in docs: one for
// each word of the language, each rule and each code. Its argument is a folder with a copy of docs.
package main

import (
	"cmp"
	"fmt"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/store/journal"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: sitegen FOLDER")
	}
	for name, text := range pages() {
		path := filepath.Join(os.Args[1], filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// pages returns the pages by name.
func pages() map[string]string {
	out := map[string]string{}
	words(out)
	rules(out)
	codes(out)
	return out
}

// kinds are the kinds of words in the order of the list, each with the prefix of its file names.
var kinds = []struct {
	kind        vocab.Kind
	title, stem string
}{
	{vocab.Region, "Regions", "region"}, {vocab.Type, "Node types", "type"}, {vocab.Zone, "Zones", "zone"},
	{vocab.Pseudo, "Positional pseudos", "pseudo"}, {vocab.Attribute, "Attributes", "attribute"}, {vocab.Flag, "Flags", "flag"},
	{vocab.Operator, "Operators", "operator"}, {vocab.Control, "Controls", "control"}, {vocab.Instant, "Forms of a time", "time"},
}

// words adds a page for each word, and the list of them.
func words(out map[string]string) {
	var list strings.Builder
	list.WriteString("# Words\n\nEvery word of the selector language. [The language](../reference/language.md) says how they are put together.\n")
	for _, k := range kinds {
		fmt.Fprintf(&list, "\n## %s\n\n| word | |\n|---|---|\n", k.title)
		for t := range vocab.All(k.kind) {
			name := fileName(t.ID)
			fmt.Fprintf(&list, "| [`%s`](%s) | %s |\n", cell(t.Name), name, cell(t.Summary))
			out["words/"+name] = word(t, k.title)
		}
	}
	out["words/index.md"] = list.String()
}

// word returns the page of a word.
func word(t *vocab.Term, kind string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# `%s`\n\n%s · since edition %s\n\n%s\n", t.Name, kind, t.Since, strings.TrimSpace(t.Summary+" "+t.Doc))
	for _, row := range []struct{ name, text string }{
		{"Also written", codeList(t.Aliases)}, {"Values", codeList(t.Params)}, {"Instead", t.Deprecated},
	} {
		if row.text != "" {
			fmt.Fprintf(&b, "\n**%s:** %s\n", row.name, row.text)
		}
	}
	for i, e := range t.Examples {
		if i == 0 {
			b.WriteString("\n## Examples\n")
		}
		b.WriteString(example(e, "../.."))
	}
	return b.String()
}

// example is a selector with a link to the playground; up is the way from the page to the root of
// the site.
func example(selector, up string) string {
	query := url.Values{"q": {strings.TrimSpace(selector)}}.Encode()
	return fmt.Sprintf("\n```pactsel\n%s\n```\n\n<a href=\"%s/playground/#%s\">Try it</a>\n", strings.TrimSpace(selector), up, strings.ReplaceAll(query, "+", "%20"))
}

// rules adds a page for each rule, and the list of them.
func rules(out map[string]string) {
	var list strings.Builder
	list.WriteString("# Rules\n\nWhat the linter looks for. [The rules in one page](../reference/rules.md) say how they are configured and silenced.\n\n| rule | | level |\n|---|---|---|\n")
	for r := range lint.Rules() {
		page := r.Page()
		fmt.Fprintf(&list, "| [`%s`](%s.md) | %s | %s |\n", r.ID, r.ID, cell(page.Summary), r.Level)
		heading, text, _ := strings.Cut(page.Text, "\n")
		out["rules/"+r.ID+".md"] = fmt.Sprintf("%s\n\nLevel %s, fix %s.\n%s", heading, r.Level, r.Fix, text)
	}
	out["rules/index.md"] = list.String()
}

// codes adds a page for each code, and the list of them.
func codes(out map[string]string) {
	type entry struct{ code, title, doc, example string }
	var all []entry
	for _, list := range []func(func(diag.CodeInfo) bool){diag.Codes(), diag.ProgramCodes()} {
		for c := range list {
			all = append(all, entry{string(c.Code), c.Title, c.Doc, c.Example})
		}
	}
	known := map[string]bool{}
	for _, e := range all {
		known[e.code] = true
	}
	for _, list := range []func(func(engine.CodeInfo) bool){engine.Codes(), journal.Codes()} {
		for c := range list {
			if !known[string(c.Code)] {
				known[string(c.Code)] = true
				all = append(all, entry{code: string(c.Code), title: "an error about a history or a tree", doc: c.Doc})
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.code, b.code) })
	var list strings.Builder
	list.WriteString("# Codes\n\nEvery error of selectors, trees and histories has a code. `pactkit explain CODE` prints these pages.\n\n| code | |\n|---|---|\n")
	for _, e := range all {
		fmt.Fprintf(&list, "| [`%s`](%s.md) | %s |\n", e.code, e.code, cell(e.title))
		text := fmt.Sprintf("# `%s`\n\n%s\n\n%s\n", e.code, e.title, e.doc)
		if e.example != "" {
			text += "\n## Example\n" + example(e.example, "../..")
		}
		out["codes/"+e.code+".md"] = text
	}
	out["codes/index.md"] = list.String()
}

// fileName returns the name of the page of a word: its ID, with letters for characters that a URL
// cannot contain.
func fileName(id string) string {
	var b strings.Builder
	for _, r := range id {
		switch {
		case r == '.' || r == ':' || r == ' ':
			b.WriteByte('-')
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "x%x", r)
		}
	}
	return b.String() + ".md"
}

func codeList(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "`" + strings.Join(words, "`, `") + "`"
}

// cell returns a text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
