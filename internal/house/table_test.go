package house

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// purposes says in a few words what each package of [mayImport] is for.
var purposes = map[string]string{
	".":                          "the front door: queries and live contexts in one call",
	"ast":                        "nodes, spans, walks",
	"ast/vocab":                  "the words of the language: one table",
	"ast/diag":                   "codes, severities, diagnostics, edits",
	"parser":                     "source → tree and diagnostics",
	"parser/internal/gen":        "ANTLR's own Go parser, the oracle of the tests",
	"parser/internal/ll1":        "the machine that runs the compiled grammar",
	"parser/internal/grammargen": "compiles `grammar/*.g4` to the tables of `ll1`",
	"format":                     "canonical and compact form",
	"policy":                     "policies as data: what keeps a context within a window",
	"host":                       "where the selectors of a file are",
	"lint":                       "rules, checks, fixes",
	"engine":                     "tree, lifecycle, snapshots, history, diff",
	"examples/agent":             "an agent in 60 lines",
	"examples/agentd":            "an agent server in small",
	"engine/migrate":             "files of edition 0.1 → edition 1.0",
	"eval":                       "compiles a query to a plan, and runs it",
	"thread":                     "the threads and logs of providers",
	"thread/series":              "model calls: what each was sent, what left since, and why",
	"tokens":                     "how many tokens a text has",
	"store":                      "histories in folders and in PostgreSQL",
	"store/journal":              "histories that grow with what is new in them",
	"thread/history":             "histories of model calls: a snapshot for each",
	"thread/source":              "reads what recorded model calls: request bodies, logs, sessions, spans",
	"internal/test/seriestest":   "random series of requests, for tests",
	"internal/align":             "what two lists have in common",
	"internal/normal":            "normal forms: when two parts of messages are equal to a provider",
	"internal/atomicfile":        "how everything uses disks: opens regular files, replaces them as a whole, confines",
	"cmd/internal/calls":         "the model calls of a history: what entered, changed and left, tokens, cache",
	"internal/canonjson":         "JSON: scanner, numbers, canonical form, plain encoding",
	"internal/tree":              "the persistent tree: chunks, records, indexes",
	"internal/check":             "linter and formatter on files of all kinds",
	"cmd/internal/cli":           "the command line: the tree of commands, and Main",
	"cmd/internal/failure":       "any error → code, message, hint, place",
	"cmd/internal/verb":          "one run of a program: streams, exit code, reports, tables, progress, files",
	"cmd/internal/open":          "what flags and arguments name: histories, sessions, selectors, instants",
	"cmd/internal/look":          "the verbs that look at contexts",
	"cmd/internal/selectors":     "the verbs that keep selectors",
	"cmd/internal/histories":     "the verbs that keep histories",
	"cmd/internal/setup":         "the verbs that set up: servers, configuration, completion",
	"cmd/internal/gendocs":       "writes the reference of the command line",
	"internal/test/schemacheck":  "compares what verbs print with the schemas, for tests",
	"internal/config":            "`.pactkit.toml`",
	"internal/custom":            "rules that a configuration declares",
	"internal/search":            "one selector over many sessions, most of them without a history",
	"internal/test/doctest":      "runs the programs as the documentation shows, and as people use them",
	"internal/edition":           "the editions of the specification",
	"internal/explain":           "selectors and their profiles in plain words",
	"internal/fileuri":           "paths and file URIs",
	"internal/fixtures":          "what fixtures know, for linter and editors",
	"internal/process":           "what all programs do as processes: signals, commands, memory",
	"internal/record":            "records what programs send to models: a proxy, its log, the recordings of a user",
	"internal/gendocs":           "writes the reference of language and rules",
	"internal/budget":            "the memory that a process may use",
	"internal/test/failfs":       "a disk in memory that fails and crashes, for tests",
	"internal/test/gentest":      "random trees, histories and selectors, for tests",
	"internal/house":             "the rules between packages",
	"internal/ignore":            "`.gitignore` and its like",
	"internal/languages":         "the kinds of files that hold selectors: one table",
	"cmd/internal/inspect":       "the page of pactkit inspect and its server",
	"cmd/internal/lspcli":        "the command line of pact-lsp",
	"cmd/internal/mcp":           "answers coding agents: tools that read histories and logs",
	"internal/members":           "JSON objects whose members are known",
	"internal/redact":            "replaces secrets in texts and histories",
	"internal/opaque":            "data in JSON that is no text: base64, encryption, signatures",
	"internal/names":             "the name that was meant; unique names",
	"cmd/internal/operation":     "operations on a live context, as in the script of commit",
	"cmd/internal/worker":        "answers requests of other programs, one per line",
	"cmd/internal/output":        "reports for other programs",
	"internal/test/pgserver":     "runs a PostgreSQL for tests and benchmarks",
	"internal/test/provider":     "stands for the providers of models, and for an agent that asks them, in tests",
	"internal/prices":            "what the tokens of models cost, and how many models take",
	"cmd/internal/playground":    "shows a log and tries selectors in a browser, as WebAssembly",
	"internal/compiled":          "selectors, positions and addresses to what runs; the cache of plans",
	"internal/sqlite":            "reads tables of SQLite databases",
	"internal/sessions":          "opens what an argument names, and yields the histories in it",
	"internal/sessions/recent":   "the sessions that agents have on this machine, newest first",
	"internal/otlp":              "receives spans over OTLP/HTTP and writes them as lines",
	"internal/loopback":          "recognizes the host names of this machine, and bounds the connections of strangers",
	"internal/slab":              "memory for many small values",
	"cmd/internal/explanation":   "what selectors, codes, rules and words mean: the text of explain",
	"cmd/internal/testrun":       "runs suites, and reports which cases passed",
	"cmd/internal/stats":         "sums of sessions: calls, tokens, tools, what left, cache",
	"cmd/internal/steps":         "what each call of a history changes, as the pages hold it",
	"cmd/internal/suite":         "suites that pin selectors to fixtures",
	"internal/suppress":          "which findings the comments of a source silence",
	"internal/test/testkit":      "reads and compares the cases of tests",
	"internal/sitegen":           "writes the pages of the site that words, rules and codes have",
	"lsp":                        "the language server",
	"lsp/e2e":                    "the server with real editors' libraries",
	"cmd/pact-lsp":               "one call",
	"cmd/pactfmt":                "one call",
	"cmd/pactkit":                "one call",

	"conformance":                  "the conformance suite: cases, and what compares an implementation with them",
	"conformance/run":              "the program that drives an implementation",
	"conformance/mutants":          "breaks pactkit, one way at a time, and runs the suite",
	"conformance/adapters/pactkit": "answers the requests of the suite with the public packages",
}

const (
	packagesPage = "../../docs/packages.md"
	tableBegins  = "<!-- from internal/house: PACTKIT_UPDATE=1 go test ./internal/house -->\n"
	tableEnds    = "<!-- end -->\n"
)

// TestTable checks that docs/packages.md shows the table as it is here. PACTKIT_UPDATE=1 writes it.
func TestTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| package | what it is for | may import |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(mayImport)) {
		if purposes[name] == "" {
			t.Errorf("purposes does not say what %s is for", name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", shown(name), purposes[name], strings.Join(names(mayImport[name]), ", "))
	}
	for name := range purposes {
		if _, ok := mayImport[name]; !ok {
			t.Errorf("purposes names %s, which the table of imports does not", name)
		}
	}
	have, err := os.ReadFile(packagesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(have, []byte(tableBegins))
	_, after, ok2 := bytes.Cut(rest, []byte(tableEnds))
	if !ok || !ok2 {
		t.Fatalf("%s has no markers around the table", packagesPage)
	}
	want := slices.Concat(before, []byte(tableBegins+b.String()+tableEnds), after)
	switch {
	case bytes.Equal(have, want):
	case os.Getenv("PACTKIT_UPDATE") == "1":
		if err := os.WriteFile(packagesPage, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table is stale; PACTKIT_UPDATE=1 go test ./internal/house writes it\n%s", diff.Diff("have", have, "want", want))
	}
}

func shown(name string) string {
	if name == "." {
		return "pactkit"
	}
	return name
}

func names(list []string) []string {
	list = slices.Sorted(slices.Values(list))
	for i := range list {
		list[i] = "`" + shown(list[i]) + "`"
	}
	return list
}
