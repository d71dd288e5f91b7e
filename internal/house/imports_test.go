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

// mayImport says what each package may import of this module; docs/packages.md shows it. A package
// that is not listed may import nothing of ours.
var mayImport = map[string][]string{
	".":                          {"ast", "ast/diag", "engine", "eval", "format", "internal/atomicfile", "internal/canonjson", "internal/compiled", "lint", "parser", "store", "store/journal", "thread"},
	"ast":                        {"internal/edition"},
	"ast/vocab":                  {"internal/names"},
	"ast/diag":                   {"ast"},
	"parser":                     {"ast", "ast/diag", "ast/vocab", "internal/canonjson", "internal/slab", "parser/internal/ll1"},
	"parser/internal/gen":        {},
	"parser/internal/ll1":        {},
	"parser/internal/grammargen": {},
	"format":                     {"ast", "ast/diag", "ast/vocab", "internal/slab", "internal/suppress", "parser"},
	"policy":                     {"ast/diag", "engine", "eval", "internal/canonjson", "internal/compiled", "internal/members", "internal/prices", "tokens"},
	"host":                       {"ast", "ast/diag", "internal/languages", "internal/suppress", "parser"},
	"lint":                       {"ast", "ast/diag", "ast/vocab", "format", "internal/suppress", "parser"},
	"internal/suppress":          {"ast", "internal/names"},
	"engine":                     {"internal/atomicfile", "internal/budget", "internal/canonjson", "internal/edition", "internal/tree"},
	"examples/agent":             {".", "engine", "policy", "store", "thread"},
	"examples/agentd":            {".", "engine", "store"},
	"engine/migrate":             {"ast/vocab", "engine", "internal/canonjson", "internal/tree"},
	"eval":                       {"ast", "ast/diag", "ast/vocab", "engine", "internal/canonjson", "internal/tree"},
	"thread":                     {"engine", "internal/budget", "internal/canonjson", "internal/names"},
	"thread/series":              {"internal/align", "internal/canonjson", "internal/normal"},
	"thread/history":             {"engine", "internal/align", "internal/canonjson", "internal/normal", "thread", "thread/series", "thread/source"},
	"tokens":                     {"engine", "internal/opaque"},
	"store":                      {"engine", "internal/atomicfile", "internal/canonjson", "store/journal"},
	"store/journal":              {"engine", "internal/atomicfile", "internal/budget", "internal/canonjson"},
	"thread/source":              {"engine", "internal/align", "internal/atomicfile", "internal/budget", "internal/canonjson", "internal/names", "internal/normal", "internal/sqlite", "thread", "thread/series"},
	"internal/search":            {"ast", "ast/diag", "ast/vocab", "engine", "eval", "internal/atomicfile", "internal/budget", "internal/canonjson", "internal/compiled", "internal/names", "internal/normal", "internal/sessions", "parser", "store", "thread", "thread/source"},
	"cmd/internal/explanation":   {"ast", "ast/diag", "ast/vocab", "cmd/internal/failure", "cmd/internal/mcp", "cmd/internal/open", "cmd/internal/suite", "cmd/internal/verb", "cmd/internal/worker", "engine", "eval", "format", "internal/compiled", "internal/config", "internal/explain", "internal/names", "lint", "parser", "store", "store/journal"},
	"cmd/internal/testrun":       {"ast", "ast/diag", "cmd/internal/open", "cmd/internal/output", "cmd/internal/suite", "cmd/internal/verb", "engine", "internal/atomicfile", "internal/canonjson", "internal/config", "internal/fixtures", "internal/sessions", "store"},
	"cmd/internal/stats":         {"cmd/internal/calls", "engine", "internal/prices", "internal/sessions"},
	"internal/gendocs":           {"ast", "ast/diag", "ast/vocab", "format", "internal/languages", "lint", "thread/source"},
	"internal/test/gentest":      {"ast", "ast/vocab", "engine"},
	"internal/budget":            {},
	"internal/test/failfs":       {"internal/atomicfile"},
	"internal/compiled":          {"ast", "ast/diag", "engine", "eval", "parser"},
	"internal/test/seriestest":   {"internal/canonjson", "thread/series"},
	"cmd/internal/calls":         {"engine", "internal/align", "internal/canonjson", "internal/normal", "internal/prices", "tokens"},
	"internal/prices":            {},
	"internal/house":             {},
	"internal/edition":           {},
	"internal/fileuri":           {},
	"internal/process":           {"internal/atomicfile", "internal/budget"},
	"internal/record":            {"internal/atomicfile", "internal/budget", "internal/canonjson", "internal/loopback", "internal/redact", "thread/source"},
	"internal/canonjson":         {"internal/budget"},
	"internal/tree":              {"internal/canonjson", "internal/edition"},
	"internal/test/doctest":      {"internal/test/provider"},
	"internal/atomicfile":        {},
	"internal/test/pgserver":     {},
	"internal/test/provider":     {},
	"internal/names":             {},
	"internal/loopback":          {},
	"internal/otlp":              {"internal/atomicfile", "internal/budget", "internal/loopback", "internal/record", "internal/redact"},
	"internal/members":           {"internal/canonjson", "internal/names"},
	"internal/opaque":            {"internal/canonjson"},
	"internal/redact":            {"engine", "internal/canonjson", "store/journal"},
	"internal/sqlite":            {},
	"internal/sessions":          {"engine", "internal/atomicfile", "internal/budget", "internal/ignore", "internal/names", "store", "store/journal", "thread", "thread/history", "thread/source"},
	"internal/sessions/recent":   {"engine", "internal/atomicfile", "internal/budget", "internal/sessions", "internal/sqlite", "store", "thread/source"},
	"internal/align":             {},
	"internal/normal":            {"internal/canonjson"},
	"internal/slab":              {},
	"internal/test/testkit":      {"ast", "ast/diag"},
	"internal/languages":         {},
	"internal/ignore":            {"internal/atomicfile"},
	"cmd/internal/inspect":       {"ast/diag", "cmd/internal/calls", "cmd/internal/steps", "cmd/internal/suite", "engine", "internal/atomicfile", "internal/compiled", "internal/fixtures", "internal/loopback", "internal/prices", "internal/sessions", "lsp", "store", "store/journal", "thread", "tokens"},
	"internal/custom":            {"ast", "ast/diag", "ast/vocab", "lint", "parser"},
	"internal/config":            {"ast", "ast/diag", "host", "internal/atomicfile", "internal/canonjson", "internal/custom", "internal/ignore", "internal/names", "internal/prices", "internal/redact", "internal/sessions", "lint", "policy", "store"},
	"internal/fixtures":          {"ast", "ast/diag", "ast/vocab", "engine", "eval", "internal/atomicfile", "internal/budget", "internal/names", "internal/sessions", "lint"},
	"internal/check":             {"ast", "ast/diag", "format", "host", "internal/languages", "internal/suppress", "lint", "parser"},
	"cmd/internal/output":        {"ast", "ast/diag", "internal/canonjson"},
	"cmd/internal/operation":     {".", "engine", "internal/canonjson", "internal/members", "internal/names"},
	"cmd/internal/worker":        {".", "ast", "ast/diag", "cmd/internal/calls", "cmd/internal/failure", "cmd/internal/operation", "cmd/internal/suite", "engine", "eval", "internal/atomicfile", "internal/budget", "internal/canonjson", "internal/compiled", "internal/fixtures", "internal/members", "internal/prices", "internal/sessions", "lint", "parser", "policy", "store", "store/journal", "thread", "thread/history"},
	"cmd/internal/mcp":           {"ast", "ast/diag", "cmd/internal/calls", "cmd/internal/failure", "engine", "eval", "internal/atomicfile", "internal/canonjson", "internal/compiled", "internal/fixtures", "internal/members", "internal/names", "internal/prices", "internal/search", "internal/sessions", "lint", "parser", "store"},
	"cmd/internal/playground":    {"ast", "ast/vocab", "cmd/internal/calls", "cmd/internal/steps", "engine", "eval", "format", "internal/canonjson", "internal/compiled", "internal/explain", "lint", "parser", "store/journal", "thread/history", "thread/source"},
	"internal/sitegen":           {"ast/diag", "ast/vocab", "engine", "lint", "store/journal"},
	"internal/explain":           {"ast", "eval"},
	"cmd/internal/steps":         {"cmd/internal/calls", "engine", "tokens"},
	"cmd/internal/suite":         {"ast", "ast/diag", "cmd/internal/calls", "cmd/internal/failure", "engine", "eval", "internal/canonjson", "internal/compiled", "internal/members", "internal/names", "internal/prices", "internal/sessions", "parser", "policy"},
	"internal/test/schemacheck":  {},
	"cmd/internal/gendocs":       {},
	"cmd/internal/cli":           {"cmd/internal/histories", "cmd/internal/look", "cmd/internal/selectors", "cmd/internal/setup", "cmd/internal/verb", "internal/atomicfile", "internal/budget", "internal/process"},
	"cmd/internal/histories":     {".", "ast", "ast/diag", "cmd/internal/failure", "cmd/internal/open", "cmd/internal/operation", "cmd/internal/output", "cmd/internal/verb", "engine", "engine/migrate", "internal/atomicfile", "internal/names", "internal/otlp", "internal/process", "internal/record", "internal/sessions", "policy", "store", "store/journal", "thread"},
	"cmd/internal/look":          {"ast", "ast/diag", "ast/vocab", "cmd/internal/calls", "cmd/internal/explanation", "cmd/internal/failure", "cmd/internal/inspect", "cmd/internal/open", "cmd/internal/stats", "cmd/internal/suite", "cmd/internal/verb", "engine", "eval", "internal/align", "internal/atomicfile", "internal/canonjson", "internal/compiled", "internal/config", "internal/fixtures", "internal/loopback", "internal/members", "internal/names", "internal/normal", "internal/opaque", "internal/prices", "internal/search", "internal/sessions", "internal/sessions/recent", "parser", "policy", "thread", "thread/series", "thread/source"},
	"cmd/internal/open":          {"ast", "ast/diag", "cmd/internal/calls", "cmd/internal/failure", "cmd/internal/suite", "cmd/internal/verb", "engine", "eval", "internal/atomicfile", "internal/canonjson", "internal/compiled", "internal/config", "internal/fixtures", "internal/names", "internal/record", "internal/redact", "internal/sessions", "internal/sessions/recent", "lint", "parser", "policy", "store", "store/journal", "thread"},
	"cmd/internal/selectors":     {"ast", "ast/diag", "ast/vocab", "cmd/internal/open", "cmd/internal/output", "cmd/internal/suite", "cmd/internal/testrun", "cmd/internal/verb", "engine", "format", "host", "internal/atomicfile", "internal/canonjson", "internal/check", "internal/config", "internal/custom", "internal/fileuri", "internal/fixtures", "internal/members", "internal/names", "internal/search", "internal/sessions", "lint", "lsp", "store"},
	"cmd/internal/setup":         {"cmd/internal/explanation", "cmd/internal/mcp", "cmd/internal/open", "cmd/internal/testrun", "cmd/internal/verb", "cmd/internal/worker", "engine", "internal/atomicfile", "internal/config", "internal/sessions"},
	"cmd/internal/verb":          {"ast", "ast/diag", "cmd/internal/failure", "cmd/internal/output", "cmd/internal/suite", "host", "internal/atomicfile", "internal/canonjson", "internal/config", "internal/ignore", "internal/names", "lint", "store"},
	"cmd/internal/failure":       {"engine", "eval", "internal/atomicfile", "internal/canonjson", "internal/members", "store"},
	"lsp":                        {"ast", "ast/diag", "ast/vocab", "engine", "eval", "format", "host", "internal/atomicfile", "internal/budget", "internal/canonjson", "internal/check", "internal/compiled", "internal/config", "internal/explain", "internal/fileuri", "internal/fixtures", "internal/ignore", "internal/languages", "internal/sessions", "lint", "parser", "store", "store/journal"},
	"lsp/e2e":                    {},
	"cmd/internal/lspcli":        {"cmd/internal/suite", "internal/atomicfile", "internal/budget", "internal/loopback", "internal/process", "lsp"},
	"cmd/pact-lsp":               {"cmd/internal/lspcli"},
	"cmd/pactfmt":                {"cmd/internal/cli", "cmd/internal/verb"},
	"cmd/pactkit":                {"cmd/internal/cli", "cmd/internal/verb"},

	"conformance":                  {},
	"conformance/run":              {"conformance"},
	"conformance/mutants":          {"conformance"},
	"conformance/adapters/pactkit": {".", "ast", "ast/diag", "engine", "eval", "format", "parser", "store/journal", "thread"},
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

// TestVerbGroups checks that only the tree of commands knows the groups of verbs. What verbs of two
// groups, or a verb and a server, have in common has a package of its own.
func TestVerbGroups(t *testing.T) {
	for name, imports := range mayImport {
		for _, group := range []string{"cmd/internal/look", "cmd/internal/selectors", "cmd/internal/histories", "cmd/internal/setup"} {
			if name != "cmd/internal/cli" && slices.Contains(imports, group) {
				t.Errorf("package %s must not import the verbs of %s", name, group)
			}
		}
	}
}
