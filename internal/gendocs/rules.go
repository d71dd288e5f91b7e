package main

import (
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/lint"
)

const rulesHead = `<!-- Generated from lint.Rules() by ` + "`make generate`" + `. Do not edit. -->

# The rules of the linter

` + "`pactkit lint`" + ` applies these rules, ` + "`pactkit check`" + ` applies them and looks at the form of selectors as well, and ` + "`pactkit fix`" + `
makes the corrections that are safe. ` + "`pactkit explain RULE`" + ` prints the page of a rule, ` + "`pactkit rules`" + ` lists them.

A rule is named by its id, by its category, or by ` + "`all`" + `. Its level is that of the table unless the configuration
(` + "`lint.error`, `lint.warning`, `lint.info`, `lint.off`" + `) or a flag (` + "`--rules`, `--only`, `--ignore`" + `) says otherwise. A comment
silences a rule where it stands, and says why:

` + "```text" + `
# pactkit:ignore correctness/limit-zero -- the empty page is tested too
# pactkit:ignore-file legacy/type-name, legacy/type-base -- written for edition 0.1
` + "```" + `

A fix is *safe* when it never changes what a selector selects, on snapshots of either edition; an *unsafe* one may, and is
made with ` + "`--unsafe-fixes`" + ` only. *Some* means that each finding says for itself. Every example on this page runs as a test.

`

// rulesPage renders docs/reference/rules.md.
func rulesPage() ([]byte, error) {
	var b strings.Builder
	b.WriteString(rulesHead)
	t := newTable("rule", "level", "fix", "finds")
	for r := range lint.Rules() {
		t.row(fmt.Sprintf("[%s](#%s)", r.ID, anchor(r.ID)), r.Level.String(), r.Fix.String(), prose(r.Page().Summary))
	}
	b.WriteString(t.String())
	for r := range lint.Rules() {
		text, ok := strings.CutPrefix(strings.TrimSpace(r.Page().Text), "# "+r.ID+"\n")
		if !ok {
			return nil, fmt.Errorf("lint/%s.md, the page of a rule, does not begin with the line \"# %s\"", strings.ReplaceAll(r.Name(), "-", "_"), r.ID)
		}
		fmt.Fprintf(&b, "\n## %s\n\nLevel %s, fix %s.\n%s\n", r.ID, r.Level, r.Fix, deeper(text))
	}
	return []byte(b.String()), nil
}

// anchor is the name that Markdown viewers give to a heading.
func anchor(heading string) string { return strings.ReplaceAll(strings.ToLower(heading), "/", "") }

// deeper moves the headings of a page one level down, except in code blocks.
func deeper(page string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "#") {
			b.WriteByte('#')
		}
		b.WriteString(line)
	}
	return b.String()
}
