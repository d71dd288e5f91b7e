package parser

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// TestFit inserts every kind of token before every token of many selectors, replaces every token
// with it, and removes every token. The builder must find a token that does not fit exactly where
// the machine finds an error.
func TestFit(t *testing.T) {
	sources, words := fitSources(t), map[ll1.Kind]string{}
	for _, src := range sources {
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
		valid += checkFit(t, src)
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

// fitSources returns the samples of package ll1.
func fitSources(tb testing.TB) (sources []string) {
	tb.Helper()
	data, err := os.ReadFile("internal/ll1/testdata/selectors.txt")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		src := strings.TrimSuffix(line, "\n")
		if unquoted, err := strconv.Unquote(src); err == nil {
			src = unquoted
		}
		sources = append(sources, src)
	}
	return sources
}

// checkFit reads a source as a selector and as a position, and returns how often all tokens fit.
func checkFit(t *testing.T, src string) (valid int) {
	t.Helper()
	for _, insertion := range []bool{false, true} {
		b := newBuilder(src, &Options{})
		if !b.admit() {
			t.Fatalf("%q is not admitted", src)
		}
		body, ok := b.lex(ast.Span{End: len(src)})
		if !ok {
			return 0 // it exceeds a limit, and nothing is built
		}
		b.insertion = insertion
		b.build(body)
		_, errs := b.machine.Repair(b.tokens)
		if b.fit == misfit != (len(errs) > 0) {
			t.Errorf("%q, as a position: %t: a token does not fit: %t, but the machine finds the errors %v", src, insertion, b.fit == misfit, errs)
		}
		if b.fit != misfit {
			valid++
		}
		b.reset()
		b.finish()
	}
	return valid
}

// FuzzFit compares the builder with the machine on any input.
func FuzzFit(f *testing.F) {
	for _, src := range fitSources(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) <= 128 && utf8.ValidString(src) {
			checkFit(t, src)
		}
	})
}

// TestSurvey tries every byte at every position of sources of many lengths.
func TestSurvey(t *testing.T) {
	for size := 8; size < 32; size++ {
		for at := range size {
			for c := range 256 {
				src := []byte(strings.Repeat("a", size))
				src[at] = byte(c)
				special, hyphens := survey(string(src))
				if want := c == 0 || c >= utf8.RuneSelf; special != want {
					t.Fatalf("%q is special: %t", src, special)
				}
				if !special && hyphens != (c == '-') {
					t.Fatalf("%q has hyphens: %t", src, hyphens)
				}
			}
		}
	}
}

// TestShortNames checks that no region, and no type of edition 0.1, has a longer name than
// longestShort.
func TestShortNames(t *testing.T) {
	check := func(name string) {
		if len(name) > longestShort {
			t.Errorf("%s is longer than %d", name, longestShort)
		}
	}
	for term := range vocab.All(vocab.Region) {
		check(term.Name)
	}
	for term := range vocab.All(vocab.Type) {
		for _, alias := range term.Aliases {
			check(alias)
		}
	}
}
