package format

import (
	"math/big"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser"
)

// TestCompareNumbers compares with exact rational arithmetic.
func TestCompareNumbers(t *testing.T) {
	numbers := []string{
		"0", "0.0", "1", "1.0", "1.00", "-1", "-1.5", "-1.50", "1.5", "10", "9", "-10", "-9", "0.1", "0.01", "0.010",
		"-0.1", "-0.01", "123456789012345678901234567890", "123456789012345678901234567891",
		"0.1000000000000000000000001", "0.10000000000000000000000010",
	}
	for _, a := range numbers {
		for _, b := range numbers {
			x, _ := new(big.Rat).SetString(a)
			y, _ := new(big.Rat).SetString(b)
			if got, want := compareNumbers(a, b), x.Cmp(y); got != want {
				t.Errorf("%s, %s: got %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestTokens checks that exactly those texts can be written without quotes that the parser reads as
// one token.
func TestTokens(t *testing.T) {
	words := []string{
		"a", "a1", "_", "a-b", "a-", "-a", "1a", "é", "e\u0301", "\u0301", "a.b", "a.1", "a.-", "a.", ".a", "a..b", "", "a b",
		"a:b", "root", "ah.x", "x.ah", "٣", "a٣", "Ⅷ", "a\u200d", "日本", "a.b-", "a.٣x", "d1", "depth", "in", "null",
	}
	for _, w := range words {
		for _, test := range []struct {
			what string
			ok   bool
			src  string
			same func(ast.Anchor, []ast.Qualifier) bool
		}{
			{"tag", ast.IsName(w), "+" + w, func(a ast.Anchor, q []ast.Qualifier) bool {
				tag, ok := q[0].(*ast.Tag)
				return ok && len(q) == 1 && tag.Name == w
			}},
			{"type", isTypeToken(w), "." + w, func(a ast.Anchor, q []ast.Qualifier) bool {
				typ, ok := a.(*ast.Type)
				return ok && len(q) == 0 && typ.Name == w
			}},
			{"key", isKeyToken(w), "#" + w, func(a ast.Anchor, q []ast.Qualifier) bool {
				key, ok := a.(*ast.Key)
				return ok && len(q) == 0 && key.Name == w && !key.ID
			}},
		} {
			q, ds := parser.ParseSelector(test.src, parser.Options{})
			step := q.Union[0].Chains[0].Steps[0]
			reads := len(ds) == 0 && len(q.Union[0].Chains[0].Steps) == 1 &&
				(len(step.Qualifiers) > 0 || test.what != "tag") && test.same(step.Anchor, step.Qualifiers)
			if reads != test.ok {
				t.Errorf("%s %q: the parser says %v, the formatter %v", test.what, w, reads, test.ok)
			}
		}
	}
}

// TestQuoted checks that a literal reads as what was quoted, for every character that can be
// written in several ways.
func TestQuoted(t *testing.T) {
	var all []rune
	for r := rune(1); r < 0x2100; r++ {
		all = append(all, r)
	}
	for _, s := range []string{string(all), "", `\`, `'`, `\'`, "\U0001F389", "a\ufffdb", "\u2028"} {
		src := "{a=" + string(ast.AppendQuote(nil, s)) + "}"
		got := parse(t, src).Union[0].Chains[0].Steps[0].Qualifiers[0].(*ast.Filter).Props[0].Values[0].Text
		if got != s {
			t.Errorf("%q is printed as %s and read as %q", s, src, got)
		}
	}
}
