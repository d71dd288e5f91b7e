//go:build unix

package doctest

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// decisionPages are the pages that take decisions, by the letter of their numbers.
var decisionPages = []struct{ letter, page, title string }{
	{"D", "language.md", "The language"},
	{"E", "engine.md", "The engine"},
	{"F", "library.md", "The library"},
	{"T", "thread.md", "Threads and logs"},
	{"C", "calls.md", "Model calls"},
	{"V", "cli.md", "The command line"},
	{"H", "hosts.md", "Selectors inside other files"},
	{"J", "journal.md", "Journals and files"},
	{"M", "mcp.md", "MCP"},
}

const (
	decisionIndex = "docs/reference/decisions.md"
	architecture  = "docs/ARCHITECTURE.md"
)

const decisionHead = `<!-- From internal/test/doctest: PACTKIT_UPDATE=1 go test ./internal/test/doctest -run TestDecisions writes it, except the last two columns. -->

# Decisions

The specification exists in two revisions (PACT 0.1.0, PACT 1.0.0), which contradict each other and, in places, themselves, and which leave questions
open. This table lists every choice that pactkit makes: the sentence that it decides against or completes, and the case that fails without it. The number
leads to the page that says more. *Silent* means that no sentence speaks of the question. [The architecture](../ARCHITECTURE.md#decisions) says what the
letters mean.
`

// decision is a numbered choice as its page states it.
type decision struct {
	letter   string
	n        int
	sentence string // the first one
	link     string // to its page and heading
	source   string // what the page says it decides, if it does
}

func (d decision) number() string { return d.letter + strconv.Itoa(d.n) }

var (
	decided = regexp.MustCompile(`^(?:- |\| )?\*\*([DEFTCVHJM])([1-9]\d?)(?:\. |\*\*,? ?)(.*)`)
	inline  = regexp.MustCompile(`\(decision ([DEFTCVHJM])([1-9]\d?)\)`)
	sources = regexp.MustCompile(`\((PACT [^()]*(?:\([^()]*\)[^()]*)*|The specification has none of this)\)$`)
	named   = regexp.MustCompile(`\b([DEFTCVHJM])([1-9]\d?)\b`)
)

// decisionsOf returns the decisions of a page, in the order of the page.
func decisionsOf(page, text string) []decision {
	var out []decision
	heading := ""
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if title, ok := strings.CutPrefix(strings.TrimLeft(l, "#"), " "); ok && strings.HasPrefix(l, "#") {
			for a := range anchors("# " + title) {
				heading = a
			}
		}
		link := page + "#" + heading
		if m := decided.FindStringSubmatch(l); m != nil {
			body := m[3]
			if strings.HasPrefix(l, "|") {
				cells := strings.Split(body, " | ")
				body = cells[0] + ": " + cells[1]
			} else {
				for _, next := range lines[i+1:] {
					if next == "" || strings.HasPrefix(next, "- ") || strings.HasPrefix(next, "#") || strings.HasPrefix(next, "|") {
						break
					}
					body += " " + strings.TrimSpace(next)
				}
			}
			d := decision{letter: m[1], link: link}
			d.n, _ = strconv.Atoi(m[2])
			if s := sources.FindStringSubmatch(body); s != nil {
				d.source = s[1]
				body = strings.TrimSpace(strings.TrimSuffix(body, s[0]))
			}
			d.sentence = firstSentence(strings.ReplaceAll(body, "**", ""))
			out = append(out, d)
		}
		for _, m := range inline.FindAllStringSubmatchIndex(l, -1) {
			d := decision{letter: l[m[2]:m[3]], link: link}
			d.n, _ = strconv.Atoi(l[m[4]:m[5]])
			around := strings.Join(lines[max(0, i-3):i], " ") + " " + l[:m[0]]
			d.sentence = strings.TrimSpace(around[max(0, strings.LastIndex(around, ". ")+1):]) + "."
			out = append(out, d)
		}
	}
	return out
}

// firstSentence returns the text up to the first end of a sentence.
func firstSentence(s string) string {
	end := regexp.MustCompile("[.](?: [A-Z`(\"]|$)")
	for _, at := range end.FindAllStringIndex(s, -1) {
		if strings.Count(s[:at[0]], "`")%2 == 0 && strings.Count(s[:at[0]], "(") == strings.Count(s[:at[0]], ")") {
			return s[:at[0]] + "."
		}
	}
	return s
}

// row is what the index says about a decision and its page does not.
type row struct{ source, cases string }

// rowsOf reads the table of the index.
func rowsOf(text string) map[string]row {
	out := map[string]row{}
	for l := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(l), " | ")
		if m := regexp.MustCompile(`^\| \[([A-Z]\d+)\]`).FindStringSubmatch(l); m != nil && len(cells) == 4 {
			out[m[1]] = row{cells[2], strings.TrimSuffix(cells[3], " |")}
		}
	}
	return out
}

// TestDecisions: the index has every decision of every page, with the sentence of the specification
// that it decides and a case. Every decision that a page, a case, a comment or a message names is
// in it. The architecture leads to each part of the index and to each page.
func TestDecisions(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(root, decisionIndex))
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(string(index))
	var want strings.Builder
	want.WriteString(decisionHead)
	known := map[string]bool{}
	tests := testNames(t)
	plan, err := os.ReadFile(filepath.Join(root, architecture))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range decisionPages {
		text, err := os.ReadFile(filepath.Join(root, "docs/reference", p.page))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "](decisions.md") {
			t.Errorf("%s does not link to decisions.md", p.page)
		}
		for a := range anchors("# " + p.title) {
			_, row, _ := strings.Cut(string(plan), "\n| "+p.letter+" | ")
			row, _, _ = strings.Cut(row, "\n")
			if !strings.Contains(row, "(reference/decisions.md#"+a+")") || !strings.Contains(row, "(reference/"+p.page+")") {
				t.Errorf("%s has no row that leads from %s to %s#%s and %s", architecture, p.letter, decisionIndex, a, p.page)
			}
		}
		list := slices.DeleteFunc(decisionsOf(p.page, string(text)), func(d decision) bool { return d.letter != p.letter })
		slices.SortStableFunc(list, func(a, b decision) int { return a.n - b.n })
		fmt.Fprintf(&want, "\n## %s\n\n| | decision | against or completes | case |\n|---|---|---|---|\n", p.title)
		for _, d := range list {
			number := d.number()
			if known[number] {
				t.Errorf("%s is decided twice", number)
			}
			known[number] = true
			r := rows[number]
			if d.source != "" {
				r.source = d.source
			}
			fmt.Fprintf(&want, "| [%s](%s) | %s | %s | %s |\n", number, d.link, strings.ReplaceAll(d.sentence, "|", `\|`), r.source, r.cases)
			if r.source == "" || r.cases == "" {
				t.Errorf("%s: %s lacks the sentence that it decides, or its case; write them into the row of %s", p.page, decisionIndex, number)
			}
			checkCases(t, number, r.cases, tests)
		}
	}
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		if err := os.WriteFile(filepath.Join(root, decisionIndex), []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if d := cmp.Diff(want.String(), string(index)); d != "" {
		t.Errorf("%s is stale: PACTKIT_UPDATE=1 go test ./internal/test/doctest -run TestDecisions\n-want +got:\n%s", decisionIndex, d)
	}
	for number := range rows {
		if !known[number] {
			t.Errorf("%s has a row for %s, which no page decides", decisionIndex, number)
		}
	}
	for where, text := range mentions(t) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if !known[m[1]+m[2]] {
				t.Errorf("%s names %s, which no page decides", where, m[0])
			}
		}
	}
}

// checkCases checks that the files and tests of a cell exist.
func checkCases(t *testing.T, number, cell string, tests map[string]bool) {
	t.Helper()
	for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cell, -1) {
		name, _, _ := strings.Cut(m[1], "/")
		if tests[m[1]] || strings.HasPrefix(name, "Test") && tests[name] {
			continue
		}
		if found, _ := filepath.Glob(filepath.Join(root, "testdata", m[1]+".txtar")); len(found) == 0 {
			t.Errorf("%s: there is no test or case %s", number, m[1])
		}
	}
}

// testNames returns the tests and examples of the repository.
func testNames(t *testing.T) map[string]bool {
	out := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w+)\(`)
	walk(t, func(path string) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			out[m[1]] = true
		}
	})
	return out
}

// mentions returns the texts that may name decisions, by where they are: the pages, the headers of
// cases, and the comments and strings of the code.
func mentions(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, page := range pages(t) {
		data, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		out[page] = prose(string(data))
	}
	walk(t, func(path string) {
		switch filepath.Ext(path) {
		case ".txtar":
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out[path], _, _ = strings.Cut(string(data), "\n-- ")
		case ".go":
			f, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for _, c := range f.Comments {
				text.WriteString(c.Text())
			}
			if !strings.HasSuffix(path, "_test.go") {
				ast.Inspect(f, func(n ast.Node) bool {
					if s, ok := n.(*ast.BasicLit); ok && s.Kind == gotoken.STRING {
						text.WriteString(s.Value + "\n")
					}
					return true
				})
			}
			out[path] = text.String()
		}
	})
	return out
}

// walk calls visit with the files of the repository.
func walk(t *testing.T, visit func(path string)) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "out" || name == "logs" || name == "dist"):
			return filepath.SkipDir
		case d.Type().IsRegular():
			visit(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
