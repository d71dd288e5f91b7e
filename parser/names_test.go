package parser_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// TestNameCharacters compares the characters of names in package ast with the lexer. The grammar
// uses Unicode 15.0, so names cannot contain U+1C89, which became a letter in Unicode 16.
func TestNameCharacters(t *testing.T) {
	isName := func(text string) bool {
		toks, ok := ll1.Lex(text, 0, 2, nil)
		return ok && len(toks) == 2 && toks[0].Kind == ll1.TokName && toks[1].Start == int32(len(text))
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			continue // white space ends no token
		}
		for _, text := range []string{string(r), "a" + string(r) + "b"} {
			if isName(text) != ast.IsName(text) {
				t.Errorf("%q, %U: ast says %t, the lexer otherwise", text, r, ast.IsName(text))
			}
		}
	}
	if isName("\u1c89") || ast.IsName("\u1c8a") || !isName("\u1c88") {
		t.Error("the letters are not those of Unicode 15")
	}
}
