package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/conformance"
)

// TestTable compares RESULTS.md with the files in results.
func TestTable(t *testing.T) {
	const page = "../../RESULTS.md"
	names, err := filepath.Glob("../../results/*.json")
	if err != nil {
		t.Fatal(err)
	}
	suite, err := conformance.Load()
	if err != nil {
		t.Fatal(err)
	}
	var reports []*conformance.Report
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := conformance.ParseReport(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, g := range suite.Groups {
			for _, c := range g.Cases {
				if _, ok := r.Outcomes[g.Name+"/"+c.ID]; !ok {
					t.Errorf("%s is older than the case %s/%s: run its adapter again", name, g.Name, c.ID)
				}
			}
		}
		reports = append(reports, r)
	}
	want := []byte(table(suite, reports))
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(page); err != nil || !bytes.Equal(have, want) {
		t.Errorf("RESULTS.md is stale: PACTKIT_UPDATE=1 go test ./conformance/... writes it (%v)", err)
	}
}

// table is the page of results: a table of groups, then the cases that an implementation fails.
func table(suite *conformance.Suite, reports []*conformance.Report) string {
	var b strings.Builder
	b.WriteString("<!-- Generated from results/*.json by PACTKIT_UPDATE=1 go test ./conformance/... Do not edit. -->\n\n# Results\n\n" +
		"The [suite](README.md) was run on these implementations. Each cell has the cases that passed, and of the others how many\n" +
		"are partial (p: an error without a code or place to compare), failed (f) or unsupported (u).\n\n| group | cases |")
	for _, r := range reports {
		fmt.Fprintf(&b, " %s %s |", r.Hello.Implementation, r.Hello.Version)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(reports)) + "\n")
	all := 0
	for _, g := range suite.Groups {
		all += len(g.Cases)
		row(&b, fmt.Sprintf("`%s` %s", g.Name, g.Title), len(g.Cases), g.Name+"/", reports)
	}
	row(&b, "**all**", all, "", reports)
	for _, r := range reports {
		if r.Count("", conformance.Passed) < all {
			differences(&b, suite, r)
		}
	}
	return b.String()
}

func row(b *strings.Builder, title string, cases int, prefix string, reports []*conformance.Report) {
	fmt.Fprintf(b, "| %s | %d |", title, cases)
	for _, r := range reports {
		fmt.Fprintf(b, " %d", r.Count(prefix, conformance.Passed))
		for _, s := range []conformance.Status{conformance.Partial, conformance.Failed, conformance.Unsupported} {
			if n := r.Count(prefix, s); n > 0 {
				fmt.Fprintf(b, ", %d%c", n, s[0])
			}
		}
		b.WriteString(" |")
	}
	b.WriteString("\n")
}

// differences lists what an implementation answers instead, and what the text says.
func differences(b *strings.Builder, suite *conformance.Suite, r *conformance.Report) {
	fmt.Fprintf(b, "\n## Where %s %s differs\n\n%s\n", r.Hello.Implementation, r.Hello.Version, r.Hello.Note)
	for _, g := range suite.Groups {
		if r.Count(g.Name+"/", conformance.Failed) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n### %s\n\n| case | what it answers | what the text says |\n|---|---|---|\n", g.Title)
		for _, c := range g.Cases {
			o := r.Outcomes[g.Name+"/"+c.ID]
			if o.Status != conformance.Failed {
				continue
			}
			source := c.Source
			if c.Ruling != "" {
				source += ", " + c.Ruling
			}
			fmt.Fprintf(b, "| `%s` | %s | %s (%s) |\n", c.ID, code(o.Detail), code(c.Says), source)
		}
	}
}

// code is a text as code in a table.
func code(text string) string {
	marks := "`"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	if len(marks) > 1 {
		text = " " + text + " "
	}
	return marks + strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) + marks
}
