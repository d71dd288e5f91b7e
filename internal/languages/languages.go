// Package languages is the table of the kinds of files that hold selectors: what package host, the
// language server, the clients in editors/, the hooks for pre-commit, the reference and the tests
// need to know about each. `make generate` writes what others need of it.
package languages

import (
	"iter"
	"slices"
)

// Language is a kind of file.
type Language struct {
	Title    string    // in the reference
	Name     string    // of one file
	Variants []Variant // by which editors and programs tell its files apart; the first is the usual one
	Fences   []string  // the names that code blocks give it
	Reads    string    // what is read of a file, for the reference

	// Programs have selectors in strings, which clients highlight without the server.
	Program bool
	// Joint joins sources in random tests of host.Finder: a format for a source and a number.
	Joint string
	// Hostile are pieces of sources that are designed to be slow, for tests.
	Hostile []string
}

// Variant is what the language server protocol calls a language.
type Variant struct {
	ID         string   // in the protocol
	Extensions []string // in lower case and with the dot, the usual one first
	Comments   []string // the forms of a comment, with %s for the text

	Scope   string // of its grammar for VS Code, if Program
	Queries string // its folder in editors/tree-sitter-pactsel/queries; "" if there is none
	Zed     string // its name in Zed; "" if Zed has none
	Helix   string // its name in Helix; "" if Helix has none
	Server  string // the server that Helix starts for it
}

var (
	slashes = []string{"// %s"}
	hashes  = []string{"# %s"}
)

// All is the table, in the order of the reference.
var All = []Language{
	{
		Title: "selector file", Name: "selector file", Reads: "all of it",
		Variants: []Variant{{ID: "pact-selector", Extensions: []string{".pactsel"}, Comments: hashes, Queries: "pactsel", Zed: "PACT selector", Helix: "pactsel"}},
	},
	{
		Title: "Go", Name: "Go file", Reads: "calls, comments", Program: true,
		Variants: []Variant{{ID: "go", Extensions: []string{".go"}, Comments: slashes, Scope: "source.go", Queries: "go", Zed: "Go", Helix: "go", Server: "gopls"}},
		Fences:   []string{"go", "golang"},
		Joint:    "%s\n\nvar x%d\n\n",
		Hostile:  []string{"x.Select(", "x.Select(`a`+", "// pact\n", "/*pact*/\"\"", "x.Select[", "([{", "\"", "`", "x.Select<"},
	},
	{
		Title: "Python", Name: "Python file", Reads: "calls, comments", Program: true,
		Variants: []Variant{{ID: "python", Extensions: []string{".py", ".pyi", ".pyw"}, Comments: hashes, Scope: "source.python", Queries: "python", Zed: "Python", Helix: "python", Server: "pylsp"}},
		Fences:   []string{"python", "py", "python3", "pyi"},
		Joint:    "%s\n\nx = %d\n\n",
		Hostile:  []string{"f'{", "f\"{x!r:{", "ctx.select(", "('a' ", "# pact\n", "'''", "f'''{", "\\\n", "ctx.select(x,"},
	},
	{
		Title: "JavaScript", Name: "JavaScript file", Reads: "calls, tags, comments", Program: true,
		Variants: []Variant{
			{ID: "javascript", Extensions: []string{".js", ".mjs", ".cjs"}, Comments: slashes, Scope: "source.js", Queries: "javascript", Zed: "JavaScript", Helix: "javascript", Server: "typescript-language-server"},
			{ID: "javascriptreact", Extensions: []string{".jsx"}, Comments: slashes, Scope: "source.js.jsx", Queries: "javascript", Helix: "jsx", Server: "typescript-language-server"},
			{ID: "typescriptreact", Extensions: []string{".tsx"}, Comments: slashes, Scope: "source.tsx", Queries: "tsx", Zed: "TSX", Helix: "tsx", Server: "typescript-language-server"},
		},
		Fences:  []string{"javascript", "js", "mjs", "cjs", "jsx", "tsx", "node"},
		Joint:   "%s\n\nvar x%d\n\n",
		Hostile: []string{"`${", "<a>{", "<a b=<a ", "<a ", "/", "`${(", "{(", "}", "x.select(", "pact`", "/[", "a<b,", "<>"},
	},
	{
		Title: "TypeScript", Name: "TypeScript file", Reads: "calls, tags, comments", Program: true,
		Variants: []Variant{{ID: "typescript", Extensions: []string{".ts", ".mts", ".cts"}, Comments: slashes, Scope: "source.ts", Queries: "typescript", Zed: "TypeScript", Helix: "typescript", Server: "typescript-language-server"}},
		Fences:   []string{"typescript", "ts", "mts", "cts"},
		Joint:    "%s\n\nvar x%d\n\n",
		Hostile:  []string{"`${{", "x.select<", "/*", "((", "x.select`${"},
	},
	{
		Title: "Rust", Name: "Rust file", Reads: "calls, comments", Program: true,
		Variants: []Variant{{ID: "rust", Extensions: []string{".rs"}, Comments: slashes, Scope: "source.rust", Queries: "rust", Zed: "Rust", Helix: "rust", Server: "rust-analyzer"}},
		Fences:   []string{"rust", "rs"},
		Joint:    "%s\n\nvar x%d\n\n",
		Hostile:  []string{"/*", "r#", "r#\"", "'", "b'", "x.select!(", "\"\\"},
	},
	{
		Title: "Java", Name: "Java file", Reads: "calls, comments", Program: true,
		Variants: []Variant{{ID: "java", Extensions: []string{".java"}, Comments: slashes, Scope: "source.java", Queries: "java", Zed: "Java", Helix: "java", Server: "jdtls"}},
		Fences:   []string{"java"},
		Joint:    "class X {\n\n%s\n\n  int x%d;\n\n",
		Hostile:  []string{"\"\"\"\n", "'", "\\u", "x.<T>select(", "<", "\"\"\"\n  a\\\n"},
	},
	{
		Title: "Ruby", Name: "Ruby file", Reads: "calls, with or without parentheses; comments", Program: true,
		Variants: []Variant{{ID: "ruby", Extensions: []string{".rb", ".rake", ".gemspec"}, Comments: hashes, Scope: "source.ruby", Queries: "ruby", Zed: "Ruby", Helix: "ruby", Server: "solargraph"}},
		Fences:   []string{"ruby", "rb"},
		Joint:    "%s\n\n  x = %d\n\n",
		Hostile:  []string{"x.select ", "\"#{", "<<~A,", "<<~A\n", "%q(", "?", ":\"", "=begin\n", "/", "x.select <<~A\n #{", "$'", "#@"},
	},
	{
		Title: "JSON", Name: "JSON file", Reads: "keys, comments",
		Variants: []Variant{ // not .jsonl, which holds records that programs write
			{ID: "json", Extensions: []string{".json"}, Zed: "JSON", Helix: "json", Server: "vscode-json-language-server"},
			{ID: "jsonc", Extensions: []string{".jsonc"}, Comments: slashes, Zed: "JSONC"},
		},
		Fences:  []string{"json", "jsonc", "jsonl", "json5"},
		Joint:   "[%s,\n %d,\n",
		Hostile: []string{"{\"selector\":", "[", "{\"a\":[", "\"\\u", "/*pact*/\"\"", "]", "{"},
	},
	{
		Title: "YAML", Name: "YAML file", Reads: "keys, comments",
		Variants: []Variant{{ID: "yaml", Extensions: []string{".yaml", ".yml"}, Comments: hashes, Queries: "yaml", Zed: "YAML", Helix: "yaml", Server: "yaml-language-server"}},
		Fences:   []string{"yaml", "yml"},
		Joint:    "%s\nx%d:\n  selector: ^seq\n  a:\n  - selectors:\n    - .a\n    - ^sys\n  - b: |\n      selector: x\n\n    c: \"d\n      e\"\n",
		Hostile:  []string{"- ", "a:\n", "[", "selector: a\n", "# pactkit: x\n", "? ", "- >\n", "'", "\"\\\n", "&a ", "{a: "},
	},
	{
		Title: "TOML", Name: "TOML file", Reads: "keys, comments",
		Variants: []Variant{{ID: "toml", Extensions: []string{".toml"}, Comments: hashes, Queries: "toml", Zed: "TOML", Helix: "toml", Server: "taplo"}},
		Fences:   []string{"toml"},
		Joint:    "%s\n\nx = %d\n[y]\n",
		Hostile:  []string{"a.", "[", "selector=[", "{selector=", "'''", "[a.b]\n", "=", "\n\"", "a=\"\"\"\\\n"},
	},
	{
		Title: "Markdown", Name: "Markdown document", Reads: "fenced code blocks, with the programs and data in them",
		Variants: []Variant{{ID: "markdown", Extensions: []string{".md", ".markdown"}, Comments: []string{"# %s", "// %s", "<!-- %s -->"}, Queries: "markdown", Zed: "Markdown", Helix: "markdown", Server: "marksman"}},
		Fences:   []string{"markdown", "md"},
		Joint:    "%s\n\nText %d.\n\n- a\n\n  ```go\n  // pact\n  var x = \"^sys\"\n  ```\n\n",
		Hostile:  []string{"```pact\n", "> ", "- ```pact\n", "<!-- pactkit: -->\n", "````md\n", "```pact\n.a\n```\n", "\t", "~~~go\n", "- ", "1. ", "* a\n", "  > - "},
	},
}

// Named returns the language with a title. It panics for another, because titles are constants of
// the program.
func Named(title string) *Language {
	return &All[slices.IndexFunc(All, func(l Language) bool { return l.Title == title })]
}

// Extensions returns the extensions of all variants.
func (l *Language) Extensions() []string {
	var out []string
	for _, v := range l.Variants {
		out = append(out, v.Extensions...)
	}
	return out
}

// Variants yields the variants of all languages.
func Variants() iter.Seq[Variant] {
	return func(yield func(Variant) bool) {
		for _, l := range All {
			for _, v := range l.Variants {
				if !yield(v) {
					return
				}
			}
		}
	}
}
