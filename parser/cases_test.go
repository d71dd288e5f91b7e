package parser_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/testkit"
	"github.com/pactkit/pactkit/parser"
)

// A case of testdata/parse is a txtar archive. Its comment teaches one rule in a sentence or two; lines of
// the form "#key: value" in it set how the source is read:
//
//	#edition: 0.1
//	#entry: file | selector (the default) | mutation | position
//	#strict: true
//	#quoted: true     the source is a Go string literal, for bytes that do not show
//	#limits: nesting=3 tokens=10 fragments=2 selectors=2 bytes=20 errors=1
//
// The file "in" is the source; without #quoted and but for files, its last newline is not part of it.
// "want.ast" is the tree and "want.diag" what was reported; an empty one is left out. PACTKIT_UPDATE=1 writes
// both, PACTKIT_UPDATE=diff shows what it would write.
const casesDir = "../testdata/parse"

// parseCase is one case, ready to be read.
type parseCase struct {
	name    string
	archive *txtar.Archive
	entry   string
	options parser.Options
	src     string
}

// result is what one source gave, whichever way it was read.
type result struct {
	file     *ast.File
	query    *ast.Query
	position *ast.Position
	diags    []diag.Diagnostic
}

// root is the tree, or nil.
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
	for name, archive := range testkit.Cases(t, filepath.Join(casesDir, "*.txtar")) {
		c := &parseCase{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), archive: archive}
		if err := c.configure(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// configure reads the header and the source.
func (c *parseCase) configure() error {
	c.entry = "selector"
	quoted, prose := false, false
	for line := range strings.Lines(string(c.archive.Comment)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "#") {
			prose = prose || line != ""
			continue
		}
		key, value, _ := strings.Cut(line[1:], ": ")
		ok := true
		switch key {
		case "edition":
			c.options.Edition, ok = ast.ParseEdition(value)
		case "entry":
			c.entry = value
			c.options.Mutation = value == "mutation"
			ok = value == "file" || value == "mutation" || value == "position"
		case "strict":
			c.options.Strict, ok = true, value == "true"
		case "quoted":
			quoted, ok = true, value == "true"
		case "limits":
			ok = setLimits(&c.options.Limits, value)
		default:
			ok = false
		}
		if !ok {
			return fmt.Errorf("header line %q", line)
		}
	}
	if !prose {
		return fmt.Errorf("the header explains nothing")
	}
	in, ok := testkit.Section(c.archive, "in")
	if !ok {
		return fmt.Errorf("there is no file in")
	}
	c.src = in
	if quoted || c.entry != "file" {
		c.src = strings.TrimSuffix(in, "\n")
	}
	if quoted {
		src, err := strconv.Unquote(c.src)
		if err != nil {
			return fmt.Errorf("%q: %w", in, err)
		}
		c.src = src
	}
	return nil
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

// TestCases compares every case with its goldens and checks the laws of trees and diagnostics, also while
// goldens are written.
func TestCases(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.name, func(t *testing.T) {
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
			testkit.Golden(t, filepath.Join(casesDir, c.name+".txtar"), c.archive, c.with(tree, dumpDiagnostics(c.src, r.diags)))
		})
	}
}

// with is the archive's files with other goldens; an empty one is left out.
func (c *parseCase) with(tree, diags string) []txtar.File {
	var files []txtar.File
	for _, f := range c.archive.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			files = append(files, f)
		}
	}
	for _, f := range []txtar.File{{Name: "want.ast", Data: []byte(tree)}, {Name: "want.diag", Data: []byte(diags)}} {
		if len(f.Data) > 0 {
			files = append(files, f)
		}
	}
	return files
}

// dumpDiagnostics writes one finding a line, with its range as line:column in characters, and below it its
// hint and, for every fix, the whole source as the fix leaves it.
func dumpDiagnostics(src string, ds []diag.Diagnostic) string {
	var b strings.Builder
	lines := ast.NewLines(src)
	place := func(offset int) string {
		line, start := lines.Line(offset)
		return fmt.Sprintf("%d:%d", line+1, utf8.RuneCountInString(src[start:offset])+1)
	}
	for _, d := range ds {
		fmt.Fprintf(&b, "%s-%s %s %s %s\n", place(d.Span.Start), place(d.Span.End), d.Severity, d.Code, d.Message)
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, f := range d.Fixes {
			safe := ""
			if f.Safe {
				safe = "safe "
			}
			fixed, _ := diag.Apply(src, f.Edits)
			if strings.ContainsFunc(fixed, func(r rune) bool { return r < ' ' || r == utf8.RuneError || r == '\ufeff' }) {
				fixed = strconv.Quote(fixed)
			}
			fmt.Fprintf(&b, "  %sfix: %s -> %s\n", safe, f.Title, fixed)
		}
	}
	return b.String()
}
