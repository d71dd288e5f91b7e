// Package house tests the rules that hold between packages.
package house

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pactkit/pactkit"

// mayImport says what each package may import of this module; CONTRIBUTING.md shows it. A package
// that is not listed may import nothing of ours.
var mayImport = map[string][]string{
	".":                          {"ast", "ast/diag", "parser", "format", "lint", "eval", "engine", "store", "store/journal", "thread", "internal/atomicfile", "internal/canonjson", "internal/prepare"},
	"ast":                        {"internal/edition"},
	"ast/vocab":                  {"internal/nearest"},
	"ast/diag":                   {"ast"},
	"parser":                     {"ast", "ast/vocab", "ast/diag", "parser/internal/ll1", "internal/canonjson", "internal/slab"},
	"parser/internal/gen":        {},
	"parser/internal/ll1":        {},
	"parser/internal/grammargen": {},
	"format":                     {"ast", "ast/vocab", "ast/diag", "parser", "internal/slab", "internal/suppress"},
	"host":                       {"ast", "ast/diag", "internal/suppress", "parser"},
	"lint":                       {"ast", "ast/vocab", "ast/diag", "parser", "format", "internal/nearest", "internal/suppress"},
	"internal/suppress":          {"ast", "internal/nearest"},
	"engine":                     {"internal/atomicfile", "internal/canonjson", "internal/edition", "internal/tree"},
	"examples/agentd":            {".", "engine", "store"},
	"engine/migrate":             {"ast/vocab", "engine", "internal/canonjson", "internal/tree"},
	"eval":                       {"ast", "ast/vocab", "ast/diag", "engine", "internal/canonjson", "internal/tree"},
	"thread":                     {"engine", "internal/canonjson", "internal/usednames"},
	"thread/series":              {"internal/canonjson"},
	"thread/history":             {"engine", "internal/canonjson", "thread", "thread/series", "thread/source"},
	"tokens":                     {"engine"},
	"store":                      {"engine", "internal/atomicfile", "internal/canonjson", "store/journal"},
	"store/journal":              {"engine", "internal/atomicfile", "internal/canonjson"},
	"thread/source":              {"engine", "internal/atomicfile", "internal/canonjson", "thread", "internal/usednames", "thread/series"},
	"internal/corpus": {
		"ast", "ast/diag", "ast/vocab", "engine", "eval", "internal/atomicfile", "internal/canonjson", "internal/prepare", "internal/sessions", "internal/usednames", "parser",
		"store", "thread", "thread/source",
	},
	"internal/stats":      {"engine", "internal/calls", "internal/sessions"},
	"internal/gendocs":    {"ast", "ast/vocab", "ast/diag", "format", "lint", "parser"},
	"internal/gentest":    {"ast", "ast/vocab", "engine"},
	"internal/prepare":    {"ast", "ast/diag", "engine", "eval", "parser"},
	"internal/seriestest": {"internal/canonjson", "thread/series"},
	"internal/calls":      {"internal/plainjson", "engine", "internal/prices", "tokens"},
	"internal/prices":     {},
	"internal/house":      {},
	"internal/edition":    {},
	"internal/gctune":     {},
	"internal/canonjson":  {},
	"internal/tree":       {"internal/canonjson", "internal/edition"},
	"internal/doctest":    {},
	"internal/atomicfile": {},
	"internal/pgserver":   {},
	"internal/nearest":    {},
	"internal/plainjson":  {},
	"internal/usednames":  {},
	"internal/loopback":   {},
	"internal/members":    {"internal/canonjson", "internal/nearest"},
	"internal/sessions": {
		"engine", "store", "store/journal", "thread", "thread/history", "thread/source", "internal/atomicfile", "internal/ignore", "internal/usednames",
	},
	"internal/slab":    {},
	"internal/testkit": {"ast", "ast/diag"},
	"internal/ignore":  {"internal/atomicfile"},
	"internal/inspect": {"ast/diag", "engine", "eval", "internal/atomicfile", "internal/calls", "internal/loopback", "internal/prepare", "internal/sessions", "internal/suite", "lsp", "store", "store/journal", "thread", "tokens", "internal/facts"},
	"internal/config":  {"internal/plainjson", "ast", "ast/diag", "host", "lint", "internal/atomicfile", "internal/ignore", "internal/nearest", "internal/prices", "internal/sessions", "store"},
	"internal/facts":   {"ast", "ast/diag", "ast/vocab", "engine", "eval", "internal/atomicfile", "lint", "internal/nearest", "internal/sessions"},
	"internal/check":   {"ast", "ast/diag", "format", "host", "lint", "parser", "internal/suppress"},
	"internal/output":  {"ast", "ast/diag"},
	"internal/worker": {
		"internal/atomicfile",
		"internal/plainjson",
		"ast", "ast/diag", "engine", "eval", "internal/calls", "internal/canonjson", "internal/facts", "internal/members", "internal/prepare",
		"internal/sessions", "internal/suite", "lint", "store", "thread",
	},
	"internal/mcp": {
		"internal/atomicfile",
		"internal/plainjson",
		"ast", "ast/diag", "engine", "eval", "parser", "store", "internal/calls", "internal/canonjson", "internal/corpus", "internal/facts", "internal/nearest",
		"internal/prepare", "internal/sessions", "internal/members", "lint",
	},
	"internal/playground": {
		"internal/plainjson",
		"ast", "ast/vocab", "engine", "eval", "format", "lint", "parser", "store/journal", "thread/history", "thread/source", "internal/explain", "internal/prepare",
	},
	"internal/playground/wasm": {}, // outside of a browser; there it imports internal/playground
	"internal/sitegen":         {"ast/diag", "ast/vocab", "engine", "lint", "store/journal"},
	"internal/explain":         {"ast"},
	"internal/suite": {
		"internal/plainjson",
		"ast", "ast/diag", "engine", "eval", "parser", "internal/calls", "internal/canonjson", "internal/members", "internal/nearest", "internal/prepare",
		"internal/sessions",
	},
	"internal/cli": {
		"internal/plainjson",
		".", "ast", "ast/diag", "ast/vocab", "parser", "format", "host", "lint", "engine", "engine/migrate", "eval", "store", "store/journal", "thread",
		"internal/atomicfile", "internal/canonjson", "internal/check", "internal/config", "internal/corpus", "internal/explain", "internal/facts",
		"internal/gctune", "internal/ignore", "internal/inspect", "internal/mcp", "internal/members", "internal/nearest", "internal/output", "internal/prepare", "internal/sessions",
		"internal/stats", "internal/suite",
		"internal/usednames", "internal/worker", "internal/calls", "internal/prices", "internal/signals",
	},
	"internal/cli/schemacheck": {},
	"internal/cli/gendocs":     {"internal/cli", "internal/config", "internal/lspcli"},
	"lsp": {
		"ast", "ast/diag", "ast/vocab", "parser", "format", "host", "lint", "engine", "eval", "store", "store/journal", "thread", "internal/sessions",
		"internal/atomicfile", "internal/canonjson", "internal/check", "internal/config", "internal/explain", "internal/facts", "internal/ignore", "internal/prepare", "internal/nearest",
	},
	"lsp/e2e":          {},
	"internal/signals": {},
	"internal/lspcli":  {"lsp", "internal/atomicfile", "internal/gctune", "internal/loopback", "internal/signals"},
	"cmd/pact-lsp":     {"internal/lspcli"},
	"cmd/pactfmt":      {"internal/cli"},
	"cmd/pactkit":      {"internal/cli"},
}

// TestImports compares the imports of every package, without those of its tests, with the table.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	seen := map[string]bool{}
	for dec.More() {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name, ours := strings.CutPrefix(p.ImportPath, module+"/")
		if !ours {
			name = "."
		}
		seen[name] = true
		allowed, listed := mayImport[name]
		if !listed {
			t.Errorf("package %s is not in the table", name)
			continue
		}
		for _, i := range p.Imports {
			i, ours := strings.CutPrefix(i, module+"/")
			if i == module {
				i, ours = ".", true
			}
			if ours && !slices.Contains(allowed, i) {
				t.Errorf("package %s must not import %s", name, i)
			}
		}
	}
	for name := range mayImport {
		if !seen[name] {
			t.Errorf("the table names %s, which does not exist", name)
		}
	}
}
