package eval_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

// A case of testdata/eval is an archive in the form of package testkit, with many queries of one
// tree or history. The setting #edition: 0.1 applies to the selectors and the tree.
//
// One file is the tree: "history" in the short form that [outline] reads, "causes.json" with causes
// as [gentest.Read] takes them, or a JSON file, by any other name. The source reads like a
// transcript:
//
//	# A line of prose.
//	^seq .seg > .block
//	> ["b1","b2"]
//
// A selector is on one line. Its answer follows, in lines that begin with "> ": the result as JSON,
// or errors; then warnings, and controls that were passed on. "#set includeContent maxSnapshots=3"
// sets the options of the selector that follows. PACTKIT_UPDATE=1 writes the lines with ">",
// PACTKIT_UPDATE=diff shows what it would write.
const casesDir = "../testdata/eval"

// evalCase is one case, ready to run.
type evalCase struct {
	*testkit.Case
	edition  ast.Edition
	timeline *engine.Timeline
}

// question is a selector of a case with its options.
type question struct {
	text string
	opts eval.Options
}

func loadCases(t testing.TB) []*evalCase {
	t.Helper()
	var cases []*evalCase
	for archive := range testkit.Load(t, filepath.Join(casesDir, "*.txtar")) {
		c := &evalCase{Case: archive}
		c.Settings(t, map[string]func(string) bool{
			"edition": func(v string) (ok bool) { c.edition, ok = ast.ParseEdition(v); return ok },
		})
		if err := c.read(); err != nil {
			t.Fatalf("%s: %v", c.Path, err)
		}
		cases = append(cases, c)
	}
	return cases
}

func (c *evalCase) read() error {
	var opts engine.ReadOptions
	if c.edition == ast.Edition01 {
		opts.Edition = new(engine.Edition01)
	}
	for _, f := range c.Archive.Files {
		if f.Name == c.In.Name {
			continue
		}
		var err error
		switch f.Name {
		case "history":
			var data []byte
			if data, err = outline(string(f.Data), ""); err == nil {
				c.timeline, err = engine.Read("history.json", bytes.NewReader(data), opts)
			}
		case "causes.json":
			c.timeline, err = gentest.Read(f.Data, opts)
		default:
			c.timeline, err = engine.Read(f.Name, bytes.NewReader(f.Data), opts)
		}
		if err != nil {
			return err
		}
	}
	if c.timeline == nil {
		return errors.New("there is no tree: add a section history, an outline as testdata/eval/README.md describes it")
	}
	return nil
}

// replay answers every selector of the case through ask, and returns the queries with the answers
// in place.
func (c *evalCase) replay(ask func(question) string) (string, error) {
	var out strings.Builder
	var opts eval.Options
	for line := range strings.Lines(c.Source()) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "> "):
			continue
		case strings.HasPrefix(line, "#set "):
			var err error
			if opts, err = parseOptions(line[len("#set "):]); err != nil {
				return "", err
			}
			out.WriteString(line + "\n")
		case line == "" || strings.HasPrefix(line, "# "):
			out.WriteString(line + "\n")
		default:
			out.WriteString(line + "\n")
			opts.Text = line
			for answer := range strings.Lines(ask(question{line, opts})) {
				out.WriteString("> " + answer)
			}
			opts = eval.Options{}
		}
	}
	return out.String(), nil
}

// questions returns all selectors of the case.
func (c *evalCase) questions(t testing.TB) []question {
	var list []question
	if _, err := c.replay(func(q question) string { list = append(list, q); return "" }); err != nil {
		t.Fatal(err)
	}
	return list
}

func parseOptions(text string) (eval.Options, error) {
	var o eval.Options
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		switch name {
		case "includeContent":
			o.IncludeContent, err = true, nil
		case "contentMode":
			o.ContentMode, err = engine.ContentMode(value), nil
		case "contextLines":
			o.ContextLines = &n
		case "materialize":
			o.Materialize, err = strings.Split(value, ","), nil
		case "maxSnapshots":
			o.MaxSnapshots = n
		case "maxChanges":
			o.MaxChanges = n
		default:
			err = errors.New("no such option")
		}
		if err != nil {
			return o, fmt.Errorf("#set %s: %w", word, err)
		}
	}
	return o, nil
}

// answer evaluates one selector of the case and writes the answer, a line for each part.
func (c *evalCase) answer(q question) string {
	query, ds := parser.ParseSelector(q.text, parser.Options{Edition: c.edition})
	if !diag.HasErrors(ds) {
		return answerQuery(query, q, c.timeline)
	}
	return dumpDiagnostics(q.text, ds, diag.Error)
}

func answerQuery(query *ast.Query, q question, t *engine.Timeline) string {
	plan, ds := eval.Compile(query)
	if diag.HasErrors(ds) {
		return dumpDiagnostics(q.text, ds, diag.Error)
	}
	r, err := plan.Select(context.Background(), t, q.opts)
	if failed := (*eval.Error)(nil); errors.As(err, &failed) {
		return dumpDiagnostics(q.text, failed.Diagnostics, diag.Error)
	}
	if err != nil {
		return "failed: " + err.Error() + "\n"
	}
	var out strings.Builder
	out.WriteString(string(r.AppendJSON(nil)) + "\n" + dumpDiagnostics(q.text, r.Warnings, diag.Warning))
	for _, control := range r.Controls {
		value := ""
		if control.HasValue {
			value = "=" + control.Value
		}
		out.WriteString("control @" + control.Name + value + "\n")
	}
	return out.String()
}

// dumpDiagnostics writes the findings of a severity.
func dumpDiagnostics(src string, ds []diag.Diagnostic, s diag.Severity) string {
	return testkit.Diagnostics(src, slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Severity != s }))
}

// TestCases compares the answers of every case with the expected ones.
func TestCases(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got, err := c.replay(c.answer)
			if err != nil {
				t.Fatal(err)
			}
			c.GoldenSource(t, got)
		})
	}
}
