package ast_test

import (
	"testing"

	"github.com/pactkit/pactkit/ast"
)

func TestNameCharacters(t *testing.T) {
	for word, want := range map[string]struct{ name, part bool }{
		"a": {true, true}, "_": {true, true}, "a-b": {true, true}, "a1": {true, true}, "été": {true, true},
		"e\u0301": {true, true}, "日本": {true, true}, "Ⅷ": {}, "1": {false, true}, "१": {false, true}, "१a": {false, true},
		"": {}, "-": {}, "a-": {}, "-a": {}, "1-": {}, "\u0301": {}, "a.b": {}, "a b": {}, "a:b": {}, "\xff": {}, "a\x00": {},
	} {
		if name, part := ast.IsName(word), ast.IsPart(word); name != want.name || part != want.part {
			t.Errorf("%q: name %t, part %t", word, name, part)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"": "''", "a b": "'a b'", `it's`: `'it\'s'`, `a\b`: `'a\\b'`, "\n\t\r": `'\n\t\r'`,
		"\x00\x1f\x7f\u0085\u009f": `'\u0000\u001f\u007f\u0085\u009f'`, "é\u00a0日\u2028": "'é\u00a0日\u2028'", `"`: `'"'`,
	} {
		if got := ast.Quote(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for s, want := range map[string]string{
		"0": "0", "-0": "0", "+0.00": "0.00", "-0.0": "0.0", "007": "7", "+7": "7", "-007.50": "-7.50", "00.5": "0.5", "-000.5": "-0.5", "12": "12",
	} {
		if got := ast.NormalNumber(s); !ast.IsNumber(s) || got != want {
			t.Errorf("%q becomes %q, not %q", s, got, want)
		}
	}
	for _, s := range []string{"", "-", "+", ".5", "5.", "1e3", "-+5", "+-5", "--5", "1.2.3", " 1", "1 ", "0x1", "٣"} {
		if ast.IsNumber(s) {
			t.Errorf("%q is a number", s)
		}
	}
}
