package parser_test

import (
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

// The fuzz targets check the laws of the cases on any input. Their seeds are the cases and the
// selectors of the specification; testdata/fuzz has inputs that once broke a law.

// seed adds the sources of all cases and of the specification. A fuzz target first runs each of its
// seeds and of the inputs it has kept, which takes milliseconds of CPU time each, because coverage
// is passed between processes as JSON. So the seeds for positions are only those of the cases, and
// positions with the selectors of the specification as containers.
func seed(f *testing.F, entry string) {
	f.Helper()
	for _, c := range loadCases(f) {
		if entry != "position" || c.entry == entry {
			f.Add(c.src, c.options.Edition == ast.Edition01, c.options.NoLegacy)
		}
	}
	for _, s := range upstream(f) {
		if entry == "position" {
			s.Selector = "(" + s.Selector + ", end)"
		}
		f.Add(s.Selector, s.Edition == "0.1", false)
	}
}

// fuzz checks the laws on one way to read a source.
func fuzz(f *testing.F, entry string) {
	seed(f, entry)
	f.Fuzz(func(t *testing.T, src string, old, noLegacy bool) {
		// Go tries to shorten every input that covers something new, in time quadratic in its
		// length. With long inputs it would do nothing else for a minute. TestHostile reads sources
		// of any size.
		if len(src) > 128 {
			return
		}
		c := &parseCase{Case: &testkit.Case{Name: t.Name()}, entry: entry, src: src, options: parser.Options{NoLegacy: noLegacy, Mutation: entry == "mutation"}}
		if old {
			c.options.Edition = ast.Edition01
		}
		checkLaws(t, c, c.parse(src))
	})
}

func FuzzParse(f *testing.F) { fuzz(f, "file") }

func FuzzParseSelector(f *testing.F) { fuzz(f, "selector") }

func FuzzParsePosition(f *testing.F) { fuzz(f, "position") }
