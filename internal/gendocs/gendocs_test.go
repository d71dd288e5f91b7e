package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser"
)

func TestFresh(t *testing.T) {
	t.Chdir("../..")
	if err := run(true); err != nil {
		t.Error(err)
	}
}

// TestWrites: what run writes is fresh, and anything else is stale.
func TestWrites(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs", "reference"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, l := range lists() { // their files are not written as a whole
		data, err := os.ReadFile(filepath.Join("..", "..", l.path))
		if err == nil {
			err = os.MkdirAll(filepath.Join(dir, filepath.Dir(l.path)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, l.path), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	if run(true) == nil {
		t.Error("a missing page passes")
	}
	if err := run(false); err != nil {
		t.Fatal(err)
	}
	if err := run(true); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(pages[0].path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(true); err == nil || !strings.Contains(err.Error(), "make generate") {
		t.Errorf("a stale page: %v", err)
	}
}

// TestBlocks runs every line of every code block of selectors. The word after the language of a
// block says how: as a selector of edition 1.0 without a legacy form, as an error, or as an
// insertion position.
func TestBlocks(t *testing.T) {
	n := 0
	for _, m := range regexp.MustCompile("(?ms)^```pactsel *(.*?)\n(.*?)^```").FindAllStringSubmatch(languageText, -1) {
		for line := range strings.Lines(m[2]) {
			line = strings.TrimSuffix(line, "\n")
			n++
			var ds []diag.Diagnostic
			switch m[1] {
			case "position":
				_, ds = parser.ParsePosition(line, parser.Options{})
			case "", "error":
				_, ds = parser.ParseSelector(line, parser.Options{NoLegacy: true})
			default:
				t.Fatalf("a block of %q", m[1])
			}
			if len(ds) > 0 != (m[1] == "error") {
				t.Errorf("%q: %v", line, ds)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d lines were run", n)
	}
}

// TestDecisions: the decisions are numbered without a gap, and every number that a text names is
// one of them.
func TestDecisions(t *testing.T) {
	var numbers []int
	for _, m := range regexp.MustCompile(`(?m)^\*\*D(\d+)\. `).FindAllStringSubmatch(languageText, -1) {
		n, _ := strconv.Atoi(m[1])
		numbers = append(numbers, n)
	}
	for i, n := range numbers {
		if n != i+1 {
			t.Errorf("D%d is number %d in the list", n, i+1)
		}
	}
	text, err := language()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\bD(\d+)\b`).FindAllStringSubmatch(string(text), -1) {
		if n, _ := strconv.Atoi(m[1]); !slices.Contains(numbers, n) {
			t.Errorf("D%d is named, and nowhere taken", n)
		}
	}
}

// TestComplete: every word, legacy form and code is on the page.
func TestComplete(t *testing.T) {
	text, err := language()
	if err != nil {
		t.Fatal(err)
	}
	has := func(s string) {
		t.Helper()
		if !strings.Contains(string(text), s) {
			t.Errorf("%q is missing", s)
		}
	}
	for k := vocab.Region; k <= vocab.Instant; k++ {
		for w := range vocab.All(k) {
			has(prose(w.Summary))
		}
	}
	for i := range ast.LegacyForms() {
		has(prose(i.Summary))
	}
	for c := range diag.Codes() {
		has(prose(c.Doc))
	}
}

// TestCodes: the example of a code is answered with it.
func TestCodes(t *testing.T) {
	for c := range diag.Codes() {
		if c.Example == "" {
			continue
		}
		_, ds := parser.ParseSelector(c.Example, parser.Options{})
		if !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == c.Code }) {
			t.Errorf("%q is answered with %v, not with %s", c.Example, ds, c.Code)
		}
	}
}
