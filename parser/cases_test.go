package parser_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

// A case of testdata/parse is a txtar archive in the form of package testkit. Its settings say how
// to read the source:
//
//	#edition: 0.1
//	#entry: file | selector (the default) | mutation | position
//	#no-legacy: true
//	#quoted: true     the source is a Go string literal, for invisible bytes
//	#limits: nesting=3 tokens=10 fragments=2 selectors=2 bytes=20 errors=1
//
// Except in files and with #quoted, the last newline of in is not part of the source. want.ast is
// the tree, and want.diag the diagnostics.
const casesDir = "../testdata/parse"

// parseCase is one case, ready to be read.
type parseCase struct {
	*testkit.Case
	entry   string
	options parser.Options
	src     string
}

// result is what reading a source returns.
type result struct {
	file     *ast.File
	query    *ast.Query
	position *ast.Position
	diags    []diag.Diagnostic
}

// root returns the tree, or nil.
func (r result) root() ast.Node {
	switch {
	case r.file != nil:
		return r.file
	case r.query != nil:
		return r.query
	case r.position != nil:
		return r.position
	}
	return nil
}

func loadCases(t testing.TB) []*parseCase {
	t.Helper()
	var cases []*parseCase
	for archive := range testkit.Load(t, filepath.Join(casesDir, "*.txtar")) {
		c := &parseCase{Case: archive, entry: "selector"}
		c.configure(t)
		cases = append(cases, c)
	}
	return cases
}

// configure reads the settings and the source.
func (c *parseCase) configure(t testing.TB) {
	t.Helper()
	quoted := false
	c.Settings(t, map[string]func(string) bool{
		"edition":   func(v string) (ok bool) { c.options.Edition, ok = ast.ParseEdition(v); return ok },
		"no-legacy": func(v string) bool { c.options.NoLegacy = true; return v == "true" },
		"quoted":    func(v string) bool { quoted = true; return v == "true" },
		"limits":    func(v string) bool { return setLimits(&c.options.Limits, v) },
		"entry": func(v string) bool {
			c.entry, c.options.Mutation = v, v == "mutation"
			return v == "file" || v == "mutation" || v == "position"
		},
	})
	c.src = c.Source()
	if quoted || c.entry != "file" {
		c.src = strings.TrimSuffix(c.src, "\n")
	}
	if quoted {
		src, err := strconv.Unquote(c.src)
		if err != nil {
			t.Fatalf("%s: %q: %v", c.Path, c.src, err)
		}
		c.src = src
	}
}

func setLimits(l *parser.Limits, value string) bool {
	fields := map[string]*int{
		"bytes": &l.Bytes, "nesting": &l.Nesting, "tokens": &l.Tokens, "fragments": &l.Fragments,
		"selectors": &l.Selectors, "errors": &l.Errors,
	}
	for field := range strings.FieldsSeq(value) {
		name, number, _ := strings.Cut(field, "=")
		n, err := strconv.Atoi(number)
		if err != nil || fields[name] == nil {
			return false
		}
		*fields[name] = n
	}
	return true
}

// parse reads a source as the case says.
func (c *parseCase) parse(src string) result {
	var r result
	switch c.entry {
	case "file":
		r.file, r.diags = parser.Parse(src, c.options)
	case "position":
		r.position, r.diags = parser.ParsePosition(src, c.options)
	default:
		r.query, r.diags = parser.ParseSelector(src, c.options)
	}
	return r
}

// TestCases compares every case with its goldens and checks the laws of trees and diagnostics, even
// while it writes goldens.
func TestCases(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			r := c.parse(c.src)
			checkLaws(t, c, r)
			if c.options.Limits.Errors == 0 { // a fix makes room for an error that was not shown
				checkFixes(t, c, r)
			}
			tree := ""
			if r.root() != nil {
				tree = ast.Dump(r.root())
			}
			c.Golden(t, testkit.Want("ast", tree), testkit.Want("diag", testkit.Diagnostics(c.src, r.diags)))
		})
	}
}
