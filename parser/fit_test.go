package parser

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// TestFit puts every kind of token before and in the place of every token of many selectors, and leaves the token out:
// where the machine finds an error, the builder must find that a token does not fit, and nowhere else.
func TestFit(t *testing.T) {
	data, err := os.ReadFile("internal/ll1/testdata/selectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	words := map[ll1.Kind]string{}
	for line := range strings.Lines(string(data)) {
		src := strings.TrimSuffix(line, "\n")
		if unquoted, err := strconv.Unquote(src); err == nil {
			src = unquoted
		}
		sources = append(sources, src)
		toks, _ := ll1.Lex(src, 0, len(src), nil)
		for _, tok := range toks {
			words[tok.Kind] = src[tok.Start:tok.End]
		}
	}
	valid, tried := 0, map[string]bool{}
	check := func(src string) {
		if tried[src] {
			return
		}
		tried[src] = true
		for _, insertion := range []bool{false, true} {
			b := newBuilder(src, &Options{})
			if !b.admit() {
				t.Fatalf("%q is not admitted", src)
			}
			body, _ := b.lex(ast.Span{End: len(src)})
			b.insertion = insertion
			b.build(body)
			_, errs := b.machine.Repair(b.tokens)
			if b.misfit != (len(errs) > 0) {
				t.Errorf("%q, as a position: %t: a token does not fit: %t, but the machine finds the errors %v", src, insertion, b.misfit, errs)
			}
			if !b.misfit {
				valid++
			}
			b.reset()
			b.finish()
		}
	}
	for _, src := range sources {
		toks, _ := ll1.Lex(src, 0, len(src), nil)
		for _, tok := range toks {
			before, after := src[:tok.Start], src[tok.End:]
			check(before + after)
			for _, word := range words {
				check(before + word + after)
				check(before + word + src[tok.Start:])
			}
		}
	}
	if n := 2 * len(tried); valid < n/10 || valid > n/2 {
		t.Errorf("%d of %d sources are valid", valid, n)
	}
}
