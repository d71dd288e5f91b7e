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
	"cmd/internal/stats":  {"cmd/internal/calls", "engine", "internal/sessions"},
	"internal/gendocs":    {"ast", "ast/vocab", "ast/diag", "format", "lint", "parser"},
	"internal/gentest":    {"ast", "ast/vocab", "engine"},
	"internal/prepare":    {"ast", "ast/diag", "engine", "eval", "parser"},
	"internal/seriestest": {"internal/canonjson", "thread/series"},
	"cmd/internal/calls":  {"engine", "internal/plainjson", "internal/prices", "tokens"},
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
	"internal/slab":           {},
	"internal/testkit":        {"ast", "ast/diag"},
	"internal/ignore":         {"internal/atomicfile"},
	"cmd/internal/inspect":    {"ast/diag", "cmd/internal/calls", "cmd/internal/suite", "engine", "internal/atomicfile", "internal/facts", "internal/loopback", "internal/prepare", "internal/sessions", "lsp", "store", "store/journal", "thread", "tokens"},
	"internal/config":         {"internal/plainjson", "ast", "ast/diag", "host", "lint", "internal/atomicfile", "internal/ignore", "internal/nearest", "internal/prices", "internal/sessions", "store"},
	"internal/facts":          {"ast", "ast/diag", "ast/vocab", "engine", "eval", "internal/atomicfile", "lint", "internal/nearest", "internal/sessions"},
	"internal/check":          {"ast", "ast/diag", "format", "host", "lint", "parser", "internal/suppress"},
	"cmd/internal/output":     {"ast", "ast/diag"},
	"cmd/internal/worker":     {"ast", "ast/diag", "cmd/internal/calls", "cmd/internal/suite", "engine", "eval", "internal/atomicfile", "internal/canonjson", "internal/facts", "internal/members", "internal/plainjson", "internal/prepare", "internal/sessions", "lint", "store", "thread"},
	"cmd/internal/mcp":        {"ast", "ast/diag", "cmd/internal/calls", "engine", "eval", "internal/atomicfile", "internal/canonjson", "internal/corpus", "internal/facts", "internal/members", "internal/nearest", "internal/plainjson", "internal/prepare", "internal/sessions", "lint", "parser", "store"},
	"cmd/internal/playground": {"ast", "ast/vocab", "engine", "eval", "format", "internal/explain", "internal/plainjson", "internal/prepare", "lint", "parser", "store/journal", "thread/history", "thread/source"},
	"internal/sitegen":        {"ast/diag", "ast/vocab", "engine", "lint", "store/journal"},
	"internal/explain":        {"ast"},
	"cmd/internal/suite":      {"ast", "ast/diag", "cmd/internal/calls", "engine", "eval", "internal/canonjson", "internal/members", "internal/nearest", "internal/plainjson", "internal/prepare", "internal/sessions", "parser"},
	"internal/schemacheck":    {},
	"cmd/internal/gendocs":    {},
	"cmd/internal/cli":        {"cmd/internal/histories", "cmd/internal/look", "cmd/internal/selectors", "cmd/internal/setup", "cmd/internal/verb", "internal/atomicfile", "internal/gctune", "internal/signals"},
	"cmd/internal/histories":  {".", "ast", "ast/diag", "cmd/internal/open", "cmd/internal/output", "cmd/internal/verb", "engine", "engine/migrate", "internal/atomicfile", "internal/nearest", "internal/sessions", "internal/usednames", "store", "store/journal", "thread"},
	"cmd/internal/look":       {"ast", "ast/diag", "ast/vocab", "cmd/internal/calls", "cmd/internal/inspect", "cmd/internal/mcp", "cmd/internal/open", "cmd/internal/stats", "cmd/internal/suite", "cmd/internal/verb", "cmd/internal/worker", "engine", "eval", "format", "internal/atomicfile", "internal/canonjson", "internal/config", "internal/corpus", "internal/explain", "internal/facts", "internal/members", "internal/nearest", "internal/plainjson", "internal/prepare", "internal/prices", "internal/sessions", "lint", "parser", "store", "store/journal", "thread"},
	"cmd/internal/open":       {"ast", "ast/diag", "cmd/internal/calls", "cmd/internal/suite", "cmd/internal/verb", "engine", "eval", "internal/atomicfile", "internal/config", "internal/facts", "internal/nearest", "internal/prepare", "internal/sessions", "lint", "parser", "store", "store/journal", "thread"},
	"cmd/internal/selectors":  {"ast", "ast/diag", "cmd/internal/open", "cmd/internal/output", "cmd/internal/suite", "cmd/internal/verb", "engine", "format", "host", "internal/atomicfile", "internal/canonjson", "internal/check", "internal/config", "internal/corpus", "internal/facts", "internal/members", "internal/nearest", "internal/plainjson", "internal/sessions", "lint", "store"},
	"cmd/internal/setup":      {"cmd/internal/look", "cmd/internal/mcp", "cmd/internal/open", "cmd/internal/selectors", "cmd/internal/verb", "cmd/internal/worker", "engine", "internal/atomicfile", "internal/config", "internal/sessions"},
	"cmd/internal/verb":       {"ast", "ast/diag", "cmd/internal/output", "cmd/internal/suite", "host", "internal/atomicfile", "internal/config", "internal/ignore", "internal/nearest", "internal/plainjson", "lint", "store"},
	"lsp": {
		"ast", "ast/diag", "ast/vocab", "parser", "format", "host", "lint", "engine", "eval", "store", "store/journal", "thread", "internal/sessions",
		"internal/atomicfile", "internal/canonjson", "internal/check", "internal/config", "internal/explain", "internal/facts", "internal/ignore", "internal/prepare", "internal/nearest",
	},
	"lsp/e2e":             {},
	"internal/signals":    {},
	"cmd/internal/lspcli": {"internal/atomicfile", "internal/gctune", "internal/loopback", "internal/signals", "lsp"},
	"cmd/pact-lsp":        {"cmd/internal/lspcli"},
	"cmd/pactfmt":         {"cmd/internal/cli", "cmd/internal/verb"},
	"cmd/pactkit":         {"cmd/internal/cli", "cmd/internal/verb"},
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
